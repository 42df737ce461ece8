import { expect, test } from "vitest";
import { add, type Fraction, fraction, multiply, ONE, ZERO } from "../../src/fractions.js";
import { createMill, type Parsed } from "../../src/index.js";
import { chance, collect, wait } from "../../src/instruments/chance.js";
import { parseDrops } from "../../src/tables/index.js";
import { IS_SOAK } from "../soak.js";
import { integers } from "./random.js";

const SPECS = IS_SOAK ? 500 : 120;

function parsed<T>({ spec, issues }: Parsed<T>): T {
  if (spec === undefined) throw new Error(JSON.stringify(issues));
  return spec;
}

const text = (value: unknown) => JSON.stringify(value);

/** The distribution of states after attempts, each of which changes a state in one of several ways. */
function after(
  attempts: number,
  start: string,
  ways: (state: string) => readonly (readonly [next: string, p: Fraction])[],
): Map<string, Fraction> {
  let states = new Map([[start, ONE]]);
  for (let i = 0; i < attempts; i++) {
    const next = new Map<string, Fraction>();
    for (const [state, p] of states) {
      for (const [to, q] of ways(state)) next.set(to, add(next.get(to) ?? ZERO, multiply(p, q)));
    }
    states = next;
  }
  return states;
}

function total(states: Map<string, Fraction>, isWanted: (state: string) => boolean): Fraction {
  return [...states].reduce((sum, [state, p]) => (isWanted(state) ? add(sum, p) : sum), ZERO);
}

test("lists: chance, wait and collect", () => {
  const random = integers(1);
  for (let spec = 0; spec < SPECS; spec++) {
    const weights = Array.from({ length: 2 + random(3) }, () => 1 + random(6));
    const sum = weights.reduce((a, b) => a + b);
    const list = createMill({ seed: "x" }).weighted("list", Object.fromEntries(weights.map((w, i) => [`r${i}`, w])));
    const copies = 1 + random(2);
    // a state has the number of each result, at most 9
    const states = after(5, "0".repeat(weights.length), (state) =>
      weights.map(
        (w, i) =>
          [state.slice(0, i) + (Number(state[i]) + 1) + state.slice(i + 1), fraction(BigInt(w), BigInt(sum))] as const,
      ),
    );
    const k = 1 + random(3);
    expect(text(chance(list, "r0", { in: 5, atLeast: k }))).toBe(text(total(states, (s) => Number(s[0]) >= k)));
    expect(text(chance(list, "r0", { in: 5, exactly: k }))).toBe(text(total(states, (s) => Number(s[0]) === k)));
    expect(text(wait(list, "r1", { times: k }).upTo(5))).toBe(text(total(states, (s) => Number(s[1]) >= k)));
    const set = collect(list, ["r0", "r1"], { copies });
    expect(text(set.upTo(5))).toBe(text(total(states, (s) => Number(s[0]) >= copies && Number(s[1]) >= copies)));
  }
});

test("finite pools: chance, wait and collect, across refreshes", () => {
  const random = integers(2);
  for (let spec = 0; spec < SPECS; spec++) {
    const records = Array.from({ length: 2 + random(4) }, (_, i) => ({
      id: `r${i}`,
      mass: 1 + random(4),
      quantity: 1 + random(2),
    }));
    const pool = createMill({ seed: "x" })
      .pools("bag", { roots: { i: { kind: "finite", records } } })
      .pool("i");
    const drawn = random(3);
    for (let i = 0; i < drawn; i++) pool.draw();
    const stock = pool.records.map(({ quantity = 0 }) => quantity);
    const copies = records.reduce((sum, { quantity }) => sum + quantity, 0);
    const n = 1 + random(Math.min(7, copies + 2));
    // a state has the stock, and the number of wanted records that were drawn
    const states = after(n, `${stock.join(" ")}|0|0`, (state) => {
      const [left, a, b] = state.split("|");
      let now = left.split(" ").map(Number);
      if (now.every((quantity) => quantity === 0)) now = records.map(({ quantity }) => quantity);
      const whole = now.reduce((sum, quantity, i) => sum + quantity * records[i].mass, 0);
      return now.flatMap((quantity, i) => {
        if (quantity === 0) return [];
        const next = now.map((other, j) => (i === j ? other - 1 : other)).join(" ");
        const to = `${next}|${Number(a) + Number(i === 0)}|${Number(b) + Number(i === 1)}`;
        return [[to, fraction(BigInt(quantity * records[i].mass), BigInt(whole))] as const];
      });
    });
    const counts = (state: string) => state.split("|").slice(1).map(Number);
    const k = 1 + random(2);
    expect(text(chance(pool, "r0", { in: n, atLeast: k }))).toBe(text(total(states, (s) => counts(s)[0] >= k)));
    expect(text(chance(pool, "r0", { in: n, exactly: k }))).toBe(text(total(states, (s) => counts(s)[0] === k)));
    expect(text(wait(pool, "r0", { times: k }).upTo(n))).toBe(text(total(states, (s) => counts(s)[0] >= k)));
    const either = chance(pool, { any: ["r0", "r1"] }, { in: n });
    expect(text(either)).toBe(text(total(states, (s) => counts(s)[0] + counts(s)[1] > 0)));
    const both = collect(pool, ["r0", "r1"]).upTo(n);
    expect(text(both)).toBe(text(total(states, (s) => counts(s)[0] > 0 && counts(s)[1] > 0)));
  }
});

test("drops: chance, wait and collect", () => {
  const random = integers(3);
  for (let spec = 0; spec < SPECS; spec++) {
    const weights = Array.from({ length: 3 }, () => 1 + random(4));
    const [none, sides, plus, always] = [random(3), 1 + random(2), random(2), random(4) === 0];
    const quantities = weights.map(() => 1 + random(2));
    const whole = weights.reduce((a, b) => a + b) + none;
    const entries = weights.map((weight, i) => ({ result: `r${i}`, weight, quantity: quantities[i] }));
    const input: unknown = {
      rolls: `1d${sides}+${plus}` as const,
      table: { rows: [{ columns: [...entries, ...(none > 0 ? [{ result: null, weight: none }] : [])] }] },
      ...(always ? { always: [{ result: "r0" }] } : {}),
    };
    const drops = createMill({ seed: "x" }).drops("chest", parsed(parseDrops(input)));
    const roll = (state: string) => [
      ...weights.map((weight, i) => {
        const numbers = state.split(" ").map(Number);
        numbers[i] += quantities[i];
        return [numbers.join(" "), fraction(BigInt(weight), BigInt(whole))] as const;
      }),
      [state, fraction(BigInt(none), BigInt(whole))] as const,
    ];
    const n = 1 + random(3);
    const states = after(n, "0 0 0", (state) => {
      const ways: [string, Fraction][] = [];
      const [a, ...rest] = state.split(" ").map(Number);
      const from = [a + Number(always), ...rest].join(" ");
      for (let side = 1; side <= sides; side++) {
        for (const [to, p] of after(side + plus, from, roll)) ways.push([to, multiply(p, fraction(1n, BigInt(sides)))]);
      }
      return ways;
    });
    const counts = (state: string) => state.split(" ").map(Number);
    const k = 1 + random(5);
    expect(text(chance(drops, "r0", { in: n, atLeast: k }))).toBe(text(total(states, (s) => counts(s)[0] >= k)));
    expect(text(chance(drops, "r1", { in: n, exactly: k }))).toBe(text(total(states, (s) => counts(s)[1] === k)));
    expect(text(wait(drops, "r1", { times: k }).upTo(n))).toBe(text(total(states, (s) => counts(s)[1] >= k)));
    const both = collect(drops, ["r0", "r1"]).upTo(n);
    expect(text(both)).toBe(text(total(states, (s) => counts(s)[0] > 0 && counts(s)[1] > 0)));
  }
});
