import { Worker } from "node:worker_threads";
import { type PackedError, unpackError } from "../runner/packedError.js";
import type { ExportName } from "../types.js";
import type { Survey } from "./apartThread.js";

/** Without `name`, the thread surveys the job. Otherwise it makes this export. */
export interface ApartCall {
  readonly folder: string;
  readonly name?: ExportName;
}

export type ApartAnswer = { readonly survey: Survey | undefined } | { readonly thrown: PackedError };

/** In a new thread, because the calling one renews the locks of the worker's tickets. Undefined for an export. */
export function apart(call: ApartCall, signal: AbortSignal): Promise<Survey | undefined> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const thread = new Worker(new URL("./apartThread.js", import.meta.url), { workerData: call });
    const abort = () => {
      reject(signal.reason as Error);
      void thread.terminate();
    };
    signal.addEventListener("abort", abort, { once: true });
    thread.on("message", (answer: ApartAnswer) => {
      if ("thrown" in answer) reject(unpackError(answer.thrown));
      else resolve(answer.survey);
    });
    thread.on("error", reject);
    thread.on("exit", (code) => {
      signal.removeEventListener("abort", abort);
      reject(new Error(`the thread ended with exit code ${code}`));
    });
  });
}
