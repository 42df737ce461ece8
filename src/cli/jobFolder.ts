import { existsSync } from "node:fs";
import { Option } from "commander";
import { error, fail, RollmillError } from "../errors/index.js";
import { type Job, type JobSource, type JobStatus, loadJob, openJob } from "../jobs/index.js";
import { MIN_MEMORY, MAX_THREADS } from "../jobs/runner/limits.js";
import { specOf } from "../spec/index.js";
import { readText } from "./inputFile.js";
import { type Io, pathIn } from "./io.js";
import { percentText } from "./jobProgress.js";
import { bytesOf, countOf } from "./options.js";
import { shellWord } from "./shellWord.js";
import { readPart } from "./tablePart.js";

export interface RunFlags {
  readonly threads?: number;
  readonly maxMemory?: number;
  readonly nice?: boolean;
}

export function runOptions(): readonly Option[] {
  return [
    new Option("--threads <n>", "number of threads (default: one for each core)").argParser(countOf(1, MAX_THREADS)),
    memoryOption("all threads together (default: 1g for each thread, at most three quarters of the machine)"),
    new Option("--nice", "let other programs go first: lower the priority of the threads"),
  ];
}

export function memoryOption(what: string): Option {
  return new Option("--max-memory <bytes>", `maximum memory of ${what}, such as 256m or 2g`).argParser(
    bytesOf(MIN_MEMORY),
  );
}

/**
 * Reads a job and its world. The files must be in the folder of the job's file, or in a folder inside it.
 *
 * @throws RollmillError with every error.
 */
export async function readJob(io: Io, file: string): Promise<JobSource> {
  return specOf(
    await loadJob(file, async (path) => {
      if (path === file) return readText(io, file);
      return existsSync(pathIn(io, path)) ? readPart(io, file, path) : undefined;
    }),
  );
}

/**
 * Refuses a folder that contains a job already.
 *
 * @throws RollmillError `job.exists` with the state of the existing job.
 */
export async function refuseOther(path: string, folder: string): Promise<void> {
  let status: ReturnType<Job["status"]>;
  try {
    status = (await openJob(path)).status();
  } catch (cause) {
    if (cause instanceof RollmillError && cause.code === "job.missing") return;
    throw cause;
  }
  const at = shellWord(folder);
  const remedy = {
    finished: `See it with \`rollmill job status ${at}\`, or choose another folder`,
    running: `Watch it with \`rollmill job status ${at} --watch\`, or choose another folder`,
    queued: `See it with \`rollmill job status ${at}\`, or choose another folder`,
    paused: `Go on with \`rollmill job resume ${at}\`, or choose another folder`,
    stopped: `Go on with \`rollmill job resume ${at}\`, or choose another folder`,
    cancelled: `Delete its files with \`rollmill job cancel ${at}\`, or choose another folder`,
  }[status.state];
  const problem = `there is a job in this folder: ${phraseOf(status)}`;
  fail(error("job.exists", { problem, remedy, where: { file: folder } }));
}

/** Returns a phrase about a job, such as `"coast", paused at 43.2%`. */
export function phraseOf({ name, state, share }: JobStatus): string {
  return `${JSON.stringify(name)}, ${state === "finished" ? state : `${state} at ${percentText(share)}%`}`;
}
