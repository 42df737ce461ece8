import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Queue } from "bullmq";
import { Redis as Client } from "ioredis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { WorkerEvent } from "../../../src/bullmq/index.js";
import { hasProgram, Redis, rollmill, Shared, WorkerProcess } from "./cluster.mjs";
import { FEW, LONG } from "./jobs.mjs";

const isSkipped = !hasProgram("redis-server") && process.env.CI === undefined;

const shared = new Shared();
const redis = new Redis();
beforeAll(async () => {
  if (!isSkipped) await redis.start();
});
afterAll(async () => {
  if (!isSkipped) await redis.stop();
  shared.remove();
});

const address = (): readonly string[] => ["--redis", redis.url];
const folderOf = (name: string) => join(shared.root, name);

async function newWorker(more: readonly string[] = []): Promise<WorkerProcess> {
  const worker = new WorkerProcess({ address: address(), root: shared.root, more });
  onTestFinished(async () => {
    await worker.end();
  });
  await worker.ready();
  return worker;
}

const create = (name: string, job: object) =>
  rollmill("job", "start", shared.spec(name, job), folderOf(name), "--seed", "moria", "--no-run");
const submit = (name: string, ...more: readonly string[]) =>
  rollmill("job", "submit", folderOf(name), ...address(), ...more);
const stateOf = async (name: string) =>
  JSON.parse((await rollmill("job", "status", folderOf(name), "--json")).stdout).data.state;

/** Puts a ticket into a queue that no submission has written, as a hostile program could. */
async function addTicket(queue: string, data: unknown): Promise<void> {
  const { port } = new URL(redis.url);
  const tickets = new Queue(queue, { connection: { port: Number(port) }, prefix: "rollmill" });
  await tickets.add("hostile", data);
  await tickets.close();
}

describe.skipIf(isSkipped)("a worker", () => {
  test("writes nothing outside its root, whatever a ticket says", async () => {
    const outside = new Shared();
    onTestFinished(() => outside.remove());
    const spec = outside.spec("few", FEW);
    await rollmill("job", "start", spec, join(outside.root, "few"), "--seed", "moria", "--no-run");
    const before = readFileSync(join(outside.root, "few/manifest.json"), "utf8");
    const worker = await newWorker();
    for (const job of [`../${outside.root.split("/").at(-1)}/few`, join(outside.root, "few"), 7, null]) {
      for (const [queue, data] of [
        ["rollmill-steps", { job, generation: 1, rounds: {} }],
        ["rollmill-tasks", { job, generation: 1, phase: "walk land", k: 0 }],
      ] as const) {
        const failed = worker.line(/^failed: .*queue\.root/);
        await addTicket(queue, data);
        expect(await failed).toBeDefined();
      }
    }
    expect(existsSync(join(outside.root, "few/parts"))).toBe(false);
    expect(existsSync(join(outside.root, "few/events.ndjson"))).toBe(true);
    expect(readFileSync(join(outside.root, "few/manifest.json"), "utf8")).toBe(before);
  });

  test("ends with an error of a ticket whose data it cannot read, and goes on", async () => {
    const worker = await newWorker();
    await create("sane", FEW);
    for (const data of [{}, { job: "sane" }, { job: "sane", generation: "x", phase: 3, k: -1 }, "text", null]) {
      await addTicket("rollmill-tasks", data);
      await addTicket("rollmill-steps", data);
    }
    await submit("sane", "--wait");
    expect(await stateOf("sane")).toBe("finished");
    expect(await worker.end("SIGTERM")).toBe(0);
  });

  test("gives a job of another build back, and says so (audit 4b)", async () => {
    await create("other", FEW);
    await submit("other");
    const manifest = join(folderOf("other"), "manifest.json");
    const { checkedText } = await import("../../../src/jobs/folder/store.js");
    const { sha256: _, ...rest } = JSON.parse(readFileSync(manifest, "utf8"));
    writeFileSync(manifest, checkedText({ ...rest, code: "0".repeat(64) }));
    const worker = await newWorker();
    expect(await worker.line(/^given back: a step of other: .*job\.version/)).toBeDefined();
    expect(existsSync(join(folderOf("other"), "parts"))).toBe(false);
  });

  test("skips the tickets of a job that was cancelled (audit 4b)", async () => {
    await create("cancelled", FEW);
    await submit("cancelled");
    await rollmill("job", "cancel", folderOf("cancelled"), "--yes");
    const worker = await newWorker();
    const skipped = worker.lines.some((line) => line.startsWith("skipped: a step of cancelled"));
    if (!skipped) expect(await worker.line(/^skipped: a step of cancelled/)).toBeDefined();
    // a new job in the same folder does not wake the old tickets
    await create("cancelled", FEW);
    expect(await stateOf("cancelled")).toBe("stopped");
  });

  test("gives its tasks back when it is stopped, and another one does them", async () => {
    await create("given", LONG);
    const first = await newWorker(["--grace", "0"]);
    const begun = first.line(/^begun: task/, 2);
    await submit("given");
    await begun;
    expect(await first.end("SIGTERM")).toBe(0);
    const linesOf = (worker: WorkerProcess, begin: string) => worker.lines.filter((line) => line.startsWith(begin));
    expect(linesOf(first, "given back: task")).toHaveLength(linesOf(first, "begun: task").length);
    const second = await newWorker();
    expect(await second.line(/^begun: task/)).toBeDefined();
    await rollmill("job", "pause", folderOf("given"));
  });

  test("stops when the job is paused, skips what is left, and goes on when it is submitted again", async () => {
    await create("paused", LONG);
    const worker = await newWorker();
    const begun = worker.line(/^begun: task/);
    const skipped = worker.line(/^skipped: a step of paused/);
    await submit("paused");
    await begun;
    await expect.poll(() => stateOf("paused")).toBe("running");
    await rollmill("job", "pause", folderOf("paused"));
    expect(await skipped).toBeDefined();
    await expect.poll(() => stateOf("paused")).toBe("paused");
    const again = worker.line(/^begun: task/);
    await submit("paused");
    expect(await again).toBeDefined();
    await rollmill("job", "cancel", folderOf("paused"), "--yes");
    expect(existsSync(join(folderOf("paused"), "parts"))).toBe(false);
  });

  test("says of each ticket once that it has begun and once how it ended", async () => {
    const { startWorker } = (await import(
      new URL("../../../dist/bullmq/index.js", import.meta.url).href
    )) as typeof import("../../../src/bullmq/index.js");
    const events: WorkerEvent[] = [];
    const onEvent = (event: WorkerEvent) => void events.push(event);
    const worker = await startWorker({ redis: redis.url, root: shared.root, threads: 2, lostAfter: 2000, onEvent });
    onTestFinished(() => worker.close({ grace: 0 }));
    // the tickets of earlier tests may still be there
    const isOwn = ({ ticket }: { readonly ticket: string }) => / of (counted|taken)$/.test(ticket);
    const kindsOf = (isTask: boolean) =>
      events.flatMap((event) => ("isTask" in event && event.isTask === isTask && isOwn(event) ? [event.kind] : []));
    await create("counted", FEW);
    await submit("counted", "--wait");
    const steps = kindsOf(false);
    await expect.poll(() => kindsOf(false).length % 2).toBe(0);
    expect(steps.filter((kind) => kind === "waits").length).toBeGreaterThan(1);
    expect(kindsOf(false).filter((kind) => kind === "begun")).toHaveLength(kindsOf(false).length / 2);
    expect(kindsOf(true).filter((kind) => kind === "begun")).toHaveLength(kindsOf(true).length / 2);
    expect(kindsOf(true).filter((kind) => kind === "done")).toHaveLength(kindsOf(true).length / 2);

    // another worker gets the tickets whose locks are gone
    events.length = 0;
    await create("taken", LONG);
    await submit("taken");
    await expect.poll(() => kindsOf(true)).toContain("begun");
    const client = new Client(redis.url);
    for (const key of await client.keys("*:lock")) await client.del(key);
    await client.quit();
    await expect.poll(() => kindsOf(true)).toContain("taken");
    await rollmill("job", "pause", folderOf("taken"));
    await worker.close({ grace: 0 });
    expect(kindsOf(true).filter((kind) => kind === "begun")).toHaveLength(kindsOf(true).length / 2);
  });

  test("works on two jobs that are submitted at once", async () => {
    await create("one", FEW);
    await create("two", { ...FEW, name: "two" });
    await newWorker();
    await Promise.all([submit("one", "--wait"), submit("two", "--wait")]);
    expect(shared.digest("one")).toBe(shared.digest("two"));
  });
});

test.skipIf(isSkipped)("a worker ends when it is asked to, though its database is gone", async () => {
  const gone = new Redis();
  onTestFinished(() => gone.stop());
  await gone.start();
  const worker = new WorkerProcess({ address: ["--redis", gone.url], root: shared.root, more: ["--grace", "0"] });
  await worker.ready();
  const noticed = worker.line(/^queue: /);
  await gone.kill();
  await noticed;
  expect(await worker.end("SIGTERM")).toBe(0);
});

describe("without a queue", () => {
  test("a database that does not answer is an error within seconds", async () => {
    mkdirSync(folderOf("nowhere"), { recursive: true });
    await create("nowhere", FEW);
    for (const flag of [
      ["--redis", "redis://127.0.0.1:9"],
      ["--postgres", "postgres://127.0.0.1:9/none"],
    ]) {
      await expect(rollmill("job", "submit", folderOf("nowhere"), ...flag)).rejects.toThrow(/queue\.connect/);
      await expect(rollmill("job", "worker", "--root", shared.root, ...flag)).rejects.toThrow(/queue\.connect/);
    }
    expect(await stateOf("nowhere")).toBe("stopped");
  });

  test.each([
    [[], /cli\.usage|argument\.type/],
    [["--redis", "http://127.0.0.1"], /argument\.type/],
    [["--redis", "redis://h", "--postgres", "postgres://h/d"], /cannot be used with|conflict/i],
  ])("flags %j", async (flags, message) => {
    await expect(rollmill("job", "worker", "--root", shared.root, ...flags)).rejects.toThrow(message);
  });
});
