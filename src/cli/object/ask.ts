import type { Naming, ObjectFiles, ObjectMaker, ObjectOptions, SyntheticName } from "../../objects/index.js";
import { MAX_DEPTH, type ObjectLimit } from "../../objects/index.js";
import { readLimit } from "../../objects/make/request.js";
import { checkedNaming } from "../../objects/show/names.js";
import { choice, type Flags, option, required } from "../command.js";
import { readJson, withPlaces } from "../shared/files.js";
import { type Io, refuse } from "../shared/io.js";
import { countOf, integer, repeated } from "../shared/options.js";

const MAX_ATTEMPTS = 2 ** 24;
const MAX_NUMBER = 2 ** 31 - 1;

export const QUALITY = [
  option("--good", "good objects").conflicts("great"),
  option("--great", "great objects"),
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
  option(
    "--attempts <count>",
    "maximum number of attempts for each object that must fit --with or --theme",
    countOf(1, MAX_ATTEMPTS),
  ),
] as const;

export const NAMING = [
  choice("--names <which>", "affixes in a name: the best prefix and suffix (default), all, or synthetic names", [
    "best",
    "all",
    "synthetic",
  ]),
  option("--synthetic-names <file>", "JSON list of {affixes, name, kind} for --names synthetic"),
  choice("--repeats <how>", "with --names all: how to show a repeated affix", ["stars", "count"]),
  option("--hide-ac", "omit the base armour class from names"),
  option("--hide-dice", "omit the damage dice from names"),
  option("--number <n>", "write each name for n equal objects, such as 3 Iron Shots", integer(0, MAX_NUMBER)),
] as const;

type SortFlags = Flags<typeof SORT>;

/** Converts the flags to object options without a level. Checks only the file of `--limit`. */
export async function sortOptions(io: Io, maker: ObjectMaker, flags: SortFlags): Promise<Omit<ObjectOptions, "level">> {
  const { good, great, kind, tval, affixLevel, artifacts, limit: file } = flags;
  const limit = file === undefined ? undefined : await readLimitFile(io, maker, file);
  return { good, great, kind, tval, affixLevel, artifacts, limit };
}

async function readLimitFile(io: Io, { files }: ObjectMaker, file: string): Promise<ObjectLimit> {
  const limit = await readJson(io, file);
  withPlaces(
    (where) => ({ ...where, file }),
    () => readLimit(files, limit),
  );
  return limit as ObjectLimit;
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
  const synthetic = file === undefined ? undefined : ((await readJson(io, file)) as readonly SyntheticName[]);
  return withPlaces(
    (where) => ({ ...where, file }),
    () => checkedNaming({ affixes: names, synthetic, repeats, hideAc, hideDice, number }, files),
  );
}
