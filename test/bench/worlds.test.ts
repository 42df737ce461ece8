import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { grown } from "../../src/walks/rectangles.js";
import { cellsNeeded } from "../../src/worlds/areas.js";
import { compileWorld } from "../../src/worlds/compile.js";
import { rangesOf } from "../../src/worlds/costs.js";
import { parseWorld } from "../../src/worlds/index.js";
import { benchModule } from "./modules.js";

const { HALO, LAND, RULES, regionRows, SIDE, stepsInReach } = await benchModule("inputs/worlds");
const { UNIFORM } = await benchModule("inputs/walks");
const { jsWorld } = await benchModule("rivals/js/worlds");
const { OwnWords } = await benchModule("rivals/js/ownWords");
const { SameWords } = await benchModule("rivals/js/sameWords");
const { worldKeys } = await benchModule("ours");

const SIZE = 256;
const layers = LAND.layers.map(({ steps, scatter }) => ({ steps, walkers: scatter?.walkers }));
const sizes = { size: SIZE, side: SIDE, layers, rules: RULES, tensor: UNIFORM, hasChunks: false };

describe("the world of the bench", () => {
  test("needs the regions that the library walks", () => {
    const { spec } = parseWorld(LAND);
    if (spec === undefined) throw new Error("the spec is not valid");
    const plan = compileWorld(spec, { name: "world" });
    const { walk } = plan;
    for (const size of [256, 1024, 2048]) {
      const window = { row0: 0, col0: 0, rows: size, cols: size };
      expect(cellsNeeded(plan, window)).toEqual(grown(window, HALO));
      const need = { cells: grown(window, HALO), layers: [...walk.layers.keys()] };
      const rows = rangesOf([need], plan).map(({ range }) => range.i1 - range.i0 + 1);
      expect(regionRows(LAND, { size, margin: HALO })).toEqual(rows);
    }
  });

  test("counts the steps of layers without an end", () => {
    const [sea, hills] = regionRows(LAND, { size: SIZE, margin: HALO });
    expect(hills).toBeLessThanOrEqual(sea);
    const steps = 48 * 600;
    expect(stepsInReach(LAND, { size: SIZE, margin: HALO })).toBe((sea * sea + hills * hills) * steps);
    expect(stepsInReach(LAND, { size: SIZE, margin: HALO, columns: 3 })).toBe((sea + hills) * 3 * steps);
  });
});

describe("the rival in JavaScript", () => {
  test.each([
    [0, 0],
    [-3 * SIZE, 8 * SIZE],
    [2 ** 20, -(2 ** 20)],
  ])("makes the library's world with the library's words at %i, %i", async (row, column) => {
    const world = createMill({ seed: "bench" }).world("world", LAND);
    const { terrain, placements } = world.window({ row0: row, col0: column, rows: SIZE, cols: SIZE });
    const keys = await worldKeys(LAND);
    for (const hasChunks of [false, true]) {
      const made = jsWorld({ ...sizes, hasChunks }, new SameWords(keys)).window(row, column);
      expect(made.terrain).toEqual(terrain);
      expect(made.villages).toEqual([...placements].map((placed) => [placed.row, placed.col]));
      expect(made.villages.length).toBeGreaterThan(50);
    }
  });

  test("has other words of its own for every walker, region, layer, plane and cell", () => {
    const words = new OwnWords();
    const first = (fill: (out: Uint32Array) => void) => {
      const out = new Uint32Array(4);
      fill(out);
      return out.join();
    };
    const numbers = [-1, 0, 1];
    const pairs = numbers.flatMap((i) => numbers.map((j) => [i, j] as const));
    const seen = [0, 1, 2].flatMap((stream) =>
      pairs.flatMap(([i, j]) => [
        ...[0, 1, 47].map((walker) => first((out) => words.walker(stream, i, j, walker, out))),
        ...[0, 1].map((plane) => first((out) => words.starts(stream, i, j, plane, out))),
        String(words.cell(stream, i, j)),
        String(words.extra(stream, i, j)),
      ]),
    );
    expect(new Set(seen).size).toBe(seen.length);
  });

  test("makes the same cells in every window with its own words", () => {
    const [own, other] = [jsWorld(sizes, new OwnWords()), jsWorld({ ...sizes, size: 2 * SIZE }, new OwnWords())];
    const small = own.window(SIZE, -SIZE);
    const large = other.window(0, -SIZE);
    const isCut = small.terrain.every((cell, k) => {
      const [r, c] = [Math.floor(k / SIZE), k % SIZE];
      return cell === large.terrain[(r + SIZE) * 2 * SIZE + c];
    });
    expect(isCut).toBe(true);
    expect(small.villages).toEqual(large.villages.filter(([row, column]) => row >= SIZE && column < 0));
  });
});
