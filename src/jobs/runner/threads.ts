import { Worker } from "node:worker_threads";
import { error, RollmillError } from "../../errors/index.js";
import { embeddedKernel } from "../../kernel/embedded.js";
import { compiledKernel, compileKernel, isKernelCompiled, type KernelBytes } from "../../kernel/index.js";
import type { Manifest, Phase } from "../types.js";
import type { Limits } from "./limits.js";
import { type PackedError, remedyFor, taskName, unpackError } from "./packedError.js";
import { SharedTasks, type TaskMemory } from "./tasksInMemory.js";
import type { Runner, RunnerCall } from "./types.js";
import { inWedges } from "./wedges.js";
import type { ThreadAnswer, ThreadCall, ThreadData } from "./worker.js";

/** Time between two looks of the main thread for finished tasks, in milliseconds. */
const LOOK_MS = 5;
/** Number of calls of {@link ThreadRunner.run} that a thread can work on at the same time. */
export const CALLS_AT_ONCE = 2;
const MIB = 2 ** 20;
const MOST_SHARE = 2 ** 32;
/**
 * The limit of a thread's JavaScript heap is at least this many bytes. The maps and the kernel are outside the heap,
 * but contents of placements and items are inside.
 */
const LEAST_HEAP = 2 ** 29;

/**
 * Runs tasks in worker threads. Each thread opens the job once, and keeps its world for all tasks of all phases. It
 * takes several consecutive tasks at a time, so that one thread makes neighbouring sectors. Several calls of `run` may
 * overlap.
 *
 * If a thread dies, its calls of `run` fail with `job.task`, and the next call starts a new thread.
 */
export class ThreadRunner implements Runner {
  readonly threads: number;
  readonly #data: ThreadData;
  readonly #running: Thread[];
  readonly #calls = new Map<Call, Promise<void>>();
  #isClosed = false;

  /** Starts the threads. */
  constructor(folder: string, manifest: Manifest, { threads, maxMemory, nice }: Limits) {
    this.threads = threads;
    const share = Math.min(MOST_SHARE, Math.floor(maxMemory / threads));
    this.#data = { folder, manifest, kernel: sharedKernel(), maxMemory: share, nice };
    this.#running = Array.from({ length: threads }, () => new Thread(this.#data));
  }

  async run(phase: Phase, list: readonly number[], options: RunnerCall): Promise<void> {
    if (this.#isClosed) throw closed();
    options.signal?.throwIfAborted();
    const threads = Math.min(this.threads, list.length);
    const { sectorOf } = options;
    const isConcentric = sectorOf !== undefined && this.#data.manifest.order === "concentric";
    const arranged = isConcentric ? inWedges(list, { threads, sectorOf }) : list;
    const memory = SharedTasks.memoryFor(arranged, { threads });
    const call = new Call(phase, memory, options.onTask);
    const running = call.run(this.#freest(threads), options.signal);
    this.#calls.set(call, running);
    try {
      await running;
    } finally {
      this.#calls.delete(call);
    }
  }

  /** Stops the calls that run, and ends the threads. The calls fail with `argument.disposed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#calls.keys()) call.stop(closed());
    await Promise.allSettled(this.#calls.values());
    await Promise.all(this.#running.map((thread) => thread.end()));
  }

  /** Returns the threads with the fewest calls. Starts a new thread for each one that has died. */
  #freest(count: number): readonly Thread[] {
    for (const [i, { isDead }] of this.#running.entries()) {
      if (isDead) this.#running[i] = new Thread(this.#data);
    }
    return this.#running.toSorted((a, b) => a.calls - b.calls).slice(0, count);
  }
}

/** One call of {@link ThreadRunner.run}. */
class Call {
  readonly #phase: Phase;
  readonly #memory: TaskMemory;
  readonly #tasks: SharedTasks;
  readonly #onTask: RunnerCall["onTask"];
  /** The reason why the call stops. Undefined while it runs. */
  #end: { readonly cause: unknown } | undefined;

  constructor(phase: Phase, memory: TaskMemory, onTask: RunnerCall["onTask"]) {
    this.#phase = phase;
    this.#memory = memory;
    this.#tasks = new SharedTasks(memory);
    this.#onTask = onTask;
  }

  async run(threads: readonly Thread[], signal: AbortSignal | undefined): Promise<void> {
    const abort = () => this.stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const timer = setInterval(() => this.#report(), LOOK_MS);
    try {
      await Promise.all(threads.map((thread, i) => this.#runIn(thread, i)));
    } finally {
      clearInterval(timer);
      signal?.removeEventListener("abort", abort);
    }
    this.#report();
    if (this.#end !== undefined) throw this.#end.cause;
  }

  /**
   * Stops all threads that work for the call. `run` then throws the cause. If `stop` is called several times, `run`
   * throws the first cause.
   */
  stop(cause: unknown): void {
    this.#end ??= { cause };
    this.#tasks.stop();
  }

  async #runIn(thread: Thread, i: number): Promise<void> {
    try {
      const thrown = await thread.run({ phase: this.#phase, tasks: this.#memory, thread: i });
      if (thrown !== undefined) this.stop(unpackError(thrown));
    } catch (cause) {
      this.stop(deathOf(cause, this.#phase, this.#tasks.runningIn(i)));
    }
  }

  #report(): void {
    try {
      for (const k of this.#tasks.newlyEnded()) this.#onTask(k);
    } catch (cause) {
      this.stop(cause);
    }
  }
}

/** A worker thread. While the parts of one call go to the disk, it runs the tasks of another call. */
class Thread {
  readonly #worker: Worker;
  /** The calls that run, by number. */
  readonly #calls = new Map<number, { resolve(thrown: PackedError | undefined): void; reject(cause: unknown): void }>();
  #number = 0;
  #isDead = false;

  constructor(data: ThreadData) {
    this.#worker = new Worker(new URL("./worker.js", import.meta.url), {
      workerData: data,
      // A thread inherits Node's flags, and does not start with --input-type, a flag of scripts of --eval. In this case
      // the threads get no flags at all
      ...(process.execArgv.some((flag) => flag.startsWith("--input-type")) && { execArgv: [] }),
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(Math.max(LEAST_HEAP, data.maxMemory) / MIB) },
    });
    this.#worker.on("message", ({ number, thrown }: ThreadAnswer) => this.#calls.get(number)?.resolve(thrown));
    this.#worker.on("error", (cause) => this.#die(cause));
    this.#worker.on("exit", (code) => this.#die(new Error(`it ended with exit code ${code}`)));
    // a thread without calls does not keep the process alive
    this.#worker.unref();
  }

  get isDead(): boolean {
    return this.#isDead;
  }

  /** Number of calls that run. */
  get calls(): number {
    return this.#calls.size;
  }

  /** @throws the reason why the thread died. */
  run(call: ThreadCall): Promise<PackedError | undefined> {
    const number = this.#number++;
    const ended = new Promise<PackedError | undefined>((resolve, reject) => {
      this.#calls.set(number, { resolve, reject });
    });
    this.#worker.postMessage({ number, call });
    return ended.finally(() => this.#calls.delete(number));
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #die(cause: unknown): void {
    this.#isDead = true;
    for (const { reject } of this.#calls.values()) reject(cause);
  }
}

/** The compiled kernel of this process. */
function sharedKernel(): readonly KernelBytes[] {
  if (!isKernelCompiled()) compileKernel(embeddedKernel());
  return compiledKernel();
}

/** The error for a thread that died. */
function deathOf(cause: unknown, phase: Phase, k: number | undefined): RollmillError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  const where = k === undefined ? "a thread died" : `a thread died while it ran ${taskName(phase, k)}`;
  const remedy = remedyFor({ code, message });
  return new RollmillError([error("job.task", { problem: `${where} (${message})`, remedy })], { cause });
}

function closed(): RollmillError {
  const problem = "the threads of the job are closed";
  const remedy = "Close the runner after its last call has ended";
  return new RollmillError([error("argument.disposed", { problem, remedy })]);
}
