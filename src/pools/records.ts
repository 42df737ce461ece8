import { type Code, error, type Finding, type Issue, nearest } from "../errors/index.js";
import { type ListSpec, MAX_U32, type PoolKind, type RecordId, type RecordSpec } from "./types.js";

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
  if (value === undefined) return { path, records: [] };
  if (!Array.isArray(value)) {
    report(to, "pool.spec", path, { problem: "the records are no list", got: value, expected: "a list of records" });
    return { path, records: [] };
  }
  const records: RecordSpec[] = [];
  const before = to.issues.length;
  const refusal = kind === "infinite" ? "an infinite pool has no quantities" : quantities ? undefined : SHARED;
  for (let i = 0; i < value.length && to.issues.length < before + MAX_REPORTED; i++) {
    const record = readRecord(to, path, i, value[i]);
    if (record === undefined) continue;
    if (record.quantity !== undefined && refusal !== undefined) {
      report(to, "pool.quantity", `${path}[${i}].quantity`, { problem: refusal, got: record.quantity, remedy: OMIT });
    }
    records.push(record);
  }
  return { path, records };
}

const SHARED = "a record's quantity is shared by all pools, and stands in the root";
const OMIT = "Leave the quantity out";

/** Whether a value can be a record's id. */
export function isId(value: unknown): value is RecordId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

/** Adds an error where a mass is not usable; undefined is. */
export function checkMass(to: Report, path: string, mass: unknown): void {
  if (mass === undefined || (typeof mass === "number" && mass >= 0 && mass <= MAX_U32)) return;
  report(to, "pool.mass", path, {
    problem: "a mass is not usable",
    got: mass,
    expected: `a number from 0 to ${MAX_U32}`,
  });
}

/** Adds an error where a quantity is not usable; undefined is. */
export function checkQuantity(to: Report, path: string, quantity: unknown): void {
  if (quantity === undefined) return;
  if (typeof quantity === "number" && Number.isInteger(quantity) && quantity >= 0 && quantity <= MAX_U32) return;
  const expected = `an integer from 0 to ${MAX_U32}`;
  report(to, "pool.quantity", path, { problem: "a quantity is not usable", got: quantity, expected });
}

function readRecord(to: Report, list: string, i: number, value: unknown): RecordSpec | undefined {
  if (isId(value)) return { id: plain(value), mass: undefined, quantity: undefined };
  const before = to.issues.length;
  const fields = fieldsOf(to, list, i, value);
  if (fields === undefined) return undefined;
  const { id, mass, quantity } = fields;
  if (!isId(id)) {
    const expected = "an integer or a text";
    report(to, "pool.record", `${list}[${i}].id`, { problem: "a record's id is not usable", got: id, expected });
    return undefined;
  }
  checkMass(to, `${list}[${i}].mass`, mass);
  checkQuantity(to, `${list}[${i}].quantity`, quantity);
  if (to.issues.length > before) return undefined;
  return { id: plain(id), mass: mass as number | undefined, quantity: quantity as number | undefined };
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
  for (const key of Object.keys(value)) if (!KEYS.includes(key)) reportKey(to, `${list}[${i}].${key}`, key, KEYS);
  return value as Record<string, unknown>;
}

/** The id with −0 as 0. */
function plain(id: RecordId): RecordId {
  return typeof id === "number" ? id + 0 : id;
}
