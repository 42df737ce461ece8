import { type Command, Option } from "commander";
import type { ObjectLimit, ObjectMaker, ObjectOptions } from "../index.js";
import { MAX_DEPTH } from "../objects/index.js";
import { integer, repeated } from "./options.js";
import { judgeFile, readJson } from "./terminal.js";

const MAX_ATTEMPTS = 2 ** 24;

/** What is asked of the objects of any level. */
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

/** What is asked of objects. */
export interface AskFlags extends SortFlags {
  readonly level: number;
  readonly with?: readonly string[];
  readonly theme?: string;
  readonly artifact?: string;
  readonly attempts?: number;
}

/** Adds what may be asked of objects whatever their level. */
export function withSort(command: Command): Command {
  return command
    .addOption(new Option("--good", "good objects").conflicts("great"))
    .addOption(new Option("--great", "great ones"))
    .option("--kind <name>", "a kind alone, by name or number")
    .option("--tval <type>", "kinds of a type alone, such as sword")
    .option("--affix-level <name>", "the affix level, such as uber, instead of a rolled one")
    .option("--limit <file>", "JSON, {most, scores}: affixes and themes that score more are taken back")
    .option("--no-artifacts", "no object is an artifact");
}

/** Adds what may be asked of objects. */
export function withAsking(command: Command): Command {
  return withSort(command.requiredOption("--level <depth>", "depth that they are made for", integer(0, MAX_DEPTH)))
    .option("--with <affix>", "an affix that every object has, by name or number, repeatable", repeated)
    .option("--theme <name>", "the theme that every object has, by name or number")
    .option("--artifact <name>", "the artifact that the one object is, by name or number")
    .option("--attempts <count>", "objects thrown away at most for one as asked", integer(1, MAX_ATTEMPTS));
}

/**
 * What the flags ask: names and numbers as they are written, which the maker looks up, and a limit that was checked by it.
 *
 * @throws RollmillError what reading a JSON file throws, and what the maker does, with the file.
 */
export async function sortOptions(maker: ObjectMaker, flags: SortFlags): Promise<Omit<ObjectOptions, "level">> {
  const { good, great, kind, tval, affixLevel, artifacts, limit: file } = flags;
  const limit = file === undefined ? undefined : await readLimit(maker, file);
  return { good, great, kind, tval, affixLevel, artifacts, limit };
}

async function readLimit(maker: ObjectMaker, file: string): Promise<ObjectLimit> {
  const limit = (await readJson(file)) as ObjectLimit;
  judgeFile(file, () => maker.makeMany(0, { level: 0, limit }));
  return limit;
}

/** The same of all that may be asked. */
export async function objectOptions(maker: ObjectMaker, flags: AskFlags): Promise<ObjectOptions> {
  const { level, attempts, theme, artifact, with: affixes } = flags;
  return { ...(await sortOptions(maker, flags)), level, attempts, with: affixes, theme, artifact };
}
