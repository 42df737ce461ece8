import type { Command } from "commander";
import { error, fail } from "../errors/index.js";
import type { WordInput } from "../index.js";
import { MAX_TIER } from "../recipes/index.js";
import { type Io, json, note, print, write } from "./io.js";
import { integer, jsonOption, keyValue } from "./options.js";
import { placeIn, readRecipe, type SourceFlags, withRecipe } from "./recipeSource.js";

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

/** A word and the table that it belongs to. */
interface TableWord {
  readonly table: string;
  readonly word: string;
}

/** Adds `rollmill recipe tables import` and `recipe tables export`, which both copy words. */
export function addTables(recipe: Command, io: Io): void {
  const tables = recipe.command("tables").description("move a recipe's words between files and databases");
  const verbs = {
    import: "copy words into a database or files",
    export: "copy words out of a database or files",
  } as const;
  for (const [verb, description] of Object.entries(verbs)) {
    withRecipe(tables.command(verb))
      .description(`${description}, proposals included; all tables or none`)
      .option(
        "--from <source>",
        "folder of CSV files, .json or .sqlite file, or URL (default: the words of the shipped recipe)",
      )
      .requiredOption("--to <target>", "same forms as --from; created if missing")
      .option("--replace", "replace existing words")
      .action((name: string, flags: CopyFlags) => copy(io, name, flags));
  }
}

/** Adds `rollmill recipe word propose`, `recipe word accept` and `recipe word list`. */
export function addWord(recipe: Command, io: Io): void {
  const word = recipe
    .command("word")
    .description("words that users propose; no item uses them until they are accepted");
  const place = "folder of CSV files, .json or .sqlite file, or URL";
  const changing = (verb: string) =>
    withRecipe(word.command(verb))
      .argument("<table>", "table, such as element")
      .argument("<word>", "the word")
      .requiredOption("--tables <target>", place)
      .addOption(jsonOption());
  changing("propose")
    .description("store a word as a proposal")
    .option("--tier <tier>", "tier of the word", integer(0, MAX_TIER))
    .option("--stat <stat=number>", "number that the word adds to a stat; repeatable", keyValue)
    .action((name: string, table: string, text: string, flags: ProposeFlags) =>
      propose(io, name, { ...flags, table, word: text }),
    );
  changing("accept")
    .description("accept a proposed word")
    .action((name: string, table: string, text: string, flags: WordFlags) =>
      accept(io, name, { ...flags, table, word: text }),
    );
  withRecipe(word.command("list"))
    .description("list the proposals: table, word, tier and stats")
    .argument("[table]", "only proposals for this table")
    .requiredOption("--tables <source>", place)
    .addOption(jsonOption())
    .action((name: string, table: string | undefined, flags: WordFlags) => list(io, name, { ...flags, table }));
}

async function copy(io: Io, recipe: string, flags: CopyFlags): Promise<void> {
  const { name, spec, shippedTables } = await readRecipe(io, recipe, flags);
  const { copyTables, saveTables } = await import("../sql/index.js");
  const options = { recipe: name, spec, replace: flags.replace === true };
  const from = flags.from === undefined ? undefined : placeIn(io, flags.from);
  const to = placeIn(io, flags.to);
  if (from === undefined && shippedTables === undefined) {
    fail(error("cli.usage", { problem: "the recipe has no words", expected: "--from with the place of the words" }));
  }
  if (from === undefined) await saveTables(to, shippedTables ?? {}, options);
  const tables = from === undefined ? (shippedTables ?? {}) : await copyTables(from, to, options);
  const lines = Object.entries(tables).map(([table, rows]) => `${table}\t${rows.length}\n`);
  await print(io, lines.join(""));
  note(io, `words copied: ${Object.values(tables).reduce((sum, rows) => sum + rows.length, 0)}`);
}

async function propose(io: Io, recipe: string, flags: ProposeFlags & TableWord): Promise<void> {
  const { name, spec } = await readRecipe(io, recipe, flags);
  const { proposeWord } = await import("../sql/index.js");
  const stats = Object.fromEntries(Object.entries(flags.stat ?? {}).map(numberOf));
  const { table, word } = flags;
  const tier = flags.tier === undefined ? {} : { tier: flags.tier };
  const proposal = { recipe: name, spec, table, word, stats, ...tier };
  await printRow(io, await proposeWord(placeIn(io, flags.tables), proposal), flags);
}

async function accept(io: Io, recipe: string, flags: WordFlags & TableWord): Promise<void> {
  const { name, spec } = await readRecipe(io, recipe, flags);
  const { acceptWord } = await import("../sql/index.js");
  const { table, word } = flags;
  await printRow(io, await acceptWord(placeIn(io, flags.tables), { recipe: name, spec, table, word }), flags);
}

async function list(io: Io, recipe: string, flags: WordFlags & { readonly table: string | undefined }): Promise<void> {
  const { name, spec } = await readRecipe(io, recipe, flags);
  const { listProposals } = await import("../sql/index.js");
  const only = flags.table === undefined ? {} : { table: flags.table };
  const proposals = await listProposals(placeIn(io, flags.tables), { recipe: name, spec, ...only });
  if (flags.json) await write(io, json(proposals.map((proposal) => ({ table: proposal.table, ...proposal.row }))));
  else await print(io, proposals.map((proposal) => rowLine(proposal.table, proposal.row)).join(""));
}

async function printRow(io: Io, row: WordInput, { table, json: asJson }: WordFlags & TableWord): Promise<void> {
  if (asJson) await write(io, json({ table, ...row }));
  else await print(io, rowLine(table, row));
}

/** Formats a row: table, word, status, and the tier and stats that are not 0. */
function rowLine(table: string, { id: _, word, active: __, status = "accepted", ...stats }: WordInput): string {
  const parts = Object.entries(stats).filter(([, value]) => value !== 0);
  return `${table}\t${word}\t${status}\t${parts.map(([stat, value]) => `${stat} ${value}`).join(", ")}\n`;
}

function numberOf([stat, text]: [string, string]): [string, number] {
  const value = /^[+-]?\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : Number.NaN;
  if (Number.isFinite(value)) return [stat, value];
  return fail(
    error("cli.usage", {
      problem: `the value of --stat ${stat} is not a number`,
      got: text,
      expected: "a decimal such as 2.5",
    }),
  );
}
