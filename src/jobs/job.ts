import { type LongCall, type Progress, reportProgress } from "../calls/index.js";
import { checkNow } from "../core/mill.js";
import { error, fail, RollmillError } from "../errors/index.js";
import { makeFolder } from "../files/folders.js";
import { localTimeText } from "../localTime.js";
import { checkFlag, checkInteger, checkPath, readOptions, refuseArgument, seal, seedText } from "../spec/index.js";
import { exportHeld, exportPath, exportThreads, isExported, OPENED_JOB, sweepExports } from "./exports/exportJob.js";
import {
  CONTROL,
  type Control,
  EVENTS,
  isDesired,
  lastLeft,
  lastWait,
  leftLog,
  logEvent,
  logWait,
  putControl,
  readControl,
} from "./folder/control.js";
import { FROM, logUnusedFrom, openWithFrom, putFrom } from "./folder/from.js";
import { changedLimits, LIMIT_OPTIONS } from "./folder/limits.js";
import { hasLock, isWorkedOn, RUNNER, sweepWorkers, untilNoWorkers, whileHolding } from "./folder/locks.js";
import {
  checkStillThere,
  MANIFEST,
  manifestOf,
  type OpenedJob,
  ORDERS,
  openedOf,
  openManifest,
  refuseOtherBuild,
} from "./folder/manifest.js";
import { RESULT, readResult } from "./folder/result.js";
import { FolderStore, putChecked, unlessDamaged } from "./folder/store.js";
import { flawsOf, type JobFlaw } from "./folder/verify.js";
import { type JobSource, sourceOf } from "./plan/load.js";
import type { JobInput } from "./plan/parse.js";
import { JobTables, phaseOfPart, phasesOf, sectorsIn, sumOf } from "./plan/phases.js";
import { type JobReuse, reuseOf } from "./plan/reuse.js";
import { type JobNeeds, type Limits, limitsOf, needsOf, usualMemory } from "./plan/space.js";
import { secondsOfExports } from "./runner/forecast.js";
import { isDoneElseRemoved, runPhases, unfinishedPhase, whileDesired } from "./runner/running.js";
import { canStartThreads, inProcessRunner, ThreadRunner } from "./runner/threads.js";
import { Throttle } from "./runner/throttle.js";
import { TaskContext } from "./tasks/context.js";
import { checkSources, runTask } from "./tasks/run.js";
import type { ExportName, JobOptions, JobResult, LoadLimits, StartOptions } from "./types.js";

/** The files that `cancel` deletes: the result first, because a job without its result is not finished. */
const JOB_FILES = [RESULT, CONTROL, EVENTS, FROM, MANIFEST];
const RUN_OPTIONS = ["signal", "onProgress", "threads", "maxMemory", "nice", ...LIMIT_OPTIONS];
const WORK_OPTIONS = ["task", "phase", "signal", "maxMemory"];
const CREATE_OPTIONS = ["seed", "now", "order", "from"];

type RunCall = Pick<JobOptions, "signal" | "onProgress"> & { readonly throttle: Throttle; readonly limits: Limits };

/**
 * The state of a job.
 *
 * - `running`: a runner or workers of a queue work on the job, in any process. If the runner was killed on another
 *   machine, the state stays `running` until somebody pauses or resumes the job.
 * - `queued`: the tasks of the job are in a queue, and no worker has begun a task.
 * - `paused`: a user paused it.
 * - `stopped`: the job has no runner: nobody has run it, its runner failed or was killed, or callers of
 *   {@link Job.work} do its tasks.
 * - `cancelled`: a user cancelled it, and its files are deleted.
 * - `finished`: it has a result.
 */
export type JobState = "running" | "queued" | "paused" | "stopped" | "cancelled" | "finished";

/** The progress of a phase. */
export interface PhaseStatus {
  readonly name: string;
  /** Number of finished tasks. */
  readonly done: number | undefined;
  /** Number of tasks. Undefined if this depends on an unfinished phase, or on parts that {@link Job.clean} deleted. */
  readonly tasks: number | undefined;
}

/** The progress of a job. It is read from the files of the job, so any process on any machine can read it. */
export interface JobStatus {
  readonly name: string;
  readonly seed: string;
  readonly state: JobState;
  readonly phases: readonly PhaseStatus[];
  /** Share of the work that is done, 0 … 1, by estimated time. */
  readonly share: number;
  /** Why the last submission to a queue failed. Undefined if it did not fail, or if the job was run again later. */
  readonly failure: string | undefined;
  /** The exports that the job asks for. `done`: the export is complete. `main`: the path of the file to open. */
  readonly exports: readonly { readonly kind: ExportName; readonly done: boolean; readonly main: string }[];
  /** The stored limits of what the job may use of its machine. */
  readonly limits: LoadLimits;
  /** Why a running job waits, for people, such as `waits until 22:00: …`. Undefined if it does not wait. */
  readonly waits: string | undefined;
  /**
   * Estimated seconds until a running job is done, exports included, as {@link JobProgress} has them: at most some
   * seconds old while tasks end. Undefined before the first task ends, and if the workers of a queue do the tasks.
   */
  readonly seconds: number | undefined;
  /** The result of a finished job. */
  readonly result: JobResult | undefined;
}

/** A job in a folder. */
export class Job {
  /** The path of the folder. */
  readonly folder: string;
  /** @internal */
  readonly opened: OpenedJob;

  /** @internal Use {@link openJob}. */
  constructor(opened: OpenedJob) {
    this.folder = opened.store.place;
    this.opened = opened;
    seal(OPENED_JOB, this);
  }

  /** Name of the job, for people. */
  get name(): string {
    return this.opened.manifest.name;
  }

  /** The seed of the job. */
  get seed(): string {
    return this.opened.manifest.seed;
  }

  /** Estimates of what the job needs. */
  get needs(): JobNeeds {
    return needsOf(this.opened);
  }

  /** The state of the job now. Much faster than {@link status}. Throws `file.read`, `job.damaged`. */
  get state(): JobState {
    return this.#state(this.result, readControl(this.opened.store));
  }

  /** The result; undefined as long as the job is not finished. Throws `file.read`, `job.damaged`. */
  get result(): JobResult | undefined {
    return readResult(this.opened);
  }

  /** Returns the progress of the job. Reads the heads of some parts. Throws `file.read`, `job.damaged`. */
  status(): JobStatus {
    const { opened, result } = this;
    const { name, seed, exports } = opened.manifest;
    const control = readControl(opened.store);
    const state = this.#state(result, control);
    return {
      name,
      seed,
      state,
      ...(result === undefined ? phaseStatus(opened) : { phases: finishedPhases(opened, result), share: 1 }),
      failure: control.failure,
      limits: control.limits ?? {},
      waits: state === "running" ? lastWait(opened.store) : undefined,
      seconds: state === "running" && control.desired === "run" ? lastLeft(opened.store) : undefined,
      exports: exports.map((kind) => ({ kind, done: isExported(this, kind), main: exportPath(this, kind) })),
      result,
    };
  }

  #state(result: JobResult | undefined, { desired }: Control): JobState {
    if (result !== undefined) return "finished";
    if (desired === "cancel" || this.opened.store.sizeOf(MANIFEST) === undefined) return "cancelled";
    if (isWorkedOn(this.folder)) return "running";
    return ({ queue: "queued", pause: "paused", run: "stopped" } as const)[desired];
  }

  /**
   * Works on the job until it is finished. Skips the tasks that are done. Returns the result, or undefined if the job
   * was paused or cancelled by another process.
   *
   * @throws The reason of an aborted signal; RollmillError `argument.type`, `argument.range`, `argument.option` for
   * invalid options, before anything is written; `job.version` if another build of Rollmill started the job;
   * `file.busy` if another runner works on it; the errors of the world; `job.task`, `job.damaged`, `file.write`,
   * `file.read`.
   */
  async run(given: JobOptions = {}): Promise<JobResult | undefined> {
    const options = readOptions("job.run", given, RUN_OPTIONS);
    const { signal, onProgress } = options;
    const limits = limitsOf(options);
    const { threads, maxMemory, nice } = limits;
    // refuses wrong limits before anything is written
    const before = readControl(this.opened.store);
    const load = changedLimits(before.limits ?? {}, options);
    const done = this.result;
    // a runner that was killed leaves its lock and temporary files, even if all work was already done
    if (done !== undefined && this.#missingExports.length === 0 && !hasLock(this.folder, RUNNER)) return done;
    if (done === undefined) refuseOtherBuild(this.opened);
    return whileHolding(this.folder, RUNNER, async () => {
      const desired = { desired: "run" } as const;
      this.opened.store.sweep();
      await sweepExports(this);
      await sweepWorkers(this.folder);
      // somebody who saw the lock can ask for a pause before this run has written its own request
      if (before.desired === "run" && !isDesired(this.opened.store, desired)) return undefined;
      putControl(this.opened.store, { ...desired, limits: load });
      logEvent(this.opened.store, "run", { threads, maxMemory });
      logUnusedFrom(this.opened);
      const throttle = new Throttle(threads);
      throttle.onWait.push((reason) => logWait(this.opened.store, reason));
      const work = async (stop: AbortSignal) => {
        const call = { signal: stop, onProgress, throttle, limits, exports: this.#missingExports };
        // in a thread, a task ends as soon as the signal is aborted; here, the signal could not be aborted before its end
        const isAlone = threads === 1 && !nice && !(signal !== undefined && canStartThreads());
        const newRunner = () =>
          isAlone
            ? inProcessRunner(this.opened, maxMemory, stop, throttle)
            : new ThreadRunner(this.opened, limits, throttle);
        try {
          const result = this.result ?? (await runPhases(this.opened, newRunner(), call));
          await this.#export(result, call);
          return result;
        } finally {
          checkStillThere(this.opened.store);
        }
      };
      return whileDesired(this.opened.store, desired, signal, work, (control) => throttle.look(control.limits ?? {}));
    });
  }

  /**
   * Does one task in the calling thread, for schedulers that give a task number to each process. Takes no lock, so any
   * number of processes can do tasks at the same time. After the last task, also writes the result.
   *
   * @param given - `phase` is the name of a phase; default: the first unfinished phase. The first task is 0.
   * @returns whether the job is finished.
   * @throws RollmillError `argument.range` for a phase or task that the job does not have; `job.task` if an earlier
   * phase is not finished; the errors of {@link run}.
   */
  work(
    given: { readonly task: number; readonly phase?: string | undefined } & Pick<JobOptions, "signal" | "maxMemory">,
  ): boolean {
    const { task, phase: name, signal, ...rest } = readOptions("job.work", given, WORK_OPTIONS);
    const { maxMemory } = limitsOf({ ...rest, threads: 1 });
    const open = unfinishedPhase(this.opened, name);
    if (open === undefined) return true;
    const phases = phasesOf(this.opened);
    const names = phases.map((phase) => phase.name);
    const wanted = names.indexOf(name ?? open);
    if (wanted === -1) {
      const expected = names.join(", ");
      fail(error("argument.range", { problem: "the job has no such phase", got: name, expected }));
    }
    if (wanted > names.indexOf(open)) {
      const first = JSON.stringify(open);
      const problem = `the phase ${JSON.stringify(name)} cannot begin before the phase ${first} is finished`;
      fail(error("job.task", { problem, remedy: `Do the tasks of the phase ${first} first` }));
    }
    const context = new TaskContext(this.opened, maxMemory, signal);
    try {
      const phase = phases[wanted];
      const tasks = context.tables.tasks(phase);
      checkInteger("task", task, 0, tasks.length - 1);
      if (!isDoneElseRemoved(this.opened, tasks[task].part)) runTask(context, phase, task);
      // from the end, because schedulers begin with the first tasks, so the last ones are missing the longest
      if (tasks.findLast(({ part }) => this.opened.store.sizeOf(part) === undefined) !== undefined) return false;
    } finally {
      context.dispose();
    }
    return unfinishedPhase(this.opened) === undefined;
  }

  /**
   * Changes the limits of what the job may use of its machine, also while it runs, on any machine. A limit that is not
   * given stays as it is. The workers of a queue have limits of their own.
   *
   * @throws RollmillError `argument.range` for an invalid limit; `argument.type`, `argument.option`; `file.busy` if the
   * job was submitted to a queue; `file.write`.
   */
  set(given: LoadLimits): void {
    const { store } = this.opened;
    const control = readControl(store);
    const limits = changedLimits(control.limits ?? {}, readOptions("job.set", given, LIMIT_OPTIONS));
    if (control.desired === "queue") {
      const problem = "the job was submitted to a queue, whose workers have limits of their own";
      const remedy = "Start the workers with other limits, or take the job from them with `rollmill job resume`";
      fail(error("file.busy", { problem, remedy, where: { file: this.folder } }));
    }
    putControl(store, { ...control, limits });
    logEvent(store, "limits set", limits);
  }

  /** Stops the job soon, wherever it runs. The parts of finished tasks stay. */
  pause(): void {
    putControl(this.opened.store, { desired: "pause" });
    logEvent(this.opened.store, "pause asked for");
  }

  /**
   * Stops the job, wherever it runs, and deletes its files. Exports stay. If the job was submitted to a queue, the file
   * `control.json` stays too: it tells the workers to skip the tickets of the job.
   *
   * @throws RollmillError `file.busy` if the runner or a worker does not stop within 5 seconds; `file.write`.
   */
  async cancel(): Promise<void> {
    putControl(this.opened.store, { desired: "cancel" });
    await whileHolding(this.folder, RUNNER, async () => {
      await untilNoWorkers(this.folder);
      const isQueued = readControl(this.opened.store).ticket !== undefined;
      const [first, ...rest] = isQueued ? JOB_FILES.filter((name) => name !== CONTROL) : JOB_FILES;
      this.opened.store.remove(first);
      this.opened.store.removeFolder("parts");
      for (const name of rest) this.opened.store.remove(name);
    });
  }

  /**
   * Reads every byte of the job's files. Returns the files that are damaged or missing. Progress counts files.
   *
   * @param given - If `repair` is true, deletes the damaged files and the result. {@link run} then makes them again,
   * with the same content as before.
   * @throws The reason of an aborted signal; RollmillError `file.read`, `file.write`. With `repair`, also `file.busy`
   * if a process works on the job, and `job.version` if another build of Rollmill started it.
   */
  verify(given: LongCall & { readonly repair?: boolean | undefined } = {}): readonly JobFlaw[] {
    const { repair = false, ...call } = readOptions("job.verify", given, ["repair", "signal", "onProgress"]);
    checkFlag("repair", repair);
    if (repair) {
      refuseOtherBuild(this.opened);
      this.#refuseBusy();
    }
    const flaws = flawsOf(this.opened, call);
    if (!repair || flaws.length === 0) return flaws;
    // somebody may have resumed the job while its files were read
    this.#refuseBusy();
    // also removes the result: the next run writes it again when all parts are there
    for (const file of [RESULT, ...flaws.map((flaw) => flaw.file)])
      if (file !== MANIFEST) this.opened.store.remove(file);
    return flaws;
  }

  #refuseBusy(): void {
    if (!isWorkedOn(this.folder)) return;
    const remedy = "Pause the job first, with `rollmill job pause`";
    fail(error("file.busy", { problem: "a process works on the job", remedy, where: { file: this.folder } }));
  }

  /**
   * Deletes the parts of walkers and of merged layers, which only a repair of a finished job needs. Returns the number
   * of deleted bytes.
   *
   * @throws RollmillError `job.task` if the job is not finished; `file.write`.
   */
  clean(): number {
    if (this.result === undefined) {
      const problem = "the job is not finished, so it still needs all its parts";
      fail(error("job.task", { problem, remedy: "Resume the job first" }));
    }
    let bytes = 0;
    for (const name of this.opened.store.list("parts")) {
      const phase = phaseOfPart(this.opened, name);
      if (phase !== "walk" && phase !== "merge") continue;
      bytes += this.opened.store.sizeOf(name) ?? 0;
      this.opened.store.remove(name);
    }
    this.opened.store.sweep();
    return bytes;
  }

  get #missingExports(): readonly ExportName[] {
    return this.opened.manifest.exports.filter((kind) => !isExported(this, kind));
  }

  /** Exports are not part of the result, so a failed export is only logged. The next run tries it again. */
  async #export({ totals }: JobResult, call: RunCall): Promise<void> {
    const { signal, onProgress, throttle, limits } = call;
    const kinds = this.#missingExports;
    const logLeft = leftLog(this.opened.store);
    const threads = exportThreads(this.opened, limits, throttle);
    try {
      for (const [n, kind] of kinds.entries()) {
        await throttle.untilFree(signal);
        const beganMs = performance.now();
        const report = ({ done: amount, total }: Progress) => {
          const whole = {
            phase: `export ${kind}`,
            tasks: 1,
            unit: "pieces",
            share: 1,
            waits: throttle.reason,
          } as const;
          const ran = { ms: performance.now() - beganMs, share: amount / total, threads: limits.threads };
          const seconds = secondsOfExports(kinds.slice(n), totals.cells, ran);
          logLeft(seconds);
          const progress = { ...whole, done: amount === total ? 1 : 0, amount, total, seconds };
          reportProgress(this.name, progress, { onProgress, signal });
        };
        try {
          await exportHeld(this, kind, { signal, onProgress: report }, threads);
          logEvent(this.opened.store, "exported", { kind });
        } catch (cause) {
          if (signal?.aborted || (cause instanceof RollmillError && cause.code === "argument.callback")) throw cause;
          logEvent(this.opened.store, "export failed", { kind, reason: String(cause) });
        }
      }
    } finally {
      await threads.close();
    }
  }
}

/**
 * Creates a job in a folder, and works on it until it is finished.
 *
 * @param source - A job that contains its world, or a job from {@link loadJob}.
 * @returns the result, or undefined if the job was paused or cancelled by another process.
 * @throws The errors of {@link createJob} and {@link Job.run}.
 */
export async function startJob(
  folder: string,
  source: JobInput | JobSource,
  given: StartOptions = {},
): Promise<JobResult | undefined> {
  const { seed, now, order, from, ...options } = readOptions("startJob", given, [...RUN_OPTIONS, ...CREATE_OPTIONS]);
  // refuses wrong limits before the folder is created
  limitsOf(options);
  const job = await createJob(folder, source, { seed, now, order, from });
  return job.run(options);
}

/**
 * Creates a job in a folder. {@link Job.run} or {@link Job.work} then run it. Creates the folder if it does not exist.
 *
 * @throws RollmillError `job.exists` if the folder has a job already, or parts of one; `job.spec`; the errors of the
 * world; `argument.type` if neither the call nor the job has a seed, and there is no `from`; `job.missing`,
 * `job.version`, `job.damaged`, `file.read` if the job in `from` cannot be opened; `file.busy`, `file.write`.
 */
export async function createJob(
  folder: string,
  source: JobInput | JobSource,
  given: Pick<StartOptions, "seed" | "now" | "order" | "from"> = {},
): Promise<Job> {
  checkPath("folder", folder);
  const { seed, now, order = "concentric", from: earlier } = readOptions("createJob", given, CREATE_OPTIONS);
  if (!ORDERS.includes(order)) refuseArgument("order", order, ORDERS.join(" or "));
  const read = sourceOf(source);
  const from = await earlierJob(earlier);
  const chosen = seed ?? read.job.seed ?? from?.manifest.seed;
  if (chosen === undefined) fail(error("argument.type", { problem: "the job has no seed", expected: "a seed" }));
  const time = checkNow(now) ?? from?.manifest.now ?? localTimeText(new Date());
  const manifest = manifestOf(read, { seed: seedText(chosen), now: time, order });
  const store = new FolderStore(folder);
  const opened = { ...openedOf(store, manifest, read.world), ...(from && { from }) };
  const context = new TaskContext(opened, usualMemory(1), undefined);
  try {
    checkSources(context);
  } finally {
    context.dispose();
  }
  refuseOther(store);
  makeFolder(folder);
  // if two processes start a job here at the same time, the second must not replace the manifest of the first
  await whileHolding(folder, RUNNER, async () => {
    refuseOther(store);
    // a job that was cancelled in this folder may have left its `control.json`
    if (store.sizeOf(CONTROL) !== undefined) putControl(store, { desired: "run", limits: {} });
    store.remove(FROM);
    if (from !== undefined) putFrom(store, from.store.place);
    putChecked(store, MANIFEST, manifest);
  });
  logEvent(store, "created", { name: manifest.name });
  return new Job(opened);
}

async function earlierJob(folder: string | undefined): Promise<OpenedJob | undefined> {
  if (folder === undefined) return undefined;
  checkPath("from", folder);
  return openManifest(new FolderStore(folder));
}

function refuseOther(store: FolderStore): void {
  const where = { file: store.place };
  if (store.sizeOf(MANIFEST) !== undefined) {
    const remedy = "Go on with `resumeJob` or `rollmill job resume`, or choose another folder";
    fail(error("job.exists", { problem: "this folder contains a job already", remedy, where }));
  }
  if (store.list("parts").length > 0) {
    const problem = "the folder contains parts of another job whose manifest is missing";
    fail(error("job.exists", { problem, remedy: "Choose another folder, or delete the folder `parts`", where }));
  }
}

/**
 * Opens an existing job. A job of another build can be opened, but not run.
 *
 * @throws RollmillError `job.missing`, `job.damaged`, `file.read`; `job.version` if its files have another format.
 */
export async function openJob(folder: string): Promise<Job> {
  checkPath("folder", folder);
  return new Job(await openWithFrom(new FolderStore(folder)));
}

/** Opens a job and works on it until it is finished. Throws the errors of {@link openJob} and {@link Job.run}. */
export async function resumeJob(folder: string, options: JobOptions = {}): Promise<JobResult | undefined> {
  return (await openJob(folder)).run(options);
}

/** The phases and the estimated needs of a job. */
export interface JobPlan {
  readonly name: string;
  /** The seed of the call, of the job's spec or of the earlier job, if one of them has a seed. */
  readonly seed: string | undefined;
  readonly phases: readonly PhaseStatus[];
  readonly needs: JobNeeds;
  /** What the job takes from an earlier job. Undefined without `from`. */
  readonly reuse: JobReuse | undefined;
}

/**
 * Returns the phases and the needs of a job, without starting it.
 *
 * @param given - `from` and `seed` as for {@link createJob}: the plan then also says what the job takes from there.
 * @throws RollmillError `job.spec`; the errors of the world; with `from`, those of {@link openJob}.
 */
export async function planJob(
  source: JobInput | JobSource,
  given: Pick<StartOptions, "from" | "seed"> = {},
): Promise<JobPlan> {
  const read = sourceOf(source);
  const { from: earlier, seed: chosen } = readOptions("planJob", given, ["from", "seed"]);
  const from = await earlierJob(earlier);
  const { now = "" } = from?.manifest ?? {};
  const seed = chosen ?? read.job.seed ?? from?.manifest.seed;
  const manifest = manifestOf(read, { seed: seedText(seed ?? ""), now, order: "row" });
  // no part exists, so no file is read
  const opened = { ...openedOf(new FolderStore(""), manifest, read.world), ...(from && { from }) };
  const tables = new JobTables(opened);
  const phases = phasesOf(opened).map((phase) => ({ name: phase.name, done: 0, tasks: tables.fixedCount(phase) }));
  const reuse = from && reuseOf(opened, from);
  return {
    name: manifest.name,
    seed: seed === undefined ? undefined : manifest.seed,
    phases,
    needs: needsOf(opened),
    reuse,
  };
}

function phaseStatus(job: OpenedJob): Pick<JobStatus, "phases" | "share"> {
  const parts = new Set(job.store.list("parts"));
  const tables = new JobTables(job);
  const phases: PhaseStatus[] = [];
  let [spent, total, isOpen] = [0, 0, false];
  for (const phase of phasesOf(job)) {
    // the tasks of some phases are known only from the parts of earlier phases
    const tasks = isOpen && tables.fixedCount(phase) === undefined ? undefined : tables.tasks(phase);
    const finished = tasks?.filter(({ part }) => parts.has(part)) ?? [];
    phases.push({ name: phase.name, done: finished.length, tasks: tasks?.length });
    isOpen ||= tasks === undefined || finished.length < tasks.length;
    spent += sumOf(finished).cost;
    total += tasks === undefined ? tables.costOf(phase, total) : sumOf(tasks).cost;
  }
  return { phases, share: total === 0 ? 0 : spent / total };
}

/** The numbers of a merge are undefined if a part of its walkers is damaged or missing, as after {@link Job.clean}. */
function finishedPhases(job: OpenedJob, { extent }: JobResult): PhaseStatus[] {
  const tables = new JobTables(job);
  return phasesOf(job).map((phase) => {
    const count = () => tables.fixedCount(phase) ?? tables.tasks(phase).length;
    const tasks = phase.kind === "cells" ? sectorsIn(extent, "row").length : unlessDamaged(count);
    return { name: phase.name, done: tasks, tasks };
  });
}
