import { expect, test } from "vitest";
import { Work } from "../../src/calls/index.js";
import { add, type Fraction, fraction, multiply, ONE, toNumber, ZERO } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { Clocks, SetGoal, UnionGoal } from "../../src/instruments/clocks.js";
import type { Certified } from "../../src/instruments/distribution.js";
import { Draws, setDraws } from "../../src/instruments/draws.js";
import { chance, collect, luck, wait } from "../../src/instruments/index.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { near } from "./near.js";
import { encloses, integers } from "./random.js";

const SPECS = IS_SOAK ? 500 : 40;
const mill = createMill({ seed: "clocks" });
const newWork = () => new Work("test");

function exact(value: Certified): Fraction {
  if (!("numerator" in value)) throw new Error("the case is too large to be exact");
  return value;
}

test("random small pools: the bounds enclose the fractions of the polynomials, and the moments", () => {
  const random = integers(31);
  for (let spec = 0; spec < SPECS; spec++) {
    const held = Array.from({ length: 2 + random(4) }, () => ({ mass: BigInt(1 + random(9)), copies: 1 + random(4) }));
    const wanted = held.slice(0, 1 + random(held.length - 1));
    const others = held.slice(wanted.length);
    const copies = held.map(({ mass, copies: left }, i) => ({
      mass,
      left,
      initial: left,
      isWanted: i < wanted.length,
    }));
    const all = wanted.reduce((sum, { copies: own }) => sum + own, 0);
    const times = 1 + random(all);
    const goal = wanted.length === 1 ? new SetGoal([{ ...wanted[0], needed: times }]) : new UnionGoal(wanted, times);
    const clocks = new Clocks(goal, others, newWork);
    const known = new Draws(copies, newWork).wait(times);
    const n = times + random((known.most ?? 0) - times + 1);
    const bits = 16 + random(40);
    if (n < (known.most ?? 0)) expect(encloses(clocks.upTo(n, bits), exact(known.upTo(n))), `${spec}`).toBe(true);
    if (spec % 10 > 0) continue;
    const { mean, square } = clocks.moments(bits);
    expect(encloses(mean.bounds, exact(known.mean))).toBe(true);
    expect(encloses(square.minus(mean.times(mean)).bounds, exact(known.variance))).toBe(true);
  }
});

/** The distribution of the number of the first record in n draws, over all states of the stock. */
function countOfFirst(stock: readonly number[], masses: readonly number[], n: number): Fraction[] {
  let states = new Map([[stock.join(" "), ONE]]);
  for (let i = 0; i < n; i++) {
    const next = new Map<string, Fraction>();
    for (const [state, p] of states) {
      const left = state.split(" ").map(Number);
      const whole = left.reduce((sum, copies, record) => sum + copies * masses[record], 0);
      for (const [record, copies] of left.entries()) {
        const to = left.map((other, j) => other - Number(j === record)).join(" ");
        const q = fraction(BigInt(copies * masses[record]), BigInt(whole));
        if (copies > 0) next.set(to, add(next.get(to) ?? ZERO, multiply(p, q)));
      }
    }
    states = next;
  }
  const counts = Array<Fraction>(stock[0] + 1).fill(ZERO);
  for (const [state, p] of states) {
    const found = stock[0] - Number(state.split(" ")[0]);
    counts[found] = add(counts[found], p);
  }
  return counts;
}

test("pools with large masses: chance, luck and wait agree with a dynamic programme over the stock", () => {
  const random = integers(32);
  for (let spec = 0; spec < (IS_SOAK ? 100 : 5); spec++) {
    const masses = Array.from({ length: 3 + random(2) }, () => 1 + random(2 ** (4 + random(24))));
    const stock = masses.map(() => 1 + random(3));
    masses.push(99_999_989);
    stock.push(2);
    const records = masses.map((mass, i) => ({ id: `r${i}`, mass, quantity: stock[i] }));
    const pool = createMill({ seed: "x" })
      .pools("bag", { roots: { i: { kind: "finite", records } } })
      .pool("i");
    const n = 1 + random(6);
    const counts = countOfFirst(stock, masses, n);
    const from = (k: number) => counts.slice(k).reduce(add, ZERO);
    expect(Math.abs(near(chance(pool, "r0", { in: n })) / toNumber(from(1)) - 1)).toBeLessThan(2e-12);
    const { fewer, equal, more } = luck(pool, { r0: 1 }, { in: n }).r0;
    for (const [got, wanted] of [
      [fewer, counts[0]],
      [equal, counts[1]],
      [more, from(2)],
    ] as const) {
      if ("least" in got) expect(encloses(got, wanted)).toBe(true);
      else expect(got).toEqual(wanted);
    }
    const median = wait(pool, "r0").quantile("1/2");
    if (median > 7) continue;
    const reached = (m: number) => 1 - toNumber(countOfFirst(stock, masses, m)[0]);
    expect([reached(median) >= 0.5, median > 1 && reached(median - 1) >= 0.5]).toEqual([true, false]);
  }
});

/** The probability that n draws have each of the first records `needed` times. An exhausted stock is refreshed. */
function setChance(stock: readonly number[], masses: readonly number[], n: number, wanted: number, needed: number) {
  let states = new Map([[`${stock.join(" ")}|${Array(wanted).fill(needed).join(" ")}`, ONE]]);
  for (let i = 0; i < n; i++) {
    const next = new Map<string, Fraction>();
    for (const [state, p] of states) {
      const [present, missing] = state.split("|").map((part) => part.split(" ").map(Number));
      const left = present.every((copies) => copies === 0) ? stock : present;
      const whole = left.reduce((sum, copies, record) => sum + copies * masses[record], 0);
      for (const [record, copies] of left.entries()) {
        if (copies === 0) continue;
        const minus = (values: readonly number[]) =>
          values.map((v, j) => Math.max(0, v - Number(j === record))).join(" ");
        const q = fraction(BigInt(copies * masses[record]), BigInt(whole));
        const to = `${minus(left)}|${minus(missing)}`;
        next.set(to, add(next.get(to) ?? ZERO, multiply(p, q)));
      }
    }
    states = next;
  }
  return [...states].reduce((sum, [state, p]) => (/[1-9]/.test(state.split("|")[1]) ? sum : add(sum, p)), ZERO);
}

test("sets of records: the bounds enclose a dynamic programme over the stock, across refreshes", () => {
  const random = integers(33);
  for (let spec = 0; spec < SPECS; spec++) {
    const masses = Array.from({ length: 2 + random(3) }, () => 1 + random(20));
    const stock = masses.map(() => 1 + random(2));
    const [wanted, needed] = [1 + random(masses.length), 1 + random(3)];
    const records = masses.map((mass, i) => ({
      mass: BigInt(mass),
      left: stock[i],
      initial: stock[i],
      needed: i < wanted ? needed : 0,
    }));
    const set = setDraws(records, newWork);
    const n = set.least + random(Math.min(8, (set.most ?? 0) - set.least + 1));
    const value = set.upTo(n);
    const chance = setChance(stock, masses, n, wanted, needed);
    if ("least" in value) expect(encloses(value, chance), `${spec}`).toBe(true);
    else expect(value).toEqual(chance);
  }
});

test("sets of cards: mean and quantiles", () => {
  const deck = Array.from({ length: 52 }, (_, i) => ({ id: `c${i}`, quantity: 1 }));
  const pool = mill.pools("deck", { roots: { i: { kind: "finite", records: deck } } }).pool("i");
  const hearts = collect(
    pool,
    deck.slice(0, 13).map(({ id }) => id),
  );
  expect(near(hearts.mean)).toBeCloseTo((13 * 53) / 14, 10);
  expect(["1/2", "9/10"].map((p) => hearts.quantile(p))).toEqual([50, 52]);
  expect(collect(pool, ["c0", "c1", "c2", "c3"]).mean).toEqual(fraction(212n, 5n));
  expect(collect(pool, ["c0"], { copies: 2 }).least).toBe(53);
  expect(
    near(
      collect(
        pool,
        deck.map(({ id }) => id),
      ).variance,
    ),
  ).toBe(0);
});

test("the pool of three records", () => {
  const others = [
    { mass: 2n, copies: 1 },
    { mass: 3n, copies: 2 },
  ];
  const clocks = new Clocks(new SetGoal([{ mass: 1n, copies: 1, needed: 1 }]), others, newWork);
  const values = [1, 2, 3].map((n) => near(clocks.upTo(n, 64)));
  for (const [i, value] of [1 / 9, 16 / 63, 59 / 126].entries()) expect(values[i]).toBeCloseTo(value, 12);
});

const records = Array.from({ length: 40 }, (_, i) => ({ id: `r${i}`, mass: 1 + i ** 3, quantity: 1 + (i % 20) }));
const copies = records.reduce((sum, { quantity }) => sum + quantity, 0);
const roots = { i: { kind: "finite", records } } as const;
const large = mill.pools("large", { roots }).pool("i");

test("a large pool: 10⁶ draws of the kernel", () => {
  const passes = Math.floor(1_000_000 / copies);
  const ids = mill
    .pools("draws", { roots })
    .pool("i")
    .drawMany(passes * copies);
  const drawn = Array.from(ids);
  for (const [id, n] of [
    ["r7", 200],
    ["r37", 20],
  ] as const) {
    let hits = 0;
    for (let pass = 0; pass < passes; pass++) hits += Number(drawn.indexOf(id, pass * copies) < pass * copies + n);
    const p = near(chance(large, id, { in: n }));
    // five standard deviations: an error of the first kind of 6 · 10⁻⁷
    expect(Math.abs(hits - passes * p)).toBeLessThan(5 * Math.sqrt(passes * p * (1 - p)));
  }
});

test("probabilities that cannot be enclosed are refused", () => {
  const rare = [
    { id: "a", mass: 1, quantity: 60 },
    { id: "b", mass: 1_000_003, quantity: 100 },
  ];
  const pool = mill.pools("rare", { roots: { i: { kind: "finite", records: rare } } }).pool("i");
  expect(codeOf(() => chance(pool, "a", { in: 50, exactly: 50 }))).toBe("odds.work");
  const first = near(chance(pool, "a", { in: 6, exactly: 6 }));
  const exact = Array.from({ length: 6 }, (_, i) => (60 - i) / (60 - i + 100_000_300)).reduce((p, q) => p * q);
  expect(first / exact).toBeCloseTo(1, 11);
});

test("a large pool: the wait for more copies than a stock has", () => {
  const two = wait(large, "r0", { times: 2 });
  expect(two.least).toBe(copies + 1);
  expect(two.most).toBe(2 * copies);
  expect(near(two.mean)).toBeCloseTo(copies + near(wait(large, "r0").mean), 9);
  expect(two.upTo(2 * copies)).toEqual(ONE);
});
