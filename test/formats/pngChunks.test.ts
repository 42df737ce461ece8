import fc from "fast-check";
import { decode } from "fast-png";
import { describe, expect, test } from "vitest";
import { type PngSize, pngChunks } from "../../src/formats/index.js";
import { rejectionOf } from "../refusal.js";
import { decodedPng } from "./decodedPng.js";

type Bands = Parameters<typeof pngChunks>[1];

async function written(size: PngSize, bands: Bands): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  for await (const piece of pngChunks(size, bands)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Pixels with patches and noise. */
const pixelsOf = (width: number, height: number, most = 256) =>
  Uint8Array.from({ length: width * height }, (_, i) => {
    const [x, y] = [i % width, Math.floor(i / width)];
    const patch = Math.imul((x >> 3) * 31 + (y >> 2), 0x9e3779b1) >>> 24;
    return (patch < 128 ? patch : Math.imul(i, 0x85ebca6b) >>> 24) % most;
  });

describe("pngChunks", () => {
  test("another program reads every pixel of a gray picture", async () => {
    const pixels = pixelsOf(301, 200);
    const { data, channels, width, height } = decode(await written({ width: 301, height: 200 }, [pixels]));
    expect([channels, width, height]).toEqual([1, 301, 200]);
    expect(data).toEqual(pixels);
  });

  test("another program reads every pixel of a gray picture with 16 bits", async () => {
    const [width, height] = [301, 200];
    const pixels = Uint16Array.from({ length: width * height }, (_, i) => Math.imul(i >> 2, 0x9e3779b1) >>> 16);
    const bands = [pixels.subarray(0, width * 77), pixels.subarray(width * 77)];
    const png = await written({ width, height, depth: 16 }, bands);
    const { data, channels, depth } = decode(png);
    expect([channels, depth]).toEqual([1, 16]);
    expect(data).toEqual(pixels);
    expect(png).toEqual(await written({ width, height, depth: 16 }, [pixels]));
  });

  test("the bytes do not depend on the bands, and the array of a band may be used again", () =>
    fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 9 }), async (heights) => {
        const [width, height] = [40, heights.reduce((sum, rows) => sum + rows)];
        const pixels = pixelsOf(width, height);
        const whole = await written({ width, height }, [pixels]);
        async function* bands() {
          const band = new Uint8Array(width * 9);
          for (let i = 0, row = 0; i < heights.length; row += heights[i++]) {
            const rows = pixels.subarray(row * width, (row + heights[i]) * width);
            band.fill(99);
            band.set(rows);
            yield band.subarray(0, rows.length);
          }
        }
        const banded = await written({ width, height }, bands());
        expect(banded).toEqual(whole);
      }),
    ));

  test("the bytes of a large picture do not depend on the bands", async () => {
    const [width, height] = [1000, 900];
    const pixels = pixelsOf(width, height);
    const bands = Array.from({ length: 9 }, (_, i) => pixels.subarray(i * 100 * width, (i + 1) * 100 * width));
    const whole = await written({ width, height }, [pixels]);
    expect(whole.length).toBeGreaterThan(3 * 2 ** 16);
    expect(await written({ width, height }, bands)).toEqual(whole);
    expect(decode(whole).data).toEqual(pixels);
  });

  test("numbers have their colours, and numbers without a colour the background", async () => {
    const size = { width: 3, height: 1, colors: [[1, 2, 3] as const, [4, 5, 6] as const] };
    const { at, colors } = decodedPng(await written(size, [Uint8Array.of(0, 1, 200)]));
    expect([at(0, 0), at(1, 0), at(2, 0), colors]).toEqual(["1,2,3", "4,5,6", "13,14,20", 3]);
    const clear = decode(await written({ ...size, background: "transparent" }, [Uint8Array.of(0, 2, 255)]));
    expect(clear.palette).toEqual([
      [1, 2, 3, 255],
      [4, 5, 6, 255],
      [0, 0, 0, 0],
    ]);
    expect(clear.data).toEqual(Uint8Array.of(0, 2, 2));
  });

  test("256 colours leave none for the background", async () => {
    const colors = Array.from({ length: 256 }, (_, i) => [i, 0, 0] as const);
    const { at } = decodedPng(await written({ width: 2, height: 1, colors }, [Uint8Array.of(255, 7)]));
    expect([at(0, 0), at(1, 0)]).toEqual(["255,0,0", "7,0,0"]);
  });

  test("a band is asked for only when the bytes of the band before it were taken", async () => {
    let made = 0;
    function* bands() {
      for (; made < 40; made++) yield pixelsOf(1000, 100);
    }
    let taken = 0;
    for await (const piece of pngChunks({ width: 1000, height: 4000 }, bands())) {
      taken += piece.length;
      if (made === 20) expect(taken).toBeGreaterThan(100_000);
    }
    expect(made).toBe(40);
  });

  test("the bands are closed when the reader stops, and their error passes unchanged", async () => {
    let closed = false;
    function* bands() {
      try {
        for (;;) yield new Uint8Array(4);
      } finally {
        closed = true;
      }
    }
    expect((await rejectionOf(written({ width: 4, height: 2 }, bands()))).code).toBe("argument.range");
    expect(closed).toBe(true);
    const broken = new Error("the disk is full");
    async function* failing(): AsyncGenerator<Uint8Array> {
      yield new Uint8Array(4);
      throw broken;
    }
    await expect(written({ width: 4, height: 2 }, failing())).rejects.toBe(broken);
  });

  test.each<[string, PngSize, Bands]>([
    ["argument.range", { width: 0, height: 1 }, []],
    ["argument.range", { width: 4, height: 2 }, [new Uint8Array(4)]],
    ["argument.range", { width: 4, height: 2 }, [new Uint8Array(5)]],
    ["argument.range", { width: 4, height: 2 }, [new Uint8Array(0)]],
    ["argument.range", { width: 4, height: 2 }, [new Uint8Array(12)]],
    ["argument.type", { width: 4, height: 2 }, [[1] as never]],
    ["argument.type", { width: 4, height: 2 }, [new Uint16Array(8)]],
    ["argument.type", { width: 4, height: 2, depth: 16 }, [new Uint8Array(8)]],
    ["argument.type", { width: 4, height: 2, depth: 4 as never }, []],
    ["argument.range", { width: 4, height: 2, depth: 16, colors: [] }, []],
    ["argument.type", { width: 4, height: 2 }, 5 as never],
    ["argument.type", { width: 4, height: 2, colors: [[1, 2] as never] }, []],
    ["argument.option", { width: 4, height: 2, bits: 8 } as never, []],
  ])("%s for %j", async (code, size, bands) => {
    expect((await rejectionOf(written(size, bands))).code).toBe(code);
  });

  test("an asynchronous iterable is read by its asynchronous iterator", async () => {
    const bands = Object.assign([new Uint8Array(9)], {
      async *[Symbol.asyncIterator]() {
        yield Uint8Array.of(1, 2);
      },
    });
    expect(decode(await written({ width: 2, height: 1 }, bands)).data).toEqual(Uint8Array.of(1, 2));
  });
});
