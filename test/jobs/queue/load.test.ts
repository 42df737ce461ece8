import { describe, expect, test } from "vitest";
import { otherLoad } from "../../../src/jobs/runner/load.js";

/** Simulates a machine for some seconds: its load is an exponential average over a minute, as on Linux. */
function simulate(seconds: number, runs: (second: number) => { own: number; others: number }): number[] {
  let load = 0;
  const other = otherLoad(8, () => load);
  const samples: number[] = [];
  for (let second = 0; second <= seconds; second += 5) {
    const { own, others } = runs(second);
    const kept = Math.exp(-5 / 60);
    if (second > 0) load = load * kept + (own + others) * (1 - kept);
    samples.push(other(second * 1000, own));
  }
  return samples;
}

describe("otherLoad", () => {
  test("own tasks are no load of others, while they run and after they end", () => {
    const samples = simulate(600, (second) => ({ own: second < 300 ? 8 : 0, others: 0 }));
    for (const sample of samples) expect(sample).toBeCloseTo(0, 9);
  });

  test("the load of others arrives within minutes, however many own tasks run", () => {
    const samples = simulate(600, (second) => ({ own: second % 100 < 50 ? 4 : 0, others: 3 }));
    expect(samples.at(-1)).toBeCloseTo(3, 3);
    expect(samples[12]).toBeGreaterThan(1.8);
  });

  test("a ticket that waits for a thread is no load", () => {
    // 4 threads hold 8 tickets, so the load of the machine is 4 and that of the others
    const other = otherLoad(4, () => 4 + 3);
    let sample = 0;
    for (let second = 0; second <= 600; second += 5) sample = other(second * 1000, 8);
    expect(sample).toBeCloseTo(3, 3);
  });

  test("is never negative", () => {
    const other = otherLoad(4, () => 0);
    other(0, 4);
    expect(other(60_000, 4)).toBe(0);
  });
});
