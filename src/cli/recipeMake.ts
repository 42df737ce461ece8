import { type Command, Option } from "commander";
import { checkRange } from "../calls/index.js";
import { itemColumns } from "../formats/index.js";
import { createMill, type Items } from "../index.js";
import { integer, seedOption } from "./options.js";
import {
  type AskFlags,
  itemOptions,
  readSetup,
  type SourceFlags,
  withAsking,
  withRecipe,
  withTables,
} from "./recipeSource.js";
import { type PrintFlags, printed, type Rows, writePieces, writerFor } from "./rowWriters.js";
import { checkFolderOf, note, progressBar, seedOr } from "./terminal.js";

const MAX_INDEX = 2 ** 42;
/** Items made at a time, and rows of a row group. */
const ITEMS_PER_BATCH = 2 ** 16;

interface MakeFlags extends SourceFlags, AskFlags, PrintFlags {
  readonly n: number;
  readonly from: number;
  readonly seed?: string;
  readonly name?: string;
  readonly output?: string;
}

/** Adds `rollmill recipe make`. */
export function addMake(recipe: Command): void {
  withAsking(withTables(withRecipe(recipe.command("make"))))
    .description("make items: one a line, its name and the stats that are not 0")
    .option("-n <items>", "how many items", integer(0, MAX_INDEX), 1)
    .option("--from <index>", "index of the first item", integer(0, MAX_INDEX - 1), 0)
    .addOption(seedOption())
    .option("--name <name>", "name that the items go by (default: the recipe's)")
    .addOption(new Option("--json", "print one JSON array of items").conflicts(["csv", "ndjson", "output"]))
    .addOption(new Option("--csv", "print CSV: name, stats, and the word of each slot").conflicts(["ndjson", "output"]))
    .addOption(new Option("--ndjson", "print one JSON item a line").conflicts("output"))
    .option("-o, --output <file>", "write the items to a file: .parquet, .csv, .ndjson or .json")
    .action(make);
}

async function make(recipe: string, flags: MakeFlags): Promise<void> {
  const { n, from, output } = flags;
  const writer = output === undefined ? printed(flags) : writerFor(output);
  const { setup, name } = await readSetup(recipe, flags);
  const options = itemOptions(flags);
  // whatever can be refused is refused before anything is printed, or a seed is made up
  checkRange(from, n);
  createMill({ seed: "" })
    .recipe(flags.name ?? name, setup)
    .makeMany(0, options);
  if (output !== undefined) await checkFolderOf(output);
  using mill = createMill({ seed: seedOr(flags.seed) });
  const made = mill.recipe(flags.name ?? name, setup);
  let items = made.makeMany(0, { ...options, from });
  reportUnknown(items);
  const bar = output === undefined ? undefined : progressBar({ what: "making", unit: "items" });
  // a batch is overwritten by the next of its size: whoever takes it has written it by then
  function* batches(): Generator<Rows, void> {
    if (n === 0) yield rowsOf(items);
    for (let done = 0; done < n; done += items.length) {
      const count = Math.min(ITEMS_PER_BATCH, n - done);
      const asked = { ...options, from: from + done };
      items = items.length === count ? made.makeInto(items, asked) : made.makeMany(count, asked);
      yield rowsOf(items);
      bar?.onProgress({ done: done + count, total: n });
    }
  }
  await writePieces(writer(batches()), { output, n, unit: "items", stop: () => bar?.stop() });
}

function reportUnknown({ requests: { unknown } }: Items): void {
  if (unknown.length > 0) note(`no such word, rolled as ever: ${unknown.join(", ")}`);
}

/** Items as they are written: as text a name, a tab, and the stats that are not 0. */
function rowsOf(items: Items): Rows {
  const stats = Object.keys(items.stats);
  return {
    length: items.length,
    text: (k) => {
      const parts = stats.filter((stat) => items.stats[stat][k] !== 0).map((stat) => `${stat} ${items.stat(stat, k)}`);
      return `${items.name(k)}\t${parts.join(", ")}`;
    },
    row: (k) => items.row(k),
    columns: () => itemColumns(items),
  };
}
