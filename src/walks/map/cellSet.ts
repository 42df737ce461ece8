import { CHUNK_CELLS, cellIndex, chunkIndex, placeKey, type SetChunk } from "./chunk.js";
import type { LayerMap } from "./layerMap.js";

/** A set of cells. Only a chunk that is partly in the set has a bitmap, of 512 bytes. */
export class CellSet {
  /** Whether the cells of chunks without a bitmap are in the set. */
  readonly elsewhere: boolean;
  readonly #chunks = new Map<number, SetChunk>();

  constructor({ elsewhere }: { readonly elsewhere: boolean }) {
    this.elsewhere = elsewhere;
  }

  get isEmpty(): boolean {
    return this.#chunks.size === 0 && !this.elsewhere;
  }

  chunks(): IterableIterator<SetChunk> {
    return this.#chunks.values();
  }

  chunkAt(chunkRow: number, chunkCol: number): SetChunk | undefined {
    return this.#chunks.get(placeKey(chunkRow, chunkCol));
  }

  has(row: number, col: number): boolean {
    const chunk = this.chunkAt(chunkIndex(row), chunkIndex(col));
    return chunk === undefined ? this.elsewhere : hasBit(chunk.bits, cellIndex(row, col));
  }

  /** Adds cells, given as row, col, row, col, … */
  addCells(cells: Int32Array): void {
    for (let i = 0; i < cells.length; i += 2) {
      const cell = cellIndex(cells[i], cells[i + 1]);
      const bits = this.#bitsToAdd(chunkIndex(cells[i]), chunkIndex(cells[i + 1]));
      if (bits !== undefined) bits[cell >> 3] |= 1 << (cell & 7);
    }
  }

  addVisited(map: LayerMap): void {
    for (const { chunkRow, chunkCol, visits } of map.chunks()) {
      const bits = this.#bitsToAdd(chunkRow, chunkCol);
      if (bits === undefined) continue;
      for (let i = 0; i < CHUNK_CELLS; i++) if (visits[i] !== 0) bits[i >> 3] |= 1 << (i & 7);
    }
  }

  /** Removes the visited cells of a map. `elsewhere` must be true. */
  removeVisited(map: LayerMap): void {
    for (const { chunkRow, chunkCol, visits } of map.chunks()) {
      const { bits } = this.chunkAt(chunkRow, chunkCol) ?? this.#addChunk(chunkRow, chunkCol);
      for (let i = 0; i < CHUNK_CELLS; i++) if (visits[i] !== 0) bits[i >> 3] &= ~(1 << (i & 7));
    }
  }

  /** Returns a set that has the cells of another set too. `elsewhere` must be true. */
  with(other: CellSet): CellSet {
    const set = new CellSet(this);
    for (const { chunkRow, chunkCol, bits } of this.chunks()) {
      const added = other.chunkAt(chunkRow, chunkCol)?.bits;
      const both = set.#addChunk(chunkRow, chunkCol).bits;
      for (let i = 0; i < bits.length; i++) both[i] = bits[i] | (added?.[i] ?? (other.elsewhere ? 0xff : 0));
    }
    return set;
  }

  /** Returns the bitmap of a chunk; undefined if all cells of the chunk are already in the set. */
  #bitsToAdd(chunkRow: number, chunkCol: number): Uint8Array | undefined {
    const chunk = this.chunkAt(chunkRow, chunkCol);
    if (chunk !== undefined || this.elsewhere) return chunk?.bits;
    return this.#addChunk(chunkRow, chunkCol).bits;
  }

  #addChunk(chunkRow: number, chunkCol: number): SetChunk {
    const bits = new Uint8Array(CHUNK_CELLS / 8).fill(this.elsewhere ? 0xff : 0);
    const chunk = { chunkRow, chunkCol, bits };
    this.#chunks.set(placeKey(chunkRow, chunkCol), chunk);
    return chunk;
  }
}

export function hasBit(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3] >> (i & 7)) & 1) !== 0;
}

/** The listed cells (row, col, row, col, …), those that `closed` maps visited, and those that no `open` map visited. */
export function closedCells(
  cells: Int32Array,
  closed: Iterable<LayerMap> = [],
  open: readonly LayerMap[] = [],
): CellSet {
  const set = new CellSet({ elsewhere: open.length > 0 });
  for (const map of open) set.removeVisited(map);
  set.addCells(cells);
  for (const map of closed) set.addVisited(map);
  return set;
}

/** Returns the visited cells of the map, or all other cells. */
export function endCells(map: LayerMap, kind: "on" | "outside"): CellSet {
  const set = new CellSet({ elsewhere: kind === "outside" });
  if (kind === "on") set.addVisited(map);
  else set.removeVisited(map);
  return set;
}
