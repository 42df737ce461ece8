import { describe, expect, test } from "vitest";
import { bump, createOneShots, nwangband } from "../../src/tables/scripts/nwangband.js";
import { refusalOf } from "../refusal.js";

describe("nwangband", () => {
  const at = (level: number, ids: number[]) => ids.map((id) => nwangband({ level }).script(id, undefined));

  test("1000+n and 1100+n fall off with the distance of the level, down to 0", () => {
    expect([10, 11, 9, 13, 14, 15, 30].map((level) => at(level, [1010])[0])).toEqual([100, 75, 75, 25, 0, 0, 0]);
    expect([10, 11, 9, 19, 20, 21, 90].map((level) => at(level, [1110])[0])).toEqual([100, 90, 90, 10, 0, 0, 0]);
    expect(at(0, [1000, 1099, 1100, 1199])).toEqual([100, 0, 100, 0]);
    expect(at(99, [1000, 1099, 1100, 1199])).toEqual([0, 100, 0, 100]);
  });

  test("1200+n and 1300+n compare, without equality", () => {
    expect([6, 7, 8].map((level) => at(level, [1207, 1307]))).toEqual([
      [0, 100],
      [0, 0],
      [100, 0],
    ]);
    expect(at(0, [1200, 1299, 1300, 1399])).toEqual([0, 0, 0, 100]);
  });

  test("1500 and 1501 change at level 20", () => {
    expect([0, 20, 21, 99].map((level) => at(level, [1500, 1501]))).toEqual([
      [0, 100],
      [0, 100],
      [100, 0],
      [100, 0],
    ]);
  });

  test("2000 to 2299 compare the item's base type", () => {
    const { script } = nwangband({ type: 17 });
    expect([2016, 2017, 2018].map((id) => script(id, undefined))).toEqual([0, 100, 0]);
    expect([0, 299].map((type) => [2000, 2299].map((id) => nwangband({ type }).script(id, undefined)))).toEqual([
      [100, 0],
      [0, 100],
    ]);
  });

  test.each([0, 999, 1400, 1499, 1502, 1510, 1599, 1800, 1999, 2300, 9999, 99_999, 1_000_000])(
    "script %s is unknown",
    (id) => {
      const { script, chosen } = nwangband({ level: 1, type: 1 });
      const refusal = refusalOf(() => script(id, undefined));
      expect(refusal.code).toBe("table.unknown-script");
      expect(() => chosen(id, undefined)).not.toThrow();
    },
  );

  test("only the ids that read an argument need it", () => {
    const { script } = nwangband();
    expect(script(1600, undefined)).toBe(100);
    for (const id of [1000, 1500, 103_003]) {
      expect(refusalOf(() => script(id, undefined)).code).toBe("argument.range");
    }
    expect(refusalOf(() => nwangband({ level: 5 }).script(2001, undefined)).code).toBe("argument.range");
  });

  test.each([-1, 1.5, Number.NaN, 1_000_001, "5", null])("a level or a type of %s is refused", (value) => {
    for (const name of ["level", "type"]) {
      const refusal = refusalOf(() => nwangband({ [name]: value as number }));
      expect([refusal.code, refusal.issues[0].where.path]).toEqual(["argument.range", name]);
    }
  });
});

describe("1WWCCC", () => {
  test("is 100 at the centre, 50 half way, 1 at the rim and 0 outside", () => {
    const weight = (id: number, level: number) => nwangband({ level }).script(id, undefined);
    expect([35, 36, 40, 44, 45].map((level) => weight(104_040, level))).toEqual([0, 1, 100, 1, 0]);
    expect([38, 42].map((level) => weight(104_040, level))).toEqual([50, 50]);
    expect([39, 41].map((level) => weight(104_040, level))).toEqual([85, 85]);
    expect([37, 43].map((level) => weight(104_040, level))).toEqual([14, 14]);
    expect([0, 1, 2, 3].map((level) => weight(103_003, level))).toEqual([1, 25, 75, 100]);
    expect([0, 899, 999].map((level) => weight(999_999, level))).toEqual([0, 96, 100]);
  });

  test("a width of 0 has its centre only", () => {
    expect([4, 5, 6].map((level) => nwangband({ level }).script(100_005, undefined))).toEqual([0, 100, 0]);
  });

  test("is exact at every width and distance: no value comes nearer to an integer than the guard allows, but for the integers", () => {
    let nearest = 1;
    const wrong: string[] = [];
    for (let width = 1; width <= 899; width++) {
      for (let distance = 0; distance <= width; distance++) {
        const value = 50 + 50 * Math.sin((Math.PI / 2) * (1 - (2 * distance) / width));
        const whole = wholeValue(width, distance);
        if (whole === undefined) nearest = Math.min(nearest, Math.abs(value - Math.round(value)));
        const exact = Math.max(1, whole ?? Math.floor(value));
        if (bump({ width, distance }) !== exact) wrong.push(`${distance} of ${width}: not ${exact}`);
      }
      if (bump({ width, distance: width + 1 }) !== 0) wrong.push(`outside ${width}`);
    }
    expect(wrong).toEqual([]);
    // far more than the error of a double (1e-13) or of the fixed-point cosine (2^-40) can bridge
    expect(nearest).toBeGreaterThan(2 ** -20);
  });
});

/** The value where it is an integer: by Niven's theorem only where the sine is 0, ±1/2 or ±1. */
function wholeValue(width: number, distance: number): number | undefined {
  const rational: [number, number, number][] = [
    [0, 1, 100],
    [1, 3, 75],
    [1, 2, 50],
    [2, 3, 25],
    [1, 1, 0],
  ];
  return rational.find(([n, d]) => distance * d === width * n)?.[2];
}

describe("one-shot scripts", () => {
  test("weigh 100 until chosen, then 0, each id for itself", () => {
    const { script, chosen } = nwangband();
    expect([1600, 1699, 1700, 1799].map((id) => script(id, undefined))).toEqual([100, 100, 100, 100]);
    expect(script(1600, undefined)).toBe(100);
    chosen(1600, undefined);
    chosen(1799, undefined);
    expect([1600, 1699, 1700, 1799].map((id) => script(id, undefined))).toEqual([0, 100, 100, 0]);
  });

  test("16xx are the caller's own, 17xx are shared by all callers", () => {
    const shared = new Set<number>();
    const [smith, tailor] = [createOneShots({ shared }), createOneShots({ shared })];
    const [a, b] = [nwangband({ oneShots: smith }), nwangband({ oneShots: tailor })];
    a.chosen(1601, undefined);
    a.chosen(1701, undefined);
    expect([1601, 1701].map((id) => a.script(id, undefined))).toEqual([0, 0]);
    expect([1601, 1701].map((id) => b.script(id, undefined))).toEqual([100, 0]);
    expect(smith).toEqual({ own: new Set([1601]), shared: new Set([1701]) });
    expect(tailor).toEqual({ own: new Set(), shared: new Set([1701]) });
    // the state is the caller's to restore
    smith.own.clear();
    expect(a.script(1601, undefined)).toBe(100);
  });

  test("callers share nothing by default", () => {
    nwangband().chosen(1701, undefined);
    expect(nwangband().script(1701, undefined)).toBe(100);
  });

  test("some may be spent from the start", () => {
    expect(createOneShots({ spent: [1600, 1750] })).toEqual({ own: new Set([1600]), shared: new Set([1750]) });
    for (const id of [1599, 1800, 1600.5, Number.NaN]) {
      expect(refusalOf(() => createOneShots({ spent: [id] })).issues[0].where.path).toBe("spent");
    }
  });
});
