import { sha256 } from "../sha256.js";
import type { LayerPlan } from "../walks/index.js";
import { placeKey } from "../walks/map/chunk.js";
import { FULL_BYTE, type NarrowCounts } from "../walks/map/narrowCounts.js";
import type { CellRectangle } from "../walks/map/openCells.js";
import { cellsOf, contains, overlap, regionsNear, singles } from "./costs.js";
import { REGION_SIDE } from "./types.js";
import type { WorldWindow } from "./window.js";

/** The SHA-256 of region (i, j), or of the part of the region that is in a rectangle. */
export interface RegionDigest {
  readonly i: number;
  readonly j: number;
  /** 64 hexadecimal digits. */
  readonly digest: string;
}

/** The visits and the contents of a window, in the forms that a digest and a part of a job both use. */
export interface WindowForms {
  /** The visits of layers in their short form, by name. */
  readonly visits: ReadonlyMap<string, NarrowCounts>;
  /** The content of each placement, as {@link contentText} returns it. */
  readonly contents: readonly string[];
}

/** Returns the forms of a window. The window must have the visits of the layers. */
export function formsOf(window: WorldWindow, layers: readonly Pick<LayerPlan, "name">[]): WindowForms {
  const { placements } = window;
  return {
    visits: new Map(layers.map(({ name }) => [name, window.narrowVisits(name)])),
    contents: Array.from({ length: placements.length }, (_, p) => contentText(placements.contentOf(p))),
  };
}

/**
 * Yields the digest of each region that has cells in a window, sorted by i, then j. The digest of a region covers only
 * its cells in the window. It is the hash of:
 *
 * - for each of `layers`, a byte for each cell: its visits, or 255 if it has 255 visits or more. Then a u32 for each
 *   cell with 255 visits or more: its visits. Then, if the layer keeps first visits, a u32 for each cell: its first
 *   visit;
 * - the terrain, as bytes;
 * - for each placement, three i32 (the row, the column and the index of the kind), a u32 (the length of the content in
 *   bytes) and the content as JSON in UTF-8. If there is no content, its length is 0.
 *
 * All numbers are little-endian, and cells are row by row.
 *
 * @param layers - The layers whose visits the digests cover. The window must have the visits of these layers.
 * @param forms - The forms of the window with these layers.
 */
export function* regionDigests(
  window: WorldWindow,
  layers: readonly LayerPlan[],
  forms: WindowForms = formsOf(window, layers),
): Generator<RegionDigest, void> {
  const { placements, terrain } = window;
  const counted = layers.flatMap(({ name, firstVisit }) => {
    const counts = forms.visits.get(name);
    return counts === undefined ? [] : [{ name, firstVisit, counts, large: largeByRegion(counts, window) }];
  });
  // the cells of one region, for the hash
  const room = new Uint8Array(REGION_SIDE ** 2);
  let next = 0;
  for (const region of singles(regionsNear(window, { side: REGION_SIDE }))) {
    const cells = overlap(window, cellsOf(region, REGION_SIDE));
    const hash = sha256();
    for (const { name, firstVisit, counts, large } of counted) {
      hash.update(cut(counts.bytes, window, cells, room));
      hash.update(bytesOf(Uint32Array.from(large.get(placeKey(region.i0, region.j0)) ?? [])));
      if (firstVisit) for (const row of rowsOf(window.firstVisits(name), window, cells)) hash.update(bytesOf(row));
    }
    hash.update(cut(terrain, window, cells, room));
    // the placements are sorted by region, in the order of this loop
    for (; next < placements.length && contains(cells, placements.rows[next], placements.cols[next]); next++) {
      const bytes = encoder.encode(forms.contents[next]);
      const place = [placements.rows[next], placements.cols[next], placements.kinds[next], bytes.length];
      hash.update(bytesOf(Int32Array.from(place)));
      hash.update(bytes);
    }
    yield { i: region.i0, j: region.j0, digest: hash.hex() };
  }
}

/**
 * Returns the digest of a rectangle: the SHA-256 of one record for each of its regions. A record has i and j (i32) and
 * the 32 bytes of the region's digest. The regions must be sorted by i, then j. So several machines can hash the
 * regions of one rectangle.
 */
export function digestOfRegions(regions: Iterable<RegionDigest>): string {
  const hash = sha256();
  for (const { i, j, digest } of regions) {
    hash.update(bytesOf(Int32Array.of(i, j)));
    hash.update(Uint8Array.from(digest.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16)));
  }
  return hash.hex();
}

/**
 * Returns the counts of 255 and more of each region, row by row. The keys are results of {@link placeKey}. Cost: O(cells
 * of the window), if it has such counts.
 */
function largeByRegion({ bytes, large }: NarrowCounts, { row0, col0, cols }: CellRectangle): Map<number, number[]> {
  const byRegion = new Map<number, number[]>();
  if (large.length === 0) return byRegion;
  let next = 0;
  for (let at = bytes.indexOf(FULL_BYTE); at >= 0; at = bytes.indexOf(FULL_BYTE, at + 1)) {
    const i = Math.floor((row0 + Math.floor(at / cols)) / REGION_SIDE);
    const j = Math.floor((col0 + (at % cols)) / REGION_SIDE);
    const key = placeKey(i, j);
    const counts = byRegion.get(key) ?? [];
    counts.push(large[next++]);
    byRegion.set(key, counts);
  }
  return byRegion;
}

/**
 * Copies a part of a window into `room`, because one call of the hash for all rows takes less time than a call for each
 * row.
 */
function cut(
  values: Uint8Array<ArrayBuffer>,
  window: CellRectangle,
  { row0, col0, rows, cols }: CellRectangle,
  room: Uint8Array,
): Uint8Array {
  let from = (row0 - window.row0) * window.cols + col0 - window.col0;
  for (let r = 0; r < rows; r++) {
    room.set(values.subarray(from, from + cols), r * cols);
    from += window.cols;
  }
  return room.subarray(0, rows * cols);
}

/** Yields the rows of a part of a window. */
function* rowsOf(
  values: Uint32Array<ArrayBuffer>,
  window: CellRectangle,
  { row0, col0, rows, cols }: CellRectangle,
): Generator<Uint32Array<ArrayBuffer>, void> {
  for (let r = 0; r < rows; r++) {
    const from = (row0 + r - window.row0) * window.cols + col0 - window.col0;
    yield values.subarray(from, from + cols);
  }
}

/**
 * Returns a content as JSON; "" if there is no content. Leaves out the field `place` of objects: it names a file, and
 * the file's path can differ between machines.
 */
export function contentText(content: unknown): string {
  return content === undefined ? "" : JSON.stringify(content, withoutPlace);
}

function withoutPlace(key: string, value: unknown): unknown {
  return key === "place" && typeof value === "object" ? undefined : value;
}

/** Returns the little-endian bytes of numbers. */
function bytesOf(numbers: Int32Array | Uint32Array): Uint8Array {
  if (IS_LITTLE_ENDIAN) return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
  const bytes = new DataView(new ArrayBuffer(numbers.byteLength));
  for (const [k, number] of numbers.entries()) bytes.setInt32(4 * k, number, true);
  return new Uint8Array(bytes.buffer);
}

const encoder = new TextEncoder();
const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;
