// Each check of a plan file: the plans that only this check refuses, beside the plan that just passes it.
import { describe, expect, test } from "vitest";
import { crc32 } from "../../src/formats/bytes.js";
import { Host } from "./host.js";

const MAX = 2 ** 32 - 1;
const JUMP = 2 ** 31;
const [LIST, TABLE, DICE, SAMPLER, POOLS] = [1, 2, 3, 4, 5];

type Words = readonly number[];

/** A text as a plan file has it: its bytes, then zeros up to a whole word, at least one. */
function textWords(text: string): Words {
  const bytes = new Uint8Array(Math.floor(text.length / 4) * 4 + 4);
  bytes.set(new TextEncoder().encode(text));
  return [...new Uint32Array(bytes.buffer)];
}

function section(kind: number, data: Words, name = "a"): Words {
  return [kind, name.length, 2, data.length, ...textWords(name), ...textWords("{}"), ...data];
}

function planOf(count: number, body: Words = []): Uint8Array {
  const words = Uint32Array.from([0x504d5289, 0x0a4e414c, 1, 2, count, ...body, 0]);
  const bytes = new Uint8Array(words.buffer);
  words[words.length - 1] = crc32(bytes.subarray(0, -4));
  return bytes;
}

const statusOf = (plan: Uint8Array) => new Host(plan).status;

const table = (
  { rows = 2, columns = 2, results = 1, start = 1, hops = 2 ** 16, amounts = 0 },
  counts: Words = [1, 1],
  weights: Words = [1, MAX],
  targets: Words = [0, JUMP + 1],
) => [rows, columns, results, start, hops, amounts, ...counts, ...weights, ...targets];

/** A finite root with the quantities 3 and 4, and one pool of it. */
const stock = (pool: Words, { flags = 3, records = 2 } = {}) => [1, 1, flags, records, 3, 4, ...pool];

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
    ["another kind", planOf(1, section(6, []))],
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
