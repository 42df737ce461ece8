import { constants, getPriority, setPriority } from "node:os";
import { setImmediate as turn } from "node:timers/promises";
import { workerData } from "node:worker_threads";
import { compileKernel, type KernelBytes } from "../../kernel/index.js";
import { TaskContext } from "../context.js";
import { openManifest } from "../manifest.js";
import { FolderStore } from "../store/folderStore.js";
import { runTask } from "../tasks/run.js";
import type { Manifest, Phase } from "../types.js";
import { type PackedError, packError, taskName } from "./packedError.js";
import { StopSignal } from "./stopSignal.js";
import { SharedTasks, type TaskMemory } from "./tasksInMemory.js";

/** The place of a job's files as plain data, so that a thread can open the store too. */
export interface StorePlace {
  readonly folder: string;
}

/** The data that a thread gets when it starts. */
export interface ThreadData {
  readonly place: StorePlace;
  readonly manifest: Manifest;
  /** The compiled kernel. */
  readonly kernel: KernelBytes;
  /** Maximum memory of the thread, in bytes. */
  readonly maxMemory: number;
  readonly nice: boolean;
}

/** The data that a thread gets for each call of `run`. */
export interface ThreadCall {
  readonly phase: Phase;
  readonly tasks: TaskMemory;
  /** Number of this thread in the call, from 0. */
  readonly thread: number;
}

/** The nice value of a process that runs in the background: that of the command `nice`. */
const NICE = constants.priority.PRIORITY_BELOW_NORMAL;

// the first element is data of the pool
const [, data] = workerData as [unknown, ThreadData];
const signal = new StopSignal();
/** A thread begins no task while this many of its parts are on their way to the disk. */
const MOST_UNFLUSHED = 4;
// opens the job while the thread waits for its first tasks. If this fails, the tasks throw the error
const opening = open(data);
opening.catch(() => undefined);

/**
 * Runs tasks until none is left. The pool calls this function in the thread. If a task fails, stops all threads.
 *
 * @returns the error of a failed task.
 */
export async function runTasks({ phase, tasks: memory, thread }: ThreadCall): Promise<PackedError | undefined> {
  const tasks = new SharedTasks(memory);
  // the parts of tasks go to the disk while the next tasks run
  const flushing = new Set<Promise<void>>();
  try {
    const { context, store } = await opening;
    while (!tasks.isStopped) {
      const k = tasks.begin(thread);
      if (k === undefined) break;
      // another call in this thread may have set its own tasks in the meantime
      signal.tasks = tasks;
      runTask(context, phase, k);
      const flush: Promise<void> = store.flushed().then(() => {
        tasks.end(thread, k);
        flushing.delete(flush);
      });
      // the promise throws where it is awaited
      flush.catch(() => undefined);
      flushing.add(flush);
      // a flush takes several turns of the event loop
      await (flushing.size < MOST_UNFLUSHED ? turn() : Promise.race(flushing));
    }
    await Promise.all(flushing);
  } catch (cause) {
    if (!tasks.isStopped) {
      tasks.stop();
      const k = tasks.runningIn(thread);
      return packError(cause, k === undefined ? "a thread" : taskName(phase, k));
    }
  } finally {
    // waits, so that nothing is written after the call has ended
    await Promise.allSettled(flushing);
  }
  return undefined;
}

/**
 * The folder of the job for a thread. While a file goes to the disk, the thread can do something else. If the tasks are
 * stopped, writes stop too, because a part can take longer to write than to make.
 */
class ThreadStore extends FolderStore {
  #flushed: Promise<unknown> = Promise.resolve();

  override put(name: string, pieces: Iterable<Uint8Array>): void {
    const put = this.putSoon(name, untilStopped(pieces));
    this.#flushed = Promise.all([this.#flushed, put]);
    // the promise throws where it is awaited
    this.#flushed.catch(() => undefined);
  }

  /** Fulfilled when all files that were put since the last call are on the disk. */
  async flushed(): Promise<void> {
    const before = this.#flushed;
    this.#flushed = Promise.resolve();
    await before;
  }
}

function* untilStopped(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  for (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
  }
}

async function open({ place, manifest, kernel, maxMemory, nice }: ThreadData) {
  // the id 0 means this thread on Linux, and this process on other systems
  if (nice && getPriority(0) < NICE) setPriority(0, NICE);
  compileKernel(kernel);
  const job = await openManifest(manifest);
  const store = new ThreadStore(place.folder);
  return { store, context: new TaskContext(job, { store, maxMemory, signal }) };
}
