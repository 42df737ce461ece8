import { error, fail } from "../errors/index.js";
import { BATCH_RESULTS, BLOCK_WORDS } from "../kernel/index.js";
import { arrayType, checkInteger } from "../spec/index.js";
import { type LongCall, Pace, RESULTS_PER_REPORT, Watch } from "./watch.js";

export const MAX_INDEX = 2 ** 42;

/** Options of a call that makes one result. */
export interface AtOptions {
  /** Index of the result, 0 … 2^42 − 1. Default: the property `next`. Only a call without `at` advances `next`. */
  readonly at?: number | undefined;
}

/** Options of a call that makes many results. */
export interface BulkOptions extends LongCall {
  /** Index of the first result, 0 … 2^42 − 1. Default: `next`. Only a call without `from` advances `next`. */
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

export function placeOf(index: number): { readonly block: number; readonly offset: number } {
  return { block: Math.floor(index / BLOCK_WORDS), offset: index % BLOCK_WORDS };
}

/** The batch of a call that makes one result. */
export function batchOfOne(index: number): Batch {
  const { block, offset } = placeOf(index);
  return { block, offset, count: 1, done: 0 };
}

/** Returns the low and the high 32 bits of a number 0 … 2^53 − 1, for a kernel call. */
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
  /** Results in the first batch if the call is watched. Default 1024. Set it lower if one result may take long. */
  readonly first?: number;
}

/**
 * Runs `job` over a range in batches, until the range ends or `job` returns "stop". A batch has BATCH_RESULTS results.
 * If the call is watched (has `signal` or `onProgress`), a batch takes a few milliseconds. Most batches start where a
 * block of random words starts, because a batch that starts inside a block wastes words.
 */
export function forEachBatch(
  { name, from, total, first = FIRST_BATCH }: Range,
  options: LongCall,
  job: (batch: Batch, watch: Watch) => unknown,
): void {
  const watch = new Watch(name, total, options);
  const pace = new Pace(watch.isWatched ? first : BATCH_RESULTS, BATCH_RESULTS);
  for (let done = 0; done < total; ) {
    const { block, offset } = placeOf(from + done);
    // a watched batch ends at each multiple of RESULTS_PER_REPORT, because progress is always reported there
    const upTo = watch.isWatched ? RESULTS_PER_REPORT - (done % RESULTS_PER_REPORT) : total;
    const count = Math.min(wholeBlocks(offset, pace.size), upTo, total - done);
    const run = () => job({ block, offset, count, done }, watch);
    const answer = watch.isWatched ? pace.measure(count, run) : run();
    done = answer === "stop" ? total : done + count;
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
 * Makes `total` results in batches of at most `size`, and yields each batch. If `total` is 0, yields an empty batch.
 * `make` may fill and return `again`. So a batch may overwrite the previous batch.
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

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array } as const;

type ResultType = keyof typeof ARRAYS;
type Results = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/**
 * Returns the length of an array for results. Throws `argument.type` for any other value and for a transferred buffer.
 */
export function checkArray(out: unknown, types: readonly ResultType[]): number {
  const expected = types.map((known) => `a ${known}`).join(" or ");
  if (!types.some((known) => known === arrayType(out))) {
    const remedy = "Pass an array of this type; its length is the number of results";
    const problem = "the results cannot be written to this value";
    fail(error("argument.type", { problem, got: out, expected, remedy }));
  }
  const { buffer, length } = out as Results;
  if (!isDetached(buffer)) return length;
  const problem = "the results cannot be written to this array, because its buffer was transferred";
  return fail(error("argument.type", { problem, expected: `${expected} that this thread owns` }));
}

/**
 * Lets `fill` write to arrays of the caller: the fields `keys` of `out`. Set `canFail` if the call can fail after its
 * first results for another reason than a kernel trap. Then `fill` writes to new arrays, so that a failed call leaves
 * `out` unchanged. Throws RollmillError `argument.type` if a callback has transferred or resized an array.
 */
export function fillColumns<Out extends { readonly [K in Key]: Results | undefined }, Key extends keyof Out>(
  out: Out,
  keys: readonly Key[],
  canFail: boolean,
  fill: (room: Pick<Out, Key>) => void,
): void {
  if (!canFail) {
    fill(out);
    return;
  }
  const fresh = keys.map((key) => [key, newArray(out[key])] as const);
  // the cast is safe: each new array has the type of the array in `out`
  fill(Object.fromEntries(fresh) as unknown as Pick<Out, Key>);
  for (const [key, room] of fresh) checkLength(out[key], room);
  for (const [key, room] of fresh) if (room !== undefined) out[key]?.set(room);
  for (const [, room] of fresh) keepSpare(room);
}

/** Fills one array of the caller, as {@link fillColumns} does, and returns it. */
export function fillArray<Out extends Results>(out: Out, canFail: boolean, fill: (room: Out) => void): Out {
  fillColumns({ out }, ["out"], canFail, ({ out: room }) => fill(room));
  return out;
}

/** An array that an earlier call has used. Makes calls in a row faster: a new array costs as much as half the rolls. */
let spare: Results | undefined;
const MAX_SPARE_BYTES = 2 ** 20;

function keepSpare(room: Results | undefined): void {
  if (room !== undefined && room.byteLength <= MAX_SPARE_BYTES) spare = room;
}

function newArray(out: Results | undefined): Results | undefined {
  if (out === undefined) return undefined;
  // the cast is safe: `checkArray` has accepted the array
  const type = arrayType(out) as ResultType;
  if (spare instanceof ARRAYS[type] && spare.length === out.length) {
    const again = spare;
    spare = undefined;
    return again;
  }
  return allocateResults(out.length, out.BYTES_PER_ELEMENT, (length) => new ARRAYS[type](length));
}

function checkLength(out: Results | undefined, room: Results | undefined): void {
  if (out?.length === room?.length) return;
  const problem = "a callback has transferred or resized the array of the results";
  fail(error("argument.type", { problem, got: `${out?.length} elements`, expected: `${room?.length} elements` }));
}

/** Whether a buffer was transferred. If so, creating a view on it throws. */
function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    return new Uint8Array(buffer, 0, 0).length > 0;
  } catch {
    return true;
  }
}
