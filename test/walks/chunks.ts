import fc from "fast-check";
import type { MapChunk } from "../../src/walks/index.js";
import { bySector, CHUNK_CELLS, NEVER } from "../../src/walks/map/chunk.js";
import { ChunkWriter, type StoredChunk } from "../../src/walks/map/chunkCodec.js";

/** A chunk with the given visits, by the number of the cell. */
export function chunkAt(chunkRow: number, chunkCol: number, cells: Readonly<Record<number, number>>): MapChunk {
  const visits = new Uint32Array(CHUNK_CELLS);
  for (const [i, count] of Object.entries(cells)) visits[Number(i)] = count;
  return { chunkRow, chunkCol, visits };
}

/** The twin of the kernel's narrow counts: in 1, 2 or 4 bytes, whichever is the first that holds the largest count. */
function storedChunk({ chunkRow, chunkCol, visits, firstVisit }: MapChunk): StoredChunk {
  const most = Math.max(...visits);
  const narrow = most < 2 ** 8 ? new Uint8Array(visits) : most < 2 ** 16 ? new Uint16Array(visits) : visits;
  const bytesOf = (numbers: Uint8Array | Uint16Array | Uint32Array) => new Uint8Array(numbers.slice().buffer);
  const stored = { chunkRow, chunkCol, visitBytes: bytesOf(narrow) };
  return firstVisit === undefined ? stored : { ...stored, firstVisitBytes: bytesOf(firstVisit) };
}

/** Stores chunks in the given order. */
export function encodeInOrder(chunks: Iterable<MapChunk>): Uint8Array<ArrayBuffer> {
  const writer = new ChunkWriter();
  for (const chunk of chunks) writer.add(storedChunk(chunk));
  return writer.finish();
}

/** Stores chunks, in any order. */
export function encodeChunks(chunks: Iterable<MapChunk>): Uint8Array<ArrayBuffer> {
  return encodeInOrder([...chunks].sort(bySector));
}

const LAST = 2 ** 25 - 1;
const place = fc.oneof(
  fc.integer({ min: -40, max: 40 }),
  fc.integer({ min: -2, max: 2 }),
  fc.constantFrom(-LAST - 1, LAST),
);
const count = fc.oneof(fc.nat(255), fc.nat(65_535), fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constant(2 ** 32 - 1));
const cells = fc.tuple(fc.constantFrom(255, 65_535, 2 ** 32 - 1), fc.array(fc.tuple(fc.nat(CHUNK_CELLS - 1), count)));

/** Up to a dozen chunks at different places; all of them have first visits, or none. */
export const anyChunks: fc.Arbitrary<MapChunk[]> = fc
  .tuple(
    fc.boolean(),
    fc.uniqueArray(fc.tuple(place, place, cells), { maxLength: 12, selector: ([row, col]) => `${row},${col}` }),
  )
  .map(([firstVisits, chunks]) =>
    chunks.map(([row, col, [most, list]]) => {
      const chunk = chunkAt(row, col, Object.fromEntries(list.map(([i, visits]) => [i, Math.min(visits, most)])));
      if (!firstVisits) return chunk;
      const firstVisit = chunk.visits.map((visits, i) => (visits === 0 ? NEVER : (visits ^ i) >>> 1));
      return { ...chunk, firstVisit };
    }),
  );
