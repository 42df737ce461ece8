import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { IS_SOAK } from "../../soak.js";
import { randomFrom } from "../kills.mjs";
import { hasProgram, killWhile, Redis, rollmill, Shared, WorkerProcess } from "./cluster.mjs";
import { FEW, LONG, SOME } from "./jobs.mjs";

/** Kills of workers in the large test; `npm run soak:cluster` kills more. */
const KILLS = 6;
/** Redis is killed after this many kills of workers. */
const REDIS_KILL = 3;

// under CI a server that is not there fails its tests
const isCi = process.env.CI !== undefined;
const hasRedis = hasProgram("redis-server");
const postgres = process.env.ROLLMILL_TEST_POSTGRES;

const shared = new Shared();
const redis = new Redis();
beforeAll(async () => {
  if (hasRedis || isCi) await redis.start();
});
afterAll(async () => {
  if (hasRedis || isCi) await redis.stop();
  shared.remove();
});

const QUEUES = [
  { title: hasRedis ? "Redis" : "Redis (skipped: no redis-server)", skip: !hasRedis && !isCi },
  {
    title: postgres ? "PostgreSQL" : "PostgreSQL (skipped: ROLLMILL_TEST_POSTGRES is not set)",
    skip: !postgres && !isCi,
  },
];
const addressOf = (title: string): readonly string[] =>
  title.startsWith("Redis") ? ["--redis", redis.url] : ["--postgres", postgres ?? "", "--prefix", `t${process.pid}`];

/** Runs a job in one process; returns its digest. */
async function digestHere(name: string, job: object): Promise<string> {
  const spec = shared.spec(name, job);
  await rollmill("job", "start", spec, join(shared.root, name), "--seed", "moria", "--threads", "2", "--yes");
  return shared.digest(name);
}

function newWorker(address: readonly string[], more: object = {}): WorkerProcess {
  const worker = new WorkerProcess({ address, root: shared.root, ...more });
  onTestFinished(async () => {
    await worker.end();
  });
  return worker;
}

function flipByte(path: string, at: number): void {
  const bytes = readFileSync(path);
  bytes[at] ^= 1;
  writeFileSync(path, bytes);
}

const submit = (name: string, spec: string, address: readonly string[], ...more: string[]) =>
  rollmill("job", "submit", spec, join(shared.root, name), "--seed", "moria", "--yes", ...address, ...more);

describe.each(QUEUES)("$title", ({ title, skip }) => {
  const kind = title.split(" ")[0];

  // the second queue shares its rules with the first
  test.skipIf(skip || (kind === "PostgreSQL" && !IS_SOAK))(
    "a job on three workers that are killed has the digest of one process",
    async () => {
      const address = addressOf(title);
      const digest = await digestHere(`here-${kind}`, kind === "Redis" ? SOME : FEW);
      const spec = shared.spec(`many-${kind}`, kind === "Redis" ? SOME : FEW);
      const finished = submit(`many-${kind}-job`, spec, address, "--wait");
      const kills = kind === "Redis" ? KILLS : 4;
      const killed = await killWhile(finished, {
        kills,
        workers: 3,
        settings: { address, root: shared.root },
        random: randomFrom(17),
        onKill: async (n: number) => {
          if (kind !== "Redis" || n !== REDIS_KILL) return;
          await redis.kill();
          await redis.start();
        },
      });
      expect(shared.digest(`many-${kind}-job`)).toBe(digest);
      expect(killed).toBe(kills);
    },
  );

  test.skipIf(skip)("the task of a killed worker is begun by another one", async () => {
    const address = addressOf(title);
    const lost = newWorker(address, { threads: 1 });
    await lost.ready();
    const begun = lost.line(/^begun: task/);
    await submit(`lost-${kind}`, shared.spec(`long-${kind}`, LONG), address);
    const task = await begun;
    await lost.end();
    // as many threads as tasks, so that the lost one has a thread at once
    const other = newWorker(address, { threads: 8 });
    // `npm run soak:cluster` measures how long it takes
    await expect.poll(() => other.lines).toContain(task);
    await rollmill("job", "pause", join(shared.root, `lost-${kind}`));
  });

  test.skipIf(skip || (kind === "PostgreSQL" && !IS_SOAK))(
    "a task that always fails fails the job, and only what is missing is done again",
    async () => {
      const address = addressOf(title);
      const name = `poisoned-${kind}`;
      const digest = await digestHere(name, FEW);
      const folder = join(shared.root, name);
      for (const made of ["result.json", "parts/cells", "parts/ordered.part", "parts/bulk"]) {
        rmSync(join(folder, made), { recursive: true });
      }
      // the head of this part is whole, so it counts as done; but every task that reads its cells fails
      const layer = join(folder, "parts/layer/0/0_0.part");
      flipByte(layer, 100);
      const worker = newWorker(address);
      await worker.ready();
      await expect(rollmill("job", "submit", folder, "--wait", ...address)).rejects.toThrow(
        /job\.damaged.*queue\.failed/s,
      );
      const status = async () => JSON.parse((await rollmill("job", "status", folder, "--json")).stdout).data;
      // the worker sees twice a second that the submission is over
      const failure = expect.stringContaining("job.damaged");
      await expect.poll(status).toMatchObject({ state: "stopped", failure });
      flipByte(layer, 100);
      const before = worker.lines.length;
      await rollmill("job", "submit", folder, "--wait", ...address);
      expect(shared.digest(name)).toBe(digest);
      const begun = worker.lines.slice(before).filter((line) => line.startsWith("begun: task"));
      expect(begun.filter((line) => /walk|merge/.test(line))).toEqual([]);
    },
    120_000,
  );
});
