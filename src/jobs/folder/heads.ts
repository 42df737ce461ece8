import { type Field, integer, list, record, type SpecReader } from "../../spec/index.js";
import type { Bounds } from "../../walks/map/chunk.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { HASH } from "./checked.js";
import type { OpenedJob } from "./manifest.js";
import { isFurtherPart, isSectorName } from "./names.js";

/** Everybody can write a part with correct checksums, so the heads are read like any other input. */

/** Cells have coordinates from −2³¹ to 2³¹ − 1. */
const LIMIT = 2 ** 31;
const COORDINATE = integer({ least: -LIMIT, most: LIMIT - 1 });
export const COUNT = integer({ least: 0 });
const PLACE = { i: COORDINATE, j: COORDINATE } as const;
const SECTOR = record(PLACE);
const DIGESTS = list(record({ ...PLACE, digest: HASH }), { of: "digests" });

export function rectangleIn(reader: SpecReader, at: Field): CellRectangle {
  const fields = reader.record(at);
  const [row0, col0] = ["row0", "col0"].map((key) => COORDINATE.read(reader, fields.get(key)));
  const side = (key: string, first: number) => reader.integer(fields.get(key), { least: 0, most: LIMIT - first });
  return { row0, col0, rows: side("rows", row0), cols: side("cols", col0) };
}

/** The head of the last part of a shard. `further` are the other parts. */
export type ShardMeta = ReturnType<ReturnType<typeof shardMeta>>;

export function shardMeta(name: string) {
  return (reader: SpecReader, at: Field, sections: readonly string[]) => {
    const fields = reader.record(at);
    for (const section of sections) {
      if (isSectorName(section)) continue;
      const problem = "invalid name of a section";
      reader.report(at, { problem, got: section, expected: "a name such as 0_-1" });
    }
    const further = reader.list(fields.get("further"), { of: "names of parts" });
    for (const [n, one] of further.entries()) {
      if (isFurtherPart(name, n, one.value)) continue;
      reader.report(one, { problem: "not the name of a further part of this shard", got: one.value });
    }
    return { steps: COUNT.read(reader, fields.get("steps")), further: further.map(({ value }) => `${value}`) };
  };
}

/** `bounds` is null if no cell was visited. */
export function layerMeta(reader: SpecReader, at: Field): { readonly bounds: Bounds | null } {
  const bounds = reader.record(at).get("bounds");
  if (bounds.value === null) return { bounds: null };
  const [row0, col0, row1, col1] = list(COORDINATE, { least: 4, most: 4, of: "coordinates" }).read(reader, bounds);
  if (row0 > row1 || col0 > col1) reader.report(bounds, { problem: "the first row or column is after the last one" });
  return { bounds: [row0, col0, row1, col1] };
}

/** The head of the part of a sector, with the digest of each region in it. */
export type CellsMeta = ReturnType<ReturnType<typeof cellsMeta>>;

export function cellsMeta({ spec }: Pick<OpenedJob, "spec">) {
  return (reader: SpecReader, at: Field) => {
    const fields = reader.record(at);
    const counts = (key: string, { length }: readonly unknown[]) =>
      list(COUNT, { least: length, most: length, of: "counts" }).read(reader, fields.get(key));
    return {
      ...rectangleIn(reader, at),
      sector: SECTOR.read(reader, fields.get("sector")),
      digests: DIGESTS.read(reader, fields.get("digests")),
      terrain: counts("terrain", spec.terrains),
      placements: counts("placements", spec.placements),
    };
  };
}

/** The other fields of the head are for people. */
export function hashedMeta(reader: SpecReader, at: Field): { readonly sha256: string } {
  return { sha256: HASH.read(reader, reader.record(at).get("sha256")) };
}
