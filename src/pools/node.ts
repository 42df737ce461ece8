import { scaleToIntegers } from "../decimals.js";
import { nearest } from "../errors/index.js";
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
  readonly entries: readonly Entry[];
}

/** A record of a root, by its number there, and its mass in one pool. */
export interface Entry {
  readonly record: number;
  readonly mass: number;
}

/** Masses as exact integers: `mass[i] = integers[i] / 10^decimals`. */
export interface ScaledMasses {
  readonly integers: readonly number[];
  readonly decimals: number;
}

/** A root: its records, their shared quantities, and the names of its subpools by depth. */
export class Root {
  readonly name: string;
  readonly kind: PoolKind;
  /** Its number among the roots of the family. */
  readonly number: number;
  readonly ids: RecordId[] = [];
  readonly numbers = new Map<RecordId, number>();
  /** What a refresh brings each record's quantity back to; empty where the root is infinite. */
  readonly initial: number[] = [];
  /** Quantity of each record, while no engine has it. */
  readonly quantities: number[] = [];
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
  /** Numbers of the records that it lists. */
  readonly records: number[] = [];
  /** Mass of each as given. */
  readonly masses: number[] = [];
  readonly #listed = new Set<number>();
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

  lists(record: number): boolean {
    return this.#listed.has(record);
  }

  /** Lists a record that is not listed yet. */
  list(record: number, mass: number): void {
    this.records.push(record);
    this.masses.push(mass);
    this.#listed.add(record);
    this.#tally(record, mass, 1);
  }

  /** Takes the records back that were listed after the first `length`. */
  unlist(length: number): void {
    while (this.records.length > length) {
      const [record, mass] = [this.records.pop() ?? 0, this.masses.pop() ?? 0];
      this.#listed.delete(record);
      this.#tally(record, mass, -1);
    }
  }

  /** The masses as integers; undefined where they cannot be scaled to 32 bits. */
  scaled(): ScaledMasses | undefined {
    if (this.#fractions === 0) return { integers: this.masses, decimals: 0 };
    if (this.#scaled === undefined) {
      const { scaled } = scaleToIntegers(this.masses, { maxTotal: Number.MAX_SAFE_INTEGER });
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
    return scaled.integers.reduce((sum, mass, i) => sum + mass * (this.root.initial[this.records[i]] ?? 1), 0);
  }

  // capacities are kept ≤ 2³² − 1, and a term is < 2⁶⁴ before it is refused: taking it back would not be exact
  #tally(record: number, mass: number, sign: 1 | -1): void {
    this.#scaled = undefined;
    if (!Number.isInteger(mass)) this.#fractions += sign;
    else if (sign === 1) this.#capacity += mass * (this.root.initial[record] ?? 1);
    else this.#capacity = this.#integerCapacity();
  }

  #integerCapacity(): number {
    let sum = 0;
    for (const [i, mass] of this.masses.entries()) {
      if (Number.isInteger(mass)) sum += mass * (this.root.initial[this.records[i]] ?? 1);
    }
    return sum;
  }
}
