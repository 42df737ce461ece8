import { type Code, error, type Finding, type Issue, nearest } from "../errors/index.js";
import type { Cell } from "./types.js";

/** Where the readers below put what they find wrong. */
export interface Report {
  readonly issues: Issue[];
  readonly file?: string | undefined;
}

/** A value and the path at which it stands. */
export interface Field {
  readonly path: string;
  readonly value: unknown;
}

/** An object's own fields, read once each; nothing inherited, so `__proto__` and `constructor` are keys like any other. */
export type Fields = ReadonlyMap<string, Field>;

const I32_MIN = -(2 ** 31);
const I32_MAX = 2 ** 31 - 1;
/** No list of cells or layers is longer; JSON of that size is some 100 MiB. */
const MAX_LIST = 10_000_000;
/** Bad entries reported for one list. */
const MAX_REPORTED = 20;

/** Adds one error. */
export function report(to: Report, code: Code, path: string, finding: Finding): void {
  to.issues.push(error(code, { ...finding, where: { path, file: to.file } }));
}

/** Path of a field inside `parent` ("" at the top). */
export function join(parent: string, key: string): string {
  return parent === "" ? key : `${parent}.${key}`;
}

/**
 * Reads a plain object's own fields; undefined where it is none. A field whose value is undefined counts as absent. Keys
 * outside `known` are errors that name the nearest known one.
 */
export function readFields(to: Report, { path, value }: Field, known: readonly string[]): Fields | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const problem = path === "" ? "a walk spec is not an object" : `${path} is not an object`;
    report(to, "walk.spec", path, { problem, got: value, expected: `an object with ${known.join(", ")}` });
    return undefined;
  }
  const fields = new Map<string, Field>();
  const source = value as Record<string, unknown>;
  for (const key of guarded(to, path, () => Object.keys(source)) ?? []) {
    const at = join(path, key);
    if (!known.includes(key)) unknownKey(to, at, key, known);
    else {
      const own = guarded(to, at, () => source[key]);
      if (own !== undefined) fields.set(key, { path: at, value: own });
    }
  }
  return fields;
}

/** Reads a list of 1 (or `least`) to 10⁷ entries. */
export function readList(to: Report, { path, value }: Field, expected: string, least = 1): Field[] | undefined {
  const length = Array.isArray(value) ? value.length : -1;
  if (length < least || length > MAX_LIST) {
    const got = length > MAX_LIST ? `a list of ${length}` : value;
    report(to, "walk.spec", path, { problem: `${path} is not usable`, got, expected });
    return undefined;
  }
  const entries = guarded(to, path, () => Array.from(value as ArrayLike<unknown>));
  return entries?.map((entry, i) => ({ path: `${path}[${i}]`, value: entry }));
}

/** Reads an integer of least … most, both inclusive; `fallback` where it is absent or wrong. */
export function readInteger(
  to: Report,
  field: Field | undefined,
  { least, most, fallback }: { least: number; most: number; fallback: number },
): number {
  if (field === undefined) return fallback;
  const { path, value } = field;
  if (Number.isInteger(value) && (value as number) >= least && (value as number) <= most) return (value as number) + 0;
  report(to, "walk.spec", path, {
    problem: `${path} is not usable`,
    got: value,
    expected: `an integer of ${least} to ${most}`,
  });
  return fallback;
}

/** Reads true or false; false where it is absent or wrong. */
export function readFlag(to: Report, field: Field | undefined): boolean {
  if (field === undefined || typeof field.value === "boolean") return field?.value === true;
  const { path, value } = field;
  report(to, "walk.spec", path, { problem: `${path} is not usable`, got: value, expected: "true or false" });
  return false;
}

/** Reads a non-empty, well-formed string of at most 256 characters. */
export function readName(to: Report, field: Field | undefined): string | undefined {
  if (field === undefined) return undefined;
  const { path, value } = field;
  if (typeof value === "string" && value !== "" && value.length <= 256 && !/\p{Surrogate}/u.test(value)) return value;
  const expected = "a name of 1 to 256 characters, without lone surrogates";
  report(to, "walk.spec", path, { problem: `${path} is not usable`, got: value, expected });
  return undefined;
}

/** Reads a list of [row, col] pairs; at most 20 bad ones are reported. */
export function readCells(to: Report, field: Field, least: number): Cell[] | undefined {
  const entries = readList(to, field, "a list of [row, col] cells", least);
  if (entries === undefined) return undefined;
  const cells: Cell[] = [];
  let bad = 0;
  for (const { path, value } of entries) {
    const numbers = i32List(value, 2);
    if (numbers !== undefined) cells.push([numbers[0], numbers[1]]);
    else if (bad++ < MAX_REPORTED) {
      report(to, "walk.spec", path, {
        problem: `${path} is not a cell`,
        got: value,
        expected: "[row, col], integers of 32 bits",
      });
    }
  }
  return bad === 0 ? cells : undefined;
}

/** The value as exactly `length` 32-bit integers, or undefined. */
export function i32List(value: unknown, length: number): number[] | undefined {
  if (!Array.isArray(value) || value.length !== length) return undefined;
  const numbers = Array.from(value as ArrayLike<unknown>);
  const fits = (n: unknown) => Number.isInteger(n) && (n as number) >= I32_MIN && (n as number) <= I32_MAX;
  return numbers.every(fits) ? numbers.map((n) => (n as number) + 0) : undefined;
}

function unknownKey(to: Report, path: string, key: string, known: readonly string[]): void {
  const near = nearest(key, known);
  report(to, "walk.spec", path, {
    problem: "unknown key",
    got: key,
    expected: `one of ${known.join(", ")}`,
    ...(near === undefined ? {} : { remedy: `Did you mean ${JSON.stringify(near)}?` }),
  });
}

// A getter or a proxy may throw: that is one more thing wrong with the input, not a crash.
function guarded<T>(to: Report, path: string, read: () => T): T | undefined {
  try {
    return read();
  } catch (cause) {
    report(to, "walk.spec", path, { problem: "reading the value threw", got: String(cause), expected: "plain data" });
    return undefined;
  }
}
