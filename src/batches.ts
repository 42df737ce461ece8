import { BLOCK_WORDS } from "./address.js";
import { error, fail } from "./errors/index.js";

/** How far a long call is. */
export interface Progress {
  readonly done: number;
  readonly total: number;
}

/**
 * What every long call takes. It is synchronous: `onProgress` runs between batches, and `signal` is looked at there, so
 * abort from `onProgress` or from another thread. An aborted call throws the signal's reason and changes nothing.
 */
export interface LongCall {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** One batch of consecutive indices: the first is block · 1024 + offset, and `done` came before it. */
export interface Batch {
  readonly block: number;
  readonly offset: number;
  readonly count: number;
  readonly done: number;
}

/** Results of one kernel call: what its window holds. */
export const BATCH_RESULTS = 1 << 16;
/** Progress is told every so many batches: about a million results. */
const BATCHES_PER_REPORT = 16;

/**
 * The arrays of `count` results.
 *
 * @throws RollmillError `argument.range` where the machine has none, or no array is that long.
 */
export function allocateResults<T>(count: number, allocate: (count: number) => T): T {
  try {
    return allocate(count);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const remedy =
      "Make fewer at a time: a call goes on where the last one ended, and one with Into uses its arrays again";
    const problem = "there is no room for so many results at once";
    return fail(
      error("argument.range", { problem, got: count, expected: "results that fit in memory", remedy }),
      cause,
    );
  }
}

/** Runs `job` over the indices from … from + total − 1, batch by batch, each but the first starting on a block. */
export function forEachBatch(
  range: { readonly from: number; readonly total: number },
  { signal, onProgress }: LongCall,
  job: (batch: Batch) => void,
): void {
  const { from, total } = range;
  let done = 0;
  signal?.throwIfAborted();
  for (let batches = 1; done < total; batches++) {
    const index = from + done;
    const offset = index % BLOCK_WORDS;
    const count = Math.min(BATCH_RESULTS - offset, total - done);
    job({ block: Math.floor(index / BLOCK_WORDS), offset, count, done });
    done += count;
    if (batches % BATCHES_PER_REPORT === 0 || done === total) {
      onProgress?.({ done, total });
      if (done < total) signal?.throwIfAborted();
    }
  }
}
