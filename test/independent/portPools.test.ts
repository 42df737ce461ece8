// As port.test.ts, for pools: draw n of a family is a prefix pick over mass × quantity with word(name, 0, n), or in an
// infinite root an alias pick over the masses.
import { describe, expect, test } from "vitest";
import { createMill, type PoolsInput } from "../../src/index.js";
import { aliasPick, buildAlias, type Id, type Key, prefixPick, streamKey } from "./port.mjs";
import { SEEDS } from "./seeds.js";

const NAME = "hoard";

type Stock = [id: string, mass: number, quantity: number][];

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

/** A list of a pool: places in the root's stock, each with its mass there. */
type List = [place: number, mass: number][];

/** Draws by the port, each from the list of `listAt`. A list that weighs nothing is refreshed first. */
function drawByPort(key: Key, stock: Stock, { draws, listAt }: { draws: number; listAt: (index: number) => List }) {
  const left = stock.map(([, , quantity]) => quantity);
  return range(draws).map((index) => {
    const list = listAt(index);
    const weigh = () => list.map(([place, mass]) => mass * left[place]);
    if (weigh().every((weight) => weight === 0)) for (const [place] of list) left[place] = stock[place][2];
    const [drawn] = list[prefixPick(key, 0, index, weigh())];
    left[drawn]--;
    return stock[drawn][0];
  });
}

const STOCKS: [what: string, stock: Stock][] = [
  [
    "the figures of two records",
    [
      ["one", 1, 1],
      ["two", 2, 2],
    ],
  ],
  ["one record", [["one", 7, 3]]],
  [
    "records without mass or stock",
    [
      ["dust", 0, 5],
      ["axe", 3, 2],
      ["gone", 4, 0],
      ["ring", 1, 1],
    ],
  ],
  [
    "a total of 2^32 - 1",
    [
      ["sun", 2 ** 31, 1],
      ["moon", 2 ** 20, 2047],
      ["star", 2 ** 20 - 1, 1],
    ],
  ],
  ["40 records", range(40).map((i) => [`r${i}`, (i * 7) % 11, i % 4])],
];

describe.each(SEEDS)("seed: %s", (_, seed) => {
  test.each(STOCKS)("%s", (_what, records) => {
    const pools = createMill({ seed }).pools(NAME, { roots: { p: { kind: "finite", records } } });
    const list = records.map(([, mass], place): [number, number] => [place, mass]);
    expect([...pools.pool("p").drawMany(700)]).toEqual(
      drawByPort(streamKey(seed, NAME), records, { draws: 700, listAt: () => list }),
    );
  });

  test("a root, its subpools and theirs take from one stock", () => {
    const records: Stock = [
      ["axe", 3, 2],
      ["bow", 1, 3],
      ["ring", 2, 1],
      ["arrow", 1, 20],
    ];
    const spec = {
      roots: {
        p: {
          kind: "finite",
          records,
          subpools: {
            a: { records: ["ring", { id: "axe", mass: 7 }], subpools: { c: { records: ["axe"] } } },
            b: { records: [{ id: "bow", mass: 0.5 }, "axe", "arrow"], subpools: { c: { records: ["ring", "bow"] } } },
          },
        },
      },
    } satisfies PoolsInput;
    const lists: Record<string, List> = {
      p: [
        [0, 3],
        [1, 1],
        [2, 2],
        [3, 1],
      ],
      "p.a": [
        [2, 2],
        [0, 7],
      ],
      "p.b": [
        [1, 5],
        [0, 30],
        [3, 10],
      ],
      "p.a.c": [[0, 3]],
      "p.b.c": [
        [2, 2],
        [1, 1],
      ],
    };
    const paths = Object.keys(lists);
    const pathAt = (index: number) => paths[(index * index + 3 * Math.floor(index / 7)) % paths.length];
    const pools = createMill({ seed }).pools(NAME, spec);
    const theirs = range(500).map((index) => pools.pool(pathAt(index)).draw());
    expect(theirs).toEqual(
      drawByPort(streamKey(seed, NAME), records, { draws: 500, listAt: (index) => lists[pathAt(index)] }),
    );
  });

  test("paths with stars are lists of sums, and take from the one stock (first hour 15)", () => {
    const records: Stock = [
      ["axe", 3, 2],
      ["bow", 1, 3],
      ["ring", 2, 1],
    ];
    const spec = {
      roots: {
        p: {
          kind: "finite",
          records,
          subpools: {
            a: { records: ["ring"], subpools: { w: { records: [{ id: "axe", mass: 0.1 }, "bow"] } } },
            b: { records: ["axe", "ring"], subpools: { w: { records: ["bow", { id: "axe", mass: "1/6" }] } } },
          },
        },
      },
    } satisfies PoolsInput;
    const lists: Record<string, List> = {
      // ring 2 + 2, axe 3
      "p.*": [
        [2, 4],
        [0, 3],
      ],
      // axe 1/10 + 1/6 = 4/15, bow 1 + 1: times 15
      "p.*.w": [
        [0, 4],
        [1, 30],
      ],
      // axe 1/10, bow 1: times 10
      "p.a.*": [
        [0, 1],
        [1, 10],
      ],
      p: [
        [0, 3],
        [1, 1],
        [2, 2],
      ],
    };
    const paths = Object.keys(lists);
    const pathAt = (index: number) => paths[(index * index + Math.floor(index / 5)) % paths.length];
    const pools = createMill({ seed }).pools(NAME, spec);
    expect(range(400).map((index) => pools.pool(pathAt(index)).draw())).toEqual(
      drawByPort(streamKey(seed, NAME), records, { draws: 400, listAt: (index) => lists[pathAt(index)] }),
    );
  });

  test("a deck without refills gives fewer draws, and a gained record weighs more (first hour 9)", () => {
    const records: Stock = [
      ["ace", 1, 1],
      ["king", 2, 2],
    ];
    const root = { kind: "finite", refill: false, records } as const;
    const deck = createMill({ seed })
      .pools(NAME, { roots: { p: root } })
      .pool("p");
    const list: List = [
      [0, 1],
      [1, 2],
    ];
    const key = streamKey(seed, NAME);
    expect([...deck.drawMany(9)]).toEqual(drawByPort(key, records, { draws: 3, listAt: () => list }));
    deck.gain("ace", { copies: 4, to: "discards" });
    deck.reshuffle();
    expect(range(4).map(() => deck.draw())).toEqual(["ace", "ace", "ace", "ace"]);
  });

  test("an infinite root and its subpool take turns", () => {
    const masses = [1.2, 3, 0, 40];
    const spec = {
      roots: {
        e: {
          kind: "infinite",
          records: masses.map((mass, id) => [id, mass] as const),
          subpools: { z: { records: [3, { id: 0, mass: 5 }] } },
        },
      },
    } satisfies PoolsInput;
    const pools = createMill({ seed }).pools(NAME, spec);
    const [whole, part] = [buildAlias(masses), buildAlias([40, 5])];
    const pick = (index: number, table: typeof whole) => aliasPick(streamKey(seed, NAME), 0, index, table);
    for (const index of range(200)) {
      const expected = index % 3 === 0 ? [3, 0][pick(index, part)] : pick(index, whole);
      expect(pools.pool(index % 3 === 0 ? "e.z" : "e").draw()).toBe(expected);
    }
  });

  test.each<[what: string, forks: Id[]]>([
    ["a text", ["cave 3"]],
    ["an integer", [-7]],
    ["a pair, then a bigint", [[3, -4], 2n ** 60n]],
  ])("forks by %s: each family draws from a stock and an n of its own", (_what, forks) => {
    const [, records] = STOCKS[4];
    const spec = { roots: { p: { kind: "finite", records } } } satisfies PoolsInput;
    const whole = createMill({ seed }).fork("save 1").pools(NAME, spec);
    whole.pool("p").drawMany(5);
    const child = forks.reduce((family, id) => family.fork(id), whole);
    const list = records.map(([, mass], place): [number, number] => [place, mass]);
    const key = streamKey(seed, NAME, forks, ["save 1"]);
    expect([...child.pool("p").drawMany(100)]).toEqual(drawByPort(key, records, { draws: 100, listAt: () => list }));
  });
});
