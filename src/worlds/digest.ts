import { littleEndian } from "../formats/bytes.js";
import { type Hash, hexBytes, sha256 } from "../sha256.js";
import { fullBytesIn } from "../walks/map/chunkCodec.js";
import { type CellRectangle, contains } from "../walks/rectangles.js";
import { type CellsByRegion, type RegionBlock, regionBlocks, type VisitsByRegion } from "./compose.js";
import { NO_TRAIT, type Placements } from "./placements.js";

export type RegionDigest = ReturnType<RegionHashes["digests"]>[number];

type ContentLines = ReturnType<typeof contentLines>;

/** Returns a line of JSON in UTF-8 for each placement, empty without content, and the index of each line feed. */
export function contentLines(placements: Placements) {
  let text = "";
  for (let p = 0; p < placements.length; p++) text += `${contentText(placements.contentOf(p))}\n`;
  const bytes = new TextEncoder().encode(text);
  const ends = new Uint32Array(placements.length);
  // inside a text, JSON writes a line feed as `\n`, so each line feed is the end of a line
  for (let p = 0, end = -1; p < placements.length; p++) {
    end = bytes.indexOf(LINE_FEED, end + 1);
    ends[p] = end;
  }
  return { bytes, ends };
}

/**
 * Makes the digest of each region in a rectangle. A digest covers only cells in the rectangle. It is the SHA-256 of:
 *
 * - for each layer, a byte for each cell: its visits, at most 255. Then a u32 for each cell with 255 visits or more:
 * its visits. Then, if the layer keeps first visits, a u32 for each cell: its first visit;
 * - the terrain, as bytes;
 * - for each placement, three i32 (the row, the column and the index of the kind), an i32 with the index of its size if
 * the kind has sizes, an i32 with the index of its direction if the kind has `facing`, a u32 (the length of the content
 * in bytes, 0 without content) and the content as JSON in UTF-8.
 *
 * All numbers are little-endian, and cells are row by row. Call {@link addVisits} for each layer in the order of the
 * world, then {@link addCells}, then {@link digests}.
 */
export class RegionHashes {
  readonly #regions: readonly (RegionBlock & { readonly hash: Hash })[];

  constructor(rectangle: CellRectangle) {
    this.#regions = regionBlocks(rectangle).map((block) => ({ ...block, hash: sha256() }));
  }

  addVisits({ counts: { bytes, large }, firstVisits }: VisitsByRegion): void {
    let next = 0;
    for (const { hash, at, rows, cols } of this.#regions) {
      const end = at + rows * cols;
      const region = bytes.subarray(at, end);
      hash.update(region);
      if (large.length > 0) {
        const first = next;
        next += fullBytesIn(region);
        hash.update(littleEndian(large.subarray(first, next)));
      }
      if (firstVisits !== undefined) hash.update(littleEndian(firstVisits.subarray(at, end)));
    }
  }

  addCells({ terrain, placements }: CellsByRegion, contents: ContentLines): void {
    let to = 0;
    for (const region of this.#regions) {
      const { hash, at, rows, cols } = region;
      hash.update(terrain.subarray(at, at + rows * cols));
      // the placements are sorted by region, in the order of this loop
      const from = to;
      while (to < placements.length && contains(region, placements.rows[to], placements.cols[to])) to++;
      if (to > from) hash.update(placementRecords(placements, contents, [from, to]));
    }
  }

  digests() {
    return this.#regions.map(({ i, j, hash }) => ({ i, j, digest: hash.hex() }));
  }
}

export function digestsOf(rectangle: CellRectangle, steps: Generator<VisitsByRegion, CellsByRegion>): RegionDigest[] {
  const hashes = new RegionHashes(rectangle);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) hashes.addVisits(step.value);
  hashes.addCells(step.value, contentLines(step.value.placements));
  return hashes.digests();
}

function placementRecords(
  { rows, cols, kinds, sizes, facings }: Placements,
  { bytes, ends }: ContentLines,
  [from, to]: readonly [number, number],
): Uint8Array {
  const startOf = (p: number) => (p === 0 ? 0 : ends[p - 1] + 1);
  let traits = 0;
  for (let p = from; p < to; p++) traits += Number(sizes[p] !== NO_TRAIT) + Number(facings[p] !== NO_TRAIT);
  const records = new Uint8Array(startOf(to) - startOf(from) + (to - from) * (PLACE_BYTES - 1) + 4 * traits);
  const view = new DataView(records.buffer);
  let at = 0;
  const put = (number: number) => {
    view.setInt32(at, number, true);
    at += 4;
  };
  for (let p = from; p < to; p++) {
    const content = bytes.subarray(startOf(p), ends[p]);
    for (const number of [rows[p], cols[p], kinds[p]]) put(number);
    for (const trait of [sizes[p], facings[p]]) if (trait !== NO_TRAIT) put(trait);
    put(content.length);
    records.set(content, at);
    at += content.length;
  }
  return records;
}

/** Hashes i and j (i32) and the digest of each region, by i, then j. So several machines can hash one rectangle. */
export function digestOfRegions(regions: Iterable<RegionDigest>): string {
  const hash = sha256();
  for (const { i, j, digest } of regions) {
    hash.update(littleEndian(Int32Array.of(i, j)));
    hash.update(hexBytes(digest));
  }
  return hash.hex();
}

/** Writes JSON without the field `place` of objects: it names a file, whose path can differ between machines. */
export function contentText(content: unknown): string {
  const withoutPlace = (key: string, value: unknown) => (key === "place" && isFilePlace(value) ? undefined : value);
  return content === undefined ? "" : JSON.stringify(content, withoutPlace);
}

/** A named content can have the name `place` too, but it has no line of a file. */
function isFilePlace(value: unknown): boolean {
  return typeof value === "object" && value !== null && "line" in value && "column" in value && !("name" in value);
}

const PLACE_BYTES = 16;
const LINE_FEED = 0x0a;
