import { describe, expect, test } from "vitest";
import { type Fraction, fraction } from "../../src/fractions.js";
import { Trials } from "../../src/instruments/binomial.js";
import { near } from "./near.js";
import { encloses } from "./random.js";

const p = (n: number, d: number): Fraction => fraction(BigInt(n), BigInt(d));

describe("the oracles", () => {
  test("1/400: at least one in 50, 100, 1000; how many for 50, 90, 99 %", () => {
    const wait = new Trials(p(1, 400)).wait(1);
    const chances = [50, 100, 1000].map((n) => near(wait.upTo(n)).toFixed(6));
    expect(chances).toEqual(["0.117641", "0.221443", "0.918172"]);
    expect([0.5, 0.9, "99/100"].map((q) => wait.quantile(q))).toEqual([277, 920, 1840]);
  });

  test("1/128, 2 in 500: fewer, equal, more", () => {
    const count = new Trials(p(1, 128)).count(500);
    expect(near(count.upTo(1)).toFixed(7)).toBe("0.0978001");
    expect(near(count.at(2)).toFixed(7)).toBe("0.1532176");
    expect(near(count.from(3)).toFixed(7)).toBe("0.7489822");
  });
});

test("bounds enclose the exact value", () => {
  const count = new Trials(p(3, 7)).count(900);
  for (const part of ["at", "upTo", "from"] as const) {
    for (const k of [1, 2, 200, 385, 386, 387, 500, 898, 899]) {
      const bounds = count.enclose(part, k, 160);
      expect(encloses(bounds, count[part](k) as Fraction)).toBe(true);
      near(bounds);
    }
  }
});

test("a million attempts take bounds", () => {
  const count = new Trials(p(1, 3)).count(1_000_000);
  expect(near(count.upTo(333_333))).toBeCloseTo(0.5, 2);
  expect(near(count.upTo(333_333)) + near(count.from(333_334))).toBeCloseTo(1, 12);
  const wait = new Trials(p(1, 1_000_000)).wait(3);
  expect(wait.quantile(0.5)).toBeGreaterThan(2_600_000);
});
