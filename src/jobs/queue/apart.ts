import { Worker } from "node:worker_threads";
import type { RollmillError } from "../../errors/index.js";
import { type PackedError, unpackError } from "../runner/packedError.js";
import type { ExportName } from "../types.js";

/** What a thread of its own does: everything that a step computes. */
export type ApartCall =
  | { readonly kind: "survey"; readonly folder: string }
  | { readonly kind: "export"; readonly folder: string; readonly name: ExportName };

/** What is left to do of a job. */
export type Survey =
  | {
      readonly isFinished: false;
      /** The first phase that is not finished: its name, its place in the job, and its number of tasks. */
      readonly phase: string;
      readonly index: number;
      readonly tasks: number;
      /** The numbers of its tasks that are left. */
      readonly left: readonly number[];
      /** Share of the job that is done, 0 … 1. */
      readonly share: number;
    }
  | { readonly isFinished: true; readonly digest: string; readonly exports: readonly ExportName[] };

/** What the thread posts when it ends. */
export type ApartAnswer = { readonly survey: Survey | undefined } | { readonly thrown: PackedError };

/**
 * Does a call in a thread of its own. The thread of a worker's messages must stay free: it renews the locks of the
 * tickets, and a ticket whose lock is lost runs twice.
 *
 * @throws what the call throws; the reason of an aborted signal.
 */
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
