import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { error } from "../../errors/index.js";
import { reasonOf } from "../../files/problem.js";
import { type Issue, RollmillError } from "../../index.js";
import {
  FILE_NAMES,
  MAX_DEPTH,
  type Naming,
  type ObjectFiles,
  type ObjectMaker,
  type ObjectOptions,
  type ObjectTexts,
  parseObjects,
} from "../../objects/index.js";
import { readLimit } from "../../objects/make/request.js";
import { formatOf, isLastVersion4, NEEDED_TEXTS, olderGamedata } from "../../objects/parse.js";
import { checkedNaming } from "../../objects/show/names.js";
import { type Parsed, specOf } from "../../spec/index.js";
import { choice, type Flags, option, required } from "../command.js";
import type { Head } from "../shared/documents.js";
import { readJson, readText, withPlaces } from "../shared/files.js";
import { type Io, pathIn, refuse } from "../shared/io.js";
import { countOf, integer, repeated } from "../shared/options.js";

type FileKey = keyof typeof FILE_NAMES;

export const DIR = [
  "<dir>",
  `folder with ${NEEDED_TEXTS.v4.map((key) => FILE_NAMES[key]).join(", ")}, optionally flags.csv and constants.json; or with the gamedata files of Angband 4.2`,
] as const;

type ParsedDir = Parsed<ObjectFiles> & { readonly format?: string };

/** Reads and parses the edit files of a folder. Also returns their format, if every file could be read. */
export async function parseObjectDir(io: Io, folder: string): Promise<ParsedDir> {
  const entries = Object.entries(FILE_NAMES).map(([key, name]) => [key, join(folder, name)]);
  const paths = Object.fromEntries(entries) as Record<FileKey, string>;
  const missing: Issue[] = [];
  const need = async (key: FileKey) => {
    try {
      return await readText(io, paths[key]);
    } catch (cause) {
      if (!(cause instanceof RollmillError)) throw cause;
      const problem = `cannot read a file of the folder (${reasonOf(cause.cause ?? cause.issues[0].message)})`;
      const remedy = "Pass the folder that contains these files";
      const where = { file: paths[key] };
      missing.push(error("object.files", { problem, expected: "the edit files in one folder", remedy, where }));
      return "";
    }
  };
  const object = await need("object");
  const needed: readonly FileKey[] = NEEDED_TEXTS[formatOf(object)];
  const texts: Partial<Record<FileKey, string>> = { object };
  for (const key of Object.keys(paths) as FileKey[]) {
    if (key === "object") continue;
    if (needed.includes(key) || existsSync(pathIn(io, paths[key]))) texts[key] = await need(key);
  }
  // returns without parsing, which would report every name that a missing file defines
  if (missing.length > 0) return { spec: undefined, issues: missing };
  // the cast is safe: every required text is present
  const given = texts as ObjectTexts;
  return { ...parseObjects(given, { files: paths }), format: formatText(given) };
}

function formatText({ object, egoItem }: ObjectTexts): string {
  const older = olderGamedata(object);
  if (older !== undefined) return `gamedata files of Angband ${older.release}, which cannot be read`;
  if (formatOf(object) === "4.2") return "gamedata files of Angband 4.2 (lines name:…)";
  const form = isLastVersion4(egoItem) ? "version 4 in its last form" : "version 4";
  return `edit files of Angband's ${form} (lines N:…)`;
}

export function nameOfDir(io: Io, folder: string): string {
  return basename(resolve(io.cwd ?? "", folder)) || "objects";
}

/** Returns the head of a document about the files. The head has no seed. */
export function dirHead(io: Io, folder: string, command: string): Head {
  return { command: `object ${command}`, name: nameOfDir(io, folder) };
}

export async function readObjectDir(io: Io, folder: string): Promise<ObjectFiles> {
  return specOf(await parseObjectDir(io, folder));
}

const ATTEMPTS = countOf(1, 2 ** 24);
const MAX_NUMBER = 2 ** 31 - 1;

export const QUALITY = [
  option("--good", "good objects: better kinds, more affixes, higher affix levels on average").conflicts("great"),
  option("--great", "great objects: better than good objects in the same ways; the affix level stays random"),
] as const;

export const SORT = [
  ...QUALITY,
  option("--kind <name>", "only this kind, by name or number"),
  option("--tval <type>", "only kinds of this type, such as sword"),
  option("--affix-level <name>", "use this affix level, such as uber, instead of rolling one"),
  option("--limit <file>", "JSON file {most, scores}: undo an affix or theme that would exceed this limit"),
  option("--no-artifacts", "make no artifacts"),
] as const;

export const ASKED = [
  required("--level <depth>", "depth of the objects", integer(0, MAX_DEPTH)),
  ...SORT,
  option("--with <affix>", "give every object this affix, by name or number; repeatable", repeated),
  option("--theme <name>", "give every object this theme, by name or number"),
  option("--artifact <name>", "make this artifact, by name or number"),
  option("--attempts <count>", "maximum number of attempts for each object that must fit --with or --theme", ATTEMPTS),
] as const;

const SHOWN = ["best", "all", "synthetic"] as const;
export const NAMING = [
  choice("--names <which>", "affixes in a name: the best prefix and suffix (default), all, or synthetic names", SHOWN),
  option("--synthetic-names <file>", "JSON list of {affixes, name, kind} for --names synthetic"),
  choice("--repeats <how>", "with --names all: how to show a repeated affix", ["stars", "count"]),
  option("--hide-ac", "omit the base armour class from names"),
  option("--hide-dice", "omit the damage dice from names"),
  option("--number <n>", "write each name for n equal objects, such as 3 Iron Shots", integer(0, MAX_NUMBER)),
] as const;

/** Converts the flags to object options without a level. Checks only the file of `--limit`. */
export async function sortOptions(
  io: Io,
  { files }: ObjectMaker,
  { good, great, kind, tval, affixLevel, artifacts, limit: file }: Flags<typeof SORT>,
): Promise<Omit<ObjectOptions, "level">> {
  const given = file === undefined ? undefined : await readJson(io, file);
  const limit = withPlaces(
    (where) => ({ ...where, file }),
    () => readLimit(files, given),
  );
  return { good, great, kind, tval, affixLevel, artifacts, limit };
}

export async function objectOptions(io: Io, maker: ObjectMaker, flags: Flags<typeof ASKED>): Promise<ObjectOptions> {
  const { level, attempts, theme, artifact, with: affixes } = flags;
  return { ...(await sortOptions(io, maker, flags)), level, attempts, with: affixes, theme, artifact };
}

export async function readNaming(io: Io, files: ObjectFiles, flags: Flags<typeof NAMING>): Promise<Naming> {
  const { names, syntheticNames: file, repeats, hideAc, hideDice, number } = flags;
  if ((names === "synthetic") !== (file !== undefined)) {
    const problem =
      file === undefined ? "--names synthetic needs --synthetic-names" : "--synthetic-names needs --names synthetic";
    refuse(problem, { expected: "both options or neither" });
  }
  const synthetic = file === undefined ? undefined : ((await readJson(io, file)) as Naming["synthetic"]);
  return withPlaces(
    (where) => ({ ...where, file }),
    () => checkedNaming({ affixes: names, synthetic, repeats, hideAc, hideDice, number }, files),
  );
}
