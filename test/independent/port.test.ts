// port.mjs was written from docs/determinism.md alone. Where it and the project differ, one of the two, or the page, is wrong.
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { aliasPick, buildAlias, integerWeights, keyOf, purposeOf, rollTable, type TableEntry, word } from "./port.mjs";
import { SEEDS } from "./seeds.js";

const LAST_INDEX = 2 ** 42 - 1;
const LAST_PLANE = 2 ** 32 - 1;

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("words", () => {
  const ADDRESSES: [what: string, plane: number, from: number][] = [
    ["the first", 0, 0],
    ["over a block's end", 2, 1020],
    ["in the last plane", LAST_PLANE, 0],
    ["over index 2^32", 7, 2 ** 32 - 6],
    ["over index 2^32 in the last plane", LAST_PLANE, 2 ** 32 - 6],
    ["at index 2^40", 2 ** 31, 2 ** 40 - 6],
    ["the last, in the last plane", LAST_PLANE, LAST_INDEX - 11],
  ];

  test("the page's check: moria, loot, plane 2, from 1020", () => {
    const at = (index: number) => word(keyOf("moria"), purposeOf("loot"), 2, index);
    expect(range(8).map((i) => at(1020 + i))).toEqual([
      1054043242, 4074934755, 1744150099, 1161597881, 2488286463, 2149540512, 3125972649, 2334324346,
    ]);
  });

  describe.each(SEEDS)("seed: %s", (_, seed) => {
    test.each(["loot", "é世界", "\u{1f3b2} dice", "\ud800a", "land/rivers"])("name %j", (name) => {
      const stream = createMill({ seed }).stream(name);
      for (const [what, plane, from] of ADDRESSES) {
        const ours = range(12).map((i) => word(keyOf(seed), purposeOf(name), plane, from + i));
        expect([what, ...stream.words(12, { plane, from })]).toEqual([what, ...ours]);
      }
    });
  });

  test.each([1, 0, -1, 1.5, 12345678901234567890n])("the number %s as a seed is its decimal text", (seed) => {
    const stream = createMill({ seed }).stream("loot");
    expect(stream.word(9)).toBe(word(keyOf(String(seed)), purposeOf("loot"), 0, 9));
  });
});

describe("weighted lists", () => {
  const LISTS: [what: string, weights: number[]][] = [
    ["one entry", [5]],
    ["two entries", [1, 2]],
    ["three entries", [1, 2, 3]],
    ["four equal entries", [1, 1, 1, 1]],
    ["zeros and a decimal", [0, 0, 7, 0, 1.2]],
    ["a small decimal beside a large integer", [0.001, 1000000]],
    ["a weight written with an exponent", [1e-7, 1]],
    ["the greatest total", [2 ** 32 - 2, 1]],
    ["the greatest total in thirds", [1431655765, 1431655765, 1431655765]],
    ["100 entries", range(100).map((i) => (i * i) % 37)],
  ];

  describe.each(SEEDS)("seed: %s", (_, seed) => {
    test.each(LISTS)("%s", (_what, weights) => {
      const list = createMill({ seed }).weighted("loot", weights);
      const table = buildAlias(weights);
      const pick = (index: number) => aliasPick(keyOf(seed), purposeOf("loot"), 0, index, table);
      expect([...list.pickMany(1100)]).toEqual(range(1100).map(pick));
      expect([...list.pickMany(9, { from: LAST_INDEX - 8 })]).toEqual(range(9).map((i) => pick(LAST_INDEX - 8 + i)));
    });
  });

  test("2^20 entries, where some picks need an extra word", () => {
    const weights = Uint32Array.from({ length: 2 ** 20 }, (_, i) => (i * 7919) % 4001);
    const list = createMill({ seed: "moria" }).weighted("loot", [...weights]);
    const table = buildAlias(weights);
    const key = keyOf("moria");
    const purpose = purposeOf("loot");
    const isUnsettled = (index: number) => {
      const w = word(key, purpose, 0, index);
      const threshold = table.threshold[Math.floor(w / 2 ** 12)] ?? 0n;
      return BigInt(w % 2 ** 12) === (threshold * 2n ** 12n) / table.total;
    };
    for (const from of [0, 2 ** 32 - 20_000, LAST_INDEX - 39_999]) {
      const indices = range(40_000).map((i) => from + i);
      const ours = indices.map((index) => aliasPick(key, purpose, 0, index, table));
      expect([...list.pickMany(40_000, { from })]).toEqual(ours);
      expect(indices.filter(isUnsettled).length).toBeGreaterThan(4);
    }
  });
});

describe("tables", () => {
  const BARROW: TableEntry[][] = [
    [
      { weight: 10, result: "r0" },
      { weight: 25, result: "r1" },
      { weight: 100, result: "r2" },
      { weight: 25, jump: 1 },
      { weight: 2, jump: 2 },
    ],
    [
      { weight: 100, result: "r4" },
      { weight: 100, result: "r5" },
      { weight: 25, result: "r6" },
    ],
    [
      { weight: 100, result: "r10" },
      { weight: 10, jump: 0 },
    ],
  ];
  // Totals near 2^31 + 1: half of the picks read extra words, though these seldom change the entry.
  const GREEDY: TableEntry[][] = [
    [
      { weight: 2 ** 30, result: "a" },
      { weight: 2 ** 30, jump: 1 },
      { weight: 1, result: "never" },
    ],
    [
      { weight: 2 ** 31 - 1, result: "b" },
      { weight: 2 ** 31, jump: 2 },
    ],
    [{ weight: 7, jump: 3 }],
    [
      { weight: 1431655766, jump: 0 },
      { weight: 1431655766, result: "c" },
      { weight: 0, result: "zero" },
      { weight: 5, jump: 4 },
    ],
    [{ weight: 0, result: "dead" }],
  ];
  const DYING: TableEntry[][] = [
    [
      { weight: 1, result: "a" },
      { weight: 2, jump: 1 },
    ],
    [{ weight: 0, result: "dead" }],
    [
      { weight: 3, jump: 0 },
      { weight: 4, result: "d" },
    ],
  ];

  const CASES: [what: string, rows: TableEntry[][], start: number][] = [
    ["two rows and jumps", BARROW, 0],
    ["the same from row 2", BARROW, 2],
    ["totals that read extra words", GREEDY, 0],
    ["the same from row 3", GREEDY, 3],
    ["a dead row", DYING, 0],
    ["a dead row after a jump back", DYING, 2],
  ];

  describe.each(SEEDS)("seed: %s", (_, seed) => {
    test.each(CASES)("%s", (_what, rows, start) => {
      const table = createMill({ seed }).table("loot", { rows: rows.map((columns) => ({ columns })) });
      for (const from of [0, 2 ** 32 - 150, LAST_INDEX - 299]) {
        const theirs = range(300).map((i) => table.roll({ start, at: from + i }));
        const ours = range(300).map((i) => rollTable(keyOf(seed), purposeOf("loot"), from + i, rows, start));
        expect(theirs).toEqual(ours);
      }
    });
  });

  test("a script's weight counts as itself", () => {
    const columns = [
      { weight: { script: 1 }, result: "a" },
      { weight: 25, result: "b" },
    ];
    const table = createMill({ seed: "moria" }).table("loot", { rows: [{ columns }] }, { script: () => 100 });
    const rows = [
      [
        { weight: 100, result: "a" },
        { weight: 25, result: "b" },
      ],
    ];
    const ours = range(500).map((i) => rollTable(keyOf("moria"), purposeOf("loot"), i, rows, 0));
    expect(range(500).map(() => table.roll())).toEqual(ours);
  });
});

test("number weights become integers by the least power of ten", () => {
  expect(integerWeights([1.2, 3, 0])).toEqual([12n, 30n, 0n]);
  expect(integerWeights([1e-7, 1])).toEqual([1n, 10_000_000n]);
  expect(integerWeights([20, 10])).toEqual([20n, 10n]);
});
