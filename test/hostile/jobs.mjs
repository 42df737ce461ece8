// Jobs for the calls of surface.mjs, in a temporary folder of the process. Texts that name files are changed so that they
// lead into this folder, because a hostile text must not reach other files.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as inputs from "./inputs.mjs";

/** Returns the folder for the jobs of a process. */
export const placeOf = (pid) => join(tmpdir(), `rollmill-hostile-${pid}`);

const PLACE = placeOf(process.pid);
const FINISHED = "finished";
const RESULT = join(PLACE, FINISHED, "result.json");
/** Hostile calls start at most this many threads, because hundreds of threads take seconds to start. */
const MOST_THREADS = 2;

let finished;
let result;

export const jobInput = () => ({
  name: "isle",
  world: inputs.worldSpec(),
  seed: "moria",
  extent: { row0: -3, col0: 5, rows: 20, cols: 30 },
  visits: ["isle"],
  bulk: [
    { name: "hoard", count: 4, table: "loot" },
    { name: "armory", count: 3, objects: "drops", level: 5, kind: "Kris" },
  ],
  exports: ["npy"],
});

/** Makes a finished job. Must be called before the calls of surface.mjs. */
export async function openJobs({ "./jobs": { jobOf, openJob, startJob } }) {
  await startJob(join(PLACE, FINISHED), jobOf(jobInput()).spec, { threads: 1 });
  finished = await openJob(join(PLACE, FINISHED));
  result = readFileSync(RESULT);
}

/** Deletes the jobs of a process. */
export function removeJobs(pid = process.pid) {
  rmSync(placeOf(pid), { recursive: true, force: true });
}

/** Returns the finished job, with its result. */
export function finishedJob() {
  writeFileSync(RESULT, result);
  return finished;
}

/** Deletes the result of the finished job, so that the job seems to lack its last step. Returns the arguments. */
export function withoutResult(...args) {
  rmSync(RESULT, { force: true });
  return args;
}

/**
 * Returns the job as a spec that the fuzzer does not change, because it changes plain objects only. A changed job could
 * walk for hours, and a signal does not stop a task that runs in the calling thread.
 */
export function readJob({ "./jobs": { jobOf } }) {
  return Object.setPrototypeOf(jobOf(jobInput()).spec, null);
}

/** Returns the name of a folder that does not exist. */
export function freeFolder() {
  rmSync(join(PLACE, "free"), { recursive: true, force: true });
  return "free";
}

/** Returns the name of the folder of the finished job. */
export function finishedFolder() {
  finishedJob();
  return FINISHED;
}

/** Returns the name of the folder of a copy of the finished job, which calls may change. */
export function copiedFolder() {
  rmSync(join(PLACE, "copied"), { recursive: true, force: true });
  cpSync(join(PLACE, finishedFolder()), join(PLACE, "copied"), { recursive: true });
  return "copied";
}

/** Leads the texts in the arguments of a call into the folder of the process, and lowers the number of threads. */
export function confined([first, ...rest]) {
  return [typeof first === "string" ? pathOf(first) : first, ...rest].map(confinedOptions);
}

function confinedOptions(value) {
  try {
    // Options with another prototype are not copied. They can still name a file, with a text of values.mjs. These texts
    // have no slash, so the file is in the current folder. For the fuzzer, this is the folder of the process.
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    // the value may be frozen, or have getters
    const fields = Object.getOwnPropertyDescriptors(value);
    const { to, folder, from, threads } = fields;
    for (const field of [to, folder, from]) if (typeof field?.value === "string") field.value = pathOf(field.value);
    if (threads?.value > MOST_THREADS && threads.value <= 1024) threads.value = MOST_THREADS;
    return Object.create(Object.prototype, fields);
  } catch {
    return value;
  }
}

function pathOf(text) {
  return `${PLACE}/${text.replace(/[/\\]|^\.+$/g, "_")}`;
}
