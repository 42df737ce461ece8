import { error, fail } from "../errors/index.js";
import { allocateResults } from "./batches.js";

type Results = Uint8Array | Uint16Array | Uint32Array | Int32Array;

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array } as const;

type ResultType = keyof typeof ARRAYS;

/**
 * Returns the name of a typed array's type, such as "Uint8Array", or undefined for other values. Also works for arrays
 * of another realm. Subclasses and own properties cannot change the result.
 */
const typeOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get;

/**
 * Checks that a call can write its results to the caller's array. Returns the array's length.
 *
 * @param types - Types of arrays that can hold the results.
 * @throws RollmillError `argument.type` for anything else, or if the array's buffer was transferred to another thread.
 */
export function checkArray(out: unknown, types: readonly ResultType[]): number {
  const type: unknown = typeOf?.call(out);
  const expected = types.map((known) => `a ${known}`).join(" or ");
  if (!types.some((known) => known === type)) {
    const remedy = "Pass an array of this type; its length is the number of results";
    fail(
      error("argument.type", { problem: "the results cannot be written to this value", got: out, expected, remedy }),
    );
  }
  const { buffer, length } = out as Results;
  if (!isDetached(buffer)) return length;
  const problem = "the results cannot be written to this array, because its buffer was transferred";
  return fail(error("argument.type", { problem, expected: `${expected} that this thread owns` }));
}

/** A plain typed array with the same type of elements. */
type Alike<Out> = Out extends Uint8Array
  ? Uint8Array
  : Out extends Uint16Array
    ? Uint16Array
    : Out extends Int32Array
      ? Int32Array
      : Uint32Array;

/**
 * Fills the caller's array `out`.
 *
 * With `canFail`, the results go to a second array first, and are copied at the end. So a failed call does not change
 * `out`. Cost: the second array and the copy.
 *
 * Without `canFail`, the results go directly to `out`. The first batch reserves all memory and checks the plan. So only
 * a trap (a bug of the kernel) can make a later batch fail. After a trap, `out` contains the results of the batches
 * before the trap. To keep `out` unchanged even then, every call would have to make a copy.
 *
 * @param canFail - Whether the call can fail after its first results. A trap of the kernel does not count.
 * @throws The errors of `fill`; RollmillError `argument.type` if a callback has transferred or shrunk the array.
 */
export function fillArray<Out extends Results>(
  out: Out,
  canFail: boolean,
  fill: (room: Out | Alike<Out>) => void,
): Out {
  if (!canFail) {
    fill(out);
    return out;
  }
  const { length } = out;
  const type = typeOf?.call(out) as ResultType;
  const room = allocateResults(length, out.BYTES_PER_ELEMENT, (n) => new ARRAYS[type](n));
  // the cast is safe: the new array has the same type as `out`
  fill(room as Alike<Out>);
  checkLength(out, length);
  out.set(room);
  return out;
}

/**
 * Checks that a callback has not changed the array's length.
 *
 * @throws RollmillError `argument.type`.
 */
function checkLength(out: Results, length: number): void {
  if (out.length === length) return;
  const problem = "a callback has transferred or resized the array of the results";
  fail(error("argument.type", { problem, got: `${out.length} elements`, expected: `${length} elements` }));
}

/** Whether a buffer was transferred. If so, creating a view on it throws. */
function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    return new Uint8Array(buffer, 0, 0).length > 0;
  } catch {
    return true;
  }
}
