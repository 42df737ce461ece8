import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { queueStatus, runOnQueue, startWorker, submitJob } from "../../../src/bullmq/index.js";
import { createJob } from "../../../src/jobs/index.js";
import { VALUES } from "../../hostile/values.mjs";
import { rejectionOf } from "../../refusal.js";
import { FEW } from "./jobs.mjs";

const root = realpathSync(mkdtempSync(join(tmpdir(), "rollmill-arguments-")));
afterAll(() => rmSync(root, { recursive: true }));
const folder = join(root, "few");
await createJob(folder, FEW as never, { seed: 1 });

/** Nothing listens there: a call that gets this far ends in `queue.connect`. */
const NOWHERE = { postgres: "postgres://127.0.0.1:9/none" };

/** Every call, with one of its arguments replaced. */
const CALLS: readonly (readonly [string, (value: never) => Promise<unknown>])[] = [
  ["submitJob(…, options)", (value) => submitJob(value, NOWHERE)],
  ["submitJob(folder, …)", (value) => submitJob(folder, value)],
  ["runOnQueue(…, options)", (value) => runOnQueue(value, NOWHERE)],
  ["runOnQueue(folder, …)", (value) => runOnQueue(folder, value)],
  ["queueStatus(…, address)", (value) => queueStatus(value, NOWHERE)],
  ["queueStatus(folder, …)", (value) => queueStatus(folder, value)],
  ["startWorker(…)", (value) => startWorker(value)],
  ...["redis", "postgres", "prefix", "root"].map(
    (key) => [`submitJob ${key}`, (value: never) => submitJob(folder, { ...NOWHERE, [key]: value })] as const,
  ),
  ...["signal", "onProgress"].map(
    (key) => [`runOnQueue ${key}`, (value: never) => runOnQueue(folder, { ...NOWHERE, [key]: value })] as const,
  ),
  ...["root", "threads", "maxMemory", "nice", "pauseAbove", "lostAfter", "onEvent", "unknown"].map(
    (key) => [`startWorker ${key}`, (value: never) => startWorker({ root, ...NOWHERE, [key]: value })] as const,
  ),
];

test("a worker checks its limits before it connects to the queue", async () => {
  const limits = { threads: 8, maxMemory: 2 ** 26 };
  expect((await rejectionOf(startWorker({ root, ...NOWHERE, ...limits }))).code).toBe("argument.range");
});

describe.each(CALLS)("%s", (_, call) => {
  test.each(VALUES)("%s ends in a typed error", async (_name: string, make: () => unknown) => {
    // an address like the empty text has no server either: no hostile value makes one of these calls succeed
    await expect(call(make() as never)).rejects.toMatchObject({ name: "RollmillError" });
  });
});
