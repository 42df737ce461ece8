import { type Answer, type Port, packThrown, type Task } from "./pool.js";

/** Undefined in a page. */
const node = globalThis.process?.getBuiltinModule?.("node:worker_threads");

/** Starts the worker whose file lies beside the file of this function. Bundlers find the file in this form. */
export function startWorker(): Port {
  if (node !== undefined) return nodePort(new URL("./worker.js", import.meta.url));
  return pagePort(new Worker(new URL("./worker.js", import.meta.url), { type: "module" }));
}

/** Starts a worker in Node, Bun or Deno. */
export function nodePort(file: URL): Port {
  if (node === undefined) throw new Error("this platform has no threads");
  // a worker inherits the flags of Node, but cannot start with --input-type: then it gets no flags
  const hasInput = globalThis.process.execArgv.some((flag) => flag.startsWith("--input-type"));
  const worker = new node.Worker(file, hasInput ? { execArgv: [] } : {});
  return {
    post: (message, transfer) => worker.postMessage(message, transfer),
    listen(onMessage, onDeath) {
      worker.on("message", onMessage);
      worker.on("error", onDeath);
      worker.on("exit", (code) => onDeath(`it ended with exit code ${code}`));
    },
    keepAlive: (isNeeded) => (isNeeded ? worker.ref() : worker.unref()),
    end: () => worker.terminate(),
  };
}

function pagePort(worker: Worker): Port {
  return {
    post: (message, transfer) => worker.postMessage(message, [...transfer]),
    listen(onMessage, onDeath) {
      worker.onmessage = ({ data }) => onMessage(data);
      worker.onmessageerror = () => onDeath("a message cannot be read");
      worker.onerror = (event) => onDeath(event.message ?? "its file cannot be loaded");
    },
    keepAlive: () => undefined,
    end: async () => worker.terminate(),
  };
}

/** What a task made, and the buffers that move to the thread that gets it. */
export interface Made {
  readonly made: unknown;
  readonly transfer?: readonly ArrayBuffer[];
}

/** Runs the tasks of this worker, one after another, in the order in which they were given. */
export function serveTasks(handle: (task: never) => Made | Promise<Made>): void {
  const post = (answer: Answer, transfer: readonly ArrayBuffer[] = []) => {
    if (node?.parentPort) node.parentPort.postMessage(answer, transfer);
    else globalThis.postMessage(answer, { transfer: [...transfer] });
  };
  let last: Promise<void> = Promise.resolve();
  const take = ({ number, task }: Task) => {
    last = last.then(async () => {
      try {
        // the cast is safe: the thread that started this worker knows its tasks
        const { made, transfer } = await handle(task as never);
        post({ number, made }, transfer);
      } catch (cause) {
        post({ number, thrown: packThrown(cause) });
      }
    });
  };
  if (node?.parentPort) node.parentPort.on("message", take);
  else globalThis.onmessage = ({ data }: MessageEvent<Task>) => take(data);
  post({ made: undefined });
}
