import type { PlanImage } from "../../kernel/index.js";
import { AliasRecord, DEPTHS, TableRun } from "../../kernel/layout.js";
import { canBeDrawn } from "../odds/kinds.js";
import type { KindSpec, ObjectFiles, Quality } from "../types.js";

/** Initial number of entries for which the arrays have room. */
const FIRST_ROOM = 4096;

/** A weighted choice under construction: ids below 2^16, each with a weight above 0. */
export class Choice {
  readonly ids: Uint16Array<ArrayBuffer>;
  readonly weights: Uint32Array<ArrayBuffer>;
  #length = 0;
  #hash = 0;

  /** @param most - Maximum number of entries. */
  constructor(most: number) {
    this.ids = new Uint16Array(most);
    this.weights = new Uint32Array(most);
  }

  /** The number of entries. */
  get length(): number {
    return this.#length;
  }

  /** A multiplicative hash of the ids and weights. */
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

/** The alias tables of a plan. Choices with the same ids and weights share a table. Tables are numbered from 1. */
export class AllocationTables {
  readonly #image: PlanImage;
  /** The entries of all tables. Table i has the entries `#ends[i − 1]` … `#ends[i]` − 1. */
  #ids = new Uint16Array(FIRST_ROOM);
  #weights = new Uint32Array(FIRST_ROOM);
  readonly #ends = [0];
  /** Tables with the same hash form a chain: the last table of each hash, and for each table the previous one, or 0. */
  readonly #lastOf = new Map<number, number>();
  readonly #before = [0];
  readonly #runs: TableRun[] = [];

  constructor(image: PlanImage) {
    this.#image = image;
  }

  /** Returns the number of the table of a choice, and adds the table if it is new; 0 for a choice without entries. */
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

  /**
   * Records that `count` table numbers begin at the offset `first`. The kernel replaces them by the tables that it
   * builds.
   */
  addRun(first: number, count: number): void {
    this.#runs.push({ first, count });
  }

  /** Places the tables and the runs. */
  place(): PlacedTables {
    const count = this.#ends.length - 1;
    const entries = this.#ends[count];
    const ids = this.#image.place(this.#ids.subarray(0, entries));
    const weights = this.#image.place(this.#weights.subarray(0, entries));
    const tables = Array.from({ length: count }, (_, i) => {
      const first = this.#ends[i];
      return {
        built: 0,
        length: this.#ends[i + 1] - first,
        ids: ids + first * Uint16Array.BYTES_PER_ELEMENT,
        weights: weights + first * Uint32Array.BYTES_PER_ELEMENT,
      };
    });
    return {
      tables: this.#image.putAll(AliasRecord, tables),
      tableCount: count,
      runs: this.#image.putAll(TableRun, this.#runs),
      runCount: this.#runs.length,
    };
  }
}

/** Offsets and counts of the alias tables, and of the runs of table numbers. */
export interface PlacedTables {
  readonly tables: number;
  readonly tableCount: number;
  readonly runs: number;
  readonly runCount: number;
}

/** The depths 0 … 255, divided into bands: the start of each band, and the band of each depth. */
export interface Bands {
  readonly starts: readonly number[];
  readonly bandOf: Uint8Array<ArrayBuffer>;
}

/** Divides the depths into bands that begin at 0 and at each cut. Skips cuts that are not depths. */
export function bandsAt(cuts: Iterable<number>): Bands {
  const starts = [...new Set([0, ...cuts])].filter((cut) => cut < DEPTHS).sort((a, b) => a - b);
  const bandOf = new Uint8Array(DEPTHS);
  for (const [band, start] of starts.entries()) bandOf.fill(band, start);
  return { starts, bandOf };
}

/** Offsets of the tables of kinds: the band of each depth, and the table of each band. */
export interface PlacedKindTables {
  readonly kindBands: number;
  readonly kindTables: number;
  readonly goodKindBands: number;
  readonly goodKindTables: number;
}

/** Places the tables of the kinds at each depth: for all kinds, and for the kinds that can be good. */
export function placeKindTables(image: PlanImage, tables: AllocationTables, files: ObjectFiles): PlacedKindTables {
  const all = placeTablesOf(image, tables, { kinds: files.kinds, quality: "normal" });
  const good = placeTablesOf(image, tables, { kinds: files.kinds, quality: "good" });
  return { kindBands: all.bands, kindTables: all.tables, goodKindBands: good.bands, goodKindTables: good.tables };
}

function placeTablesOf(
  image: PlanImage,
  tables: AllocationTables,
  { kinds, quality }: { readonly kinds: readonly KindSpec[]; readonly quality: Quality },
): { readonly bands: number; readonly tables: number } {
  const drawn = kinds.flatMap((kind, id) => {
    const { allocation } = kind;
    return allocation !== undefined && canBeDrawn(kind, { quality }) ? [{ id, ...allocation }] : [];
  });
  const { starts, bandOf } = bandsAt(drawn.flatMap(({ least, most }) => [least, most + 1]));
  // depths greater than that of the deepest kind use the table at that depth
  const deepest = Math.max(0, ...drawn.map(({ most }) => most));
  bandOf.fill(bandOf[deepest], deepest);
  const choice = new Choice(drawn.length);
  const numbers = starts.map((depth) => {
    choice.clear();
    for (const { id, least, most, commonness } of drawn) {
      if (least <= depth && depth <= most) choice.add(id, commonness);
    }
    return tables.number(choice);
  });
  const first = image.words(numbers);
  tables.addRun(first, numbers.length);
  return { bands: image.place(bandOf), tables: first };
}
