import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { Redis as Client } from "ioredis";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { queueStatus, runOnQueue } from "../../../src/bullmq/index.js";
import { CODE_HASH } from "../../../src/jobs/codeHash.js";
import { IS_SOAK } from "../../soak.js";
import { hasProgram, otherBuild, Redis, rollmill, Shared, WorkerProcess, type WorkerSettings } from "./cluster.mjs";
import { FEW, LONG, MANY_LONG } from "./jobs.mjs";

// under CI a server that is not there fails its tests
const isCi = process.env.CI !== undefined;
const hasRedis = hasProgram("redis-server") || isCi;
const postgres = process.env.ROLLMILL_TEST_POSTGRES;

const shared = new Shared();
const redis = new Redis();
const build = otherBuild(new RegExp(CODE_HASH, "g"), "0".repeat(64));
const format = otherBuild(/!== 5(?= && \w+\(\w+\("job\.version")/g, "!== 99");
beforeAll(async () => {
  if (hasRedis) await redis.start();
});
afterAll(async () => {
  if (hasRedis) await redis.stop();
  build.remove();
  format.remove();
  shared.remove();
});

const QUEUES = [
  { title: hasRedis ? "Redis" : "Redis (skipped: no redis-server)", skip: !hasRedis },
  {
    title: postgres ? "PostgreSQL" : "PostgreSQL (skipped: ROLLMILL_TEST_POSTGRES is not set)",
    skip: !postgres && !isCi,
  },
];
const addressOf = (title: string): readonly string[] =>
  title.startsWith("Redis") ? ["--redis", redis.url] : ["--postgres", postgres ?? "", "--prefix", `s${process.pid}`];

function newWorker(settings: WorkerSettings): WorkerProcess {
  const worker = new WorkerProcess(settings);
  onTestFinished(async () => {
    await worker.end();
  });
  return worker;
}

function newShared(): Shared {
  const other = new Shared();
  onTestFinished(() => other.remove());
  return other;
}

const folderOf = (name: string) => join(shared.root, name);
const create = (name: string, job: object) =>
  rollmill("job", "start", shared.spec(name, job), folderOf(name), "--seed", "moria", "--no-run");
const submit = (name: string, ...words: readonly string[]) => rollmill("job", "submit", folderOf(name), ...words);
const doneTasks = ({ lines }: WorkerProcess) => lines.filter((line) => line.startsWith("done: task")).length;

/** Copies a folder of a running job. Begins again if a lock or a temporary file has gone before its turn. */
function copyWhileInUse(from: string, to: string): void {
  for (let tries = 1; ; tries++) {
    try {
      cpSync(from, to, { recursive: true });
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" || tries === 10) throw error;
    }
  }
}

describe.each(QUEUES)("workers that do not have the job, over $title (audit 4b)", ({ title, skip }) => {
  const kind = title.split(" ")[0];
  // takes PostgreSQL a minute; the rule is the same for every queue
  const isLong = kind === "PostgreSQL" && !IS_SOAK;

  test.skipIf(skip || isLong)("give its tickets back, and the job ends with the right digest", async () => {
    const address = addressOf(title);
    const name = `job-${kind}`;
    const here = `here-${kind}`;
    await rollmill("job", "start", shared.spec(here, FEW), folderOf(here), "--seed", "moria", "--yes");
    await create(name, FEW);
    const [elsewhere, before, after] = [newShared(), newShared(), newShared()];
    cpSync(shared.root, before.root, { recursive: true });
    await submit(name, ...address);
    // with the times of the files, as a backup program copies them
    cpSync(shared.root, after.root, { recursive: true, preserveTimestamps: true });
    const places = [
      { root: elsewhere.root },
      { root: before.root },
      { root: after.root },
      { root: shared.root, bin: build.bin },
      { root: shared.root, bin: format.bin },
    ];
    const wrong: WorkerProcess[] = [];
    // one after another: the earlier ones pause, so each one gets the ticket of the first step, and complains
    for (const place of places) {
      const worker = newWorker({ address, ...place, threads: 1 });
      expect(await worker.line(/^given back: a step .*\[(queue\.root|job\.version)\]$/)).toBeDefined();
      wrong.push(worker);
    }
    // a worker that has the ticket for a moment, before it gives it back, makes the submission run
    const status = async () => {
      const { stdout } = await rollmill("job", "status", folderOf(name), "--json", ...address);
      return JSON.parse(stdout).data.queue;
    };
    const waiting = { submission: "waiting", reason: expect.stringContaining("job.version") };
    await expect.poll(status).toMatchObject(waiting);

    const right = newWorker({ address, root: shared.root });
    const isFinished = () => existsSync(join(folderOf(name), "result.json"));
    await expect.poll(isFinished).toBe(true);
    expect(shared.digest(name)).toBe(shared.digest(here));
    expect(wrong.map(doneTasks)).toEqual(wrong.map(() => 0));
    expect(doneTasks(right)).toBeGreaterThan(0);
    for (const { root } of [before, after]) expect(existsSync(join(root, name, "parts"))).toBe(false);
  });

  test.skipIf(skip)("a copy of the folder that is made while the job runs gets no tasks", async () => {
    const address = addressOf(title);
    const name = `copied-${kind}`;
    await create(name, LONG);
    const right = newWorker({ address, root: shared.root, threads: 1 });
    await right.ready();
    const begun = right.line(/^begun: task/);
    await submit(name, ...address);
    await begun;
    const copy = newShared();
    copyWhileInUse(shared.root, copy.root);
    const wrong = newWorker({ address, root: copy.root, more: ["--grace", "0"] });
    expect(await wrong.line(/^given back: task .*queue\.root/)).toBeDefined();
    expect(doneTasks(wrong)).toBe(0);
    await rollmill("job", "pause", folderOf(name));
  });

  // 128 tickets go round and round
  test.skipIf(skip || isLong)("a job that no worker has waits, says so, and does not hold up other jobs", async () => {
    const address = addressOf(title);
    const name = `nobody-${kind}`;
    // the worker passes fewer tickets than these before the first of them is in the queue again
    await create(name, MANY_LONG);
    const reasons: string[] = [];
    const stop = new AbortController();
    const onWait = (reason: string) => void reasons.push(reason);
    const url = { [address[0].slice(2)]: address[1], ...(address.length > 2 && { prefix: address[3] }) };
    const ended = runOnQueue(folderOf(name), { ...url, signal: stop.signal, onWait }).catch((cause) => cause);
    await expect.poll(() => reasons).toContainEqual(expect.stringContaining("no worker"));
    // the tickets of its tasks are in the queue when its only worker ends
    const right = newWorker({ address, root: shared.root, more: ["--grace", "0"] });
    await right.line(new RegExp(`^begun: task .* of ${name}$`));
    await right.end("SIGTERM");

    const other = newShared();
    const wrong = newWorker({ address, root: other.root });
    expect(await wrong.line(/^given back: task .*queue\.root/)).toBeDefined();
    await expect.poll(() => reasons.at(-1)).toContain(other.root);
    const spec = other.spec("own", FEW);
    await rollmill("job", "submit", spec, join(other.root, "own-job"), "--seed", "moria", "--wait", ...address);
    expect(other.digest("own-job")).toMatch(/^[\da-f]{64}$/);
    stop.abort(new Error("enough"));
    expect(await ended).toMatchObject({ message: "enough" });
  });
});

describe.skipIf(!hasRedis)("a queue that lost its tickets (audit 4b)", () => {
  test("is reported, with what to do", async () => {
    const address = ["--redis", redis.url];
    await create("emptied", LONG);
    const ended = runOnQueue(folderOf("emptied"), { redis: redis.url }).catch((cause) => cause);
    await expect.poll(stateOf).toBe("waiting");
    const client = new Client(redis.url);
    await client.flushall();
    await client.quit();
    expect(await ended).toMatchObject({ code: "queue.failed", message: expect.stringContaining("job submit") });
    expect(await stateOf()).toBe("lost");
    const { stderr } = await rollmill("job", "status", folderOf("emptied"), ...address);
    expect(stderr).toMatch(/^to go on: rollmill job submit \S+emptied --redis redis:/);
    // the second submission is there
    await submit("emptied", ...address);
    expect(await stateOf()).toBe("waiting");
  });

  const stateOf = async () => (await queueStatus(folderOf("emptied"), { redis: redis.url })).submission?.state;
});
