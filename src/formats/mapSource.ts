import { error, fail, readFields, reading } from "../errors/index.js";
import { copyList, refuseArgument } from "../spec/index.js";

/** Least and greatest coordinate of a cell. */
const [LEAST, GREATEST] = [-(2 ** 31), 2 ** 31 - 1];

/** First and last row and column of a rectangle of cells, inclusive. */
export type CellBounds = readonly [row0: number, col0: number, row1: number, col1: number];

/** A square of cells. Element side·r + c of `visits` is the cell (side·chunkRow + r, side·chunkCol + c). */
export interface CellChunk {
  readonly chunkRow: number;
  readonly chunkCol: number;
  /** A number for each cell, 0 for an unvisited cell. Its length is side², and all chunks have the same side. */
  readonly visits: Uint32Array;
  /** If the map keeps first visits: the smallest step at which each visited cell was visited. */
  readonly firstVisit?: Uint32Array;
}

/** Selects the cells and the numbers of a map that a picture or an array shows. */
export interface MapView {
  /**
   * The cells to show, corners inclusive. A picture of a window has the size of the window. Default: the smallest
   * rectangle that contains all visited cells.
   */
  readonly window?: CellBounds | undefined;
  /** The number of a cell: how often it was visited (default), or the smallest step at which it was visited. */
  readonly show?: "visits" | "firstVisits" | undefined;
}

/** The layout of a map's cells. */
export interface CellLayout {
  /**
   * The coordinates of the cells (default axial). With odd-r coordinates, odd rows are shifted to the right by half a
   * cell, and equal columns lie below one another.
   */
  readonly coordinates?: "axial" | "odd-r" | undefined;
}

/** A map that has a number for each cell, such as the map of a walk's layer. Pictures and arrays are made from it. */
export interface MapSource extends CellLayout {
  /** The smallest rectangle that contains all cells that are not 0; null if all cells are 0. */
  readonly bounds: CellBounds | null;
  /** Returns chunks that contain every cell that is not 0. */
  chunks(): Iterable<CellChunk>;
}

/** Maximum number of chunks of a map: with the chunks of a layer, their visits then take 64 GiB. */
const MOST_CHUNKS = 2 ** 22;

const CHUNK_KEYS = ["chunkRow", "chunkCol", "visits", "firstVisit"] as const;

/**
 * Reads the smallest rectangle of a map, which may come from plain JavaScript.
 *
 * @throws RollmillError `argument.type` for anything but a map.
 */
export function readBounds(map: MapSource): CellBounds | null {
  const { bounds } = readFields("the map", map, ["bounds"]);
  if (bounds === null) return null;
  const rectangle = rectangleOf(bounds);
  return rectangle ?? refuseArgument("bounds", bounds, "null, or [row0, col0, row1, col1] with 32-bit integers");
}

/**
 * Tells whether a map, which may come from plain JavaScript, has odd-r coordinates.
 *
 * @throws RollmillError `argument.type` for anything but a map; `argument.range` for unknown coordinates.
 */
export function hasOddR(map: MapSource): boolean {
  const { coordinates = "axial" } = readFields("the map", map, ["coordinates"]);
  if (coordinates === "axial" || coordinates === "odd-r") return coordinates === "odd-r";
  const expected = '"axial" or "odd-r"';
  return fail(error("argument.range", { problem: "unknown coordinates of a map", got: coordinates, expected }));
}

/**
 * Reads the chunks of a map one after another. The map may come from plain JavaScript: a chunk is copied, its arrays
 * are not. An iterable without an end is refused after 2²² chunks.
 *
 * @throws RollmillError `argument.type` for anything but a map and chunks; `argument.range` for a chunk with a number
 * of cells that is not a square number, a chunk at a place outside the 32-bit coordinates, or too many chunks.
 */
export function* readChunks(map: MapSource): Generator<SquareChunk, void> {
  const iterator = reading("the map", () => map.chunks()[Symbol.iterator]());
  for (let i = 0; i < MOST_CHUNKS; i++) {
    const { done, value } = reading("the chunks of the map", () => {
      const next = iterator.next();
      return { done: next.done, value: next.value };
    });
    if (done) return;
    yield readChunk(value, i);
  }
  fail(error("argument.range", { problem: "the map has too many chunks", expected: `at most ${MOST_CHUNKS} chunks` }));
}

/** A chunk that was checked, and the number of cells along each of its sides. */
interface SquareChunk extends CellChunk {
  readonly side: number;
}

function readChunk(given: CellChunk, i: number): SquareChunk {
  const chunk = readFields(`chunk ${i}`, given, CHUNK_KEYS);
  const { chunkRow, chunkCol, visits, firstVisit = visits } = chunk;
  if (!isCells(visits) || !isCells(firstVisit) || firstVisit.length !== visits.length) {
    refuseArgument(`chunks[${i}]`, given, "a chunk with visits, and perhaps as many first visits, in Uint32Arrays");
  }
  const side = sideOf(visits);
  const isInside = (at: unknown) => Number.isInteger(at) && isCoordinate(Number(at) * side);
  if (isInside(chunkRow) && isInside(chunkCol)) return { ...chunk, side };
  const problem = `chunk ${i} is outside the 32-bit coordinates`;
  return fail(error("argument.range", { problem, expected: "integers chunkRow and chunkCol" }));
}

// also of another realm: a test runner may give its sandbox other globals
function isCells(value: unknown): value is Uint32Array {
  return ArrayBuffer.isView(value) && Object.prototype.toString.call(value) === "[object Uint32Array]";
}

/** Returns the number of cells along each side of a chunk. */
function sideOf({ length }: Uint32Array): number {
  const side = Math.sqrt(length);
  if (Number.isInteger(side) && side > 0) return side;
  const expected = "a square number of cells, such as 4096";
  return fail(error("argument.range", { problem: "a chunk has a wrong number of cells", got: length, expected }));
}

/**
 * For each cell of a chunk, returns the number that a view shows: its visits, or the step of its first visit. The
 * number of an unvisited cell has no meaning.
 *
 * @throws RollmillError `argument.range` if the view shows first visits and the map keeps none.
 */
export function numbersOf(chunk: CellChunk, show: MapView["show"]): Uint32Array {
  if (show !== "firstVisits") return chunk.visits;
  if (chunk.firstVisit !== undefined) return chunk.firstVisit;
  const remedy = 'Run every shown layer with "firstVisit": true, or show its visits';
  return fail(error("argument.range", { problem: "the map keeps no first visits", remedy }));
}

/**
 * Reads the options `window` and `show`, which may come from plain JavaScript.
 *
 * @throws RollmillError `argument.range`.
 */
export function readView({ window, show = "visits" }: MapView): MapView {
  if (show !== "visits" && show !== "firstVisits") {
    const expected = '"visits" or "firstVisits"';
    fail(error("argument.range", { problem: 'invalid option "show"', got: show, expected }));
  }
  if (window === undefined) return { show };
  const rectangle = rectangleOf(window);
  if (rectangle !== undefined) return { window: rectangle, show };
  const expected = "[row0, col0, row1, col1] with 32-bit integers, row0 ≤ row1 and col0 ≤ col1";
  return fail(error("argument.range", { problem: 'invalid option "window"', got: window, expected }));
}

/** Returns a copy of a rectangle of cells; undefined for anything else. */
function rectangleOf(given: unknown): CellBounds | undefined {
  const list = reading("the rectangle", () => {
    return Array.isArray(given) ? (copyList(given, 4) ?? []) : [];
  });
  if (list.length !== 4 || !list.every(isCoordinate)) return undefined;
  // the cast is safe: the line above checks all four
  const [row0, col0, row1, col1] = list as [number, number, number, number];
  return row0 <= row1 && col0 <= col1 ? [row0, col0, row1, col1] : undefined;
}

function isCoordinate(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= LEAST && Number(value) <= GREATEST;
}
