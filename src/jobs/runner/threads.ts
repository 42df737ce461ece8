import { Tinypool } from "tinypool";
import { error, RollmillError } from "../../errors/index.js";
import { embeddedKernel } from "../../kernel/embedded.js";
import { compiledKernel, compileKernel, type KernelBytes } from "../../kernel/index.js";
import type { Manifest, Phase } from "../types.js";
import type { Limits } from "./limits.js";
import { type PackedError, remedyFor, taskName, unpackError } from "./packedError.js";
import { SharedTasks, type TaskMemory } from "./tasksInMemory.js";
import type { Runner, RunnerCall } from "./types.js";
import { inWedges } from "./wedges.js";
import type * as worker from "./worker.js";
import type { StorePlace, ThreadCall, ThreadData } from "./worker.js";

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
 * If a thread dies, its call of `run` fails with `job.task`, and the next call starts new threads.
 */
export class ThreadRunner implements Runner {
  readonly threads: number;
  readonly #data: ThreadData;
  readonly #pools = new Set<Pool>();
  readonly #calls = new Map<Call, Promise<void>>();
  #current: Pool;
  #isClosed = false;

  /** Starts the threads. */
  constructor(place: StorePlace, manifest: Manifest, { threads, maxMemory, nice }: Limits) {
    this.threads = threads;
    const share = Math.min(MOST_SHARE, Math.floor(maxMemory / threads));
    this.#data = { place, manifest, kernel: sharedKernel(), maxMemory: share, nice };
    this.#current = this.#start();
  }

  async run(phase: Phase, list: readonly number[], options: RunnerCall): Promise<void> {
    if (this.#isClosed) throw closed();
    options.signal?.throwIfAborted();
    if (this.#current.isBroken) this.#current = this.#start();
    const pool = this.#current;
    const threads = Math.min(this.threads, list.length);
    const { sectorOf } = options;
    const isConcentric = sectorOf !== undefined && this.#data.manifest.order === "concentric";
    const arranged = isConcentric ? inWedges(list, { threads, sectorOf }) : list;
    const memory = SharedTasks.memoryFor(arranged, { threads });
    const call = new Call(phase, memory, options.onTask);
    const running = call.run(pool, options.signal);
    this.#calls.set(call, running);
    try {
      await running;
    } finally {
      this.#calls.delete(call);
      if (pool.isBroken && pool.calls === 0) await this.#end(pool);
    }
  }

  /** Stops the calls that run, and ends the threads. The calls fail with `argument.disposed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const call of this.#calls.keys()) call.stop(closed());
    await Promise.allSettled(this.#calls.values());
    await Promise.all([...this.#pools].map((pool) => this.#end(pool)));
  }

  #start(): Pool {
    const pool = new Pool(this.#data, this.threads);
    this.#pools.add(pool);
    return pool;
  }

  async #end(pool: Pool): Promise<void> {
    this.#pools.delete(pool);
    await pool.end();
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

  async run(pool: Pool, signal: AbortSignal | undefined): Promise<void> {
    const abort = () => this.stop(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const timer = setInterval(() => this.#report(), LOOK_MS);
    try {
      await Promise.all(Array.from({ length: this.#memory.threads }, (_, thread) => this.#runIn(pool, thread)));
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

  async #runIn(pool: Pool, thread: number): Promise<void> {
    try {
      const thrown = await pool.run({ phase: this.#phase, tasks: this.#memory, thread });
      if (thrown !== undefined) this.stop(unpackError(thrown));
    } catch (cause) {
      this.stop(deathOf(cause, this.#phase, this.#tasks.runningIn(thread)));
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

/** A set of threads. After a thread of the pool has died, a new pool replaces the whole pool. */
class Pool {
  readonly #threads: Tinypool;
  readonly #known = new WeakSet<object>();
  /** For each running call, the function that rejects it. */
  readonly #running = new Set<(cause: unknown) => void>();
  #isEnding = false;
  #isBroken = false;

  constructor(data: ThreadData, threads: number) {
    this.#threads = new Tinypool({
      filename: new URL("./worker.js", import.meta.url),
      name: "runTasks" satisfies keyof typeof worker,
      minThreads: threads,
      maxThreads: threads,
      // while the parts of one call go to the disk, the thread runs the tasks of another call
      concurrentTasksPerWorker: CALLS_AT_ONCE,
      workerData: data,
      // A thread inherits Node's flags, and does not start with --input-type, a flag of scripts of --eval. In this case
      // the threads get no flags at all
      ...(process.execArgv.some((flag) => flag.startsWith("--input-type")) && { execArgv: [] }),
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(Math.max(LEAST_HEAP, data.maxMemory) / MIB) },
    });
    // this event means that a thread died while it had no call. But calls may wait for this thread
    this.#threads.on("error", (cause) => {
      this.#isBroken = true;
      for (const reject of this.#running) reject(cause);
      this.#running.clear();
    });
    this.#watch();
  }

  /** Whether a thread has died. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Number of calls that run. */
  get calls(): number {
    return this.#running.size;
  }

  /**
   * Runs a call in one of the threads.
   *
   * @throws the reason why the thread died.
   */
  run(call: ThreadCall): Promise<PackedError | undefined> {
    return new Promise((resolve, reject) => {
      this.#running.add(reject);
      const settled = () => this.#running.delete(reject);
      this.#threads.run(call).then(resolve, reject).finally(settled);
    });
  }

  /** Ends the threads. */
  async end(): Promise<void> {
    this.#isEnding = true;
    await this.#threads.destroy();
  }

  /**
   * Reports the exit of a thread as an error. Tinypool listens only to errors. Without the error, it would wait for the
   * dead thread for ever.
   */
  #watch(): void {
    for (const worker of this.#threads.threads) {
      if (this.#known.has(worker)) continue;
      this.#known.add(worker);
      let hasFailed = false;
      worker.on("error", () => {
        hasFailed = true;
        this.#isBroken = true;
        // Tinypool has started a new thread in place of this one: watch the new thread too
        this.#watch();
      });
      worker.on("exit", (code: number) => {
        if (!hasFailed && !this.#isEnding) worker.emit("error", new Error(`it ended with exit code ${code}`));
      });
    }
  }
}

/** The compiled kernel of this process. */
function sharedKernel(): KernelBytes {
  const compiled = compiledKernel();
  if (compiled !== undefined) return compiled;
  compileKernel(embeddedKernel());
  return sharedKernel();
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
