import type { Field, SpecReader } from "../../spec/index.js";
import type { Bounds } from "../../walks/map/chunk.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import type { RegionDigest } from "../../worlds/digest.js";
import type { Sector } from "../types.js";
import { hashIn } from "./checked.js";
import type { OpenedJob } from "./manifest.js";
import { isFurtherPart, isSectorName } from "./names.js";
import type { ReadMeta } from "./part.js";

/** Everybody can write a part with correct checksums, so the heads are read like any other input. */

/** The head of the last part of a shard. `further` are the other parts. */
export interface ShardMeta {
  readonly steps: number;
  readonly further: readonly string[];
}

export interface LayerMeta {
  /** null if no cell was visited. */
  readonly bounds: Bounds | null;
}

/** The head of the part of a sector. */
export interface CellsMeta extends CellRectangle {
  readonly sector: Sector;
  /** The digest of each region that has cells in the sector and in the extent of the job. */
  readonly digests: readonly RegionDigest[];
  readonly terrain: readonly number[];
  readonly placements: readonly number[];
}

interface HashedMeta {
  readonly sha256: string;
}

/** Cells have coordinates from −2³¹ to 2³¹ − 1. */
const LIMIT = 2 ** 31;
const COORDINATE = { least: -LIMIT, most: LIMIT - 1 };

export function rectangleIn(reader: SpecReader, at: Field): CellRectangle {
  const fields = reader.record(at);
  const [row0, col0] = ["row0", "col0"].map((key) => reader.integer(fields.get(key), COORDINATE));
  const side = (key: string, first: number) => reader.integer(fields.get(key), { least: 0, most: LIMIT - first });
  return { row0, col0, rows: side("rows", row0), cols: side("cols", col0) };
}

export function shardMeta(name: string): ReadMeta<ShardMeta> {
  return (reader, at, sections) => {
    const fields = reader.record(at);
    for (const section of sections) {
      if (isSectorName(section)) continue;
      const problem = "a section is not that of a sector";
      reader.report(at, { problem, got: section, expected: "a name such as 0_-1" });
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
