import { type Code, didYouMean, error, fail, reading, show } from "../errors/index.js";

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
 * of `signal`, `onProgress` or `file`; `argument.option` for an unknown key.
 */
export function readOptions<Options extends object>(call: string, options: Options, known: readonly string[]): Options {
  const read = readKnown(call, options, known);
  const { signal, onProgress, file } = read;
  if (signal !== undefined && !reading('the option "signal"', () => isSignal(signal)))
    refuseArgument("signal", signal, "an AbortSignal");
  if (onProgress !== undefined) checkFunction("onProgress", onProgress);
  if (file !== undefined) checkText("file", file);
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
    return copyList(value, most) ?? refuseLength(name, value.length, { of, most });
  });
}

/**
 * Returns a copy of a list without holes; undefined for a list that is too long. A proxy can return a text as its
 * length, or another length each time, and its iterator may have no end. So the length is read once, and must be a
 * number. Run it inside `reading`.
 */
export function copyList(list: readonly unknown[], most: number): unknown[] | undefined {
  const { length } = list;
  const isShort = typeof length === "number" && length <= most;
  return isShort ? Array.from({ length }, (_, i) => list[i]) : undefined;
}

/**
 * Reads the entries of a list, a Set or another iterable, for callers that TypeScript does not check. The entries are
 * not checked.
 *
 * Cost: O(entries). An iterable without an end is refused after `most` entries.
 *
 * @param name - the argument's name, which the message quotes.
 * @param bounds - `of` is what the iterable contains, for messages; `most` is the maximum number of entries.
 * @throws RollmillError `argument.type` for anything but an iterable object, or if reading throws; `argument.range` for
 * more entries than `most`.
 */
export function readEntries<T>(
  name: string,
  value: Iterable<T>,
  { of, most }: { readonly of: string; readonly most: number },
): T[] {
  return reading(show(name), () => {
    if (Array.isArray(value)) return readList(name, value, { of, most }) as T[];
    if (typeof value !== "object" || value === null || !(Symbol.iterator in value)) {
      return refuseArgument(name, value, `a list of ${of}`);
    }
    const entries: T[] = [];
    for (const entry of value) {
      if (entries.length === most) refuseLength(name, `more than ${most}`, { of, most });
      entries.push(entry);
    }
    return entries;
  });
}

function refuseLength(name: string, got: unknown, { of, most }: { readonly of: string; readonly most: number }): never {
  const problem = `the list ${show(name)} is too long`;
  return fail(error("argument.range", { problem, got, expected: `at most ${most} ${of}` }));
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
