import { type Code, error, type Finding, type Issue, nearest } from "../errors/index.js";
import { Column } from "./column.js";
import { type ListSpec, MAX_RECORDS, MAX_U32, type PoolKind, type RecordId } from "./types.js";

/** Where the readers put what they find wrong. */
export interface Report {
  readonly issues: Issue[];
  readonly file?: string | undefined;
}

/** Bad records reported for one list. */
const MAX_REPORTED = 20;
const KEYS = ["id", "mass", "quantity"];

/** Adds one error. */
export function report(to: Report, code: Code, path: string, finding: Finding): void {
  to.issues.push(error(code, { ...finding, where: { path, file: to.file } }));
}

/** Adds an error for a key that means nothing, with the nearest one that does. */
export function reportKey(to: Report, path: string, key: string, known: readonly string[]): void {
  const near = nearest(key, known);
  const remedy = near === undefined ? {} : { remedy: `Did you mean ${JSON.stringify(near)}?` };
  report(to, "pool.spec", path, {
    problem: "unknown key",
    got: key,
    expected: `one of ${known.join(", ")}`,
    ...remedy,
  });
}

/** A list that is being read. */
class ListDraft {
  readonly path: string;
  readonly #ids: RecordId[] = [];
  readonly #masses = new Column(Float64Array);
  readonly #quantities = new Column(Float64Array);
  readonly #room: number;

  /** @param room - how many records are expected. */
  constructor(path: string, room: number) {
    this.path = path;
    this.#room = room;
  }

  get list(): ListSpec {
    return { path: this.path, ids: this.#ids, masses: this.#masses.values, quantities: this.#quantities.values };
  }

  /** Adds a record, and answers its quantity. */
  append(id: RecordId, mass: number | undefined, quantity: number | undefined): number | undefined {
    // −0 as 0
    this.#ids.push(typeof id === "number" ? id + 0 : id);
    if (mass !== undefined) this.#put(this.#masses, mass);
    if (quantity !== undefined) this.#put(this.#quantities, quantity);
    return quantity;
  }

  /** Gives the last record a number, and those before it none that have none. */
  #put(column: Column<Float64Array>, value: number): void {
    if (column.length === 0) column.reserve(this.#room);
    while (column.length < this.#ids.length - 1) column.push(Number.NaN);
    column.push(value);
  }
}

/**
 * Reads a list of records. `quantities` says whether a record may have one: only where it may be the root's first word of
 * it, and never in an infinite pool.
 */
export function readList(
  to: Report,
  path: string,
  value: unknown,
  { kind, quantities }: { readonly kind: PoolKind; readonly quantities: boolean },
): ListSpec {
  if (value === undefined) return new ListDraft(path, 0).list;
  if (!Array.isArray(value)) {
    report(to, "pool.spec", path, { problem: "the records are no list", got: value, expected: "a list of records" });
    return new ListDraft(path, 0).list;
  }
  const draft = new ListDraft(path, Math.min(value.length, MAX_RECORDS.finite));
  const before = to.issues.length;
  const refusal = kind === "infinite" ? "an infinite pool has no quantities" : quantities ? undefined : SHARED;
  for (let i = 0; i < value.length && to.issues.length < before + MAX_REPORTED; i++) {
    const got = readRecord(to, draft, i, value[i]);
    if (got === undefined || refusal === undefined) continue;
    report(to, "pool.quantity", `${path}[${i}].quantity`, { problem: refusal, got, remedy: OMIT });
  }
  return draft.list;
}

const SHARED = "a record's quantity is shared by all pools, and stands in the root";
const OMIT = "Leave the quantity out";

/** Whether a value can be a record's id. */
export function isId(value: unknown): value is RecordId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Adds an error where a mass is not usable; undefined is. */
export function checkMass(to: Report, path: string, mass: unknown): void {
  if (isMass(mass)) return;
  report(to, "pool.mass", path, {
    problem: "a mass is not usable",
    got: mass,
    expected: `a number from 0 to ${MAX_U32}`,
  });
}

/** Adds an error where a quantity is not usable; undefined is. */
export function checkQuantity(to: Report, path: string, quantity: unknown): void {
  if (isQuantity(quantity)) return;
  const expected = `an integer from 0 to ${MAX_U32}`;
  report(to, "pool.quantity", path, { problem: "a quantity is not usable", got: quantity, expected });
}

function isMass(mass: unknown): mass is number | undefined {
  return mass === undefined || (typeof mass === "number" && mass >= 0 && mass <= MAX_U32);
}

function isQuantity(quantity: unknown): quantity is number | undefined {
  return quantity === undefined || (isMass(quantity) && Number.isInteger(quantity));
}

/** Reads record i of a list, and answers its quantity. Where it stands is spelt out for an error only. */
function readRecord(to: Report, list: ListDraft, i: number, value: unknown): number | undefined {
  if (isId(value)) return list.append(value, undefined, undefined);
  const before = to.issues.length;
  const fields = fieldsOf(to, list.path, i, value);
  if (fields === undefined) return undefined;
  const { id, mass, quantity } = fields;
  if (!isId(id)) {
    const expected = "an integer or a text";
    report(to, "pool.record", `${list.path}[${i}].id`, { problem: "a record's id is not usable", got: id, expected });
    return undefined;
  }
  if (isMass(mass) && isQuantity(quantity)) {
    return to.issues.length > before ? undefined : list.append(id, mass, quantity);
  }
  checkMass(to, `${list.path}[${i}].mass`, mass);
  checkQuantity(to, `${list.path}[${i}].quantity`, quantity);
  return undefined;
}

function fieldsOf(to: Report, list: string, i: number, value: unknown): Record<string, unknown> | undefined {
  if (Array.isArray(value) && value.length >= 1 && value.length <= 3) {
    const [id, mass, quantity]: unknown[] = value;
    return { id, mass, quantity };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    const expected = "an id, {id, mass, quantity} or [id, mass, quantity]";
    report(to, "pool.record", `${list}[${i}]`, { problem: "this is no record", got: value, expected });
    return undefined;
  }
  // (for … in makes no list of keys, but shows inherited ones)
  for (const key in value) {
    if (key === "id" || key === "mass" || key === "quantity" || !Object.hasOwn(value, key)) continue;
    reportKey(to, `${list}[${i}].${key}`, key, KEYS);
  }
  return value as Record<string, unknown>;
}
