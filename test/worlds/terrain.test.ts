import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fraction } from "../../src/fractions.js";
import type { GridSpec } from "../../src/walks/index.js";
import { KernelTerrain } from "../../src/worlds/kernel/terrain.js";
import type { ConditionSpec, WorldPlan } from "../../src/worlds/types.js";
import { openKernel } from "../kernel/open.js";
import { TerrainTwin, type TwinVisit } from "../oracle/terrainTwin.js";
import { streamKey } from "../oracle/words.js";
import { kindNamed, mapWith, planOf, type RuleOf, share } from "./terrainPlans.js";

const LAYERS = 3;
const KEY = streamKey("moria", "world");
const [k0, k1] = KEY;

interface Area {
  readonly row: number;
  readonly col: number;
  readonly rows: number;
  readonly cols: number;
}

/** A world of a test: its plan, the visits and the closed cells of its layers, and a rectangle. */
interface Case {
  readonly plan: WorldPlan;
  readonly layers: readonly (readonly TwinVisit[])[];
  readonly closed: readonly (readonly [number, number])[];
  readonly rect: Area;
}

// ── random worlds ──

const count = fc.oneof(fc.constantFrom(0, 1, 2, 2 ** 32 - 1), fc.nat(6));
const chance: fc.Arbitrary<Fraction> = fc.oneof(
  fc.constantFrom(share(0, 1), share(1, 1), share(1, 2), share(1, 20), share(1, 2 ** 32 - 1)),
  fc
    .tuple(fc.integer({ min: 1, max: 2 ** 32 - 1 }), fc.integer({ min: 1, max: 2 ** 32 - 1 }))
    .map(([a, b]) => share(Math.min(a, b), Math.max(a, b))),
);
const distance = fc.oneof(
  { arbitrary: fc.nat(5), weight: 8 },
  { arbitrary: fc.integer({ min: 6, max: 20 }), weight: 2 },
  { arbitrary: fc.constantFrom(63, 64), weight: 1 },
);

const { condition } = fc.letrec<{ condition: ConditionSpec }>((tie) => ({
  condition: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc
      .tuple(fc.constantFrom("visits", "firstVisit"), fc.nat(LAYERS - 1), count, fc.oneof(count, fc.constant(Infinity)))
      .map(([kind, layer, least, most]): ConditionSpec => ({ kind, layer, least, most: Math.max(least, most) })),
    fc.tuple(fc.nat(LAYERS - 1), distance).map(([layer, d]): ConditionSpec => ({ kind: "within", layer, distance: d })),
    fc.tuple(chance, fc.nat(3)).map(([one, number]): ConditionSpec => ({ kind: "chance", chance: one, number })),
    fc
      .tuple(fc.constantFrom("all", "any"), fc.array(tie("condition"), { maxLength: 3 }))
      .map(([kind, of]): ConditionSpec => ({ kind, of })),
    tie("condition").map((of): ConditionSpec => ({ kind: "not", of })),
  ),
}));

const rule = fc.tuple(fc.oneof(fc.nat(3), fc.constant(254)), condition);
const rules: fc.Arbitrary<readonly RuleOf[]> = fc.oneof(
  { arbitrary: fc.constant([]), weight: 1 },
  {
    arbitrary: fc
      .tuple(fc.array(rule, { maxLength: 4 }), fc.nat(3))
      .map(([several, last]): RuleOf[] => [...several, [last]]),
    weight: 8,
  },
);
const kind = fc.record({ terrains: fc.subarray([0, 1, 2, 3, 254]), density: chance, distance });

/** A corner of the rectangle: negative, at the edges of i32, and across the blocks of words. */
const corner = fc.oneof(
  fc.integer({ min: -40, max: 40 }),
  fc.constantFrom(-(2 ** 31), 2 ** 31 - 30, 1010, -1030),
  fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 50 }),
);
const size = fc.oneof(fc.constantFrom(1, 16, 17), fc.integer({ min: 1, max: 30 }));
const unbounded = fc.tuple(corner, corner).map(([row, col]) => ({ grid: { kind: "unbounded" } as GridSpec, row, col }));
const bounded = fc
  .record({
    sides: fc.tuple(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 60 })),
    coordinates: fc.constantFrom("axial", "odd-r"),
    at: fc.tuple(fc.integer({ min: -10, max: 40 }), fc.integer({ min: -10, max: 40 })),
  })
  .map(({ sides: [rows, cols], coordinates, at: [row, col] }) => {
    return { grid: { kind: "bounded", rows, cols, coordinates } as GridSpec, row, col };
  });

const world: fc.Arbitrary<Case> = fc
  .record({
    place: fc.oneof(unbounded, bounded),
    rows: size,
    cols: size,
    rules,
    kinds: fc.array(kind, { maxLength: 2 }),
    visited: fc.array(
      fc.array(fc.tuple(fc.integer({ min: -70, max: 100 }), fc.integer({ min: -70, max: 100 }), count, count), {
        maxLength: 25,
      }),
      { minLength: LAYERS, maxLength: LAYERS },
    ),
    closed: fc.array(fc.tuple(fc.integer({ min: -5, max: 30 }), fc.integer({ min: -5, max: 30 })), { maxLength: 10 }),
  })
  .map(({ place: { grid, row, col }, rows, cols, rules: given, kinds, visited, closed }) => {
    const plan = planOf({ grid, rules: given, placements: kinds.map((one, i) => kindNamed(`k${i}`, one)) });
    const moved = visited.map((cells) =>
      visitsOf(
        cells.map(([r, c, ...rest]) => [row + r, col + c, ...rest]),
        grid,
      ),
    );
    const taken = new Set(moved.flat().map((cell) => `${cell.row} ${cell.col}`));
    const shut = closed.map(([r, c]) => [row + r, col + c] as const).filter(([r, c]) => isCell(grid, r, c));
    return {
      plan,
      layers: moved,
      closed: shut.filter(([r, c]) => !taken.has(`${r} ${c}`)),
      rect: { row, col, rows, cols },
    };
  });

/** Keeps the cells in the grid, each once. A first visit is below 2³² − 1. */
function visitsOf(cells: readonly (readonly number[])[], grid: GridSpec): TwinVisit[] {
  const found = new Map<string, TwinVisit>();
  for (const [row, col, visits, first] of cells) {
    if (!isCell(grid, row, col)) continue;
    found.set(`${row} ${col}`, { row, col, visits: Math.max(1, visits), firstVisit: Math.min(first, 2 ** 32 - 2) });
  }
  return [...found.values()];
}

function isCell(grid: GridSpec, row: number, col: number): boolean {
  if (grid.kind === "unbounded") return (row | 0) === row && (col | 0) === col;
  return row >= 0 && col >= 0 && row < grid.rows && col < grid.cols;
}

// ── the kernel and the twin ──

function terrainOf({ plan, layers, closed }: Omit<Case, "rect">): { terrain: KernelTerrain; used: () => number } {
  const kernel = openKernel();
  const maps = layers.map((visits, i) => mapWith(kernel, visits, { closed, ends: i === 1 }));
  const terrain = new KernelTerrain({ kernel, name: "world", plan, maps, key: { k0, k1 } });
  return { terrain, used: () => kernel.call((exports) => exports.mark()) };
}

function expectTwin(terrain: KernelTerrain, one: Case): void {
  const { plan, layers, rect } = one;
  const twin = new TerrainTwin(plan.spec, layers, KEY);
  const made = terrain.make({ ...rect, row0: rect.row, col0: rect.col });
  const cells = cellsOf(rect);
  expect([...made.terrain]).toEqual(cells.map(([row, col]) => twin.terrainAt(row, col)));
  for (const [i, placed] of plan.spec.placements.entries()) {
    const standing = cells.filter(([row, col]) => twin.stands(placed, row, col));
    expect([...made.placements[i].rows]).toEqual(standing.map(([row]) => row));
    expect([...made.placements[i].cols]).toEqual(standing.map(([, col]) => col));
  }
}

function cellsOf({ row, col, rows, cols }: Area): [number, number][] {
  return Array.from({ length: rows * cols }, (_, i) => [row + Math.floor(i / cols), col + (i % cols)]);
}

describe("terrain and placements", () => {
  test("kernel = twin for random worlds, and the memory is free again", { timeout: 300_000 }, () => {
    fc.assert(
      fc.property(world, (one) => {
        const { terrain, used } = terrainOf(one);
        const before = used();
        expectTwin(terrain, one);
        expect(used()).toBe(before);
      }),
      { seed: 30200, numRuns: 300 },
    );
  });
});
