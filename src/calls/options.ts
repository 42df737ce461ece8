import { type Code, didYouMean, error, fail, show } from "../errors/index.js";

/** Number of indices. An index is 0 … 2^42 − 1. */
export const MAX_INDEX = 2 ** 42;

/** Options of a call that makes one result. */
export interface AtOptions {
  /** Index of the result, 0 … 2^42 − 1. Default: the generator's `next`, which then advances. */
  readonly at?: number | undefined;
}

/**
 * Checks that from … from + count − 1 is a range of indices.
 *
 * @throws RollmillError `argument.range` if a number is not an integer ≥ 0, or an index would be 2^42 or more.
 */
export function checkRange(from: number, count: number): void {
  checkInteger("from", from, 0, MAX_INDEX - 1);
  checkInteger("the number of results", count, 0, MAX_INDEX - from);
}

/**
 * Checks that an argument is an integer from `least` to `most`, both inclusive.
 *
 * @param name - the argument's name, which the message quotes, or a phrase such as "the number of results".
 * @throws RollmillError `argument.range` if it is not.
 */
export function checkInteger(name: string, value: unknown, least: number, most: number): void {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
  const expected = `an integer from ${least} to ${most}`;
  const shown = name.includes(" ") ? name : show(name);
  if (value === undefined) fail(error("argument.range", { problem: `${shown} is missing`, expected }));
  const flaw = Number.isInteger(value) ? "is out of range" : "is not an integer";
  fail(error("argument.range", { problem: `${shown} ${flaw}`, got: value, expected }));
}

/**
 * Checks the options of a call, for callers that TypeScript does not check: the options must be an object with known
 * keys only, and `signal` and `onProgress` must have their types.
 *
 * Cost: O(keys).
 *
 * @param call - the call as users write it, for messages: "table.roll".
 * @throws RollmillError `argument.type` for a wrong type, `argument.option` for an unknown key.
 */
export function checkOptions(call: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    refuse("argument.type", `invalid options of ${call}`, options, "an object");
  }
  for (const key of Object.keys(options)) if (!known.includes(key)) refuseOption(call, key, known);
  const { signal, onProgress } = options as { readonly signal?: unknown; readonly onProgress?: unknown };
  if (signal !== undefined && !isSignal(signal))
    refuse("argument.type", 'invalid option "signal"', signal, "an AbortSignal");
  if (onProgress !== undefined && typeof onProgress !== "function") {
    refuse("argument.type", 'invalid option "onProgress"', onProgress, "a function");
  }
}

function refuseOption(call: string, key: string, known: readonly string[]): never {
  const expected = known.length === 0 ? "no options" : `one of ${known.join(", ")}`;
  const hint = didYouMean(key, known, "Remove it");
  return fail(error("argument.option", { problem: `${call} has no option ${show(key)}`, expected, ...hint }));
}

function isSignal(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "throwIfAborted" in value &&
    typeof value.throwIfAborted === "function"
  );
}

function refuse(code: Code, problem: string, got: unknown, expected: string): never {
  return fail(error(code, { problem, got, expected }));
}
