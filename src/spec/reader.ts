import { arrayLength, type Code, didYouMean, type Finding, type Issue, IssueList, warning } from "../errors/index.js";
import { isObject, MAX_LIST } from "./arguments.js";
import { type Parsed, seal } from "./parsed.js";

/** Maximum length of a text in a spec, in code points, like `maxLength` of a JSON Schema. */
const MAX_TEXT = 256;

/** A value of untrusted input, and its place in the input. The path is built only when a message needs it. */
export class Field {
  readonly value: unknown;
  readonly #parent: Field | undefined;
  readonly #key: string | number;

  constructor(value: unknown, parent?: Field, key: string | number = "") {
    this.value = value;
    this.#parent = parent;
    this.#key = key;
  }

  /** The object or list that contains this value; undefined for the root. */
  get parent(): Field | undefined {
    return this.#parent;
  }

  /** The path from the root, such as `layers[1].tensor`; "" for the root. */
  get path(): string {
    const before = this.#parent?.path ?? "";
    if (typeof this.#key === "number") return `${before}[${this.#key}]`;
    return before === "" || this.#key === "" ? `${before}${this.#key}` : `${before}.${this.#key}`;
  }

  part(...keys: readonly (string | number)[]): Field {
    return keys.reduce<Field>((whole, key) => new Field(undefined, whole, key), this);
  }

  /** How an error message names the value: its key in quotes, "entry" in a list, "spec" for the root. */
  get name(): string {
    if (this.#parent === undefined) return "spec";
    return typeof this.#key === "number" ? "entry" : JSON.stringify(this.#key);
  }
}

const NO_KEYS: readonly string[] = [];
/** Editors find the JSON Schema of a document under this key. */
const SCHEMA_KEY = "$schema";

/** The own properties of an object. A missing key has a field with the value undefined. */
export class Fields {
  readonly #of: Field;
  readonly #values: ReadonlyMap<string, unknown>;

  constructor(of: Field, values: ReadonlyMap<string, unknown>) {
    this.#of = of;
    this.#values = values;
  }

  /** The present keys, in the order of the object. A key with the value undefined counts as missing. */
  get keys(): readonly string[] {
    return [...this.#values.keys()];
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  outside(known: readonly string[]): readonly string[] {
    // most objects have only known keys, and need no new list
    for (const key of this.#values.keys())
      if (!known.includes(key)) return this.keys.filter((one) => !known.includes(one));
    return NO_KEYS;
  }

  get(key: string): Field {
    return new Field(this.#values.get(key), this.#of, key);
  }
}

interface SpecReaderOptions {
  /** The kind of spec, such as "table" or "walk". Pass the same text to {@link isParsed}. */
  readonly noun: string;
  /** The code of every error, unless a call passes a different code. */
  readonly code: Code;
  readonly file?: string | undefined;
  /** Whether the input is a whole document. A document may name its JSON Schema under `$schema`. Default false. */
  readonly isDocument?: true;
  /** What a user can do about an error. A call can pass a different remedy. */
  readonly remedy?: string | undefined;
}

export interface NumberBounds {
  readonly least?: number;
  readonly most?: number;
  /** The value that a missing field gets. Without a fallback, the field is required. */
  readonly fallback?: number;
  readonly code?: Code;
}

export interface ListBounds {
  readonly least?: number;
  /** Maximum number of entries. Default 10 million. */
  readonly most?: number;
  /** The word for the entries in messages, such as "cells" or "records". */
  readonly of?: string;
  readonly code?: Code;
}

/**
 * Reads untrusted objects into specs. A method that finds an error reports it and returns a substitute, so that the
 * parser can continue. After an error, {@link run} returns no spec. Inherited properties are ignored, so `__proto__` is
 * an ordinary key.
 */
export class SpecReader {
  readonly file: string | undefined;
  readonly #noun: string;
  readonly #code: Code;
  readonly #isDocument: boolean;
  readonly #remedy: Pick<Finding, "remedy">;
  readonly #refused = new Set<string>();
  readonly #issues: IssueList;

  constructor({ noun, code, file, isDocument, remedy }: SpecReaderOptions) {
    this.file = file;
    this.#remedy = remedy === undefined ? {} : { remedy };
    this.#isDocument = isDocument === true;
    this.#noun = noun;
    this.#code = code;
    this.#issues = new IssueList({ code });
  }

  get errors(): number {
    return this.#issues.errors;
  }

  /** Reports an error, unless the value is inside a value that was reported as "not an object". */
  report(at: Field, finding: Finding, code: Code = this.#code): void {
    for (let above = at.parent; above !== undefined; above = above.parent) if (this.#refused.has(above.path)) return;
    this.#issues.report(code, { ...this.#remedy, ...finding, where: { path: at.path, file: this.file } });
  }

  warn(at: Field, finding: Finding, code: Code = this.#code): void {
    this.#issues.add(warning(code, { ...finding, where: { path: at.path, file: this.file } }));
  }

  add(issue: Issue): void {
    this.#issues.add(issue);
  }

  /** Runs a parse, and marks its spec as parsed. Returns no spec if an error was reported. */
  run<Spec extends object>(input: unknown, read: (root: Field) => Spec): Parsed<Spec> {
    let spec: Spec | undefined;
    try {
      spec = read(new Field(input));
    } catch (cause) {
      // after a reported error, `read` may throw, because a record shape leaves out the field with the error
      if (this.errors === 0) throw cause;
    }
    if (this.errors > 0) spec = undefined;
    return { spec: spec && seal(this.#noun, spec), issues: this.#issues.list() };
  }

  record(at: Field, expected = "an object"): Fields {
    const { value } = at;
    if (isObject(value)) {
      const values = ownValues(value);
      return new Fields(at, this.#isDocument && at.parent === undefined ? this.#withoutSchema(at, values) : values);
    }
    this.report(at, { ...invalid(at), expected });
    this.#refused.add(at.path);
    return new Fields(at, new Map());
  }

  #withoutSchema(at: Field, values: ReadonlyMap<string, unknown>): ReadonlyMap<string, unknown> {
    if (!values.has(SCHEMA_KEY)) return values;
    const schema = new Field(values.get(SCHEMA_KEY), at, SCHEMA_KEY);
    if (typeof schema.value !== "string") this.report(schema, { ...invalid(schema), expected: "a text" });
    return new Map([...values].filter(([key]) => key !== SCHEMA_KEY));
  }

  /** Reads an object. Reports each key that `known` does not contain. */
  fields(at: Field, known: readonly string[]): Fields {
    // composes `expected` only if it is needed, because most values are objects
    const fields = isObject(at.value) ? this.record(at) : this.record(at, `an object with ${known.join(", ")}`);
    for (const key of fields.outside(known)) {
      const expected = `one of ${known.join(", ")}`;
      this.report(fields.get(key), { problem: "unknown key", got: key, expected, ...didYouMean(key, known) });
    }
    return fields;
  }

  list(at: Field, { least = 0, most = MAX_LIST, of = "entries", code }: ListBounds = {}): Field[] {
    const { value } = at;
    const length = arrayLength(value);
    if (Array.isArray(value) && length >= least && length <= most) {
      return Array.from({ length }, (_, i) => new Field(value[i], at, i));
    }
    const open = most === MAX_LIST && length <= most;
    const count = open ? `${least} or more` : least === most ? `${least}` : `${least} to ${most}`;
    const expected = open && least === 0 ? `a list of ${of}` : `a list of ${count} ${of}`;
    const flaw = length < 0 ? invalid(at) : { problem: `wrong number of ${of}`, got: length };
    this.report(at, { ...flaw, expected }, code);
    return [];
  }

  /** Reads a finite number. Returns 0 for −0. */
  number(at: Field, { least, most, fallback, code }: NumberBounds = {}, isInteger = false): number {
    const { value } = at;
    if (value === undefined && fallback !== undefined) return fallback;
    const isSound = typeof value === "number" && (isInteger ? Number.isInteger(value) : Number.isFinite(value));
    if (isSound && value >= (least ?? value) && value <= (most ?? value)) return value + 0;
    const expected = `${isInteger ? "an integer" : "a finite number"}${rangeText(least, most)}`;
    this.report(at, { ...invalid(at), expected }, code);
    return fallback ?? Number.NaN;
  }

  integer(at: Field, bounds: NumberBounds = {}): number {
    return this.number(at, bounds, true);
  }

  /** Reads true or false. A missing field is false. */
  flag(at: Field): boolean {
    const { value } = at;
    if (value !== undefined && typeof value !== "boolean") {
      this.report(at, { ...invalid(at), expected: "true or false" });
    }
    return value === true;
  }

  /** Reads a text of 1 to 256 characters (code points). Control characters and lone surrogates are errors. */
  text(at: Field, code?: Code): string {
    const flaw = textFlaw(at.value);
    if (flaw === undefined) return at.value as string;
    this.report(at, { ...invalid(at), flawAt: textFlawAt(at.value), expected: flaw }, code);
    return "";
  }

  choice<T extends string>(at: Field, known: readonly [T, ...T[]]): T {
    const { value } = at;
    const found = known.find((one) => one === value);
    if (found !== undefined) return found;
    const hint = typeof value === "string" ? didYouMean(value, known) : {};
    const expected = `one of ${known.map((one) => JSON.stringify(one)).join(", ")}`;
    this.report(at, { ...invalid(at), expected, ...hint });
    return known[0];
  }
}

function invalid(at: Field): Finding {
  if (at.value === undefined) return { problem: `${at.name} is missing` };
  return { problem: `invalid ${at.name}`, got: at.value };
}

function ownValues(value: object): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [key, entry] of Object.entries(value)) if (entry !== undefined) values.set(key, entry);
  return values;
}

/** Returns undefined for a valid text of a spec, and otherwise what was expected. */
export function textFlaw(value: unknown): string | undefined {
  if (typeof value !== "string" || value === "" || isTooLong(value)) return `a text of 1 to ${MAX_TEXT} characters`;
  if (FORBIDDEN.test(value)) return "a text without control characters and lone surrogates";
  return undefined;
}

function isTooLong(text: string): boolean {
  // a code point has one or two code units
  return text.length > MAX_TEXT && (text.length > 2 * MAX_TEXT || [...text].length > MAX_TEXT);
}

const FORBIDDEN = /[\p{Control}\p{Surrogate}]/u;

function textFlawAt(value: unknown): number {
  return typeof value === "string" && !isTooLong(value) ? Math.max(0, value.search(FORBIDDEN)) : 0;
}

function rangeText(least: number | undefined, most: number | undefined): string {
  if (least === undefined && most === undefined) return "";
  if (most === undefined) return ` of at least ${least}`;
  return least === undefined ? ` of at most ${most}` : ` from ${least} to ${most}`;
}
