import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { RUNNER, whileHolding } from "../../src/jobs/folder/locks.js";
import { exportJob, type Job, type JobInput, openJob } from "../../src/jobs/index.js";
import { codeOf, rejectionOf } from "../refusal.js";
import { finished, newJob, SMALL } from "./samples.js";

const SHORT: JobInput = {
  name: "short",
  world: { layers: [{ name: "land", preset: "five-ways", walkers: 9, steps: 500 }] },
  exports: ["tiles", "csv"],
};

/** Runs a job. Calls `act` at the first progress of a phase. */
function runUntil(job: Job, phase: string, act: () => void) {
  let isDone = false;
  return job.run({
    ...SMALL,
    onProgress: (progress) => {
      if (isDone || progress.phase !== phase) return;
      isDone = true;
      act();
    },
  });
}

/** What a killed exporter leaves: its lock, and a temporary file. Returns their paths. */
async function killExport({ folder }: Job): Promise<string[]> {
  const lock = join(folder, RUNNER);
  const owner = await whileHolding(folder, RUNNER, async () => readFileSync(join(lock, "owner.json"), "utf8"));
  mkdirSync(lock);
  writeFileSync(
    join(lock, "owner.json"),
    JSON.stringify({ ...JSON.parse(owner), id: "x", pid: spawnSync("true").pid }),
  );
  const temporary = join(folder, "exports", "tiles", "0", ".rollmill-01234567-89ab-cdef-0123-456789abcdef.tmp");
  mkdirSync(dirname(temporary), { recursive: true });
  writeFileSync(temporary, "");
  return [lock, temporary];
}

const exportedIn = ({ folder }: Job) =>
  readFileSync(join(folder, "events.ndjson"), "utf8")
    .split("\n")
    .filter((line) => line.includes('"exported"'));

describe("a job whose folder goes away while it runs (audit 4)", () => {
  test.each(["walk land", "merge land", "cells", "export tiles"])(
    "in the phase %s is not made again, and goes on in its new place",
    async (phase) => {
      const whole = await finished((await newJob(SHORT)).run(SMALL));
      const job = await newJob(SHORT);
      const moved = `${job.folder}-moved`;
      const failed = await rejectionOf(runUntil(job, phase, () => renameSync(job.folder, moved)));
      expect([failed.code, failed.issues[0].where.file]).toEqual(["job.missing", job.folder]);
      expect(codeOf(() => job.pause())).toBe("file.write");
      expect(existsSync(job.folder)).toBe(false);
      const again = await openJob(moved);
      expect(await finished(again.run(SMALL))).toEqual(whole);
      expect(again.status().exports.every(({ done }) => done)).toBe(true);
      expect(readdirSync(moved).filter((name) => name.includes("lock"))).toEqual([]);
    },
  );

  test("and is deleted leaves nothing", async () => {
    const job = await newJob(SHORT);
    const remove = () => rmSync(job.folder, { recursive: true });
    expect((await rejectionOf(runUntil(job, "merge land", remove))).code).toBe("job.missing");
    expect(readdirSync(dirname(job.folder))).toEqual([]);
  });

  test("without a manifest, neither a run nor a task finishes the job", async () => {
    const job = await newJob({ ...SHORT, exports: [] });
    const remove = () => rmSync(join(job.folder, "manifest.json"));
    expect((await rejectionOf(runUntil(job, "cells", remove))).code).toBe("job.missing");
    const parts = job.status().phases.find(({ name }) => name === "cells")?.tasks ?? 0;
    expect(codeOf(() => Array.from({ length: parts }, (_, task) => job.work({ task })))).toBe("job.missing");
    expect(existsSync(join(job.folder, "result.json"))).toBe(false);
  });
});

describe("a process that is killed while it exports (audit 4)", () => {
  test("leaves a lock and temporary files: the next run removes them, and makes the missing exports", async () => {
    const job = await newJob(SHORT);
    const result = await finished(job.run(SMALL));
    rmSync(join(job.folder, "exports"), { recursive: true });
    const left = await killExport(job);
    expect(await finished(job.run(SMALL))).toEqual(result);
    expect(left.filter(existsSync)).toEqual([]);
    expect(job.status().exports.map(({ done }) => done)).toEqual([true, true]);
    // everything is done, and only the litter is left
    await killExport(job);
    expect(await finished(job.run(SMALL))).toEqual(result);
    expect(left.filter(existsSync)).toEqual([]);
    await killExport(job);
    await exportJob(job, "csv");
    expect(left.filter(existsSync)).toEqual([]);
  });

  test("of two runs and an export at once, each waits for the other, and each export is made once", async () => {
    const job = await newJob(SHORT);
    await finished(job.run(SMALL));
    rmSync(join(job.folder, "exports"), { recursive: true });
    rmSync(join(job.folder, "events.ndjson"));
    const order: string[] = [];
    let running: Promise<unknown>[] = [];
    await whileHolding(job.folder, RUNNER, async () => {
      running = [job.run(SMALL), job.run(SMALL), exportJob(job, "npy")].map((one) => one.then(() => order.push("run")));
      // an export to another place holds nobody up
      await exportJob(job, "csv", { to: join(job.folder, "other.csv") });
      order.push("held");
    });
    await Promise.all(running);
    expect(order).toEqual(["held", "run", "run", "run"]);
    expect(exportedIn(job)).toHaveLength(2);
  });
});
