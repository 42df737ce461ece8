import { type LongCall, Watch } from "../../calls/index.js";
import { error, fail, readFields } from "../../errors/index.js";
import { readView } from "../../formats/maps/mapSource.js";
import type { IntegerColumn } from "../../formats/tables/columns.js";
import { sha256 } from "../../sha256.js";
import { arrayType, checkFlag, checkInteger, readOptions } from "../../spec/index.js";
import type { Coordinates } from "../coordinates.js";
import {
  type Bounds,
  CHUNK_CELLS,
  CHUNK_SIDE,
  cellIndex,
  checkCell,
  chunkIndex,
  type MapChunk,
  MapTotals,
  NEVER,
  placeKey,
  rowOrder,
  sortChunks,
} from "./chunk.js";

/** Maximum number of cells of a {@link LayerMap.window}. An array of this size takes 1 GiB. */
const MAX_WINDOW_CELLS = 2 ** 28;
const RECORD_BYTES = 12;
const RECORDS_PER_BATCH = 1 << 16;
/** The abort signal is checked after this many hashed records. */
const RECORDS_PER_LOOK = 1 << 13;
const LONG_CALL = ["signal", "onProgress"];

/** Totals of the walkers that made a map. */
export interface WalkerTotals {
  /** Number of walkers. */
  readonly walkers: number;
  /**
   * Sum of the steps of all these walkers; exact up to 2⁵³ − 1. Each walker also visits its start cell, so the map has
   * `steps` + `walkers` visits.
   */
  readonly steps: number;
  /** Number of walkers that ended early because of the layer's `until`. */
  readonly ended: number;
}

/** Options of a {@link LayerMap}. Progress counts the chunks. */
export interface LayerMapOptions extends LongCall {
  /** Totals of the walkers that made the map; undefined if they are not known. */
  readonly walkerTotals?: WalkerTotals | undefined;
  /** The coordinates of the cells. Default axial. */
  readonly coordinates?: Coordinates | undefined;
}

/**
 * A map as typed arrays. `postMessage` and `structuredClone` can copy this form. {@link LayerMap.toMessage} makes a
 * message, and {@link LayerMap.from} reads it. All arrays share one buffer, so the message can also be transferred.
 */
export interface LayerMapMessage {
  /** The place of each chunk: `chunkRow, chunkCol, chunkRow, chunkCol, …` */
  readonly places: Int32Array<ArrayBuffer>;
  /** The visits of each chunk's 4096 cells, chunk by chunk. */
  readonly visits: Uint32Array<ArrayBuffer>;
  /** The first visits of each chunk's 4096 cells, if the map has them. */
  readonly firstVisits?: Uint32Array<ArrayBuffer> | undefined;
  /** Totals of the walkers that made the map; undefined if they are not known. */
  readonly walkerTotals?: WalkerTotals | undefined;
  /** The coordinates of the cells; absent if they are axial. */
  readonly coordinates?: Coordinates | undefined;
}

/** Options of {@link LayerMap.columns} and {@link LayerMap.columnBatches}. */
export interface CellColumnOptions {
  /** The cells to list, as a rectangle with inclusive corners. Default: all visited cells. */
  readonly window?: Bounds | undefined;
  /** If true, adds the column `firstVisit`. Default false. */
  readonly firstVisits?: boolean | undefined;
}

/** Two values that describe the first visits of a map. */
export interface FirstVisitSummary {
  /** The latest first visit: the step at which the last cell was discovered. */
  readonly latest: number;
  /**
   * SHA-256 of the first visits: one record (row i32, column i32, step u32) for each visited cell. The numbers are
   * little-endian, and the records are sorted by row, then column.
   */
  readonly digest: string;
}

/**
 * The map of a layer. It has, for each cell, the number of visits by the layer's walkers. Stores the cells in chunks of
 * 64 × 64 cells. A map never changes.
 *
 * Memory: 16 KiB for each chunk, or 32 KiB with first visits. Cost: building a map, or listing its cells, takes O(cells
 * of the chunks). The digest hashes 12 bytes for each visited cell.
 */
export class LayerMap {
  /** Number of visited cells. */
  readonly cells: number;
  /** Sum of the visits of all cells; exact up to 2⁵³ − 1. */
  readonly visits: number;
  /** Number of visits of the most visited cell; 0 for an empty map. */
  readonly maxVisits: number;
  /** The smallest rectangle that contains all visited cells, corners inclusive; null for an empty map. */
  readonly bounds: Bounds | null;
  /** Whether the map also has the first visit of each cell. */
  readonly hasFirstVisits: boolean;
  /** Totals of the walkers that made the map; undefined if they are not known. */
  readonly walkerTotals: WalkerTotals | undefined;
  /** The coordinates of the cells, as in the walk's grid. */
  readonly coordinates: Coordinates;
  readonly #chunks: readonly MapChunk[];
  readonly #byPlace: ReadonlyMap<number, MapChunk>;
  #digest: string | undefined;

  /**
   * @param chunks - The chunks in any order, at most one for each place. The map drops chunks without visits.
   * @throws RollmillError `argument.range` for arrays that do not have 4096 cells, for two chunks at one place, or for
   * an invalid option; `walk.mismatch` if only some chunks have first visits; `argument.type`, `argument.option`,
   * `argument.callback`; the reason of an aborted signal.
   */
  constructor(chunks: Iterable<MapChunk>, options: LayerMapOptions = {}) {
    const read = readOptions("new LayerMap", options, [...LONG_CALL, "walkerTotals", "coordinates"]);
    const { walkerTotals, coordinates = "axial", ...call } = read;
    if (coordinates !== "axial" && coordinates !== "odd-r") {
      const expected = '"axial" or "odd-r"';
      fail(error("argument.range", { problem: 'invalid option "coordinates"', got: coordinates, expected }));
    }
    this.coordinates = coordinates;
    this.walkerTotals = walkerTotals === undefined ? undefined : readTotals(walkerTotals);
    const totals = new MapTotals();
    const before = new Watch("the map", 1, { signal: call.signal });
    const sorted = sortChunks(chunks, before);
    const watch = new Watch("the map", sorted.length, call);
    this.#chunks = sorted.filter((chunk, i) => {
      const isVisited = totals.add(chunk);
      watch.passed(i + 1);
      return isVisited;
    });
    this.#byPlace = new Map(this.#chunks.map((chunk) => [placeKey(chunk.chunkRow, chunk.chunkCol), chunk]));
    this.hasFirstVisits = allOrNone(this.#chunks.map((chunk) => chunk.firstVisit !== undefined));
    this.cells = totals.cells;
    this.visits = totals.visits;
    this.maxVisits = totals.maxVisits;
    this.bounds = totals.bounds;
  }

  /**
   * @internal Returns true for a map of this package. Returns false for a proxy of a map, or an object that inherits
   * from a map.
   */
  static isOne(value: unknown): value is LayerMap {
    return typeof value === "object" && value !== null && #chunks in value;
  }

  /**
   * Returns the map of a message, for example from another thread. The map uses the message's arrays, so do not write
   * to them.
   *
   * Cost: O(cells of the chunks).
   *
   * @throws RollmillError `argument.type` for a value that is not a message, `argument.range` for arrays whose lengths
   * do not agree or for two chunks at one place.
   */
  static from(message: LayerMapMessage): LayerMap {
    const { walkerTotals, coordinates } = readFields("the message", message, ["walkerTotals", "coordinates"]);
    return new LayerMap(chunksIn(message), { walkerTotals, coordinates });
  }

  /**
   * Returns the map as a message for another thread. `postMessage(message)` copies it, and
   * `postMessage(message, [message.visits.buffer])` transfers it. This map keeps its own arrays.
   *
   * Cost: copies 16 KiB for each chunk, or 32 KiB with first visits.
   */
  toMessage(): LayerMapMessage {
    const chunks = this.#chunks;
    const cells = chunks.length * CHUNK_CELLS;
    const buffer = new ArrayBuffer(4 * (2 * chunks.length + (this.hasFirstVisits ? 2 : 1) * cells));
    const places = new Int32Array(buffer, 0, 2 * chunks.length);
    const visits = new Uint32Array(buffer, places.byteLength, cells);
    const firstVisits = this.hasFirstVisits
      ? new Uint32Array(buffer, places.byteLength + visits.byteLength, cells)
      : undefined;
    for (const [i, chunk] of chunks.entries()) {
      places.set([chunk.chunkRow, chunk.chunkCol], 2 * i);
      visits.set(chunk.visits, i * CHUNK_CELLS);
      if (chunk.firstVisit !== undefined) firstVisits?.set(chunk.firstVisit, i * CHUNK_CELLS);
    }
    const { walkerTotals, coordinates } = this;
    return {
      places,
      visits,
      ...(firstVisits === undefined ? {} : { firstVisits }),
      ...(walkerTotals === undefined ? {} : { walkerTotals }),
      ...(coordinates === "axial" ? {} : { coordinates }),
    };
  }

  /** The chunks with at least one visit, by chunk row, then chunk column. */
  chunks(): IterableIterator<MapChunk> {
    return this.#chunks.values();
  }

  /**
   * Memory of the visits and the first visits, in bytes.
   *
   * @internal
   */
  get bytes(): number {
    return this.#chunks.length * CHUNK_CELLS * (this.hasFirstVisits ? 8 : 4);
  }

  /**
   * The chunk at a place. Undefined if there is no chunk with visits at this place.
   *
   * @internal
   */
  chunkAt(chunkRow: number, chunkCol: number): MapChunk | undefined {
    return this.#byPlace.get(placeKey(chunkRow, chunkCol));
  }

  /**
   * Number of visits of a cell; 0 for an unvisited cell.
   *
   * @throws RollmillError `argument.range` for coordinates outside −2^31 … 2^31 − 1.
   */
  visitsAt(row: number, col: number): number {
    checkCell(row, col);
    return this.#chunkOf(row, col)?.visits[cellIndex(row, col)] ?? 0;
  }

  /**
   * The smallest step at which a walker visited the cell. Undefined for an unvisited cell, or if the map has no first
   * visits.
   *
   * @throws The errors of {@link visitsAt}.
   */
  firstVisitAt(row: number, col: number): number | undefined {
    checkCell(row, col);
    const step = this.#chunkOf(row, col)?.firstVisit?.[cellIndex(row, col)];
    return step === NEVER ? undefined : step;
  }

  /**
   * Returns the visits of a rectangle of `rows` × `cols` cells, row by row. Its first cell is (row0, col0).
   *
   * @throws RollmillError `argument.range` for a number that is not an integer, a side below 1, a cell outside the
   * 32-bit coordinates, or more than 2²⁸ cells.
   */
  window(row0: number, col0: number, rows: number, cols: number): Uint32Array {
    checkCell(row0, col0);
    checkInteger("rows", rows, 1, 2 ** 31 - row0);
    checkInteger("cols", cols, 1, 2 ** 31 - col0);
    if (rows * cols > MAX_WINDOW_CELLS) {
      const remedy = "For more cells, use several windows";
      const expected = `at most ${MAX_WINDOW_CELLS} cells`;
      fail(error("argument.range", { problem: "the window is too large", got: rows * cols, expected, remedy }));
    }
    const out = new Uint32Array(rows * cols);
    const [lastRow, lastCol] = [chunkIndex(row0 + rows - 1), chunkIndex(col0 + cols - 1)];
    for (let chunkRow = chunkIndex(row0); chunkRow <= lastRow; chunkRow++) {
      for (let chunkCol = chunkIndex(col0); chunkCol <= lastCol; chunkCol++) {
        const chunk = this.#byPlace.get(placeKey(chunkRow, chunkCol));
        if (chunk !== undefined) copyInto(out, chunk, { row0, col0, rows, cols });
      }
    }
    return out;
  }

  /**
   * Lists the visited cells, sorted by row, then column. A record has 12 bytes, little-endian: row i32, column i32,
   * visits u32. Yields batches of at most 65,536 records, each in a new array.
   */
  records(): Generator<Uint8Array, void> {
    return this.#records(({ visits }) => visits);
  }

  *#records(numbersOf: (chunk: MapChunk) => Uint32Array): Generator<Uint8Array, void> {
    let batch = new DataView(new ArrayBuffer(RECORDS_PER_BATCH * RECORD_BYTES));
    let byteOffset = 0;
    for (const { chunk, r } of this.#rows()) {
      if (byteOffset + CHUNK_SIDE * RECORD_BYTES > batch.byteLength) {
        yield new Uint8Array(batch.buffer, 0, byteOffset);
        batch = new DataView(new ArrayBuffer(batch.byteLength));
        byteOffset = 0;
      }
      byteOffset = putRecords(batch, byteOffset, { chunk, r, numbers: numbersOf(chunk) });
    }
    if (byteOffset > 0) yield new Uint8Array(batch.buffer, 0, byteOffset);
  }

  /**
   * Lists the visited cells as columns: `row`, `col`, `visits` and, on request, `firstVisit`. The cells are sorted by
   * row, then column. Yields batches of at most 65,536 cells, for `parquetChunks` and `csvChunks`. If there is no cell
   * to list, yields one empty batch.
   *
   * @throws RollmillError `argument.range` for an invalid window, or if `firstVisits` is true but the map has no first
   * visits; `argument.option`.
   */
  columnBatches(options: CellColumnOptions = {}): Generator<readonly IntegerColumn[], void> {
    const { firstVisits = false, ...view } = readOptions("columnBatches", options, ["window", "firstVisits"]);
    checkFlag("firstVisits", firstVisits);
    const { window } = readView(view);
    if (firstVisits) this.#checkFirstVisits();
    return this.#batches(window ?? this.bounds, firstVisits);
  }

  /**
   * Lists the same cells as {@link columnBatches}, in one batch.
   *
   * Memory: 12 bytes for each listed cell, or 16 with first visits. While the columns are built, the call needs twice
   * this memory.
   *
   * @throws The errors of {@link columnBatches}.
   */
  columns(options: CellColumnOptions = {}): readonly IntegerColumn[] {
    const batches = [...this.columnBatches(options)];
    return batches[0].map(({ name }, c) =>
      joined(
        name,
        batches.map((batch) => batch[c]),
      ),
    );
  }

  *#batches(window: Bounds | null, firstVisits: boolean): Generator<readonly IntegerColumn[], void> {
    const [row0, col0, row1, col1] = window ?? [0, 0, -1, -1];
    let batch = new CellBatch(firstVisits);
    let isFirst = true;
    for (const { chunk, r } of this.#rows()) {
      const row = chunk.chunkRow * CHUNK_SIDE + r;
      if (row < row0 || row > row1) continue;
      const left = chunk.chunkCol * CHUNK_SIDE;
      const end = Math.min(CHUNK_SIDE, col1 + 1 - left);
      for (let c = Math.max(0, col0 - left); c < end; c++) {
        batch.add(chunk, r * CHUNK_SIDE + c, [row, left + c]);
        if (!batch.isFull) continue;
        yield batch.columns();
        batch = new CellBatch(firstVisits);
        isFirst = false;
      }
    }
    if (isFirst || batch.length > 0) yield batch.columns();
  }

  /** Yields the rows of all chunks, in an order in which the cells are sorted by row, then by column. */
  *#rows(): Generator<{ readonly chunk: MapChunk; readonly r: number }, void> {
    for (const entry of rowOrder(this.#chunks)) {
      yield { chunk: this.#chunks[Math.floor(entry / CHUNK_SIDE)], r: entry % CHUNK_SIDE };
    }
  }

  #checkFirstVisits(): void {
    if (this.hasFirstVisits || this.cells === 0) return;
    const remedy = 'Run the layer with "firstVisit": true';
    fail(error("argument.range", { problem: "the map keeps no first visits", remedy }));
  }

  /**
   * Returns the step of the latest first visit, and a digest of all first visits. Returns undefined if the map has no
   * first visits.
   *
   * Cost: hashes 12 bytes for each visited cell. Progress counts visited cells.
   *
   * @throws RollmillError `argument.option`, `argument.type`, `argument.callback`; the reason of an aborted signal.
   */
  firstVisitSummary(options: LongCall = {}): FirstVisitSummary | undefined {
    const call = readOptions("firstVisitSummary", options, LONG_CALL);
    if (!this.hasFirstVisits) return undefined;
    const hash = new RecordHash(this.cells, call);
    let latest = 0;
    for (const batch of this.#records(({ firstVisit = NO_STEPS }) => firstVisit)) {
      hash.add(batch);
      const view = new DataView(batch.buffer, batch.byteOffset, batch.byteLength);
      for (let at = 8; at < batch.byteLength; at += RECORD_BYTES) latest = Math.max(latest, view.getUint32(at, true));
    }
    return { latest, digest: hash.hex() };
  }

  /**
   * Returns the SHA-256 of all {@link records} as 64 hex digits. Maps with the same visits have the same digest. The
   * first call computes the digest, and later calls return it at once. Progress counts visited cells.
   *
   * @throws RollmillError `argument.option`, `argument.type`, `argument.callback`; the reason of an aborted signal.
   */
  digest(options: LongCall = {}): string {
    const call = readOptions("digest", options, LONG_CALL);
    if (this.#digest === undefined) {
      const hash = new RecordHash(this.cells, call);
      for (const batch of this.records()) hash.add(batch);
      this.#digest = hash.hex();
    }
    return this.#digest;
  }

  #chunkOf(row: number, col: number): MapChunk | undefined {
    return this.#byPlace.get(placeKey(chunkIndex(row), chunkIndex(col)));
  }
}

function readTotals(given: WalkerTotals): WalkerTotals {
  const { walkers, steps, ended } = readFields("walkerTotals", given, ["walkers", "steps", "ended"]);
  checkInteger("walkerTotals.walkers", walkers, 0, Number.MAX_SAFE_INTEGER);
  checkInteger("walkerTotals.steps", steps, 0, Number.MAX_SAFE_INTEGER);
  checkInteger("walkerTotals.ended", ended, 0, walkers);
  return { walkers, steps, ended };
}

const NO_STEPS = new Uint32Array(0);

/** Writes a record for each visited cell in row r of a chunk. Returns the offset after the last record. */
function putRecords(
  batch: DataView,
  byteOffset: number,
  { chunk, r, numbers }: { readonly chunk: MapChunk; readonly r: number; readonly numbers: Uint32Array },
): number {
  const { visits } = chunk;
  const [row, left] = [chunk.chunkRow * CHUNK_SIDE + r, chunk.chunkCol * CHUNK_SIDE - r * CHUNK_SIDE];
  let end = byteOffset;
  for (let cell = r * CHUNK_SIDE; cell < (r + 1) * CHUNK_SIDE; cell++) {
    if (visits[cell] === 0) continue;
    batch.setInt32(end, row, true);
    batch.setInt32(end + 4, left + cell, true);
    batch.setUint32(end + 8, numbers[cell], true);
    end += RECORD_BYTES;
  }
  return end;
}

/** Hashes records in parts. Checks the abort signal between the parts. */
class RecordHash {
  readonly #hash = sha256();
  readonly #watch: Watch;
  #done = 0;

  /** @param cells - Number of records that will be hashed. */
  constructor(cells: number, call: LongCall) {
    this.#watch = new Watch("the map", cells, call);
  }

  add(batch: Uint8Array): void {
    for (let from = 0; from < batch.length; from += RECORDS_PER_LOOK * RECORD_BYTES) {
      const part = batch.subarray(from, from + RECORDS_PER_LOOK * RECORD_BYTES);
      this.#hash.update(part);
      this.#done += part.length / RECORD_BYTES;
      this.#watch.passed(this.#done);
    }
  }

  hex(): string {
    return this.#hash.hex();
  }
}

class CellBatch {
  length = 0;
  readonly #rows = new Int32Array(RECORDS_PER_BATCH);
  readonly #cols = new Int32Array(RECORDS_PER_BATCH);
  readonly #visits = new Uint32Array(RECORDS_PER_BATCH);
  readonly #firstVisits: Uint32Array | undefined;

  constructor(firstVisits: boolean) {
    this.#firstVisits = firstVisits ? new Uint32Array(RECORDS_PER_BATCH) : undefined;
  }

  get isFull(): boolean {
    return this.length === RECORDS_PER_BATCH;
  }

  /** Adds the record of cell `index` of a chunk, if the cell has visits. */
  add(
    { visits, firstVisit = NO_STEPS }: MapChunk,
    index: number,
    [row, col]: readonly [row: number, col: number],
  ): void {
    if (visits[index] === 0) return;
    this.#rows[this.length] = row;
    this.#cols[this.length] = col;
    this.#visits[this.length] = visits[index];
    if (this.#firstVisits !== undefined) this.#firstVisits[this.length] = firstVisit[index];
    this.length++;
  }

  columns(): IntegerColumn[] {
    const column = (name: string, values: Int32Array | Uint32Array): IntegerColumn => ({
      kind: "integer",
      name,
      values: values.subarray(0, this.length),
    });
    const cells = [column("row", this.#rows), column("col", this.#cols), column("visits", this.#visits)];
    return this.#firstVisits === undefined ? cells : [...cells, column("firstVisit", this.#firstVisits)];
  }
}

/** Joins the values of one column from all batches. */
function joined(name: string, batches: readonly IntegerColumn[]): IntegerColumn {
  const length = batches.reduce((sum, { values }) => sum + values.length, 0);
  const values = batches[0].values instanceof Int32Array ? new Int32Array(length) : new Uint32Array(length);
  let end = 0;
  for (const batch of batches) {
    values.set(batch.values, end);
    end += batch.values.length;
  }
  return { kind: "integer", name, values };
}

/**
 * Returns true if all parts of a map have first visits, and false if no part has them.
 *
 * @throws RollmillError `walk.mismatch` if only some parts have them.
 */
export function allOrNone(firstVisits: readonly boolean[]): boolean {
  if (new Set(firstVisits).size > 1) {
    const problem = "some parts of a map keep first visits and some do not";
    const remedy = "Run every part with the same value of firstVisit";
    fail(error("walk.mismatch", { problem, expected: "first visits in all parts or in none", remedy }));
  }
  return firstVisits[0] ?? false;
}

/**
 * Returns the chunks of a message. Each chunk's arrays are views of the message's arrays.
 *
 * @throws RollmillError `argument.type`, `argument.range`.
 */
function chunksIn(message: LayerMapMessage): MapChunk[] {
  // the message came from another thread, so its type is unknown
  const { places, visits, firstVisits } = readFields("the message", message as Partial<LayerMapMessage>, [
    "places",
    "visits",
    "firstVisits",
  ]);
  const isTyped = firstVisits === undefined || arrayType(firstVisits) === "Uint32Array";
  if (
    places === undefined ||
    visits === undefined ||
    !isTyped ||
    arrayType(places) !== "Int32Array" ||
    arrayType(visits) !== "Uint32Array"
  ) {
    const expected = "the message that toMessage returned";
    return fail(error("argument.type", { problem: "invalid message of a map", got: message, expected }));
  }
  const count = places.length / 2;
  const cells = count * CHUNK_CELLS;
  if (!Number.isInteger(count) || visits.length !== cells || (firstVisits?.length ?? cells) !== cells) {
    const got = `${places.length} coordinates, ${visits.length} visits`;
    const expected = `2 coordinates and ${CHUNK_CELLS} visits for each chunk`;
    return fail(error("argument.range", { problem: "the arrays of a map's message do not agree", got, expected }));
  }
  return Array.from({ length: count }, (_, i) => {
    const part = (cellsOf: Uint32Array) => cellsOf.subarray(i * CHUNK_CELLS, (i + 1) * CHUNK_CELLS);
    const chunk = { chunkRow: places[2 * i], chunkCol: places[2 * i + 1], visits: part(visits) };
    return firstVisits === undefined ? chunk : { ...chunk, firstVisit: part(firstVisits) };
  });
}

interface Window {
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
}

/** Copies the visits of a chunk's cells that lie in the window. */
function copyInto(out: Uint32Array, chunk: MapChunk, { row0, col0, rows, cols }: Window): void {
  const top = chunk.chunkRow * CHUNK_SIDE;
  const left = chunk.chunkCol * CHUNK_SIDE;
  const firstCol = Math.max(col0, left);
  const endCol = Math.min(col0 + cols, left + CHUNK_SIDE);
  const endRow = Math.min(row0 + rows, top + CHUNK_SIDE);
  for (let row = Math.max(row0, top); row < endRow; row++) {
    const start = (row - top) * CHUNK_SIDE - left;
    out.set(chunk.visits.subarray(start + firstCol, start + endCol), (row - row0) * cols + firstCol - col0);
  }
}
