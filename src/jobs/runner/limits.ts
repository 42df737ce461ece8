import { availableParallelism } from "node:os";
import { checkFlag, checkInteger } from "../../spec/index.js";
import { usualMemory } from "../plan/space.js";

export const MAX_THREADS = 1024;
/** Bytes of a job: enough for all tasks, also in a new thread. */
export const MIN_MEMORY = 2 ** 26;
/** Bytes of a thread. A world needs 4 MiB, and it gets only a part. */
const MIN_SHARE = 2 ** 24;

export interface Limits {
  readonly threads: number;
  /** Bytes of all threads together. Each thread gets an equal share. */
  readonly maxMemory: number;
  /** Lets other programs go first: lowers the priority of the threads on Linux, and of the process elsewhere. */
  readonly nice: boolean;
}

/** Checks limits, and fills in those that are missing. */
export function limitsOf(given: { readonly [K in keyof Limits]?: Limits[K] | undefined }): Limits {
  const { nice = false } = given;
  checkFlag("nice", nice);
  // with `nice`, leaves one core to other programs
  const { threads = Math.max(1, availableParallelism() - (nice ? 1 : 0)) } = given;
  checkInteger("threads", threads, 1, MAX_THREADS);
  const { maxMemory = usualMemory(threads) } = given;
  checkInteger("maxMemory", maxMemory, MIN_MEMORY, Number.MAX_SAFE_INTEGER);
  checkInteger(`"maxMemory" of ${threads} threads`, maxMemory, threads * MIN_SHARE, Number.MAX_SAFE_INTEGER);
  return { threads, maxMemory, nice };
}
