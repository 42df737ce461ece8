import { error, fail } from "../errors/index.js";

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

/** A map that has a number for each cell, such as the map of a walk's layer. Pictures and arrays are made from it. */
export interface MapSource {
  /** The smallest rectangle that contains all cells that are not 0; null if all cells are 0. */
  readonly bounds: CellBounds | null;
  /** Returns chunks that contain every cell that is not 0. */
  chunks(): Iterable<CellChunk>;
}

/**
 * Returns the number of cells along each side of a chunk.
 *
 * @throws RollmillError `argument.range` if the number of cells is not a square number.
 */
export function sideOf({ visits }: CellChunk): number {
  const side = Math.sqrt(visits.length);
  if (Number.isInteger(side) && side > 0) return side;
  const expected = "a square number of cells, such as 4096";
  return fail(
    error("argument.range", { problem: "a chunk has a wrong number of cells", got: visits.length, expected }),
  );
}

/**
 * Returns the numbers of a chunk's cells that a view shows. The number of an unvisited cell has no meaning.
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
 * Checks the options `window` and `show`.
 *
 * @throws RollmillError `argument.range`.
 */
export function checkView({ window, show = "visits" }: MapView): void {
  if (show !== "visits" && show !== "firstVisits") {
    const expected = '"visits" or "firstVisits"';
    fail(error("argument.range", { problem: 'invalid option "show"', got: show, expected }));
  }
  if (window === undefined || isRectangle(window)) return;
  const got = Array.isArray(window) ? `[${window.join(", ")}]` : window;
  const expected = "[row0, col0, row1, col1] with 32-bit integers, row0 ≤ row1 and col0 ≤ col1";
  fail(error("argument.range", { problem: 'invalid option "window"', got, expected }));
}

function isRectangle(window: unknown): boolean {
  if (!Array.isArray(window) || window.length !== 4) return false;
  const [row0, col0, row1, col1] = window;
  const isCoordinate = (value: unknown) =>
    Number.isInteger(value) && Number(value) >= LEAST && Number(value) <= GREATEST;
  return window.every(isCoordinate) && row0 <= row1 && col0 <= col1;
}
