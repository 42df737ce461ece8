import { extname } from "node:path";
import { error, fail } from "../errors/index.js";
import { type Column, toCsv } from "../formats/index.js";
import {
  type LevelProperties,
  type ObjectMaker,
  type PropertyTally,
  type TallyOptions,
  tallyProperties,
} from "../objects/index.js";
import { documentText, type Head } from "./envelope.js";
import { type Io, write } from "./io.js";
import { writeOrSummarise } from "./outputFile.js";
import { withProgress } from "./progress.js";

/**
 * Refuses an .svg file as output. `object stats` can draw the shares of affixes, themes and artifacts, but it cannot
 * draw the counts of properties.
 */
export function refusePictures(output: readonly string[]): void {
  const picture = output.find((file) => extname(file).toLowerCase() === ".svg");
  if (picture === undefined) return;
  fail(
    error("cli.usage", {
      problem: "properties cannot be written as a picture",
      got: picture,
      expected: "a file that ends in .csv or .json",
      remedy: "Omit --properties, or write another file",
    }),
  );
}

export async function printProperties(
  io: Io,
  maker: ObjectMaker,
  {
    options,
    output,
    rawCells,
    json: asJson,
    head,
  }: {
    readonly options: TallyOptions;
    readonly output: readonly string[];
    readonly rawCells: boolean;
    readonly json: boolean;
    readonly head: Head;
  },
): Promise<void> {
  const tally = withProgress(io, { what: "making", unit: "objects" }, (onProgress) =>
    tallyProperties(maker, { ...options, onProgress }),
  );
  const csv = () => propertyCsv(tally, rawCells);
  const document = () => documentText(head, tally);
  if (output.length === 0) return write(io, asJson ? document() : csv());
  for (const file of output) {
    const isJson = extname(file).toLowerCase() === ".json";
    await writeOrSummarise(io, file, { content: isJson ? document : csv, summary: csv });
  }
}

const MEAN_DECIMALS = 4;

function propertyCsv({ levels, first }: PropertyTally, rawCells: boolean): string {
  const firstOf = new Map(first.map(({ name, band, level }) => [`${name} ${band}`, level]));
  const rows = levels.flatMap((level) => rowsOf(level, firstOf));
  const names = ["level", "group", "property", "band", "count", "share", "least", "mean", "most", "first_level"];
  const columns = names.map(
    (name, i): Column => ({ kind: "text", name, values: rows.map((row) => String(row[i] ?? "")) }),
  );
  return toCsv(columns, { rawCells });
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
