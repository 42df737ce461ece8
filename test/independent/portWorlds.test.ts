// As port.test.ts, for terrain and placements of worlds.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { GridSpec } from "../../src/walks/index.js";
import { KernelTerrain } from "../../src/worlds/kernel/terrain.js";
import { type ConditionSpec, NO_TERRAIN } from "../../src/worlds/types.js";
import { openKernel } from "../kernel/open.js";
import { codesOf, kindNamed, mapWith, planOf, share } from "../worlds/terrainPlans.js";
import { below, extra, forkKey, type Id, type Key, streamKey, word } from "./port.mjs";
import {
  addressOf,
  numberChances,
  type PortCondition,
  type PortKind,
  type PortRule,
  type PortVisit,
  type PortWorld,
  stands,
  terrainAt,
} from "./portWorlds.mjs";
import { SEEDS } from "./seeds.js";

const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");

/** A world in the form of the port. */
interface World {
  readonly layers: readonly (readonly PortVisit[])[];
  readonly rules: readonly PortRule[];
  readonly kinds: readonly PortKind[];
  readonly grid?: { readonly rows: number; readonly cols: number; readonly oddR: boolean };
}

const LAND: World = {
  layers: [
    [
      { row: 0, col: 0, visits: 1, firstVisit: 0 },
      { row: 0, col: 1, visits: 1, firstVisit: 1 },
    ],
  ],
  rules: [
    { terrain: "road", when: { visits: { layer: 0, range: [1, Number.POSITIVE_INFINITY] } } },
    { terrain: "rock", when: { all: [{ not: { within: { layer: 0, distance: 1 } } }, { chance: [1, 4] }] } },
    { terrain: "grass" },
  ],
  kinds: [{ name: "tree", on: ["grass"], density: [2, 5], distance: 1 }],
};

const SEVERAL: World = {
  layers: [
    [
      { row: 2, col: 3, visits: 5, firstVisit: 7 },
      { row: 3, col: 1, visits: 2, firstVisit: 0 },
    ],
    [{ row: 0, col: 6, visits: 1, firstVisit: 90 }],
  ],
  rules: [
    { terrain: "a", when: { firstVisit: { layer: 0, range: [0, 5] } } },
    {
      terrain: "b",
      when: { any: [{ chance: [1, 5] }, { all: [{ within: { layer: 1, distance: 2 } }, { chance: [1, 2] }] }] },
    },
    { terrain: "a", when: { all: [{ within: { layer: 0, distance: 3 } }, { not: { chance: [2, 2 ** 32 - 1] } }] } },
    { terrain: "b", when: { chance: [2 ** 31 + 1, 2 ** 32 - 5] } },
    { terrain: "c" },
  ],
  kinds: [
    { name: "all", on: ["a", "b", "c"], density: [1, 1], distance: 2 },
    { name: "many", on: ["c", "b"], density: [2 ** 31 + 1, 2 ** 32 - 5], distance: 1 },
    { name: "none", on: ["a"], density: [0, 1], distance: 3 },
    { name: "free", on: ["a"], density: [1, 2], distance: 0 },
  ],
};

/** The kernel's terrain for a world, with the names of its terrains. */
function kernelOf({ layers, rules, kinds, grid }: World, key: Key) {
  const names = [...new Set(rules.map(({ terrain }) => terrain))];
  const ruleOf = ({ terrain, when }: { terrain: string; when?: object | undefined }) =>
    [names.indexOf(terrain), when === undefined ? undefined : conditionOf(when)] as const;
  const gridSpec: GridSpec | undefined = grid && {
    kind: "bounded",
    rows: grid.rows,
    cols: grid.cols,
    coordinates: grid.oddR ? "odd-r" : "axial",
  };
  const placements = kinds.map(({ name, on, density: [k, n], distance }) => {
    const terrains = on.map((terrain) => names.indexOf(terrain)).sort((a, b) => a - b);
    return kindNamed(name, { terrains, density: share(k, n), distance });
  });
  const plan = planOf({ grid: gridSpec, names, rules: numberChances(rules).map(ruleOf), placements });
  const kernel = openKernel();
  const maps = layers.map((visits) => mapWith(kernel, visits));
  const [k0, k1] = key;
  return { names, terrain: new KernelTerrain(kernel, plan, maps, { k0, k1 }) };
}

type Numbered =
  | Exclude<PortCondition, { chance: unknown } | { all: unknown } | { any: unknown } | { not: unknown }>
  | { readonly chance: { readonly share: readonly [number, number]; readonly number: number } }
  | { readonly all: readonly Numbered[] }
  | { readonly any: readonly Numbered[] }
  | { readonly not: Numbered };

function conditionOf(condition: object): ConditionSpec {
  const one = condition as Numbered;
  if ("chance" in one) {
    const [k, n] = one.chance.share;
    return { kind: "chance", chance: share(k, n), number: one.chance.number };
  }
  if ("not" in one) return { kind: "not", of: conditionOf(one.not) };
  if ("all" in one) return { kind: "all", of: one.all.map(conditionOf) };
  if ("any" in one) return { kind: "any", of: one.any.map(conditionOf) };
  if ("within" in one) return { kind: "within", ...one.within };
  const [kind, { layer, range }] =
    "visits" in one ? (["visits", one.visits] as const) : (["firstVisit", one.firstVisit] as const);
  return { kind, layer, least: range[0], most: range[1] };
}

function portOf({ layers, rules, grid }: World, key: Key): PortWorld {
  const visits = layers.map(
    (cells) => (row: number, col: number) => cells.find((at) => at.row === row && at.col === col),
  );
  return { key, grid, layers: visits, rules: numberChances(rules) };
}

function expectEqual(
  world: World,
  key: Key,
  [row, col]: readonly [number, number],
  [rows, cols]: readonly [number, number],
) {
  const { names, terrain } = kernelOf(world, key);
  const made = terrain.make({ row0: row, col0: col, rows, cols });
  const port = portOf(world, key);
  const cells = Array.from({ length: rows * cols }, (_, i) => [row + Math.floor(i / cols), col + (i % cols)] as const);
  const theirs = codesOf(made.terrain, { rows, cols }).map((code) => (code === NO_TERRAIN ? undefined : names[code]));
  expect(theirs).toEqual(cells.map(([r, c]) => terrainAt(port, r, c)));
  for (const [i, kind] of world.kinds.entries()) {
    const standing = [...made.placements[i].rows].map((r, j) => [r, made.placements[i].cols[j]]);
    expect(standing).toEqual(cells.filter(([r, c]) => stands(port, kind, r, c)));
  }
}

describe("terrain and placements", () => {
  test.each(SEEDS.slice(0, 4).map(([, seed]) => seed))("seed %j", (seed) => {
    expectEqual(LAND, streamKey(seed, "land"), [-2, -1], [5, 6]);
    expectEqual(SEVERAL, streamKey(seed, "land", [[2, -3] as Id]), [0, 0], [5, 8]);
    for (const oddR of [true, false]) {
      expectEqual({ ...SEVERAL, grid: { rows: 5, cols: 7, oddR } }, streamKey(seed, "land"), [-1, -1], [7, 9]);
    }
  });

  test("at the edges of the plane", () => {
    expectEqual(LAND, streamKey("moria", "land"), [-(2 ** 31), 2 ** 31 - 3], [3, 3]);
    expectEqual(LAND, streamKey("moria", "land"), [2 ** 31 - 3, -(2 ** 31)], [3, 3]);
  });
});

describe("the page's example", () => {
  const key = streamKey("moria", "land");
  const world = portOf(LAND, key);
  const rock = forkKey(forkKey(forkKey(key, "terrain"), "rock"), 0);
  const tree = forkKey(forkKey(key, "placements"), "tree");
  const [, text] = /^Check: under seed `moria`, the world `land` (.*?)^Check:/ms.exec(page) ?? ["", ""];

  test("its words and values", () => {
    const rows = [...text.matchAll(/^\| \((.?\d), (.?\d)\) \|(.*)\|$/gm)];
    expect(rows.length).toBe(6);
    for (const [, rowText, colText, rest] of rows) {
      const [row, col] = [rowText, colText].map((text) => Number(text.replace("−", "-")));
      const address = addressOf(row, col);
      const [rockWord, terrain, treeWord, value, priority, standing] = rest.split("|").map((part) => part.trim());
      expect([word(rock, ...address), word(tree, ...address)]).toEqual([Number(rockWord), Number(treeWord)]);
      expect(terrain.split(",")[0]).toBe(terrainAt(world, row, col));
      expect(below(tree, ...address, 5)).toBe(Number(value));
      if (priority !== "") expect(extra(tree, ...address, 0)).toBe(Number(priority));
      expect(standing === "stands").toBe(stands(world, LAND.kinds[0], row, col));
    }
  });

  test("its map", () => {
    const marks: Readonly<Record<string, string>> = { road: "r", rock: "k", grass: "g" };
    const letter = (row: number, col: number) =>
      stands(world, LAND.kinds[0], row, col) ? "T" : marks[terrainAt(world, row, col) ?? ""];
    for (const [i, expected] of [...text.matchAll(/`([rkgT]{5})`/g)].map(([, line]) => line).entries()) {
      expect(Array.from({ length: 5 }, (_, j) => letter(i - 2, j - 1)).join("")).toBe(expected);
    }
    expect([...text.matchAll(/`([rkgT]{5})`/g)]).toHaveLength(4);
  });
});
