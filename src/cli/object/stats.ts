import { type Command, InvalidArgumentError } from "commander";
import { type LineSeries, svgLines } from "../../formats/index.js";
import { createMill, toNumber } from "../../index.js";
import {
  type KindSpec,
  type LevelProperties,
  type LevelTally,
  MAX_DEPTH,
  type ObjectFiles,
  type ObjectTally,
  type PropertyTally,
  type TallyRow,
  tallyObjects,
  tallyProperties,
  tallyRows,
} from "../../objects/index.js";
import { plainName } from "../../objects/parse/names.js";
import { define, type Flags, option, required } from "../command.js";
import { documentText } from "../shared/documents.js";
import { checkOutput, endingOf, writeOrSummarise } from "../shared/files.js";
import { type Io, note, refuse, write } from "../shared/io.js";
import { chooseSeed, countOf, forkOf, integer, repeated, source } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { RAW_CELLS, rowsCsv, unknownEnding } from "../shared/rows.js";
import { SORT, sortOptions } from "./ask.js";
import { DIR, nameOfDir, readObjectDir } from "./dir.js";
import { type LevelShares, oddsCsv, oddsData, oddsOfLevels, oddsShares, STATES } from "./odds.js";

const MAX_OBJECTS = 2 ** 24;

const STATS = [
  ...SORT,
  required("--levels <levels>", "depths, such as 1-100 or 1,5,10-20", levelsOption),
  option("-n <objects>", "how many objects at each level", countOf(1, MAX_OBJECTS), 1000),
  option("--exact", "print exact probabilities of one object instead of counts; makes no objects").conflicts([
    "n",
    "seed",
    "name",
    "fork",
    "limit",
    "properties",
  ]),
  STATES,
  ...source("objects", "the folder's name"),
  option("--json", "print one JSON document").conflicts("output"),
  option("-o, --output <file>", "write the counts to a file: .csv, .svg (a picture) or .json; repeatable", repeated),
  option("--properties", "count properties instead: bonuses, stats, speed, resistances, slays and other flags"),
  RAW_CELLS,
] as const;

type StatsFlags = Flags<typeof STATS>;

/** The counts or the odds in each format. Counts of properties have no picture. */
interface Report {
  readonly csv: () => string;
  readonly json: () => string;
  readonly svg?: () => string;
}

const ENDINGS: readonly (keyof Report)[] = ["csv", "svg", "json"];

export function addObjectStats(object: Command, io: Io): void {
  const counting = "object stats {data/dungeon} --levels 1-10 -n 200 --seed moria";
  define(object.command("stats"), io, {
    examples: [counting, `${counting} -o stats.svg`, "object stats {data/dungeon} --levels 1-30 --exact"],
    takes: [DIR],
    description: "make objects at many levels; count kinds, affixes, themes and artifacts by level, as CSV",
    options: STATS,
    async run(flags, folder) {
      const { output = [], name = nameOfDir(io, folder) } = flags;
      const files = output.map((file) => ({ file, ending: formatOf(file) }));
      if (flags.properties === true) refusePictures(output);
      const edited = await readObjectDir(io, folder);
      for (const { file } of files) await checkOutput(io, file);
      const named = { ...flags, name };
      const report = flags.exact ? exactReport(io, edited, named) : await tallyReport(io, edited, named);
      if (output.length === 0) return write(io, flags.json ? report.json() : report.csv());
      for (const { file, ending } of files) {
        await writeOrSummarise(io, file, { content: report[ending] ?? report.csv, summary: report.csv });
      }
    },
  });
}

type NamedFlags = StatsFlags & { readonly name: string };

async function tallyReport(io: Io, files: ObjectFiles, flags: NamedFlags): Promise<Report> {
  const { levels, n, name } = flags;
  const { seed, announce } = chooseSeed(io, flags.seed);
  using mill = createMill({ seed });
  const maker = forkOf(mill.objects(name, files), flags);
  const head = { command: "object stats", seed, name, fork: flags.fork };
  const asked = await sortOptions(io, maker, flags);
  // checks all options before the command prints anything
  for (const level of levels) maker.makeMany(0, { ...asked, level });
  announce();
  const options = { ...asked, levels, n };
  const job = { what: "making", unit: "objects" };
  if (flags.properties === true) {
    const tally = withProgress(io, job, (onProgress) => tallyProperties(maker, { ...options, onProgress }));
    return { csv: () => propertyCsv(tally, flags), json: () => documentText(head, tally) };
  }
  const tally = withProgress(io, job, (onProgress) => tallyObjects(maker, { ...options, onProgress }));
  reportBarren(io, tally.withoutAffixes);
  return {
    csv: () => csvOf(tally, flags),
    svg: () => sharesPicture(tally.levels.map(tallyShares), titleOf(flags, `${n} at each level`)),
    json: () => documentText(head, dataOf(tally)),
  };
}

function exactReport(io: Io, files: ObjectFiles, flags: NamedFlags): Report {
  const { levels, good, great, kind, tval, affixLevel, artifacts, states, name } = flags;
  const found = oddsOfLevels(io, files, { levels, good, great, kind, tval, affixLevel, artifacts, states });
  for (const { level, odds } of found) {
    const distance = toNumber(odds.unexplored);
    if (distance > 0) note(io, `level ${level}: the odds are lower bounds, at most ${distance.toPrecision(3)} too low`);
  }
  return {
    csv: () => oddsCsv(found, flags),
    svg: () => sharesPicture(found.map(oddsShares), titleOf(flags, "exact odds")),
    json: () => documentText({ command: "object stats", name }, oddsData(found)),
  };
}

function titleOf({ name, good, great, kind, tval }: NamedFlags, basis: string): string {
  const quality = great ? "great " : good ? "good " : "";
  const only = [kind, tval].filter((part) => part !== undefined).map((part) => `, ${part} only`);
  return `Properties of ${quality}objects of ${name}${only.join("")} (${basis})`;
}

function formatOf(output: string): keyof Report {
  return ENDINGS.find((known) => known === endingOf(output)) ?? unknownEnding(output, ENDINGS);
}

function csvOf(tally: ObjectTally, flags: StatsFlags): string {
  const names = ["level", "type", "number", "name", "count", "share"] as const satisfies readonly (keyof TallyRow)[];
  const rows = Array.from(tallyRows(tally), (row) => names.map((name) => row[name]));
  return rowsCsv(names, rows, flags);
}

function dataOf(tally: ObjectTally) {
  const withoutAffixes = tally.withoutAffixes.map((kind) => {
    return { number: kind.number, name: plainName(kind.fullName), tval: kind.type.word };
  });
  const rows = [...tallyRows(tally)];
  return { rows, first: firstLevels(rows), withoutAffixes };
}

/** Returns each record once, with the first level at which it occurred. */
function firstLevels(rows: readonly TallyRow[]) {
  const first = new Map<string, Pick<TallyRow, "type" | "number" | "name" | "level">>();
  for (const { type, number, name, level } of rows) {
    const key = `${type} ${number}`;
    if (number !== null && !first.has(key)) first.set(key, { type, number, name, level });
  }
  return [...first.values()];
}

/** Prints the kinds that can never have an affix, one line for each type. */
function reportBarren(io: Io, kinds: readonly KindSpec[]): void {
  for (const type of new Set(kinds.map((kind) => kind.type))) {
    const own = kinds.filter((kind) => kind.type === type).map(({ fullName }) => plainName(fullName));
    note(io, `kinds of type ${type.word} that can never have an affix: ${own.join(", ")}`);
  }
}

function levelsOption(text: string): readonly number[] {
  const level = integer(0, MAX_DEPTH);
  const levels = text.split(",").flatMap((part) => {
    const [, from, to = from] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part) ?? [];
    if (from === undefined || level(to) < level(from)) {
      throw new InvalidArgumentError("Expected depths, such as 1-100 or 1,5,10-20.");
    }
    return Array.from({ length: level(to) - level(from) + 1 }, (_, i) => level(from) + i);
  });
  return [...new Set(levels)].sort((a, b) => a - b);
}

/** Maximum number of affixes, or of themes, that have a line in a chart. */
const TOP = 8;

type Named = Pick<KindSpec, "number" | "name">;

function tallyShares({ level, objects, affixCounts, affixes, themes, artifacts }: LevelTally): LevelShares {
  const shares = (counts: ReadonlyMap<Named, number>) =>
    new Map([...counts].map(([record, count]) => [record, count / objects]));
  return {
    level,
    affixCounts: affixCounts.map((count) => count / objects),
    affixes: shares(affixes),
    themes: shares(themes),
    artifacts: shares(artifacts),
  };
}

function sharesPicture(levels: readonly LevelShares[], title: string): string {
  const share = (name: string, shareOf: (own: LevelShares) => number): LineSeries => ({
    name,
    points: new Map(levels.map((own) => [own.level, shareOf(own)])),
  });
  const counts = levels[0].affixCounts.flatMap((_, count) =>
    levels.some(({ affixCounts }) => affixCounts[count] > 0)
      ? [share(count === 1 ? "1 affix" : `${count} affixes`, ({ affixCounts }) => affixCounts[count])]
      : [],
  );
  const top = (mapOf: (own: LevelShares) => ReadonlyMap<Named, number>) =>
    mostFrequent(levels.map(mapOf)).map((record) => share(record.name, (own) => mapOf(own).get(record) ?? 0));
  const heights = "share of objects";
  const sum = (shares: ReadonlyMap<Named, number>) => [...shares.values()].reduce((a, b) => a + b, 0);
  const special = [
    share("any theme", ({ themes }) => sum(themes)),
    share("an artifact", ({ artifacts }) => sum(artifacts)),
  ];
  return svgLines(
    [
      { title: "Number of affixes", heights, series: counts },
      { title: "Themes and artifacts", heights, series: [...special, ...top(({ themes }) => themes)] },
      { title: "The most frequent affixes", heights, series: top(({ affixes }) => affixes) },
    ],
    { title, values: "level" },
  );
}

/** Returns the records with the highest shares, summed over all levels. Equal shares are sorted by number. */
function mostFrequent(levels: readonly ReadonlyMap<Named, number>[]): readonly Named[] {
  const totals = new Map<Named, number>();
  for (const shares of levels)
    for (const [record, share] of shares) totals.set(record, (totals.get(record) ?? 0) + share);
  const sorted = [...totals].sort(([a, more], [b, less]) => less - more || a.number - b.number);
  return sorted.slice(0, TOP).map(([record]) => record);
}

/** Refuses an .svg file as output: the counts of properties have no picture. */
function refusePictures(output: readonly string[]): void {
  const picture = output.find((file) => endingOf(file) === "svg");
  if (picture === undefined) return;
  const [expected, remedy] = ["a file that ends in .csv or .json", "Omit --properties, or write another file"];
  refuse("properties cannot be written as a picture", { got: picture, expected, remedy });
}

const MEAN_DECIMALS = 4;
const COLUMNS = ["level", "group", "property", "band", "count", "share", "least", "mean", "most", "first_level"];

function propertyCsv({ levels, first }: PropertyTally, flags: StatsFlags): string {
  const firstOf = new Map(first.map(({ name, band, level }) => [`${name} ${band}`, level]));
  const rows = levels.flatMap((level) => rowsOf(level, firstOf));
  return rowsCsv(COLUMNS, rows, flags);
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
