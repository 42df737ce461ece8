import { error, fail, RollmillError } from "../../errors/index.js";
import {
  checkSpace,
  createJob,
  type JobPlan,
  type JobSource,
  type JobStatus,
  loadJob,
  openJob,
  planJob,
} from "../../jobs/index.js";
import { MAX_THREADS, MIN_MEMORY } from "../../jobs/runner/limits.js";
import { specOf } from "../../spec/index.js";
import { choice, type Flags, option, shellWord } from "../command.js";
import { readOptionalPart } from "../shared/files.js";
import { type Io, note, pathIn } from "../shared/io.js";
import { bytesOf, bytesText, chooseSeed, countOf, type SEED } from "../shared/options.js";
import { approximate } from "../shared/progress.js";
import { percentText } from "./progress.js";

export const SPEC = ["<spec>", 'JSON spec; "-" is stdin'] as const;
export const FOLDER = ["<dir>", "the folder of the job"] as const;

export function memoryOption(what: string) {
  return option("--max-memory <bytes>", `maximum memory of ${what}, such as 256m or 2g`, bytesOf(MIN_MEMORY));
}

export const RUN = [
  option("--threads <n>", "number of threads (default: one for each core)", countOf(1, MAX_THREADS)),
  memoryOption("all threads together (default: 1g for each thread, at most three quarters of the machine)"),
  option("--nice", "let other programs go first: lower the priority of the threads"),
] as const;
export type RunFlags = Flags<typeof RUN>;

export const ORDER = choice(
  "--order <order>",
  "order of the map's sectors; concentric makes the middle of the map first",
  ["concentric", "row"],
).default("concentric");

/** Reads a job and its world. The files must be in the folder of the job's file, or in a folder inside it. */
export async function readJob(io: Io, file: string): Promise<JobSource> {
  return specOf(await loadJob(file, (path) => readOptionalPart(io, file, path)));
}

type CreateFlags = Flags<readonly [typeof SEED, typeof ORDER]> & {
  readonly yes: boolean | undefined;
  readonly maxMemory?: number | undefined;
};

/**
 * Creates a job from its file, and prints its plan to stderr. Without `--yes`, first checks that the disk has room for
 * the job, and that the machine has `maxMemory`, if this is given.
 */
export async function createFrom(io: Io, file: string, folder: string, flags: CreateFlags) {
  const { order, yes, maxMemory } = flags;
  const source = await readJob(io, file);
  const path = pathIn(io, folder);
  await refuseOther(path, folder);
  const plan = await planJob(source);
  if (!yes) checkSpace(plan.needs, { folder: path, maxMemory });
  const { seed, announce } = chooseSeed(io, flags.seed ?? source.job.seed);
  const job = await createJob(path, source, { seed, order });
  announce();
  for (const line of planLines(plan)) note(io, line.replaceAll("\t", "  "));
  return { job, plan };
}

async function refuseOther(path: string, folder: string): Promise<void> {
  let status: JobStatus;
  try {
    status = (await openJob(path)).status();
  } catch (cause) {
    if (cause instanceof RollmillError && cause.code === "job.missing") return;
    throw cause;
  }
  const at = shellWord(folder);
  const see = `See it with \`rollmill job status ${at}\``;
  const goOn = `Go on with \`rollmill job resume ${at}\``;
  const remedies = {
    finished: see,
    running: `Watch it with \`rollmill job status ${at} --watch\``,
    queued: see,
    paused: goOn,
    stopped: goOn,
    cancelled: `Delete its files with \`rollmill job cancel ${at}\``,
  };
  const remedy = `${remedies[status.state]}, or choose another folder`;
  const problem = `there is a job in this folder: ${phraseOf(status)}`;
  fail(error("job.exists", { problem, remedy, where: { file: folder } }));
}

/** Returns a phrase about a job, such as `"coast", paused at 43.2%`. */
export function phraseOf({ name, state, share }: JobStatus): string {
  return `${JSON.stringify(name)}, ${state === "finished" ? state : `${state} at ${percentText(share)}%`}`;
}

export function planLines({ name, phases, needs: { cells, steps, disk, threadMemory } }: JobPlan): readonly string[] {
  return [
    `job\t${name}`,
    `cells\t${cells === undefined ? "the rectangle that the walkers reach" : cells}`,
    `steps\tabout ${approximate(steps)}`,
    `disk\tabout ${bytesText(disk)}${cells === undefined ? ", and the cells" : ""}`,
    ...(threadMemory > 0 ? [`memory\tabout ${bytesText(threadMemory)} for each thread`] : []),
    ...phases.map((phase) => `phase\t${phase.name}\t${tasksText(phase.tasks)}`),
  ];
}

function tasksText(tasks: number | undefined): string {
  if (tasks === undefined) return "as many tasks as the walkers reach sectors";
  return tasks === 1 ? "1 task" : `${tasks} tasks`;
}
