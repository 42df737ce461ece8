import { type Command, Option } from "commander";
import { MAX_DEPTH } from "../affixes/index.js";
import type { ObjectOptions } from "../index.js";
import { integer, repeated } from "./options.js";

const MAX_ATTEMPTS = 2 ** 24;

/** What is asked of the objects of any level. */
export interface SortFlags {
  readonly good?: boolean;
  readonly great?: boolean;
  readonly kind?: string;
  readonly tval?: string;
  readonly affixLevel?: string;
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

/** What the flags ask: names and numbers as they are written, which the maker looks up. */
export function sortOptions({
  good,
  great,
  kind,
  tval,
  affixLevel,
  artifacts,
}: SortFlags): Omit<ObjectOptions, "level"> {
  return { good, great, kind, tval, affixLevel, artifacts };
}

/** The same of all that may be asked. */
export function objectOptions(flags: AskFlags): ObjectOptions {
  const { level, attempts, theme, artifact, with: affixes } = flags;
  return { ...sortOptions(flags), level, attempts, with: affixes, theme, artifact };
}
