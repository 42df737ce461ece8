import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { svgHistogram } from "../../src/formats/index.js";

const NAMES = { title: "Strength", values: "strength", heights: "weapons" } as const;
const BARS = new Map([
  [3, 1200],
  [1, 300],
  [2, 0],
  [-1, 45],
]);

/** The bars of a picture: where they stand, and what they say. */
function barsOf(svg: string): { x: number; y: number; width: number; height: number; title: string }[] {
  const pattern = /<rect x="(.+?)" y="(.+?)" width="(.+?)" height="(.+?)"><title>(.+?)<\/title><\/rect>/g;
  return [...svg.matchAll(pattern)].map(([, x, y, width, height, title]) => ({
    x: Number(x),
    y: Number(y),
    width: Number(width),
    height: Number(height),
    title,
  }));
}

const textsOf = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)<\/text>/g)].map((found) => found[1]);

describe("svgHistogram", () => {
  test("has a bar for each height above 0, by value, as high as its height is to the others", () => {
    const bars = barsOf(svgHistogram(BARS, NAMES));
    expect(bars.map(({ title }) => title)).toEqual(["−1: 45", "1: 300", "3: 1,200"]);
    expect(bars[2].height / bars[1].height).toBeCloseTo(4, 1);
    expect(bars[1].height / bars[0].height).toBeCloseTo(300 / 45, 1);
    expect(bars[2].x - bars[1].x).toBeCloseTo(bars[1].x - bars[0].x, 1);
    expect(new Set(bars.map(({ y, height }) => Math.round(y + height)))).toEqual(new Set([424]));
  });

  test("says what it is: title, axes with round numbers, and a description for who does not see it", () => {
    const svg = svgHistogram(BARS, NAMES);
    expect(svg).toContain('role="img" aria-labelledby="title description"');
    expect(svg).toContain('<title id="title">Strength</title>');
    expect(svg).toContain(
      '<desc id="description">Bars of weapons by strength from −1 to 3; the highest is 1,200 at 3.</desc>',
    );
    expect(svgHistogram(BARS, { ...NAMES, description: "told" })).toContain('<desc id="description">told</desc>');
    expect(textsOf(svg)).toEqual(["Strength", "0", "500", "1,000", "weapons", "−1", "0", "1", "2", "3", "strength"]);
  });

  test("has marks at their heights, and says what they are", () => {
    const marks = new Map([
      [1, 300],
      [3, 600],
    ]);
    const plain = svgHistogram(BARS, NAMES);
    const svg = svgHistogram(BARS, { ...NAMES, marks, legend: { bars: "measured", marks: "exact" } });
    const [, first, second] = /<path d="M\S+ (\S+?)h\S+?M\S+ (\S+?)h[^M"]+" fill="none"/.exec(svg) ?? [];
    const [, one, three] = barsOf(svg);
    expect(Number(first)).toBeCloseTo(one.y, 1);
    expect(Number(second)).toBeCloseTo((three.y + 424) / 2, 1);
    expect(svg).toMatch(/measured.*exact<\/text>/);
    expect(plain).not.toMatch(/fill="none"|measured/);
  });

  test("leaves room for a mark above every bar", () => {
    const marks = new Map([[1, 5000]]);
    const [, , three] = barsOf(svgHistogram(BARS, { ...NAMES, marks }));
    expect(three.height).toBeCloseTo((424 - 56) * (1200 / 5000), 0);
  });

  test("on a log scale ten times as much is one step higher, the least is seen, and marks far below it are not", () => {
    const bars = new Map([
      [1, 1],
      [2, 10],
      [3, 100],
      [4, 0],
    ]);
    const marks = new Map([
      [2, 10],
      [3, 0.01],
      [4, 0],
    ]);
    const svg = svgHistogram(bars, { ...NAMES, scale: "log", marks });
    const [one, ten, hundred, ...none] = barsOf(svg);
    expect(none).toEqual([]);
    expect(one.height).toBeGreaterThan(10);
    expect(hundred.height - ten.height).toBeCloseTo(ten.height - one.height, 1);
    expect(textsOf(svg).slice(1, 4)).toEqual(["1", "10", "100"]);
    const path = /<path d="([^"]+)" fill="none"/.exec(svg)?.[1] ?? "";
    expect(path.match(/M/g)).toHaveLength(1);
    expect(Number(/M\S+ (\S+?)h/.exec(path)?.[1])).toBeCloseTo(ten.y, 1);
  });

  test("escapes what it is told", () => {
    const svg = svgHistogram(BARS, { ...NAMES, title: '<b> & "c" \u0007 \ud800 😀' });
    expect(svg).toContain('<title id="title">&lt;b&gt; &amp; &quot;c&quot; \ufffd \ufffd 😀</title>');
  });

  test("has fractions on its axis where heights are small, each in its shortest form", () => {
    const svg = svgHistogram(new Map([[0, 0.31]]), NAMES);
    expect(textsOf(svg)).toEqual(["Strength", "0", "0.1", "0.2", "0.3", "weapons", "0", "strength"]);
    expect(textsOf(svgHistogram(new Map([[7, 0]]), NAMES))).toContain("0.2");
  });

  test("keeps every bar inside the picture, whatever the order of the values", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer({ min: -500, max: 500 }), fc.double({ min: 0, max: 1e9, noNaN: true })), {
          minLength: 1,
        }),
        fc.integer({ min: 200, max: 4096 }),
        fc.integer({ min: 200, max: 4096 }),
        fc.constantFrom("linear", "log"),
        (entries, width, height, scale) => {
          const bars = new Map(entries);
          const svg = svgHistogram(bars, { ...NAMES, scale, width, height });
          for (const bar of barsOf(svg)) {
            expect(bar.x).toBeGreaterThanOrEqual(84);
            expect(bar.x + bar.width).toBeLessThanOrEqual(width - 23.9);
            expect(bar.y).toBeGreaterThanOrEqual(55.9);
            expect(bar.y + bar.height).toBeLessThanOrEqual(height - 55.9);
          }
          expect(svg).not.toMatch(/NaN|Infinity|undefined/);
          expect(svgHistogram(new Map([...bars].reverse()), { ...NAMES, scale, width, height })).toBe(svg);
        },
      ),
    );
  });

  test.each<[what: string, bars: [number, number][], options: object]>([
    ["no value", [], {}],
    ["a value that is no integer", [[0.5, 1]], {}],
    ["a negative height", [[1, -1]], {}],
    ["a height of NaN", [[1, Number.NaN]], {}],
    ["an endless height", [[1, 1]], { marks: new Map([[1, Number.POSITIVE_INFINITY]]) }],
    [
      "values too far apart",
      [
        [0, 1],
        [4096, 1],
      ],
      {},
    ],
    ["a width of 199", [[0, 1]], { width: 199 }],
    ["a height of 4097", [[0, 1]], { height: 4097 }],
  ])("refuses %s", (_, entries, options) => {
    expect(() => svgHistogram(new Map(entries), { ...NAMES, ...options })).toThrow(/argument\.range/);
  });
});
