import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  hasStrace,
  isFlush,
  killAtCalls,
  killAtRandom,
  listCalls,
  prepare,
  prepareExtend,
  prepareFrom,
  randomFrom,
  remove,
} from "./kills.mjs";

/** Kills at calls of the system: at any calls, and at flushes and renames of parts. `npm run soak` kills at every one. */
const CALL_KILLS = 2;
const FLUSH_KILLS = 2;
const RANDOM_KILLS = 2;

let prepared: Awaited<ReturnType<typeof prepare>>;
beforeAll(async () => {
  prepared = await prepare();
});
afterAll(() => remove(prepared));

test("a job that is killed at random moments has the same digest", async () => {
  const folder = join(prepared.root, "random");
  const kills = await killAtRandom(prepared, { folder, threads: 2, most: RANDOM_KILLS, random: randomFrom(7) });
  expect(kills).toBeGreaterThan(0);
});

// only Linux has strace; under CI it must be there
const isSkipped = !hasStrace() && process.env.CI === undefined;

/** A rename while a job takes parts of an earlier one, or while it makes the parts that it does not have. */
const TAKES = { thread: "main", call: "rename", n: 9 } as const;
const MAKES = { thread: "pool", call: "rename", n: 4 } as const;
/** The flush after the rename of the new manifest of a job that grows. */
const GROWS = { thread: "main", call: "fsync", n: 4 } as const;

test.skipIf(isSkipped).each([
  ["takes parts of an earlier job", prepareFrom, [TAKES, MAKES]],
  ["grows", prepareExtend, [GROWS]],
] as const)("a job that %s is killed, and has the same digest", async (_, prepareChange, calls) => {
  // throws if a job is not killed, or has another digest
  await expect(killAtCalls(await prepareChange(prepared), calls)).resolves.toBeUndefined();
});

test.skipIf(isSkipped)(
  "a job that is killed at a call that changes its folder has complete files and the same digest",
  async () => {
    const calls = await listCalls(prepared);
    const flushes = calls.filter((call) => call.thread === "pool" && isFlush(call));
    // each part has a flush of the file, a rename, and a flush of the folder
    const files = readdirSync(join(prepared.root, "whole", "parts"), { recursive: true, encoding: "utf8" });
    const parts = files.filter((file) => file.endsWith(".part"));
    expect(flushes.length).toBeGreaterThanOrEqual(3 * parts.length);
    const random = randomFrom(3);
    const choose = (from: typeof calls, count: number) =>
      Array.from({ length: count }, () => from[Math.floor(random() * from.length)]);
    // each call once: two kills at the same call would use the same folder
    const chosen = [...new Set([...choose(calls, CALL_KILLS), ...choose(flushes, FLUSH_KILLS)])];
    // throws if a job has another digest
    await expect(killAtCalls(prepared, chosen)).resolves.toBeUndefined();
  },
);
