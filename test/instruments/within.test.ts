import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { add, fraction, ONE, subtract, ZERO } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { Trials } from "../../src/instruments/binomial.js";
import { CollectDistribution } from "../../src/instruments/collect.js";
import { boundsOf, type Certified, isWide, compare as order } from "../../src/instruments/distribution.js";
import { chance, collect, compare, expectedTries, luck, type Source, wait } from "../../src/instruments/index.js";
import { collectWithin, trialsOf } from "../../src/instruments/within.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { encloses, integers } from "./random.js";

const noWork = () => undefined as never;

function expectInside(bounds: Certified, value: Certified, what = "") {
  const { least, most } = boundsOf(value);
  expect([encloses(boundsOf(bounds), least), encloses(boundsOf(bounds), most)], what).toEqual([true, true]);
}

function anyBounds(random: (limit: number) => number) {
  const [a, b] = [random(41), random(41)].sort((x, y) => x - y);
  const most = Math.max(b, a + 1);
  const at = (n: number) => fraction(BigInt(n), 41n);
  const inside = [1, 2].map(() => at(a + random(most - a + 1)));
  return { least: at(a), most: at(most), points: [at(a), ...inside, at(most)] };
}

test("trials: 10,000 bounds enclose the numbers of probabilities between them, and their ends are reached", () => {
  const random = integers(41);
  for (let i = 0; i < (IS_SOAK ? 10_000 : 150); i++) {
    const { least, most, points } = anyBounds(random);
    const law = trialsOf({ least, most });
    const [n, k] = [1 + random(9), random(6)];
    const [count, laws] = [law.count(n), points.filter((p) => p.numerator > 0n).map((p) => new Trials(p))];
    const peak = fraction(BigInt(Math.min(k, n)), BigInt(n));
    if (order(peak, least) > 0 && order(peak, most) < 0) laws.push(new Trials(peak));
    for (const part of ["at", "upTo", "from"] as const) {
      const values = laws.map((trials) => trials.count(n)[part](k));
      for (const value of values) expectInside(count[part](k), value, part);
      // with the least probability 0, the law without a success is not among `laws`
      if (least.numerator === 0n) continue;
      const ends = values.flatMap((value) => ("numerator" in value ? [value] : []));
      expect(ends.some((value) => order(value, boundsOf(count[part](k)).most) === 0)).toBe(true);
      expect(ends.some((value) => order(value, boundsOf(count[part](k)).least) === 0)).toBe(true);
    }
    const times = 1 + random(4);
    const waiting = law.wait(times);
    for (const one of laws.map((trials) => trials.wait(times))) {
      for (const part of ["at", "upTo", "from"] as const) expectInside(waiting[part](n + 1), one[part](n + 1), part);
      if (least.numerator === 0n) continue;
      expectInside(waiting.mean, one.mean, "mean");
      expectInside(waiting.variance, one.variance, "variance");
      const { least: fewest, most: enough } = waiting.quantileBounds("2/3");
      expect(one.quantile("2/3")).toBeGreaterThanOrEqual(fewest);
      expect(one.quantile("2/3")).toBeLessThanOrEqual(enough);
    }
  }
});

test("sets: 10,000 bounds enclose the numbers of all probabilities between them", () => {
  const random = integers(42);
  for (let i = 0; i < (IS_SOAK ? 10_000 : 250); i++) {
    const wide = fraction(BigInt(1 + random(5)), 100n);
    const least = Array.from({ length: 1 + random(3) }, () => fraction(BigInt(1 + random(25)), 100n));
    const true_ = least.map((p) => ({ p, by: fraction(BigInt(random(3)), 200n) }));
    const chances = true_.map(({ p, by }) => add(p, order(by, wide) > 0 ? wide : by));
    const copies = 1 + random(2);
    const within = collectWithin(
      least.map((p) => ({ least: p, most: add(p, wide) })),
      copies,
      noWork,
    );
    const exact = new CollectDistribution(chances, copies);
    const n = exact.least + random(12);
    for (const part of ["at", "upTo", "from"] as const) expectInside(within[part](n), exact[part](n), part);
    expectInside(within.mean, exact.mean, "mean");
    expectInside(within.variance, exact.variance, "variance");
  }
});

describe("objects with few states", () => {
  const read = (name: string) => readFileSync(`data/dungeon/${name}.txt`, "utf8");
  const maker = createMill({ seed: "within" }).objects("objects", {
    object: read("object"),
    objectBase: read("object_base"),
    egoItem: read("ego_item"),
    egoThemes: read("ego_themes"),
    artifact: read("artifact"),
  });
  const all = { level: 40, good: true, kind: "Cudgel" };
  const few = { ...all, states: 3 };
  const conditions = [
    { affix: "Weighted" },
    { affix: "any" },
    { theme: "any" },
    { theme: null },
    { affixes: 1 },
    { affixes: { atLeast: 2 } },
  ] as const;

  test.each(conditions)("%o: every number encloses the exact one", (condition) => {
    let wide = 0;
    for (const how of [{}, { exactly: 1 }, { atMost: 1 }, { atLeast: 1, atMost: 2 }]) {
      const bounds = chance(maker, condition, { in: 4, ...how, with: few });
      wide += Number(isWide(bounds));
      expectInside(bounds, chance(maker, condition, { in: 4, ...how, with: all }));
    }
    expect(wide).toBe(4);
    const [within, exact] = [few, all].map((how) => wait(maker, condition, { times: 2, with: how }));
    for (const part of ["at", "upTo", "from"] as const) expectInside(within[part](7), exact[part](7), part);
  });

  test("luck, collect, compare and the expected number of tries", () => {
    const [a, b] = [few, all].map((how) => luck(maker, { "affixes=1": 1 }, { in: 5, with: how })["affixes=1"]);
    for (const share of ["fewer", "equal", "more"] as const) expectInside(a[share], b[share], share);
    const set = [{ affixes: 1 }, { affixes: 2 }];
    const [within, exact] = [{ ...few, states: 64 }, all].map((how) => collect(maker, set, { with: how }));
    expectInside(within.upTo(6), exact.upTo(6));
    expectInside(within.mean, exact.mean);
    const tries = [few, all].map((how) => expectedTries(maker, { affixes: 1 }, how) as Certified);
    expectInside(tries[0], tries[1]);
    const { changes, same, unknown } = compare(maker, maker, { with: few });
    expect([changes, same, unknown > 0]).toEqual([[], 0, true]);
    expect(compare(maker, maker, { with: all }).unknown).toBe(0);
  });

  test("a result that is not possible, and one that the files lack", () => {
    expect(chance(maker, { affixes: 8 }, { in: 9, with: all })).toEqual(ZERO);
    expect(codeOf(() => wait(maker, { affixes: 8 }, { with: all }))).toBe("odds.never");
    expect(codeOf(() => chance(maker, { affix: "Stedy" }, { in: 9, with: few }))).toBe("argument.range");
  });

  test("a wait that may never end has chances, but no mean and no quantiles", () => {
    const never = wait(maker, { affixes: 8 }, { with: { ...few, states: 1 } });
    expect(boundsOf(never.upTo(10)).least.numerator).toBe(0n);
    expect(boundsOf(never.from(10)).most).toEqual(ONE);
    for (const call of [() => never.mean, () => never.variance, () => never.quantile("1/2")]) {
      expect(codeOf(call)).toBe("odds.work");
    }
  });
});

test("collect refuses results that one attempt could have together", () => {
  const mill = createMill({ seed: "within" });
  const weapon: Source = mill.recipe("weapon", "weapon");
  const refused = [
    [{ prefix: "burnished" }, { suffix: "x" }],
    [{ prefix: "burnished" }, { prefix: "burnished" }],
    [{ prefix: "any" }, { prefix: "burnished" }],
  ];
  for (const set of refused) expect(codeOf(() => collect(weapon, set))).toBe("argument.type");
  const both = collect(weapon, [{ prefix: "burnished" }, { prefix: null }]);
  expect(boundsOf(both.upTo(2)).least.numerator).toBeGreaterThan(0n);
  const wide: Certified = { least: fraction(1n, 2n), most: subtract(ONE, fraction(1n, 8n)) };
  expect(codeOf(() => collectWithin([wide, wide], 1, noWork))).toBe("odds.work");
});
