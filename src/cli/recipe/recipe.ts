import type { Command } from "commander";
import { checkRange } from "../../calls/index.js";
import { svgHistogram } from "../../formats/index.js";
import { createMill, type Fraction, type Items, toNumber } from "../../index.js";
import type { BonusStepSpec, ChanceSpec, SlotSpec, SlotsStepSpec, WordTable } from "../../recipes/index.js";
import { weightColumn } from "../../recipes/words.js";
import { define, type Flags, option } from "../command.js";
import {
  chanceLine,
  chosenWriter,
  formats,
  oddsData,
  oddsLines,
  putResults,
  type Rows,
  report,
  reportIssues,
  withProbability,
} from "../shared/documents.js";
import { checkOutput, writeOrSummarise } from "../shared/files.js";
import { type Io, note } from "../shared/io.js";
import { chooseSeed, forkOf, JSON_DOCUMENT, MAX_WORK, range, source } from "../shared/options.js";
import { ASKED, checkedSource, itemOptions, RECIPE, readWords, WORDS } from "./source.js";
import { addTables, addWord } from "./words.js";

/** Number of items in a batch, and in a row group of a Parquet file. */
const ITEMS_PER_BATCH = 2 ** 16;
const MAKE = [
  ...WORDS,
  ...ASKED,
  ...range("item"),
  ...source("items", "the recipe's name"),
  ...formats("items", "print CSV: name, stats, words, outcomes, index, seed"),
] as const;

function addMake(recipe: Command, io: Io): void {
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
  // throws early for an unknown type of output file
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
  const { unknown } = none.requests;
  if (unknown.length > 0)
    note(io, `slots that are rolled, because their requested words do not exist: ${unknown.join(", ")}`);
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

/** Returns the rows for each output format. In text, a row is the name, a tab, and the stats that are not 0. */
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

type NamedRecipe = Awaited<ReturnType<typeof readWords>>;

function* describeRecipe({ name, spec, tables }: NamedRecipe): Generator<string, void> {
  const stats = spec.stats.map(({ name: stat, clamp }) => (clamp ? `${stat} (${clamp[0]} to ${clamp[1]})` : stat));
  yield `${name}: ${spec.steps.length} steps; strength is ${spec.strength}`;
  yield `stats: ${stats.join(", ")}`;
  const weight = weightColumn(spec);
  const isWeighted = [...tables.values()].some(({ rows }) => rows.some((row) => weight && weight in row.stats));
  if (isWeighted) yield `weights of words: ${weight}`;
  for (const step of spec.steps) {
    if (step.kind === "slots") yield* slotLines(step);
    else if (step.kind === "bonus") yield bonusLine(step);
    else {
      const change = `rises by 0 to ${step.share} of itself if ${said(step.up)}, and falls by as much if not`;
      yield `${step.name}: ${step.stat} is doubled if ${said(step.doubled)}; otherwise it ${change}`;
    }
  }
  yield "tables:";
  for (const { table, words, active, tiers = {} } of [...tables.values()].map(sizes)) {
    const counts = Object.entries(tiers).map(([tier, count]) => `${tier}: ${count}`);
    yield `  ${table}: ${words} words, ${active} active${counts.length > 0 ? `; by tier ${counts.join(", ")}` : ""}`;
  }
}

function* slotLines({ name, chance, text, slots }: SlotsStepSpec): Generator<string, void> {
  const parts = [...(chance ? [`if ${said(chance)}`] : []), ...(text ? [`"${text}"`] : [])];
  yield `${name}: ${[...parts, `${slots.length} ${slots.length === 1 ? "slot" : "slots"}`].join(", ")}`;
  for (const slot of slots) {
    yield `  ${slotLine(slot)}`;
    const { special } = slot;
    if (special) yield `    or ${special.word}: if another ${said(special.chance)}, strength ${special.strength}`;
  }
}

function slotLine({ slot, table, chance, strength, text, after, differentFrom, tiers }: SlotSpec): string {
  const parts = [
    chance ? `if ${said(chance)}` : "always",
    ...(after ? [`after ${after}`] : []),
    ...(differentFrom ? [`other than ${differentFrom}`] : []),
    ...(text ? [`"${text}"`] : []),
    ...(tiers ? [`by tier, ${tiers.map((swing) => `±${swing.variance} from ${swing.atLeast}`).join(", ")}`] : []),
    `strength ${strength}`,
  ];
  return `${slot}: a word of ${table}, ${parts.join(", ")}`;
}

function bonusLine({ name, chance, sides, ladder }: BonusStepSpec): string {
  const rungs = ladder.map(({ atLeast = 1, text, add }) => {
    const added = Object.entries(add).map(([stat, value]) => `${stat} ${value < 0 ? value : `+${value}`}`);
    return `  from ${atLeast} of ${sides}: ${text} (${added.join(", ")})`;
  });
  return [`${name}: if ${said(chance)}`, ...rungs].join("\n");
}

/** Returns the condition on a roll, and how many of the 101 possible rolls meet it at power 1. */
function said(chance: ChanceSpec): string {
  const least = "above" in chance ? Math.floor(chance.above) + 1 : Math.ceil(chance.atLeast);
  const roll = "above" in chance ? `> ${chance.above}` : `≥ ${chance.atLeast}`;
  return `roll ${roll} (${Math.max(0, 101 - Math.max(0, least))}/101)`;
}

/** Counts the words of a table. If any word has a tier, `tiers` has the number of active words of each tier. */
function sizes({ name, rows }: WordTable) {
  const active = rows.filter((row) => row.active);
  const tiers: Record<string, number> = {};
  for (const { tier } of active) tiers[tier] = (tiers[tier] ?? 0) + 1;
  const hasTiers = rows.some(({ tier }) => tier > 0);
  return { table: name, words: rows.length, active: active.length, ...(hasTiers && { tiers }) };
}

const ODDS = [
  ...WORDS,
  ...ASKED,
  option("--of <part>", "the chance of each result of this slot, condition or bonus, in a whole item"),
  JSON_DOCUMENT,
] as const;
const STRENGTH = [
  ...WORDS,
  ...ASKED,
  MAX_WORK,
  option("--json", "print one JSON document").conflicts("svg"),
  option("--svg <file>", "write the distribution as an SVG picture"),
] as const;
const SHOW = [...WORDS, JSON_DOCUMENT] as const;

export function addRecipe(recipe: Command, io: Io): void {
  addMake(recipe, io);
  define(recipe.command("odds"), io, {
    examples: ["recipe odds weapon --power 1.7", "recipe odds weapon --of prefix"],
    description:
      "exact chance of each roll of the recipe, given that this roll is made: most slots are rolled only if another " +
      "roll succeeded; with --of, exact chance of each word of a slot in a whole item; independent of the seed",
    takes: [RECIPE],
    options: ODDS,
    run: (flags, recipe) => odds(io, flags, recipe),
  });
  define(recipe.command("strength"), io, {
    examples: ["recipe strength weapon --tier 3", "recipe strength weapon --svg strength.svg"],
    description: "exact distribution of the strength of the items",
    takes: [RECIPE],
    options: STRENGTH,
    run: (flags, recipe) => strength(io, flags, recipe),
  });
  define(recipe.command("show"), io, {
    examples: ["recipe show weapon"],
    description: "print the recipe: stats, steps, chances, and the sizes of its tables",
    takes: [RECIPE],
    options: SHOW,
    async run(flags, recipe) {
      const shown = await readWords(io, recipe, flags);
      await report(io, flags, {
        head: { command: "recipe show", name: shown.name },
        data: () => ({ recipe: shown.spec, tables: [...shown.tables.values()].map(sizes) }),
        lines: () => describeRecipe(shown),
      });
    },
  });
  define(recipe.command("check"), io, {
    examples: ["recipe check weapon"],
    description: "list every error and warning of a recipe and its words, such as missing tiers; exit 2 on an error",
    takes: [RECIPE],
    options: SHOW,
    async run(flags, recipe) {
      await reportIssues(io, flags, { command: "recipe check", ...(await checkedSource(io, recipe, flags)) });
    },
  });
  addTables(recipe, io);
  addWord(recipe, io);
}

function isChance(value: Fraction | { readonly [rung: string]: Fraction }): value is Fraction {
  return typeof value.numerator === "bigint";
}

async function odds(io: Io, flags: Flags<typeof ODDS>, recipe: string): Promise<void> {
  const { spec, tables, name } = await readWords(io, recipe, flags);
  using mill = createMill({ seed: "" });
  const opened = mill.recipe(name, spec, { tables });
  const head = { command: "recipe odds", name };
  const { of } = flags;
  if (of !== undefined) {
    const { odds: chances, none } = opened.odds({ ...itemOptions(flags), of });
    return report(io, flags, {
      head,
      data: () => ({ of, odds: oddsData(chances), none: withProbability(none) }),
      // the line "(none)" has the chance that an item lacks the part that --of names
      lines: () => [...oddsLines(chances), chanceLine("(none)", none)],
    });
  }
  const found = Object.entries(opened.chances(itemOptions(flags)));
  const rungs = (chance: Readonly<Record<string, Fraction>>) =>
    Object.fromEntries(Object.entries(chance).map(([rung, part]) => [rung, withProbability(part)]));
  const data = found.map(([what, chance]) => [what, isChance(chance) ? withProbability(chance) : rungs(chance)]);
  await report(io, flags, {
    head,
    data: () => Object.fromEntries(data),
    lines: () =>
      found.flatMap(([what, chance]) => {
        if (isChance(chance)) return chanceLine(what, chance);
        return Object.entries(chance).map(([rung, part]) => chanceLine(`${what} ${rung}`, part));
      }),
  });
}

async function strength(io: Io, flags: Flags<typeof STRENGTH>, recipe: string): Promise<void> {
  const { spec, tables, name } = await readWords(io, recipe, flags);
  await checkOutput(io, flags.svg);
  using mill = createMill({ seed: "" });
  const opened = mill.recipe(name, spec, { tables });
  const { odds: chances } = opened.odds({ ...itemOptions(flags), of: "strength", maxWork: flags.maxWork });
  if (flags.svg !== undefined) {
    const decimals = opened.makeMany(0).decimals[spec.strength];
    // multiplies the values by a power of ten, because svgHistogram accepts only integer values
    const bars = new Map(
      chances.map(({ result, probability }) => [Math.round(result * 10 ** decimals), toNumber(probability)]),
    );
    const unit = decimals === 0 ? "" : `, in units of ${10 ** -decimals}`;
    const values = `${spec.strength}${unit}`;
    const names = { title: `Strength of a ${name}`, values, heights: "probability", scale: "log" } as const;
    return writeOrSummarise(io, flags.svg, {
      content: () => svgHistogram(bars, names),
      summary: () => oddsLines(chances).join("\n"),
    });
  }
  await report(io, flags, {
    head: { command: "recipe strength", name },
    data: () => chances.map(({ result, probability }) => ({ value: result, ...withProbability(probability) })),
    lines: () => oddsLines(chances),
  });
}
