import { extname } from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { type Column, toCsv } from "../formats/index.js";
import {
  createMill,
  type KindSpec,
  type ObjectMaker,
  type ObjectTally,
  type TallyOptions,
  type TallyRow,
  tallyObjects,
  tallyRows,
} from "../index.js";
import { MAX_DEPTH, plainName, tvalWord } from "../objects/index.js";
import { type SortFlags, sortOptions, withSort } from "./objectAsk.js";
import { DIR_CONTENTS, readObjectTexts } from "./objectDir.js";
import { nameOfDir } from "./objectMake.js";
import { tallyPicture } from "./objectPicture.js";
import { integer, jsonOption, repeated, seedOption } from "./options.js";
import { unknownEnding } from "./rowWriters.js";
import { checkFolderOf, json, note, seedOr, withProgress, write, writeWhole } from "./terminal.js";

const MAX_OBJECTS = 2 ** 24;

interface StatsFlags extends SortFlags {
  readonly levels: readonly number[];
  readonly n: number;
  readonly seed?: string;
  readonly name?: string;
  readonly json?: boolean;
  readonly output?: readonly string[];
}

/** A tally, and what its picture is called. */
interface Counted {
  readonly tally: ObjectTally;
  readonly title: string;
}

const WRITERS: ReadonlyMap<string, (counted: Counted) => string> = new Map([
  ["csv", ({ tally }: Counted) => csvOf([...tallyRows(tally)])],
  ["svg", ({ tally, title }: Counted) => tallyPicture(tally, title)],
  ["json", ({ tally }: Counted) => jsonOf(tally)],
]);

/** Adds `rollmill object stats`. */
export function addObjectStats(object: Command): void {
  withSort(object.command("stats").argument("<dir>", DIR_CONTENTS))
    .description("make objects of many levels and count kinds, affixes, themes and artifacts by level, as CSV")
    .requiredOption("--levels <levels>", "depths, such as 1-100 or 1,5,10-20", levelsOption)
    .option("-n <objects>", "how many objects of each level", integer(1, MAX_OBJECTS), 1000)
    .addOption(seedOption())
    .option("--name <name>", "name that the objects go by (default: the folder's)")
    .addOption(jsonOption().conflicts("output"))
    .option("-o, --output <file>", "write them to a file: .csv, .svg (a picture) or .json; repeatable", repeated)
    .action(stats);
}

async function stats(folder: string, flags: StatsFlags): Promise<void> {
  const { levels, n, output = [], name = nameOfDir(folder) } = flags;
  const files = output.map((file) => ({ file, writer: writerFor(file) }));
  const { texts, paths } = await readObjectTexts(folder);
  for (const { file } of files) await checkFolderOf(file);
  const open = (seed: string) => createMill({ seed }).objects(name, texts, { files: paths });
  // whatever can be refused is refused before anything is printed, or a seed is made up
  const trial = open("");
  const asked = await sortOptions(trial, flags);
  for (const level of levels) trial.makeMany(0, { ...asked, level });
  const tally = count(open(seedOr(flags.seed)), { ...asked, levels, n });
  reportBarren(tally.withoutAffixes);
  if (output.length === 0) return write(flags.json ? jsonOf(tally) : csvOf([...tallyRows(tally)]));
  for (const { file, writer } of files) await writeWhole(file, writer({ tally, title: titleOf(name, flags) }));
}

function count(maker: ObjectMaker, options: TallyOptions): ObjectTally {
  return withProgress({ what: "making", unit: "objects" }, (onProgress) =>
    tallyObjects(maker, { ...options, onProgress }),
  );
}

function titleOf(name: string, { n, good, great, kind, tval }: StatsFlags): string {
  const quality = great ? "great " : good ? "good " : "";
  const only = [kind, tval].filter((part) => part !== undefined).map((part) => `, ${part} alone`);
  return `What ${quality}objects of ${name} are made of${only.join("")} (${n} of each level)`;
}

function writerFor(output: string): (counted: Counted) => string {
  const ending = extname(output).slice(1).toLowerCase();
  return WRITERS.get(ending) ?? unknownEnding(output, [...WRITERS.keys()]);
}

function csvOf(rows: readonly TallyRow[]): string {
  const text = (name: string, values: readonly string[]): Column => ({ kind: "text", name, values });
  return toCsv([
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
  ]);
}

function jsonOf(tally: ObjectTally): string {
  const withoutAffixes = tally.withoutAffixes.map((kind) => {
    return { number: kind.number, name: plainName(kind.name), tval: tvalWord(kind.tval) };
  });
  return json({ rows: [...tallyRows(tally)], withoutAffixes });
}

/** Names the kinds that can get no affix, type by type. */
function reportBarren(kinds: readonly KindSpec[]): void {
  for (const type of new Set(kinds.map(({ tval }) => tval))) {
    const own = kinds.filter(({ tval }) => tval === type).map(({ name }) => plainName(name));
    note(`can get no affix: ${tvalWord(type)}: ${own.join(", ")}`);
  }
}

function levelsOption(text: string): readonly number[] {
  const level = integer(0, MAX_DEPTH);
  const levels = text.split(",").flatMap((part) => {
    const [, from, to = from] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part) ?? [];
    if (from === undefined || level(to) < level(from)) {
      throw new InvalidArgumentError("It must be depths, such as 1-100 or 1,5,10-20.");
    }
    return Array.from({ length: level(to) - level(from) + 1 }, (_, i) => level(from) + i);
  });
  return [...new Set(levels)].sort((a, b) => a - b);
}
