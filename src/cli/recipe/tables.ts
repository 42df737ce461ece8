import type { Command } from "commander";
import { error, fail } from "../../errors/index.js";
import { withExamples } from "../examples.js";
import { type Io, note, print } from "../shared/io.js";
import { placeIn, readRecipe, type SourceFlags, timeLimit, warnings, withRecipe, withTimeout } from "./source.js";

interface CopyFlags extends SourceFlags {
  readonly from?: string;
  readonly to: string;
  readonly replace?: boolean;
}

export function addTables(recipe: Command, io: Io): void {
  const tables = recipe.command("tables").description("move a recipe's words between files and databases");
  const verbs = {
    import: ["copy words into a database or files", "--to words.json"],
    export: ["copy words out of a database or files", "--from words.json --to words"],
  } as const;
  for (const [verb, [description, places]] of Object.entries(verbs)) {
    const command = withExamples(tables.command(verb), io, `recipe tables ${verb} weapon ${places}`);
    withTimeout(withRecipe(command))
      .description(`${description}, including proposals; if it fails, no table has changed`)
      .option(
        "--from <source>",
        "folder of CSV files, .json or .sqlite file, or URL (default: the words of the shipped recipe)",
      )
      .requiredOption("--to <target>", "a target in one of the forms of --from; created if missing")
      .option("--replace", "replace existing words")
      .action((name: string, flags: CopyFlags) => copy(io, name, flags));
  }
}

async function copy(io: Io, recipe: string, flags: CopyFlags): Promise<void> {
  const { name, spec, shippedTables } = await readRecipe(io, recipe, flags);
  const { copyTables, saveTables } = await import("../../wordstores/index.js");
  const options = { recipe: name, spec, replace: flags.replace === true, onIssue: warnings(io), ...timeLimit(flags) };
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
