import { existsSync } from "node:fs";
import { Worker } from "node:worker_threads";
import { error, messageOf, RollmillError } from "../../errors/index.js";
import { embeddedKernel } from "../../kernel/embedded.js";
import { compiledKernel, compileKernel, isKernelCompiled } from "../../kernel/index.js";
import type { ExportPart } from "../exports/pieces.js";
import type { OpenedJob } from "../folder/manifest.js";
import { BackgroundStore } from "../folder/store.js";
import type { Limits } from "../plan/space.js";
import { TaskContext } from "../tasks/context.js";
import { runTask } from "../tasks/run.js";
import type { Phase } from "../types.js";
import { remedyFor, taskName, unpackError } from "./packedError.js";
import { inWedges, taskList } from "./pieces.js";
import type { Runner, RunnerCall } from "./running.js";
import type { StoredAnswer, ThreadAnswer, ThreadData, ThreadTask } from "./thread.js";
import { ASK_MS, Throttle } from "./throttle.js";

const MIB = 2 ** 20;
const MAX_SHARE = 2 ** 32;
/** Minimum JavaScript heap of a thread in bytes, for contents and items. Maps and the kernel are outside the heap. */
const MIN_HEAP = 2 ** 29;

/** Whether the code of threads is there. A bundle does not have it, and neither do the sources. */
export function canStartThreads(): boolean {
  return existsSync(new URL("./thread.js", import.meta.url));
}

/** If a thread dies, a new one replaces it. The calls of `run` whose tasks the dead thread ran fail with `job.task`. */
export class ThreadRunner implements Runner {
  readonly #data: ThreadData;
  readonly #threads: Thread[];
  readonly #calls = new Set<Call>();
  readonly #throttle: Throttle;
  #isClosed = false;
  #asking: NodeJS.Timeout | undefined;

  constructor(
    { store, manifest }: Pick<OpenedJob, "store" | "manifest">,
    { threads, maxMemory, nice }: Limits,
    throttle = new Throttle(threads),
  ) {
    this.#throttle = throttle;
    const share = Math.min(MAX_SHARE, Math.floor(maxMemory / threads));
    if (!isKernelCompiled()) compileKernel(embeddedKernel());
    this.#data = { folder: store.place, manifest, kernel: compiledKernel(), maxMemory: share, nice };
    this.#threads = Array.from({ length: threads }, () => this.#newThread());
  }

  get threads(): number {
    return this.#threads.length;
  }

  /** Makes a piece of an export. Throws what {@link run} throws. */
  async piece(part: ExportPart, k: number, signal: AbortSignal): Promise<unknown> {
    let made: unknown;
    const onTask: RunnerCall["onTask"] = (_, __, piece) => {
      made = piece;
    };
    await this.run(part, [k], { signal, onTask });
    return made;
  }

  async run(
    phase: Phase | ExportPart,
    list: readonly number[],
    { signal, onTask, sectorOf }: RunnerCall,
  ): Promise<void> {
    if (this.#isClosed) throw closed();
    signal?.throwIfAborted();
    const threads = this.#threads.length;
    const isConcentric = sectorOf !== undefined && this.#data.manifest.order === "concentric";
    const tasks = isConcentric ? inWedges(list, threads, sectorOf) : list;
    const call = newCall(phase, taskList(tasks, threads), onTask);
    const abort = () => call.stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    this.#calls.add(call);
    this.#beginTasks();
    try {
      await call.ended;
    } finally {
      this.#calls.delete(call);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Calls of `run` that have not ended fail with `argument.disposed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#asking);
    const ended = [...this.#calls].map((call) => call.ended);
    for (const call of this.#calls) call.stop(closed());
    await Promise.allSettled(ended);
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #newThread(): Thread {
    return newThread(this.#data, () => this.#beginTasks());
  }

  /** Gives tasks to free threads, as many as may run now. Replaces threads that have died. */
  #beginTasks(): void {
    clearTimeout(this.#asking);
    for (const [i, { isFree, isDead }] of this.#threads.entries()) {
      this.#throttle.running = this.#threads.filter((thread) => !thread.isFree).length;
      const call = isFree ? [...this.#calls].find((one) => one.hasNext()) : undefined;
      if (call === undefined) continue;
      if (!this.#throttle.mayBegin()) {
        this.#asking = setTimeout(() => this.#beginTasks(), ASK_MS);
        return;
      }
      if (isDead) this.#threads[i] = this.#newThread();
      this.#threads[i].begin(call, call.next(i));
    }
  }
}

type Call = ReturnType<typeof newCall>;

function newCall(phase: Phase | ExportPart, list: ReturnType<typeof taskList>, onTask: RunnerCall["onTask"]) {
  let resolve = () => {};
  let reject = (_: unknown) => {};
  /** Fulfilled when all parts are stored. If the call is stopped, rejected when no thread works for it any more. */
  const ended = new Promise<void>((...both) => {
    [resolve, reject] = both;
  });
  const stopFlag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  /** Number of tasks that were begun and have not ended. */
  let running = 0;
  let stopped: { readonly cause: unknown } | undefined;
  const endIfDone = () => {
    if (running > 0) return;
    if (stopped !== undefined) reject(stopped.cause);
    else if (list.isEmpty()) resolve();
  };
  const stop = (cause: unknown) => {
    stopped ??= { cause };
    Atomics.store(stopFlag, 0, 1);
    endIfDone();
  };
  endIfDone();
  return {
    phase,
    ended,
    stopFlag,
    stop,
    hasNext: () => stopped === undefined && !list.isEmpty(),
    /** Begins a task in a thread. Each task that was begun must end with `stored` or `failed`. */
    next(thread: number): number {
      running++;
      return list.next(thread) as number;
    },
    stored(k: number, { ms, piece }: Pick<StoredAnswer, "ms" | "piece">): void {
      running--;
      try {
        if (stopped === undefined) onTask(k, ms, piece);
        endIfDone();
      } catch (cause) {
        stop(cause);
      }
    },
    failed(cause: unknown): void {
      running--;
      stop(cause);
    },
  };
}

type Thread = ReturnType<typeof newThread>;
type RunningTask = Readonly<{ call: Call; k: number }>;

/** The thread runs one task at a time. Calls `onFree` when the thread can begin a task, and when it has died. */
function newThread(data: ThreadData, onFree: () => void) {
  const worker = new Worker(new URL("./thread.js", import.meta.url), {
    workerData: data,
    // A thread inherits the flags of Node, but cannot start with --input-type: then it gets no flags
    ...(process.execArgv.some((flag) => flag.startsWith("--input-type")) && { execArgv: [] }),
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(Math.max(MIN_HEAP, data.maxMemory) / MIB) },
  });
  /** The tasks that were begun and have not ended, by number. The last of them runs, unless the thread is free. */
  const tasks = new Map<number, RunningTask>();
  let last = 0;
  const thread = {
    isFree: true,
    isDead: false,
    begin(call: Call, k: number): void {
      thread.isFree = false;
      tasks.set(++last, { call, k });
      worker.ref();
      worker.postMessage({ number: last, phase: call.phase, k, stopFlag: call.stopFlag } satisfies ThreadTask);
    },
    end: () => worker.terminate(),
  };
  const die = (cause: unknown) => {
    const begun = [...tasks.values()];
    const running = thread.isFree ? undefined : begun.at(-1);
    tasks.clear();
    thread.isDead = true;
    thread.isFree = true;
    for (const { call } of begun) call.failed(deathOf(cause, running?.call === call ? running : undefined));
    onFree();
  };
  // a thread without tasks does not keep the process alive
  worker.unref();
  worker.on("message", (answer: ThreadAnswer) => {
    if (answer.kind === "free") {
      thread.isFree = true;
      onFree();
      return;
    }
    const task = tasks.get(answer.number);
    tasks.delete(answer.number);
    if (tasks.size === 0) worker.unref();
    if (answer.kind === "stored") task?.call.stored(task.k, answer);
    else task?.call.failed(unpackError(answer.thrown));
  });
  worker.on("error", die);
  worker.on("exit", (code) => die(new Error(`it ended with exit code ${code}`)));
  return thread;
}

function deathOf(cause: unknown, running: RunningTask | undefined): RollmillError {
  const where = running === undefined ? "" : ` while it ran ${taskName(running.call.phase, running.k)}`;
  const problem = `a thread died${where} (${messageOf(cause)})`;
  return new RollmillError([error("job.task", { problem, remedy: remedyFor(cause) })], { cause });
}

function closed(): RollmillError {
  return new RollmillError([error("argument.disposed", { problem: "the threads of the job are closed" })]);
}

/** Runs tasks in the calling thread, one after another. `signal` stops a task that runs. */
export function inProcessRunner(
  job: OpenedJob,
  maxMemory: number,
  signal: AbortSignal | undefined,
  throttle = new Throttle(1),
): Runner {
  const store = new BackgroundStore(job.store.place, signal);
  const context = new TaskContext({ ...job, store }, maxMemory, signal);
  return {
    async run(phase, tasks, call) {
      const failures: unknown[] = [];
      const throwFailure = () => {
        if (failures.length > 0) throw failures[0];
      };
      try {
        for (const k of tasks) {
          call.signal?.throwIfAborted();
          await throttle.untilFree(call.signal);
          throwFailure();
          const beganMs = performance.now();
          let ms = 0;
          const run = () => runTask(context, phase, k);
          store.run(run, () => call.onTask(k, ms)).catch((cause: unknown) => failures.push(cause));
          ms = performance.now() - beganMs;
          await store.pause();
        }
      } finally {
        await store.end();
      }
      throwFailure();
    },
    close: async () => context.dispose(),
  };
}
