import { type Command, InvalidArgumentError } from "commander";
import { type LineSeries, svgLines } from "../../formats/index.js";
import { createMill, toNumber } from "../../index.js";
import {
  type KindSpec,
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
import { documentText, RAW_CELLS, rowsCsv, unknownEnding } from "../shared/documents.js";
import { checkOutput, endingOf, writeOrSummarise } from "../shared/files.js";
import { type Io, note, refuse, write } from "../shared/io.js";
import { chooseSeed, countOf, forkOf, integer, repeated, source } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { oddsCsv, oddsData, oddsOfLevels, oddsRows, STATES } from "./odds.js";
import { DIR, nameOfDir, readObjectDir, SORT, sortOptions } from "./source.js";

const MAX_OBJECTS = 2 ** 24;

const TALLIED = ["level", "type", "number", "name", "count", "share"] as const;
const COUNTED = ["n", "seed", "name", "fork", "limit", "properties"];
const STATS = [
  ...SORT,
  required("--levels <levels>", "depths, such as 1-100 or 1,5,10-20", levelsOption),
  option("-n <objects>", "how many objects at each level", countOf(1, MAX_OBJECTS), 1000),
  option("--exact", "print exact probabilities of one object instead of counts; makes no objects").conflicts(COUNTED),
  STATES,
  ...source("objects", "the folder's name"),
  option("--json", "print one JSON document").conflicts("output"),
  option("-o, --output <file>", "write the counts to a file: .csv, .svg (a picture) or .json; repeatable", repeated),
  option("--properties", "count properties instead: bonuses, stats, speed, resistances, slays and other flags"),
  RAW_CELLS,
] as const;

type StatsFlags = Flags<typeof STATS>;
type NamedFlags = StatsFlags & { readonly name: string };

/** The counts or the odds as CSV, JSON and SVG. Counts of properties have no SVG. */
interface Report {
  readonly csv: () => string;
  readonly json: () => string;
  readonly svg?: () => string;
}

const ENDINGS: readonly (keyof Report)[] = ["csv", "svg", "json"];

function formatOf(file: string): keyof Report {
  return ENDINGS.find((known) => known === endingOf(file)) ?? unknownEnding(file, ENDINGS);
}

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
      const picture = files.find(({ ending }) => ending === "svg")?.file;
      if (flags.properties && picture !== undefined) {
        const [expected, remedy] = ["a file that ends in .csv or .json", "Omit --properties, or write another file"];
        refuse("properties cannot be written as a picture", { got: picture, expected, remedy });
      }
      const edited = await readObjectDir(io, folder);
      for (const { file } of files) await checkOutput(io, file);
      const named = { ...flags, name };
      const report = await (flags.exact ? exactReport : tallyReport)(io, edited, named);
      if (output.length === 0) return write(io, flags.json ? report.json() : report.csv());
      for (const { file, ending } of files) {
        await writeOrSummarise(io, file, { content: report[ending] ?? report.csv, summary: report.csv });
      }
    },
  });
}

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
    const tally = await withProgress(io, job, (onProgress) => tallyProperties(maker, { ...options, onProgress }));
    return { csv: () => propertyCsv(tally, flags), json: () => documentText(head, tally) };
  }
  const tally = await withProgress(io, job, (onProgress) => tallyObjects(maker, { ...options, onProgress }));
  reportBarren(io, tally.withoutAffixes);
  const rows = [...tallyRows(tally)];
  const cells = rows.map((row) => TALLIED.map((name) => row[name]));
  return {
    csv: () => rowsCsv(TALLIED, cells, flags),
    svg: () => sharesPicture(rows, titleOf(flags, `${n} at each level`)),
    json: () => documentText(head, dataOf(rows, tally)),
  };
}

async function exactReport(io: Io, files: ObjectFiles, flags: NamedFlags): Promise<Report> {
  const { levels, good, great, kind, tval, affixLevel, artifacts, states, name } = flags;
  const found = await oddsOfLevels(io, files, { levels, good, great, kind, tval, affixLevel, artifacts, states });
  for (const { level, odds } of found) {
    const distance = toNumber(odds.unexplored);
    if (distance > 0) note(io, `level ${level}: the odds are lower bounds, at most ${distance.toPrecision(3)} too low`);
  }
  return {
    csv: () => oddsCsv(found, flags),
    svg: () => {
      const rows = found.flatMap(oddsRows).map(({ share, ...row }) => ({ ...row, share: toNumber(share) }));
      return sharesPicture(rows, titleOf(flags, "exact odds"));
    },
    json: () => documentText({ command: "object stats", name }, oddsData(found)),
  };
}

function titleOf({ name, good, great, kind, tval }: NamedFlags, basis: string): string {
  const quality = great ? "great " : good ? "good " : "";
  const only = [kind, tval].filter((part) => part !== undefined).map((part) => `, ${part} only`);
  return `Properties of ${quality}objects of ${name}${only.join("")} (${basis})`;
}

function dataOf(rows: readonly TallyRow[], tally: ObjectTally) {
  const withoutAffixes = tally.withoutAffixes.map((kind) => {
    return { number: kind.number, name: plainName(kind.fullName), tval: kind.type.word };
  });
  /** For each record, the first level at which it occurred. */
  const first = new Map<string, Pick<TallyRow, "type" | "number" | "name" | "level">>();
  for (const { type, number, name, level } of rows) {
    const key = `${type} ${number}`;
    if (number !== null && !first.has(key)) first.set(key, { type, number, name, level });
  }
  return { rows, first: [...first.values()], withoutAffixes };
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

type ShareRow = Omit<TallyRow, "count">;

function sharesPicture(rows: readonly ShareRow[], title: string): string {
  const levels = [...new Set(rows.map(({ level }) => level))];
  const line = (name: string, own: readonly ShareRow[]): LineSeries => {
    const points = new Map(levels.map((level) => [level, 0]));
    for (const { level, share } of own) points.set(level, (points.get(level) ?? 0) + share);
    return { name, points };
  };
  const ofType = (type: TallyRow["type"]) => rows.filter((row) => row.type === type && row.share > 0);
  const counts = recordsOf(ofType("affixes"), "name").sort(([a], [b]) => Number(a.name) - Number(b.name));
  const top = (type: TallyRow["type"]) => mostFrequent(ofType(type)).map((own) => line(own[0].name, own));
  const heights = "share of objects";
  const special = [line("any theme", ofType("theme")), line("an artifact", ofType("artifact")), ...top("theme")];
  return svgLines(
    [
      {
        title: "Number of affixes",
        heights,
        series: counts.map((own) => line(own[0].name === "1" ? "1 affix" : `${own[0].name} affixes`, own)),
      },
      { title: "Themes and artifacts", heights, series: special },
      { title: "The most frequent affixes", heights, series: top("affix") },
    ],
    { title, values: "level" },
  );
}

/** Returns the rows of the TOP records by sum of shares over all levels. After a tie, the lower number comes first. */
function mostFrequent(rows: readonly ShareRow[]): readonly ShareRow[][] {
  const total = (own: readonly ShareRow[]) => own.reduce((sum, { share }) => sum + share, 0);
  const records = recordsOf(rows, "number");
  return records.sort((a, b) => total(b) - total(a) || Number(a[0].number) - Number(b[0].number)).slice(0, TOP);
}

/** Groups rows by the value of `key`. */
function recordsOf(rows: readonly ShareRow[], key: "name" | "number"): ShareRow[][] {
  const records = new Map<unknown, ShareRow[]>();
  for (const row of rows) records.set(row[key], [...(records.get(row[key]) ?? []), row]);
  return [...records.values()];
}

const MEAN_DECIMALS = 4;
const COLUMNS = ["level", "group", "property", "band", "count", "share", "least", "mean", "most", "first_level"];

function propertyCsv({ levels, first }: PropertyTally, flags: StatsFlags): string {
  const firstOf = new Map(first.map(({ name, band, level }) => [`${name} ${band}`, level]));
  const rows = levels.flatMap((level) => rowsOf(level, firstOf));
  return rowsCsv(COLUMNS, rows, flags);
}

/** Returns rows of counts: all objects, objects with a good property, objects with a bad one, then each property. */
function rowsOf(
  { level, objects, good, bad, properties }: PropertyTally["levels"][number],
  firstOf: ReadonlyMap<string, number>,
) {
  const band = (name: string, count: number) => [level, "objects", "any", name, count, count / objects];
  return [
    [level, "objects", "all", "", objects, 1],
    band("good", good),
    band("bad", bad),
    ...properties.map(({ group, name, band: own, count, least, mean, most }) => {
      const rounded = Number(mean.toFixed(MEAN_DECIMALS));
      return [level, group, name, own, count, count / objects, least, rounded, most, firstOf.get(`${name} ${own}`)];
    }),
  ];
}
