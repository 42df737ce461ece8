import { describe, expect, test } from "vitest";
import { DirectionTensor } from "../../src/compat/index.js";
import { createMill, type LayerMap, type WalkInput } from "../../src/index.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const LAND = { walkers: 5, steps: 200, start: [[3, -4]] } as const satisfies WalkInput;
const WORLD = {
  name: "world",
  layers: [
    { name: "land", walkers: 3, steps: 300 },
    { name: "rivers", walkers: 4, steps: 40, start: { layer: "land" }, preset: "sf66-rf33" },
  ],
} as const satisfies WalkInput;
const TENSOR = { absolute: { NW: 1, NE: 2, East: 3, SE: 4, SW: 5, W: 6 }, relative: { "12:00": 1, leftForward: 2.5 } };
const cwd = folderWith({
  "land.json": JSON.stringify(LAND),
  "world.json": JSON.stringify(WORLD),
  "tensor.json": JSON.stringify({ tensor: TENSOR }),
});
const walk = (...args: string[]) => rollmill(["walk", ...args], { cwd });

/** The cells where a layer's walkers end, a line each. */
function endsOf(name: string, input: WalkInput, layer?: string): string {
  const opened = createMill({ seed: "moria" }).walk(name, input);
  const earlier: Record<string, LayerMap> = {};
  if (layer === "rivers") earlier.land = opened.runLayer({ layer: "land" });
  const plan = opened.layers.find((candidate) => layer === undefined || candidate.name === layer);
  using run = opened.start({ ...(layer === undefined ? {} : { layer }), earlier });
  run.advance(plan?.steps ?? 0);
  return [...run.positions()].map(({ row, col }) => `${row},${col}\n`).join("");
}

describe("walk ends prints row,col of each walker's end", () => {
  test("as the spec has it", async () => {
    const { code, stdout, stderr } = await walk("ends", "land.json", "--seed", "moria");
    expect(stdout).toBe(endsOf("land", LAND));
    expect(stdout.split("\n")).toHaveLength(6);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("with other walkers and steps", async () => {
    const { stdout } = await walk("ends", "land.json", "--seed", "moria", "--walkers", "8", "--steps", "77");
    expect(stdout).toBe(endsOf("land", { ...LAND, walkers: 8, steps: 77 }));
    const still = await walk("ends", "land.json", "--seed", "moria", "--walkers", "2", "--steps", "0");
    expect(still.stdout).toBe("3,-4\n3,-4\n");
  });

  test("of one of several layers, after the layers before it", async () => {
    for (const layer of ["land", "rivers"]) {
      const { stdout } = await walk("ends", "world.json", "--seed", "moria", "--layer", layer);
      expect(stdout).toBe(endsOf("world", WORLD, layer));
    }
    const [land, rivers] = WORLD.layers;
    const { stdout } = await walk("ends", "world.json", "--seed", "moria", "--layer", "rivers", "--walkers", "9");
    expect(stdout).toBe(endsOf("world", { ...WORLD, layers: [land, { ...rivers, walkers: 9 }] }, "rivers"));
  });

  test("--layer is required if there are several layers, and must exist", async () => {
    for (const args of [[], ["--layer", "roads"]]) {
      const { code, stdout, stderr } = await walk("ends", "world.json", "--seed", "a", ...args);
      expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
      expect(stderr).toMatch(/expected land or rivers\..*--layer.*\[cli\.usage\]\n$/);
    }
  });

  test("walkers and steps out of range are refused, by option or in the spec", async () => {
    expect((await walk("ends", "land.json", "--walkers", "0")).stderr).toMatch(
      /an integer from 1 to 4294967295, .* \[cli\.usage\]/,
    );
    expect((await walk("ends", "land.json", "--steps", "-1")).code).toBe(2);
    const bad = await rollmill(["walk", "ends", "-", "--seed", "a"], { input: '{"walkers": 0, "steps": 1.5}' });
    expect(bad.stderr).toMatch(/^- walkers: .*\[walk\.spec\]\n- steps: .*\[walk\.spec\]\n$/);
  });
});

describe("walk odds prints the six exact chances of a step", () => {
  const chances = (...args: string[]) => walk("odds", ...args);

  test("--json: a list of {direction, numerator, denominator, probability}", async () => {
    const { code, stdout, stderr } = await chances("tensor.json", "--heading", "E", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // heading east: forward is E (3 · 1), left forward NE (2 · 2.5); the rest weighs nothing
    expect(dataOf(stdout)).toEqual([
      { direction: "NW", numerator: "0", denominator: "1", probability: 0 },
      { direction: "NE", numerator: "5", denominator: "8", probability: 0.625 },
      { direction: "E", numerator: "3", denominator: "8", probability: 0.375 },
      { direction: "SE", numerator: "0", denominator: "1", probability: 0 },
      { direction: "SW", numerator: "0", denominator: "1", probability: 0 },
      { direction: "W", numerator: "0", denominator: "1", probability: 0 },
    ]);
  });

  test("text: direction, fraction, six digits; at rest by default", async () => {
    const { stdout } = await chances("tensor.json");
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split(/ +/));
    expect(lines.map(([name, odds]) => `${name} ${odds}`)).toEqual([
      "NW 1/21",
      "NE 2/21",
      "E 1/7",
      "SE 4/21",
      "SW 5/21",
      "W 2/7",
    ]);
    expect(lines[0][2]).toBe("0.0476190");
    expect((await chances("tensor.json", "--heading", "rest")).stdout).toBe(stdout);
    expect((await chances("tensor.json", "--heading", "resting")).stdout).toBe(stdout);
  });

  test.each(["NW", "NE", "E", "East", "SE", "SW", "W", "West", "rest"] as const)(
    "--heading %s with closed directions, as the library",
    async (heading) => {
      const { stdout } = await chances("tensor.json", "--heading", heading, "--closed", "NW, NE,East", "--json");
      const expected = new DirectionTensor(TENSOR).probabilities(heading, ["NW", "NE", "E"]);
      const found = (dataOf(stdout) as { numerator: string; denominator: string }[]).map(
        ({ numerator, denominator }) => ({
          numerator: BigInt(numerator),
          denominator: BigInt(denominator),
        }),
      );
      expect(found).toEqual(expected);
    },
  );

  test("all closed: six zeros, the walker rests", async () => {
    const { stdout } = await chances("tensor.json", "--closed", "NW,NE,E,SE,SW,W", "--json");
    expect((dataOf(stdout) as { probability: number }[]).map(({ probability }) => probability)).toEqual([
      0, 0, 0, 0, 0, 0,
    ]);
  });

  test("of a layer, of a preset, of the default", async () => {
    const { stdout: rivers } = await chances("world.json", "--layer", "rivers", "--heading", "E", "--json");
    expect((dataOf(rivers) as { probability: number }[]).map(({ probability }) => probability)).toEqual([
      0,
      0,
      2 / 3,
      1 / 3,
      0,
      0,
    ]);
    const { stdout: land } = await chances("land.json");
    expect(land.match(/1\/6/g)).toHaveLength(6);
    expect((await chances("world.json")).stderr).toMatch(/--layer.*\[cli\.usage\]\n$/);
  });

  test.each(["N", "", "NW,,E", "toString"])("--closed %j is refused", async (closed) => {
    const { code, stderr } = await chances("tensor.json", "--closed", closed);
    expect(code).toBe(2);
    expect(stderr).toMatch(/--closed .*got .*expected NW, NE, E, SE, SW, W, East, West \[cli\.usage\]\n$/);
  });
});
