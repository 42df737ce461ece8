import { constants, getPriority, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { StopSignal } from "../../calls/stopSignal.js";
import { compileKernel, type KernelBytes } from "../../kernel/index.js";
import type { ExportPart, Pieces } from "../exports/pieces.js";
import { openWithFrom } from "../folder/from.js";
import type { Manifest, OpenedJob } from "../folder/manifest.js";
import { BackgroundStore } from "../folder/store.js";
import { TaskContext } from "../tasks/context.js";
import { runTask } from "../tasks/run.js";
import type { Phase } from "../types.js";
import { type PackedError, packError, taskName } from "./packedError.js";

export interface ThreadData {
  readonly folder: string;
  readonly manifest: Manifest;
  readonly kernel: readonly KernelBytes[];
  readonly maxMemory: number;
  readonly nice: boolean;
}

export interface ThreadTask {
  readonly number: number;
  readonly phase: Phase | ExportPart;
  readonly k: number;
  readonly stopFlag: Int32Array<SharedArrayBuffer>;
}

/** `ms` is the time that the task took. `piece` is what a task of an export made, which stores nothing. */
export interface StoredAnswer {
  readonly kind: "stored";
  readonly number: number;
  readonly ms: number;
  readonly piece?: unknown;
}

/** After each task, the thread posts `free`. It also posts `stored` when the part is on the disk, or `failed`. */
export type ThreadAnswer =
  | { readonly kind: "free" }
  | StoredAnswer
  | { readonly kind: "failed"; readonly number: number; readonly thrown: PackedError };

/** The nice value for work in the background. The command `nice` has the same default. */
const NICE = constants.priority.PRIORITY_BELOW_NORMAL;

/** The signal of the task that runs now. */
const signal = new StopSignal(new Int32Array(1));
const post = (answer: ThreadAnswer) => parentPort?.postMessage(answer);
// opens the job while the thread waits for its first task. If this fails, the tasks throw the error
const opening = open(workerData);
opening.catch(() => undefined);

parentPort?.on("message", async ({ number, phase, k, stopFlag }: ThreadTask) => {
  const fail = (cause: unknown) => post({ kind: "failed", number, thrown: packError(cause, taskName(phase, k)) });
  try {
    const { job, store, contextOf } = await opening;
    signal.flag = stopFlag;
    signal.throwIfAborted();
    const beganMs = performance.now();
    let ms = 0;
    const onStored = (piece?: unknown) => post({ kind: "stored", number, ms, piece });
    if (phase.kind === "export") {
      const piece = await (await piecesOf(job, phase)).make(k);
      ms = performance.now() - beganMs;
      onStored(piece);
    } else {
      store
        .run(
          () => runTask(contextOf(), phase, k),
          () => onStored(),
        )
        .catch(fail);
      ms = performance.now() - beganMs;
      await store.pause();
    }
  } catch (cause) {
    fail(cause);
  }
  post({ kind: "free" });
});

async function open({ folder, manifest, kernel, maxMemory, nice }: ThreadData) {
  // the id 0 means this thread on Linux, and this process on other systems
  if (nice && getPriority(0) < NICE) setPriority(0, NICE);
  compileKernel(kernel);
  const store = new BackgroundStore(folder, signal);
  const job = await openWithFrom(store, manifest);
  let context: TaskContext | undefined;
  const contextOf = () => {
    // exports can be made of jobs of other builds, whose tasks cannot be run
    context ??= new TaskContext(job, maxMemory, signal);
    return context;
  };
  return { job, store, contextOf };
}

/** The export whose piece was made last. */
let last: { readonly key: string; readonly pieces: Pieces<unknown> } | undefined;

async function piecesOf(job: OpenedJob, part: ExportPart): Promise<Pieces<unknown>> {
  const key = JSON.stringify(part);
  if (last?.key !== key) {
    last?.pieces.close?.();
    // a thread of tasks does not need this code
    const { openPieces } = await import("../exports/exporters.js");
    last = { key, pieces: openPieces(job, part, { signal, maxMemory: (workerData as ThreadData).maxMemory }) };
  }
  return last.pieces;
}
