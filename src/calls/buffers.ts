import { error, fail } from "../errors/index.js";
import { arrayType } from "../spec/index.js";
import { allocateResults } from "./batches.js";

const ARRAYS = { Uint8Array, Uint16Array, Uint32Array, Int32Array } as const;

type ResultType = keyof typeof ARRAYS;
type Results = Uint8Array | Uint16Array | Uint32Array | Int32Array;

/**
 * Returns the length of an array that can hold results of a call.
 *
 * @throws RollmillError `argument.type` for anything else, or if the array's buffer was transferred to another thread.
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
 * Fills arrays of the caller: `fill` gets some fields of `out`. If the call can fail after its first results
 * (`canFail`, a trap of the kernel does not count), it gets new arrays, so that a failed call leaves `out` unchanged.
 *
 * @throws The errors of `fill`; RollmillError `argument.type` if a callback has transferred or shrunk an array.
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
}

/** Fills an array of the caller and returns it, as {@link fillColumns} does. */
export function fillArray<Out extends Results>(out: Out, canFail: boolean, fill: (room: Out) => void): Out {
  fillColumns({ out }, ["out"], canFail, ({ out: room }) => fill(room));
  return out;
}

function newArray(out: Results | undefined): Results | undefined {
  if (out === undefined) return undefined;
  // the cast is safe: `checkArray` has accepted the array
  const type = arrayType(out) as ResultType;
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
