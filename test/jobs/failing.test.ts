import type * as Files from "node:fs";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import type { JobResult } from "../../src/jobs/index.js";
import { finished, newJob, REACHED, SMALL } from "./samples.js";

/** Counts the calls that write to the disk. Call number `at` fails with `code`, and if `full`, all later calls too. */
const disk = vi.hoisted(() => ({ calls: 0, at: 0, code: "ENOSPC", full: false }));

vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof Files>();
  const wrapped = (["openSync", "writeSync", "fsyncSync", "renameSync"] as const).map((name) => {
    const call = real[name] as (...args: unknown[]) => unknown;
    const step = (...args: unknown[]) => {
      const isWrite = name !== "openSync" || args[1] === "wx";
      if (isWrite) disk.calls++;
      const fails = isWrite && disk.at > 0 && (disk.full ? disk.calls >= disk.at : disk.calls === disk.at);
      if (fails) throw Object.assign(new Error(`${disk.code}: test`), { code: disk.code, syscall: "write" });
      return call(...args);
    };
    return [name, step];
  });
  return { ...real, ...Object.fromEntries(wrapped) };
});

beforeEach(() => {
  Object.assign(disk, { calls: 0, at: 0, code: "ENOSPC", full: false });
});

/** Runs a job on a disk that fails. Returns the code of the error, and the file that it names. */
async function failureOf(running: Promise<unknown>): Promise<readonly unknown[]> {
  const cause: unknown = await running.catch((thrown: unknown) => thrown);
  if (!(cause instanceof RollmillError)) throw cause ?? new Error("nothing was thrown");
  return [cause.code, cause.issues[0].where.file];
}

describe.each(["ENOSPC", "EIO"])("a disk that fails with %s", (code) => {
  let whole: JobResult;
  let calls: number;
  beforeEach(async () => {
    const job = await newJob(REACHED);
    disk.calls = 0;
    whole = await finished(job.run(SMALL));
    calls = disk.calls;
    disk.code = code;
  });

  test("at any step: the run fails with the file, leaves no half file, and resume gives the same digest", async () => {
    expect(calls).toBeGreaterThan(60);
    for (let at = 1; at < calls; at += 7) {
      const job = await newJob(REACHED);
      Object.assign(disk, { calls: 0, at, full: at % 2 === 0 });
      const [failed, file] = await failureOf(job.run(SMALL));
      expect([failed, String(file).startsWith(job.folder)], `step ${at}`).toEqual(["file.write", true]);
      disk.at = 0;
      expect(job.verify(), `step ${at}`).toEqual([]);
      expect(await finished(job.run(SMALL)), `step ${at}`).toEqual(whole);
    }
  });

  test("when the last file is written: the job is not finished, and resume writes it", async () => {
    const job = await newJob(REACHED);
    // the last calls open, write, flush and rename the result, and flush its folder
    Object.assign(disk, { calls: 0, at: calls - 1 });
    expect((await failureOf(job.run(SMALL)))[0]).toBe("file.write");
    disk.at = 0;
    expect(job.status().state).toBe("stopped");
    expect(job.status().phases.every(({ done, tasks }) => done === tasks)).toBe(true);
    expect(await finished(job.run(SMALL))).toEqual(whole);
  });
});
