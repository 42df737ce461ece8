import { InvalidArgumentError } from "commander";
import { formatIssue, type Issue, RollmillError } from "../../errors/index.js";
import { parseRecipe, parseTables, type RecipeSpec, shippedRecipe, type TablesInput } from "../../index.js";
import { checkRecipe, type ItemOptions, MAX_TIER } from "../../recipes/index.js";
import { specOf } from "../../spec/index.js";
import { choice, type Flags, option } from "../command.js";
import { readJson, stemOf } from "../shared/files.js";
import { type Io, note, pathIn, refuse } from "../shared/io.js";
import { integer, keyValue } from "../shared/options.js";

export const RECIPE = [
  "<recipe>",
  'name of a shipped recipe, such as weapon, or path of a JSON recipe; "-" is stdin',
] as const;
export const RECIPE_FILE = option(
  "--recipe <file>",
  'use this JSON recipe with the name and the words of <recipe>; "-" is stdin',
);
export const TIMEOUT = option(
  "--timeout <seconds>",
  "maximum time to wait for each answer of a database; waits half as long for a lock (default: 10)",
  seconds,
);
export const WORDS = [
  RECIPE_FILE,
  option(
    "--tables <source>",
    "words: folder of CSV files, .json or .sqlite file, or URL: postgres://…, mysql://… (default: the recipe's words)",
  ),
  option("--as-of <date>", "words as of this date; --tables must be a folder of versions, such as 2026-11-22.json"),
  TIMEOUT,
] as const;
export const ASKED = [
  option("--tier <tier>", "tier of the items; 0 allows all tiers", integer(0, MAX_TIER)),
  option("--tier-variance <number>", "if above 0, the tier of a word can differ from --tier", decimal),
  option("--power <number>", "factor that multiplies every roll of 0 to 100", decimal),
  option("--request <slot=word>", "request a word for a slot; repeatable; an empty word requests nothing", keyValue),
  choice("--on-unknown <how>", "what to do if a requested word is unknown: roll the slot, or fail", ["roll", "throw"]),
] as const;

type WordsFlags = Flags<typeof WORDS>;

interface RecipeSource {
  readonly name: string;
  readonly spec: RecipeSpec;
  /** The tables of a shipped recipe. Undefined if the recipe comes from a file. */
  readonly shippedTables: TablesInput | undefined;
}

export function timeLimit({ timeout }: Pick<WordsFlags, "timeout">): { readonly timeoutMs?: number } {
  return timeout === undefined ? {} : { timeoutMs: Math.ceil(timeout * 1000) };
}

function seconds(text: string): number {
  const value = decimal(text);
  if (value > 0 && value <= MAX_SECONDS) return value;
  throw new InvalidArgumentError(`Expected a number of seconds above 0, at most ${MAX_SECONDS}.`);
}

/** The longest time that Node's timers can wait. */
const MAX_SECONDS = 2_147_483;

export function itemOptions({ tier, tierVariance, power, request, onUnknown }: Flags<typeof ASKED>): ItemOptions {
  const asked = Object.entries(request ?? {}).filter(([, word]) => word !== "");
  return { tier, tierVariance, power, request: Object.fromEntries(asked), onUnknownRequest: onUnknown };
}

/** Reads a recipe. `recipe` is a path if it is "-" or contains a dot or a slash, else the name of a shipped recipe. */
export async function readRecipe(io: Io, recipe: string, flags: Pick<WordsFlags, "recipe">): Promise<RecipeSource> {
  const { parsed, ...source } = await parsedRecipe(io, recipe, flags);
  return { ...source, spec: specOf(parsed) };
}

async function parsedRecipe(io: Io, recipe: string, { recipe: other }: Pick<WordsFlags, "recipe">) {
  const isPath = recipe === "-" || /[./\\]/.test(recipe);
  const name = isPath ? stemOf(recipe, "recipe") : recipe;
  const shipped = isPath ? undefined : shippedRecipe(recipe);
  const file = other ?? (isPath ? recipe : undefined);
  const parsed = parseRecipe(file === undefined ? shipped?.recipe : await readJson(io, file), { file });
  return { name, parsed, file, shippedTables: shipped?.tables as TablesInput | undefined };
}

export async function readWords(io: Io, recipe: string, flags: WordsFlags) {
  const source = await readRecipe(io, recipe, flags);
  const words = await readTables(io, source, flags, warnings(io));
  const tables = specOf(parseTables(words, { spec: source.spec, file: flags.tables }));
  return { ...source, tables };
}

export async function checkedSource(io: Io, recipe: string, flags: WordsFlags) {
  const { parsed, file, ...source } = await parsedRecipe(io, recipe, flags);
  const { name } = source;
  if (parsed.spec === undefined) return { name, issues: parsed.issues };
  const issues = [...parsed.issues];
  try {
    const words = await readTables(io, { ...source, spec: parsed.spec }, flags, (issue) => issues.push(issue));
    const tables = parseTables(words, { spec: parsed.spec, file: flags.tables });
    issues.push(...tables.issues);
    if (tables.spec !== undefined) issues.push(...checkRecipe(parsed.spec, { tables: tables.spec, file }));
  } catch (cause) {
    if (!(cause instanceof RollmillError && cause.code === "recipe.tables")) throw cause;
    issues.push(...cause.issues);
  }
  return { name, issues };
}

/** Resolves a path against the current folder of `io`. A URL stays unchanged. */
export function placeIn(io: Io, place: string): string {
  return /^[a-z][a-z0-9+.-]+:/i.test(place) ? place : pathIn(io, place);
}

export function warnings(io: Io): (issue: Issue) => void {
  return (issue) => note(io, formatIssue(issue));
}

async function readTables(
  io: Io,
  { name, spec, shippedTables }: RecipeSource,
  { tables: from, asOf, ...flags }: WordsFlags,
  onIssue: (issue: Issue) => void,
): Promise<TablesInput> {
  if (from !== undefined) {
    const { loadTables } = await import("../../wordstores/index.js");
    return loadTables(placeIn(io, from), { recipe: name, spec, onIssue, asOf, ...timeLimit(flags) });
  }
  if (asOf !== undefined) {
    const folder = "--tables with the folder of the versions";
    refuse("--as-of has no effect on the words of the package", { expected: folder });
  }
  const expected = "--tables with a folder of CSV files, a .json or .sqlite file, or a URL";
  const remedy = "To use the words of a shipped recipe, name the shipped recipe, and pass your file with --recipe";
  return shippedTables ?? refuse("the recipe has no words", { expected, remedy });
}

function decimal(text: string): number {
  const value = /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw new InvalidArgumentError("Expected a number of 0 or more, such as 1.2.");
}
