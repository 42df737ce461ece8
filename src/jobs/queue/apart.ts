import { Worker } from "node:worker_threads";
import type { RollmillError } from "../../errors/index.js";
import { type PackedError, unpackError } from "../runner/packedError.js";
import type { ExportName } from "../types.js";

export type ApartCall =
  | { readonly kind: "survey"; readonly folder: string }
  | { readonly kind: "export"; readonly folder: string; readonly name: ExportName };

/** What remains to do of a job: the first phase that is not finished, or the missing exports. */
export type Survey =
  | {
      readonly isFinished: false;
      /** Index of the phase in the job, and its number of tasks. */
      readonly phase: string;
      readonly index: number;
      readonly tasks: number;
      readonly remaining: readonly number[];
      readonly share: number;
    }
  | { readonly isFinished: true; readonly digest: string; readonly exports: readonly ExportName[] };

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
      if ("thrown" in answer) reject(unpackError(answer.thrown) as RollmillError);
      else resolve(answer.survey);
    });
    thread.on("error", reject);
    thread.on("exit", (code) => {
      signal.removeEventListener("abort", abort);
      reject(new Error(`the thread ended with exit code ${code}`));
    });
  });
}
