import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MapChunk } from "../../src/walks/index.js";
import { bySector, CHUNK_CELLS, NEVER } from "../../src/walks/map/chunk.js";
import { ChunkWriter, decodeChunks, storedChunksIn } from "../../src/walks/map/chunkCodec.js";
import { codeOf, refusalOf } from "../refusal.js";
import { anyChunks, chunkAt, encodeChunks, encodeInOrder } from "./chunks.js";

const sorted = (chunks: readonly MapChunk[]) => [...chunks].sort(bySector);

describe("stored chunks", () => {
  test("decode to the same chunks, sorted by sector, in whatever order they were encoded", () => {
    fc.assert(
      fc.property(anyChunks, (chunks) => {
        const bytes = encodeChunks(chunks);
        expect(decodeChunks(bytes)).toEqual(sorted(chunks));
        expect(Buffer.compare(bytes, encodeChunks([...chunks].reverse()))).toBe(0);
        // anywhere in a larger buffer, aligned or not
        const room = new Uint8Array(bytes.length + 3);
        room.set(bytes, 3);
        expect(decodeChunks(room.subarray(3))).toEqual(sorted(chunks));
      }),
      { seed: 50110, numRuns: 80 },
    );
  });

  test("a chunk takes 1, 2 or 4 bytes a cell, by its largest count", () => {
    const bytesOf = (most: number) => encodeChunks([chunkAt(0, 0, { 7: most })]).length - 16;
    const counts = [1, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1];
    expect(counts.map((most) => bytesOf(most) / CHUNK_CELLS)).toEqual([1, 1, 2, 2, 4, 4, 4]);
    const dated = { ...chunkAt(-1, -17, { 0: 3 }), firstVisit: new Uint32Array(CHUNK_CELLS).fill(NEVER) };
    const bytes = encodeChunks([dated]);
    expect([bytes.length, decodeChunks(bytes)]).toEqual([5 * CHUNK_CELLS + 16, [dated]]);
    expect([encodeChunks([]).length, decodeChunks(encodeChunks([]))]).toEqual([0, []]);
  });

  test("the bytes are frozen", () => {
    const bytes = encodeChunks([chunkAt(-1, 2, { 0: 300 }), chunkAt(0, 0, { 4095: 9 })]);
    const heads = [bytes.subarray(0, 18), bytes.subarray(16 + 2 * CHUNK_CELLS, 32 + 2 * CHUNK_CELLS)];
    expect(heads.map((head) => Buffer.from(head).toString("hex"))).toEqual([
      "ffffffff0200000002000000000000002c01",
      "00000000000000000100000000000000",
    ]);
    expect([bytes.length, bytes.at(-1)]).toEqual([32 + 3 * CHUNK_CELLS, 9]);
  });
});

describe("a writer of chunks", () => {
  const storedIn = (bytes: Uint8Array) => storedChunksIn(bytes.slice());

  test("begins anew after its last chunk and after clear, with chunks of any other layer", () => {
    fc.assert(
      fc.property(fc.array(anyChunks, { maxLength: 4 }), (lists) => {
        const writer = new ChunkWriter();
        for (const chunks of lists.map(encodeChunks)) {
          for (const chunk of storedIn(chunks).slice(1)) writer.add(chunk);
          writer.clear();
          expect(writer.isEmpty).toBe(true);
          for (const chunk of storedIn(chunks)) writer.add(chunk);
          expect(writer.isEmpty).toBe(storedIn(chunks).length === 0);
          expect(Buffer.compare(writer.finish(), chunks)).toBe(0);
        }
      }),
      { seed: 50114, numRuns: 40 },
    );
  });
});

describe("hostile bytes", () => {
  const chunks = [chunkAt(-3, 5, { 1: 7 }), chunkAt(2, 2, { 9: 70_000 }), chunkAt(40, -40, { 9: 300 })];
  const bytes = encodeChunks(chunks);
  const ends = [0, 16 + CHUNK_CELLS, 32 + 5 * CHUNK_CELLS, bytes.length];

  test("bytes that end within a chunk are refused", () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), (length) => {
        const code = codeOf(() => decodeChunks(bytes.subarray(0, length)));
        expect(code).toBe(ends.includes(length) ? undefined : "snapshot.invalid");
      }),
      { seed: 50112, numRuns: 300 },
    );
    for (const more of [1, 16, 4096]) {
      expect(codeOf(() => decodeChunks(Buffer.concat([bytes, new Uint8Array(more)])))).toBe("snapshot.invalid");
    }
  });

  test("every changed byte of a head is refused, or moves a chunk to another place", () => {
    let moved = 0;
    for (const head of ends.slice(0, -1)) {
      for (let at = head; at < head + 16; at++) {
        for (const change of [1, 2, 4, 16, 128, 255]) {
          const other = bytes.slice();
          other[at] ^= change;
          const code = codeOf(() => decodeChunks(other));
          if (code !== undefined) {
            expect(code).toBe("snapshot.invalid");
            continue;
          }
          moved++;
          const visits = decodeChunks(other).map((chunk) => chunk.visits);
          expect(visits).toEqual(sorted(chunks).map((chunk) => chunk.visits));
        }
      }
    }
    expect(moved).toBeGreaterThan(0);
  });

  test("random bytes are refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (noise) => {
        expect(codeOf(() => decodeChunks(noise))).toBe("snapshot.invalid");
      }),
      { seed: 50113, numRuns: 300 },
    );
  });

  test("chunks in another order, two chunks at one place and a wrong width are refused with their place", () => {
    const [a, b] = [chunkAt(0, 16, { 0: 1 }), chunkAt(1, 0, { 0: 1 })];
    // chunk (1, 0) is in the first sector
    expect(decodeChunks(encodeInOrder([b, a]))).toEqual([b, a]);
    for (const wrong of [encodeInOrder([a, b]), encodeInOrder([a, a])]) {
      expect(refusalOf(() => decodeChunks(wrong))).toMatchObject({ code: "snapshot.invalid" });
    }
    const other = bytes.slice();
    other[ends[1] + 8] = 3;
    expect(refusalOf(() => decodeChunks(other)).message).toContain(`chunk 1, at byte ${ends[1]}`);
  });
});
