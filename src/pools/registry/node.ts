import { scaleToIntegers } from "../../decimals.js";
import { didYouMean } from "../../errors/index.js";
import { MAX_U32, type PoolKind, type RecordId } from "../types.js";
import { Column, Numbering, RecordSet } from "./columns.js";

/** Maximum number of records whose ids are compared with an unknown id to find a similar one. */
const MAX_COMPARED = 10_000;
/** In a pattern, matches every part at its depth. */
export const STAR = -1;

/** A registration or an addition by a path with stars. It applies to existing pools, and to pools registered later. */
interface Rule {
  /** For each depth, the index of a name in {@link Root.names}, or {@link STAR}. */
  readonly pattern: readonly number[];
  /**
   * Whether the rule adds the last part, as a new subpool, to every matching parent. Otherwise it only adds records.
   */
  readonly registers: boolean;
  readonly entries: Entries;
}

/** Records to list in one pool, as indices into the root's records, and the mass of each. */
export interface Entries {
  readonly records: Uint32Array;
  readonly masses: Float64Array;
}

/** Masses as exact integers: `mass[i] = integers[i] / 10^decimals`. */
interface ScaledMasses {
  readonly integers: ArrayLike<number>;
  readonly decimals: number;
}

/** A root: its records, the quantities that all its pools share, and the names of its subpools by depth. */
export class Root {
  readonly name: string;
  readonly kind: PoolKind;
  /** Its index among the roots of the family. */
  readonly number: number;
  /** Maps each id to the number of its record. */
  readonly numbers = new Numbering<RecordId>();
  /** The quantity of each record after a refresh; empty in an infinite root. */
  readonly initial = new Column(Uint32Array);
  /** Current quantity of each record. Out of date while an engine keeps the quantities. */
  readonly quantities = new Column(Uint32Array);
  /**
   * `names[d]` has the names at depth d + 1, in order of registration; undefined for a subpool that has only a number.
   */
  readonly names: (string | undefined)[][] = [];
  readonly rules: Rule[] = [];
  /** The pool of the root itself, which lists all records. */
  readonly top: Node;
  /** Maps ids to their quantities in the snapshot, including ids that are not registered yet. */
  restored: ReadonlyMap<RecordId, number> = new Map();

  constructor(name: string, kind: PoolKind, { number, index }: { readonly number: number; readonly index: number }) {
    this.number = number;
    this.name = name;
    this.kind = kind;
    this.top = new Node(this, undefined, { key: 0, index });
  }

  /** The id of each record, in order of their numbers. */
  get ids(): readonly RecordId[] {
    return this.numbers.keys;
  }

  /** Makes room for `count` more records. */
  reserve(count: number): void {
    this.top.reserve(count);
    if (this.kind === "infinite") return;
    this.initial.reserve(count);
    this.quantities.reserve(count);
  }

  /** The `expected` and `remedy` of a message about an unknown id: the remedy names the nearest known id. */
  suggest(id: unknown): { expected: string; remedy?: string } {
    const expected = this.ids.length === 0 ? "no id, because it has no records" : "the id of one of its records";
    if (typeof id === "number" && this.numbers.has(String(id))) return { expected, remedy: `Did you mean "${id}"?` };
    if (typeof id !== "string") return { expected };
    if (this.numbers.has(Number(id))) return { expected, remedy: `Did you mean the number ${id}?` };
    const texts = this.ids.slice(0, MAX_COMPARED).filter((known) => typeof known === "string");
    return { expected, ...didYouMean(id, texts) };
  }

  /** Returns the text of a part: its name, its number from 1, or `*`. */
  partText(depth: number, key: number): string {
    return key === STAR ? "*" : (this.names[depth - 1]?.[key] ?? String(key + 1));
  }
}

/** One pool of a family: its list of records, and its subpools. */
export class Node {
  readonly root: Root;
  readonly parent: Node | undefined;
  /** Index of its name in {@link Root.names} at its depth; 0 for a root. */
  readonly key: number;
  /** Its index among the pools of the family, in order of registration. */
  readonly index: number;
  readonly depth: number;
  readonly children = new Map<number, Node>();
  readonly #records = new Column(Uint32Array);
  readonly #masses = new Column(Float64Array);
  readonly #listed = new RecordSet();
  /** Σ mass × initial quantity over the records whose mass is an integer (Σ mass in an infinite pool). */
  #capacity = 0;
  /** Number of masses that are not integers. */
  #fractions = 0;
  #scaled: ScaledMasses | undefined;

  constructor(root: Root, parent: Node | undefined, { key, index }: { readonly key: number; readonly index: number }) {
    this.root = root;
    this.parent = parent;
    this.key = key;
    this.index = index;
    this.depth = parent === undefined ? 0 : parent.depth + 1;
  }

  /** The path from the root, such as `i.common.1`. */
  get path(): string {
    if (this.parent === undefined) return this.root.name;
    return `${this.parent.path}.${this.root.partText(this.depth, this.key)}`;
  }

  /** The last part of its path. */
  get name(): string {
    return this.parent === undefined ? this.root.name : this.root.partText(this.depth, this.key);
  }

  /** Number of records that the pool lists. */
  get size(): number {
    return this.#records.length;
  }

  /** Numbers (indices in the root) of the records that it lists, in list order. */
  get records(): Uint32Array {
    return this.#records.values;
  }

  /** Mass of each record that it lists, as given. */
  get masses(): Float64Array {
    return this.#masses.values;
  }

  /** Makes room for `count` more records. */
  reserve(count: number): void {
    this.#records.reserve(count);
    this.#masses.reserve(count);
  }

  /** Whether it lists a record. */
  lists(record: number): boolean {
    return this.#listed.has(record);
  }

  /** Lists a record. Returns false, and changes nothing, if it is listed already. */
  list(record: number, mass: number): boolean {
    if (!this.#listed.add(record)) return false;
    this.#records.push(record);
    this.#masses.push(mass);
    this.#weigh(record, mass);
    return true;
  }

  /** Removes all but the first `length` records. */
  unlist(length: number): void {
    for (const record of this.records.subarray(length)) this.#listed.delete(record);
    this.#records.truncate(length);
    this.#masses.truncate(length);
    // Mass × quantity of a record that is refused can be near 2^64. A sum that contains such a term is not exact, so
    // the sum of the remaining records is computed again.
    this.#capacity = 0;
    this.#fractions = 0;
    const { records, masses } = this;
    for (let i = 0; i < length; i++) this.#weigh(records[i], masses[i]);
  }

  /** The masses times a power of ten, as integers; undefined if they do not fit in 32 bits. */
  scaled(): ScaledMasses | undefined {
    if (this.#fractions === 0) return { integers: this.masses, decimals: 0 };
    if (this.#scaled === undefined) {
      const { scaled } = scaleToIntegers([...this.masses], { maxTotal: Number.MAX_SAFE_INTEGER });
      if (scaled === undefined || scaled.integers.some((mass) => mass > MAX_U32)) return undefined;
      this.#scaled = scaled;
    }
    return this.#scaled;
  }

  /** The total of the pool with the initial quantities, in units of its scaled masses. Inexact above 2^53. */
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
    if (Number.isInteger(mass)) this.#capacity += mass * this.#initial(record);
    else this.#fractions++;
  }

  #initial(record: number): number {
    return this.root.kind === "infinite" ? 1 : this.root.initial.at(record);
  }
}
