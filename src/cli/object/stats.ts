import { type Command, InvalidArgumentError } from "commander";
import { createMill, toNumber } from "../../index.js";
import {
  type KindSpec,
  MAX_DEPTH,
  type ObjectFiles,
  type ObjectTally,
  type TallyRow,
  tallyObjects,
  tallyRows,
} from "../../objects/index.js";
import { plainName } from "../../objects/parse/nouns.js";
import { define, type Flags, option, required } from "../command.js";
import { documentText, type Head } from "../shared/documents.js";
import { checkOutput, endingOf, writeOrSummarise } from "../shared/files.js";
import { type Io, note, write } from "../shared/io.js";
import { chooseSeed, countOf, forkOf, integer, repeated, source } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { RAW_CELLS, rowsCsv, unknownEnding } from "../shared/rows.js";
import { SORT, sortOptions } from "./ask.js";
import { DIR, nameOfDir, readObjectDir } from "./dir.js";
import { sharesPicture, tallyShares } from "./picture.js";
import { propertyReport, refusePictures } from "./properties.js";
import { oddsCsv, oddsData, oddsOfLevels, oddsShares, STATES } from "./whole.js";

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
  const { levels, n, name, rawCells } = flags;
  const { seed, announce } = chooseSeed(io, flags.seed);
  using mill = createMill({ seed });
  const maker = forkOf(mill.objects(name, files), flags);
  const head = { command: "object stats", seed, name, fork: flags.fork };
  const asked = await sortOptions(io, maker, flags);
  // checks all options before the command prints anything
  for (const level of levels) maker.makeMany(0, { ...asked, level });
  announce();
  const options = { ...asked, levels, n };
  if (flags.properties === true) return propertyReport(io, maker, options, { head, rawCells });
  const tally = withProgress(io, { what: "making", unit: "objects" }, (onProgress) =>
    tallyObjects(maker, { ...options, onProgress }),
  );
  reportBarren(io, tally.withoutAffixes);
  return {
    csv: () => csvOf(tally, flags),
    svg: () => sharesPicture(tally.levels.map(tallyShares), titleOf(flags, `${n} at each level`)),
    json: () => jsonOf(head, tally),
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
  const cells = Object.fromEntries(names.map((name) => [name, (row: TallyRow) => row[name]]));
  return rowsCsv([...tallyRows(tally)], cells, flags);
}

function jsonOf(head: Head, tally: ObjectTally): string {
  const withoutAffixes = tally.withoutAffixes.map((kind) => {
    return { number: kind.number, name: plainName(kind.fullName), tval: kind.type.word };
  });
  const rows = [...tallyRows(tally)];
  return documentText(head, { rows, first: firstLevels(rows), withoutAffixes });
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
