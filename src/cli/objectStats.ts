import { extname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type Column, type CsvOptions, toCsv } from "../formats/index.js";
import { createMill } from "../index.js";
import {
  type KindSpec,
  MAX_DEPTH,
  type ObjectMaker,
  type ObjectTally,
  type TallyOptions,
  tallyRows,
} from "../objects/index.js";
import { plainName } from "../objects/parse/nouns.js";
import { documentText, type Head } from "./envelope.js";
import { withExamples } from "./examples.js";
import { type ForkFlags, forkOf, forkOption } from "./forks.js";
import { type Io, note, write } from "./io.js";
import { type SortFlags, sortOptions, withSort } from "./objectAsk.js";
import { DIR_CONTENTS, readObjectDir } from "./objectDir.js";
import { nameOfDir } from "./objectMake.js";
import { tallyPicture } from "./objectPicture.js";
import { chooseSeed, countOf, integer, jsonOption, repeated, seedOption } from "./options.js";
import { checkOutput, writeOrSummarise } from "./outputFile.js";
import { withProgress } from "./progress.js";
import { rawCellsOption, unknownEnding } from "./rowWriters.js";

const MAX_OBJECTS = 2 ** 24;

interface StatsFlags extends SortFlags, ForkFlags {
  readonly levels: readonly number[];
  readonly n: number;
  readonly seed?: string;
  readonly name?: string;
  readonly json?: boolean;
  readonly rawCells?: boolean;
  readonly output?: readonly string[];
}

/** A tally, the head of its JSON document, the title of its picture, and the form of its CSV. */
interface Counted {
  readonly head: Head;
  readonly tally: ObjectTally;
  readonly title: string;
  readonly rawCells: boolean;
}

const WRITERS: ReadonlyMap<string, (counted: Counted) => string> = new Map([
  ["csv", ({ tally, rawCells }: Counted) => csvOf(tally, { rawCells })],
  ["svg", ({ tally, title }: Counted) => tallyPicture(tally, title)],
  ["json", ({ head, tally }: Counted) => jsonOf(head, tally)],
]);

/** Adds `rollmill object stats`. */
export function addObjectStats(object: Command, io: Io): void {
  const counting = "object stats {data/dungeon} --levels 1-10 -n 200 --seed moria";
  withSort(
    withExamples(object.command("stats"), io, counting, `${counting} -o stats.svg`).argument("<dir>", DIR_CONTENTS),
  )
    .description("make objects at many levels; count kinds, affixes, themes and artifacts by level, as CSV")
    .requiredOption("--levels <levels>", "depths, such as 1-100 or 1,5,10-20", levelsOption)
    .option("-n <objects>", "how many objects at each level", countOf(1, MAX_OBJECTS), 1000)
    .addOption(seedOption())
    .option("--name <name>", "objects depend on the seed and this name (default: the folder's name)")
    .addOption(forkOption())
    .addOption(jsonOption().conflicts("output"))
    .option("-o, --output <file>", "write the counts to a file: .csv, .svg (a picture) or .json; repeatable", repeated)
    .addOption(rawCellsOption())
    .action((folder: string, flags: StatsFlags) => stats(io, folder, flags));
}

async function stats(io: Io, folder: string, flags: StatsFlags): Promise<void> {
  const { levels, n, output = [], name = nameOfDir(io, folder), rawCells = false } = flags;
  const files = output.map((file) => ({ file, writer: writerFor(file) }));
  const edited = await readObjectDir(io, folder);
  for (const { file } of files) await checkOutput(io, file);
  const { seed, announce } = chooseSeed(io, flags.seed);
  using mill = createMill({ seed });
  const maker = forkOf(mill.objects(name, edited), flags);
  const asked = await sortOptions(io, maker, flags);
  // check all options before the command prints anything
  for (const level of levels) maker.makeMany(0, { ...asked, level });
  announce();
  const tally = count(io, maker, { ...asked, levels, n });
  reportBarren(io, tally.withoutAffixes);
  const head = { command: "object stats", seed, name, fork: flags.fork };
  if (output.length === 0) return write(io, flags.json ? jsonOf(head, tally) : csvOf(tally, { rawCells }));
  const counted = { head, tally, title: titleOf(name, flags), rawCells };
  for (const { file, writer } of files) {
    await writeOrSummarise(io, file, { content: () => writer(counted), summary: () => csvOf(tally, { rawCells }) });
  }
}

function count(io: Io, maker: ObjectMaker, options: TallyOptions): ObjectTally {
  return withProgress(io, { what: "making", unit: "objects" }, (onProgress) => maker.tally({ ...options, onProgress }));
}

function titleOf(name: string, { n, good, great, kind, tval }: StatsFlags): string {
  const quality = great ? "great " : good ? "good " : "";
  const only = [kind, tval].filter((part) => part !== undefined).map((part) => `, ${part} only`);
  return `Properties of ${quality}objects of ${name}${only.join("")} (${n} at each level)`;
}

function writerFor(output: string): (counted: Counted) => string {
  const ending = extname(output).slice(1).toLowerCase();
  return WRITERS.get(ending) ?? unknownEnding(output, [...WRITERS.keys()]);
}

function csvOf(tally: ObjectTally, options: CsvOptions): string {
  const rows = [...tallyRows(tally)];
  const text = (name: string, values: readonly string[]): Column => ({ kind: "text", name, values });
  const columns: readonly Column[] = [
    { kind: "integer", name: "level", values: Int32Array.from(rows, ({ level }) => level) },
    text(
      "type",
      rows.map(({ type }) => type),
    ),
    text(
      "number",
      rows.map(({ number }) => String(number ?? "")),
    ),
    text(
      "name",
      rows.map(({ name }) => name),
    ),
    { kind: "integer", name: "count", values: Int32Array.from(rows, (row) => row.count) },
    text(
      "share",
      rows.map(({ share }) => String(share)),
    ),
  ];
  return toCsv(columns, options);
}

function jsonOf(head: Head, tally: ObjectTally): string {
  const withoutAffixes = tally.withoutAffixes.map((kind) => {
    return { number: kind.number, name: plainName(kind.fullName), tval: kind.type.word };
  });
  return documentText(head, { rows: [...tallyRows(tally)], withoutAffixes });
}

/** Prints the kinds that can get no affix, one line for each type. */
function reportBarren(io: Io, kinds: readonly KindSpec[]): void {
  for (const type of new Set(kinds.map((kind) => kind.type))) {
    const own = kinds.filter((kind) => kind.type === type).map(({ fullName }) => plainName(fullName));
    note(io, `kinds of type ${type.word} that can get no affix: ${own.join(", ")}`);
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
