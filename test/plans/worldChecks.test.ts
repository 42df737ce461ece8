// Each check of a walk and of a world in a plan file: the plans that only this check refuses, beside one that passes it.
import { describe, expect, test } from "vitest";
import { TerrainCode } from "../../src/kernel/layout.js";
import { planOf, section, textWords, type Words } from "./files.js";
import { Host } from "./host.js";

const [WALK, WORLD] = [9, 10];
const [UNBOUNDED, BOUNDED, TORUS] = [0, 1, 2];
const [FINITE, SCATTERED, STUCK] = [0, 1, 2];
const MAX = 2 ** 32 - 1;
const text = (given: string): Words => [given.length, ...textWords(given)];

interface Arrays {
  readonly weights?: Words;
  readonly headings?: Words;
  readonly closedCells?: Words;
  readonly cells?: Words;
  readonly closed?: Words;
  readonly open?: Words;
}

const LAYER = {
  kind: SCATTERED,
  firstVisits: 0,
  walkers: 2,
  steps: 3,
  side: 64,
  part: 0,
  whole: 0,
  start: 0,
  until: 0,
  outside: 0,
  slope: 0,
  down: 0,
  level: 0,
  up: 0,
  steepness: 0,
  ends: 0,
  stuckOf: 0,
  row: 0,
  col: 0,
  rows: 0,
  cols: 0,
};

function layer(numbers: Partial<typeof LAYER> = {}, arrays: Arrays = {}): Words {
  const { weights = new Array(42).fill(1), headings = [6], closedCells = [], cells = [] } = arrays;
  const { closed = [], open = [] } = arrays;
  const own = { ...LAYER, ...numbers };
  const counts = [headings.length, closedCells.length / 2, cells.length / 2, closed.length, open.length];
  const lists = own.kind === STUCK ? [] : [...weights, ...headings, ...closedCells, ...cells, ...closed, ...open];
  return [...text("w/l"), ...Object.values(own), ...counts, ...lists];
}

const finite = (numbers: Partial<typeof LAYER> = {}, arrays: Arrays = {}) =>
  layer({ kind: FINITE, side: 0, ...numbers }, { cells: [0, 0], ...arrays });
const sloped = { slope: 2, down: 1, level: 1, up: 1, ends: 1 };

type Step = Partial<Record<"slot" | "layer" | "least" | "span" | "value" | "a" | "b" | "c" | "d", number>>;
const step = (code: number, given: Step = {}): Words => {
  const none = { slot: 0, layer: 0, least: 0, span: 0, value: 0, a: 0, b: 0, c: 0, d: 0 };
  return [code, ...Object.values({ ...none, ...given })];
};
function program(steps: readonly Words[], { rows = 1, chances = 0, reaches = [] as Words } = {}): Words {
  return [steps.length, rows, chances, reaches.length / 2, ...reaches, ...steps.flat()];
}
const FILL = step(TerrainCode.FILL);
const RULE = [step(TerrainCode.CONSTANT), step(TerrainCode.RULE)];
const STORE = step(TerrainCode.STORE);
const NOISE = step(TerrainCode.NOISE, { b: 4, c: 3 });
const field = (steps: readonly Words[] = [NOISE, STORE], means = {}): Words => [...text("f"), ...program(steps, means)];

const KIND = {
  part: 1,
  whole: 2,
  distance: 4,
  near: 0,
  within: 0,
  apart: 0,
  apartBy: 0,
  alone: 0,
  facing: 0,
};
const DISCS = { least: 0, leastWithin: 0, leastRow: 0, leastCol: 0, most: 0, mostWithin: 0, mostRow: 0, mostCol: 0 };
interface Lists {
  readonly at?: Words;
  readonly sizes?: Words;
  readonly limit?: Words;
  /** Overwrites the numbers that say whether there is a limit, and how many cells and sizes. */
  readonly counts?: Words;
}
function kind(numbers: Partial<typeof KIND & typeof DISCS> = {}, { at = [], sizes = [], limit, counts }: Lists = {}) {
  const own = Object.keys(KIND).map((key) => ({ ...KIND, ...numbers })[key as keyof typeof KIND]);
  const discs = Object.keys(DISCS).map((key) => ({ ...DISCS, ...numbers })[key as keyof typeof DISCS]);
  const lengths = counts ?? [at.length / 3, sizes.length, Number(limit !== undefined)];
  return [...text("k"), ...own, ...lengths, ...new Array(8).fill(MAX), ...discs, ...at, ...sizes, ...(limit ?? [])];
}

interface Parts {
  readonly grid?: Words;
  readonly tables?: readonly Words[];
  readonly ranges?: readonly Words[];
  readonly layers?: readonly Words[];
  readonly terrains?: readonly Words[];
  readonly fields?: readonly Words[];
  readonly rules?: Words | null;
  readonly kinds?: readonly Words[];
}
function world(parts: Parts = {}): Words {
  const { grid = [UNBOUNDED, 0, 0, 0], tables = [], ranges = [], layers = [], terrains = [], fields = [] } = parts;
  const { rules = program([FILL]), kinds = [] } = parts;
  const lists = [tables, ranges, layers, terrains, fields];
  const counts = [...lists, kinds].map(({ length }) => length);
  return [...grid, ...counts, ...lists.flat(2), ...(rules ?? []), ...kinds.flat()];
}
const walk = (parts: Parts) => world({ rules: null, ...parts });
const ruled = (steps: readonly Words[], means = {}, parts: Parts = {}) =>
  world({ ...parts, rules: program(steps, means) });
const WITHIN = [step(TerrainCode.WITHIN, { value: 64 }), RULE[1]];
const CHANCE = step(TerrainCode.CHANCE, { c: 1, d: 2 });

const CASES: Readonly<
  Record<string, readonly [kind: number, valid: readonly Words[], invalid: Readonly<Record<string, Words>>]>
> = {
  grid: [
    WORLD,
    [world(), world({ grid: [UNBOUNDED, 0, 0, 1] }), world({ grid: [BOUNDED, 2 ** 31 - 1, 1, 1] })],
    {
      "an unknown kind": world({ grid: [3, 4, 4, 0] }),
      "unknown coordinates": world({ grid: [BOUNDED, 4, 4, 2] }),
      "no rows": world({ grid: [BOUNDED, 0, 4, 0] }),
      "negative columns": world({ grid: [BOUNDED, 4, 2 ** 31, 0] }),
      "a torus": world({ grid: [TORUS, 4, 4, 0] }),
      "too many cells for layers": world({ grid: [BOUNDED, 4096, 4097, 0], layers: [finite()] }),
      "too many layers": [...world().slice(0, 6), 257, ...world().slice(7)],
      "a head that is cut": [0, 0, 0, 0, 0, 0, 0, 0, 0],
    },
  ],
  walk: [
    WALK,
    [walk({ layers: [finite(), layer()] }), walk({ grid: [TORUS, 4, 5, 1], layers: [finite()] })],
    {
      "odd rows of a torus in odd-r coordinates": walk({ grid: [TORUS, 5, 4, 1], layers: [finite()] }),
      "odd-r coordinates without edges": walk({ grid: [UNBOUNDED, 0, 0, 1] }),
      "a program": world({ layers: [finite()] }),
      fields: walk({ fields: [field()] }),
      kinds: walk({ kinds: [kind()] }),
    },
  ],
  layer: [
    WORLD,
    [
      world({
        layers: [
          layer({ walkers: 2 ** 16, side: 512 }, { headings: [0, 6], closedCells: [5, 5] }),
          layer({ part: 1, whole: 1, steps: 0 }, { closed: [0], open: [5] }),
          layer({ ...sloped, slope: 5, start: 6, until: 1, outside: 1 }),
          layer({ kind: STUCK, stuckOf: 2 }),
        ],
        ranges: [[0, 3, 4]],
        fields: [field()],
      }),
      world({ layers: [layer({ steps: 2 ** 17, side: 4096, walkers: 1 })] }),
      world({ layers: [layer({}, { weights: [...new Array(36).fill(0), MAX, 0, 0, 0, 0, 0] })] }),
    ],
    {
      "an unknown kind": world({ layers: [layer({ kind: MAX })] }),
      "another number of first visits": world({ layers: [layer({ firstVisits: 2 })] }),
      "a side below 64": world({ layers: [layer({ side: 32 })] }),
      "a side above 4096": world({ layers: [layer({ side: 8192 })] }),
      "a side that is no power of two": world({ layers: [layer({ side: 65 })] }),
      "too many steps": world({ layers: [layer({ steps: 2 ** 20 + 1, side: 4096, walkers: 0 })] }),
      "too many walkers": world({ layers: [layer({ walkers: 2 ** 16 + 1 })] }),
      "a density above 1": world({ layers: [layer({ part: 2, whole: 1 })] }),
      "a density without a whole": world({ layers: [layer({ part: 1, whole: 0 })] }),
      "a density of too many walkers": world({ layers: [layer({ part: 1, whole: 1, side: 512 })] }),
      "regions on a bounded grid": world({ grid: [BOUNDED, 9, 9, 0], layers: [layer()] }),
      "regions and a list of cells": world({ layers: [layer({}, { cells: [0, 0] })] }),
      "no heading": world({ layers: [layer({}, { headings: [] })] }),
      "an unknown heading": world({ layers: [layer({}, { headings: [7] })] }),
      "weights that overflow": world({ layers: [layer({}, { weights: [MAX, 1, ...new Array(40).fill(1)] })] }),
      "no absolute weight": world({ layers: [layer({}, { weights: [...new Array(36).fill(1), 0, 0, 0, 0, 0, 0] })] }),
      "weights that are cut": world({ layers: [layer({}, { weights: [1] })] }),
      "a layer that closes itself": world({ layers: [layer({}, { closed: [0] })] }),
      "a source that does not exist": world({ layers: [layer({}, { open: [1] })] }),
      "sources that do not ascend": world({ layers: [layer(), layer({}, { closed: [0, 0] })] }),
      "a start on a field": world({ layers: [layer({ start: 2 })], fields: [field()] }),
      "ends on a later layer": world({ layers: [layer({ until: 2 }), layer()] }),
      "unknown ends": world({ layers: [layer({ outside: 2 })] }),
      "a slope that is a layer": world({ layers: [layer(), layer({ ...sloped, slope: 1 })], fields: [field()] }),
      "a slope that is a range": world({
        layers: [layer({ ...sloped, slope: 3 })],
        fields: [field()],
        ranges: [[0, 0, 1]],
      }),
      "a slope without factors": world({ layers: [layer({ slope: 2 })], fields: [field()] }),
      "a slope that is too steep": world({ layers: [layer({ ...sloped, steepness: 2 ** 16 })], fields: [field()] }),
      "a slope whose weights overflow": world({ layers: [layer({ ...sloped, up: 2 ** 30 })], fields: [field()] }),
      "a slope with unknown ends": world({ layers: [layer({ ...sloped, ends: 2 })], fields: [field()] }),
      "the stuck walkers of a later layer": world({ layers: [layer({ kind: STUCK, stuckOf: 0 })] }),
      "the stuck walkers of a layer without a slope": world({ layers: [layer(), layer({ kind: STUCK })] }),
      "stuck walkers that rest": world({
        layers: [layer({ ...sloped, slope: 3, ends: 0 }), layer({ kind: STUCK })],
        fields: [field()],
      }),
      "a field that reads the layer itself": world({
        layers: [layer({ ...sloped })],
        fields: [field([step(TerrainCode.LOAD_VISITS), STORE])],
      }),
      "too much work": world({ layers: [layer({ walkers: 2 ** 16, steps: 2 ** 14 })] }),
      "regions without an end": world({ layers: [layer({ walkers: 0, steps: 2 ** 20 })] }),
      "a range of a field that does not exist": world({ ranges: [[0, 0, 1]] }),
      "an empty range": world({ ranges: [[0, 2, 1]], fields: [field()] }),
    },
  ],
  "finite layer": [
    WORLD,
    [
      world({
        layers: [
          finite({ walkers: 2 ** 20, steps: 2 ** 10 }, { closedCells: [-1, 4] }),
          finite({ row: -9, col: 2 ** 31 - 5, rows: 5, cols: 5 }, { cells: [], closed: [0] }),
          finite({ start: 2, until: 1 }, { cells: [], open: [0, 1] }),
        ],
      }),
      world({ grid: [BOUNDED, 4, 5, 1], layers: [finite({ rows: 4, cols: 5 }, { cells: [], closedCells: [3, 4] })] }),
    ],
    {
      "no start": world({ layers: [finite({}, { cells: [] })] }),
      "two kinds of starts": world({ layers: [finite({ rows: 1, cols: 1 })] }),
      "a start on a layer and on cells": world({ layers: [finite(), finite({ start: 1 })] }),
      "a rectangle without columns": world({ layers: [finite({ rows: 2, cols: 0 }, { cells: [] })] }),
      "a rectangle beyond the coordinates": world({
        layers: [finite({ row: 2 ** 31 - 5, rows: 6, cols: 1 }, { cells: [] })],
      }),
      "a rectangle outside the grid": world({
        grid: [BOUNDED, 4, 5, 0],
        layers: [finite({ rows: 4, cols: 6 }, { cells: [] })],
      }),
      "a large rectangle with closed cells": world({
        layers: [finite({ rows: 4096, cols: 4097 }, { cells: [], closedCells: [0, 0] })],
      }),
      "a start outside the grid": world({ grid: [BOUNDED, 4, 5, 0], layers: [finite({}, { cells: [4, 0] })] }),
      "a closed cell outside the grid": world({
        grid: [BOUNDED, 4, 5, 0],
        layers: [finite({}, { closedCells: [0, -1] })],
      }),
      "a density": world({ layers: [finite({ part: 1, whole: 2 })] }),
      "a slope": world({ layers: [finite({ ...sloped })], fields: [field()] }),
      "a scattered source": world({ layers: [layer(), finite({ until: 1 })] }),
      "a range as a source": world({ layers: [finite({ until: 3 })], fields: [field()], ranges: [[0, 0, 1]] }),
      "open and closed cells": world({ layers: [finite(), finite({}, { open: [0], closedCells: [1, 1] })] }),
      "too many steps": world({ layers: [finite({ walkers: 2, steps: 2 ** 31 })] }),
    },
  ],
  program: [
    WORLD,
    [
      ruled([FILL, step(TerrainCode.VISITED), RULE[1]], {}, { layers: [layer()] }),
      ruled(
        [CHANCE, step(TerrainCode.NOT), RULE[0], step(TerrainCode.OR), RULE[1]],
        { chances: 1 },
        { terrains: [text("t")] },
      ),
      ruled(WITHIN, { reaches: [0, 64] }, { layers: [layer()] }),
      ruled([step(TerrainCode.RANGE), RULE[1]]),
    ],
    {
      "no steps": ruled([]),
      "too many steps": ruled(new Array(2 ** 13 + 1).fill(FILL)),
      "too many rows": ruled([FILL], { rows: 1025 }),
      "more chances than steps": ruled([FILL], { chances: 2 }),
      "a reach of a layer that does not exist": ruled([FILL], { reaches: [0, 1] }),
      "a reach that is too far": ruled([FILL], { reaches: [0, 65] }, { layers: [layer()] }),
      "an unknown step": ruled([step(22)]),
      "a rule without a condition": ruled([RULE[1]]),
      "a NOT without a condition": ruled([step(TerrainCode.NOT)]),
      "an AND of one condition": ruled([RULE[0], step(TerrainCode.AND)]),
      "an OR of one condition": ruled([RULE[0], step(TerrainCode.OR)]),
      "a layer that does not exist": ruled([step(TerrainCode.VISITED), RULE[1]]),
      "a range of a row that does not exist": ruled([step(TerrainCode.RANGE, { slot: 1 }), RULE[1]]),
      "a distance that does not exist": ruled(WITHIN),
      "a distance that is too far": ruled(
        [step(TerrainCode.WITHIN, { value: 65 }), RULE[1]],
        { reaches: [0, 64] },
        { layers: [layer()] },
      ),
      "a chance that does not exist": ruled([CHANCE, RULE[1]], {}, { terrains: [text("t")] }),
      "a chance without a terrain": ruled([CHANCE, RULE[1]], { chances: 1 }),
      "a chance of 0": ruled(
        [step(TerrainCode.CHANCE, { c: 0, d: 2 }), RULE[1]],
        { chances: 1 },
        { terrains: [text("t")] },
      ),
      "a chance of 1": ruled(
        [step(TerrainCode.CHANCE, { c: 2, d: 2 }), RULE[1]],
        { chances: 1 },
        { terrains: [text("t")] },
      ),
      "the values of a field": ruled([STORE]),
      "steps that are cut": world({ rules: program([FILL]).slice(0, -1) }),
    },
  ],
  field: [
    WORLD,
    [
      world({
        layers: [layer({ firstVisits: 1 })],
        tables: [
          [1, 5],
          [3, 1, 2],
        ],
        fields: [
          field(
            [
              step(TerrainCode.LOAD_FIRST_VISITS),
              step(TerrainCode.DISTANCES),
              step(TerrainCode.POSITION, { value: 1, a: -1, b: -1 }),
              step(TerrainCode.SET),
              step(TerrainCode.ADD, { slot: 1, least: 1 }),
              step(TerrainCode.DIVIDE, { value: 2 ** 31 - 1 }),
              step(TerrainCode.LEAST),
              step(TerrainCode.LOOK_UP, { a: 1, value: 2 }),
              step(TerrainCode.NOISE, { b: 12, c: 8 }),
              STORE,
            ],
            { rows: 2, reaches: [0, 1] },
          ),
        ],
      }),
    ],
    {
      "no values": world({ fields: [field([NOISE])] }),
      "values in the middle": world({ fields: [field([STORE, NOISE, STORE])] }),
      "values of a row that does not exist": world({ fields: [field([step(TerrainCode.STORE, { least: 1 })])] }),
      "a rule": world({ fields: [field([...RULE, STORE])] }),
      "a fill": world({ fields: [field([FILL, STORE])] }),
      "a chance": world({ fields: [field([CHANCE, STORE], { chances: 1 })], terrains: [text("t")] }),
      "a row that does not exist": world({ fields: [field([step(TerrainCode.SET, { slot: 1 }), STORE])] }),
      "a sum with a row that does not exist": world({ fields: [field([step(TerrainCode.ADD, { least: 1 }), STORE])] }),
      "a quotient by 0": world({ fields: [field([step(TerrainCode.DIVIDE), STORE])] }),
      "a quotient by a negative number": world({ fields: [field([step(TerrainCode.DIVIDE, { value: MAX }), STORE])] }),
      "a table that does not exist": world({ fields: [field([step(TerrainCode.LOOK_UP), STORE])] }),
      "a value after the end of a table": world({
        tables: [[1, 5]],
        fields: [field([step(TerrainCode.LOOK_UP, { value: 1 }), STORE])],
      }),
      "a table without values": world({ tables: [[0]] }),
      "a table of too many values": world({ tables: [[2 ** 16 + 1, ...new Array(2 ** 15 + 1).fill(0)]] }),
      "noise of another field": world({ fields: [field([step(TerrainCode.NOISE, { a: 1, b: 4, c: 1 }), STORE])] }),
      "noise of a small scale": world({ fields: [field([step(TerrainCode.NOISE, { b: 4, c: 4 }), STORE])] }),
      "noise of a large scale": world({ fields: [field([step(TerrainCode.NOISE, { b: 13, c: 1 }), STORE])] }),
      "noise without octaves": world({ fields: [field([step(TerrainCode.NOISE, { b: 4 }), STORE])] }),
      "first visits of a layer without them": world({
        layers: [layer()],
        fields: [field([step(TerrainCode.LOAD_FIRST_VISITS), STORE])],
      }),
      "distances of a layer that is not there": world({ fields: [field([step(TerrainCode.DISTANCES), STORE])] }),
      "another position": world({ fields: [field([step(TerrainCode.POSITION, { value: 2 }), STORE])] }),
    },
  ],
  kind: [
    WORLD,
    [
      world({
        kinds: [
          kind({ part: 1, whole: 1, distance: 64 }, { sizes: [1, 1_000_000] }),
          kind(
            { near: 1, within: 256, apart: 1, apartBy: 256, alone: 1, facing: 1, part: 0, whole: 1 },
            { at: [-1, 2, 0, -1, 3, 0, 0, -9, 0], limit: program(RULE) },
          ),
          kind({ least: 257, leastWithin: 100, most: 65537, mostWithin: 100, leastCol: -5 }),
        ],
      }),
    ],
    {
      "a density above 1": world({ kinds: [kind({ part: 3 })] }),
      "a density without a whole": world({ kinds: [kind({ part: 0, whole: 0 })] }),
      "a distance above 64": world({ kinds: [kind({ distance: 65 })] }),
      "a kind that is near itself": world({ kinds: [kind({ near: 1 })] }),
      "a kind that is apart from itself": world({ kinds: [kind({ apart: 1 })] }),
      "a relation above 256": world({ kinds: [kind({ within: 257 })] }),
      "a distance of kinds above 256": world({ kinds: [kind({ apartBy: 257 })] }),
      "an unknown number": world({ kinds: [kind({ alone: 2 })] }),
      "an unknown facing": world({ kinds: [kind({ facing: 2 })] }),
      "an unknown limit": world({ kinds: [kind({}, { counts: [0, 0, 2], limit: program(RULE) })] }),
      "too many cells": world({ kinds: [kind({}, { at: Array.from({ length: 3 * 4097 }, (_, i) => i) })] }),
      "cells that are not sorted": world({ kinds: [kind({}, { at: [1, 2, 0, 1, 2, 0] })] }),
      "rows that are not sorted": world({ kinds: [kind({}, { at: [1, 2, 0, 0, 3, 0] })] }),
      "too many sizes": world({ kinds: [kind({}, { sizes: new Array(256).fill(1) })] }),
      "a size without a weight": world({ kinds: [kind({}, { sizes: [0] })] }),
      "a weight above 1,000,000": world({ kinds: [kind({}, { sizes: [1_000_001] })] }),
      "a disc that is too large": world({ kinds: [kind({ least: 2, leastWithin: 257 })] }),
      "a disc that wants too many": world({ kinds: [kind({ least: 258 })] }),
      "a disc that allows too many": world({ kinds: [kind({ most: 65538 })] }),
      "a reach above 1024": world({
        kinds: [kind({ least: 2, leastWithin: 256, most: 2, mostWithin: 253, distance: 4 }), kind({ near: 1 })],
      }),
      "a limit that stores values": world({ kinds: [kind({}, { limit: program([STORE]) })] }),
      "relations of too many candidates": world({
        kinds: [kind(), kind({ part: 1, whole: 1, near: 1, within: 256, distance: 0 })],
      }),
      "cells that are cut": world({ kinds: [kind({}, { counts: [1, 0, 0] })] }),
    },
  ],
};

describe.each(Object.entries(CASES))("%s", (_, [kind, valid, invalid]) => {
  const statusOf = (data: Words) => new Host(planOf(1, section(kind, data))).status;

  test("is accepted up to its limits", () => expect(valid.map(statusOf)).toEqual(valid.map(() => "OK")));

  test.each(Object.entries(invalid))("with %s is refused", (_, data) => expect(statusOf(data)).toBe("PLAN"));
});
