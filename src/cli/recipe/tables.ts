import type { Command } from "commander";
import { error, fail } from "../../errors/index.js";
import { define, option, required } from "../command.js";
import { type Io, note, printLines } from "../shared/io.js";
import { placeIn, RECIPE, RECIPE_FILE, readRecipe, TIMEOUT, timeLimit, warnings } from "./source.js";

export function addTables(recipe: Command, io: Io): void {
  const tables = recipe.command("tables").description("move a recipe's words between files and databases");
  const verbs = {
    import: ["copy words into a database or files", "--to words.json"],
    export: ["copy words out of a database or files", "--from words.json --to words"],
  } as const;
  for (const [verb, [description, places]] of Object.entries(verbs)) {
    define(tables.command(verb), io, {
      examples: [`recipe tables ${verb} weapon ${places}`],
      description: `${description}, including proposals; if it fails, no table has changed`,
      takes: [RECIPE],
      options: [
        RECIPE_FILE,
        TIMEOUT,
        option(
          "--from <source>",
          "folder of CSV files, .json or .sqlite file, or URL (default: the words of the shipped recipe)",
        ),
        required("--to <target>", "a target in one of the forms of --from; created if missing"),
        option("--replace", "replace existing words"),
      ],
      async run(flags, recipe) {
        const { name, spec, shippedTables } = await readRecipe(io, recipe, flags);
        const { copyTables, saveTables } = await import("../../wordstores/index.js");
        const options = {
          recipe: name,
          spec,
          replace: flags.replace === true,
          onIssue: warnings(io),
          ...timeLimit(flags),
        };
        const from = flags.from === undefined ? undefined : placeIn(io, flags.from);
        const to = placeIn(io, flags.to);
        if (from === undefined && shippedTables === undefined) {
          fail(
            error("cli.usage", { problem: "the recipe has no words", expected: "--from with the place of the words" }),
          );
        }
        if (from === undefined) await saveTables(to, shippedTables ?? {}, options);
        const tables = from === undefined ? (shippedTables ?? {}) : await copyTables(from, to, options);
        await printLines(
          io,
          Object.entries(tables).map(([table, rows]) => `${table}\t${rows.length}`),
        );
        note(io, `words copied: ${Object.values(tables).reduce((sum, rows) => sum + rows.length, 0)}`);
      },
    });
  }
}
