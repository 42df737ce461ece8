// The code of the thread that `apart` starts.
import { parentPort, workerData } from "node:worker_threads";
import { exportHeld } from "../exports/exportJob.js";
import { openJob } from "../job.js";
import { phasesOf } from "../plan/phases.js";
import { packError } from "../runner/packedError.js";
import { openPhaseOrFinish } from "../runner/running.js";
import type { ApartAnswer, ApartCall, Survey } from "./apart.js";

const call = workerData as ApartCall;
const post = (answer: ApartAnswer) => parentPort?.postMessage(answer);
run(call).then(
  (survey) => post({ survey }),
  (cause: unknown) =>
    post({ thrown: packError(cause, call.kind === "survey" ? "the step" : `the export ${call.name}`) }),
);

async function run(call: ApartCall): Promise<Survey | undefined> {
  const job = await openJob(call.folder);
  if (call.kind === "survey") return surveyOf(job);
  // the thread that called `apart` holds the lock, because it can end this thread at any moment
  await exportHeld(job, call.name, {});
  return undefined;
}

function surveyOf(job: Awaited<ReturnType<typeof openJob>>): Survey {
  const open = openPhaseOrFinish(job.opened);
  const { share, result, exports } = job.status();
  if (open === undefined) {
    const missing = exports.filter(({ done }) => !done).map(({ kind }) => kind);
    return { isFinished: true, digest: result?.digest ?? "", exports: missing };
  }
  const { phase, tasks, remaining } = open;
  const index = phasesOf(job.opened).findIndex(({ name }) => name === phase.name);
  return { isFinished: false, phase: phase.name, index, tasks, remaining, share };
}
