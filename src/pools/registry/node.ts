import { scaleToIntegers, weightFraction } from "../../decimals.js";
import { didYouMean, type Finding } from "../../errors/index.js";
import { divide, toNumber } from "../../fractions.js";
import { approximate } from "../mass.js";
import { MAX_U32, type Mass, type PoolKind, type RecordId, type RootSpec, type SavedCopies } from "../types.js";
import { Column, Numbering, RecordSet } from "./columns.js";

/** For an unknown id, the search for a similar id compares at most this many ids. */
const MAX_COMPARED = 10_000;
/** The value that stands for any part in a pattern. */
export const STAR = -1;

/** A rule applies to all matching pools, also to pools that are registered later. */
interface Rule {
  /** For each depth, the index of the part in {@link Root.names}, or {@link STAR}. */
  readonly pattern: readonly number[];
  /** True if the rule adds a new subpool to every matching parent. False if it adds records to every matching pool. */
  readonly registers: boolean;
  readonly entries: Entries;
}

export interface Entries {
  readonly records: Uint32Array;
  readonly masses: readonly Mass[];
}

/** The mass of record i is `integers[i] / scale`. */
interface ScaledMasses {
  readonly integers: ArrayLike<number>;
  readonly scale: number;
}

export class Root {
  readonly name: string;
  readonly kind: PoolKind;
  readonly refill: boolean;
  readonly number: number;
  readonly numbers = new Numbering<RecordId>();
  /** The quantity of each record after a refresh; empty in an infinite root. */
  readonly initial = new Column(Uint32Array);
  /** The quantity of each record. Out of date while an engine exists: the engine has the present quantities. */
  readonly quantities = new Column(Uint32Array);
  /** `names[d]` has the names at depth d + 1, in order of registration. A name that is a number is its own index. */
  readonly names: Numbering<string | number>[] = [];
  readonly rules: Rule[] = [];
  readonly top: Node;
  /** For each record whose initial quantity was changed, the quantity before all changes. */
  readonly declared = new Map<number, number>();
  discards = new Map<number, number>();
  /** Maps a pool's path to its changed masses: null for a removed record. The pool may not be registered yet. */
  readonly changes = new Map<string, Map<RecordId, Mass | null>>();
  /** The copies in the snapshot, by record id. Some of these ids may not be registered yet. */
  restored: ReadonlyMap<RecordId, SavedCopies> = new Map();

  constructor(
    name: string,
    { kind, refill }: Pick<RootSpec, "kind" | "refill">,
    { number, index }: { readonly number: number; readonly index: number },
  ) {
    this.number = number;
    this.name = name;
    this.kind = kind;
    this.refill = refill;
    this.top = new Node(this, undefined, { key: 0, index });
  }

  get ids(): readonly RecordId[] {
    return this.numbers.keys;
  }

  setInitial(record: number, quantity: number): void {
    const declared = this.declared.get(record) ?? this.initial.at(record);
    if (quantity === declared) this.declared.delete(record);
    else this.declared.set(record, declared);
    this.initial.set(record, quantity);
  }

  discard(record: number, copies: number): void {
    const discards = (this.discards.get(record) ?? 0) + copies;
    if (discards > 0) this.discards.set(record, discards);
    else this.discards.delete(record);
  }

  reserve(count: number): void {
    this.top.reserve(count);
    if (this.kind === "infinite") return;
    this.initial.reserve(count);
    this.quantities.reserve(count);
  }

  suggest(id: unknown): Pick<Finding, "expected" | "remedy"> {
    const expected = this.ids.length === 0 ? "no id, because it has no records" : "the id of one of its records";
    if (typeof id === "number" && this.numbers.has(String(id))) return { expected, remedy: `Did you mean "${id}"?` };
    if (typeof id !== "string") return { expected };
    if (this.numbers.has(Number(id))) return { expected, remedy: `Did you mean the number ${id}?` };
    const texts = this.ids.slice(0, MAX_COMPARED).filter((one) => typeof one === "string");
    return { expected, ...didYouMean(id, texts) };
  }

  namesAt(depth: number): Numbering<string | number> {
    while (this.names.length < depth) this.names.push(new Numbering());
    return this.names[depth - 1];
  }

  partText(depth: number, key: number): string {
    const name = this.names[depth - 1]?.keys[key];
    return key === STAR ? "*" : typeof name === "string" ? name : String(key + 1);
  }
}

export class Node {
  readonly root: Root;
  readonly parent: Node | undefined;
  /** Index in {@link Root.names} at the depth of the pool; 0 for a root. */
  readonly key: number;
  /** Index in the engine; infinite for a union until the first engine is built for it. */
  index: number;
  /** Only for a union (the pools that a path with stars matches): whether the registry changed after it was built. */
  isStale = false;
  readonly depth: number;
  readonly children = new Map<number, Node>();
  readonly #records = new Column(Uint32Array);
  /** The approximate mass of each record; NaN if it was removed: it keeps its place in case it is added again. */
  readonly #masses = new Column(Float64Array);
  readonly #ratios = new Map<number, string>();
  readonly #listed = new RecordSet();
  /** Σ mass × initial quantity over all records with an integer mass. In an infinite pool, Σ mass. */
  #capacity = 0;
  #fractions = 0;
  #removed = 0;
  #kept: { readonly records: Uint32Array; readonly masses: Float64Array } | undefined;
  #scaled: ScaledMasses | undefined;

  constructor(root: Root, parent: Node | undefined, { key, index }: { readonly key: number; readonly index: number }) {
    this.root = root;
    this.parent = parent;
    this.key = key;
    this.index = index;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }

  get path(): string {
    if (this.parent === undefined) return this.root.name;
    return `${this.parent.path}.${this.root.partText(this.depth, this.key)}`;
  }

  get name(): string {
    return this.path.slice(this.path.lastIndexOf(".") + 1);
  }

  get size(): number {
    return this.#records.length - this.#removed;
  }

  /** Number of listed and removed records. */
  get length(): number {
    return this.#records.length;
  }

  /** The listed records, in list order. Each is an index into the records of the root. */
  get records(): Uint32Array {
    return this.#removed === 0 ? this.#records.values : this.#keep().records;
  }

  /** Entry i is the mass of entry i of {@link records}. Fractions are rounded. */
  get masses(): Float64Array {
    return this.#removed === 0 ? this.#masses.values : this.#keep().masses;
  }

  exactMasses(): ArrayLike<Mass> {
    const { records, masses } = this;
    if (this.#ratios.size === 0) return masses;
    return Array.from(records, (record, i) => this.#ratios.get(record) ?? masses[i]);
  }

  #keep() {
    const [records, masses] = [this.#records.values, this.#masses.values];
    this.#kept ??= {
      records: records.filter((_, i) => !Number.isNaN(masses[i])),
      masses: masses.filter((mass) => !Number.isNaN(mass)),
    };
    return this.#kept;
  }

  reserve(count: number): void {
    this.#records.reserve(count);
    this.#masses.reserve(count);
  }

  lists(record: number): boolean {
    return this.#has(record) && (this.#removed === 0 || !Number.isNaN(this.#masses.at(this.#placeOf(record))));
  }

  hasRemoved(record: number): boolean {
    return this.#removed > 0 && this.#has(record) && !this.lists(record);
  }

  // a root lists every record once, in the order of the records' indices
  #has(record: number): boolean {
    return this === this.root.top ? record < this.length : this.#listed.has(record);
  }

  #placeOf(record: number): number {
    return this === this.root.top ? record : this.#records.values.indexOf(record);
  }

  /** Adds a record. If the pool already lists the record, returns false and changes nothing. */
  list(record: number, mass: Mass): boolean {
    if (this !== this.root.top && !this.#listed.add(record)) return false;
    if (typeof mass === "string") this.#ratios.set(record, mass);
    const value = typeof mass === "number" ? mass : approximate(mass);
    this.#records.push(record);
    this.#masses.push(value);
    this.#weigh(record, value);
    return true;
  }

  massOf(record: number): Mass | undefined {
    const mass = this.#masses.at(this.#placeOf(record));
    if (Number.isNaN(mass)) return undefined;
    return this.#ratios.size === 0 ? mass : (this.#ratios.get(record) ?? mass);
  }

  /** Sets the mass of a record that the pool lists or has listed. `mass` undefined removes the record. */
  change(record: number, mass: Mass | undefined): void {
    if (typeof mass === "string") this.#ratios.set(record, mass);
    else this.#ratios.delete(record);
    this.#masses.set(this.#placeOf(record), mass === undefined ? Number.NaN : approximate(mass));
    this.recount();
  }

  unlist(length: number): void {
    for (const record of this.#records.values.subarray(length)) this.#ratios.delete(record);
    this.#records.truncate(length);
    this.#masses.truncate(length);
    this.recount();
  }

  /** Computes all sums again. Call this after a change of an initial quantity. */
  recount(): void {
    // adds up everything again: near 2^64 the old sum is rounded, so subtracting from it could give a wrong sum
    this.#capacity = 0;
    this.#fractions = 0;
    this.#removed = 0;
    this.#kept = undefined;
    this.#listed.clear();
    const [records, masses] = [this.#records.values, this.#masses.values];
    for (let i = 0; i < records.length; i++) {
      if (this !== this.root.top) this.#listed.add(records[i]);
      this.#weigh(records[i], masses[i]);
    }
  }

  /** Scales all masses to integers. Returns undefined if one of them does not fit in 32 bits. */
  scaled(): ScaledMasses | undefined {
    if (this.#fractions === 0) return { integers: this.masses, scale: 1 };
    if (this.#scaled === undefined) {
      const masses = Array.from(this.exactMasses());
      const { scaled } = scaleToIntegers(masses, { ratios: true, maxTotal: Number.MAX_SAFE_INTEGER });
      if (scaled === undefined || scaled.integers.some((mass) => mass > MAX_U32)) return undefined;
      const { integers, decimals } = scaled;
      this.#scaled = { integers, scale: this.#ratios.size === 0 ? 10 ** decimals : scaleOf(masses, integers) };
    }
    return this.#scaled;
  }

  /** Returns the total with the initial quantities, in units of the scaled masses. Not exact above 2^53. */
  capacity(): number {
    if (this.#fractions === 0) return this.#capacity;
    const scaled = this.scaled();
    if (scaled === undefined) return Number.POSITIVE_INFINITY;
    const { records } = this;
    let sum = 0;
    for (let i = 0; i < records.length; i++) sum += scaled.integers[i] * this.#initial(records[i]);
    return sum;
  }

  #weigh(record: number, mass: number): void {
    this.#scaled = undefined;
    const isRatio = this.#ratios.size > 0 && this.#ratios.has(record);
    if (Number.isInteger(mass) && !isRatio) this.#capacity += mass * this.#initial(record);
    else if (Number.isNaN(mass)) this.#removed++;
    else this.#fractions++;
  }

  #initial(record: number): number {
    return this.root.kind === "infinite" ? 1 : this.root.initial.at(record);
  }
}

/** Returns the number by which the masses were multiplied to get the integers. */
function scaleOf(masses: readonly Mass[], integers: readonly number[]): number {
  const i = integers.findIndex((integer) => integer > 0);
  const mass = i < 0 ? undefined : weightFraction(masses[i]);
  return mass === undefined ? 1 : toNumber(divide({ numerator: BigInt(integers[i]), denominator: 1n }, mass));
}
