// Each check of a plan file: the plans that only this check refuses, beside the plan that just passes it.
import { describe, expect, test } from "vitest";
import { crc32 } from "../../src/formats/bytes.js";
import { OpCode } from "../../src/kernel/layout.js";
import { planOf, section, type Words } from "./files.js";
import { Host } from "./host.js";

const MAX = 2 ** 32 - 1;
const JUMP = 2 ** 31;
const [LIST, TABLE, DICE, SAMPLER, POOLS, DROPS, RECIPE] = [1, 2, 3, 4, 5, 6, 7];

const statusOf = (plan: Uint8Array) => new Host(plan).status;

const table = (
  { rows = 2, columns = 2, results = 1, start = 1, hops = 2 ** 16, amounts = 0 },
  counts: Words = [1, 1],
  weights: Words = [1, MAX],
  targets: Words = [0, JUMP + 1],
) => [rows, columns, results, start, hops, amounts, ...counts, ...weights, ...targets];

/** A finite root with the quantities 3 and 4, and one pool of it. */
const stock = (pool: Words, { flags = 3, records = 2 } = {}) => [1, 1, flags, records, 3, 4, ...pool];

const NONE = 0xffff;
/** The ops of a recipe with four columns. */
const OPS = {
  split: [OpCode.SELECT_MASKED, 1, 2, 3, 0, 101],
  list: [OpCode.LIST_MASKED, 2, 2],
  pick: [OpCode.PICK, 0, 0, 1, 2, 1, 2],
  clear: [OpCode.CLEAR, 1],
  other: [OpCode.PICK_OTHER, 2, 1, 2, 2, 1, MAX >>> 16, 0, 3, NONE, 0, 1],
  merge: [OpCode.MERGE, 2, 0, 1, MAX >>> 16],
  sum: [OpCode.SUM],
  worn: [OpCode.CONDITION, 3, 3, 3, 3, 1, 1, 1, 2, 0, 0, 0, 1, 1, 2, 2, 5, 6],
};
const ROW = new Array(8).fill(0);
const recipe = (
  ops: Partial<Readonly<Record<keyof typeof OPS, Words>>> = {},
  { columns = 4, shown = 2, lists = 4, groups = 1, stats = 1, clamps = 1, count = 8 } = {},
  rest: Words = [2, 1, 2, 1, ...ROW, 0, 0, 1, 0, 15, 1, -5, 5],
) => [columns, shown, lists, groups, stats, clamps, count, ...Object.values({ ...OPS, ...ops }).flat(), ...rest];
const weighted = (n: number, weights: Words, values = [1, 2]) => [
  OpCode.PICK_WEIGHTED,
  0,
  0,
  1,
  n,
  ...values,
  ...weights,
];
const swinging = (rolls: number, n = 1) => [OpCode.PICK_SWINGING, 0, 0, 1, 2, 2, 50, 1, 3, rolls, n, 2];

const CASES: Readonly<Record<string, readonly [kind: number, valid: Words, invalid: Readonly<Record<string, Words>>]>> =
  {
    list: [
      LIST,
      [2, 2, 1, MAX - 1, 0, 1024, 1, 2 ** 31 - 2, 1, 2],
      {
        "no entries": [0, 0],
        "fewer weights than entries": [3, 0, 1, 1],
        "a total of 0": [1, 0, 0],
        "a total of 2^32": [2, 0, 1, MAX],
        "fewer amounts than entries": [2, 1, 1, 1, 0, 1, 6],
        "an amount without sides": [1, 1, 5, 0, 1, 0],
        "an amount of too many dice": [1, 1, 5, 0, 1025, 1],
        "an amount that overflows": [1, 1, 5, 2 ** 31 - 2, 1, 3],
        "words that are left over": [1, 0, 5, 0],
        "a head that is cut": [1],
      },
    ],
    table: [
      TABLE,
      table({}),
      {
        "no rows": table({ rows: 0, columns: 0 }, [], [], []),
        "a start that is no row": table({ start: 2 }),
        "as many results as jumps": table({ results: JUMP - 1 }),
        "a limit of no hops": table({ hops: 0 }),
        "a limit of too many hops": table({ hops: 2 ** 16 + 1 }),
        "rows with fewer columns": table({}, [1, 0]),
        "rows whose columns overflow": table({}, [MAX, 3]),
        "a target that is no result": table({}, [1, 1], [1, 1], [1, 0]),
        "a target that is no row": table({}, [1, 1], [1, 1], [0, JUMP + 2]),
        "a row with a total of 2^32": table({}, [2, 0], [1, MAX]),
        "fewer amounts than codes": [...table({ amounts: 1 }), 0, 1, 6],
        "columns that are cut": table({}).slice(0, -1),
      },
    ],
    dice: [DICE, [1, 2, 6], { "no sides": [1, 2, 0], "a die that is cut": [1, 2] }],
    sampler: [
      SAMPLER,
      [5, 5],
      { "an empty sample": [5, 0], "a sample of more than all": [5, 6], "too many items": [10_000_001, 1], cut: [5] },
    ],
    pools: [
      POOLS,
      stock([0, 2, 1, 0, 2 ** 30 - 1, 1]),
      {
        "unknown flags": stock([0, 1, 0, 1], { flags: 4 }),
        "a root that does not exist": stock([1, 1, 0, 1]),
        "a record that does not exist": stock([0, 1, 2, 1]),
        "a record that is listed twice": stock([0, 2, 1, 1, 1, 1]),
        "a mass whose weight is 2^32": stock([0, 1, 1, 2 ** 30]),
        "a total of 2^32": stock([0, 2, 1, 0, 2 ** 30 - 1, 2]),
        "more records than quantities": stock([0, 1, 0, 1], { records: 2 ** 20 }),
        "more records than a finite root may have": [1, 0, 1, 2 ** 20 + 1, ...new Array(2 ** 20 + 1).fill(0)],
        "more records than an infinite root may have": [1, 0, 0, 2 ** 24 + 1],
        "masses of an infinite pool that overflow": [1, 1, 0, 2, 0, 2, 0, 1, MAX, 1],
        "a list that is cut": stock([0, 2, 1, 0, 1]),
        "too many pools": [0, 2 ** 16 + 1],
        "too many roots": [2 ** 16 + 1, 0],
      },
    ],
    drops: [
      DROPS,
      [1, 0, 1000, 2, 5, 1, 6, ...table({})],
      {
        "no results": [0, 0, 0, 1, ...table({})],
        "a negative number of rolls": [1, -1, 3, 6, 5, 1, 6, ...table({})],
        "too many rolls": [1, 1, 1000, 2, 5, 1, 6, ...table({})],
        "too many fixed results": [1001, 1, 0, 1, ...new Array(1001).fill([1, 0, 1]).flat(), ...table({})],
        "a quantity without sides": [1, 0, 1, 6, 5, 1, 0, ...table({})],
        "a table that is not valid": [1, 0, 1, 6, 5, 1, 6, ...table({ start: 2 })],
        "a head that is cut": [1, 0, 1],
      },
    ],
    recipe: [
      RECIPE,
      recipe(),
      {
        "no columns": recipe({}, { columns: 0, shown: 0 }),
        "too many columns": recipe({}, { columns: 2 ** 10 + 1 }),
        "more columns shown than it has": recipe({}, { shown: 5 }),
        "too few lists": recipe({}, { lists: 1 }),
        "too many lists": recipe({}, { lists: 2 ** 8 + 1 }),
        "nothing to show": recipe({}, { shown: 0, stats: 0 }, [2, 1, 2, 1, ...ROW, 0, 15, 1, -5, 5]),
        "too many groups": recipe({}, { groups: 2 ** 6 + 1 }),
        "too many stats": recipe({}, { stats: 2 ** 10 + 1 }),
        "too many clamps": recipe({}, { clamps: 2 ** 12 + 1 }),
        "too many ops": recipe({}, { count: 2 ** 12 + 1 }),
        "an unknown op": recipe({ clear: [17, 1] }),
        "an end among its ops": recipe({ clear: [OpCode.END, 1] }),
        "a list that is not written": recipe({ list: [OpCode.CLEAR, 1] }),
        "a mask that is a list": recipe({ pick: [OpCode.PICK_MASKED, 2, 0, 1, 2, 1, 2] }),
        "a list outside its lists": recipe({ list: [OpCode.LIST_MASKED, 4, 2] }),
        "an op that writes the list of all": recipe({ list: [OpCode.LIST_MASKED, 2, 0] }),
        "an op that writes outside its lists": recipe({ list: [OpCode.LIST_MASKED, 2, 4] }),
        "a split into one list": recipe({ split: [OpCode.SELECT_MASKED, 1, 2, 2, 0, 50] }),
        "a split into its source": recipe({ clear: [OpCode.SELECT_MASKED, 3, 2, 3, 0, 50] }),
        "a roll of more than 101 values": recipe({ split: [OpCode.SELECT_MASKED, 1, 2, 3, 0, 102] }),
        "a column that does not exist": recipe({ clear: [OpCode.CLEAR, 4] }),
        "a pick from nothing": recipe({ pick: [OpCode.PICK, 0, 0, 1, 0] }),
        "a value of 2^16": recipe({ pick: [OpCode.PICK, 0, 0, 1, 2, 1, 2 ** 16] }),
        "a byte of 2^8": recipe({ pick: [OpCode.PICK_MASKED, 1, 0, 1, 1, 2 ** 8] }),
        "65 bytes": recipe({ pick: [OpCode.PICK_MASKED, 1, 0, 1, 65, ...new Array(65).fill(1)] }),
        "a place behind the candidates": recipe({ other: [...OPS.other.slice(0, -1), 2] }),
        "another value of one": recipe({ other: [OpCode.PICK_OTHER, 2, 1, 2, 1, 1, 0, 2, NONE, 0] }),
        "more places than words": recipe({ other: [...OPS.other.slice(0, 8), MAX, NONE, 0, 1] }),
        "a set without candidates": recipe({ pick: weighted(0, [], []) }),
        "weights of 0": recipe({ pick: weighted(2, [0, 0]) }),
        "a total of 2^32": recipe({ pick: weighted(2, [1, MAX]) }),
        "2^16 weights": recipe({ pick: weighted(2 ** 16, new Array(2 ** 16).fill(1), new Array(2 ** 16).fill(1)) }),
        "another value with all the weight": recipe({
          other: [OpCode.PICK_OTHER_WEIGHTED, 2, 1, 2, 2, 1, 2, 7, 0, 0, 2, NONE, 0],
        }),
        "a swing of 100 rolls": recipe({ pick: swinging(50) }),
        "a swing of 102 rolls": recipe({ pick: swinging(52) }),
        "an empty swing": recipe({ pick: swinging(51, 0) }),
        "a set value of 2^16": recipe({ clear: [OpCode.SET, 0, 1, 2 ** 16] }),
        "a factor of 2^16": recipe({ merge: [OpCode.MERGE, 2, 0, 1, 2 ** 16] }),
        "a column that is written after its merge": recipe({ merge: [OpCode.MERGE, 0, 0, 1, 3] }),
        "two sums": recipe({ clear: [OpCode.SUM] }),
        "a divisor of 0": recipe({ worn: OPS.worn.with(8, 0) }),
        "a stat of no group": recipe({ worn: OPS.worn.with(10, 1) }),
        "a stat of no lane": recipe({ worn: OPS.worn.with(11, 16) }),
        "a wide stat of no lane": recipe({ worn: OPS.worn.with(11, 8).with(12, 0) }),
        "a width of a stat": recipe({ worn: OPS.worn.with(12, 2) }),
        "later columns that are too many": recipe({ worn: OPS.worn.with(13, 2 ** 12) }),
        "a later column that does not exist": recipe({ worn: OPS.worn.with(14, 4) }),
        "an outcome that is merged": recipe({ worn: OPS.worn.with(4, 0) }),
        "a group of three bytes": recipe({}, {}, [3, 1, 2, 1, ...ROW, 0, 0, 1, 0, 15, 1, -5, 5]),
        "too many adders": recipe({}, {}, [2, 2 ** 12, 2, 1, ...ROW, 0, 0, 1, 0, 15, 1, -5, 5]),
        "an adder of no column": recipe({}, {}, [2, 1, 4, 1, ...ROW, 0, 0, 1, 0, 15, 1, -5, 5]),
        "a stat in no lane": recipe({}, {}, [2, 1, 2, 1, ...ROW, 0, 16, 1, 0, 15, 1, -5, 5]),
        "a clamp that is cut": recipe().slice(0, -1),
        "a word too many": [...recipe(), 0],
      },
    ],
  };

describe.each(Object.entries(CASES))("%s", (_, [kind, valid, invalid]) => {
  test("is accepted up to its limits", () => expect(statusOf(planOf(1, section(kind, valid)))).toBe("OK"));

  test.each(Object.entries(invalid))("with %s is refused", (_, data) => {
    expect(statusOf(planOf(1, section(kind, data)))).toBe("PLAN");
  });
});

describe("a file", () => {
  const one = section(DICE, [1, 2, 6]);

  test("is accepted without nouns, and with names of 256 bytes", () => {
    expect(statusOf(planOf(0))).toBe("OK");
    expect(statusOf(planOf(2, [...one, ...section(DICE, [1, 2, 6], "b".repeat(256))]))).toBe("OK");
  });

  test.each([
    ["names that are equal", planOf(2, [...one, ...one])],
    ["an empty name", planOf(1, section(DICE, [1, 2, 6], ""))],
    ["a name of 257 bytes", planOf(1, section(DICE, [1, 2, 6], "b".repeat(257)))],
    ["a name without a zero behind it", planOf(1, [3, 1, 2, 3, 0x6161, ...one.slice(5)])],
    ["a name that is longer than the file", planOf(1, [3, 2 ** 30, 2, 3, ...one.slice(4)])],
    ["labels that are longer than the file", planOf(1, [3, 1, MAX, 3, ...one.slice(4)])],
    ["data that are longer than the file", planOf(1, [3, 1, 2, MAX, ...one.slice(4)])],
    ["another kind", planOf(1, section(99, []))],
    ["a noun that is missing", planOf(2, one)],
    ["a word behind the last noun", planOf(1, [...one, 0])],
    ["too many nouns", planOf(4097)],
    ["a length that is no multiple of 4", planOf(1, one).subarray(0, -1)],
  ])("with %s is refused", (_, plan) => expect(statusOf(plan)).toBe("PLAN"));
});

test("a state with more copies than a record has is refused, and changes nothing", () => {
  const host = new Host(planOf(1, section(POOLS, stock([0, 2, 0, 1, 1, 1]))));
  const { exports } = host;
  const bytes = exports.stateBytes();
  const state = exports.allocate(bytes);
  exports.saveState(state);
  const words = host.words(state, bytes / 4);
  const load = (at: number, value: number) => {
    words[at] = value;
    const end = words.length - 1;
    words[end] = crc32(new Uint8Array(words.buffer, words.byteOffset, 4 * end));
    return exports.loadState(state, bytes);
  };
  // the magic, the checksum of the plan, the index of the next draw in two words, and the quantities 3 and 4
  expect(load(4, 4)).toBe(9);
  expect(load(4, 0)).toBe(0);
  expect(load(5, 5)).toBe(9);
  expect(load(5, 1)).toBe(0);
  expect(load(3, 2 ** 10 + 1)).toBe(9);
  expect(exports.drawMany(0, 0, 0n, 1)).toBe(0);
  expect([...host.words(exports.windowAddress(), 1)]).toEqual([1]);
});
