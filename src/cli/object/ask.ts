import { type Command, Option } from "commander";
import { MAX_DEPTH, type ObjectLimit, type ObjectMaker, type ObjectOptions } from "../../objects/index.js";
import { readLimit } from "../../objects/make/request.js";
import { readJson, withFile } from "../shared/inputFile.js";
import type { Io } from "../shared/io.js";
import { countOf, integer, repeated } from "../shared/options.js";

const MAX_ATTEMPTS = 2 ** 24;

/** Flags that select objects, without the level. */
export interface SortFlags {
  readonly good?: boolean;
  readonly great?: boolean;
  readonly kind?: string;
  readonly tval?: string;
  readonly affixLevel?: string;
  readonly limit?: string;
  /** False with `--no-artifacts`. */
  readonly artifacts: boolean;
}

export interface AskFlags extends SortFlags {
  readonly level: number;
  readonly with?: readonly string[];
  readonly theme?: string;
  readonly artifact?: string;
  readonly attempts?: number;
}

export function withQuality(command: Command): Command {
  return command
    .addOption(new Option("--good", "good objects").conflicts("great"))
    .addOption(new Option("--great", "great objects"));
}

export function withSort(command: Command): Command {
  return withQuality(command)
    .option("--kind <name>", "only this kind, by name or number")
    .option("--tval <type>", "only kinds of this type, such as sword")
    .option("--affix-level <name>", "use this affix level, such as uber, instead of rolling one")
    .option("--limit <file>", "JSON file {most, scores}: undo an affix or theme that would exceed this limit")
    .option("--no-artifacts", "make no artifacts");
}

export function withAsking(command: Command): Command {
  return withSort(command.requiredOption("--level <depth>", "depth of the objects", integer(0, MAX_DEPTH)))
    .option("--with <affix>", "give every object this affix, by name or number; repeatable", repeated)
    .option("--theme <name>", "give every object this theme, by name or number")
    .option("--artifact <name>", "make this artifact, by name or number")
    .option(
      "--attempts <count>",
      "maximum number of attempts for each object that must fit --with or --theme",
      countOf(1, MAX_ATTEMPTS),
    );
}

/** Converts the flags to object options without a level. Checks only the file of `--limit`. */
export async function sortOptions(io: Io, maker: ObjectMaker, flags: SortFlags): Promise<Omit<ObjectOptions, "level">> {
  const { good, great, kind, tval, affixLevel, artifacts, limit: file } = flags;
  const limit = file === undefined ? undefined : await readLimitFile(io, maker, file);
  return { good, great, kind, tval, affixLevel, artifacts, limit };
}

async function readLimitFile(io: Io, { files }: ObjectMaker, file: string): Promise<ObjectLimit> {
  const limit = await readJson(io, file);
  withFile(file, () => readLimit(files, limit));
  return limit as ObjectLimit;
}

export async function objectOptions(io: Io, maker: ObjectMaker, flags: AskFlags): Promise<ObjectOptions> {
  const { level, attempts, theme, artifact, with: affixes } = flags;
  return { ...(await sortOptions(io, maker, flags)), level, attempts, with: affixes, theme, artifact };
}
