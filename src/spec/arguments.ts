import { type Code, didYouMean, error, fail, show } from "../errors/index.js";

/** Maximum number of entries of a list in a spec or an argument. A JSON file with so many entries has about 100 MiB. */
export const MAX_LIST = 10_000_000;

/** Maximum number of threads of a mill or a job. */
export const MAX_THREADS = 1024;

/**
 * Reads the options of a call, such as "table.roll". The caller may be untyped JavaScript. Returns a copy without
 * undefined values, so that later changes of the object have no effect. Includes inherited options, for example from a
 * class with getters. Throws `argument.type` for anything but an object, and for a wrong type of `signal`, `onProgress`
 * or `file`; `argument.option` for an unknown key.
 */
export function readOptions<Options extends object>(call: string, options: Options, known: readonly string[]): Options {
  // the answer for most objects; asking for the tag takes ten times as long
  const isPlain = isObject(options) && Object.getPrototypeOf(options) === Object.prototype;
  // a Map, a Promise or a list has none of the known keys: it would pass as an object without options
  if (!isPlain && Object.prototype.toString.call(options) !== "[object Object]") {
    const expected = "an object";
    fail(error("argument.type", { problem: `invalid options of ${call}`, got: options, expected }));
  }
  const keys = Object.keys(options);
  const read: Record<string, unknown> = {};
  // most calls have no options
  if (isPlain && keys.length === 0) return read as Options;
  for (const key of keys) if (!known.includes(key)) refuseOption(call, key, known);
  for (const key of isPlain ? keys : known) {
    const value: unknown = (options as Record<string, unknown>)[key];
    if (value !== undefined) read[key] = value;
  }
  const { signal, onProgress, file } = read;
  if (signal !== undefined && !isSignal(signal)) refuseArgument("signal", signal, "an AbortSignal");
  if (onProgress !== undefined) checkFunction("onProgress", onProgress);
  if (file !== undefined) checkText("file", file);
  // The cast is safe for typed callers. For untyped callers, each call checks the values.
  return read as Options;
}

/** Throws `argument.range` for anything but an integer from `least` to `most`. `name` may be a phrase. */
export function checkInteger(name: string, value: unknown, least: number, most: number): asserts value is number {
  if (typeof value === "number" && Number.isInteger(value) && value >= least && value <= most) return;
  const expected = `an integer from ${least} to ${most}`;
  const shown = name.includes(" ") ? name : show(name);
  if (value === undefined) fail(error("argument.range", { problem: `${shown} is missing`, expected }));
  const flaw = Number.isInteger(value) ? "is out of range" : "is not an integer";
  fail(error("argument.range", { problem: `${shown} ${flaw}`, got: value, expected }));
}

export function checkText(name: string, value: unknown): asserts value is string {
  if (typeof value !== "string") refuseArgument(name, value, "a string");
}

/** Throws `argument.type` for a text with the character 0, which no path can contain, and for anything but a text. */
export function checkPath(name: string, value: unknown): asserts value is string {
  if (typeof value !== "string" || value.includes("\0")) {
    refuseArgument(name, value, "a path without the character 0");
  }
}

export function checkFlag(name: string, value: unknown): asserts value is boolean {
  if (typeof value !== "boolean") refuseArgument(name, value, "true or false");
}

export function checkFunction(name: string, value: unknown): void {
  if (typeof value !== "function") refuseArgument(name, value, "a function");
}

export function refuseArgument(name: string, got: unknown, expected: string, code: Code = "argument.type"): never {
  return fail(error(code, { problem: `invalid argument ${show(name)}`, got, expected }));
}

/**
 * Returns a copy of a list, with undefined in place of holes. Does not check the entries. `of` is the word for the
 * entries in messages. Throws `argument.type` for anything but a list; `argument.range` for a list that is too long.
 */
export function readList(
  name: string,
  value: unknown,
  { of, most = MAX_LIST }: { readonly of: string; readonly most?: number },
): unknown[] {
  if (!Array.isArray(value)) return refuseArgument(name, value, `a list of ${of}`);
  return copyList(value, most) ?? refuseLength(name, value.length, { of, most });
}

export function copyList(list: readonly unknown[], most: number): unknown[] | undefined {
  // by index: a list can have a prototype whose iterator throws
  return list.length <= most ? Array.from({ length: list.length }, (_, i) => list[i]) : undefined;
}

/**
 * Returns the entries of a list, a Set or another iterable. Does not check the entries. Throws `argument.type` for
 * anything but an iterable object; `argument.range` for more than `most` entries, so also for an endless iterable.
 */
export function readEntries<T>(
  name: string,
  value: Iterable<T>,
  { of, most }: { readonly of: string; readonly most: number },
): T[] {
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
}

function refuseLength(name: string, got: unknown, { of, most }: { readonly of: string; readonly most: number }): never {
  const problem = `the list ${show(name)} is too long`;
  return fail(error("argument.range", { problem, got, expected: `at most ${most} ${of}` }));
}

function refuseOption(call: string, key: string, known: readonly string[]): never {
  const expected = known.length === 0 ? "no options" : `one of ${known.join(", ")}`;
  const hint = didYouMean(key, known, "Remove this option");
  return fail(error("argument.option", { problem: `${call} has no option ${show(key)}`, expected, ...hint }));
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isSignal(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return "aborted" in value && "throwIfAborted" in value && typeof value.throwIfAborted === "function";
}

/**
 * Returns the name of a typed array's class, such as "Uint8Array"; "" for anything else. Compares no classes, because
 * arrays of another realm, such as a test runner's sandbox, have other classes with the same names.
 */
export function arrayType(value: unknown): string {
  // `isView` is false for a proxy, so this line runs no code of the caller
  return ArrayBuffer.isView(value) ? Object.prototype.toString.call(value).slice(8, -1) : "";
}

/** Whether a part of a URL has only complete percent-encodings of UTF-8. */
export function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export function seedText(seed: unknown): string {
  const usable = typeof seed === "string" || typeof seed === "bigint" || Number.isFinite(seed);
  if (usable) return String(seed);
  return refuseArgument("seed", seed, "a string, a finite number or a bigint");
}
