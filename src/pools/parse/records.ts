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
    return {
      path: this.#path,
      ids: this.#ids,
      masses: this.#masses.values,
      ratios,
      quantities: this.#quantities.values,
    };
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
  for (let i = 0; i < length; i++) readRecord(reader, draft, new Place(at, i), { entry: value[i], refusal });
  return draft.list;
}

const INFINITE = "a record of an infinite pool cannot have a quantity";
const SHARED = "a record of a subpool cannot have a quantity, because all pools share the quantity in the root";

/** The place of a record in its list. Builds a {@link Field} only if a message needs it. */
class Place {
  readonly #list: Field;
  readonly #index: number;

  constructor(list: Field, index: number) {
    this.#list = list;
    this.#index = index;
  }

  field(key?: string): Field {
    const record = new Field(undefined, this.#list, this.#index);
    return key === undefined ? record : new Field(undefined, record, key);
  }
}

export function isId(value: unknown): value is RecordId {
  return typeof value === "string" || Number.isSafeInteger(value);
}

export function isQuantity(quantity: unknown): quantity is number | undefined {
  return quantity === undefined || (Number.isInteger(quantity) && massOf(quantity) !== undefined);
}

interface Entry {
  readonly entry: unknown;
  /** Why the record may not have a quantity. */
  readonly refusal: string | undefined;
}

function readRecord(reader: SpecReader, draft: ListDraft, at: Place, { entry, refusal }: Entry): void {
  if (isId(entry)) {
    draft.append(entry);
    return;
  }
  const before = reader.errors;
  const { id, mass: given, quantity } = partsOf(reader, at, entry);
  if (reader.errors > before) return;
  const mass = massOf(given);
  if (!isId(id)) reader.report(at.field("id"), idFinding(id), "pool.record");
  const isMass = given === undefined || mass !== undefined;
  if (!isMass) reader.report(at.field("mass"), massFinding(given), "pool.mass");
  if (!isQuantity(quantity)) reader.report(at.field("quantity"), quantityFinding(quantity), "pool.quantity");
  else if (quantity !== undefined && refusal !== undefined) {
    const finding = { problem: refusal, got: quantity, remedy: "Omit the quantity" };
    reader.report(at.field("quantity"), finding, "pool.quantity");
  } else if (isId(id) && isMass) draft.append(id, mass, quantity);
}

function idFinding(got: unknown): Finding {
  return { problem: "invalid id of a record", got, expected: "an integer or a string" };
}

export function massFinding(got: unknown): Finding {
  return { problem: "invalid mass", got, expected: `a number from 0 to ${MAX_U32}, or a fraction such as "1/3"` };
}

export function quantityFinding(got: unknown): Finding {
  return { problem: "invalid quantity", got, expected: `an integer from 0 to ${MAX_U32}` };
}

function partsOf(reader: SpecReader, at: Place, entry: unknown): Readonly<Record<string, unknown>> {
  if (Array.isArray(entry) && entry.length >= 1 && entry.length <= 3) {
    return { id: entry[0], mass: entry[1], quantity: entry[2] };
  }
  if (typeof entry !== "object" || entry === null || Array.isArray(entry)) {
    const expected = "an id, {id, mass, quantity} or [id, mass, quantity]";
    reader.report(at.field(), { problem: "the entry is not a record", got: entry, expected }, "pool.record");
    return {};
  }
  // uses for … in, because it allocates no list of keys. It also visits inherited keys, which are skipped
  for (const key in entry) {
    if (KEYS.includes(key) || !Object.hasOwn(entry, key)) continue;
    const expected = `one of ${KEYS.join(", ")}`;
    reader.report(at.field(key), { problem: "unknown key", got: key, expected, ...didYouMean(key, KEYS) });
  }
  return entry as Readonly<Record<string, unknown>>;
}
