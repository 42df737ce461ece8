import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Column, Numbering, RecordSet } from "../../src/pools/registry/columns.js";
import { openPools } from "./build.js";

/** Ids that share low bits, high bits or texts, from a few of each so that they meet. */
const ids = fc.oneof(
  fc.integer({ min: -20, max: 20 }),
  fc.nat(20).map((i) => i * 2 ** 20),
  fc.nat(20).map((i) => i * 2 ** 32 - 2 ** 40),
  fc.constantFrom(Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 2 ** 31, -(2 ** 31)),
  fc.nat(20).map(String),
);

describe("a numbering", () => {
  test("is a list and a Map of its places, whatever is added, looked up and taken back", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.array(ids), fc.nat(60)), { maxLength: 8 }), (rounds) => {
        const numbering = new Numbering<string | number>();
        let keys: (string | number)[] = [];
        for (const [added, left] of rounds) {
          for (const id of added) {
            expect(numbering.add(id)).toBe(!keys.includes(id));
            if (!keys.includes(id)) keys.push(id);
          }
          numbering.truncate(left);
          keys = keys.slice(0, left);
          expect(numbering.keys).toEqual(keys);
          const places = new Map(keys.map((id, place) => [id, place]));
          for (const id of rounds.flatMap(([all]) => all)) expect(numbering.get(id)).toBe(places.get(id));
        }
      }),
      { seed: 21, numRuns: 300 },
    );
  });

  test.each<[string, (i: number) => number]>([
    ["that follow one another", (i) => i + 1],
    ["far apart", (i) => i * 2 ** 20],
    ["farther apart", (i) => i * 2 ** 33],
    ["in two ranges with the same low bits", (i) => (i % 2) * 2 ** 31 + (i >> 1)],
    ["below 0", (i) => -i],
  ])("takes 100,000 ids %s", (_, idOf) => {
    const numbering = new Numbering<number>();
    for (let i = 0; i < 100_000; i++) numbering.add(idOf(i));
    expect(numbering.keys.length).toBe(100_000);
    for (let i = 0; i < 100_000; i += 997) expect(numbering.get(idOf(i))).toBe(i);
    expect([numbering.get(0.5), numbering.get(Number.NaN), numbering.get("1"), numbering.has(2 ** 52)]).toEqual([
      undefined,
      undefined,
      undefined,
      false,
    ]);
  });
});

test("a set of records has what was added since it was cleared", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(30), fc.oneof(fc.nat(70), fc.nat(2 ** 24))), { maxLength: 200 }), (steps) => {
      const [set, known] = [new RecordSet(), new Set<number>()];
      for (const [clears, record] of steps) {
        if (clears === 0) {
          set.clear();
          known.clear();
        }
        expect(set.has(record)).toBe(known.has(record));
        expect(set.add(record)).toBe(!known.has(record));
        known.add(record);
      }
      for (const [, record] of steps) expect(set.has(record)).toBe(known.has(record));
    }),
    { seed: 22 },
  );
});

test("a column grows, and forgets what is behind a length", () => {
  const column = new Column(Uint32Array);
  for (let i = 0; i < 100; i++) column.push(i);
  column.truncate(10);
  column.reserve(1000);
  column.push(7);
  expect([...column.values]).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 7]);
});

test("a record that its root and one subpool list takes at most 64 bytes of the kernel", () => {
  const records = Array.from({ length: 20_000 }, (_, id) => ({ id, mass: 1 + (id % 5), quantity: 3 }));
  const subpools = Array.from({ length: 10 }, (_, i) => ({
    records: records.flatMap(({ id }) => (id % 10 === i ? [id] : [])),
  }));
  const empty = openPools({ roots: {} }).bytes;
  const { bytes } = openPools({ roots: { r: { kind: "finite", records, subpools } } });
  expect((bytes - empty) / records.length).toBeLessThanOrEqual(64);
  // what each must have: quantity, initial quantity, and a mass and a weight in two pools
  expect((bytes - empty) / records.length).toBeGreaterThan(24);
});
