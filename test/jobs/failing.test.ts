import type * as Files from "node:fs";
import type * as FilePromises from "node:fs/promises";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import type { JobResult } from "../../src/jobs/index.js";
import { finished, newJob, REACHED, SMALL } from "./samples.js";

/** Counts the calls that write to the disk. Call number `at` fails with `code`, and if `full`, all later calls too. */
const disk = vi.hoisted(() => ({ calls: 0, at: 0, code: "ENOSPC", full: false }));
/** The calls that flush or rename files and folders, each with a path. The path of a rename is the new one. */
const steps = vi.hoisted(() => [] as (readonly [call: "flush" | "rename", path: string])[]);
/** The paths of open files. */
const opened = vi.hoisted(() => new Map<unknown, string>());

vi.mock("node:fs", async (importOriginal) => {
  const real = await importOriginal<typeof Files>();
  const wrapped = (["openSync", "writeSync", "fsyncSync", "renameSync"] as const).map((name) => {
    const call = real[name] as (...args: unknown[]) => unknown;
    const step = (...args: unknown[]) => {
      const isWrite = name !== "openSync" || args[1] === "wx";
      if (isWrite) disk.calls++;
      const fails = isWrite && disk.at > 0 && (disk.full ? disk.calls >= disk.at : disk.calls === disk.at);
      if (fails) throw Object.assign(new Error(`${disk.code}: test`), { code: disk.code, syscall: "write" });
      const result = call(...args);
      if (name === "openSync") opened.set(result, String(args[0]));
      if (name === "fsyncSync") steps.push(["flush", opened.get(args[0]) ?? ""]);
      if (name === "renameSync") steps.push(["rename", String(args[1])]);
      return result;
    };
    return [name, step];
  });
  const fsync = (file: number, done: Files.NoParamCallback) => {
    steps.push(["flush", opened.get(file) ?? ""]);
    real.fsync(file, done);
  };
  return { ...real, fsync, ...Object.fromEntries(wrapped) };
});

vi.mock("node:fs/promises", async (importOriginal) => {
  const real = await importOriginal<typeof FilePromises>();
  const open = async (...args: Parameters<typeof real.open>) => {
    const file = await real.open(...args);
    const sync = file.sync.bind(file);
    const flush = () => sync().finally(() => steps.push(["flush", String(args[0])]));
    return Object.assign(file, { sync: flush });
  };
  const rename: typeof real.rename = async (from, to) => {
    await real.rename(from, to);
    steps.push(["rename", String(to)]);
  };
  return { ...real, open, rename };
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
    // the last calls open, write, flush and rename the result, flush its folder, and write a line of the log
    Object.assign(disk, { calls: 0, at: calls - 2 });
    expect((await failureOf(job.run(SMALL)))[0]).toBe("file.write");
    disk.at = 0;
    expect(job.status().state).toBe("stopped");
    expect(job.status().phases.every(({ done, tasks }) => done === tasks)).toBe(true);
    expect(await finished(job.run(SMALL))).toEqual(whole);
  });
});

describe("a file of a job that gets its name (audit 22)", () => {
  /** The new names whose folder is not flushed after the rename, and those whose file is not flushed before it. */
  function notFlushed(folder: string) {
    const renames = [...steps.entries()].filter(
      ([, [call, path]]) => call === "rename" && path.startsWith(folder) && !path.endsWith(".lock"),
    );
    const late = renames.filter(([at, [, path]]) => !isFlushed(dirname(path), steps.slice(at)));
    const early = renames.filter(([at, [, path]]) => !steps.slice(0, at).some((one) => isTemporary(one, path)));
    return { count: renames.length, late: late.map(([, [, path]]) => path), early: early.map(([, [, path]]) => path) };
  }
  const isFlushed = (folder: string, after: typeof steps) =>
    after.some(([call, path]) => call === "flush" && path === folder);
  const isTemporary = ([call, path]: (typeof steps)[number], name: string) =>
    call === "flush" && path.startsWith(`${name}.tmp.`);

  beforeEach(() => {
    steps.length = 0;
  });

  test("is flushed before, and its folder after, in a run", async () => {
    const job = await newJob(REACHED);
    const { parts } = await finished(job.run(SMALL));
    const { count, late, early } = notFlushed(job.folder);
    expect(count).toBeGreaterThan(Object.keys(parts).length);
    expect([late, early]).toEqual([[], []]);
    // a new folder is a new name too
    for (const name of ["", "parts", "parts/walk"]) expect(isFlushed(join(job.folder, name), steps), name).toBe(true);
  });

  test("is flushed before, and its folder after, by a single task", async () => {
    const job = await newJob(REACHED);
    job.work({ task: 0 });
    // the manifest and the part
    expect(notFlushed(job.folder)).toEqual({ count: 2, late: [], early: [] });
  });
});
