import type { Field, SpecReader } from "../../spec/index.js";
import { type Bounds, SECTOR_SIDE } from "../../walks/map/chunk.js";
import type { CellRectangle } from "../../walks/map/openCells.js";
import type { RegionDigest } from "../../worlds/digest.js";
import type { Sector } from "../types.js";
import { hashIn } from "./checked.js";
import type { OpenedJob } from "./manifest.js";
import type { ReadMeta } from "./part.js";

/*
 * The data in the heads of parts, and their parsers. Everybody can write a part with correct checksums, so the data are
 * read like any other input.
 */

/**
 * A shard may have several parts. This is the data in the head of its last part: the steps of all walkers of the shard,
 * and the names of its other parts.
 */
export interface ShardMeta {
  readonly steps: number;
  readonly further: readonly string[];
}

/** Data in the head of a part of a finite layer. */
export interface LayerMeta {
  /** The smallest rectangle with all visited cells. null if no cell was visited. */
  readonly bounds: Bounds | null;
}

/** Data in the head of the part of a sector. */
export interface CellsMeta extends CellRectangle {
  readonly sector: Sector;
  /** The digest of each region that has cells in the sector and in the extent of the job. */
  readonly digests: readonly RegionDigest[];
  /** Number of cells of each terrain. */
  readonly terrain: readonly number[];
  /** Number of placements of each kind. */
  readonly placements: readonly number[];
}

/** The phases `ordered` and `bulk` write parts. This is the data in the head of each such part. */
interface HashedMeta {
  readonly sha256: string;
}

/** Cells have coordinates from −2³¹ to 2³¹ − 1. */
const LIMIT = 2 ** 31;
const COORDINATE = { least: -LIMIT, most: LIMIT - 1 };

const WHOLE = /^(?:0|[1-9]\d*)$/;
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** Whether a text is the name of a sector of a map, such as `0_-1`. */
export function isSectorName(name: string): boolean {
  const numbers = name.split("_");
  const isInside = (text: string) => INTEGER.test(text) && Math.abs(Number(text)) <= LIMIT / SECTOR_SIDE;
  return numbers.length === 2 && numbers.every(isInside);
}

/** Whether a name is that of the n-th further part of a shard. `shard` is the name of the shard's last part. */
export function isFurtherPart(shard: string, n: number | string, name: unknown): boolean {
  const stem = `${shard.slice(0, -".part".length)}-`;
  if (typeof name !== "string" || !name.startsWith(stem)) return false;
  const [limit, ...rest] = name.slice(stem.length).split("-");
  return WHOLE.test(limit) && rest.join("-") === `${n}.part`;
}

/** Reads a rectangle of cells. It may have no rows. */
export function rectangleIn(reader: SpecReader, at: Field): CellRectangle {
  const fields = reader.record(at);
  const [row0, col0] = ["row0", "col0"].map((key) => reader.integer(fields.get(key), COORDINATE));
  const side = (key: string, first: number) => reader.integer(fields.get(key), { least: 0, most: LIMIT - first });
  return { row0, col0, rows: side("rows", row0), cols: side("cols", col0) };
}

/** Returns a reader for the data of a shard's part. `name` is the name of the part. */
export function shardMeta(name: string): ReadMeta<ShardMeta> {
  return (reader, at, sections) => {
    const fields = reader.record(at);
    for (const section of sections) {
      if (isSectorName(section)) continue;
      reader.report(at, {
        problem: "a section is not that of a sector",
        got: section,
        expected: "a name such as 0_-1",
      });
    }
    const further = reader.list(fields.get("further"), { of: "names of parts" });
    for (const [n, one] of further.entries()) {
      if (isFurtherPart(name, n, one.value)) continue;
      reader.report(one, { problem: "not the name of a further part of this shard", got: one.value });
    }
    return {
      steps: reader.integer(fields.get("steps"), { least: 0 }),
      further: further.map(({ value }) => `${value}`),
    };
  };
}

export const layerMeta: ReadMeta<LayerMeta> = (reader, at) => {
  const bounds = reader.record(at).get("bounds");
  if (bounds.value === null) return { bounds: null };
  const corners = reader.list(bounds, { least: 4, most: 4, of: "coordinates" });
  const [row0, col0, row1, col1] = corners.map((corner) => reader.integer(corner, COORDINATE));
  if (row0 > row1 || col0 > col1) reader.report(bounds, { problem: "the first cell is behind the last one" });
  return { bounds: [row0, col0, row1, col1] };
};

/** Returns a reader for the data of a sector's part. */
export function cellsMeta({ spec }: Pick<OpenedJob, "spec">): ReadMeta<CellsMeta> {
  return (reader, at) => {
    const fields = reader.record(at);
    const pair = (of: Field) => {
      const pairFields = reader.record(of);
      const [i, j] = ["i", "j"].map((key) => reader.integer(pairFields.get(key), COORDINATE));
      return { i, j };
    };
    const counts = (key: string, { length }: readonly unknown[]) =>
      reader
        .list(fields.get(key), { least: length, most: length, of: "counts" })
        .map((count) => reader.integer(count, { least: 0 }));
    return {
      ...rectangleIn(reader, at),
      sector: pair(fields.get("sector")),
      digests: reader
        .list(fields.get("digests"), { of: "digests" })
        .map((one) => ({ ...pair(one), digest: hashIn(reader, reader.record(one).get("digest")) })),
      terrain: counts("terrain", spec.terrains),
      placements: counts("placements", spec.placements),
    };
  };
}

export const hashedMeta: ReadMeta<HashedMeta> = (reader, at) => ({
  sha256: hashIn(reader, reader.record(at).get("sha256")),
});
