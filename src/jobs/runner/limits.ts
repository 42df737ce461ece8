import { availableParallelism } from "node:os";
import { checkFlag, checkInteger } from "../../spec/index.js";
import { usualMemory } from "../plan/space.js";

export const MOST_THREADS = 1024;
/**
 * Minimum memory of a job, in bytes. It is enough to run all tasks one after another, in a new thread or in the calling
 * thread.
 */
export const LEAST_MEMORY = 2 ** 26;
/** Minimum memory of a thread, in bytes. A world needs 4 MiB, and it gets only a part of the thread's memory. */
const LEAST_SHARE = 2 ** 24;

/** What the work on a job may use of the machine. */
export interface Limits {
  readonly threads: number;
  /** Maximum memory of all threads together, in bytes. Each thread gets an equal share. */
  readonly maxMemory: number;
  /** Lets other programs go first: lowers the priority of the threads on Linux, and of the process elsewhere. */
  readonly nice: boolean;
}

/**
 * Checks limits, and fills in those that are missing.
 *
 * @throws RollmillError `argument.type`, `argument.range`, also if the memory is too little for the threads.
 */
export function limitsOf(given: { readonly [K in keyof Limits]?: Limits[K] | undefined }): Limits {
  const { nice = false } = given;
  checkFlag("nice", nice);
  const { threads = usualThreads({ nice }) } = given;
  checkInteger("threads", threads, 1, MOST_THREADS);
  const { maxMemory = usualMemory(threads) } = given;
  checkInteger("maxMemory", maxMemory, LEAST_MEMORY, Number.MAX_SAFE_INTEGER);
  checkInteger(`"maxMemory" of ${threads} threads`, maxMemory, threads * LEAST_SHARE, Number.MAX_SAFE_INTEGER);
  return { threads, maxMemory, nice };
}

/** Returns the usual number of threads: one for each core. With `nice`, leaves one core to other programs. */
export function usualThreads({ nice }: Pick<Limits, "nice">): number {
  return Math.max(1, availableParallelism() - (nice ? 1 : 0));
}
