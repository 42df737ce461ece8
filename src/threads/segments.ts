import { type LongCall, reportProgress } from "../calls/index.js";
import { sharedFlag } from "../calls/stopSignal.js";
import { BLOCK_WORDS } from "../kernel/index.js";

/** A call is divided among so many tasks at once, for each thread: while one runs, the next one waits beside it. */
const TASKS_PER_THREAD = 2;
/**
 * Target duration of a task. Its messages take up to a millisecond of the cores, and a task of another call waits for it.
 * The last tasks are shorter, so that all threads end together.
 */
const TASK_MS = 100;
/** A task has at most this many times as many results as the one before, whose duration is only a rough guide. */
const MAX_GROWTH = 8;

export interface Division {
  readonly name: string;
  readonly threads: number;
  readonly from: number;
  readonly total: number;
  /** Number of results in the first tasks, and the least and the greatest number in others. */
  readonly first: number;
  readonly least: number;
  readonly most: number;
  /** Progress counts this number for each result. Default 1. */
  readonly unit?: number;
}

interface Segment {
  readonly from: number;
  readonly count: number;
  /** Number of results before the segment. */
  readonly done: number;
}

/**
 * Calls `run` for the segments of a range, some at a time, until all have run or `run` returns "stop": then no segment
 * begins any more, and those that have begun still run. `run` returns the time that the segment took, in milliseconds.
 * If a segment fails, or the signal is aborted, waits until no thread works for the call any more,
 * and then throws. Segments end where a block of random words ends, because others waste words.
 */
export async function inSegments(
  { name, threads, from, total, first, least, most, unit = 1 }: Division,
  { signal, onProgress }: LongCall,
  run: (segment: Segment, stopFlag: Int32Array | undefined) => Promise<number | "stop">,
): Promise<void> {
  signal?.throwIfAborted();
  let [begun, done, size, isEnough] = [0, 0, first, false];
  let stopped: { readonly cause: unknown } | undefined;
  const stopFlag = sharedFlag();
  const stop = (cause: unknown) => {
    stopped ??= { cause };
    if (stopFlag !== undefined) Atomics.store(stopFlag, 0, 1);
  };
  const abort = () => {
    if (done < total) stop(signal?.reason);
  };
  const next = (): Segment => {
    const share = Math.ceil((total - begun) / (TASKS_PER_THREAD * threads));
    const wanted = from + begun + Math.max(least, Math.min(size, share, most));
    const end = wanted - from - begun < BLOCK_WORDS ? wanted : Math.ceil(wanted / BLOCK_WORDS) * BLOCK_WORDS;
    const count = Math.min(total - begun, end - from - begun);
    begun += count;
    return { from: from + begun - count, count, done: begun - count };
  };
  const work = async () => {
    while (begun < total && stopped === undefined && !isEnough) {
      const segment = next();
      const ms = await run(segment, stopFlag);
      done += segment.count;
      if (ms === "stop") {
        isEnough = true;
        return;
      }
      size = Math.floor(segment.count * Math.min(MAX_GROWTH, TASK_MS / Math.max(ms, TASK_MS / MAX_GROWTH)));
      if (stopped === undefined) {
        reportProgress(name, { done: done * unit, total: total * unit }, { onProgress, signal });
      }
    }
  };
  signal?.addEventListener("abort", abort, { once: true });
  await Promise.all(Array.from({ length: TASKS_PER_THREAD * threads }, () => work().catch(stop)));
  signal?.removeEventListener("abort", abort);
  if (stopped !== undefined) throw stopped.cause;
}
