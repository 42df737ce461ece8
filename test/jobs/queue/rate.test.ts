import { describe, expect, test } from "vitest";
import { rateOf } from "../../../src/jobs/queue/status.js";

/** `count` tickets that ended at equal intervals, the last one now. */
function tickets(count: number, everyMs: number, isOwn = true) {
  return Array.from({ length: count }, (_, k) => ({ finishedOn: NOW - k * everyMs, isOwn }));
}

const NOW = 1_000_000;

describe("the rate of a job in a queue", () => {
  test("counts the tickets of the last 30 seconds", () => {
    const rate = rateOf([...tickets(100, 500), { finishedOn: NOW - 40_000, isOwn: true }], {
      nowMs: NOW,
      sinceMs: 0,
      isCut: false,
    });
    expect(rate).toBeCloseTo(2, 1);
  });

  test("a new submission: only the time since then counts", () => {
    expect(rateOf(tickets(10, 500), { nowMs: NOW, sinceMs: NOW - 5000, isCut: false })).toBeCloseTo(2, 1);
  });

  test("more tickets in the window than the queue keeps", () => {
    expect(rateOf(tickets(1000, 5), { nowMs: NOW, sinceMs: 0, isCut: true })).toBeCloseTo(200, 0);
  });

  test("tickets of other jobs fill the list: the own ones are not spread over the whole window", () => {
    const mixed = tickets(1000, 5).map((ticket, k) => ({ ...ticket, isOwn: k % 4 === 0 }));
    expect(rateOf(mixed, { nowMs: NOW, sinceMs: 0, isCut: true })).toBeCloseTo(50, 0);
  });

  test("no ticket", () => {
    expect(rateOf([], { nowMs: NOW, sinceMs: 0, isCut: false })).toBe(0);
  });
});
