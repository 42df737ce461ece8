import { type LongCall, Watch } from "../../calls/index.js";
import { error, fail, readFields } from "../../errors/index.js";
import { cornersOf, readView } from "../../formats/maps/mapSource.js";
import type { IntegerColumn } from "../../formats/tables/columns.js";
import { sha256 } from "../../sha256.js";
import { arrayType, checkFlag, checkInteger, readOptions } from "../../spec/index.js";
import { type CellRectangle, type Coordinates, overlap, readRectangle } from "../rectangles.js";
import {
  type Bounds,
  CHUNK_CELLS,
  CHUNK_SIDE,
  cellIndex,
  checkCell,
  chunkIndex,
  type MapChunk,
  NEVER,
  placeKey,
  rowOrder,
  sortChunks,
} from "./chunk.js";

/** Maximum number of cells in a window. Its array then takes 1 GiB. */
const MAX_WINDOW_CELLS = 2 ** 28;
const RECORD_BYTES = 12;
const RECORDS_PER_BATCH = 2 ** 16;
const LONG_CALL = ["signal", "onProgress"];
const NO_STEPS = new Uint32Array(0);

/** Totals of the walkers that made a map. */
export interface WalkerTotals {
  /** Number of walkers. */
  readonly walkers: number;
  /** Sum of the walkers' steps; exact up to 2⁵³ − 1. The map has `steps` + `walkers` visits: start cells count too. */
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

/** A map as typed arrays, for `postMessage` and `structuredClone`. All arrays share one buffer, for a transfer. */
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
  /** The cells to list. Default: all visited cells. */
  readonly window?: CellRectangle | undefined;
  /** If true, adds the column `firstVisit`. Default false. */
  readonly firstVisits?: boolean | undefined;
}

/** Two values that describe the first visits of a map. */
export interface FirstVisitSummary {
  /** The latest first visit: the step at which the last cell was discovered. */
  readonly latest: number;
  /**
   * SHA-256 of the first visits: one record (row i32, column i32, step u32, little-endian) for each visited cell,
   * sorted by row, then column.
   */
  readonly digest: string;
}

/**
 * The map of a layer: for each cell, the number of visits, in chunks of 64 × 64 cells. A map never changes.
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
    call.signal?.throwIfAborted();
    const sorted = sortChunks(chunks);
    const watch = new Watch("the map", sorted.length, call);
    let [cells, visits, maxVisits] = [0, 0, 0];
    let bounds: Bounds | null = null;
    this.#chunks = sorted.filter((chunk, i) => {
      const found = totalsOf(chunk);
      watch.passed(i + 1);
      if (found === undefined) return false;
      cells += found.cells;
      visits += found.visits;
      maxVisits = Math.max(maxVisits, found.maxVisits);
      bounds = bounds === null ? found.bounds : unionOf(bounds, found.bounds);
      return true;
    });
    this.#byPlace = new Map(this.#chunks.map((chunk) => [placeKey(chunk.chunkRow, chunk.chunkCol), chunk]));
    this.hasFirstVisits = allOrNone(this.#chunks.map((chunk) => chunk.firstVisit !== undefined));
    this.cells = cells;
    this.visits = visits;
    this.maxVisits = maxVisits;
    this.bounds = bounds;
  }

  /**
   * Returns the map of a message. It uses the message's arrays, so do not write to them.
   *
   * @throws RollmillError `argument.type` for a value that is not a message, `argument.range` for arrays whose lengths
   * do not agree or for two chunks at one place.
   */
  static from(message: LayerMapMessage): LayerMap {
    const { walkerTotals, coordinates } = readFields("the message", message, ["walkerTotals", "coordinates"]);
    return new LayerMap(chunksIn(message), { walkerTotals, coordinates });
  }

  /**
   * Returns the map as a message for another thread. `postMessage(message)` copies it, and `postMessage(message,
   * [message.visits.buffer])` transfers it. This map keeps its own arrays. Cost: copies 16 KiB for each chunk, or
   * 32 KiB with first visits.
   */
  toMessage(): LayerMapMessage {
    const chunks = this.#chunks;
    const cells = chunks.length * CHUNK_CELLS;
    const buffer = new ArrayBuffer(8 * chunks.length + (this.hasFirstVisits ? 8 : 4) * cells);
    const places = new Int32Array(buffer, 0, 2 * chunks.length);
    const visits = new Uint32Array(buffer, places.byteLength, cells);
    const firstVisits = new Uint32Array(buffer, places.byteLength + visits.byteLength, this.hasFirstVisits ? cells : 0);
    for (const [i, chunk] of chunks.entries()) {
      places.set([chunk.chunkRow, chunk.chunkCol], 2 * i);
      visits.set(chunk.visits, i * CHUNK_CELLS);
      if (chunk.firstVisit !== undefined) firstVisits.set(chunk.firstVisit, i * CHUNK_CELLS);
    }
    const { walkerTotals, coordinates } = this;
    return {
      places,
      visits,
      ...(this.hasFirstVisits && { firstVisits }),
      ...(walkerTotals && { walkerTotals }),
      ...(coordinates !== "axial" && { coordinates }),
    };
  }

  /** Returns the chunks with at least one visit, by chunk row, then chunk column. */
  chunks(): IterableIterator<MapChunk> {
    return this.#chunks.values();
  }

  /** @internal Memory of the visits and the first visits, in bytes. */
  get bytes(): number {
    return this.#chunks.length * CHUNK_CELLS * (this.hasFirstVisits ? 8 : 4);
  }

  /** @internal Returns the chunk at a place; undefined if the chunk has no visits. */
  chunkAt(chunkRow: number, chunkCol: number): MapChunk | undefined {
    return this.#byPlace.get(placeKey(chunkRow, chunkCol));
  }

  /**
   * Returns the number of visits of a cell; 0 for an unvisited cell.
   *
   * @throws RollmillError `argument.range` for coordinates outside −2^31 … 2^31 − 1.
   */
  visitsAt(row: number, col: number): number {
    return this.#chunkOf(row, col)?.visits[cellIndex(row, col)] ?? 0;
  }

  /**
   * Returns the smallest step at which a walker visited the cell; undefined if unvisited, or without first visits.
   *
   * @throws The errors of {@link visitsAt}.
   */
  firstVisitAt(row: number, col: number): number | undefined {
    const step = this.#chunkOf(row, col)?.firstVisit?.[cellIndex(row, col)];
    return step === NEVER ? undefined : step;
  }

  /**
   * Returns the visits of a window of `rows` × `cols` cells, row by row. Its first cell is (row0, col0).
   *
   * @throws RollmillError `argument.type`; `argument.range` for a number that is not an integer, a side below 1, a cell
   * outside the 32-bit coordinates, or more than 2²⁸ cells.
   */
  window(cells: CellRectangle): Uint32Array {
    const window = readRectangle(cells, MAX_WINDOW_CELLS);
    const { row0, col0, rows, cols } = window;
    const out = new Uint32Array(rows * cols);
    const [lastRow, lastCol] = [chunkIndex(row0 + rows - 1), chunkIndex(col0 + cols - 1)];
    for (let chunkRow = chunkIndex(row0); chunkRow <= lastRow; chunkRow++) {
      for (let chunkCol = chunkIndex(col0); chunkCol <= lastCol; chunkCol++) {
        const chunk = this.chunkAt(chunkRow, chunkCol);
        if (chunk !== undefined) copyInto(out, chunk, window);
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
      byteOffset = putRecords(batch, byteOffset, chunk, r, numbersOf(chunk));
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
    if (firstVisits && !this.hasFirstVisits && this.cells > 0) {
      const remedy = 'Run the layer with "firstVisit": true';
      fail(error("argument.range", { problem: "the map keeps no first visits", remedy }));
    }
    return this.#batches(window === undefined ? this.bounds : cornersOf(window), firstVisits);
  }

  /**
   * Lists the same cells as {@link columnBatches}, in one batch. Memory: 12 bytes for each listed cell, or 16 with
   * first visits; twice this while the columns are built.
   *
   * @throws The errors of {@link columnBatches}.
   */
  columns(options: CellColumnOptions = {}): readonly IntegerColumn[] {
    const batches = [...this.columnBatches(options)];
    return batches[0].map((column, c) => {
      const parts = batches.map((batch) => batch[c].values);
      const length = parts.reduce((sum, part) => sum + part.length, 0);
      const values = column.values instanceof Int32Array ? new Int32Array(length) : new Uint32Array(length);
      // every batch except the last is full
      for (const [b, part] of parts.entries()) values.set(part, b * RECORDS_PER_BATCH);
      return { ...column, values };
    });
  }

  *#batches(window: Bounds | null, firstVisits: boolean): Generator<readonly IntegerColumn[], void> {
    const [row0, col0, row1, col1] = window ?? [0, 0, -1, -1];
    let batch = new CellBatch();
    let isFirst = true;
    for (const { chunk, r } of this.#rows()) {
      const row = chunk.chunkRow * CHUNK_SIDE + r;
      if (row < row0 || row > row1) continue;
      const left = chunk.chunkCol * CHUNK_SIDE;
      const end = Math.min(CHUNK_SIDE, col1 + 1 - left);
      for (let c = Math.max(0, col0 - left); c < end; c++) {
        const cell = r * CHUNK_SIDE + c;
        if (chunk.visits[cell] === 0) continue;
        batch.add(chunk, cell, row, left + c);
        if (batch.length < RECORDS_PER_BATCH) continue;
        yield batch.columns(firstVisits);
        batch = new CellBatch();
        isFirst = false;
      }
    }
    if (isFirst || batch.length > 0) yield batch.columns(firstVisits);
  }

  /** Yields the rows of the chunks, by row of the grid, then column. */
  *#rows(): Generator<{ readonly chunk: MapChunk; readonly r: number }, void> {
    for (const entry of rowOrder(this.#chunks)) {
      yield { chunk: this.#chunks[Math.floor(entry / CHUNK_SIDE)], r: entry % CHUNK_SIDE };
    }
  }

  /**
   * Returns the step of the latest first visit, and a digest of all first visits; undefined without first visits.
   * Progress counts visited cells.
   *
   * @throws RollmillError `argument.option`, `argument.type`, `argument.callback`; the reason of an aborted signal.
   */
  firstVisitSummary(options: LongCall = {}): FirstVisitSummary | undefined {
    const call = readOptions("firstVisitSummary", options, LONG_CALL);
    if (!this.hasFirstVisits) return undefined;
    const digest = this.#hash(({ firstVisit = NO_STEPS }) => firstVisit, call);
    let latest = 0;
    for (const { firstVisit = NO_STEPS } of this.#chunks) {
      for (const step of firstVisit) if (step !== NEVER && step > latest) latest = step;
    }
    return { latest, digest };
  }

  /**
   * Returns the SHA-256 of all {@link records} as 64 hex digits, computed once. Progress counts visited cells.
   *
   * @throws RollmillError `argument.option`, `argument.type`, `argument.callback`; the reason of an aborted signal.
   */
  digest(options: LongCall = {}): string {
    const call = readOptions("digest", options, LONG_CALL);
    this.#digest ??= this.#hash(({ visits }) => visits, call);
    return this.#digest;
  }

  #hash(numbersOf: (chunk: MapChunk) => Uint32Array, call: LongCall): string {
    const watch = new Watch("the map", this.cells, call);
    const hash = sha256();
    let done = 0;
    for (const batch of this.#records(numbersOf)) {
      hash.update(batch);
      done += batch.length / RECORD_BYTES;
      watch.passed(done);
    }
    return hash.hex();
  }

  #chunkOf(row: number, col: number): MapChunk | undefined {
    checkCell(row, col);
    return this.chunkAt(chunkIndex(row), chunkIndex(col));
  }
}

function readTotals(given: WalkerTotals): WalkerTotals {
  const totals = readFields("walkerTotals", given, ["walkers", "steps", "ended"]);
  checkInteger("walkerTotals.walkers", totals.walkers, 0, Number.MAX_SAFE_INTEGER);
  checkInteger("walkerTotals.steps", totals.steps, 0, Number.MAX_SAFE_INTEGER);
  checkInteger("walkerTotals.ended", totals.ended, 0, totals.walkers);
  return totals;
}

function totalsOf({ chunkRow, chunkCol, visits }: MapChunk) {
  let [cells, sum, most] = [0, 0, 0];
  let [row0, row1, col0, col1] = [CHUNK_SIDE, -1, CHUNK_SIDE, -1];
  for (let i = 0; i < CHUNK_CELLS; i++) {
    const count = visits[i];
    if (count === 0) continue;
    cells++;
    sum += count;
    if (count > most) most = count;
    const col = i & (CHUNK_SIDE - 1);
    if (col < col0) col0 = col;
    if (col > col1) col1 = col;
    row1 = (i / CHUNK_SIDE) | 0;
    if (row0 > row1) row0 = row1;
  }
  if (cells === 0) return undefined;
  const [top, left] = [chunkRow * CHUNK_SIDE, chunkCol * CHUNK_SIDE];
  const bounds: Bounds = [top + row0, left + col0, top + row1, left + col1];
  return { cells, visits: sum, maxVisits: most, bounds };
}

function unionOf(a: Bounds, b: Bounds): Bounds {
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

/** Writes the visited cells of row `r`. Returns the byte offset after the last record. */
function putRecords(batch: DataView, byteOffset: number, chunk: MapChunk, r: number, numbers: Uint32Array): number {
  const { chunkRow, chunkCol, visits } = chunk;
  const [row, left] = [chunkRow * CHUNK_SIDE + r, (chunkCol - r) * CHUNK_SIDE];
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

class CellBatch {
  length = 0;
  readonly #rows = new Int32Array(RECORDS_PER_BATCH);
  readonly #cols = new Int32Array(RECORDS_PER_BATCH);
  readonly #visits = new Uint32Array(RECORDS_PER_BATCH);
  readonly #firstVisits = new Uint32Array(RECORDS_PER_BATCH);

  add({ visits, firstVisit = visits }: MapChunk, cell: number, row: number, col: number): void {
    const at = this.length++;
    this.#rows[at] = row;
    this.#cols[at] = col;
    this.#visits[at] = visits[cell];
    this.#firstVisits[at] = firstVisit[cell];
  }

  columns(firstVisits: boolean): IntegerColumn[] {
    const arrays = { row: this.#rows, col: this.#cols, visits: this.#visits };
    return Object.entries(firstVisits ? { ...arrays, firstVisit: this.#firstVisits } : arrays).map(([name, values]) => {
      return { kind: "integer", name, values: values.subarray(0, this.length) };
    });
  }
}

/** @throws RollmillError `walk.mismatch` if only some parts have first visits. */
export function allOrNone(firstVisits: readonly boolean[]): boolean {
  if (new Set(firstVisits).size > 1) {
    const problem = "some parts of a map keep first visits and some do not";
    const remedy = 'Run every part with the same value of "firstVisit"';
    fail(error("walk.mismatch", { problem, expected: "first visits in all parts or in none", remedy }));
  }
  return firstVisits[0] ?? false;
}

/**
 * Returns the chunks of a message. Their arrays are views of the message's arrays. Throws the errors of
 * {@link LayerMap.from}.
 */
export function chunksIn(message: LayerMapMessage): MapChunk[] {
  const { places, visits, firstVisits } = message;
  const counts = firstVisits === undefined ? [visits] : [visits, firstVisits];
  if (arrayType(places) !== "Int32Array" || counts.some((each) => arrayType(each) !== "Uint32Array")) {
    const expected = "the message that toMessage returned";
    return fail(error("argument.type", { problem: "invalid message of a map", got: message, expected }));
  }
  const count = places.length / 2;
  const cells = count * CHUNK_CELLS;
  if (!Number.isInteger(count) || visits.length !== cells || (firstVisits?.length ?? cells) !== cells) {
    const got = `${places.length} coordinates, ${visits.length} visits`;
    const expected = `2 coordinates and ${CHUNK_CELLS} visits for each chunk`;
    return fail(error("argument.range", { problem: "a map's message has arrays of wrong lengths", got, expected }));
  }
  return Array.from({ length: count }, (_, i) => {
    const part = (numbers: Uint32Array) => numbers.subarray(i * CHUNK_CELLS, (i + 1) * CHUNK_CELLS);
    const chunk = { chunkRow: places[2 * i], chunkCol: places[2 * i + 1], visits: part(visits) };
    return firstVisits === undefined ? chunk : { ...chunk, firstVisit: part(firstVisits) };
  });
}

function copyInto(out: Uint32Array, { chunkRow, chunkCol, visits }: MapChunk, window: CellRectangle): void {
  const chunk = { row0: chunkRow * CHUNK_SIDE, col0: chunkCol * CHUNK_SIDE, rows: CHUNK_SIDE, cols: CHUNK_SIDE };
  const { row0, col0, rows, cols } = overlap(chunk, window);
  for (let row = row0; row < row0 + rows; row++) {
    const from = (row - chunk.row0) * CHUNK_SIDE + col0 - chunk.col0;
    out.set(visits.subarray(from, from + cols), (row - window.row0) * window.cols + col0 - window.col0);
  }
}
