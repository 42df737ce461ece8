import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, LayerMap } from "../../src/index.js";
import type { MapChunk } from "../../src/walks/index.js";
import { ChunkSums } from "../../src/walks/kernel.js";
import { bySector, CHUNK_CELLS } from "../../src/walks/map/chunk.js";
import { ChunkWriter, decodeChunks, type StoredChunk, storedChunksIn } from "../../src/walks/map/chunkCodec.js";
import { openKernel } from "../kernel/open.js";
import { refusalOf } from "../refusal.js";
import { cellsOf } from "./cases.js";
import { anyChunks, chunkAt, encodeChunks } from "./chunks.js";

/** The stored form of chunks. */
function stored(chunks: Iterable<MapChunk>): StoredChunk[] {
  return storedChunksIn(encodeChunks(chunks));
}

/** The chunks of sums, as a reader of their stored form gets them. */
function chunksOf(sums: ChunkSums): MapChunk[] {
  const writer = new ChunkWriter();
  for (const chunk of sums.storedChunks()) writer.add(chunk);
  return decodeChunks(writer.finish());
}

function sumOf(chunks: readonly StoredChunk[], firstVisits: boolean): MapChunk[] {
  const sums = new ChunkSums({ kernel: openKernel(), firstVisits });
  for (const chunk of chunks) sums.add(chunk);
  return chunksOf(sums);
}

/** The sum of chunks, the slow way: cell by cell. */
function twinSum(chunks: readonly MapChunk[], firstVisits: boolean): MapChunk[] {
  const places = new Map(chunks.map(({ chunkRow, chunkCol }) => [`${chunkRow},${chunkCol}`, { chunkRow, chunkCol }]));
  return [...places.values()].sort(bySector).map((place) => {
    const own = chunks.filter(({ chunkRow, chunkCol }) => chunkRow === place.chunkRow && chunkCol === place.chunkCol);
    const cells = Array.from({ length: CHUNK_CELLS }, (_, i) => i);
    const visits = cells.map((i) => own.reduce((sum, chunk) => Math.min(sum + chunk.visits[i], 2 ** 32 - 1), 0));
    const chunk = { ...place, visits: Uint32Array.from(visits) };
    if (!firstVisits) return chunk;
    const steps = cells.map((i) => Math.min(...own.map(({ firstVisit }) => firstVisit?.[i] ?? 0)));
    return { ...chunk, firstVisit: Uint32Array.from(steps) };
  });
}

/** Several lists of chunks, all with first visits or all without. */
const lists = fc
  .array(anyChunks, { minLength: 1, maxLength: 5 })
  .filter((all) => new Set(all.flat().map(({ firstVisit }) => firstVisit === undefined)).size < 2);

describe("sums of chunks", () => {
  test("are those of the twin, for counts of 1, 2 and 4 bytes, in any order", () => {
    fc.assert(
      fc.property(lists, (all) => {
        const chunks = all.flat();
        const firstVisits = chunks.some(({ firstVisit }) => firstVisit !== undefined);
        const parts = all.flatMap(stored);
        const expected = twinSum(chunks, firstVisits);
        expect(sumOf(parts, firstVisits)).toEqual(expected);
        expect(sumOf(parts.reverse(), firstVisits)).toEqual(expected);
      }),
      { seed: 50120, numRuns: 60 },
    );
  });

  test("every cell of a chunk is added, and a full count stays full", () => {
    const full = 2 ** 32 - 1;
    for (const most of [200, 50_000, 2 ** 31, full]) {
      const visits = Uint32Array.from({ length: CHUNK_CELLS }, (_, i) => Math.max(0, most - (i % 190)));
      const chunk = { chunkRow: -1, chunkCol: 4, visits };
      const other = chunkAt(-1, 4, { 0: 1, 15: full, 16: 255, 4095: 65_535 });
      const chunks = [chunk, chunk, other, chunk];
      expect(
        sumOf(
          chunks.flatMap((each) => stored([each])),
          false,
        ),
      ).toEqual(twinSum(chunks, false));
    }
  });

  test("are empty after clear, also in memory that was used", () => {
    const sums = new ChunkSums({ kernel: openKernel(), firstVisits: false });
    const [a, b] = [chunkAt(0, 0, { 3: 5 }), chunkAt(9, 9, { 4: 6 })];
    for (const chunk of stored([a, b])) sums.add(chunk);
    sums.clear();
    expect(chunksOf(sums)).toEqual([]);
    for (const chunk of stored([b])) sums.add(chunk);
    expect(chunksOf(sums)).toEqual([b]);
  });

  test("that do not fit are a typed error", () => {
    const sums = new ChunkSums({ kernel: openKernel(2 ** 20), firstVisits: false });
    const fill = () => {
      for (let i = 0; i < 70; i++) for (const chunk of stored([chunkAt(i, 0, { 0: 1 })])) sums.add(chunk);
    };
    expect(refusalOf(fill).code).toBe("kernel.memory");
  });

  test.each([false, true])("of the stored parts of a layer's shards are the layer (first visits: %s)", (firstVisit) => {
    const walk = createMill({ seed: "moria" }).walk("land", {
      walkers: 60,
      steps: 3000,
      start: { rect: [-1500, -1500, 1500, 1500] },
      firstVisit,
    });
    const parts: StoredChunk[][] = [];
    const layer = walk.openParts({ walkers: { from: 0, to: 35 }, maxMemory: 2 ** 20 });
    for (const walkers of [
      { from: 0, to: 35 },
      { from: 35, to: 60 },
    ]) {
      for (const part of layer.run({ walkers })) {
        const writer = new ChunkWriter();
        for (const chunk of part.storedChunks()) writer.add(chunk);
        const bytes = writer.finish();
        expect(Buffer.compare(bytes, encodeChunks(part.chunks()))).toBe(0);
        parts.push(storedChunksIn(bytes));
      }
    }
    expect(parts.length).toBeGreaterThan(4);
    const map = new LayerMap(sumOf(parts.reverse().flat(), firstVisit));
    expect(cellsOf(map)).toEqual(cellsOf(walk.runLayer()));
  });
});
