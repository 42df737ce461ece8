import { describe, expect, test } from "vitest";
import { type LinePanel, svgLines } from "../../src/formats/index.js";
import { codeOf } from "../refusal.js";

const points = (...heights: (number | undefined)[]) =>
  new Map(heights.flatMap((height, value): [number, number][] => (height === undefined ? [] : [[value, height]])));
const panel = { title: "Affixes <all>", heights: "share", series: [{ name: "a & b", points: points(0, 0.5, 1) }] };
const pathsOf = (svg: string) => [...svg.matchAll(/<path d="([^"]*)" fill="none"/g)].map(([, path]) => path);

describe("svgLines", () => {
  test("draws a line a series, higher where the height is greater", () => {
    const [path] = pathsOf(svgLines([panel], { title: "t", values: "level" }));
    const heights = [...path.matchAll(/[ML]\S+ ([\d.]+)/g)].map(([, y]) => Number(y));
    expect(heights).toEqual([320, 202, 84]);
  });

  test("leaves a gap where a line has no point, and a dot where it has no neighbour", () => {
    const series = [{ name: "a", points: points(1, undefined, 1) }, panel.series[0]];
    const [path] = pathsOf(svgLines([{ ...panel, series }], { title: "t", values: "level" }));
    expect(path).toMatch(/^M\S+ \S+h0M\S+ \S+h0$/);
  });

  test("says what it is, and escapes it", () => {
    const svg = svgLines([panel, panel], { title: "t", values: "level" });
    expect(svg).toContain("Affixes &lt;all&gt;: a &amp; b up to 1 at 2.</desc>");
    expect(svg).toContain('height="720"');
    expect(svg.match(/<title>a &amp; b<\/title>/g)).toHaveLength(2);
  });

  test.each<[string, Parameters<typeof svgLines>[0]]>([
    ["no chart", []],
    ["no point", [{ ...panel, series: [] }]],
    ["a negative height", [{ ...panel, series: [{ name: "x", points: new Map([[1, -1]]) }] }]],
    ["a value that is no integer", [{ ...panel, series: [{ name: "x", points: new Map([[0.5, 1]]) }] }]],
    ["too many lines", [{ ...panel, series: Array.from({ length: 13 }, () => panel.series[0]) }]],
  ])("refuses %s", (_, panels) => {
    expect(() => svgLines(panels, { title: "t", values: "level" })).toThrow(/argument\.range/);
  });

  test("counts points and characters while it reads, because a line or a text may be in many charts", () => {
    const points = new Map(Array.from({ length: 4096 }, (_, i) => [i, 1] as const));
    const of = (name: string, count: number) => ({
      title: "",
      heights: "",
      series: new Array(count).fill({ name, points }),
    });
    const lines = { title: "", values: "" };
    const hostile: [LinePanel[], string][] = [
      [new Array(1000).fill(of("a", 12)), ""],
      [new Array(5).fill(of("x".repeat(2 ** 20), 1)), ""],
      [new Array(5).fill(of("a", 1)), "x".repeat(2 ** 20)],
    ];
    for (const [panels, values] of hostile) {
      expect(codeOf(() => svgLines(panels, { ...lines, values }))).toBe("argument.range");
    }
    expect(svgLines(new Array(2).fill(of("a", 12)), lines).length).toBeGreaterThan(1_000_000);
  });

  test("counts the lines before it reads them", () => {
    let reads = 0;
    const line = { name: "x", points: points(1) };
    const series = Array.from({ length: 13 }, () => new Proxy(line, { get: () => ++reads }));
    const draw = () => svgLines([{ ...panel, series }], { title: "t", values: "level" });
    expect(codeOf(draw)).toBe("argument.range");
    expect(reads).toBe(0);
  });
});
