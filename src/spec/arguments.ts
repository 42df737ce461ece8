import { type Code, didYouMean, error, fail, RollmillError, show } from "../errors/index.js";

/** Maximum number of entries of a list in a spec or an argument. As JSON, such a list has about 100 MiB. */
export const MAX_LIST = 10_000_000;

/**
 * Reads the options of a call, for callers that TypeScript does not check. Returns a copy, so that a getter or a proxy
 * runs once and a later change of the object has no effect. Keys whose value is undefined are left out. An inherited
 * option counts, as of a class with getters.
 *
 * Cost: O(keys).
 *
 * @param call - the call as users write it, for messages: "table.roll".
 * @throws RollmillError `argument.type` for anything but an object, an object that throws when it is read, and a wrong type
 * of `signal` or `onProgress`; `argument.option` for an unknown key.
 */
export function readOptions<Options extends object>(call: string, options: Options, known: readonly string[]): Options {
  const read = readKnown(call, options, known);
  const { signal, onProgress } = read;
  if (signal !== undefined && !isSignal(signal)) refuseArgument("signal", signal, "an AbortSignal");
  if (onProgress !== undefined) checkFunction("onProgress", onProgress);
  // the cast is safe for typed callers; of untyped ones, each call checks the values
  return read as Options;
}

function readKnown(call: string, options: object, known: readonly string[]): Record<string, unknown> {
  return reading(`the options of ${call}`, () => {
    // a Map, a Promise or a list has none of the keys: it would count as no options at all
    if (Object.prototype.toString.call(options) !== "[object Object]") {
      const expected = "an object";
      fail(error("argument.type", { problem: `invalid options of ${call}`, got: options, expected }));
    }
    for (const key of Object.keys(options)) if (!known.includes(key)) refuseOption(call, key, known);
    const read: Record<string, unknown> = {};
    for (const key of known) {
      const value: unknown = Reflect.get(options, key);
      if (value !== undefined) read[key] = value;
    }
    return read;
  });
}

/**
 * Runs code that reads an object of the caller. What the object throws, such as a getter or a revoked proxy, becomes an
 * error of the call.
 *
 * @param what - names the object, for messages: "the options of table.roll".
 * @throws RollmillError `argument.type` if reading throws. An error of this library passes unchanged.
 */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    const problem = `reading ${what} threw an error`;
    return fail(error("argument.type", { problem, got: cause, expected: "plain data" }), cause);
  }
}

/**
 * Checks that an argument is an integer from `least` to `most`, both inclusive.
 *
 * @param name - the argument's name, which the message quotes, or a phrase such as "the number of results".
 * @throws RollmillError `argument.range` if it is not.
 */
export function checkInteger(name: string, value: unknown, least: number, most: number): asserts value is number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
  const expected = `an integer from ${least} to ${most}`;
  const shown = name.includes(" ") ? name : show(name);
  if (value === undefined) fail(error("argument.range", { problem: `${shown} is missing`, expected }));
  const flaw = Number.isInteger(value) ? "is out of range" : "is not an integer";
  fail(error("argument.range", { problem: `${shown} ${flaw}`, got: value, expected }));
}

/**
 * Checks that an argument is a text.
 *
 * @param name - the argument's name, which the message quotes.
 * @throws RollmillError `argument.type` if it is not.
 */
export function checkText(name: string, value: unknown): asserts value is string {
  if (typeof value !== "string") refuseArgument(name, value, "a string");
}

/**
 * Checks that an argument is true or false.
 *
 * @param name - the argument's name, which the message quotes.
 * @throws RollmillError `argument.type` if it is not.
 */
export function checkFlag(name: string, value: unknown): asserts value is boolean {
  if (typeof value !== "boolean") refuseArgument(name, value, "true or false");
}

/**
 * Checks that an argument can be called.
 *
 * @param name - the argument's name, which the message quotes.
 * @throws RollmillError `argument.type` if it cannot.
 */
export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== "function") refuseArgument(name, value, "a function");
}

/**
 * Refuses an argument.
 *
 * @param name - the argument's name, which the message quotes.
 * @throws RollmillError `argument.type`, unless `code` is another one.
 */
export function refuseArgument(name: string, got: unknown, expected: string, code: Code = "argument.type"): never {
  return fail(error(code, { problem: `invalid argument ${show(name)}`, got, expected }));
}

/**
 * Reads a list, for callers that TypeScript does not check. Returns a copy without holes: a hole is undefined. The
 * entries are not checked.
 *
 * Cost: O(entries). A longer list than `most` is refused before any entry is read.
 *
 * @param name - the argument's name, which the message quotes.
 * @param bounds - `of` is what the list contains, for messages; `most` is its maximum length, 10 million by default.
 * @throws RollmillError `argument.type` for anything but a list, or if reading throws; `argument.range` for a list that
 * is too long.
 */
export function readList(
  name: string,
  value: unknown,
  { of, most = MAX_LIST }: { readonly of: string; readonly most?: number },
): unknown[] {
  return reading(show(name), () => {
    if (!Array.isArray(value)) return refuseArgument(name, value, `a list of ${of}`);
    const { length } = value;
    if (length <= most) return Array.from({ length }, (_, i) => value[i]);
    const problem = `the list ${show(name)} is too long`;
    return fail(error("argument.range", { problem, got: length, expected: `at most ${most} ${of}` }));
  });
}

function refuseOption(call: string, key: string, known: readonly string[]): never {
  const expected = known.length === 0 ? "no options" : `one of ${known.join(", ")}`;
  const hint = didYouMean(key, known, "Remove it");
  return fail(error("argument.option", { problem: `${call} has no option ${show(key)}`, expected, ...hint }));
}

function isSignal(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "aborted" in value && "throwIfAborted" in value && typeof value.throwIfAborted === "function";
}
