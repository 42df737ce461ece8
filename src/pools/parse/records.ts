import { didYouMean, type Finding } from "../../errors/index.js";
import { Field, type SpecReader } from "../../spec/index.js";
import { approximate, massOf } from "../mass.js";
import { Column } from "../registry/columns.js";
import { type ListSpec, MAX_RECORDS, MAX_U32, type Mass, type PoolKind, type RecordId } from "../types.js";

const KEYS = ["id", "mass", "quantity"];

class ListDraft {
  readonly #path: string;
  readonly #ids: RecordId[] = [];
  readonly #masses = new Column(Float64Array);
  readonly #ratios = new Map<number, string>();
  readonly #quantities = new Column(Float64Array);
  readonly #room: number;

  constructor(path: string, room: number) {
    this.#path = path;
    this.#room = room;
  }

  get list(): ListSpec {
    const ratios = this.#ratios.size > 0 ? this.#ratios : undefined;
    const [masses, quantities] = [this.#masses.values, this.#quantities.values];
    return { path: this.#path, ids: this.#ids, masses, ratios, quantities };
  }

  append(id: RecordId, mass?: Mass, quantity?: number): void {
    // + 0 turns −0 into 0
    this.#ids.push(typeof id === "number" ? id + 0 : id);
    if (typeof mass === "string") this.#ratios.set(this.#ids.length - 1, mass);
    if (mass !== undefined) this.#put(this.#masses, approximate(mass));
    if (quantity !== undefined) this.#put(this.#quantities, quantity);
  }

  /** Earlier records without the number get NaN. */
  #put(column: Column<Float64Array>, value: number): void {
    if (column.length === 0) column.reserve(this.#room);
    while (column.length < this.#ids.length - 1) column.push(Number.NaN);
    column.push(value);
  }
}

export interface ListRules {
  readonly kind: PoolKind;
  /** Whether a record may have a quantity. True for a root, and for lists that can add records to the root. */
  readonly quantities: boolean;
}

/** A missing list is empty. A list of a million records does not allocate a million objects. */
export function readList(reader: SpecReader, at: Field, { kind, quantities }: ListRules): ListSpec {
  const { value } = at;
  const length = Array.isArray(value) ? value.length : 0;
  const draft = new ListDraft(at.path, Math.min(length, MAX_RECORDS.finite));
  if (value === undefined) return draft.list;
  if (!Array.isArray(value)) {
    reader.report(at, { problem: `${at.name} is not a list`, got: value, expected: "a list of records" });
    return draft.list;
  }
  if (length > MAX_RECORDS[kind]) {
    const expected = `at most ${MAX_RECORDS[kind]} records`;
    reader.report(at, { problem: `${at.name} is too long`, got: length, expected });
    return draft.list;
  }
  const refusal = kind === "infinite" ? INFINITE : quantities ? undefined : SHARED;
  for (let i = 0; i < length; i++) readRecord({ reader, draft, list: at, refusal }, value[i], i);
  return draft.list;
}

const INFINITE = "a record of an infinite pool cannot have a quantity";
const SHARED = "a record of a subpool cannot have a quantity, because all pools share the quantity in the root";

export function isId(value: unknown): value is RecordId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

export function isQuantity(quantity: unknown): quantity is number | undefined {
  return quantity === undefined || (Number.isInteger(quantity) && massOf(quantity) !== undefined);
}

interface Reading {
  readonly reader: SpecReader;
  readonly draft: ListDraft;
  readonly list: Field;
  /** Why the records may not have a quantity. */
  readonly refusal: string | undefined;
}

function readRecord(reading: Reading, entry: unknown, i: number): void {
  const { reader, draft, list, refusal } = reading;
  if (isId(entry)) {
    draft.append(entry);
    return;
  }
  const before = reader.errors;
  const { id, mass: given, quantity } = partsOf(reading, entry, i);
  if (reader.errors > before) return;
  const mass = massOf(given);
  const expected = "an integer or a string";
  if (!isId(id))
    reader.report(fieldOf(list, i, "id"), { problem: "invalid id of a record", got: id, expected }, "pool.record");
  const isMass = given === undefined || mass !== undefined;
  if (!isMass) reader.report(fieldOf(list, i, "mass"), massFinding(given), "pool.mass");
  if (!isQuantity(quantity)) reader.report(fieldOf(list, i, "quantity"), quantityFinding(quantity), "pool.quantity");
  else if (quantity !== undefined && refusal !== undefined) {
    const finding = { problem: refusal, got: quantity, remedy: "Omit the quantity" };
    reader.report(fieldOf(list, i, "quantity"), finding, "pool.quantity");
  } else if (isId(id) && isMass) draft.append(id, mass, quantity);
}

function fieldOf(list: Field, i: number, key: string): Field {
  return new Field(undefined, new Field(undefined, list, i), key);
}

export function massFinding(got: unknown): Finding {
  return { problem: "invalid mass", got, expected: `a number from 0 to ${MAX_U32}, or a fraction such as "1/3"` };
}

export function quantityFinding(got: unknown): Finding {
  return { problem: "invalid quantity", got, expected: `an integer from 0 to ${MAX_U32}` };
}

function partsOf({ reader, list }: Reading, entry: unknown, i: number): Readonly<Record<string, unknown>> {
  if (Array.isArray(entry) && entry.length >= 1 && entry.length <= 3) {
    return { id: entry[0], mass: entry[1], quantity: entry[2] };
  }
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    const expected = "an id, {id, mass, quantity} or [id, mass, quantity]";
    const problem = "the entry is not a record";
    reader.report(new Field(undefined, list, i), { problem, got: entry, expected }, "pool.record");
    return {};
  }
  // uses for … in, because it allocates no list of keys. It also visits inherited keys, which are skipped
  for (const key in entry) {
    if (KEYS.includes(key) || !Object.hasOwn(entry, key)) continue;
    const expected = `one of ${KEYS.join(", ")}`;
    reader.report(fieldOf(list, i, key), { problem: "unknown key", got: key, expected, ...didYouMean(key, KEYS) });
  }
  return entry as Readonly<Record<string, unknown>>;
}
