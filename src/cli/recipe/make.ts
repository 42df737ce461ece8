import type { Command } from "commander";
import { type BatchCall, checkRange, MAX_INDEX, madeInBatches } from "../../calls/index.js";
import { createMill, type Items } from "../../index.js";
import { withExamples } from "../examples.js";
import { type ForkFlags, forkOf, forkOption } from "../shared/forks.js";
import { type Io, note } from "../shared/io.js";
import { chooseSeed, countOf, seedOption } from "../shared/options.js";
import { checkOutput } from "../shared/outputFile.js";
import { chosenWriter, type PrintFlags, type Rows, withFormats, writeBatches } from "../shared/rowWriters.js";
import {
  type AskFlags,
  itemOptions,
  readWords,
  type SourceFlags,
  withAsking,
  withRecipe,
  withTables,
} from "./source.js";

/** Also the rows of a row group of a Parquet file. */
const ITEMS_PER_BATCH = 2 ** 16;

interface MakeFlags extends SourceFlags, AskFlags, PrintFlags, ForkFlags {
  readonly n: number;
  readonly from: number;
  readonly seed?: string;
  readonly name?: string;
}

export function addMake(recipe: Command, io: Io): void {
  const making = [
    "recipe make weapon --tier 3 -n 10 --seed moria",
    "recipe make trinket -n 1000 --seed moria -o items.csv",
  ];
  const command = withAsking(withTables(withRecipe(withExamples(recipe.command("make"), io, ...making))))
    .description("make items; print one per line: its name and the stats other than 0")
    .option("-n <items>", "how many items", countOf(0, MAX_INDEX), 1)
    .option("--from <index>", "index of the first item", countOf(0, MAX_INDEX - 1), 0)
    .addOption(seedOption())
    .option("--name <name>", "items depend on the seed and this name (default: the recipe's name)")
    .addOption(forkOption())
    .action((name: string, flags: MakeFlags) => make(io, name, flags));
  withFormats(command, "items", { csv: "print CSV: name, stats, words, outcomes, index, seed" });
}

async function make(io: Io, recipe: string, flags: MakeFlags): Promise<void> {
  const { n, from, output } = flags;
  const writer = chosenWriter(flags);
  const { spec, tables, name } = await readWords(io, recipe, flags);
  const options = itemOptions(flags);
  // checks all options before the command prints anything
  checkRange(from, n);
  const { seed, announce } = chooseSeed(io, flags.seed);
  using mill = createMill({ seed });
  const head = { command: "recipe make", seed, name: flags.name ?? name, fork: flags.fork, from };
  const made = forkOf(mill.recipe(head.name, spec, { tables }), flags);
  const none = made.makeMany(0, { ...options, from });
  if (output !== undefined) await checkOutput(io, output);
  announce();
  reportUnknown(io, none);
  const makeBatch = ({ done, count, again }: BatchCall<Items>): Items => {
    const asked = { ...options, from: from + done };
    return again === undefined ? made.makeMany(count, asked) : made.makeInto(again, asked);
  };
  const batches = madeInBatches({ total: n, size: ITEMS_PER_BATCH }, makeBatch);
  await writeBatches(io, writer, batches, { output, n, unit: "items", head, rawCells: flags.rawCells, rowsOf });
}

function reportUnknown(io: Io, { requests: { unknown } }: Items): void {
  if (unknown.length > 0)
    note(io, `slots that are rolled, because their requested words do not exist: ${unknown.join(", ")}`);
}

/** As text, a row is the item's name, a tab, and the stats that are not 0. */
function rowsOf(items: Items): Rows {
  const stats = Object.keys(items.stats);
  return {
    length: items.length,
    text: (k) => {
      const parts = stats.filter((stat) => items.stats[stat][k] !== 0).map((stat) => `${stat} ${items.stat(stat, k)}`);
      return `${items.name(k)}\t${parts.join(", ")}`;
    },
    row: (k) => items.at(k),
    columns: () => items.columns(),
  };
}
