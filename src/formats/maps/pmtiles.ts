import { refuseThrown } from "../../calls/watch.js";
import { error, fail, RollmillError } from "../../errors/index.js";
import { checkFunction, checkInteger, readOptions } from "../../spec/index.js";
import { crc32, joined, littleEndian } from "../bytes.js";
import { checkCells, checkLength } from "../checks.js";
import { Deflater } from "../pictures/deflate.js";
import { tileId } from "./page/pmtiles.js";
import { type TileGrid, tilePyramid } from "./tiles.js";
import { readAttributes, type ZarrAttributes } from "./zarr.js";

/** Describes the tiles of a PMTiles file for {@link pmtilesChunks}. */
export interface PmtilesArchive extends TileGrid {
  /** The tiles, in any order: the number of each, from {@link pmtilesId}. */
  readonly ids: Float64Array;
  /** For each tile, the index of its picture. Give equal tiles the same index: each picture is stored once. */
  readonly pictures: Uint32Array;
  /** For each picture, its number of bytes. */
  readonly bytes: Uint32Array;
  /** Values for the metadata of the file, such as `{ name, legend }`. JSON must be able to contain them. */
  readonly attributes?: ZarrAttributes | undefined;
}

/** The deepest zoom whose numbers of tiles are below 2⁵³. */
const DEEPEST = 26;
const HEAD_BYTES = 127;
/** Readers fetch this many bytes first, and expect the whole root directory in them. */
const FIRST_BYTES = 2 ** 14;
const LEAF_ENTRIES = 2 ** 12;
const MAX_TILES = 2 ** 28;
const MAX_PICTURE = 2 ** 31 - 1;
/** Codes in the header: compression with gzip, no compression, tiles that are PNG pictures. */
const [GZIP, PLAIN, PNG] = [2, 1, 2];
const GZIP_HEAD = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/**
 * Returns the number of a tile in a PMTiles file. The numbers count the tiles of zoom 0, then those of zoom 1, and so
 * on. In each zoom they follow a Hilbert curve, so tiles with close numbers are close to each other.
 *
 * Source: github.com/protomaps/PMTiles, specification, version 3.
 *
 * @param z - zoom, 0 … 26.
 * @param x - column of tiles, 0 … 2ᶻ − 1.
 * @param y - row of tiles, 0 … 2ᶻ − 1.
 * @throws RollmillError `argument.type`, `argument.range`.
 */
export function pmtilesId(z: number, x: number, y: number): number {
  checkInteger("z", z, 0, DEEPEST);
  checkInteger("x", x, 0, 2 ** z - 1);
  checkInteger("y", y, 0, 2 ** z - 1);
  return tileId(z, x, y);
}

/**
 * Writes the tiles of a map as one PMTiles file, version 3. Yields the bytes in pieces: the directories and the
 * metadata, then the pictures in the order of their tiles ("clustered"). The root directory is within the first 16 KiB,
 * so a reader needs at most three requests for its first tile. The same tiles give the same bytes on every platform.
 *
 * Tile (0, 0, 0) stands for the whole world in Web Mercator. So the bounds in the header are the degrees of the part of
 * this square that the map covers.
 *
 * Cost: O(tiles · log tiles). Memory: about 60 bytes for each tile, and one picture.
 *
 * @param read - returns the bytes of a picture, a PNG. Called once for each picture that a tile has.
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed arguments; `argument.range`
 * for two tiles with the same number, or a picture with another number of bytes; the RollmillError of `read`, or else
 * `argument.callback`.
 */
export async function* pmtilesChunks(
  archive: PmtilesArchive,
  read: (picture: number) => Uint8Array | Promise<Uint8Array>,
): AsyncGenerator<Uint8Array, void> {
  const checked = checkedArchive(archive);
  checkFunction("read", read);
  const pictures = placed(checked);
  yield headOf(checked, pictures);
  for (const picture of pictures.order) {
    const bytes = await pictureFrom(read, picture);
    checkCells(`picture ${picture}`, bytes, "Uint8Array", checked.bytes[picture]);
    yield bytes;
  }
}

async function pictureFrom(read: Parameters<typeof pmtilesChunks>[1], picture: number): Promise<Uint8Array> {
  try {
    return await read(picture);
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    return refuseThrown({ what: '"read"' }, cause);
  }
}

type Checked = ReturnType<typeof checkedArchive>;

function checkedArchive(given: PmtilesArchive) {
  const known = ["rows", "cols", "side", "ids", "pictures", "bytes", "attributes"];
  const { rows, cols, side, ids, pictures, bytes, attributes = {} } = readOptions("pmtilesChunks", given, known);
  const pyramid = tilePyramid({ rows, cols, side });
  checkInteger("the deepest zoom", pyramid.deepest, 0, DEEPEST);
  checkCells("ids", ids, "Float64Array");
  checkCells("pictures", pictures, "Uint32Array");
  checkCells("bytes", bytes, "Uint32Array");
  checkInteger("the number of tiles", ids.length, 1, MAX_TILES);
  checkLength("pictures", pictures.length, ids.length);
  const last = tileId(pyramid.deepest + 1, 0, 0) - 1;
  for (let i = 0; i < ids.length; i++) {
    checkInteger(`ids[${i}]`, ids[i], 0, last);
    checkInteger(`pictures[${i}]`, pictures[i], 0, bytes.length - 1);
    checkInteger(`bytes[${pictures[i]}]`, bytes[pictures[i]], 1, MAX_PICTURE);
  }
  return { ...pyramid, rows, cols, ids, pictures, bytes, attributes: readAttributes(attributes) };
}

/** An entry for each run of tiles with one picture. If `runs` is 0, the entry refers to a leaf of the directory. */
interface Directory {
  readonly ids: number[];
  readonly runs: number[];
  readonly offsets: number[];
  readonly lengths: number[];
}

interface Placed {
  readonly directory: Directory;
  /** The pictures in the order in which they are stored. */
  readonly order: readonly number[];
  /** The number of bytes of all these pictures. */
  readonly total: number;
}

/** Places the pictures one after another, in the order of the first tile of each. */
function placed({ ids, pictures, bytes }: Checked): Placed {
  const directory: Directory = { ids: [], runs: [], offsets: [], lengths: [] };
  const order: number[] = [];
  const offsets = new Float64Array(bytes.length).fill(-1);
  let [total, lastId, lastPicture] = [0, -1, -1];
  for (const tile of Uint32Array.from(ids, (_, i) => i).sort((a, b) => ids[a] - ids[b])) {
    const [id, picture] = [ids[tile], pictures[tile]];
    if (id === lastId) fail(error("argument.range", { problem: "two tiles have the same number", got: id }));
    if (id === lastId + 1 && picture === lastPicture) directory.runs[directory.runs.length - 1]++;
    else {
      if (offsets[picture] < 0) {
        offsets[picture] = total;
        total += bytes[picture];
        order.push(picture);
      }
      append(directory, { id, run: 1, offset: offsets[picture], length: bytes[picture] });
    }
    [lastId, lastPicture] = [id, picture];
  }
  return { directory, order, total };
}

function append(
  directory: Directory,
  { id, run, offset, length }: Readonly<Record<"id" | "run" | "offset" | "length", number>>,
): void {
  directory.ids.push(id);
  directory.runs.push(run);
  directory.offsets.push(offset);
  directory.lengths.push(length);
}

/** Returns everything before the pictures: header, root directory, metadata, leaves. */
function headOf(checked: Checked, { directory, order, total }: Placed): Uint8Array {
  const { attributes, ids, deepest } = checked;
  const { root, leaves } = directoryBytes(directory);
  const metadata = gzip(new TextEncoder().encode(JSON.stringify(attributes)));
  const head = new DataView(new ArrayBuffer(HEAD_BYTES));
  new Uint8Array(head.buffer).set(new TextEncoder().encode("PMTiles\u0003"));
  let at = HEAD_BYTES;
  for (const [i, length] of [root.length, metadata.length, leaves.length, total].entries()) {
    head.setBigUint64(8 + 16 * i, BigInt(at), true);
    head.setBigUint64(16 + 16 * i, BigInt(length), true);
    at += length;
  }
  for (const [i, count] of [ids.length, directory.ids.length, order.length].entries()) {
    head.setBigUint64(72 + 8 * i, BigInt(count), true);
  }
  const [isClustered, leastZoom] = [1, 0];
  for (const [i, code] of [isClustered, GZIP, PLAIN, PNG, leastZoom, deepest].entries()) head.setUint8(96 + i, code);
  // one byte, the zoom at which readers show the middle, is between the bounds and the middle
  for (const [i, degrees] of boundsOf(checked).entries()) head.setInt32(102 + 4 * i + +(i > 3), degrees, true);
  return joined([new Uint8Array(head.buffer), root, metadata, leaves]);
}

/** Returns west, south, east, north, and the longitude and latitude of the middle, in 10⁻⁷ degrees. */
function boundsOf({ rows, cols, side, deepest }: Checked): number[] {
  const whole = side * 2 ** deepest;
  const longitude = (col: number) => Math.round(1e7 * (360 * (col / whole) - 180));
  const latitude = (row: number) => {
    const radians = Math.atan(Math.sinh(Math.PI * (1 - (2 * row) / whole)));
    return Math.round((1e7 * 180 * radians) / Math.PI);
  };
  return [longitude(0), latitude(rows), longitude(cols), latitude(0), longitude(cols / 2), latitude(rows / 2)];
}

/** Divides the directory into leaves if it is too large for the first bytes of the file. */
function directoryBytes(directory: Directory): { readonly root: Uint8Array; readonly leaves: Uint8Array } {
  const count = directory.ids.length;
  const whole = packed(directory, 0, count);
  const most = FIRST_BYTES - HEAD_BYTES;
  if (whole.length <= most) return { root: whole, leaves: new Uint8Array(0) };
  for (let size = LEAF_ENTRIES; ; size *= 2) {
    const root: Directory = { ids: [], runs: [], offsets: [], lengths: [] };
    const leaves: Uint8Array[] = [];
    let offset = 0;
    for (let from = 0; from < count; from += size) {
      const leaf = packed(directory, from, Math.min(count, from + size));
      append(root, { id: directory.ids[from], run: 0, offset, length: leaf.length });
      leaves.push(leaf);
      offset += leaf.length;
    }
    const bytes = packed(root, 0, root.ids.length);
    if (bytes.length <= most) return { root: bytes, leaves: joined(leaves) };
  }
}

/** Returns the entries from … to − 1 as variable-length integers, column by column. */
function packed({ ids, runs, offsets, lengths }: Directory, from: number, to: number): Uint8Array {
  const bytes: number[] = [];
  const put = (value: number) => {
    let rest = value;
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
    bytes.push(rest);
  };
  put(to - from);
  for (let i = from; i < to; i++) put(ids[i] - (i > from ? ids[i - 1] : 0));
  for (let i = from; i < to; i++) put(runs[i]);
  for (let i = from; i < to; i++) put(lengths[i]);
  // 0 stands for the place after the previous entry
  for (let i = from; i < to; i++) put(i > from && offsets[i] === offsets[i - 1] + lengths[i - 1] ? 0 : offsets[i] + 1);
  return gzip(Uint8Array.from(bytes));
}

/** Source: RFC 1952. The header has no time and an unknown system, so equal bytes give equal files. */
function gzip(bytes: Uint8Array): Uint8Array {
  const deflater = new Deflater();
  deflater.add(bytes);
  // a zlib stream has two bytes before the compressed data, and a checksum of four bytes after it
  const data = deflater.end().subarray(2, -4);
  return joined([GZIP_HEAD, data, littleEndian(Uint32Array.of(crc32(bytes), bytes.length))]);
}
