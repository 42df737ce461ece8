import { error, fail } from "../errors/index.js";
import { BATCH_RESULTS, BLOCK_WORDS } from "../kernel/index.js";

/** The progress of a long call. */
export interface Progress {
  /** Number of results made so far. */
  readonly done: number;
  /** Number of results that the call makes. */
  readonly total: number;
}

/**
 * Options of every long call. The call is synchronous. Between batches it calls `onProgress` and then checks `signal`,
 * so `onProgress` can abort the signal. An aborted call throws the signal's reason and changes nothing.
 */
export interface LongCall {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of a call that makes many results. */
export interface BulkOptions extends LongCall {
  /** Index of the first result, 0 … 2^42 − 1. Default: the generator's `next`, which then advances. */
  readonly from?: number | undefined;
}

/** The names of {@link BulkOptions}, for `readOptions`. */
export const BULK_OPTIONS = ["from", "signal", "onProgress"] as const;

/** A batch of consecutive indices, which starts at index block · 1024 + offset. */
export interface Batch {
  readonly block: number;
  readonly offset: number;
  /** Number of indices. */
  readonly count: number;
  /** Number of results that earlier batches of the call made. */
  readonly done: number;
}

/** Number of batches between two calls of `onProgress`, about a million results. */
const BATCHES_PER_REPORT = 16;

/** Splits an index into a block and an offset, because kernel calls take an index in this form. */
export function placeOf(index: number): { readonly block: number; readonly offset: number } {
  return { block: Math.floor(index / BLOCK_WORDS), offset: index % BLOCK_WORDS };
}

/** Splits a number 0 … 2^53 − 1 into its low and its high 32 bits, because kernel calls take a plane in this form. */
export function halvesOf(number: number): readonly [number, number] {
  return [number % 2 ** 32, Math.floor(number / 2 ** 32)];
}

/**
 * Allocates the arrays of `count` results.
 *
 * @throws RollmillError `argument.range` if there is not enough memory, or `count` exceeds the length of an array.
 */
export function allocateResults<T>(count: number, allocate: (count: number) => T): T {
  try {
    return allocate(count);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const problem = `not enough memory for ${count} results at once`;
    const remedy = "Make fewer results in one call; the next call continues after them";
    return fail(error("argument.range", { problem, remedy }), cause);
  }
}

/**
 * Runs `job` over the indices from … from + total − 1 in batches. Each batch after the first starts at the beginning of
 * a block.
 */
export function forEachBatch(
  range: { readonly from: number; readonly total: number },
  { signal, onProgress }: LongCall,
  job: (batch: Batch) => void,
): void {
  const { from, total } = range;
  let done = 0;
  signal?.throwIfAborted();
  for (let batches = 1; done < total; batches++) {
    const { block, offset } = placeOf(from + done);
    const count = Math.min(BATCH_RESULTS - offset, total - done);
    job({ block, offset, count, done });
    done += count;
    if (batches % BATCHES_PER_REPORT === 0 || done === total) {
      onProgress?.({ done, total });
      if (done < total) signal?.throwIfAborted();
    }
  }
}
