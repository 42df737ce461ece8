import { type Code, didYouMean, error, type Finding, type Issue, IssueList, warning } from "../errors/index.js";
import { type Parsed, seal } from "./parsed.js";

/** The longest list of a spec. As JSON it has about 100 MiB. */
const MAX_LIST = 10_000_000;
/** The longest text of a spec, in UTF-16 units. */
const MAX_TEXT = 256;

/** A value of untrusted input and its place. The path is composed only when a message needs it. */
export class Field {
  readonly value: unknown;
  readonly #parent: Field | undefined;
  readonly #key: string | number;

  constructor(value: unknown, parent?: Field, key: string | number = "") {
    this.value = value;
    this.#parent = parent;
    this.#key = key;
  }

  /** The field of which this is a key or an entry; undefined for the root. */
  get parent(): Field | undefined {
    return this.#parent;
  }

  /** The path from the root, such as `layers[1].tensor`; "" for the root. */
  get path(): string {
    const before = this.#parent?.path ?? "";
    if (typeof this.#key === "number") return `${before}[${this.#key}]`;
    return before === "" || this.#key === "" ? `${before}${this.#key}` : `${before}.${this.#key}`;
  }

  /** How a message names the value: its path, or "the spec" for the root. */
  get name(): string {
    return this.path === "" ? "the spec" : this.path;
  }
}

const NO_KEYS: readonly string[] = [];

/** The own fields of an object, each read once. An absent key gives a field with the value undefined. */
export class Fields {
  readonly #of: Field;
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(of: Field, values: ReadonlyMap<string, unknown>) {
    this.#of = of;
    this.#values = values;
  }

  /** The keys that are present, in the order of the object. */
  get keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  /** Whether a key is present with a value other than undefined. */
  has(key: string): boolean {
    return this.#values.has(key);
  }

  /** The keys that are present and not among `known`. */
  outside(known: readonly string[]): readonly string[] {
    let found = NO_KEYS;
    for (const key of this.#values.keys()) if (!known.includes(key)) found = [...found, key];
    return found;
  }

  /** The field of a key, present or not. */
  get(key: string): Field {
    return new Field(this.#values.get(key), this.#of, key);
  }
}

/** Options of {@link SpecReader}. */
export interface SpecReaderOptions {
  /** The noun of the system, under which the spec is sealed: "table", "walk". */
  readonly noun: string;
  /** The code of malformed input, unless a call gives another. */
  readonly code: Code;
  /** The file that the input came from, for messages. */
  readonly file?: string | undefined;
}

/** Bounds of a number; both ends are inclusive. With a `fallback` the field may be absent. */
export interface NumberBounds {
  readonly least?: number;
  readonly most?: number;
  readonly integer?: true;
  readonly fallback?: number;
  readonly code?: Code;
}

/** Bounds of a list's length; both ends are inclusive. With `optional` the list may be absent. */
export interface ListBounds {
  readonly least?: number;
  readonly most?: number;
  readonly optional?: true;
  /** What the list contains, for messages: "cells", "records". */
  readonly of?: string;
  readonly code?: Code;
}

/**
 * Reads untrusted objects into specs. Each method reports errors and still returns a value of its type, so a parser
 * needs no checks in between: after an error, {@link run} returns no spec. Getters and proxies that throw are errors
 * too. Only own properties count, so `__proto__` and `constructor` are ordinary keys.
 */
export class SpecReader {
  readonly file: string | undefined;
  readonly #noun: string;
  readonly #code: Code;
  /** Fields that should be objects and are not. */
  readonly #refused = new Set<Field>();
  readonly #issues: IssueList;

  constructor({ noun, code, file }: SpecReaderOptions) {
    this.file = file;
    this.#noun = noun;
    this.#code = code;
    this.#issues = new IssueList({ code });
  }

  /** The number of errors reported. */
  get errors(): number {
    return this.#issues.errors;
  }

  /** Reports an error at a field. Says nothing about the fields of a value that was refused as not an object. */
  report(at: Field, finding: Finding, code: Code = this.#code): void {
    for (let above = at.parent; above !== undefined; above = above.parent) if (this.#refused.has(above)) return;
    this.#issues.add(error(code, { ...finding, where: { path: at.path, file: this.file } }));
  }

  /** Reports a warning at a field. */
  warn(at: Field, finding: Finding, code: Code = this.#code): void {
    this.#issues.add(warning(code, { ...finding, where: { path: at.path, file: this.file } }));
  }

  /** Adds an issue that another check found, such as a scaling of weights. */
  add(issue: Issue): void {
    this.#issues.add(issue);
  }

  /** Runs a parse. Returns its spec, sealed, unless an error was reported. */
  run<Spec extends object>(input: unknown, read: (root: Field) => Spec): Parsed<Spec> {
    const spec = this.guard(new Field(input), undefined, () => read(new Field(input)));
    const whole = this.#issues.errors === 0 && spec !== undefined;
    return { spec: whole ? seal(this.#noun, spec) : undefined, issues: this.#issues.list() };
  }

  /** Runs a read that throws if a getter or a proxy does. Reports that and returns `otherwise`. */
  guard<T>(at: Field, otherwise: T, read: () => T): T {
    try {
      return read();
    } catch (cause) {
      this.report(at, { problem: `${at.name} cannot be read`, got: String(cause), expected: "plain data" });
      return otherwise;
    }
  }

  /** The fields of an object, with any keys. */
  record(at: Field, expected = "an object"): Fields {
    const { value } = at;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return new Fields(
        at,
        this.guard(at, NO_VALUES, () => ownValues(value)),
      );
    }
    this.report(at, { problem: `${at.name} is not an object`, got: value, expected });
    this.#refused.add(at);
    return new Fields(at, new Map());
  }

  /** The fields of an object; a key outside `known` is an error. */
  fields(at: Field, known: readonly string[]): Fields {
    const fields = this.record(at, `an object with ${known.join(", ")}`);
    for (const key of fields.outside(known)) {
      const expected = `one of ${known.join(", ")}`;
      this.report(fields.get(key), { problem: "unknown key", got: key, expected, ...didYouMean(key, known) });
    }
    return fields;
  }

  /** The entries of a list. */
  list(at: Field, { least = 0, most = MAX_LIST, optional, of = "entries", code }: ListBounds = {}): Field[] {
    const { value } = at;
    if (value === undefined && optional) return [];
    const length = Array.isArray(value) ? value.length : -1;
    if (Array.isArray(value) && length >= least && length <= most) {
      const entries = this.guard<readonly unknown[]>(at, [], () => Array.from(value));
      return entries.map((entry, i) => new Field(entry, at, i));
    }
    const count = most === MAX_LIST ? `at least ${least}` : least === most ? `${least}` : `${least} to ${most}`;
    const expected = `a list of ${count} ${of}`;
    this.report(
      at,
      { problem: `${at.name} is not usable`, got: length < 0 ? value : `${length} ${of}`, expected },
      code,
    );
    return [];
  }

  /** A finite number; −0 is 0. */
  number(at: Field, bounds: NumberBounds = {}): number {
    return this.#number(at, bounds, bounds.integer);
  }

  /** An integer; −0 is 0. */
  integer(at: Field, bounds: Omit<NumberBounds, "integer"> = {}): number {
    return this.#number(at, bounds, true);
  }

  #number(
    at: Field,
    { least, most, fallback, code }: Omit<NumberBounds, "integer">,
    integer: NumberBounds["integer"],
  ): number {
    const { value } = at;
    if (value === undefined && fallback !== undefined) return fallback;
    const sound = typeof value === "number" && Number.isFinite(value) && (integer !== true || Number.isInteger(value));
    if (sound && value >= (least ?? value) && value <= (most ?? value)) return value + 0;
    const kind = integer === true ? "an integer" : "a finite number";
    const expected = `${kind}${rangeText(least, most)}`;
    this.report(at, { problem: `${at.name} is not usable`, got: value, expected }, code);
    return fallback ?? Number.NaN;
  }

  /** True or false; false if absent. */
  flag(at: Field): boolean {
    const { value } = at;
    if (value !== undefined && typeof value !== "boolean") {
      this.report(at, { problem: `${at.name} is not usable`, got: value, expected: "true or false" });
    }
    return value === true;
  }

  /** A text of 1 to 256 characters, without control characters and lone surrogates. */
  text(at: Field, code?: Code): string {
    const flaw = textFlaw(at.value);
    if (flaw === undefined) return at.value as string;
    this.report(at, { problem: `${at.name} is not usable`, got: at.value, expected: flaw }, code);
    return "";
  }

  /** One of a few texts; with a `fallback` it may be absent. */
  choice<T extends string>(at: Field, known: readonly [T, ...T[]], { fallback }: { readonly fallback?: T } = {}): T {
    const { value } = at;
    if (value === undefined && fallback !== undefined) return fallback;
    const found = known.find((one) => one === value);
    if (found !== undefined) return found;
    const hint = typeof value === "string" ? didYouMean(value, known) : {};
    const expected = `one of ${known.map((one) => JSON.stringify(one)).join(", ")}`;
    this.report(at, { problem: `${at.name} is not usable`, got: value, expected, ...hint });
    return fallback ?? known[0];
  }
}

const NO_VALUES: ReadonlyMap<string, unknown> = new Map();

/** The own enumerable values of an object, without those that are undefined. */
function ownValues(value: object): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const key of Object.keys(value)) {
    const entry: unknown = Reflect.get(value, key);
    if (entry !== undefined) values.set(key, entry);
  }
  return values;
}

/** What a text must be, if a value is not such a text; undefined for a usable one. */
export function textFlaw(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || value.length > MAX_TEXT)
    return `a text of 1 to ${MAX_TEXT} characters`;
  if (/[\p{Control}\p{Surrogate}]/u.test(value)) return "a text without control characters and lone surrogates";
  return undefined;
}

function rangeText(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return ` of at least ${least}`;
  return least === undefined ? ` of at most ${most}` : ` from ${least} to ${most}`;
}
