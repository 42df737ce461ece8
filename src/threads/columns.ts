import { allocateResults, type Columns, type Counts, IndexCounts } from "../calls/index.js";
import type { RecipePlan } from "../recipes/compile.js";
import { Items } from "../recipes/index.js";
import { Samples } from "../samples/index.js";
import { DropRolls, TableRolls } from "../tables/index.js";

/** What a bulk call returns: an array, or columns. */
export type Results = NumberArray | Columns<unknown>;

export type NumberArray =
  | Uint16Array<ArrayBuffer>
  | Int16Array<ArrayBuffer>
  | Uint32Array<ArrayBuffer>
  | Int32Array<ArrayBuffer>;

/** A part of the results as a message. */
export interface PackedResults {
  readonly columns: readonly NumberArray[];
  /** The number of rolls without a result. Only rolls of a table have it. */
  readonly none: number;
}

export function packResults(made: Results): PackedResults {
  return { columns: columnsOf(made), none: made instanceof TableRolls ? made.none : 0 };
}

/** The arrays of the results, in an order that depends only on the noun. */
function columnsOf(made: Results): readonly NumberArray[] {
  if (isArray(made)) return [made];
  if (made instanceof Items) return [...made.indices.values(), ...Object.values<NumberArray>(made.stats)];
  return Object.values(made).filter(isArray);
}

function isArray(value: unknown): value is NumberArray {
  return ArrayBuffer.isView(value);
}

/** Number of entries of a column that a result has. */
function widthOf(made: Results): number {
  return made instanceof Samples ? made.size : 1;
}

/** Number of bytes of a result. */
export function bytesPerResult(made: Results): number {
  return columnsOf(made).reduce((sum, column) => sum + widthOf(made) * column.BYTES_PER_ELEMENT, 0);
}

/** Returns room for results like those of `empty`, which has none. Throws RollmillError `kernel.memory`. */
export function roomFor(
  empty: Results,
  { from, total, plan }: { from: number; total: number; plan: unknown },
): Results {
  const width = widthOf(empty);
  const grown = (column: NumberArray) => new (column.constructor as Uint32ArrayConstructor)(total * width);
  return allocateResults(total, bytesPerResult(empty), () => {
    if (isArray(empty)) return grown(empty);
    if (empty instanceof Items) {
      const items = new Items(plan as RecipePlan, { length: total, from, seed: empty.seed });
      items.requests = empty.requests;
      return items;
    }
    const columns = Object.entries(empty).map(([key, value]) => [key, isArray(value) ? grown(value) : value]);
    // columns are made of an object with their fields
    return new (empty.constructor as new (fields: object) => Columns<unknown>)({
      ...Object.fromEntries(columns),
      from,
    });
  });
}

/** Writes a part of the results, of which the first has the index `done` in `room`. */
export function putResults(room: Results, { columns, none }: PackedResults, done: number): void {
  const width = widthOf(room);
  for (const [c, column] of columnsOf(room).entries()) column.set(columns[c], done * width);
  if (room instanceof TableRolls) room.none += none;
}

/** Copies all results into `out`, as a call of its noun does, and returns it. */
export function copyResults(out: Results, made: Results): Results {
  if (out instanceof DropRolls) return out.take(made as DropRolls<unknown>);
  const columns = columnsOf(made);
  for (const [c, column] of columnsOf(out).entries()) column.set(columns[c]);
  if (isArray(out) || isArray(made)) return out;
  if (out instanceof TableRolls && made instanceof TableRolls) out.none = made.none;
  if (out instanceof Items && made instanceof Items) out.requests = made.requests;
  out.from = made.from;
  return out;
}

/** Joins the drops of consecutive parts. */
export function joinDrops(
  empty: DropRolls<unknown>,
  parts: readonly PackedResults[],
  from: number,
): DropRolls<unknown> {
  const [starts, entries, quantities] = [...columnsOf(empty).keys()].map((c) => parts.map(({ columns }) => columns[c]));
  let end = 0;
  const shifted = starts.map((own) => {
    const part = own.slice(0, -1).map((start) => start + end);
    end += own[own.length - 1];
    return part;
  });
  return new DropRolls({
    from,
    starts: joined(Uint32Array, [...shifted, Uint32Array.of(end)]),
    entries: joined(Uint32Array, entries),
    quantities: quantities && joined(Int32Array, quantities),
    results: empty.results,
  });
}

function joined<A extends NumberArray>(type: new (length: number) => A, parts: readonly NumberArray[]): A {
  const all = new type(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** The counts of a part as a message. The numbers of results that all counts list; otherwise results and numbers. */
export interface PackedCounts {
  readonly none: number;
  readonly maps: readonly (Float64Array<ArrayBuffer> | ReadonlyMap<number, number>)[];
}

/** With `areListed`, the counts list every possible result, in an order that depends only on the noun. */
export function packCounts(counts: Counts<unknown>, areListed: boolean): PackedCounts {
  const maps = mapsOf(counts).map(([, map]) => {
    // without a list, the results are numbers
    return areListed ? Float64Array.from(map.values()) : new Map(map as ReadonlyMap<number, number>);
  });
  return { none: counts.none, maps };
}

function mapsOf(counts: Counts<unknown>): [string, ReadonlyMap<unknown, number>][] {
  return Object.entries(counts).filter(([, value]) => typeof value === "object");
}

/** Adds up the counts of parts. */
export class CountSums {
  readonly #empty: Counts<unknown>;
  readonly #sums: (Float64Array<ArrayBuffer> | Map<number, number>)[];
  #none = 0;

  /** `empty` are the counts of no results. */
  constructor(empty: Counts<unknown>) {
    this.#empty = empty;
    this.#sums = mapsOf(empty).map(([, map]) => (this.areListed ? new Float64Array(map.size) : new Map()));
  }

  /** Whether the counts list every possible result, not only those that occurred. */
  get areListed(): boolean {
    return this.size > 0;
  }

  /** Number of listed results. */
  get size(): number {
    return this.#empty.counts.size;
  }

  add({ none, maps }: PackedCounts): void {
    this.#none += none;
    for (const [m, sums] of this.#sums.entries()) addTo(sums, maps[m]);
  }

  counts(total: number): Counts<unknown> {
    const maps = mapsOf(this.#empty).map(([key, map], m) => [key, countsOf(map, this.#sums[m])]);
    return { ...this.#empty, total, none: this.#none, ...Object.fromEntries(maps) };
  }
}

function addTo(sums: Float64Array | Map<number, number>, part: PackedCounts["maps"][number]): void {
  if (sums instanceof Map) {
    for (const [result, count] of part as Map<number, number>) sums.set(result, (sums.get(result) ?? 0) + count);
    return;
  }
  const counts = part as Float64Array;
  for (let i = 0; i < sums.length; i++) sums[i] += counts[i];
}

function countsOf(listed: ReadonlyMap<unknown, number>, sums: Float64Array<ArrayBuffer> | Map<number, number>) {
  if (sums instanceof Map) return new Map([...sums].sort(([a], [b]) => a - b));
  if (listed instanceof IndexCounts) return new IndexCounts(sums);
  return new Map(Array.from(listed.keys(), (result, i) => [result, sums[i]]));
}
