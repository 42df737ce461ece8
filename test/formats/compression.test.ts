import { inflateSync } from "node:zlib";
import fc from "fast-check";
import { snappyUncompress } from "hyparquet/src/snappy.js";
import { describe, expect, test } from "vitest";
import { CellDeflater, Deflater } from "../../src/formats/pictures/deflate.js";
import { snappyBytes } from "../../src/formats/tables/snappy.js";

/** Bytes with runs and repeated stretches, and bytes without. */
const pieces = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.tuple(fc.nat(255), fc.nat(1000)).map(([byte, length]) => new Uint8Array(length).fill(byte)),
    fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 20 }), fc.nat(200)).map(([unit, times]) => {
      return Uint8Array.from({ length: unit.length * times }, (_, i) => unit[i % unit.length]);
    }),
  ),
  { maxLength: 12 },
);

/** Bytes of one block whose counts grow like Fibonacci's numbers, but without ties: they make Huffman's codes longest. */
function steep(): Uint8Array {
  const counts = [1, 1];
  while (counts.length < 19) counts.push(counts[counts.length - 1] + counts[counts.length - 2] + 1);
  const sorted = counts.flatMap((count, byte) => new Array<number>(count).fill(byte)).reverse();
  // first the even places and then the odd ones, so that no byte comes twice in a row, which would be a run
  const half = Math.ceil(sorted.length / 2);
  return Uint8Array.from(sorted, (_, i) => sorted[(i >>> 1) + (i % 2) * half]);
}

function deflated(parts: readonly Uint8Array[]): Uint8Array {
  const deflater = new Deflater();
  for (const part of parts) deflater.add(part);
  return deflater.end();
}

describe("Deflater", () => {
  test("zlib gives the bytes back, whatever pieces they come in", () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const whole = Buffer.concat(parts);
        const compressed = deflated(parts);
        expect(Buffer.compare(inflateSync(compressed), whole)).toBe(0);
        expect(deflated([whole])).toEqual(compressed);
      }),
    );
  });

  test("blocks of every size, also of exactly as many bytes as a block has tokens", () => {
    for (const length of [1, 2 ** 15 - 1, 2 ** 15, 2 ** 15 + 1, 200_000]) {
      const bytes = Uint8Array.from({ length }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
      expect(Buffer.compare(inflateSync(deflated([bytes])), bytes)).toBe(0);
    }
  });

  test("runs of every length", () => {
    const runs = Array.from({ length: 600 }, (_, length) => new Uint8Array(length).fill(length & 1));
    expect(Buffer.compare(inflateSync(deflated(runs)), Buffer.concat(runs))).toBe(0);
    expect(deflated([new Uint8Array(1e6)]).length).toBeLessThan(1100);
  });

  test("codes that would be too long are shortened", () => {
    const bytes = steep();
    expect(Buffer.compare(inflateSync(deflated([bytes])), bytes)).toBe(0);
  });
});

describe("CellDeflater", () => {
  /** Runs of equal cells, from a single one to several copies. */
  const cells = fc
    .array(fc.tuple(fc.nat(255), fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 60, max: 400 }))), {
      minLength: 1,
      maxLength: 20,
    })
    .map((runs) => Uint8Array.from(runs.flatMap(([cell, length]) => new Array<number>(length).fill(cell))));

  test("zlib gives every stream back", () => {
    fc.assert(
      fc.property(fc.array(cells, { minLength: 1, maxLength: 5 }), (streams) => {
        const deflater = new CellDeflater();
        for (const stream of streams) deflater.add(stream);
        const words = deflater.end().map((bytes) => inflateSync(bytes));
        expect(words).toEqual(streams.map((stream) => Buffer.from(Uint32Array.from(stream).buffer)));
      }),
    );
  });

  test("long streams, and runs of every length", () => {
    const noise = Uint8Array.from({ length: 300_000 }, (_, i) => Math.imul(i, 0x9e3779b1) >>> 24);
    const runs = Uint8Array.from({ length: 300_000 }, (_, i) => Math.sqrt(2 * i) & 1);
    const deflater = new CellDeflater();
    for (const stream of [noise, runs, Uint8Array.of(7), noise]) deflater.add(stream);
    const [first, second, third, fourth] = deflater.end();
    expect(inflateSync(first).equals(Buffer.from(Uint32Array.from(noise).buffer))).toBe(true);
    expect(inflateSync(second).equals(Buffer.from(Uint32Array.from(runs).buffer))).toBe(true);
    expect([...inflateSync(third)]).toEqual([7, 0, 0, 0]);
    expect(fourth).toEqual(first);
  });
});

describe("snappyBytes", () => {
  test("another program gives the bytes back", () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const whole = Buffer.concat(parts);
        const back = new Uint8Array(whole.length);
        snappyUncompress(snappyBytes(whole), back);
        expect(Buffer.compare(back, whole)).toBe(0);
      }),
    );
  });

  test("long literals, long copies, and copies from far away", () => {
    const noise = Uint8Array.from({ length: 70_000 }, (_, i) => Math.imul(i, i ^ 0x9e3779b1) >>> 24);
    for (const size of [59, 60, 61, 255, 256, 257, 65_535, 65_536, 65_537, 70_000]) {
      const part = noise.subarray(0, size);
      const whole = Buffer.concat([part, part.subarray(0, 3000), part]);
      const back = new Uint8Array(whole.length);
      snappyUncompress(snappyBytes(whole), back);
      expect(Buffer.compare(back, whole)).toBe(0);
    }
    expect(snappyBytes(new Uint8Array(1e6)).length).toBeLessThan(50_000);
  });
});
