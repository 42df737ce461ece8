import { Worker } from "node:worker_threads";
import { error, RollmillError } from "../../errors/index.js";
import { embeddedKernel } from "../../kernel/embedded.js";
import { compiledKernel, compileKernel, isKernelCompiled } from "../../kernel/index.js";
import type { OpenedJob } from "../folder/manifest.js";
import type { Phase } from "../types.js";
import type { Limits } from "./limits.js";
import { remedyFor, taskName, unpackError } from "./packedError.js";
import type { Runner, RunnerCall } from "./running.js";
import { inWedges, TaskList } from "./taskList.js";
import type { ThreadAnswer, ThreadData, ThreadTask } from "./thread.js";

const MIB = 2 ** 20;
const MAX_SHARE = 2 ** 32;
/** Bytes. The maps and the kernel are outside the JavaScript heap, but contents and items are inside. */
const MIN_HEAP = 2 ** 29;

/** If a thread dies, the calls whose tasks it ran fail with `job.task`, and a new thread does later tasks. */
export class ThreadRunner implements Runner {
  readonly #data: ThreadData;
  readonly #threads: Thread[];
  readonly #calls = new Set<Call>();
  #isClosed = false;

  constructor({ store, manifest }: Pick<OpenedJob, "store" | "manifest">, { threads, maxMemory, nice }: Limits) {
    const share = Math.min(MAX_SHARE, Math.floor(maxMemory / threads));
    if (!isKernelCompiled()) compileKernel(embeddedKernel());
    this.#data = { folder: store.place, manifest, kernel: compiledKernel(), maxMemory: share, nice };
    this.#threads = Array.from({ length: threads }, () => this.#newThread());
  }

  async run(phase: Phase, list: readonly number[], { signal, onTask, sectorOf }: RunnerCall): Promise<void> {
    if (this.#isClosed) throw closed();
    signal?.throwIfAborted();
    const threads = this.#threads.length;
    const isConcentric = sectorOf !== undefined && this.#data.manifest.order === "concentric";
    const tasks = isConcentric ? inWedges(list, { threads, sectorOf }) : list;
    const call = new Call(phase, new TaskList(tasks, threads), onTask);
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

  /** The calls that run fail with `argument.disposed`. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const ended = [...this.#calls].map((call) => call.ended);
    for (const call of this.#calls) call.stop(closed());
    await Promise.allSettled(ended);
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  #newThread(): Thread {
    return new Thread(this.#data, () => this.#beginTasks());
  }

  /** Gives a task to each free thread. A new thread takes the place of one that has died. */
  #beginTasks(): void {
    for (const [i, { isFree, isDead }] of this.#threads.entries()) {
      if (!isFree) continue;
      for (const call of this.#calls) {
        const k = call.next(i);
        if (k === undefined) continue;
        if (isDead) this.#threads[i] = this.#newThread();
        this.#threads[i].begin(call, k);
        break;
      }
    }
  }
}

class Call {
  readonly phase: Phase;
  /** Fulfilled when all parts are stored. If the call is stopped, rejected when no thread works for it any more. */
  readonly ended: Promise<void>;
  /** See {@link StopSignal}. */
  readonly stopFlag = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  readonly #list: TaskList;
  readonly #onTask: RunnerCall["onTask"];
  #resolve = () => {};
  #reject = (_: unknown) => {};
  /** Tasks that were begun and not ended. */
  #running = 0;
  #stopped: { readonly cause: unknown } | undefined;

  constructor(phase: Phase, list: TaskList, onTask: RunnerCall["onTask"]) {
    this.phase = phase;
    this.#list = list;
    this.#onTask = onTask;
    this.ended = new Promise((resolve, reject) => {
      [this.#resolve, this.#reject] = [resolve, reject];
    });
    this.#endIfDone();
  }

  /** Begins a task in a thread. Each task that was begun must end with {@link stored} or {@link failed}. */
  next(thread: number): number | undefined {
    const k = this.#stopped === undefined ? this.#list.next(thread) : undefined;
    if (k !== undefined) this.#running++;
    return k;
  }

  stored(k: number): void {
    this.#running--;
    try {
      if (this.#stopped === undefined) this.#onTask(k);
      this.#endIfDone();
    } catch (cause) {
      this.stop(cause);
    }
  }

  failed(cause: unknown): void {
    this.#running--;
    this.stop(cause);
  }

  /** The first cause becomes the reason of {@link ended}. */
  stop(cause: unknown): void {
    this.#stopped ??= { cause };
    Atomics.store(this.stopFlag, 0, 1);
    this.#endIfDone();
  }

  #endIfDone(): void {
    if (this.#running > 0) return;
    if (this.#stopped !== undefined) this.#reject(this.#stopped.cause);
    else if (this.#list.isEmpty) this.#resolve();
  }
}

interface RunningTask {
  readonly call: Call;
  readonly k: number;
}

/** A worker thread. It runs one task at a time, while the parts of tasks before it go to the disk. */
class Thread {
  isFree = true;
  isDead = false;
  readonly #worker: Worker;
  /** The tasks that were begun and not ended, by number. The last one runs unless the thread is free. */
  readonly #tasks = new Map<number, RunningTask>();
  #number = 0;

  /** @param onFree - Called when the thread can begin a task, and when it has died. */
  constructor(data: ThreadData, onFree: () => void) {
    this.#worker = new Worker(new URL("./thread.js", import.meta.url), {
      workerData: data,
      // A thread inherits Node's flags, but cannot start with --input-type, a flag for --eval. In this case, it gets no
      // flags
      ...(process.execArgv.some((flag) => flag.startsWith("--input-type")) && { execArgv: [] }),
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(Math.max(MIN_HEAP, data.maxMemory) / MIB) },
    });
    // a thread without tasks does not keep the process alive
    this.#worker.unref();
    this.#worker.on("message", (answer: ThreadAnswer) => {
      if (answer.kind === "free") {
        this.isFree = true;
        onFree();
      } else this.#end(answer);
    });
    const die = (cause: unknown) => {
      this.#die(cause);
      onFree();
    };
    this.#worker.on("error", die);
    this.#worker.on("exit", (code) => die(new Error(`it ended with exit code ${code}`)));
  }

  begin(call: Call, k: number): void {
    this.isFree = false;
    const number = this.#number++;
    this.#tasks.set(number, { call, k });
    this.#worker.ref();
    this.#worker.postMessage({ number, phase: call.phase, k, stopFlag: call.stopFlag } satisfies ThreadTask);
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #end(answer: Exclude<ThreadAnswer, { kind: "free" }>): void {
    const task = this.#tasks.get(answer.number);
    this.#tasks.delete(answer.number);
    if (this.#tasks.size === 0) this.#worker.unref();
    if (answer.kind === "stored") task?.call.stored(task.k);
    else task?.call.failed(unpackError(answer.thrown));
  }

  #die(cause: unknown): void {
    const tasks = [...this.#tasks.values()];
    const running = this.isFree ? undefined : tasks.at(-1);
    this.#tasks.clear();
    this.isDead = true;
    this.isFree = true;
    for (const { call } of tasks) call.failed(deathOf(cause, running?.call === call ? running : undefined));
  }
}

function deathOf(cause: unknown, running: RunningTask | undefined): RollmillError {
  const where = running === undefined ? "" : ` while it ran ${taskName(running.call.phase, running.k)}`;
  const problem = `a thread died${where} (${cause instanceof Error ? cause.message : String(cause)})`;
  return new RollmillError([error("job.task", { problem, remedy: remedyFor(cause) })], { cause });
}

function closed(): RollmillError {
  return new RollmillError([error("argument.disposed", { problem: "the threads of the job are closed" })]);
}
