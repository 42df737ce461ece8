import { constants, getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { compileKernel, type KernelBytes } from "../../kernel/index.js";
import { TaskContext } from "../context.js";
import { openManifest } from "../manifest.js";
import { BackgroundStore } from "../store/backgroundStore.js";
import { runTask } from "../tasks/run.js";
import type { Manifest, Phase } from "../types.js";
import { runInTurn } from "./inTurn.js";
import { type PackedError, packError, taskName } from "./packedError.js";
import { StopSignal } from "./stopSignal.js";
import { SharedTasks, type TaskMemory } from "./tasksInMemory.js";

export interface ThreadData {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly kernel: readonly KernelBytes[];
  readonly maxMemory: number;
  readonly nice: boolean;
}

export interface ThreadCall {
  readonly phase: Phase;
  readonly tasks: TaskMemory;
  /** Number of this thread in the call, from 0. */
  readonly thread: number;
}

/** The nice value for work in the background. The command `nice` has the same default. */
const NICE = constants.priority.PRIORITY_BELOW_NORMAL;

export interface ThreadAnswer {
  readonly number: number;
  readonly thrown: PackedError | undefined;
}

const signal = new StopSignal();
// opens the job while the thread waits for its first tasks. If this fails, the tasks throw the error
const opening = open(workerData);
opening.catch(() => undefined);
parentPort?.on("message", async ({ number, call }: { readonly number: number; readonly call: ThreadCall }) => {
  parentPort?.postMessage({ number, thrown: await runTasks(call) } satisfies ThreadAnswer);
});

/**
 * Runs tasks until none is left. If a task fails, stops all threads.
 *
 * @returns the error of a failed task.
 */
async function runTasks({ phase, tasks: memory, thread }: ThreadCall): Promise<PackedError | undefined> {
  const tasks = new SharedTasks(memory);
  try {
    const { context, store } = await opening;
    await runInTurn({
      store,
      begin: () => (tasks.isStopped ? undefined : tasks.begin(thread)),
      run: (k) => {
        // a second call in this thread may have set the tasks of that call in the meantime
        signal.tasks = tasks;
        runTask(context, phase, k);
      },
      end: (k) => tasks.end(thread, k),
    });
  } catch (cause) {
    if (!tasks.isStopped) {
      tasks.stop();
      const k = tasks.runningIn(thread);
      return packError(cause, k === undefined ? "a thread" : taskName(phase, k));
    }
  }
  return undefined;
}

async function open({ folder, manifest, kernel, maxMemory, nice }: ThreadData) {
  // the id 0 means this thread on Linux, and this process on other systems
  if (nice && getPriority(0) < NICE) setPriority(0, NICE);
  compileKernel(kernel);
  const job = await openManifest(manifest);
  const store = new BackgroundStore(folder, signal);
  return { store, context: new TaskContext(job, { store, maxMemory, signal }) };
}
