import { describe, expect, expectTypeOf, test } from "vitest";
import { add, ONE, toNumber } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { parseDrops, type Stack } from "../../src/tables/index.js";
import { BelowTemplate } from "../oracle/below.js";
import { streamKey, streamWords } from "../oracle/words.js";

const seed = "moria";
const mill = () => createMill({ seed });
const below32 = new BelowTemplate(32);
const coded = (code: string) => expect.objectContaining({ code });

const TABLE = {
  rows: {
    Loot: [
      { result: "gold", weight: 5, quantity: "1d4" },
      { result: "gem", weight: 2 },
      { jump: "Rare", weight: 1 },
      { result: null, weight: 2 },
    ],
    Rare: [
      { result: "crown", weight: 1 },
      { result: "gold", weight: 1, quantity: 10 },
    ],
  },
} as const;
const DROPS = {
  always: [{ result: "bones" }, { result: "gold", quantity: "2d3" }],
  rolls: "1d3",
  table: TABLE,
} as const;
const BARE = {
  rolls: "0-2",
  table: {
    rows: {
      Loot: [
        { result: "a", weight: 1 },
        { result: null, weight: 1 },
      ],
    },
  },
} as const;

/** Drop k by docs/determinism.md: its dice, and rolls of the table on forks. */
function twin(name: string) {
  const words = streamWords(streamKey(seed, name));
  const die = (plane: number, sides: number, k: number) =>
    1 + below32.below(words.word(plane, k), sides, (i) => words.extra(plane, k, i));
  const table = mill().table(name, TABLE);
  return (k: number) => {
    const fixed = die(2 ** 34 + 2 ** 20, 3, k) + die(2 ** 34 + 2 ** 20 + 1, 3, k);
    const rolls = Array.from({ length: die(2 ** 33, 3, k) }, (_, i) => table.fork(i).roll({ at: k }));
    const always = [
      { result: "bones", quantity: 1 },
      { result: "gold", quantity: fixed },
    ];
    return [...always, ...rolls.filter((roll) => roll !== null)];
  };
}

describe("drops", () => {
  test("equal their slow twin, in bulk and alone", () => {
    const drops = mill().drops("orc", DROPS);
    const wanted = twin("orc");
    for (const from of [0, 1021, 2 ** 42 - 300]) {
      const made = drops.rollMany(300, { from });
      expect([...made]).toEqual(Array.from({ length: 300 }, (_, i) => wanted(from + i)));
      expect(drops.roll({ at: from + 7 })).toEqual(made.at(7));
    }
    expect(drops.next).toBe(0);
    expect([drops.roll(), ...drops.rollMany(40), drops.roll()]).toEqual([...drops.rollMany(42, { from: 0 })]);
    expect(drops.next).toBe(42);
  });

  test("rollInto fills drops again, and a failed call leaves them unchanged", () => {
    const drops = mill().drops("orc", DROPS);
    const out = drops.rollMany(30);
    expect(drops.rollInto(out)).toBe(out);
    expect([...out]).toEqual([...drops.rollMany(30, { from: 30 })]);
    expect([drops.next, out.from, out.starts.length]).toEqual([60, 30, 31]);
    const before = [...out];
    const onProgress = () => {
      throw new Error("stop");
    };
    expect(() => drops.rollInto(out, { onProgress })).toThrow(coded("argument.callback"));
    expect([drops.next, out.from, [...out]]).toEqual([60, 30, before]);
    expect(() =>
      mill()
        .drops("bare", BARE)
        .rollInto(out as never),
    ).toThrow(coded("argument.type"));
    expect(() => drops.rollInto([] as never)).toThrow(coded("argument.type"));
  });

  test("of more than a batch are those of its parts, and forks are other drops", () => {
    const drops = mill().drops("orc", BARE);
    const whole = [...drops.rollMany(66_000)];
    expect([...drops.rollMany(700, { from: 65_300, onProgress: () => undefined })]).toEqual(
      whole.slice(65_300, 66_000),
    );
    expect([...drops.fork(0).rollMany(50)]).not.toEqual(whole.slice(0, 50));
    expect([...drops.fork("a").rollMany(50)]).toEqual([...mill().drops("orc", BARE).fork("a").rollMany(50)]);
    const later = createMill({
      seed,
      snapshot: (() => {
        const one = mill();
        one.drops("orc", BARE).rollMany(9);
        return one.snapshot();
      })(),
    });
    expect(later.drops("orc", BARE).next).toBe(9);
  });

  test("counts are those of the drops", () => {
    const drops = mill().drops("orc", DROPS);
    const made = [...drops.rollMany(3000, { from: 0 })];
    const { total, none, counts: having, quantities } = drops.count(3000, { from: 0 });
    expect([total, none, [...having.keys()]]).toEqual([3000, 0, ["bones", "gold", "gem", "crown"]]);
    for (const result of having.keys()) {
      expect(having.get(result)).toBe(made.filter((drop) => drop.some((one) => one.result === result)).length);
      const sum = made.flat().reduce((all, one) => all + (one.result === result ? one.quantity : 0), 0);
      expect(quantities.get(result)).toBe(sum);
    }
    expect(mill().drops("orc", BARE).count(500).none).toBeGreaterThan(100);
  });

  test("counts agree with the exact odds, and the odds with their own law (α = 10⁻⁶)", () => {
    for (const input of [DROPS, BARE]) {
      const drops = mill().drops("orc", input as typeof DROPS);
      const n = 60_000;
      const { counts: having, quantities, none } = drops.count(n);
      const odds = drops.odds();
      const near = (seen: number, mean: number, deviation: number) =>
        expect(Math.abs(seen - mean)).toBeLessThanOrEqual(4.9 * deviation * Math.sqrt(n));
      const p0 = toNumber(odds.none);
      near(none, n * p0, Math.sqrt(p0 * (1 - p0)));
      for (const { result, atLeastOne, expected } of odds.odds) {
        const p = toNumber(atLeastOne);
        near(having.get(result) ?? 0, n * p, Math.sqrt(p * (1 - p)));
        const law = drops.quantityOdds(result).odds;
        expect(law.map(({ probability }) => probability).reduce(add)).toEqual(ONE);
        const mean = law.reduce((sum, one) => sum + one.result * toNumber(one.probability), 0);
        const square = law.reduce((sum, one) => sum + one.result ** 2 * toNumber(one.probability), 0);
        expect(mean).toBeCloseTo(toNumber(expected), 10);
        near(quantities.get(result) ?? 0, n * mean, Math.sqrt(Math.max(0, square - mean * mean)));
        const absent = law.find((one) => one.result === 0);
        expect(1 - (absent === undefined ? 0 : toNumber(absent.probability))).toBeCloseTo(p, 10);
      }
    }
  });

  test("tables of text, options of tables, and literal types", () => {
    const text = "result,weight\ngold,1\ngem,s7\n";
    const drops = mill().drops("orc", { rolls: 2, table: text }, { script: () => 1 });
    expect(drops.roll()).toHaveLength(2);
    expectTypeOf(drops.roll()).toEqualTypeOf<(string | Stack)[]>();
    expectTypeOf(mill().drops("a", BARE).roll()).toEqualTypeOf<"a"[]>();
    expectTypeOf(mill().drops("b", DROPS).odds().odds[0].result).toEqualTypeOf<"bones" | "gold" | "gem" | "crown">();
    expect(
      mill()
        .drops("c", { ...BARE, rolls: 0 })
        .roll(),
    ).toEqual([]);
    expect(() => mill().drops("d", BARE, { start: "No" }).odds()).toThrow(coded("table.start"));
    expect(() => drops.quantityOdds("glod" as "gold")).toThrow(coded("argument.range"));
    expect(() => mill().drops("e", BARE, { mode: "live" } as object)).toThrow(coded("argument.option"));
  });

  test.each([
    [{ table: 5 }, "argument.type"],
    [{}, "argument.type"],
    [{ ...BARE, rolls: "1d6-2" }, "amount.invalid"],
    [{ ...BARE, rolls: 1001 }, "amount.invalid"],
    [{ ...BARE, rolls: "many" }, "amount.invalid"],
    [{ ...BARE, always: [{ result: "a", quantity: -1 }] }, "amount.invalid"],
    [{ ...BARE, always: [{ result: null }] }, "table.result"],
    [{ ...BARE, always: 5 }, "argument.type"],
    [{ ...BARE, roll: 5 }, "argument.type"],
    [{ table: { rows: [{ columns: [{ result: 5, weight: 1 }] }] } }, "table.result"],
  ])("%j is refused", (input, code) => {
    expect(parseDrops(input).issues.map((issue) => issue.code)).toContain(code);
    expect(() => mill().drops("orc", input as typeof DROPS)).toThrow(coded(code));
  });
});
