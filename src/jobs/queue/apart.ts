import { Worker } from "node:worker_threads";
import { unpackError } from "../runner/packedError.js";
import type { ApartAnswer, ApartCall, Survey } from "./apartThread.js";

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
