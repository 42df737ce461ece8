import { expect, test, vi } from "vitest";
import { createMill } from "../../src/index.js";
import { selfCheck } from "../../src/instruments/selfCheck.js";

test("the p-values of many seeds are uniform", () => {
  const tenths = Array(10).fill(0);
  for (let seed = 0; seed < 2000; seed++) {
    const list = createMill({ seed }).weighted("loot", { crown: 1, map: 4, gold: 95, gem: 30, nothing: 70 });
    const [{ p, degrees }] = selfCheck(list, { n: 20_000 });
    expect(degrees).toBe(4);
    tenths[Math.min(9, Math.floor(p * 10))]++;
  }
  // each tenth is expected 200 times, with a deviation of 13.4
  for (const count of tenths) expect(Math.abs(count - 200)).toBeLessThan(67);
});

test("wrong odds have a small p", () => {
  const mill = createMill({ seed: 1 });
  const [list, other] = [mill.weighted("a", { x: 1, y: 1 }), mill.weighted("b", { x: 101, y: 99 })];
  expect(selfCheck(list, { n: 1_000_000 })[0].p).toBeGreaterThan(1e-4);
  const wrong = other.odds() as unknown as ReturnType<typeof list.odds>;
  vi.spyOn(list, "odds").mockReturnValue(wrong);
  expect(selfCheck(list, { n: 1_000_000 })[0].p).toBeLessThan(1e-9);
});
