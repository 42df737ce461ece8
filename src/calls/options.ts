import { type Code, didYouMean, error, fail, show } from "../errors/index.js";

/** The number of indices: they are 0 … 2^42 − 1. */
export const MAX_INDEX = 2 ** 42;

/** Options of a call that makes one result. */
export interface AtOptions {
  /** Index of the result, 0 … 2^42 − 1. Default: `next`, which then advances. */
  readonly at?: number | undefined;
}

/**
 * Checks the range of indices from … from + count − 1.
 *
 * @throws RollmillError `argument.range` for numbers that are not integers ≥ 0, and for an index of 2^42 or more.
 */
export function checkRange(from: number, count: number): void {
  checkInteger("from", from, 0, MAX_INDEX - 1);
  checkInteger("the number of results", count, 0, MAX_INDEX - from);
}

/**
 * Checks one integer argument; both bounds are inclusive.
 *
 * @throws RollmillError `argument.range`.
 */
export function checkInteger(name: string, value: unknown, least: number, most: number): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
  const expected = `an integer from ${least} to ${most}`;
  fail(error("argument.range", { problem: `${name} is not usable`, got: value, expected }));
}

/**
 * Checks the options of a call, for callers without types: they are an object, have known keys only, and `signal` and
 * `onProgress` have their types.
 *
 * Cost: O(keys).
 *
 * @param call - the call as users write it, for messages: "table.roll".
 * @throws RollmillError `argument.type`, `argument.option`.
 */
export function checkOptions(call: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    refuse("argument.type", `the options of ${call} are not usable`, options, "an object");
  }
  for (const key of Object.keys(options)) if (!known.includes(key)) refuseOption(call, key, known);
  const { signal, onProgress } = options as { readonly signal?: unknown; readonly onProgress?: unknown };
  if (signal !== undefined && !isSignal(signal))
    refuse("argument.type", "signal is not usable", signal, "an AbortSignal");
  if (onProgress !== undefined && typeof onProgress !== "function") {
    refuse("argument.type", "onProgress is not usable", onProgress, "a function");
  }
}

function refuseOption(call: string, key: string, known: readonly string[]): never {
  const expected = known.length === 0 ? "no options" : `one of ${known.join(", ")}`;
  const hint = didYouMean(key, known, "Remove it");
  return fail(error("argument.option", { problem: `${call} has no option ${show(key)}`, expected, ...hint }));
}

function isSignal(value: unknown): boolean {
  return typeof value === "object" && value !== null && "throwIfAborted" in value;
}

function refuse(code: Code, problem: string, got: unknown, expected: string): never {
  return fail(error(code, { problem, got, expected }));
}
