import { type Code, error, type Finding, type Issue, nearest, show } from "../errors/index.js";

/** Where the readers of a recipe or of its tables put what they find wrong. */
export interface Report {
  readonly issues: Issue[];
  readonly file: string | undefined;
  /** The code of what is malformed. */
  readonly code: Extract<Code, "recipe.spec" | "recipe.tables">;
}

/** An object's own fields, copied: each was read once. */
export type Fields = ReadonlyMap<string, unknown>;

/** Adds one error. */
export function report(to: Report, path: string, finding: Finding, code: Code = to.code): void {
  to.issues.push(error(code, { ...finding, where: { path, file: to.file } }));
}

/** "Did you mean …?", where a known name is near. */
export function didYouMean(name: string, known: Iterable<string>): { remedy?: string } {
  const near = nearest(name, known);
  return near === undefined ? {} : { remedy: `Did you mean ${JSON.stringify(near)}?` };
}

/** The names in a message, quoted; a long list is cut. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, 20).map((name) => show(name));
  return names.length === 0 ? "none" : `${shown.join(", ")}${names.length > shown.length ? ", …" : ""}`;
}

/** Runs a reader: a getter or a proxy that throws is one more thing wrong with the input, not a crash. */
export function guarded<T>(to: Report, read: () => T): T | undefined {
  try {
    return read();
  } catch {
    report(to, "", { problem: "reading the value threw", expected: "plain data" });
    return undefined;
  }
}

/** Whether an error was reported. */
export function hasErrors(to: Report): boolean {
  return to.issues.some((issue) => issue.severity === "error");
}

/** The entries of an object, undefined and reported where it is none. */
export function readMap(to: Report, path: string, value: unknown, expected: string): Fields | undefined {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return new Map(Object.entries(value));
  report(to, path, { problem: path === "" ? "this is no object" : `${path} is no object`, got: value, expected });
  return undefined;
}

/** An object's fields; keys outside `known` are errors. Empty where it is no object, which is reported. */
export function readFields(to: Report, path: string, value: unknown, known: readonly string[]): Fields {
  const fields = readMap(to, path, value, `an object with ${known.join(", ")}`) ?? new Map<string, unknown>();
  for (const key of fields.keys()) {
    if (known.includes(key)) continue;
    const expected = `one of ${known.join(", ")}`;
    report(to, join(path, key), { problem: "unknown key", got: key, expected, ...didYouMean(key, known) });
  }
  return fields;
}

/** The length of a list. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/** A list's entries, copied; empty, and reported, where it is none or too short or long. */
export function readArray(to: Report, path: string, value: unknown, { least, most }: Bounds): readonly unknown[] {
  if (Array.isArray(value) && value.length >= least && value.length <= most) return Array.from(value);
  const got = Array.isArray(value) ? `${value.length} entries` : value;
  report(to, path, { problem: `${path} is not usable`, got, expected: `a list of ${least} to ${most} entries` });
  return [];
}

/** Which numbers are allowed. */
export interface Range {
  readonly least?: number;
  readonly most?: number;
  readonly integer?: true;
}

/** A finite number in a range; NaN, and reported, where it is none. −0 is 0. */
export function readNumber(to: Report, path: string, value: unknown, range: Range = {}): number {
  const { least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY, integer } = range;
  const sound = typeof value === "number" && Number.isFinite(value) && value >= least && value <= most;
  if (sound && (integer !== true || Number.isInteger(value))) return value + 0;
  const kind = integer === true ? "an integer" : "a finite number";
  const upper = most === Number.POSITIVE_INFINITY ? `, ${least} or more` : ` from ${least} to ${most}`;
  const expected = least === Number.NEGATIVE_INFINITY ? kind : `${kind}${upper}`;
  report(to, path, { problem: "a number is not usable", got: value, expected });
  return Number.NaN;
}

/** A text of 1 to 256 characters that can stand on a line; "", and reported, where it is none. */
export function readText(to: Report, path: string, value: unknown): string {
  const flaw = textFlaw(value);
  if (flaw === undefined) return value as string;
  report(to, path, { problem: "a text is not usable", got: value, expected: flaw });
  return "";
}

/** What is wrong with a text; undefined where nothing is. */
export function textFlaw(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > 256) return "a text of 1 to 256 characters";
  if (/[\p{Control}\p{Surrogate}]/u.test(value)) return "a text without control characters and lone surrogates";
  return undefined;
}

/** The path of a key inside an object. */
export function join(path: string, key: string): string {
  return path === "" ? key : `${path}.${key}`;
}
