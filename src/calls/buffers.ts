import { error, fail } from "../errors/index.js";
import { allocateResults } from "./batches.js";

/** An array for results. */
type Results = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/** Maps the name of each type to its constructor. */
const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array } as const;

type ResultType = keyof typeof ARRAYS;

/** Reads the type of a typed array, also of one from another realm. Subclasses and own properties do not change it. */
const typeOf = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)?.get;

/**
 * Checks that a call can write its results to an array of the caller, and returns the number of its elements.
 *
 * @param types - the types of arrays whose elements can hold the results.
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

/** An array with the same elements. */
type Alike<Out> = Out extends Uint8Array
  ? Uint8Array
  : Out extends Uint16Array
    ? Uint16Array
    : Out extends Int32Array
      ? Int32Array
      : Uint32Array;

/**
 * Fills an array of the caller. If the call can fail after it has made some results, they are first written to another
 * array, so that a failed call leaves `out` as it was. Cost: then one more array and a copy.
 *
 * Without such a failure, the first batch reserves all memory and checks the plan, so only a trap, which is a bug of
 * the kernel, can end a later batch. Then `out` has the results of the batches before: to keep its old contents for
 * this case would cost every call a copy.
 *
 * @param canFail - whether the call can fail after its first results, for a reason other than a trap of the kernel.
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
  // the cast is safe: the array has the elements of `out`
  fill(room as Alike<Out>);
  checkLength(out, length);
  out.set(room);
  return out;
}

/**
 * Checks that an array still has its length, after a callback has run.
 *
 * @throws RollmillError `argument.type`.
 */
function checkLength(out: Results, length: number): void {
  if (out.length === length) return;
  const problem = "a callback has transferred or resized the array of the results";
  fail(error("argument.type", { problem, got: `${out.length} elements`, expected: `${length} elements` }));
}

/** Whether a buffer was transferred. A view on it cannot be created then. */
function isDetached(buffer: ArrayBufferLike): boolean {
  try {
    return new Uint8Array(buffer, 0, 0).length > 0;
  } catch {
    return true;
  }
}
