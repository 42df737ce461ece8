// The code of the thread that `apart` in steps.ts starts.
import { parentPort, workerData } from "node:worker_threads";
import { exportHeld } from "../exports/exportJob.js";
import { type Job, openJob } from "../job.js";
import { phasesOf } from "../plan/phases.js";
import { type PackedError, packError } from "../runner/packedError.js";
import { openPhaseOrFinish } from "../runner/running.js";
import type { ExportName } from "../types.js";

/** Without `name`, the thread finds what remains to do. With a name, it makes this export. */
export interface ApartCall {
  readonly folder: string;
  readonly name?: ExportName;
}

export type ApartAnswer = { readonly survey: Survey | undefined } | { readonly thrown: PackedError };

const call = workerData as ApartCall;
const post = (answer: ApartAnswer) => parentPort?.postMessage(answer);
run(call).then(
  (survey) => post({ survey }),
  (cause: unknown) =>
    post({ thrown: packError(cause, call.name === undefined ? "the step" : `the export ${call.name}`) }),
);

async function run({ folder, name }: ApartCall): Promise<Survey | undefined> {
  const job = await openJob(folder);
  if (name === undefined) return surveyOf(job);
  // the thread that called `apart` holds the lock, because it can end this thread at any moment
  await exportHeld(job, name, {});
  return undefined;
}

/** What remains to do: the first phase that is not finished, or the missing exports. */
export type Survey = ReturnType<typeof surveyOf>;

function surveyOf(job: Job) {
  const open = openPhaseOrFinish(job.opened);
  const { share, exports } = job.status();
  if (open === undefined) {
    const missing = exports.filter(({ done }) => !done).map(({ kind }) => kind);
    return { isFinished: true, exports: missing } as const;
  }
  const { phase, tasks, remaining } = open;
  const index = phasesOf(job.opened).findIndex(({ name }) => name === phase.name);
  return { isFinished: false, phase: phase.name, index, tasks, remaining, share } as const;
}
