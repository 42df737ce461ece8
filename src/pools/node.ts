import { scaleToIntegers } from "../decimals.js";
import { nearest } from "../errors/index.js";
import { Column } from "./column.js";
import { Numbering } from "./numbering.js";
import { RecordSet } from "./recordSet.js";
import { MAX_U32, type PoolKind, type RecordId } from "./types.js";

/** Records whose ids are compared with an unknown one. */
const MAX_COMPARED = 10_000;
/** Stands in a pattern for every part of its depth. */
export const STAR = -1;

/** A star registration or a star addition: it holds for the pools that are there, and for those registered later. */
export interface Rule {
  /** The number (from 0) of each depth's part, or {@link STAR}. */
  readonly pattern: readonly number[];
  /** Whether the last part is a subpool that every matching parent has. */
  readonly registers: boolean;
  readonly entries: Entries;
}

/** Records of a root, by their numbers there, and the mass of each in one pool. */
export interface Entries {
  readonly records: Uint32Array;
  readonly masses: Float64Array;
}

/** Masses as exact integers: `mass[i] = integers[i] / 10^decimals`. */
export interface ScaledMasses {
  readonly integers: ArrayLike<number>;
  readonly decimals: number;
}

/** A root: its records, their shared quantities, and the names of its subpools by depth. */
export class Root {
  readonly name: string;
  readonly kind: PoolKind;
  /** Its number among the roots of the family. */
  readonly number: number;
  /** The number of each record, by its id. */
  readonly numbers = new Numbering<RecordId>();
  /** What a refresh brings each record's quantity back to; empty where the root is infinite. */
  readonly initial = new Column(Uint32Array);
  /** Quantity of each record, while no engine has it. */
  readonly quantities = new Column(Uint32Array);
  /** Names of depth d + 1, in order of registration; undefined for one that has a number only. */
  readonly names: (string | undefined)[][] = [];
  readonly rules: Rule[] = [];
  readonly top: Node;
  /** Quantities that a snapshot left, by id. */
  readonly restored: ReadonlyMap<RecordId, number>;

  constructor(
    name: string,
    kind: PoolKind,
    setup: { number: number; index: number; restored: ReadonlyMap<RecordId, number> },
  ) {
    const { number, index, restored } = setup;
    this.number = number;
    this.name = name;
    this.kind = kind;
    this.restored = restored;
    this.top = new Node(this, undefined, { key: 0, index });
  }

  /** The ids of its records, by their numbers. */
  get ids(): readonly RecordId[] {
    return this.numbers.keys;
  }

  /** Makes room for so many more records. */
  reserve(count: number): void {
    this.top.reserve(count);
    if (this.kind === "infinite") return;
    this.initial.reserve(count);
    this.quantities.reserve(count);
  }

  /** What to say about an id that is unknown: the nearest known one. */
  suggest(id: unknown): { expected: string; remedy?: string } {
    const expected = this.ids.length === 0 ? "nothing, for it has no records" : "the id of one of its records";
    if (typeof id === "number" && this.numbers.has(String(id))) return { expected, remedy: `Did you mean "${id}"?` };
    if (typeof id !== "string") return { expected };
    if (this.numbers.has(Number(id))) return { expected, remedy: `Did you mean the number ${id}?` };
    const texts = this.ids.slice(0, MAX_COMPARED).filter((known) => typeof known === "string");
    const near = nearest(id, texts);
    return near === undefined ? { expected } : { expected, remedy: `Did you mean ${JSON.stringify(near)}?` };
  }

  /** How a part of a depth is written: its name, or its number from 1. */
  partText(depth: number, key: number): string {
    return key === STAR ? "*" : (this.names[depth - 1]?.[key] ?? String(key + 1));
  }
}

/** One pool of a family: what it lists, in order, and what it splits into. */
export class Node {
  readonly root: Root;
  readonly parent: Node | undefined;
  /** Its number among the names of its depth, from 0. */
  readonly key: number;
  /** Its number among the pools of the family, in order of registration. */
  readonly index: number;
  readonly depth: number;
  readonly children = new Map<number, Node>();
  readonly #records = new Column(Uint32Array);
  readonly #masses = new Column(Float64Array);
  readonly #listed = new RecordSet();
  /** Σ mass × initial quantity (Σ mass in an infinite pool), where every mass is an integer. */
  #capacity = 0;
  /** How many masses are no integers. */
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

  /** The numbers of the path's parts. */
  get keys(): number[] {
    return this.parent === undefined ? [] : [...this.parent.keys, this.key];
  }

  /** How many records it lists. */
  get size(): number {
    return this.#records.length;
  }

  /** Numbers of the records that it lists, in list order. */
  get records(): Uint32Array {
    return this.#records.values;
  }

  /** Mass of each record that it lists, as given. */
  get masses(): Float64Array {
    return this.#masses.values;
  }

  /** Makes room for so many more records. */
  reserve(count: number): void {
    this.#records.reserve(count);
    this.#masses.reserve(count);
  }

  /** Lists a record; false, and nothing is done, where it is listed already. */
  list(record: number, mass: number): boolean {
    if (!this.#listed.add(record)) return false;
    this.#records.push(record);
    this.#masses.push(mass);
    this.#weigh(record, mass);
    return true;
  }

  /** Takes the records back that were listed after the first `length`. */
  unlist(length: number): void {
    for (const record of this.records.subarray(length)) this.#listed.delete(record);
    this.#records.truncate(length);
    this.#masses.truncate(length);
    // a term is < 2⁶⁴ before it is refused: taking it back would not be exact, so what is left is weighed anew
    this.#capacity = 0;
    this.#fractions = 0;
    const { records, masses } = this;
    for (let i = 0; i < length; i++) this.#weigh(records[i], masses[i]);
  }

  /** The masses as integers; undefined where they cannot be scaled to 32 bits. */
  scaled(): ScaledMasses | undefined {
    if (this.#fractions === 0) return { integers: this.masses, decimals: 0 };
    if (this.#scaled === undefined) {
      const { scaled } = scaleToIntegers([...this.masses], { maxTotal: Number.MAX_SAFE_INTEGER });
      if (scaled === undefined || scaled.integers.some((mass) => mass > MAX_U32)) return undefined;
      this.#scaled = scaled;
    }
    return this.#scaled;
  }

  /** The largest total that it can have, in units of its scaled masses; above 2³² − 1 it may be inexact. */
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
