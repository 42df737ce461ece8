import { error, fail } from "../../errors/index.js";
import {
  type LevelProperties,
  type ObjectMaker,
  type PropertyTally,
  type TallyOptions,
  tallyProperties,
} from "../../objects/index.js";
import { documentText, type Head } from "../shared/documents.js";
import { endingOf } from "../shared/files.js";
import type { Io } from "../shared/io.js";
import { withProgress } from "../shared/progress.js";
import { type CellFlags, rowsCsv } from "../shared/rows.js";

/** Refuses an .svg file as output: the counts of properties have no picture. */
export function refusePictures(output: readonly string[]): void {
  const picture = output.find((file) => endingOf(file) === "svg");
  if (picture === undefined) return;
  const problem = "properties cannot be written as a picture";
  const [expected, remedy] = ["a file that ends in .csv or .json", "Omit --properties, or write another file"];
  fail(error("cli.usage", { problem, got: picture, expected, remedy }));
}

export function propertyReport(
  io: Io,
  maker: ObjectMaker,
  options: TallyOptions,
  { head, ...csv }: CellFlags & { readonly head: Head },
) {
  const tally = withProgress(io, { what: "making", unit: "objects" }, (onProgress) =>
    tallyProperties(maker, { ...options, onProgress }),
  );
  return { csv: () => propertyCsv(tally, csv), json: () => documentText(head, tally) };
}

const MEAN_DECIMALS = 4;
const COLUMNS = ["level", "group", "property", "band", "count", "share", "least", "mean", "most", "first_level"];

function propertyCsv({ levels, first }: PropertyTally, flags: CellFlags): string {
  const firstOf = new Map(first.map(({ name, band, level }) => [`${name} ${band}`, level]));
  const cells = Object.fromEntries(COLUMNS.map((name, i) => [name, (row: Row) => row[i]]));
  const rows = levels.flatMap((level) => rowsOf(level, firstOf));
  return rowsCsv(rows, cells, flags);
}

type Row = readonly (string | number | undefined)[];

/**
 * Returns the rows of a level. The first three rows count all objects, the objects with a good property, and the
 * objects with a bad property. Then each property has a row.
 */
function rowsOf(
  { level, objects, good, bad, properties }: LevelProperties,
  firstOf: ReadonlyMap<string, number>,
): Row[] {
  const band = (name: string, count: number): Row => [level, "objects", "any", name, count, count / objects];
  return [
    [level, "objects", "all", "", objects, 1],
    band("good", good),
    band("bad", bad),
    ...properties.map(({ group, name, band: own, count, least, mean, most }): Row => {
      const rounded = Number(mean.toFixed(MEAN_DECIMALS));
      return [level, group, name, own, count, count / objects, least, rounded, most, firstOf.get(`${name} ${own}`)];
    }),
  ];
}
