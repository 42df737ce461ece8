import type { WeightInput } from "../../decimals.js";
import { didYouMean, type Finding } from "../../errors/index.js";
import {
  type Field,
  type InputOf,
  isObject,
  type OptionalShape,
  optional,
  record,
  type SpecReader,
  unread,
} from "../../spec/index.js";
import { approximate, massOf } from "../mass.js";
import { Column } from "../registry/columns.js";
import { type ListSpec, MAX_RECORDS, MAX_U32, type Mass, type PoolKind, type RecordId } from "../types.js";

const MAX_INTEGER = Number.MAX_SAFE_INTEGER;
const ID = unread<RecordId>({ type: ["string", "integer"], minimum: -MAX_INTEGER, maximum: MAX_INTEGER });
const FRACTION = {
  type: "object",
  required: ["n", "d"],
  additionalProperties: false,
  properties: {
    n: { type: "integer", minimum: 0, maximum: MAX_INTEGER },
    d: { type: "integer", minimum: 1, maximum: MAX_INTEGER },
  },
};
export const MASS = unread<WeightInput>({
  oneOf: [
    { type: "number", minimum: 0, maximum: MAX_U32 },
    { type: "string", pattern: "^\\d+/0*[1-9]\\d*$" },
    FRACTION,
  ],
});
const QUANTITY = unread<number>({ type: "integer", minimum: 0, maximum: MAX_U32 });

const FIELDS = record({
  /** The id, an integer or a text: 1 is not "1". */
  id: ID,
  /**
   * How often the pool draws the record, in proportion to the masses of other records: a number, or a fraction such as
   * "1/3" or `{"n": 1, "d": 3}`. Decimals and fractions are exact. Each pool has its own mass for a record. Default: 1
   * in a root, and the root's mass in a subpool.
   */
  mass: optional(MASS),
  /** Number of copies, an integer. It is given in the root, and all pools of the root share it. Default 1. */
  quantity: optional(QUANTITY),
});
/**
 * A record as a user writes it. In a root, the default mass and the default quantity are 1. In a subpool, the default
 * mass is the mass in the root. The quantity is the same in all pools of a root.
 */
export type RecordInput<Id extends RecordId = RecordId> =
  | Id
  | (InputOf<typeof FIELDS> & { readonly id: Id })
  | readonly [id: Id, mass?: WeightInput, quantity?: number];
export const RECORD = unread<RecordInput>({
  oneOf: [ID, FIELDS, { type: "array", items: [ID, MASS, QUANTITY], minItems: 1, maxItems: 3 }],
});
/** A list of records. {@link readList} reads it, also if it is missing. */
export const RECORDS: OptionalShape<readonly RecordInput[], Field> = {
  ...unread<readonly RecordInput[]>({ type: "array", items: RECORD }),
  isOptional: true,
};

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

  /** Stores a mass or a quantity of the last record. Earlier records without a value get NaN. */
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

/** Reads a list; a missing list is empty. Allocates no object for each record, because a list can have millions. */
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
  /** The reason why the records may not have a quantity. Undefined if they may. */
  readonly refusal: string | undefined;
}

function readRecord({ reader, draft, list, refusal }: Reading, entry: unknown, i: number): void {
  if (isId(entry)) {
    draft.append(entry);
    return;
  }
  const before = reader.errors;
  const { id, mass: given, quantity } = partsOf(reader, list, entry, i);
  if (reader.errors > before) return;
  const mass = massOf(given);
  if (!isId(id)) {
    const finding = { problem: "invalid id of a record", got: id, expected: "an integer or a string" };
    reader.report(list.part(i, "id"), finding, "pool.record");
  }
  const isMass = given === undefined || mass !== undefined;
  if (!isMass) reader.report(list.part(i, "mass"), massFinding(given), "pool.mass");
  if (!isQuantity(quantity)) reader.report(list.part(i, "quantity"), quantityFinding(quantity), "pool.quantity");
  else if (quantity !== undefined && refusal !== undefined) {
    const refused = { problem: refusal, got: quantity, remedy: "Omit the quantity" };
    reader.report(list.part(i, "quantity"), refused, "pool.quantity");
  } else if (isId(id) && isMass) draft.append(id, mass, quantity);
}

export function massFinding(got: unknown): Finding {
  return { problem: "invalid mass", got, expected: `a number from 0 to ${MAX_U32}, or a fraction such as "1/3"` };
}

export function quantityFinding(got: unknown): Finding {
  return { problem: "invalid quantity", got, expected: `an integer from 0 to ${MAX_U32}` };
}

function partsOf(reader: SpecReader, list: Field, entry: unknown, i: number): Readonly<Record<string, unknown>> {
  if (Array.isArray(entry) && entry.length >= 1 && entry.length <= 3) {
    return { id: entry[0], mass: entry[1], quantity: entry[2] };
  }
  if (!isObject(entry)) {
    const expected = "an id, {id, mass, quantity} or [id, mass, quantity]";
    const problem = "the entry is not a record";
    reader.report(list.part(i), { problem, got: entry, expected }, "pool.record");
    return {};
  }
  // for … in allocates no list of keys, but also visits inherited keys, which are skipped
  const known: readonly string[] = FIELDS.keys;
  for (const key in entry) {
    if (known.includes(key) || !Object.hasOwn(entry, key)) continue;
    const expected = `one of ${known.join(", ")}`;
    reader.report(list.part(i, key), { problem: "unknown key", got: key, expected, ...didYouMean(key, known) });
  }
  return entry;
}
