// Reads the tiles of a PMTiles file, version 3. The file may come from a stranger.

import type { TileAddress } from "./tiles.js";

type Read = (from: number, length: number) => Promise<Blob>;

/** Tiles `id` … `id + run - 1` have the same picture. If `run` is 0, the entry refers to a leaf of the directory. */
type Entry = Record<"id" | "run" | "length" | "from", number>;

/** A larger directory could fill the memory. */
const MOST_PACKED_BYTES = 2 ** 20;
const MOST_LEVELS = 3;

/** Reads parts of a file by range requests. Reads the whole file if the server does not support these. */
export function fetched(address: string): Read {
  let whole: Blob | undefined;
  return async (from, length) => {
    if (whole !== undefined) return whole.slice(from, from + length);
    const response = await fetch(address, { headers: { range: `bytes=${from}-${from + length - 1}` } });
    if (!response.ok) throw new Error(response.statusText);
    if (response.status === 206) return response.blob();
    whole = await response.blob();
    return whole.slice(from, from + length);
  };
}

/** Rejects if the file is not a PMTiles file. */
export async function openPmtiles(read: Read): Promise<TileAddress> {
  const head = new DataView(await (await read(0, 127)).arrayBuffer());
  if (head.getUint32(0) !== 0x504d5469 || head.getUint8(7) !== 3) throw new Error("not a PMTiles file");
  const number = (at: number) => Number(head.getBigUint64(at, true));
  const [leaves, data] = [number(40), number(56)];
  const directories = new Map<number, Promise<readonly Entry[]>>();
  const directoryAt = (from: number, length: number) => {
    if (length > MOST_PACKED_BYTES) throw new Error("the directory is too large");
    const found = directories.get(from) ?? read(from, length).then(entriesIn);
    directories.set(from, found);
    return found;
  };
  const root = await directoryAt(number(8), number(16));
  return async (z, x, y) => {
    const id = tileId(z, x, y);
    let entry = root.findLast((one) => one.id <= id);
    for (let level = 1; entry?.run === 0 && level < MOST_LEVELS; level++) {
      entry = (await directoryAt(leaves + entry.from, entry.length)).findLast((one) => one.id <= id);
    }
    if (entry === undefined || id >= entry.id + entry.run) return undefined;
    return URL.createObjectURL(await read(data + entry.from, entry.length));
  };
}

/** A directory has its numbers column by column, as variable-length integers, compressed with gzip. */
async function entriesIn(directory: Blob): Promise<readonly Entry[]> {
  const unpacked = directory.stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(unpacked).arrayBuffer());
  let [at, id, end] = [0, 0, 0];
  const next = () => {
    let value = 0;
    for (let unit = 1; at < bytes.length; unit *= 128) {
      const byte = bytes[at++];
      value += (byte & 127) * unit;
      if (byte < 128) return value;
    }
    throw new Error("the directory ends early");
  };
  const ids = Array.from({ length: Math.min(next(), bytes.length) }, () => (id += next()));
  const runs = ids.map(next);
  const lengths = ids.map(next);
  return ids.map((one, i) => {
    const place = next();
    const from = place === 0 ? end : place - 1;
    end = from + lengths[i];
    return { id: one, run: runs[i], length: lengths[i], from };
  });
}

/** Returns the number of a tile along the Hilbert curve of its zoom, after the tiles of all zooms before it. */
export function tileId(z: number, x: number, y: number): number {
  let id = (4 ** z - 1) / 3;
  let [col, row] = [x, y];
  for (let side = 2 ** z / 2; side >= 1; side /= 2) {
    const [east, south] = [col >= side, row >= side];
    id += side ** 2 * (east ? (south ? 2 : 3) : +south);
    [col, row] = [col % side, row % side];
    if (!south) [col, row] = east ? [side - 1 - row, side - 1 - col] : [row, col];
  }
  return id;
}
