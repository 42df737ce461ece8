import { error, fail } from "../errors/index.js";
import { BATCH_RESULTS, BLOCK_WORDS } from "../kernel/index.js";
import { checkInteger } from "../spec/index.js";
import { type LongCall, Pace, RESULTS_PER_REPORT, Watch } from "./watch.js";

export const MAX_INDEX = 2 ** 42;

/** Options of a call that makes one result. */
export interface AtOptions {
  /** Index of the result, 0 … 2^42 − 1. Default: the noun's `next`. Only a call without `at` advances `next`. */
  readonly at?: number | undefined;
}

/** Options of a call that makes many results. */
export interface BulkOptions extends LongCall {
  /**
   * Index of the first result, 0 … 2^42 − 1. Default: the noun's `next`. Only a call without `from` advances `next`.
   */
  readonly from?: number | undefined;
}

export const BULK_OPTIONS = ["from", "signal", "onProgress"] as const;

export function checkRange(from: number, count: number): void {
  checkInteger("from", from, 0, MAX_INDEX - 1);
  checkInteger("the number of results", count, 0, MAX_INDEX - from);
}

/** A batch of consecutive indices. Its first index is block · 1024 + offset. */
export interface Batch {
  readonly block: number;
  readonly offset: number;
  readonly count: number;
  /** Number of results that the call has made before this batch. */
  readonly done: number;
}

/** Number of results in the first batch of a call with `signal` or `onProgress`. */
const FIRST_BATCH = 1024;

/** Kernel calls take an index as a block and an offset. */
export function placeOf(index: number): { readonly block: number; readonly offset: number } {
  return { block: Math.floor(index / BLOCK_WORDS), offset: index % BLOCK_WORDS };
}

/** Kernel calls take numbers 0 … 2^53 − 1 as their low and high 32 bits. */
export function halvesOf(number: number): readonly [number, number] {
  return [number % 2 ** 32, Math.floor(number / 2 ** 32)];
}

const MAX_RESULT_BYTES = 2 ** 32;

/**
 * Allocates the arrays for `count` results of `bytes` bytes. First checks the limit of 4 GiB: some systems grant more
 * memory than they have, and end the process when it uses this memory. Throws RollmillError `kernel.memory`.
 */
export function allocateResults<T>(count: number, bytes: number, allocate: (count: number) => T): T {
  const remedy = "Make fewer results in one call; the next call continues after them";
  const requested = `${count} results of ${bytes} bytes`;
  if (count * bytes > MAX_RESULT_BYTES) {
    const problem = "the results of one call would be too large";
    fail(error("kernel.memory", { problem, got: requested, expected: `at most ${MAX_RESULT_BYTES} bytes`, remedy }));
  }
  try {
    return allocate(count);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const problem = `not enough memory for ${requested} at once (${cause.message})`;
    return fail(error("kernel.memory", { problem, remedy }), cause);
  }
}

/** The results of a call: their indices are `from` … `from + total − 1`. `name` is for messages. */
export interface Range {
  readonly name: string;
  readonly from: number;
  readonly total: number;
  /** Number of results in the first batch of a watched call. Default 1024. Set it lower if one result may take long. */
  readonly first?: number;
}

/**
 * Runs `job` over a range in batches: of a few milliseconds if the call is watched, otherwise of BATCH_RESULTS results.
 * Most batches start where a block of random words starts, because a batch that starts inside a block wastes words.
 */
export function forEachBatch(
  { name, from, total, first = FIRST_BATCH }: Range,
  options: LongCall,
  job: (batch: Batch, watch: Watch) => void,
): void {
  const watch = new Watch(name, total, options);
  const pace = new Pace(watch.isWatched ? first : BATCH_RESULTS, BATCH_RESULTS);
  for (let done = 0; done < total; ) {
    const { block, offset } = placeOf(from + done);
    // a watched batch ends at each multiple of RESULTS_PER_REPORT, because progress is always reported there
    const upTo = watch.isWatched ? RESULTS_PER_REPORT - (done % RESULTS_PER_REPORT) : total;
    const count = Math.min(wholeBlocks(offset, pace.size), upTo, total - done);
    if (watch.isWatched) pace.measure(count, () => job({ block, offset, count, done }, watch));
    else job({ block, offset, count, done }, watch);
    done += count;
    watch.passed(done);
  }
}

/** Shortens a batch so that it ends where a block ends, unless the batch lies inside one block. */
function wholeBlocks(offset: number, size: number): number {
  const rest = (offset + size) % BLOCK_WORDS;
  return rest < size ? size - rest : size;
}

export interface BatchCall<Made> {
  readonly done: number;
  readonly count: number;
  /** The previous batch, if it has `count` results: its memory can be used again. */
  readonly again: Made | undefined;
}

/**
 * Makes `total` results in batches of at most `size`, and yields each batch; one empty batch if `total` is 0. A batch
 * may overwrite the batch before it.
 *
 * @param make - Makes a batch. If `again` is set, `make` may fill `again` and return it.
 */
export function* madeInBatches<Made extends { readonly length: number }>(
  { total, size }: { readonly total: number; readonly size: number },
  make: (batch: BatchCall<Made>) => Made,
): Generator<Made, void> {
  let made: Made | undefined;
  for (let done = 0; done < total || made === undefined; done += made.length) {
    const count = Math.min(size, total - done);
    made = make({ done, count, again: made?.length === count ? made : undefined });
    yield made;
  }
}
