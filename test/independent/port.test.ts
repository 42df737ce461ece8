// port.mjs was written from docs/determinism.md alone. Where it and the project differ, one of the two, or the page, is wrong.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import {
  aliasPick,
  buildAlias,
  extra,
  integerWeights,
  keyOf,
  mapBytes,
  purposeOf,
  rollTable,
  type TableEntry,
  type VisitedCell,
  walkEnds,
  word,
} from "./port.mjs";

const LAST_INDEX = 2 ** 42 - 1;
const LAST_PLANE = 2 ** 32 - 1;

const SEEDS: [what: string, seed: string][] = [
  ["a word", "moria"],
  ["the empty text", ""],
  ["a digit", "1"],
  ["text beyond ASCII", "é世界"],
  ["a surrogate pair", "\u{1f30b}"],
  ["a lone surrogate", "\ud800"],
  ["300 equal characters", "x".repeat(300)],
  ["330 different characters", "0123456789é".repeat(30)],
];

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const digestOf = (cells: VisitedCell[]): string => createHash("sha256").update(mapBytes(cells)).digest("hex");

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
        const theirs = range(300).map((i) => table.roll({ start, from: from + i }));
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

describe("walks", () => {
  const DIRECTIONS = ["NW", "NE", "E", "SE", "SW", "W"] as const;
  const TURNS = ["12:00", "2:00", "4:00", "6:00", "8:00", "10:00"] as const;
  const named = <Name extends string>(names: readonly Name[], weights: number[]) =>
    Object.fromEntries(names.map((name, i) => [name, weights[i]])) as Record<Name, number>;

  interface Tensor {
    absolute: number[];
    relative: number[];
  }
  const tensorOf = ({ absolute, relative }: Tensor) => ({
    absolute: named(DIRECTIONS, absolute),
    relative: named(TURNS, relative),
  });

  const ONWARD: Tensor = { absolute: [1, 2, 3, 1, 1, 0.5], relative: [2, 1, 0, 0, 0, 1.5] };
  const EVEN: Tensor = { absolute: [1, 1, 1, 1, 1, 1], relative: [1, 1, 1, 1, 1, 1] };
  const DEAD_END: Tensor = { absolute: [0, 2, 1, 0, 0, 0], relative: [0, 0, 0, 1, 0, 0] };
  // Totals that need extra words at nearly every step, and at every other with many refused.
  const FULL: Tensor = {
    absolute: [715827883, 715827883, 715827883, 715827883, 715827883, 715827880],
    relative: EVEN.relative,
  };
  const REFUSED: Tensor = {
    absolute: [400000000, 400000000, 400000000, 400000000, 400000000, 147483649],
    relative: EVEN.relative,
  };
  const ONE_WAY: Tensor = { absolute: [0, 0, 1, 0, 0, 0], relative: [1, 0, 0, 1, 0, 0] };

  const needsFifthExtra = (seed: string, walker: number): boolean => {
    const m = 2n ** 31n + 1n;
    const low = (x: number) => (BigInt(x) * m) % 2n ** 32n;
    const key = keyOf(seed);
    const start = purposeOf("land/start");
    const settled = low(word(key, start, 0, walker)) + m - 1n < 2n ** 32n;
    return !settled && range(4).every((i) => low(extra(key, start, 0, walker, i)) < 2n ** 32n % m);
  };

  describe.each(SEEDS)("seed: %s", (_, seed) => {
    test("20 walkers, 3000 steps: ends, headings and map", () => {
      const walk = createMill({ seed }).walk("land", { tensor: tensorOf(ONWARD), walkers: 20, steps: 3000 });
      const ours = walkEnds(keyOf(seed), "land", { ...ONWARD, walkers: 20, steps: 3000 });

      const run = walk.start();
      run.advance(3000);
      const theirs = range(20).map((w) => run.position(w));
      run.dispose();
      expect(theirs).toEqual(ours.ends.map((end) => ({ ...end, heading: DIRECTIONS[Number(end.heading)] })));
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test.each([
      ["a tensor that turns round only, so that headings give out", DEAD_END],
      ["weights of the greatest total", FULL],
      ["a total that refuses extra words", REFUSED],
    ])("unbounded, %s", (_what, tensor) => {
      const walk = createMill({ seed }).walk("land", { tensor: tensorOf(tensor), walkers: 9, steps: 200 });
      const ours = walkEnds(keyOf(seed), "land", { ...tensor, walkers: 9, steps: 200 });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test.each([
      ["onward", ONWARD],
      ["greatest total", FULL],
      ["refused extra words", REFUSED],
      ["one way, then rest", ONE_WAY],
    ])("inside 5 × 4 cells: %s", (_what, tensor) => {
      const size = { walkers: 9, steps: 200 };
      const grid = { kind: "bounded", rows: 5, cols: 4 } as const;
      const walk = createMill({ seed }).walk("land", { grid, tensor: tensorOf(tensor), start: [[2, 1]], ...size });
      const closed = (row: number, col: number) => row < 0 || col < 0 || row >= 5 || col >= 4;
      const ours = walkEnds(keyOf(seed), "land", { ...tensor, ...size, start: [[2, 1]], closed });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test("between closed cells", () => {
      const cells: [number, number][] = [
        [0, 1],
        [1, 0],
        [-1, 1],
        [1, -1],
        [-1, 0],
        [0, -2],
      ];
      const size = { walkers: 9, steps: 200 };
      const walk = createMill({ seed }).walk("land", { tensor: tensorOf(ONWARD), closed: { cells }, ...size });
      const closed = (row: number, col: number) => cells.some((cell) => cell[0] === row && cell[1] === col);
      const ours = walkEnds(keyOf(seed), "land", { ...ONWARD, ...size, closed });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test("from a list of cells, shorter than the walkers, with a first heading", () => {
      const start: [number, number][] = [
        [3, -4],
        [0, 0],
        [-2, 9],
      ];
      const size = { walkers: 8, steps: 100, start };
      const walk = createMill({ seed }).walk("land", { tensor: tensorOf(ONWARD), heading: "SW", ...size });
      const ours = walkEnds(keyOf(seed), "land", { ...ONWARD, ...size, heading: 4 });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test("from a rectangle, both corners in it", () => {
      const size = { walkers: 40, steps: 20 };
      const walk = createMill({ seed }).walk("land", {
        tensor: tensorOf(ONWARD),
        start: { rect: [-3, 5, 6, 15] },
        ...size,
      });
      const start = { row: -3, col: 5, rows: 10, cols: 11 };
      const ours = walkEnds(keyOf(seed), "land", { ...ONWARD, ...size, start });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test("from a rectangle whose sides are 2^31 + 1: each extra word shows", () => {
      const end = 2 ** 30;
      const walk = createMill({ seed }).walk("land", {
        tensor: tensorOf(EVEN),
        start: { rect: [-end, -end, end, end] },
        walkers: 200,
        steps: 0,
      });
      const start = { row: -end, col: -end, rows: 2 * end + 1, cols: 2 * end + 1 };
      const ours = walkEnds(keyOf(seed), "land", { ...EVEN, walkers: 200, steps: 0, start });
      const run = walk.start();
      const theirs = range(200).map((w) => run.position(w));
      run.dispose();
      expect(theirs).toEqual(ours.ends.map((cell) => ({ ...cell, heading: "resting" })));
      expect(range(200).filter((w) => needsFifthExtra(seed, w)).length).toBeGreaterThan(0);
    });

    test("roads that start on the cells of rivers", () => {
      const walk = createMill({ seed }).walk("land", {
        layers: [
          { name: "rivers", tensor: tensorOf(ONWARD), walkers: 3, steps: 100 },
          { name: "roads", tensor: tensorOf(EVEN), walkers: 30, steps: 50, start: { layer: "rivers" } },
        ],
      });
      const rivers = walkEnds(keyOf(seed), "land/rivers", { ...ONWARD, walkers: 3, steps: 100 }).cells;
      const roads = walkEnds(keyOf(seed), "land/roads", {
        ...EVEN,
        walkers: 30,
        steps: 50,
        start: { visited: rivers },
      }).cells;
      const map = walk.run();
      expect(map.layers.map((layer) => layer.map.digest())).toEqual([digestOf(rivers), digestOf(roads)]);
    });
  });
});

test("number weights become integers by the least power of ten", () => {
  expect(integerWeights([1.2, 3, 0])).toEqual([12n, 30n, 0n]);
  expect(integerWeights([1e-7, 1])).toEqual([1n, 10_000_000n]);
  expect(integerWeights([20, 10])).toEqual([20n, 10n]);
});
