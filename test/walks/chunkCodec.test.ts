import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { MapChunk } from "../../src/walks/index.js";
import { bySector, CHUNK_CELLS, NEVER } from "../../src/walks/map/chunk.js";
import {
  ChunkWriter,
  decodeChunks,
  decodeIndex,
  decodeSector,
  FOOTER_BYTES,
  locateIndex,
  storedChunksIn,
} from "../../src/walks/map/chunkCodec.js";
import { codeOf, refusalOf } from "../refusal.js";
import { anyChunks, chunkAt, encodeChunks, encodeInOrder } from "./chunks.js";

/** The index of stored chunks, as a reader of a file gets it: from the last bytes. */
function indexOf(bytes: Uint8Array) {
  const place = locateIndex(bytes.subarray(bytes.length - FOOTER_BYTES), bytes.length);
  return decodeIndex(bytes.subarray(place.byteOffset, place.byteOffset + place.byteLength), place);
}

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

  test("one sector is read from its own bytes alone", () => {
    fc.assert(
      fc.property(anyChunks, (chunks) => {
        const bytes = encodeChunks(chunks);
        const { sectors, firstVisits } = indexOf(bytes);
        expect(firstVisits).toBe(chunks.some(({ firstVisit }) => firstVisit !== undefined));
        const read = sectors.flatMap((sector) => {
          const data = bytes.slice(sector.byteOffset, sector.byteOffset + sector.byteLength);
          const own = decodeSector(data, sector);
          for (const { chunkRow, chunkCol } of own) {
            expect([chunkRow >> 4, chunkCol >> 4]).toEqual([sector.sectorRow, sector.sectorCol]);
          }
          return own;
        });
        const places = new Set(sectors.map(({ sectorRow, sectorCol }) => `${sectorRow},${sectorCol}`));
        expect(places.size).toBe(sectors.length);
        const chunksOf = read.map(({ chunkRow, chunkCol, visitBytes: visits }) => [
          chunkRow,
          chunkCol,
          visits.length / CHUNK_CELLS,
        ]);
        const widths = sorted(chunks).map(({ chunkRow, chunkCol, visits }) => {
          const most = Math.max(...visits);
          return [chunkRow, chunkCol, most < 2 ** 8 ? 1 : most < 2 ** 16 ? 2 : 4];
        });
        expect(chunksOf).toEqual(widths);
      }),
      { seed: 50111, numRuns: 60 },
    );
  });

  test("a chunk takes 1, 2 or 4 bytes a cell, by its largest count", () => {
    const bytesOf = (most: number) => encodeChunks([chunkAt(0, 0, { 7: most })]).length - FOOTER_BYTES - 16;
    const counts = [1, 255, 256, 65_535, 65_536, 2 ** 31, 2 ** 32 - 1];
    expect(counts.map((most) => bytesOf(most) / CHUNK_CELLS)).toEqual([1, 1, 2, 2, 4, 4, 4]);
    const dated = { ...chunkAt(-1, -17, { 0: 3 }), firstVisit: new Uint32Array(CHUNK_CELLS).fill(NEVER) };
    const bytes = encodeChunks([dated]);
    expect([bytes.length, decodeChunks(bytes)]).toEqual([5 * CHUNK_CELLS + 32, [dated]]);
    expect([encodeChunks([]).length, decodeChunks(encodeChunks([]))]).toEqual([FOOTER_BYTES, []]);
  });

  test("the bytes of version 1 are frozen", () => {
    const bytes = encodeChunks([chunkAt(-1, 2, { 0: 300 }), chunkAt(0, 0, { 4095: 9 })]);
    expect(Buffer.from(bytes.subarray(-48)).toString("hex")).toBe(
      [
        "ffffffff02000000",
        "0000000002000000",
        "0000000000000000",
        "0200000001000000",
        "524d434b01000000",
        "0000000002000000",
      ].join(""),
    );
    expect([bytes[0], bytes[1], bytes[3 * CHUNK_CELLS - 1]]).toEqual([44, 1, 9]);
  });

  test("chunks in another order, two chunks at one place and mixed first visits are refused", () => {
    const [a, b] = [chunkAt(0, 16, { 0: 1 }), chunkAt(1, 0, { 0: 1 })];
    // chunk (1, 0) is in the first sector
    expect(decodeChunks(encodeInOrder([b, a]))).toEqual([b, a]);
    expect(refusalOf(() => encodeInOrder([a, b])).code).toBe("argument.range");
    expect(refusalOf(() => encodeChunks([a, b, a])).message).toContain("chunk (0, 16) follows (0, 16)");
    const dated = { ...a, firstVisit: new Uint32Array(CHUNK_CELLS) };
    expect(refusalOf(() => encodeChunks([dated, b])).code).toBe("walk.mismatch");
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
  const metaBytes = FOOTER_BYTES + 3 * 16;
  const refused = ["snapshot.invalid", "snapshot.version"];

  test("cut or extended bytes are refused", () => {
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), (length) => {
        expect(codeOf(() => decodeChunks(bytes.subarray(0, length)))).toBe("snapshot.invalid");
        expect(codeOf(() => decodeChunks(bytes.subarray(bytes.length - length)))).toBe("snapshot.invalid");
      }),
      { seed: 50112, numRuns: 300 },
    );
    for (const more of [1, 16, 4096]) {
      expect(codeOf(() => decodeChunks(Buffer.concat([new Uint8Array(more), bytes])))).toBe("snapshot.invalid");
      expect(codeOf(() => decodeChunks(Buffer.concat([bytes, new Uint8Array(more)])))).toBe("snapshot.invalid");
    }
  });

  test("every changed byte of the index and the footer is refused, or moves a chunk to another place", () => {
    let moved = 0;
    for (let at = bytes.length - metaBytes; at < bytes.length; at++) {
      for (const change of [1, 2, 4, 16, 128, 255]) {
        const other = bytes.slice();
        other[at] ^= change;
        const code = codeOf(() => decodeChunks(other));
        if (code !== undefined) {
          expect(refused).toContain(code);
          continue;
        }
        moved++;
        const visits = decodeChunks(other).map((chunk) => chunk.visits);
        expect(visits).toEqual(sorted(chunks).map((chunk) => chunk.visits));
      }
    }
    expect(moved).toBeGreaterThan(0);
  });

  test("random bytes, and random indexes before a right footer, are refused", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(12), (noise, count) => {
        expect(codeOf(() => decodeChunks(noise))).toBe("snapshot.invalid");
        const footer = new Uint8Array(Uint32Array.of(0x4b434d52, 1, 0, count).buffer);
        const code = codeOf(() => decodeChunks(Buffer.concat([noise, footer])));
        expect(code === undefined ? noise.length : code).toBe(code === undefined ? 0 : "snapshot.invalid");
      }),
      { seed: 50113, numRuns: 300 },
    );
  });

  test("the message gives the place", () => {
    const other = bytes.slice();
    other[bytes.length - FOOTER_BYTES - 16 - 4] = 3;
    const { message } = refusalOf(() => decodeChunks(other));
    expect(message).toContain("record 1 of the index is");
    const { sectors } = indexOf(bytes);
    expect(refusalOf(() => decodeSector(bytes.subarray(0, 5), sectors[0])).message).toContain(
      "sector (-1, 0) has 5 bytes",
    );
    expect(refusalOf(() => decodeChunks("bytes" as unknown as Uint8Array)).code).toBe("argument.type");
    const newer = bytes.slice();
    newer[bytes.length - 12] = 2;
    expect(refusalOf(() => decodeChunks(newer)).code).toBe("snapshot.version");
  });
});
