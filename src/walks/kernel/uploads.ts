import { type Address, type Kernel, Status, within } from "../../kernel/index.js";
import { type CellSetKind, CHUNK_CELLS, ChunkHead } from "../../kernel/layout.js";
import type { CellSet } from "../map/cellSet.js";
import type { ChunkPlace, NarrowChunk } from "../map/chunk.js";
import type { StoredChunk } from "../map/chunkCodec.js";
import type { TensorPlan } from "../types.js";

export function uploadTensor(kernel: Kernel, { combined }: TensorPlan, purpose: string): Address {
  kernel.u32(kernel.window, combined.length).set(combined);
  return kernel.taken(
    kernel.call((exports) => exports.createTensor()),
    purpose,
  );
}

/** Marks the cells of a set in a map, except in chunks without a bitmap. */
export function markChunks(
  kernel: Kernel,
  { map, kind, set, purpose }: Readonly<{ map: Address; kind: CellSetKind; set: CellSet; purpose: string }>,
): void {
  for (const { chunkRow, chunkCol, bits } of set.chunks()) {
    kernel.u8(kernel.window, bits.length).set(bits);
    const status = kernel.call((exports) => exports.markChunk(map, kind, chunkRow, chunkCol));
    if (status !== Status.OK) kernel.outOfMemory(purpose);
  }
}

export function putChunk(kernel: Kernel, { chunkRow, chunkCol, visits, firstVisit }: NarrowChunk): void {
  kernel.write(kernel.window, ChunkHead, { row: chunkRow, col: chunkCol });
  const cells = kernel.u32(within(kernel.window, ChunkHead.bytes), 2 * CHUNK_CELLS);
  cells.set(visits);
  if (firstVisit !== undefined) cells.set(firstVisit, CHUNK_CELLS);
}

/** The stored visits replace the content of the window. At `counts` are the visits, then the first visits: u32. */
export function storedChunk(
  kernel: Kernel,
  { chunkRow, chunkCol }: ChunkPlace,
  counts: Address,
  firstVisits: boolean,
): StoredChunk {
  // counts in the window are overwritten, but not the first visits behind them
  const width = kernel.call((exports) => exports.narrowCounts(counts));
  const chunk = { chunkRow, chunkCol, visitBytes: kernel.u8(kernel.window, width * CHUNK_CELLS) };
  if (!firstVisits) return chunk;
  return { ...chunk, firstVisitBytes: kernel.u8(within(counts, 4 * CHUNK_CELLS), 4 * CHUNK_CELLS) };
}
