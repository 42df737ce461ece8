import type { Command } from "commander";
import { checkRange } from "../../calls/index.js";
import { didYouMean, error, fail } from "../../errors/index.js";
import type { Column } from "../../formats/index.js";
import { createMill, type Issue, RollmillError } from "../../index.js";
import { compileObjects } from "../../objects/compile.js";
import {
  checkObjectFiles,
  MAX_DEPTH,
  type MadeObjects,
  type ObjectFiles,
  type ObjectPart,
  type PartSpecs,
} from "../../objects/index.js";
import { listConstants } from "../../objects/law/constants.js";
import { NO_TVAL } from "../../objects/law/tvals.js";
import {
  affixNamed,
  artifactNamed,
  kindNamed,
  plainName,
  themeNamed,
  tvalNamed,
  withoutCase,
} from "../../objects/parse/names.js";
import { describeText } from "../../objects/show/describe.js";
import { type ListedRecord, listRecords, type RecordWords, recordWords } from "../../objects/show/recordWords.js";
import { choice, define, type Flags, option } from "../command.js";
import {
  chanceText,
  chosenWriter,
  formats,
  putResults,
  type Rows,
  report,
  reportIssues,
  withProbability,
  writeBatches,
} from "../shared/documents.js";
import { checkOutput } from "../shared/files.js";
import { type Io, note, refuse } from "../shared/io.js";
import { chooseSeed, forkOf, integer, JSON_DOCUMENT, range, source } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { addObjectOdds } from "./odds.js";
import { ASKED, DIR, dirHead, NAMING, objectOptions, parseObjectDir, readNaming, readObjectDir } from "./source.js";
import { addObjectStats } from "./stats.js";

const SORTS: readonly ObjectPart[] = ["kind", "affix", "theme", "artifact"];

const NAMED = { kind: kindNamed, affix: affixNamed, theme: themeNamed, artifact: artifactNamed };

function addObjectShow(object: Command, io: Io): void {
  const dungeon = "object show {data/dungeon}";
  define(object.command("show"), io, {
    examples: ["object show {data/lighthouse} Hawser", `${dungeon} Steady`, dungeon],
    takes: [DIR, ["[record]", "name of a kind, an affix, a theme or an artifact; with --of, its name or number"]],
    description:
      "show a record in plain words: what it means, where it occurs, at which levels, and its exact odds; " +
      "without a record, show the constants of the rules (version 4 only)",
    options: [choice("--of <sort>", "the sort of the record", SORTS), JSON_DOCUMENT],
    async run(flags, folder, name) {
      const { of } = flags;
      if (name === undefined && of !== undefined) {
        refuse("--of needs the name of a record", { remedy: "Name a record, or use object list" });
      }
      const files = await readObjectDir(io, folder);
      const head = dirHead(io, folder, "show");
      if (name === undefined) {
        const isFixed = files.rules === "4.2";
        const data = () => (isFixed ? {} : files.constants);
        return report(io, flags, {
          head,
          data,
          lines: () => (isFixed ? [NO_CONSTANTS] : listConstants(files).map(constantLine)),
        });
      }
      const words = of === undefined ? wordsNamed(files, name) : wordsOf(files, of, name);
      await report(io, flags, {
        head,
        data: () => {
          const chances = words.chances.map(({ chance, ...rest }) => ({ ...rest, chance: withProbability(chance) }));
          return { ...words, chances };
        },
        lines: () => recordLines(words),
      });
    },
  });
}

const NO_CONSTANTS = "files of Angband 4.2 have no constants; to show a record, name it (object list has the names)";

function constantLine({ path, value, usual }: ReturnType<typeof listConstants>[number]): string {
  return `${path}\t${value}${value === usual ? "" : `\t(usually ${usual})`}`;
}

function wordsOf<Sort extends ObjectPart>(files: ObjectFiles, sort: Sort, name: string): RecordWords {
  // the cast is safe: the function finds records of this sort
  return recordWords(files, sort, NAMED[sort](files, name) as PartSpecs[Sort]);
}

function namesOf(files: ObjectFiles, sort: ObjectPart): readonly string[] {
  const { kinds, affixes, themes, artifacts } = files;
  if (sort !== "kind") return { affix: affixes, theme: themes, artifact: artifacts }[sort].map((one) => one.name);
  const real = kinds.filter(({ tval }) => tval !== NO_TVAL);
  return real.flatMap(({ name, fullName }) => [plainName(fullName), plainName(name)]);
}

/** Finds the record with this name among all sorts, and describes it. */
function wordsNamed(files: ObjectFiles, name: string): RecordWords {
  const found = SORTS.flatMap((sort) => {
    const own = namesOf(files, sort).find((one) => withoutCase(one) === withoutCase(name));
    return own === undefined ? [] : [{ sort, own }];
  });
  if (found.length === 1) return wordsOf(files, found[0].sort, found[0].own);
  const known = SORTS.flatMap((sort) => namesOf(files, sort));
  if (found.length > 1) {
    const expected = found.map(({ sort }) => `--of ${sort}`).join(" or ");
    const problem = "records of several sorts have this name";
    return fail(error("object.name", { problem, got: name, expected, remedy: "Add --of" }));
  }
  const expected = "the name of a kind, an affix, a theme or an artifact";
  const remedy = didYouMean(name, known, "Pass a name that object list prints, or --of and a number");
  return fail(error("object.name", { problem: "no record has this name", got: name, expected, ...remedy }));
}

function recordLines({ sort, number, name, place, description, means, found, ...odds }: RecordWords): string[] {
  const at = place.file === undefined ? "" : `, ${place.file}:${place.line}`;
  const said = [...(description === "" ? [] : [description]), ...means];
  const chances = odds.chances.map(({ level, of, chance }) => `${of} at level ${level}\t${chanceText(chance)}`);
  return [
    `${name} (${sort} ${number}${at})`,
    ...said.map((line) => `  ${line}`),
    "found:",
    ...found.map((line) => `  ${line}`),
    ...(chances.length === 0 ? [] : [`${odds.chancesOf}:`]),
    ...chances.map((line) => `  ${line}`),
  ];
}

function addObjectList(object: Command, io: Io): void {
  define(object.command("list"), io, {
    examples: ["object list {data/dungeon} --of affix --tval sword", "object list {data/dungeon} --level 30 --csv"],
    takes: [DIR],
    description: "list the kinds, affixes, themes and artifacts: sort, number, name, types and depths",
    options: [
      choice("--of <sort>", "only this sort of record", SORTS),
      option("--tval <type>", "only records for this type, such as sword"),
      option("--level <depth>", "only records that occur at this depth", integer(0, MAX_DEPTH)),
      ...formats("list"),
    ],
    async run(flags, folder) {
      const { of, tval, level, output } = flags;
      chosenWriter(flags);
      const files = await readObjectDir(io, folder);
      const query = { of, level, tval: tval === undefined ? undefined : tvalNamed(files, tval) };
      const records = listRecords(files, query);
      await checkOutput(io, output);
      const head = dirHead(io, folder, "list");
      await writeBatches(io, { ...flags, n: records.length }, [rowsOf(records)], { head, unit: "records" });
    },
  });
}

function rowsOf(records: readonly ListedRecord[]): Rows {
  const text = (name: string, of: (record: ListedRecord) => string): Column => {
    return { kind: "text", name, values: records.map(of) };
  };
  return {
    length: records.length,
    text: (k) => {
      const { sort, number, name, types, depths } = records[k];
      return [sort, number, name, types.join(", "), depths.join(", ")].join("\t");
    },
    row: (k) => records[k],
    columns: () => [
      text("sort", ({ sort }) => sort),
      { kind: "integer", name: "number", values: Int32Array.from(records, ({ number }) => number) },
      text("name", ({ name }) => name),
      text("types", ({ types }) => types.join("|")),
      text("depths", ({ depths }) => depths.join("|")),
    ],
  };
}

/** Number of objects in a batch, and in a row group of a Parquet file. */
const OBJECTS_PER_BATCH = 2 ** 16;
const OTHER_FORMATS = ["json", "csv", "ndjson", "output"];
const MAKE = [
  ...ASKED,
  ...NAMING,
  ...range("object", "index of the first object; the artifacts of earlier objects count as made"),
  ...source("objects", "the folder's name"),
  option("--describe", "print the affixes and properties of each object").conflicts(OTHER_FORMATS),
  ...formats("objects"),
] as const;

function addObjectMake(object: Command, io: Io): void {
  const making = "object make {data/dungeon} --level 30 --seed moria";
  define(object.command("make"), io, {
    examples: [`${making} -n 10`, `${making} --great --tval sword --describe`],
    takes: [DIR],
    description: "make objects; print one name per line",
    options: MAKE,
    run: (flags, folder) => make(io, flags, folder),
  });
}

async function make(io: Io, flags: Flags<typeof MAKE>, folder: string): Promise<void> {
  const { n, from, fork, output, describe } = flags;
  const head = { ...dirHead(io, folder, "make"), fork, from };
  const { name = head.name } = flags;
  // throws early for an unknown type of output file
  chosenWriter(flags);
  const files = await readObjectDir(io, folder);
  const naming = await readNaming(io, files, flags);
  const { seed, announce } = chooseSeed(io, flags.seed);
  using mill = createMill({ seed });
  const maker = forkOf(mill.objects(name, files), flags);
  const options = await objectOptions(io, maker, flags);
  checkRange(from, n);
  // checks all options before the command prints anything; with --artifact, a call for 2 objects refuses -n > 1
  maker.makeMany(options.artifact !== undefined && n > 1 ? 2 : 0, options);
  await checkOutput(io, output);
  announce();
  // marks the artifacts of earlier objects as made; with --artifact, an object does not depend on earlier objects
  if (options.artifact !== undefined) maker.next = from;
  else await withProgress(io, REPLAYING, (onProgress) => maker.replay(from, { ...options, onProgress }));
  await putResults(io, flags, {
    head: { ...head, seed, name },
    unit: "objects",
    size: OBJECTS_PER_BATCH,
    make: (count, _, again: MadeObjects | undefined) =>
      again === undefined ? maker.makeMany(count, options) : maker.makeInto(again, options),
    rowsOf: (objects) => ({
      length: objects.length,
      text: (k) => (describe ? describeText(objects.describe(k, naming)) : objects.name(k, naming)),
      row: (k) => objects.row(k, naming),
      columns: () => objects.columns(naming),
    }),
  });
}

const REPLAYING = { what: "replaying", unit: "objects" } as const;
const CHECKING = { what: "checking", unit: "records" } as const;

export function addObject(object: Command, io: Io): void {
  addObjectMake(object, io);
  addObjectOdds(object, io);
  addObjectStats(object, io);
  addObjectList(object, io);
  addObjectShow(object, io);
  define(object.command("check"), io, {
    examples: ["object check {data/dungeon}"],
    takes: [DIR],
    description: "list every error, and every record that can never occur in an object; exit 2 on an error",
    options: [JSON_DOCUMENT],
    run: async (flags, folder) => {
      await reportIssues(io, flags, { ...dirHead(io, folder, "check"), issues: await inspect(io, folder) });
    },
  });
}

async function inspect(io: Io, folder: string): Promise<readonly Issue[]> {
  const { spec, issues, format } = await parseObjectDir(io, folder);
  if (format !== undefined) note(io, `format: ${format}`);
  if (spec === undefined) return issues;
  const changed = listConstants(spec).filter(({ value, usual }) => value !== usual);
  if (changed.length > 0) {
    note(io, `constants: ${changed.map(({ path, value, usual }) => `${path} ${value} (usually ${usual})`).join(", ")}`);
  }
  try {
    compileObjects(spec);
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    return [...issues, ...cause.issues];
  }
  const found = await withProgress(io, CHECKING, (onProgress) => checkObjectFiles(spec, { onProgress }));
  return [...issues, ...found];
}
