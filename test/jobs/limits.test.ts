import { availableParallelism } from "node:os";
import { describe, expect, test } from "vitest";
import { limitsOf } from "../../src/jobs/plan/space.js";
import { codeOf } from "../refusal.js";

const MIB = 2 ** 20;

describe("limits", () => {
  test("that are missing are filled in: one thread for each core; with nice, one core is left to others", () => {
    const threads = availableParallelism();
    expect(limitsOf({ maxMemory: 2 ** 40 })).toEqual({ threads, maxMemory: 2 ** 40, nice: false });
    expect(limitsOf({ maxMemory: 2 ** 40, nice: true }).threads).toBe(Math.max(1, threads - 1));
    expect(limitsOf({ threads: 1 }).maxMemory).toBeLessThanOrEqual(2 ** 30);
  });

  test.each([
    [1, 64],
    [4, 64],
    [8, 128],
    [1024, 16_384],
  ])("%i threads need %i MiB", (threads, mib) => {
    expect(limitsOf({ threads, maxMemory: mib * MIB })).toEqual({ threads, maxMemory: mib * MIB, nice: false });
    expect(codeOf(() => limitsOf({ threads, maxMemory: mib * MIB - 1 }))).toBe("argument.range");
  });

  test.each([0, 1025, 1.5, "2", 2n])("%s threads make no sense", (threads) => {
    expect(codeOf(() => limitsOf({ threads: threads as number }))).toBe("argument.range");
  });
});
