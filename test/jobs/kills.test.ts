import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countCalls, hasStrace, killAtCalls, killAtRandom, prepare, randomFrom, remove } from "./kills.mjs";

/** Kills at calls of the system; `npm run soak` kills at every one. */
const CALL_KILLS = 24;
const RANDOM_KILLS = 6;

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
test.skipIf(!hasStrace() && process.env.CI === undefined)(
  "a job that is killed at a write has the same digest",
  async () => {
    const calls = Object.entries(countCalls(prepared)).flatMap(([call, count]) =>
      Array.from({ length: count }, (_, n) => ({ call, n: n + 1 })),
    );
    const random = randomFrom(3);
    const chosen = Array.from({ length: CALL_KILLS }, () => calls[Math.floor(random() * calls.length)]);
    // throws if a job has another digest
    await expect(killAtCalls(prepared, chosen)).resolves.toBeUndefined();
  },
  180_000,
);
