import type { Command } from "commander";
import { checkRange } from "../../calls/index.js";
import { createMill, type Items } from "../../index.js";
import { define, type Flags } from "../command.js";
import { checkOutput } from "../shared/files.js";
import { type Io, note } from "../shared/io.js";
import { chooseSeed, forkOf, range, source } from "../shared/options.js";
import { chosenWriter, formats, putResults, type Rows } from "../shared/rows.js";
import { ASKED, itemOptions, RECIPE, readWords, WORDS } from "./source.js";

/** Also the rows of a row group of a Parquet file. */
const ITEMS_PER_BATCH = 2 ** 16;
const MAKE = [
  ...WORDS,
  ...ASKED,
  ...range("item"),
  ...source("items", "the recipe's name"),
  ...formats("items", "print CSV: name, stats, words, outcomes, index, seed"),
] as const;

export function addMake(recipe: Command, io: Io): void {
  define(recipe.command("make"), io, {
    examples: [
      "recipe make weapon --tier 3 -n 10 --seed moria",
      "recipe make trinket -n 1000 --seed moria -o items.csv",
    ],
    description: "make items; print one per line: its name and the stats other than 0",
    takes: [RECIPE],
    options: MAKE,
    run: (flags, recipe) => make(io, flags, recipe),
  });
}

async function make(io: Io, flags: Flags<typeof MAKE>, recipe: string): Promise<void> {
  const { n, from, fork, output } = flags;
  // fails for an unknown type of file
  chosenWriter(flags);
  const { spec, tables, name } = await readWords(io, recipe, flags);
  const options = itemOptions(flags);
  // checks all options before the command prints anything
  checkRange(from, n);
  const { seed, announce } = chooseSeed(io, flags.seed);
  using mill = createMill({ seed });
  const head = { command: "recipe make", seed, name: flags.name ?? name, fork, from };
  const noun = forkOf(mill.recipe(head.name, spec, { tables }), flags);
  const none = noun.makeMany(0, { ...options, from });
  await checkOutput(io, output);
  announce();
  reportUnknown(io, none);
  await putResults(io, flags, {
    head,
    unit: "items",
    size: ITEMS_PER_BATCH,
    make: (count, from, again: Items | undefined) => {
      const call = { ...options, from };
      return again === undefined ? noun.makeMany(count, call) : noun.makeInto(again, call);
    },
    rowsOf,
  });
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
