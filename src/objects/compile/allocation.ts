import type { PlanImage } from "../../kernel/index.js";
import { MAX_DEPTH } from "../parse/values.js";

/** Entries that there is room for at first. */
const FIRST_ROOM = 4096;

/** A choice by weight, while it is put together: ids below 2^16, each with a weight above 0. */
export class Choice {
  readonly ids: Uint16Array<ArrayBuffer>;
  readonly weights: Uint32Array<ArrayBuffer>;
  #length = 0;
  #hash = 0;

  /** @param most - The most entries that it may have. */
  constructor(most: number) {
    this.ids = new Uint16Array(most);
    this.weights = new Uint32Array(most);
  }

  /** How many entries it has. */
  get length(): number {
    return this.#length;
  }

  /** A hash of ids and weights, by multiplication with an odd constant. */
  get hash(): number {
    return this.#hash;
  }

  clear(): void {
    this.#length = 0;
    this.#hash = 0;
  }

  add(id: number, weight: number): void {
    this.ids[this.#length] = id;
    this.weights[this.#length] = weight;
    this.#length += 1;
    this.#hash = Math.imul(this.#hash ^ (id + (weight << 16)), 0x9e3779b1);
  }
}

/** The alias tables of a plan: those with the same ids and weights are one. Tables are numbered from 1; 0 is none. */
export class AllocationTables {
  readonly #image: PlanImage;
  /** Entries of all tables; those of table i stand from `#ends[i − 1]` to `#ends[i]`. */
  #ids = new Uint16Array(FIRST_ROOM);
  #weights = new Uint32Array(FIRST_ROOM);
  readonly #ends = [0];
  /** The last table of a hash; by table the one before it that has the same. */
  readonly #lastOf = new Map<number, number>();
  readonly #before = [0];
  readonly #noted: number[] = [];

  constructor(image: PlanImage) {
    this.#image = image;
  }

  /** The number of the table of a choice; 0 where there is nothing to choose. */
  number(choice: Choice): number {
    if (choice.length === 0) return 0;
    const last = this.#lastOf.get(choice.hash) ?? 0;
    for (let table = last; table > 0; table = this.#before[table]) if (this.#isOf(table, choice)) return table;
    this.#append(choice);
    this.#before.push(last);
    const table = this.#ends.length - 1;
    this.#lastOf.set(choice.hash, table);
    return table;
  }

  #isOf(table: number, { ids, weights, length }: Choice): boolean {
    const first = this.#ends[table - 1];
    if (this.#ends[table] - first !== length) return false;
    for (let i = 0; i < length; i++) {
      if (this.#ids[first + i] !== ids[i] || this.#weights[first + i] !== weights[i]) return false;
    }
    return true;
  }

  #append({ ids, weights, length }: Choice): void {
    const first = this.#ends[this.#ends.length - 1];
    const end = first + length;
    if (end > this.#ids.length) {
      const [moreIds, moreWeights] = [new Uint16Array(2 * end), new Uint32Array(2 * end)];
      moreIds.set(this.#ids);
      moreWeights.set(this.#weights);
      [this.#ids, this.#weights] = [moreIds, moreWeights];
    }
    this.#ids.set(ids.subarray(0, length), first);
    this.#weights.set(weights.subarray(0, length), first);
    this.#ends.push(end);
  }

  /** Notes where numbers of tables stand one after another: the kernel puts the tables there. */
  note(at: number, count: number): void {
    this.#noted.push(at, count);
  }

  /** Places the tables' heads and what was noted: where they are, and how many. */
  place(): { readonly at: number; readonly count: number; readonly noted: number; readonly notedCount: number } {
    const count = this.#ends.length - 1;
    const entries = this.#ends[count];
    const ids = this.#image.place(this.#ids.subarray(0, entries));
    const weights = this.#image.place(this.#weights.subarray(0, entries));
    const heads = Array.from({ length: count }, (_, i) => {
      const first = this.#ends[i];
      return [0, this.#ends[i + 1] - first, ids + 2 * first, weights + 4 * first];
    });
    return {
      ...{ at: this.#image.words(heads.flat()), count },
      ...{ noted: this.#image.words(this.#noted), notedCount: this.#noted.length / 2 },
    };
  }
}

/** Depths cut into bands at which nothing changes but at their starts: a start for each, and the band of each depth. */
export interface Bands {
  readonly starts: readonly number[];
  readonly bandOf: Uint8Array<ArrayBuffer>;
}

/** Cuts the depths 0 … 255 at these ones; what is beyond them is left out. */
export function bandsAt(cuts: Iterable<number>): Bands {
  const starts = [...new Set([0, ...cuts])].filter((cut) => cut <= MAX_DEPTH).sort((a, b) => a - b);
  const bandOf = new Uint8Array(MAX_DEPTH + 1);
  for (const [band, start] of starts.entries()) bandOf.fill(band, start);
  return { starts, bandOf };
}
