import { error, fail, readFields, reading } from "../../errors/index.js";
import { refuseArgument } from "../../spec/index.js";
import { checkCells, checkChoice } from "../checks.js";

/** A window: `rows` × `cols` cells, of which the first is (row0, col0). */
export interface CellRectangle {
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
}

/** The first and the last row and column that have visited cells, all inclusive. */
export type CellBounds = readonly [row0: number, col0: number, row1: number, col1: number];

/** A square of side × side cells. Element side·r + c of `visits` is the cell (side·chunkRow + r, side·chunkCol + c). */
export interface CellChunk {
  readonly chunkRow: number;
  readonly chunkCol: number;
  /** The visits of each cell; side² numbers. `side` is equal in all chunks of a map. */
  readonly visits: Uint32Array;
  /** The first step at which each cell was visited. Absent if the map does not keep first visits. */
  readonly firstVisit?: Uint32Array;
}

/** Selects what a picture or an array shows: a rectangle of cells, and visits or first visits of each cell. */
export interface MapView {
  /** The cells to show, visited or not. Default: the smallest rectangle that contains all visited cells. */
  readonly window?: CellRectangle | undefined;
  /** The number to show for each cell: its visits (default), or the step of its first visit. */
  readonly show?: "visits" | "firstVisits" | undefined;
}

/** The layout of a map's cells. */
export interface CellLayout {
  /**
   * Default axial. With odd-r coordinates, odd rows are shifted by half a cell, so a column is a vertical zigzag line.
   */
  readonly coordinates?: "axial" | "odd-r" | undefined;
}

/** A map with a number for each cell, such as the map of a walk's layer: the input of pictures and arrays. */
export interface MapSource extends CellLayout {
  /** The smallest rectangle that contains all visited cells. Null if no cell was visited. */
  readonly bounds: CellBounds | null;
  /** Returns the chunks of the map. Together, they contain every visited cell. */
  chunks(): Iterable<CellChunk>;
}

export function readBounds(map: MapSource): CellBounds | null {
  const { bounds } = readFields("the map", map, ["bounds"]);
  if (bounds === null || isBounds(bounds)) return bounds;
  return refuseArgument("bounds", bounds, "null, or [row0, col0, row1, col1] with 32-bit integers");
}

export function hasOddR(map: CellLayout): boolean {
  const { coordinates = "axial" } = readFields("the map", map, ["coordinates"]);
  checkChoice("coordinates of a map", coordinates, ["axial", "odd-r"]);
  return coordinates === "odd-r";
}

type SquareChunk = CellChunk & { readonly side: number };

/** Yields the checked chunks of a map. */
export function* readChunks(map: MapSource): Generator<SquareChunk, void> {
  let i = 0;
  for (const chunk of reading("the chunks of the map", () => map.chunks())) yield readChunk(chunk, i++);
}

function readChunk(given: CellChunk, i: number): SquareChunk {
  const chunk = readFields(`chunk ${i}`, given, ["chunkRow", "chunkCol", "visits", "firstVisit"]);
  const { chunkRow, chunkCol, visits, firstVisit } = chunk;
  checkCells(`chunks[${i}].visits`, visits, "Uint32Array");
  const { length } = visits;
  if (firstVisit !== undefined) checkCells(`chunks[${i}].firstVisit`, firstVisit, "Uint32Array", length);
  const side = Math.sqrt(length);
  if (!Number.isInteger(side) || side === 0) {
    const expected = "a square number of cells, such as 4096";
    fail(error("argument.range", { problem: "a chunk has a wrong number of cells", got: length, expected }));
  }
  const isInside = (at: unknown) => Number.isInteger(at) && isCoordinate(Number(at) * side);
  if (isInside(chunkRow) && isInside(chunkCol)) return { ...chunk, side };
  const [problem, expected] = [`chunk ${i} is outside the 32-bit coordinates`, "integers chunkRow and chunkCol"];
  return fail(error("argument.range", { problem, expected: `${expected} that give cells 32-bit coordinates` }));
}

/** Returns the visits of each cell, or the step of its first visit. The number of an unvisited cell has no meaning. */
export function numbersOf(chunk: CellChunk, show: MapView["show"]): Uint32Array {
  if (show !== "firstVisits") return chunk.visits;
  if (chunk.firstVisit !== undefined) return chunk.firstVisit;
  const remedy = 'Set "firstVisit": true in each layer that you show, or show visits';
  return fail(error("argument.range", { problem: "the map keeps no first visits", remedy }));
}

export function readView({ window, show = "visits" }: MapView): MapView {
  checkChoice('option "show"', show, ["visits", "firstVisits"]);
  const { row0, col0, rows, cols }: CellRectangle = Object(window);
  const isWindow = [row0, col0, rows, cols].every(Number.isInteger) && isBounds(cornersOf({ row0, col0, rows, cols }));
  if (window === undefined || isWindow) return { window, show };
  const expected = "{row0, col0, rows, cols} with at least one row and one column, and 32-bit coordinates";
  return fail(error("argument.range", { problem: 'invalid option "window"', got: window, expected }));
}

export function cornersOf({ row0, col0, rows, cols }: CellRectangle): CellBounds {
  return [row0, col0, row0 + rows - 1, col0 + cols - 1];
}

function isBounds(given: unknown): given is CellBounds {
  if (!Array.isArray(given) || given.length !== 4 || !Array.from(given).every(isCoordinate)) return false;
  return given[0] <= given[2] && given[1] <= given[3];
}

function isCoordinate(value: unknown): boolean {
  return typeof value === "number" && value === (value | 0);
}
