import { Option } from "commander";
import { checkSpace, createJob, type Job, type JobPlan, planJob, type SectorOrder } from "../jobs/index.js";
import { type Io, note, pathIn } from "./io.js";
import { readJob, refuseOther } from "./jobFolder.js";
import { planLines } from "./jobShow.js";
import { chooseSeed } from "./options.js";

export interface CreateFlags {
  readonly seed?: string;
  readonly order?: SectorOrder;
  readonly yes?: boolean;
  readonly maxMemory?: number;
}

export function orderOption(): Option {
  return new Option("--order <order>", "order of the map's sectors; concentric makes the middle of the map first")
    .choices(["concentric", "row"])
    .default("concentric");
}

/**
 * Creates a job from its file, and prints its plan to stderr. Without `--yes`, first checks that the disk has room for
 * the job, and that the machine has `maxMemory`, if this is given.
 *
 * @throws RollmillError `job.exists`, `job.space`; the errors of {@link readJob} and of `createJob`.
 */
export async function createFrom(
  io: Io,
  { file, folder }: { readonly file: string; readonly folder: string },
  { seed: given, order, yes, maxMemory }: CreateFlags,
): Promise<{ readonly job: Job; readonly plan: JobPlan }> {
  const source = await readJob(io, file);
  const path = pathIn(io, folder);
  await refuseOther(path, folder);
  const plan = await planJob(source);
  if (!yes) checkSpace(plan.needs, { folder: path, maxMemory });
  const { seed, announce } = chooseSeed(io, given ?? source.job.seed);
  const job = await createJob(path, source, { seed, order });
  announce();
  for (const line of planLines(plan)) note(io, line.replaceAll("\t", "  "));
  return { job, plan };
}
