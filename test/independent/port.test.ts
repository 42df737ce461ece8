// port.mjs was written from docs/determinism.md alone. Where it and the project differ, one of the two, or the page, is
// wrong.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import {
  aliasPick,
  buildAlias,
  drawSample,
  extra,
  type Id,
  type Index,
  integerWeights,
  type Key,
  makeDrop,
  rollDice,
  rollQuantity,
  rollTable,
  startsKey,
  streamKey,
  type TableEntry,
  word,
} from "./port.mjs";
import { SEEDS } from "./seeds.js";

const LAST_INDEX = 2 ** 42 - 1;
const LAST_PLANE = 2n ** 64n - 1n;

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

describe("words", () => {
  const ADDRESSES: [what: string, plane: Index, from: number][] = [
    ["the first", 0, 0],
    ["over a block's end", 2, 1020],
    ["in plane 2^32 - 1", 2 ** 32 - 1, 0],
    ["in plane 2^32", 2 ** 32, 0],
    ["in a plane beyond 2^53", 2n ** 53n + 1n, 5],
    ["in the last plane", LAST_PLANE, 0],
    ["over index 2^32", 7, 2 ** 32 - 6],
    ["over index 2^32 in the last plane", LAST_PLANE, 2 ** 32 - 6],
    ["at index 2^40", 2 ** 31, 2 ** 40 - 6],
    ["the last, in the last plane", LAST_PLANE, LAST_INDEX - 11],
  ];

  const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");
  const [, sectionThree] = /^## 3\.(.*?)^## 4\./ms.exec(page) ?? ["", ""];
  const keys: Record<string, Key> = {
    "`moria` | `loot` |": streamKey("moria", "loot"),
    '`moria` | `loot` | `"player/7"`': streamKey("moria", "loot", ["player/7"]),
    "`moria` | `loot` | (−1, 2), then −5": streamKey("moria", "loot", [[-1, 2], -5]),
    "`moria` | `loot` | 2⁵³ − 1": streamKey("moria", "loot", [2 ** 53 - 1]),
    '`moria`, forked by `"save 1"` | `loot` |': streamKey("moria", "loot", [], ["save 1"]),
    "`the mines of moria` | `caverns/of/the/deep` |": streamKey("the mines of moria", "caverns/of/the/deep"),
    "`☃` | `a` |": streamKey("☃", "a"),
    "`1` | `a` |": streamKey("1", "a"),
    "`11` | `a` |": streamKey("11", "a"),
    "the empty text | `a` |": streamKey("", "a"),
  };
  const numbers: Record<string, number> = { "2³² + 2": 2 ** 32 + 2, "2³³ + 7": 2 ** 33 + 7, "2⁴² − 2": LAST_INDEX - 1 };
  const ROW = /^\| (.+? \| `.+?` \|.*?) \| ([^|]+) \| ([^|]+) \| ([\d, ]+) \|$/gm;
  const rows = [...sectionThree.matchAll(ROW)].map(([, stream, ...rest]) => [stream.trim(), ...rest]);
  const numberOf = (text: string) => numbers[text] ?? Number(text);

  test("the page's check has a row for each kind of key", () => {
    expect(new Set(rows.map(([stream]) => stream))).toEqual(new Set(Object.keys(keys)));
    expect(rows).toHaveLength(11);
  });

  test.each(rows)("the page's check: %s, plane %s, index %s", (stream, plane, index, words) => {
    const expected = words.split(", ").map(Number);
    const ours = expected.map((_, i) => word(keys[stream], numberOf(plane), numberOf(index) + i));
    expect(ours).toEqual(expected);
  });

  test("the page's check: extra words and starts", () => {
    const extras = range(6).map((i) => extra(streamKey("moria", "loot"), 2, 2 ** 32 + 9, i));
    const starts = range(2).map((plane) => word(startsKey(streamKey("moria", "land/rivers")), plane, 3));
    const text = sectionThree.replaceAll("\n", " ");
    expect(text).toContain(`index 2³² + 9, are ${extras.join(", ")}.`);
    expect(text).toContain(`index 3, are ${starts[0]} on plane 0 and ${starts[1]} on plane 1.`);
  });

  describe.each(SEEDS)("seed: %s", (_, seed) => {
    test.each(["loot", "é世界", "\u{1f3b2} dice", "\ud800a", "land/rivers"])("name %j", (name) => {
      const stream = createMill({ seed }).stream(name);
      for (const [what, plane, from] of ADDRESSES) {
        const ours = range(12).map((i) => word(streamKey(seed, name), plane, from + i));
        expect([what, ...stream.words(12, { plane, from })]).toEqual([what, ...ours]);
      }
    });
  });

  test.each([1, 0, -0, -1, 1.5, 1e21, 12345678901234567890n])("the number %s as a seed is its decimal text", (seed) => {
    const stream = createMill({ seed }).stream("loot");
    expect(stream.word(9)).toBe(word(streamKey(seed, "loot"), 0, 9));
  });
});

const FORKS: [what: string, forks: Id[]][] = [
  ["a text", ["player/7"]],
  ["the empty text", [""]],
  ["a text of more than 8 bytes beyond ASCII", ["é世界 \u{1f3b2}"]],
  ["a lone surrogate", ["\ud800"]],
  ["a text of 300 characters", ["x".repeat(300)]],
  ["zero", [0]],
  ["minus zero", [-0]],
  ["a negative integer", [-5]],
  ["the greatest integer of a number", [Number.MAX_SAFE_INTEGER]],
  ["the least bigint", [-(2n ** 63n)]],
  ["the greatest bigint", [2n ** 63n - 1n]],
  ["a pair", [[-1, 2]]],
  [
    "the ends of a pair",
    [
      [-(2 ** 31), 2 ** 31 - 1],
      [2 ** 31 - 1, -(2 ** 31)],
    ],
  ],
  ["a fork of a fork of a fork", ["a", 1, [1, 0]]],
  ["one key in three forms", ["1", 1, "1", 1n]],
];

describe("forks", () => {
  describe.each(SEEDS)("seed: %s", (_, seed) => {
    test.each(FORKS)("%s: of a stream, of its mill, of both", (_what, forks) => {
      const planes: Index[] = [0, 2 ** 32 + 2, LAST_PLANE];
      const oursOf = (key: Key) => planes.map((plane) => word(key, plane, 1025));
      const mill = createMill({ seed });
      const forkedMill = forks.reduce((child, id) => child.fork(id), mill);
      const streams = [
        forks.reduce((child, id) => child.fork(id), mill.stream("loot")),
        forkedMill.stream("loot"),
        forks.reduce((child, id) => child.fork(id), forkedMill.stream("loot")),
      ];
      const theirs = streams.map((stream) => planes.map((plane) => stream.word(1025, { plane })));
      expect(theirs).toEqual([
        oursOf(streamKey(seed, "loot", forks)),
        oursOf(streamKey(seed, "loot", [], forks)),
        oursOf(streamKey(seed, "loot", forks, forks)),
      ]);
    });
  });
});

describe("dice and samples", () => {
  describe.each(SEEDS)("seed: %s", (_, seed) => {
    test.each([
      ["2d6+1", { count: 2, sides: 6, plus: 1 }],
      ["20d3-9", { count: 20, sides: 3, plus: -9 }],
      ["nearly all values", { count: 1, sides: 2 ** 32 - 1, plus: -(2 ** 31) - 1 }],
      ["three billion values", { count: 1, sides: 3_000_000_000, plus: -1_500_000_000 }],
    ])("%s", (_what, dice) => {
      const [least, most] = [dice.plus + dice.count, dice.plus + dice.count * dice.sides];
      const input =
        dice.count === 1 ? { least, most } : `${dice.count}d${dice.sides}${dice.plus < 0 ? "" : "+"}${dice.plus}`;
      const noun = createMill({ seed }).dice("hp", input);
      for (const from of [0, LAST_INDEX - 299]) {
        const ours = range(300).map((i) => rollDice(streamKey(seed, "hp"), from + i, dice));
        expect([...noun.rollMany(300, { from })]).toEqual(ours);
      }
    });

    test.each([
      [5, 5],
      [52, 7],
      [2000, 2000],
    ])("samples of %i items: %i", (n, size) => {
      const sampler = createMill({ seed }).sample("deck", n, { size });
      for (const from of [0, 2 ** 32 - 1, LAST_INDEX - 2]) {
        const ours = range(3).map((i) => drawSample(streamKey(seed, "deck"), from + i, n, size));
        expect([...sampler.drawMany(3, { from })]).toEqual(ours);
      }
    });
  });

  test("the checks of the page", () => {
    const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8").replaceAll("\n", " ");
    const [hp, deck] = [streamKey("moria", "hp"), streamKey("moria", "deck")];
    const rolls = range(4).map((k) => rollDice(hp, k, { count: 2, sides: 6, plus: 1 }));
    expect(page).toContain(`gives ${rolls.join(", ")} for k`);
    expect(page).toContain(`reads ${word(hp, 0, 0)} on plane 0 (a 2) and ${word(hp, 1, 0)} on plane 1 (a 6)`);
    expect(page).toContain(`the items 0 … 4 is ${drawSample(deck, 1, 5, 5).join(", ")};`);
    const [a, b, c, d] = range(4).map((i) => word(deck, 1, i));
    expect(page).toContain(`first words are ${a}, ${b}, ${c} and ${d}.`);
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
      const pick = (index: number) => aliasPick(streamKey(seed, "loot"), 0, index, table);
      expect([...list.pickMany(1100)]).toEqual(range(1100).map(pick));
      expect([...list.pickMany(9, { from: LAST_INDEX - 8 })]).toEqual(range(9).map((i) => pick(LAST_INDEX - 8 + i)));
    });
  });

  test.each(FORKS)("a fork by %s", (_what, forks) => {
    const mill = createMill({ seed: "moria" });
    const list = forks.reduce((child, id) => child.fork(id), mill.weighted("loot", [1, 2, 3.5]));
    const key = streamKey("moria", "loot", forks);
    const table = buildAlias([1, 2, 3.5]);
    expect([...list.pickMany(50)]).toEqual(range(50).map((index) => aliasPick(key, 0, index, table)));
  });

  test("2^20 entries, where some picks need an extra word", () => {
    const weights = Uint32Array.from({ length: 2 ** 20 }, (_, i) => (i * 7919) % 4001);
    const list = createMill({ seed: "moria" }).weighted("loot", [...weights]);
    const table = buildAlias(weights);
    const key = streamKey("moria", "loot");
    const isUnsettled = (index: number) => {
      const w = word(key, 0, index);
      const threshold = table.threshold[Math.floor(w / 2 ** 12)] ?? 0n;
      return BigInt(w % 2 ** 12) === (threshold * 2n ** 12n) / table.total;
    };
    const indices = [0, 2 ** 32 - 5000, LAST_INDEX - 9999].flatMap((from) => range(10_000).map((i) => from + i));
    const theirs = indices.filter((_, i) => i % 10_000 === 0).map((from) => [...list.pickMany(10_000, { from })]);
    expect(theirs.flat()).toEqual(indices.map((index) => aliasPick(key, 0, index, table)));
    expect(indices.filter(isUnsettled).length).toBeGreaterThan(4);
  });
});

describe("quantities", () => {
  const ENTRIES = [
    { result: "gold", weight: 70, quantity: "2d6+1" },
    { result: "arrow", weight: 20, quantity: "2-5" },
    { result: null, weight: 10 },
  ];
  const DICE = [
    { count: 2, sides: 6, plus: 1 },
    { count: 1, sides: 4, plus: 1 },
  ];
  const named = (key: Key, k: number, entry: number, plane: number) =>
    entry === 2 ? null : { result: ENTRIES[entry].result, quantity: rollQuantity(key, k, DICE[entry], plane) };

  test.each(SEEDS)("of lists and of tables: %s", (_, seed) => {
    const key = streamKey(seed, "chest");
    const alias = buildAlias([70, 20, 10]);
    const list = createMill({ seed }).weighted("chest", ENTRIES);
    const rows = [ENTRIES.map(({ weight }, i) => ({ weight, result: String(i) }))];
    const table = createMill({ seed }).table("chest", { rows: { Chest: ENTRIES } });
    for (const from of [0, LAST_INDEX - 199]) {
      const indices = range(200).map((i) => from + i);
      const picks = indices.map((k) => named(key, k, aliasPick(key, 0, k, alias), 1));
      expect([...list.pickMany(200, { from })]).toEqual(picks);
      const rolls = indices.map((k) => named(key, k, Number(rollTable(key, k, rows, 0)), 2 ** 32));
      expect([...table.rollMany(200, { from })]).toEqual(rolls);
    }
  });

  const ORC = {
    always: [{ result: "gold", quantity: "2d3" }],
    rolls: "1d3",
    table: {
      rows: {
        Loot: [
          { result: "gold", weight: 5, quantity: "1d4" },
          { result: "gem", weight: 2 },
          { result: null, weight: 3 },
        ],
      },
    },
  };

  test.each(SEEDS)("of drops: %s", (_, seed) => {
    const row = ORC.table.rows.Loot.map(({ weight }, i) => ({ weight, result: String(i) }));
    const amounts = [
      { count: 1, sides: 4, plus: 0 },
      { count: 0, sides: 1, plus: 1 },
    ];
    const rolled = (key: Key, k: number) => {
      const entry = Number(rollTable(key, k, [row], 0));
      if (entry === 2) return null;
      return { result: ORC.table.rows.Loot[entry].result, quantity: rollQuantity(key, k, amounts[entry], 2 ** 32) };
    };
    const drops = createMill({ seed }).drops("orc", ORC);
    for (const from of [0, LAST_INDEX - 99]) {
      const ours = range(100).map((i) => {
        const k = from + i;
        const [gold, ...rest] = makeDrop(streamKey(seed, "orc"), k, {
          always: [{ count: 2, sides: 3, plus: 0 }],
          rolls: { count: 1, sides: 3, plus: 0 },
          roll: (key) => rolled(key, k),
        });
        return [{ result: "gold", quantity: gold }, ...rest];
      });
      expect([...drops.rollMany(100, { from })]).toEqual(ours);
    }
  });

  test("the checks of the page", () => {
    const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8").replaceAll("\n", " ");
    const drop = (k: number) =>
      createMill({ seed: "moria" })
        .drops("orc", ORC)
        .roll({ at: k })
        .map(({ result, quantity }) => `${result} ${quantity}`)
        .join(", ");
    expect(page).toContain(`has ${drop(0)} for k = 0 and ${drop(3)} for k = 3.`);
    const shown = (rolls: Iterable<unknown>) =>
      Array.from(rolls as Iterable<{ result: string; quantity: number }>, (one) => `${one.result} ${one.quantity}`);
    const mill = () => createMill({ seed: "moria" });
    expect(page).toContain(`gives, for k = 0 … 3, ${shown(mill().weighted("chest", ENTRIES).pickMany(4)).join(", ")}.`);
    const rolls = mill()
      .table("chest", { rows: { Chest: ENTRIES } })
      .rollMany(4);
    expect(page).toContain(`gives, for k = 0 … 3, ${shown(rolls).join(", ")}.`);
    const key = streamKey("moria", "chest");
    expect(page).toContain(`${word(key, 2 ** 32, 0)} on plane 2³² and ${word(key, 2 ** 32 + 1, 0)} on plane 2³² + 1`);
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
        const ours = range(300).map((i) => rollTable(streamKey(seed, "loot"), from + i, rows, start));
        expect(theirs).toEqual(ours);
      }
    });
  });

  test.each(FORKS)("a fork by %s, in a forked mill", (_what, forks) => {
    const mill = createMill({ seed: "moria" }).fork("save 1");
    const made = mill.table("loot", { rows: GREEDY.map((columns) => ({ columns })) });
    const table = forks.reduce((child, id) => child.fork(id), made);
    const key = streamKey("moria", "loot", forks, ["save 1"]);
    const theirs = range(100).map((i) => table.roll({ start: 3, at: i }));
    expect(theirs).toEqual(range(100).map((i) => rollTable(key, i, GREEDY, 3)));
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
    const ours = range(500).map((i) => rollTable(streamKey("moria", "loot"), i, rows, 0));
    expect(range(500).map(() => table.roll())).toEqual(ours);
  });
});

test("number weights become integers by the least power of ten", () => {
  expect(integerWeights([1.2, 3, 0])).toEqual([12n, 30n, 0n]);
  expect(integerWeights([1e-7, 1])).toEqual([1n, 10_000_000n]);
  expect(integerWeights([20, 10])).toEqual([20n, 10n]);
});
