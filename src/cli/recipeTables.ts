import type { Command } from "commander";
import { error, fail } from "../errors/index.js";
import type { WordInput } from "../index.js";
import { integer, jsonOption, keyValue } from "./options.js";
import { readRecipe, type SourceFlags, withRecipe } from "./recipeSource.js";
import { json, note, write } from "./terminal.js";

const MAX_TIER = 255;

interface CopyFlags extends SourceFlags {
  readonly from?: string;
  readonly to: string;
  readonly replace?: boolean;
}

interface WordFlags extends SourceFlags {
  readonly tables: string;
  readonly json?: boolean;
}

interface ProposeFlags extends WordFlags {
  readonly tier?: number;
  readonly stat?: Readonly<Record<string, string>>;
}

/** Adds `rollmill recipe tables import` and `recipe tables export`, which differ in what they are for only. */
export function addTables(recipe: Command): void {
  const tables = recipe.command("tables").description("move a recipe's words between files and databases");
  const verbs = { import: "put words into a database (or files)", export: "take words out of one" } as const;
  for (const [verb, description] of Object.entries(verbs)) {
    withRecipe(tables.command(verb))
      .description(`${description}: all tables or none, proposals too`)
      .option("--from <source>", "folder of CSV files, .json or .sqlite file, or URL (default: the recipe's own words)")
      .requiredOption("--to <target>", "the same; what is missing is created")
      .option("--replace", "put them in the place of words that are there")
      .action(copy);
  }
}

/** Adds `rollmill recipe word propose`, `recipe word accept` and `recipe word list`. */
export function addWord(recipe: Command): void {
  const word = recipe
    .command("word")
    .description("words that users propose, and that nothing has before they are accepted");
  const place = "folder of CSV files, .json or .sqlite file, or URL";
  const changing = (verb: string) =>
    withRecipe(word.command(verb))
      .argument("<table>", "table, such as element")
      .argument("<word>", "the word")
      .requiredOption("--tables <target>", place)
      .addOption(jsonOption());
  changing("propose")
    .description("keep a word as a proposal")
    .option("--tier <tier>", "its tier", integer(0, MAX_TIER))
    .option("--stat <stat=number>", "what it adds to a stat, repeatable", keyValue)
    .action(propose);
  changing("accept").description("make a proposed word one like the others").action(accept);
  withRecipe(word.command("list"))
    .description("list the proposals: table, word, tier and stats")
    .argument("[table]", "of one table only")
    .requiredOption("--tables <source>", place)
    .addOption(jsonOption())
    .action(list);
}

async function copy(recipe: string, flags: CopyFlags): Promise<void> {
  const { name, spec, shippedTables } = await readRecipe(recipe, flags);
  const { copyTables, saveTables } = await import("../sql/index.js");
  const options = { recipe: name, spec, replace: flags.replace === true };
  const { from, to } = flags;
  if (from === undefined && shippedTables === undefined) {
    fail(error("cli.usage", { problem: "this recipe has no words of its own", expected: "--from" }));
  }
  if (from === undefined) await saveTables(to, shippedTables ?? {}, options);
  const tables = from === undefined ? (shippedTables ?? {}) : await copyTables(from, to, options);
  const lines = Object.entries(tables).map(([table, rows]) => `${table}\t${rows.length}\n`);
  await write(lines.join(""));
  note(`words copied: ${Object.values(tables).reduce((sum, rows) => sum + rows.length, 0)}`);
}

async function propose(recipe: string, table: string, word: string, flags: ProposeFlags): Promise<void> {
  const { name, spec } = await readRecipe(recipe, flags);
  const { proposeWord } = await import("../sql/index.js");
  const stats = Object.fromEntries(Object.entries(flags.stat ?? {}).map(numberOf));
  const tier = flags.tier === undefined ? {} : { tier: flags.tier };
  await print(table, await proposeWord(flags.tables, { recipe: name, spec, table, word, stats, ...tier }), flags);
}

async function accept(recipe: string, table: string, word: string, flags: WordFlags): Promise<void> {
  const { name, spec } = await readRecipe(recipe, flags);
  const { acceptWord } = await import("../sql/index.js");
  await print(table, await acceptWord(flags.tables, { recipe: name, spec, table, word }), flags);
}

async function list(recipe: string, table: string | undefined, flags: WordFlags): Promise<void> {
  const { name, spec } = await readRecipe(recipe, flags);
  const { listProposals } = await import("../sql/index.js");
  const only = table === undefined ? {} : { table };
  const proposals = await listProposals(flags.tables, { recipe: name, spec, ...only });
  if (flags.json) await write(json(proposals.map((proposal) => ({ table: proposal.table, ...proposal.row }))));
  else await write(proposals.map((proposal) => rowLine(proposal.table, proposal.row)).join(""));
}

async function print(table: string, row: WordInput, { json: asJson }: WordFlags): Promise<void> {
  await write(asJson ? json({ table, ...row }) : rowLine(table, row));
}

/** Table, word, and whatever the row has that is not 0. */
function rowLine(table: string, { id: _, word, active: __, status = "accepted", ...stats }: WordInput): string {
  const parts = Object.entries(stats).filter(([, value]) => value !== 0);
  return `${table}\t${word}\t${status}\t${parts.map(([stat, value]) => `${stat} ${value}`).join(", ")}\n`;
}

function numberOf([stat, text]: [string, string]): [string, number] {
  const value = /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return [stat, value];
  return fail(error("cli.usage", { problem: `--stat ${stat} is no number`, got: text, expected: "a decimal" }));
}
