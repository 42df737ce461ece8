import { error, fail, readFields, reading } from "../errors/index.js";
import { arrayType, copyList, refuseArgument } from "../spec/index.js";

const [LEAST, GREATEST] = [-(2 ** 31), 2 ** 31 - 1];

/** A rectangle of cells: its first and last row, and its first and last column. All inclusive. */
export type CellBounds = readonly [row0: number, col0: number, row1: number, col1: number];

/** A square of side × side cells. Element side·r + c of `visits` is the cell (side·chunkRow + r, side·chunkCol + c). */
export interface CellChunk {
  readonly chunkRow: number;
  readonly chunkCol: number;
  /**
   * The visits of each cell; 0 for an unvisited cell. The length is side², and `side` is equal in all chunks of a map.
   */
  readonly visits: Uint32Array;
  /** The first step at which each cell was visited. Absent if the map does not keep first visits. */
  readonly firstVisit?: Uint32Array;
}

/** Selects what a picture or an array shows: a rectangle of cells, and visits or first visits of each cell. */
export interface MapView {
  /**
   * The cells to show, corners inclusive. With a window, the picture is exactly as large as the window, even where no
   * cell was visited. Default: the smallest rectangle that contains all visited cells.
   */
  readonly window?: CellBounds | undefined;
  /** The number to show for each cell: its visits (default), or the step of its first visit. */
  readonly show?: "visits" | "firstVisits" | undefined;
}

/** The layout of a map's cells. */
export interface CellLayout {
  /**
   * The coordinates of the cells. Default axial. With odd-r coordinates, odd rows are shifted to the right by half a
   * cell. So cells of one column form a vertical zigzag line.
   */
  readonly coordinates?: "axial" | "odd-r" | undefined;
}

/** A map with a number for each cell, such as the map of a walk's layer. Pictures and arrays are made from it. */
export interface MapSource extends CellLayout {
  /** The smallest rectangle that contains all visited cells. Null if no cell was visited. */
  readonly bounds: CellBounds | null;
  /** Returns the chunks of the map. Together, they contain every visited cell. */
  chunks(): Iterable<CellChunk>;
}

/** If each chunk has 4096 cells, their visits take 64 GiB. */
const MAX_CHUNKS = 2 ** 22;

const CHUNK_KEYS = ["chunkRow", "chunkCol", "visits", "firstVisit"] as const;

export function readBounds(map: MapSource): CellBounds | null {
  const { bounds } = readFields("the map", map, ["bounds"]);
  if (bounds === null) return null;
  const rectangle = rectangleOf(bounds);
  return rectangle ?? refuseArgument("bounds", bounds, "null, or [row0, col0, row1, col1] with 32-bit integers");
}

export function hasOddR(map: CellLayout): boolean {
  const { coordinates = "axial" } = readFields("the map", map, ["coordinates"]);
  if (coordinates === "axial" || coordinates === "odd-r") return coordinates === "odd-r";
  const expected = '"axial" or "odd-r"';
  return fail(error("argument.range", { problem: "unknown coordinates of a map", got: coordinates, expected }));
}

/**
 * Yields the chunks of a map one by one. Copies the chunk objects, but not their arrays. Throws after 2²² chunks,
 * because an iterable may have no end.
 */
export function* readChunks(map: MapSource): Generator<SquareChunk, void> {
  const iterator = reading("the map", () => map.chunks()[Symbol.iterator]());
  for (let i = 0; i < MAX_CHUNKS; i++) {
    const { done, value } = reading("the chunks of the map", () => {
      const next = iterator.next();
      return { done: next.done, value: next.value };
    });
    if (done) return;
    yield readChunk(value, i);
  }
  fail(error("argument.range", { problem: "the map has too many chunks", expected: `at most ${MAX_CHUNKS} chunks` }));
}

interface SquareChunk extends CellChunk {
  readonly side: number;
}

function readChunk(given: CellChunk, i: number): SquareChunk {
  const chunk = readFields(`chunk ${i}`, given, CHUNK_KEYS);
  const { chunkRow, chunkCol, visits, firstVisit = visits } = chunk;
  if (!isCells(visits) || !isCells(firstVisit) || firstVisit.length !== visits.length) {
    refuseArgument(
      `chunks[${i}]`,
      given,
      "a chunk whose visits, and first visits if any, are Uint32Arrays of one length",
    );
  }
  const side = sideOf(visits);
  const isInside = (at: unknown) => Number.isInteger(at) && isCoordinate(Number(at) * side);
  if (isInside(chunkRow) && isInside(chunkCol)) return { ...chunk, side };
  const problem = `chunk ${i} is outside the 32-bit coordinates`;
  return fail(error("argument.range", { problem, expected: "integers chunkRow and chunkCol of 32-bit cells" }));
}

function isCells(value: unknown): value is Uint32Array {
  return arrayType(value) === "Uint32Array";
}

function sideOf({ length }: Uint32Array): number {
  const side = Math.sqrt(length);
  if (Number.isInteger(side) && side > 0) return side;
  const expected = "a square number of cells, such as 4096";
  return fail(error("argument.range", { problem: "a chunk has a wrong number of cells", got: length, expected }));
}

/** Returns the visits of each cell, or the step of its first visit. The number of an unvisited cell has no meaning. */
export function numbersOf(chunk: CellChunk, show: MapView["show"]): Uint32Array {
  if (show !== "firstVisits") return chunk.visits;
  if (chunk.firstVisit !== undefined) return chunk.firstVisit;
  const remedy = 'Run every shown layer with "firstVisit": true, or show its visits';
  return fail(error("argument.range", { problem: "the map keeps no first visits", remedy }));
}

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

/** Returns undefined for anything but a rectangle of cells. */
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
