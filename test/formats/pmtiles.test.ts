import fc from "fast-check";
import { PMTiles, zxyToTileId } from "pmtiles";
import { describe, expect, test } from "vitest";
import { type PmtilesArchive, pmtilesChunks, pmtilesId } from "../../src/formats/index.js";
import { codeOf, rejectionOf } from "../refusal.js";

let files = 0;

/** Opens the bytes of a file with the reader of its inventors. Keeps the ranges that it asks for. */
function opened(file: Uint8Array<ArrayBuffer>) {
  const asked: [from: number, length: number][] = [];
  const getBytes = async (from: number, length: number) => {
    asked.push([from, length]);
    return { data: file.slice(from, from + length).buffer };
  };
  // the reader caches directories by this name
  const key = `${files++}`;
  return { reader: new PMTiles({ getKey: () => key, getBytes }), asked };
}

async function fileOf(archive: PmtilesArchive, read: (picture: number) => Uint8Array = pictureOf(archive)) {
  const pieces: Uint8Array[] = [];
  for await (const piece of pmtilesChunks(archive, read)) pieces.push(piece);
  return new Uint8Array(Buffer.concat(pieces));
}

/** Bytes that no other picture has: its number, then zeros. */
const pictureOf =
  ({ bytes }: PmtilesArchive) =>
  (picture: number) => {
    const content = new Uint8Array(bytes[picture]);
    new DataView(content.buffer).setUint32(0, picture);
    return content;
  };

/** A map of 2ᶻ × 2ᶻ tiles of 2 × 2 cells, of which each tile has the picture `pictureAt` of its index. */
function archiveOf(deepest: number, ids: readonly number[], pictureAt: (index: number) => number): PmtilesArchive {
  const pictures = Uint32Array.from(ids, (_, i) => pictureAt(i));
  const bytes = Uint32Array.from(
    { length: 1 + Math.max(...pictures) },
    (_, k) => 4 + (Math.imul(k, 0x9e3779b1) >>> 24),
  );
  const cells = 2 * 2 ** deepest;
  return {
    rows: cells,
    cols: cells,
    side: 2,
    ids: Float64Array.from(ids),
    pictures,
    bytes,
    attributes: { name: "bay" },
  };
}

describe("pmtilesId", () => {
  test("numbers tiles as pmtiles does", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 26 }), fc.nat(), fc.nat(), (z, a, b) => {
        const [x, y] = [a % 2 ** z, b % 2 ** z];
        expect(pmtilesId(z, x, y)).toBe(zxyToTileId(z, x, y));
      }),
    );
  });
});

describe("pmtilesChunks", () => {
  test("pmtiles reads each tile that was given, and no other", () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 4 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer(),
        async (deepest, kinds, salt) => {
          const all = (4 ** (deepest + 1) - 1) / 3;
          const isThere = (id: number) => id === 0 || (id * 7 + salt) % 5 !== 0;
          const ids = Array.from({ length: all }, (_, k) => all - 1 - k).filter(isThere);
          const archive = archiveOf(deepest, ids, (i) => Math.abs((i * i + salt) % kinds));
          const { reader } = opened(await fileOf(archive));
          const pictures = new Map(ids.map((id, i) => [id, archive.pictures[i]]));
          for (let z = 0; z <= deepest; z++) {
            for (let x = 0; x < 2 ** z; x++) {
              for (let y = 0; y < 2 ** z; y++) {
                const picture = pictures.get(zxyToTileId(z, x, y));
                const expected = picture === undefined ? undefined : pictureOf(archive)(picture);
                const tile = await reader.getZxy(z, x, y);
                expect(tile && new Uint8Array(tile.data)).toEqual(expected);
              }
            }
          }
        },
      ),
      { numRuns: 40 },
    ));

  test("the header counts tiles, runs and pictures; equal tiles are stored once", async () => {
    const archive = archiveOf(1, [4, 3, 2, 1, 0], (i) => [0, 0, 1, 0, 2][i]);
    const file = await fileOf(archive);
    const { reader } = opened(file);
    expect(await reader.getHeader()).toMatchObject({
      specVersion: 3,
      clustered: true,
      tileType: 2,
      minZoom: 0,
      maxZoom: 1,
      numAddressedTiles: 5,
      numTileEntries: 4,
      numTileContents: 3,
      minLon: -180,
      maxLon: 180,
      maxLat: 85.0511288,
      minLat: -85.0511288,
      centerLon: 0,
      centerLat: 0,
      tileDataLength: archive.bytes.reduce((a, b) => a + b),
    });
    expect(await reader.getMetadata()).toEqual({ name: "bay" });
    const { tileDataOffset: first } = await reader.getHeader();
    // tile 0 has picture 2, the first in the file
    expect([...file.subarray(first, first + 4)]).toEqual([0, 0, 0, 2]);
  });

  test("of 21,845 different tiles, the root directory is in the first 16 KiB, and each tile needs three reads", async () => {
    const ids = Array.from({ length: 21_845 }, (_, id) => id);
    const archive = archiveOf(7, ids, (i) => (i * 4567) % ids.length);
    const { reader, asked } = opened(await fileOf(archive));
    const { rootDirectoryOffset, rootDirectoryLength } = await reader.getHeader();
    expect(rootDirectoryOffset + rootDirectoryLength).toBeLessThanOrEqual(2 ** 14);
    for (const [z, x, y] of [
      [0, 0, 0],
      [7, 127, 0],
      [7, 17, 100],
    ]) {
      const tile = await reader.getZxy(z, x, y);
      expect(new Uint8Array(tile?.data ?? [])).toEqual(pictureOf(archive)(archive.pictures[zxyToTileId(z, x, y)]));
    }
    expect(asked[0]).toEqual([0, 2 ** 14]);
    expect(asked).toHaveLength(1 + 2 * 3);
    expect(Math.max(...asked.map(([, length]) => length))).toBeLessThan(2 ** 16);
  });

  const good = archiveOf(1, [0, 1], (i) => i);
  test.each<[string, Partial<PmtilesArchive>]>([
    ["argument.range", { ids: Float64Array.of(1, 1) }],
    ["argument.range", { ids: Float64Array.of(1, 5) }],
    ["argument.range", { ids: new Float64Array(0), pictures: new Uint32Array(0) }],
    ["argument.range", { ids: Float64Array.of(1) }],
    ["argument.range", { pictures: Uint32Array.of(0, 2) }],
    ["argument.range", { bytes: Uint32Array.of(4, 0) }],
    ["argument.range", { rows: 2 ** 32 }],
    ["argument.type", { ids: [0, 1] as never }],
    ["argument.range", { ids: Float64Array.of(0, 0.5) }],
    ["argument.type", { attributes: { at: new Date(0) } }],
    ["argument.option", { tiles: [] } as never],
  ])("%s for malformed tiles: %o", async (code, wrong) => {
    expect((await rejectionOf(fileOf({ ...good, ...wrong }, pictureOf(good)))).code).toBe(code);
  });

  test("a picture with another number of bytes is refused, and an error of `read` is the cause", async () => {
    expect((await rejectionOf(fileOf(good, () => new Uint8Array(3)))).code).toBe("argument.range");
    expect((await rejectionOf(fileOf(good, () => "x" as never))).code).toBe("argument.type");
    const lost = new Error("lost");
    const read = () => {
      throw lost;
    };
    await expect(fileOf(good, read)).rejects.toMatchObject({ code: "argument.callback", cause: lost });
    expect(codeOf(() => pmtilesId(1, 2, 0))).toBe("argument.range");
    expect(codeOf(() => pmtilesId(27, 0, 0))).toBe("argument.range");
  });
});
