import { error, fail } from "../../errors/index.js";
import type { CellBounds, CellChunk } from "../../formats/index.js";
import * as kernel from "../../kernel/layout.js";
import { arrayType, checkInteger, readEntries, refuseArgument } from "../../spec/index.js";

export const CHUNK_SIDE = kernel.CHUNK_SIDE;
export const CHUNK_CELLS = kernel.CHUNK_CELLS;
/** Value in `firstVisit` that marks an unvisited cell: 2³² − 1. */
export const NEVER = kernel.NEVER;

/**
 * A square of 64 × 64 cells, row by row: element 64·r + c belongs to cell (64·chunkRow + r, 64·chunkCol + c). chunkRow
 * and chunkCol are −2²⁵ … 2²⁵ − 1. A map and its chunks share the same arrays, so do not write to them.
 */
export interface MapChunk extends CellChunk {
  /** For each cell, the smallest step at which a walker visited it (0 for a start cell), or {@link NEVER}. */
  readonly firstVisit?: Uint32Array;
}

export type NarrowChunk = Omit<MapChunk, "visits"> & { readonly visits: Uint8Array | Uint16Array | Uint32Array };

export interface ChunkSource {
  /** Returns undefined if the chunk has no visits. */
  chunkAt(chunkRow: number, chunkCol: number): NarrowChunk | undefined;
}

export type ChunkPlace = Pick<MapChunk, "chunkRow" | "chunkCol">;

/** A rectangle of cells: [row0, col0, row1, col1], both corners inclusive. */
export type Bounds = CellBounds;

/** Chunk rows and chunk columns are −HALF … HALF − 1. */
const HALF = 2 ** 25;

/** Packs both indices, 26 bits each, into one number, which a double stores exactly. Returns NaN out of range. */
export function placeKey(chunkRow: number, chunkCol: number): number {
  const inside = chunkRow >= -HALF && chunkRow < HALF && chunkCol >= -HALF && chunkCol < HALF;
  return inside ? (chunkRow + HALF) * (2 * HALF) + (chunkCol + HALF) : Number.NaN;
}

/** A sector has this many rows and columns, a multiple of {@link CHUNK_SIDE}. */
export const SECTOR_SIDE = 1024;
const SECTOR_CHUNKS = SECTOR_SIDE / CHUNK_SIDE;

export function sectorIndex(chunk: number): number {
  return Math.floor(chunk / SECTOR_CHUNKS);
}

export function byPlace(a: ChunkPlace, b: ChunkPlace): number {
  return a.chunkRow - b.chunkRow || a.chunkCol - b.chunkCol;
}

export function bySector(a: ChunkPlace, b: ChunkPlace): number {
  const rows = sectorIndex(a.chunkRow) - sectorIndex(b.chunkRow);
  return rows || sectorIndex(a.chunkCol) - sectorIndex(b.chunkCol) || byPlace(a, b);
}

/** Maximum number of chunks of a map. Their visits take 64 GiB. */
const MAX_CHUNKS = 2 ** 22;

export function chunkIndex(coordinate: number): number {
  return Math.floor(coordinate / CHUNK_SIDE);
}

export function checkCell(row: number, col: number): void {
  checkInteger("row", row, -(2 ** 31), 2 ** 31 - 1);
  checkInteger("col", col, -(2 ** 31), 2 ** 31 - 1);
}

export function cellIndex(row: number, col: number): number {
  return (row & (CHUNK_SIDE - 1)) * CHUNK_SIDE + (col & (CHUNK_SIDE - 1));
}

export function sortChunks(chunks: Iterable<MapChunk>): MapChunk[] {
  const sorted = readEntries("chunks", chunks, { of: "chunks", most: MAX_CHUNKS });
  for (const [i, chunk] of sorted.entries()) checkChunk(chunk, i);
  sorted.sort(byPlace);
  const again = sorted.find((chunk, i) => i > 0 && byPlace(sorted[i - 1], chunk) === 0);
  if (again !== undefined) refuseChunk(`two chunks are at (${again.chunkRow}, ${again.chunkCol})`);
  return sorted;
}

function checkChunk(chunk: MapChunk, i: number): void {
  const { chunkRow, chunkCol, visits, firstVisit = visits } = chunk ?? {};
  if (typeof chunkRow !== "number" || typeof chunkCol !== "number" || !isCounts(visits) || !isCounts(firstVisit)) {
    refuseArgument(`chunks[${i}]`, chunk, "an object with chunkRow, chunkCol, and visits in a Uint32Array");
  }
  const place = `(${chunkRow}, ${chunkCol})`;
  if (visits.length !== CHUNK_CELLS || firstVisit.length !== CHUNK_CELLS) {
    refuseChunk(`an array of chunk ${place} has a wrong length`);
  }
  const isPlace = Number.isInteger(chunkRow) && Number.isInteger(chunkCol) && placeKey(chunkRow, chunkCol) >= 0;
  if (!isPlace) refuseChunk(`chunk ${place} is out of range`);
}

function isCounts(value: unknown): value is Uint32Array {
  return arrayType(value) === "Uint32Array";
}

function refuseChunk(problem: string): never {
  const expected = `arrays of ${CHUNK_CELLS} numbers, and each chunk at a different place, from −2^25 to 2^25 − 1`;
  return fail(error("argument.range", { problem, expected }));
}

/** Returns the rows of sorted chunks, by row of the grid, then column. The number `64·i + r` means row r of chunk i. */
export function rowOrder(chunks: readonly ChunkPlace[]): Uint32Array {
  const order = new Uint32Array(chunks.length * CHUNK_SIDE);
  let length = 0;
  for (let from = 0, to = 0; from < chunks.length; from = to) {
    while (to < chunks.length && chunks[to].chunkRow === chunks[from].chunkRow) to++;
    for (let r = 0; r < CHUNK_SIDE; r++) {
      for (let i = from; i < to; i++) order[length++] = i * CHUNK_SIDE + r;
    }
  }
  return order;
}
