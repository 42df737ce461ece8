import { describe, expect, test } from "vitest";
import { createMill, type TableObject, toNumber } from "../../src/index.js";
import type { LayerBody, TensorInput } from "../../src/walks/index.js";
import { refusalOf } from "../refusal.js";
import { twoDaOf } from "../tables/build.js";
import { resultsOf } from "../tables/cases.js";
import { cellsOf } from "../walks/cases.js";

// Bugs that other libraries had, held against tables and walks; test/weighted has those of weighted lists.

const seed = "moria";
const open = (source: string | TableObject) => createMill({ seed }).table("loot", source);
const row = (weights: readonly number[]): TableObject => ({
  rows: [{ columns: weights.map((weight, c) => ({ result: `${c}`, weight })) }],
});
const walked = (layer: LayerBody) => createMill({ seed }).walk("loot", layer).run().total;

describe("tables", () => {
  test("a zero-weight column never wins, first, last or between (rot.js, loot-table)", () => {
    for (const weights of [
      [0, 1],
      [1, 0],
      [0, 0, 5, 0, 2 ** 32 - 6, 0],
      [3, 0, 0, 0, 4],
    ]) {
      const { counts } = open(row(weights)).count(1_000_000);
      expect(weights.filter((weight, c) => weight === 0 && counts.get(`${c}`) !== 0)).toEqual([]);
    }
    const scripted = {
      rows: [
        {
          columns: [
            { result: "a", weight: { script: 1 } },
            { result: "b", weight: 1 },
          ],
        },
      ],
    };
    expect(
      open(scripted)
        .count(100_000, { weights: { 1: 0 } })
        .counts.get("a"),
    ).toBe(0);
  });

  test("the first column is not one too heavy, the last is reached and nothing falls off the end (drop-loot, tgstation 71271, Esposter 1068, fictional 44)", () => {
    // where the total is a power of two the column is the word's top bits, exactly
    const raw = createMill({ seed })
      .stream("loot")
      .words(1 << 20);
    for (const bits of [1, 2, 5, 10, 12]) {
      const { ids } = open(row(new Array(2 ** bits).fill(1))).rollMany(1 << 20, { from: 0 });
      expect(ids.findIndex((id, k) => id !== raw[k] >>> (32 - bits))).toBe(-1);
    }
    const { ids } = open(row([0, 3, 0, 1, 0])).rollMany(1 << 20, { from: 0 });
    expect(ids.findIndex((id, k) => id !== (raw[k] >>> 30 === 3 ? 3 : 1))).toBe(-1);
  });

  test("the largest word gives the last column and the least the first, not −1 (Godot 93893)", () => {
    const raw = createMill({ seed })
      .stream("loot")
      .words(1 << 24);
    const most = raw.indexOf(raw.reduce((a, b) => Math.max(a, b)));
    const least = raw.indexOf(raw.reduce((a, b) => Math.min(a, b)));
    expect([raw[most] > 2 ** 32 - 2000, raw[least] < 2000]).toEqual([true, true]);
    for (const weights of [[1], [1, 1], [3, 1, 2], [1000, 1000, 1000], new Array<number>(500).fill(8_000)]) {
      for (const mode of ["frozen", "live"] as const) {
        const table = open(row(weights));
        expect(table.roll({ at: most, mode })).toBe(`${weights.length - 1}`);
        expect(table.roll({ at: least, mode })).toBe("0");
      }
    }
  });

  test("2^53 + 1 is not absorbed, and 2^32 − 1 is still exact", () => {
    expect(refusalOf(() => open(twoDaOf(["ra 9007199254740993 rb 1"]))).code).toMatch(
      /^(table\.weight|weights\.overflow)$/,
    );
    expect(refusalOf(() => open(row([2 ** 53 + 2, 1]))).code).toBe("table.weight");
    expect(refusalOf(() => open(row([2 ** 32 - 1, 1])).roll()).code).toBe("weights.overflow");
    expect(
      open(row([2 ** 32 - 2, 1]))
        .odds()
        .odds.map(({ probability }) => probability.numerator),
    ).toEqual([2n ** 32n - 2n, 1n]);
  });

  test("integer-like keys come back in file order, not numeric order (rot.js)", () => {
    const table = open(twoDaOf(["r10 1 r9 1 r1 1 r007 1 r-1 1", "r2 1"]));
    const order = ["10", "9", "1", "007", "-1"];
    expect(table.results).toEqual([...order, "2"]);
    expect(table.odds().odds.map(({ result }) => result)).toEqual([...order, "2"]);
    expect([...table.count(1000).counts.keys()]).toEqual([...order, "2"]);
    expect(table.rollMany(10).results).toEqual([...order, "2"]);
  });

  test("inherited keys are not walked (rot.js)", () => {
    const scripted = {
      rows: [
        {
          columns: [
            { result: "a", weight: { script: 1 } },
            { result: "b", weight: 1 },
          ],
        },
      ],
    };
    const inherited = Object.create({ 1: 0 }) as Record<number, number>;
    const table = createMill({ seed }).table("loot", scripted, { script: () => 3 });
    expect(table.odds({ weights: inherited }).odds.map(({ probability }) => toNumber(probability))).toEqual([
      0.75, 0.25,
    ]);
    expect(table.odds({ weights: { 1: 1 } }).odds.map(({ probability }) => toNumber(probability))).toEqual([0.5, 0.5]);
    const own = Object.create(null) as Record<number, number>;
    own[1] = 7;
    expect(table.odds({ weights: own }).odds.map(({ probability }) => toNumber(probability))).toEqual([0.875, 0.125]);
  });

  test("results may be named __proto__, constructor and toString, or nothing at all", () => {
    const names = ["__proto__", "constructor", "toString", "", "hasOwnProperty", "\ud800"];
    const table = open({ rows: [{ columns: names.map((result) => ({ result, weight: 1 })) }] });
    expect(table.results).toEqual(names);
    const { counts } = table.count(60_000, { from: 0 });
    expect([...counts.keys()]).toEqual(names);
    expect([...counts.values()].every((count) => count > 9000)).toBe(true);
    expect(new Set(resultsOf(table.rollMany(1000, { from: 0 })))).toEqual(new Set(names));
  });

  test("a self-containing table returns: what has no way out is refused, what has one comes back (oldschooljs)", () => {
    expect(refusalOf(() => open({ rows: [{ columns: [{ jump: 0, weight: 1 }] }] }).roll()).code).toBe("table.endless");
    const rings = { rows: [{ columns: [{ jump: 1, weight: 1 }] }, { columns: [{ jump: 0, weight: 1 }] }] };
    expect(refusalOf(() => open(rings).rollMany(5)).code).toBe("table.endless");
    const reroll = {
      rows: [
        {
          columns: [
            { jump: 0, weight: 99 },
            { result: "out", weight: 1 },
          ],
        },
      ],
    };
    expect(open(reroll).count(10_000).counts.get("out")).toBe(10_000);
  });
});

describe("walks", () => {
  const straight = (absolute: TensorInput["absolute"]) => ({ tensor: { absolute }, steps: 20_000 }) as LayerBody;

  test("a direction of weight 0 is never taken while another is open (rot.js, loot-table)", () => {
    const { bounds } = walked(straight({ E: 1, W: 0, NE: 0, SE: 2 }));
    expect(bounds?.slice(0, 2)).toEqual([0, 0]);
    const cells = cellsOf(walked(straight({ E: 3, SE: 0.5 })));
    expect(cells).toHaveLength(20_001);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, -1, "5"]) {
      expect(refusalOf(() => walked(straight({ E: 1, W: bad as number }))).code).toBe("weights.invalid");
    }
  });

  test("weights .5 and .5 are even odds (loot-table); small weights are not cast to 0 (space-station-14 33584, bifrost 2654)", () => {
    const even = walked(straight({ E: 0.5, SE: 0.5 }));
    expect(even.digest()).toBe(walked(straight({ E: 1, SE: 1 })).digest());
    expect(Math.abs((even.bounds?.[2] ?? 0) - 10_000)).toBeLessThan(350);
    const small = walked(straight({ E: 0.001, SE: 0.003 }));
    expect(small.digest()).toBe(walked(straight({ E: 1, SE: 3 })).digest());
    expect(Math.abs((small.bounds?.[2] ?? 0) - 15_000)).toBeLessThan(300);
  });

  test("2^53 + 1 is not absorbed, and exactness is no memory bomb: 1, 1, 2, 5e-324 (Apache RNG-196)", () => {
    expect(refusalOf(() => walked(straight({ E: 2 ** 53 + 2, W: 1 }))).code).toBe("weights.overflow");
    expect(refusalOf(() => walked(straight({ E: 1, W: 1, SE: 2, SW: 5e-324 }))).code).toBe("weights.decimals");
    const relative = { forward: 2 ** 31, backward: 2 ** 31 };
    expect(refusalOf(() => walked({ tensor: { relative } })).code).toBe("weights.overflow");
  });

  test("inherited weights, cells and layers are not walked (rot.js)", () => {
    const inherited = Object.create({ E: 1 }) as Record<string, number>;
    inherited.SE = 1;
    expect(walked(straight(inherited)).bounds).toEqual([0, 0, 20_000, 0]);
  });

  test("the first steps do not change with the number asked for (numpy 19760), nor with the walkers (Paper 14125)", () => {
    const walk = (steps: number, walkers: number) => createMill({ seed }).walk("loot", { steps, walkers });
    const [first] = [...walk(5000, 9).start().advance(700).positions()];
    expect([...walk(700, 1).start().advance(700).positions()]).toEqual([first]);
  });
});
