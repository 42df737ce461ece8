import { basename, extname } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import { error, fail, failOnErrors } from "../errors/index.js";
import {
  type ItemOptions,
  parseRecipe,
  parseTables,
  type RecipeSetup,
  type RecipeSpec,
  shippedRecipe,
  type TablesInput,
  type WordTables,
} from "../index.js";
import { integer, keyValue } from "./options.js";
import { readJson } from "./terminal.js";

const MAX_TIER = 255;

/** Which recipe, and which words. */
export interface SourceFlags {
  readonly recipe?: string;
  readonly tables?: string;
}

/** What is asked of items. */
export interface AskFlags {
  readonly tier?: number;
  readonly tierVariance?: number;
  readonly power?: number;
  readonly request?: Readonly<Record<string, string>>;
  readonly onUnknown?: "roll" | "throw";
}

/** A recipe as data, checked, with the name that its tables in a database begin with. */
export interface RecipeSource {
  readonly name: string;
  readonly spec: RecipeSpec;
  /** The file that it is from; undefined for a shipped one. */
  readonly file: string | undefined;
  /** The words that ship with it; undefined for a recipe of the user's own. */
  readonly shippedTables: TablesInput | undefined;
}

/** Adds the argument `recipe` and the option `--recipe`. */
export function withRecipe(command: Command): Command {
  return command
    .argument("<recipe>", "name of a shipped recipe, such as weapon, or a JSON recipe")
    .option("--recipe <file>", 'JSON recipe to go by, with the name and the words of the first; "-" is stdin');
}

/** Adds `--tables`. */
export function withTables(command: Command): Command {
  return command.option(
    "--tables <source>",
    "words: a folder of CSV files, a .json or .sqlite file, or a URL: postgres://…, mysql://… (default: the recipe's own)",
  );
}

/** Adds what may be asked of items. */
export function withAsking(command: Command): Command {
  return command
    .option("--tier <tier>", "tier asked for; 0 is any", integer(0, MAX_TIER))
    .option("--tier-variance <number>", "above 0, the tier may vary", decimal)
    .option("--power <number>", "what rolls are multiplied by, exactly", decimal)
    .option("--request <slot=word>", "a word asked for, repeatable; an empty one asks for nothing", keyValue)
    .addOption(
      new Option("--on-unknown <what>", "what a request for a word that is not there comes to").choices([
        "roll",
        "throw",
      ]),
    );
}

/** The item options that the flags ask for. */
export function itemOptions({ tier, tierVariance, power, request, onUnknown }: AskFlags): ItemOptions {
  const asked = Object.entries(request ?? {}).filter(([, word]) => word !== "");
  return {
    ...(tier === undefined ? {} : { tier }),
    ...(tierVariance === undefined ? {} : { tierVariance }),
    ...(power === undefined ? {} : { power }),
    ...(asked.length === 0 ? {} : { request: Object.fromEntries(asked) }),
    ...(onUnknown === undefined ? {} : { onUnknownRequest: onUnknown }),
  };
}

/**
 * Reads the recipe that an argument names: a path has a dot or a slash in it, or is "-"; else it is a shipped one.
 *
 * @throws RollmillError `recipe.unknown`, `recipe.spec`, and what reading a JSON file throws.
 */
export async function readRecipe(recipe: string, { recipe: other }: SourceFlags): Promise<RecipeSource> {
  const isPath = recipe === "-" || /[./\\]/.test(recipe);
  const name = isPath ? stem(recipe) : recipe;
  const shipped = isPath ? undefined : shippedRecipe(recipe);
  const file = other ?? (isPath ? recipe : undefined);
  const { spec, issues } = parseRecipe(file === undefined ? shipped?.recipe : await readJson(file), { file });
  failOnErrors(issues);
  return { name, spec: spec ?? fail(issues[0]), file, shippedTables: shipped?.tables as TablesInput | undefined };
}

/**
 * Reads a recipe and its words, as `mill.recipe` wants them, and as they are when they are checked.
 *
 * @throws RollmillError as {@link readRecipe}; `recipe.tables`, `recipe.duplicate`, and what `loadTables` throws.
 */
export async function readSetup(
  recipe: string,
  flags: SourceFlags,
): Promise<RecipeSource & { readonly setup: RecipeSetup; readonly tables: WordTables }> {
  const source = await readRecipe(recipe, flags);
  const { spec, file } = source;
  const words = await readTables(source, flags.tables);
  // checked here too, for the place of what is wrong
  const { tables, issues } = parseTables(words, { spec, file: flags.tables });
  failOnErrors(issues);
  const setup: RecipeSetup = { recipe: spec, tables: words, ...(file === undefined ? {} : { file }) };
  return { ...source, setup, tables: tables ?? fail(issues[0]) };
}

async function readTables({ name, spec, shippedTables }: RecipeSource, from: string | undefined): Promise<TablesInput> {
  if (from !== undefined) {
    const { loadTables } = await import("../sql/index.js");
    return loadTables(from, { recipe: name, spec });
  }
  return shippedTables ?? fail(error("cli.usage", { problem: "this recipe has no words of its own", ...WHERE_WORDS }));
}

const WHERE_WORDS = {
  expected: "--tables with a folder of CSV files, a .json or .sqlite file, or a URL",
  remedy: "With --recipe, a shipped recipe lends its words",
} as const;

function decimal(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError("It must be a number of 0 or more, such as 1.2.");
}

function stem(file: string): string {
  return file === "-" ? "recipe" : basename(file, extname(file));
}
