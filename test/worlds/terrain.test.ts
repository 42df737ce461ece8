import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Fraction } from "../../src/fractions.js";
import type { GridSpec } from "../../src/walks/index.js";
import { type CellRectangle, grown } from "../../src/walks/rectangles.js";
import { cellsNeeded } from "../../src/worlds/areas.js";
import { KernelTerrain } from "../../src/worlds/kernel/terrain.js";
import type { ConditionSpec, WorldPlan } from "../../src/worlds/types.js";
import { openKernel } from "../kernel/open.js";
import { TerrainTwin, type TwinVisit } from "../oracle/terrainTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { codesOf, kindNamed, mapWith, planOf, type RuleOf, share } from "./terrainPlans.js";

const LAYERS = 3;
const DIRTY_BYTES = 2 ** 18;
const KEY = streamKey("moria", "world");
const [k0, k1] = KEY;

/** A world of a test: its plan, the visits and the closed cells of its layers, and a rectangle. */
interface Case {
  readonly plan: WorldPlan;
  readonly layers: readonly (readonly TwinVisit[])[];
  readonly closed: readonly (readonly [number, number])[];
  readonly rect: CellRectangle;
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
      rect: { row0: row, col0: col, rows, cols },
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

// ── a world with everything ──

const UNBOUNDED: GridSpec = { kind: "unbounded" };

/** A rule of each kind of condition. */
const EVERY_RULE: readonly RuleOf[] = [
  [0, { kind: "visits", layer: 0, least: 1, most: 2 }],
  [1, { kind: "firstVisit", layer: 1, least: 0, most: 2 ** 31 }],
  [
    2,
    {
      kind: "all",
      of: [
        { kind: "within", layer: 2, distance: 7 },
        { kind: "not", of: { kind: "within", layer: 0, distance: 3 } },
      ],
    },
  ],
  [3, { kind: "any", of: [{ kind: "within", layer: 1, distance: 2 }, chanceOf(1, 3, 0)] }],
  [4, chanceOf(2, 5, 0)],
  [5],
];
const EVERY_KIND = [
  kindNamed("all", { terrains: [0, 2, 4], distance: 1 }),
  kindNamed("some", { terrains: [1, 3, 5], density: share(1, 7), distance: 4 }),
  kindNamed("few", { terrains: [0, 1, 2, 3, 4, 5], density: share(1, 50), distance: 64 }),
  kindNamed("crowd", { terrains: [5], density: share(1, 2) }),
];

function chanceOf(part: number, whole: number, number: number): ConditionSpec {
  return { kind: "chance", chance: share(part, whole), number };
}

/** Visits of three layers in rows first … first + side − 1 and columns 960 + first … of an unbounded grid. */
function scattered(cells: number, first: number, side: number): TwinVisit[][] {
  const words = streamWords(streamKey("moria", "visits"));
  return Array.from({ length: LAYERS }, (_, layer) => {
    const drawn = Array.from({ length: cells }, (_, i) => {
      const [row, col] = [words.word(layer, 2 * i) % side, words.word(layer, 2 * i + 1) % side];
      return [first + row, first === 0 ? col : 1000 + first + col, 1 + (i % 3), i];
    });
    return visitsOf(drawn, UNBOUNDED);
  });
}

function partsOf({ row0, col0, rows, cols }: CellRectangle, partRows: number, partCols: number): CellRectangle[] {
  const parts: CellRectangle[] = [];
  for (let r = 0; r < rows; r += partRows) {
    for (let c = 0; c < cols; c += partCols) {
      const size = { rows: Math.min(partRows, rows - r), cols: Math.min(partCols, cols - c) };
      parts.push({ row0: row0 + r, col0: col0 + c, ...size });
    }
  }
  return parts;
}

/** The terrain of each cell and the sorted placements of each kind. */
function join(kinds: number, parts: readonly (readonly [CellRectangle, ReturnType<KernelTerrain["make"]>])[]) {
  const terrain = parts.flatMap(([rect, made]) => {
    const codes = codesOf(made.terrain, rect);
    return cellsOf(rect).map(([r, c], i) => `${r} ${c} ${codes[i]}`);
  });
  const placements = Array.from({ length: kinds }, (_, k) =>
    parts
      .flatMap(([, made]) => [...made.placements[k].rows].map((r, i) => `${r} ${made.placements[k].cols[i]}`))
      .sort(),
  );
  return { terrain: terrain.sort(), placements };
}

// ── the kernel and the twin ──

function terrainOf({ plan, layers, closed }: Omit<Case, "rect">, maxBytes = 2 ** 28) {
  const kernel = openKernel(maxBytes);
  const maps = layers.map((visits, i) => mapWith(kernel, visits, { closed, ends: i === 1 }));
  // what earlier calls leave behind in free memory must not matter
  const free = kernel.call((exports) => exports.mark());
  const dirty = kernel.call((exports) => exports.allocate(DIRTY_BYTES));
  kernel.u8(dirty, DIRTY_BYTES).fill(0x5a);
  kernel.call((exports) => exports.release(free));
  const terrain = new KernelTerrain(kernel, plan, maps, { k0, k1 });
  const used = (): number => kernel.call((exports) => exports.mark());
  return { terrain, kernel, used };
}

function expectTwin(terrain: KernelTerrain, one: Case): void {
  const { plan, layers, rect } = one;
  const twin = new TerrainTwin(plan.spec, layers, KEY);
  const made = terrain.make(rect);
  const cells = cellsOf(rect);
  expect(codesOf(made.terrain, rect)).toEqual(cells.map(([row, col]) => twin.terrainAt(row, col)));
  for (const [i, placed] of plan.spec.placements.entries()) {
    const standing = cells.filter(([row, col]) => twin.stands(placed, row, col));
    expect([...made.placements[i].rows]).toEqual(standing.map(([row]) => row));
    expect([...made.placements[i].cols]).toEqual(standing.map(([, col]) => col));
  }
}

function cellsOf({ row0, col0, rows, cols }: CellRectangle): [number, number][] {
  return Array.from({ length: rows * cols }, (_, i) => [row0 + Math.floor(i / cols), col0 + (i % cols)]);
}

describe("terrain and placements", () => {
  test("kernel = twin for random worlds, also in the memory of an earlier rectangle", () => {
    fc.assert(
      fc.property(world, (one) => {
        const { terrain, used } = terrainOf(one);
        expectTwin(terrain, one);
        const before = used();
        expectTwin(terrain, one);
        expect(used()).toBe(before);
      }),
      { seed: 30200, numRuns: 500 },
    );
  });

  // rule d gives terrain d to the cells within d steps, so the terrain is the distance
  test("distances of 0 … 64 are those of the nearest visited cell", () => {
    const far = 65;
    const rules = Array.from({ length: far }, (_, d): RuleOf => [d, { kind: "within", layer: 0, distance: d }]);
    const side = fc.integer({ min: 1, max: 80 });
    const cell = fc.tuple(fc.integer({ min: -70, max: 140 }), fc.integer({ min: -70, max: 140 }));
    const rect = fc.record({ row0: fc.nat(20), col0: fc.nat(40), rows: side, cols: side });
    const grid = fc.constantFrom<GridSpec>(
      UNBOUNDED,
      { kind: "bounded", rows: 150, cols: 150, coordinates: "axial" },
      { kind: "bounded", rows: 150, cols: 150, coordinates: "odd-r" },
    );
    fc.assert(
      fc.property(grid, rect, fc.array(cell, { minLength: 1, maxLength: 6 }), (one, where, cells) => {
        const plan = planOf({ grid: one, rules: [...rules, [far]] });
        const layers = [
          visitsOf(
            cells.map(([row, col]) => [row, col, 1, 1]),
            one,
          ),
        ];
        const twin = new TerrainTwin(plan.spec, layers, KEY);
        const expected = cellsOf(where).map((at) => {
          return Math.min(far, ...layers[0].map(({ row, col }) => twin.distance(at, [row, col])));
        });
        const { terrain } = terrainOf({ plan, layers, closed: [] }).terrain.make(where);
        expect(codesOf(terrain, where)).toEqual(expected);
      }),
      { seed: 30201, numRuns: 100 },
    );
  });

  test("a rectangle = its parts, of every alignment", () => {
    const plan = planOf({ rules: EVERY_RULE, placements: EVERY_KIND });
    const { terrain } = terrainOf({ plan, layers: scattered(200, -100, 400), closed: [] });
    const whole = terrain.make({ row0: -90, col0: 960, rows: 120, cols: 130 });
    for (const [rows, cols] of [
      [1, 130],
      [120, 1],
      [7, 19],
      [16, 64],
    ]) {
      const parts = partsOf({ row0: -90, col0: 960, rows: 120, cols: 130 }, rows, cols);
      const joined = join(
        whole.placements.length,
        parts.map((part) => [part, terrain.make(part)] as const),
      );
      expect(joined).toEqual(join(whole.placements.length, [[{ row0: -90, col0: 960, rows: 120, cols: 130 }, whole]]));
    }
  });

  test.each([
    [-(2 ** 31), -(2 ** 31)],
    [2 ** 31 - 20, -(2 ** 31)],
    [-(2 ** 31), 2 ** 31 - 20],
    [2 ** 31 - 20, 2 ** 31 - 20],
    [2 ** 31 - 5, 2 ** 31 - 5],
  ])("at the edges of i32: %s, %s", (row, col) => {
    const layers = scattered(60, 0, 20).map((visits) =>
      visitsOf(
        visits.map((v) => [row + v.row, col + v.col, 1, 1]),
        UNBOUNDED,
      ),
    );
    const plan = planOf({ rules: EVERY_RULE, placements: EVERY_KIND });
    const one = { plan, layers, closed: [], rect: { row0: row, col0: col, rows: 20, cols: 20 } };
    expectTwin(terrainOf(one).terrain, one);
  });

  test("a rectangle outside the grid has neither terrain nor placements", () => {
    const plan = planOf({ grid: { kind: "bounded", rows: 5, cols: 5 }, placements: [kindNamed("all", {})] });
    const { terrain } = terrainOf({ plan, layers: [[], [], []], closed: [] });
    const made = terrain.make({ row0: 5, col0: -3, rows: 2, cols: 3 });
    expect(codesOf(made.terrain, { rows: 2, cols: 3 })).toEqual([255, 255, 255, 255, 255, 255]);
    expect(made.placements.map(({ rows, cols }) => [rows.length, cols.length])).toEqual([[0, 0]]);
  });

  // with n = 2³² − 1, the word w is the bound of w/n, and its extra words decide
  test("extra words decide a chance and a density for the word at the bound, both ways", () => {
    const seen = new Set<boolean>();
    const twin = new TerrainTwin(planOf({}).spec, [], KEY);
    for (let col = 0; col < 40; col++) {
      const density = share(twin.wordOfKind("k", 3, col), 2 ** 32 - 1);
      const drawn = twin.wordOfChance("t0", 0, 3, col);
      const when: ConditionSpec = { kind: "chance", chance: share(drawn, 2 ** 32 - 1), number: 0 };
      const placements = [kindNamed("k", { terrains: [0, 1], density, distance: 2 })];
      const plan = planOf({ rules: [[0, when], [1]], placements });
      const one = { plan, layers: [[], [], []], closed: [], rect: { row0: 3, col0: col, rows: 1, cols: 1 } };
      const { terrain } = terrainOf(one);
      expectTwin(terrain, one);
      seen.add(codesOf(terrain.make(one.rect).terrain, one.rect)[0] === 0);
    }
    expect(seen).toEqual(new Set([true, false]));
  });

  // found by comparing the first extra words of neighbours in 10⁷ rows of 4,096 cells
  test.each([
    [14474018, 3063, 0, 1],
    [6432336, 3954, 0, 1],
    [4747779, 3140, 1, -1],
    [101997092, 3940, 1, -1],
  ])("of two equal priorities, the first cell by row and column stands: (%s, %s)", (row, col, down, right) => {
    const plan = planOf({ placements: [kindNamed("all", { distance: 1 })] });
    const [kind] = plan.spec.placements;
    const rect = { row0: row, col0: col - 1, rows: 2, cols: 3 };
    const one = { plan, layers: [[], [], []], closed: [], rect };
    const twin = new TerrainTwin(plan.spec, [], KEY);
    const { terrain } = terrainOf(one);
    expectTwin(terrain, one);
    expect([twin.stands(kind, row, col), twin.stands(kind, row + down, col + right)]).toEqual([true, false]);
    expect(twin.priorityOf("all", row, col)).toBe(twin.priorityOf("all", row + down, col + right));
  });

  test("the needed cells are as far away as the greatest `within`, plus the greatest distance of a kind that can stand", () => {
    const within: ConditionSpec = { kind: "not", of: { kind: "any", of: [{ kind: "within", layer: 2, distance: 9 }] } };
    const density = share(0, 1);
    const placements = [kindNamed("near", { distance: 5 }), kindNamed("never", { distance: 50, density })];
    const plan = planOf({ rules: [[0, within], [1]], placements });
    const cells = { row0: 5, col0: -7, rows: 3, cols: 4 };
    expect(cellsNeeded(plan, cells)).toEqual(grown(cells, 14));
  });
});
