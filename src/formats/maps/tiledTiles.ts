import { base64, littleEndian } from "../bytes.js";
import { CellDeflater } from "../pictures/deflate.js";
import { zstdCodec } from "../zstd.js";

/**
 * How a map for Tiled stores its tiles: `csv` as a list of numbers, the others as base64 of 32-bit integers, which
 * `zlib` and `zstd` compress.
 */
export type TiledEncoding = "csv" | "base64" | "zlib" | "zstd";

export const TILED_ENCODINGS = ["csv", "base64", "zlib", "zstd"] as const;

interface TileEncoder {
  /** The fields of the layer. Source: doc.mapeditor.org, JSON Map Format, Layer. */
  readonly fields: object;
  /** Returns the JSON value of the field `data` for each list of tiles. */
  readonly encode: (pieces: readonly Uint8Array[]) => readonly string[] | Promise<readonly string[]>;
}

export const TILE_ENCODERS: Readonly<Record<TiledEncoding, TileEncoder>> = {
  csv: { fields: { encoding: "csv" }, encode: (pieces) => pieces.map((tiles) => `[${tiles.join()}]`) },
  base64: { fields: { encoding: "base64" }, encode: (pieces) => pieces.map((tiles) => quoted(wordsOf(tiles))) },
  zlib: { fields: { encoding: "base64", compression: "zlib" }, encode: deflated },
  zstd: {
    fields: { encoding: "base64", compression: "zstd" },
    encode: async (pieces) => {
      const zstd = await zstdCodec();
      const texts: string[] = [];
      for (const tiles of pieces) texts.push(quoted(await zstd.encode(wordsOf(tiles))));
      return texts;
    },
  },
};

function deflated(pieces: readonly Uint8Array[]): string[] {
  const deflater = new CellDeflater();
  for (const tiles of pieces) deflater.add(tiles);
  return deflater.end().map(quoted);
}

function wordsOf(tiles: Uint8Array): Uint8Array {
  return littleEndian(Uint32Array.from(tiles));
}

function quoted(bytes: Uint8Array): string {
  return `"${base64(bytes)}"`;
}
