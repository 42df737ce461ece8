import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type * as Bullmq from "../../src/bullmq/index.js";
import type * as Jobs from "../../src/jobs/index.js";
import { hasProgram, Redis } from "./queue/cluster.mjs";
import { finished, newFolder, REACHED, SMALL } from "./samples.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const root = mkdtempSync(join(tmpdir(), "rollmill-builds-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const hasRedis = hasProgram("redis-server") || process.env.CI !== undefined;

/** Loads a file of a build. Vitest does not transform what is installed. */
const load = async <T>(build: string, file: string): Promise<T> => import(join(build, "dist", file));
const jobsOf = (build: string) => load<typeof Jobs>(build, "jobs/index.js");

const [hash = "no hash"] = readFileSync(join(ROOT, "src/jobs/codeHash.ts"), "utf8").match(/[0-9a-f]{64}/) ?? [];

/** Installs a copy of dist. */
function installed(name: string): string {
  const build = join(root, name, "node_modules/rollmill");
  for (const path of ["dist", "package.json"]) {
    cpSync(join(ROOT, path), join(build, path), { recursive: true, filter: (file) => !file.endsWith(".d.ts") });
  }
  for (const peer of ["bullmq", "ioredis"]) symlinkSync(join(ROOT, "node_modules", peer), join(build, "..", peer));
  return build;
}

/** Makes a copy another build: one with another hash of the code. */
function change(build: string): void {
  const chunks = join(build, "dist/chunks");
  for (const file of readdirSync(chunks).map((name) => join(chunks, name))) {
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(hash, "0".repeat(64)));
  }
}

const first = installed("first");
const own = await jobsOf(first);
const second = installed("second");
change(second);
const other = await jobsOf(second);
const refusal = expect.objectContaining({ code: "job.version" });

describe("a job of another build (audit 4b)", () => {
  test("is refused by every call that works on it, which then changes nothing", async () => {
    const job = await own.createJob(newFolder(), REACHED, { seed: 1 });
    job.work({ task: 0 });
    job.pause();
    const files = () =>
      readdirSync(job.folder, { recursive: true, withFileTypes: true, encoding: "utf8" })
        .filter((entry) => entry.isFile())
        .map((entry) => [entry.name, readFileSync(join(entry.parentPath, entry.name), "utf8")]);
    const before = files();
    const stranger = await other.openJob(job.folder);
    const { submitJob } = await load<typeof Bullmq>(second, "bullmq/index.js");
    for (const threads of [1, 2]) {
      await expect(stranger.run({ threads })).rejects.toThrow(refusal);
    }
    await expect(other.resumeJob(job.folder)).rejects.toThrow(refusal);
    await expect(submitJob(job.folder, { redis: "redis://none" })).rejects.toThrow(refusal);
    expect(() => stranger.work({ task: 1 })).toThrow(refusal);
    expect(() => stranger.verify({ repair: true })).toThrow(refusal);
    expect(files()).toEqual(before);
    expect([stranger.state, stranger.verify()]).toEqual(["paused", []]);
    await finished(job.run(SMALL));
  });

  test("can be read, exported, paused and cancelled", async () => {
    const job = await own.createJob(newFolder(), REACHED, { seed: 1 });
    const stranger = await other.openJob(job.folder);
    stranger.pause();
    const result = await finished(job.run(SMALL));
    expect(await stranger.run(SMALL)).toEqual(result);
    expect([stranger.status().result, stranger.verify()]).toEqual([result, []]);
    await other.exportJob(stranger, "csv");
    await stranger.cancel();
    expect(job.state).toBe("cancelled");
  });

  test("is not run by a thread whose code differs from that of its process", async () => {
    const build = installed("mixed");
    const mixed = await jobsOf(build);
    // the threads load their code later than the process
    change(build);
    const job = await mixed.createJob(newFolder(), REACHED, { seed: 1 });
    await expect(job.run({ threads: 2 })).rejects.toThrow(refusal);
    expect(readdirSync(job.folder)).not.toContain("parts");
    await finished(job.run(SMALL));
  });

  test("becomes a new job of the new build, beside the old one", async () => {
    const [old, next] = [await own.createJob(newFolder(), REACHED, { seed: 1 }), newFolder()];
    const started = other.startJob(next, REACHED, { seed: 1, ...SMALL });
    // both builds have the same code but for its hash
    expect((await finished(started)).digest).toBe((await finished(old.run(SMALL))).digest);
    expect((await own.openJob(next)).result).toBeDefined();
  });

  test.runIf(hasRedis)(
    "is finished by the workers of its build, while those of the new build do a new job",
    async () => {
      const redis = new Redis();
      onTestFinished(() => redis.stop());
      await redis.start();
      const shared = mkdtempSync(join(root, "shared-"));
      const digests = [first, second].map(async (build, n) => {
        const { startWorker, runOnQueue } = await load<typeof Bullmq>(build, "bullmq/index.js");
        const address = { redis: redis.url, root: shared, prefix: `build_${n}` };
        const worker = await startWorker({ ...address, threads: 1 });
        onTestFinished(() => worker.close({ grace: 0 }));
        const { folder } = await (await jobsOf(build)).createJob(join(shared, `${n}`), REACHED, { seed: 1 });
        return (await finished(runOnQueue(folder, address))).digest;
      });
      const [old, next] = await Promise.all(digests);
      expect(next).toBe(old);
    },
  );
});
