import { type Command, Option } from "commander";
import { svgHistogram } from "../../formats/index.js";
import { type Chance, createMill, type Fraction, toNumber } from "../../index.js";
import { withExamples } from "../examples.js";
import { chanceText, withProbability } from "../shared/chances.js";
import { printDocument } from "../shared/envelope.js";
import { type Io, print } from "../shared/io.js";
import { printIssues } from "../shared/issueList.js";
import { jsonOption, workOption } from "../shared/options.js";
import { checkOutput, writeOrSummarise } from "../shared/outputFile.js";
import { addMake } from "./make.js";
import { describeRecipe, recipeDocument } from "./show.js";
import {
  type AskFlags,
  checkedSource,
  itemOptions,
  readWords,
  type SourceFlags,
  withAsking,
  withRecipe,
  withTables,
} from "./source.js";
import { addTables } from "./tables.js";
import { addWord } from "./word.js";

interface OddsFlags extends SourceFlags, AskFlags {
  readonly of?: string;
}

interface StrengthFlags extends SourceFlags, AskFlags {
  readonly maxWork?: number;
  readonly svg?: string;
}

export function addRecipe(recipe: Command, io: Io): void {
  addMake(recipe, io);
  const asking = ["recipe odds weapon --power 1.7", "recipe odds weapon --of prefix"];
  withAsking(withTables(withRecipe(withExamples(recipe.command("odds"), io, ...asking))))
    .description(
      "exact chance of each roll of the recipe, if the item comes to this roll: most slots are rolled only if another " +
        "roll succeeded; with --of, exact chance of each word of a slot in a whole item; independent of the seed",
    )
    .option("--of <part>", "the chance of each result of this slot, condition or bonus, in a whole item")
    .addOption(jsonOption())
    .action((name: string, { of, ...flags }: OddsFlags) =>
      of === undefined ? odds(io, name, flags) : oddsOf(io, name, { ...flags, of }),
    );
  const drawing = ["recipe strength weapon --tier 3", "recipe strength weapon --svg strength.svg"];
  withAsking(withTables(withRecipe(withExamples(recipe.command("strength"), io, ...drawing))))
    .description("exact distribution of the strength of the items")
    .addOption(workOption())
    .addOption(jsonOption().conflicts("svg"))
    .addOption(new Option("--svg <file>", "write the distribution as an SVG picture"))
    .action((name: string, flags: StrengthFlags) => strength(io, name, flags));
  withTables(withRecipe(withExamples(recipe.command("show"), io, "recipe show weapon")))
    .description("print the recipe: stats, steps, chances, and the sizes of its tables")
    .addOption(jsonOption())
    .action((name: string, flags: SourceFlags) => show(io, name, flags));
  withTables(withRecipe(withExamples(recipe.command("check"), io, "recipe check weapon")))
    .description("list every error and warning of a recipe and its words, such as missing tiers; exit 2 on an error")
    .addOption(jsonOption())
    .action((name: string, flags: SourceFlags) => check(io, name, flags));
  addTables(recipe, io);
  addWord(recipe, io);
}

function isChance(value: Fraction | { readonly [rung: string]: Fraction }): value is Fraction {
  return typeof value.numerator === "bigint";
}

async function odds(io: Io, recipe: string, flags: OddsFlags): Promise<void> {
  const { spec, tables, name } = await readWords(io, recipe, flags);
  using mill = createMill({ seed: "" });
  const found = Object.entries(mill.recipe(name, spec, { tables }).chances(itemOptions(flags)));
  if (flags.json) {
    const rungs = (chance: Readonly<Record<string, Fraction>>) =>
      Object.fromEntries(Object.entries(chance).map(([rung, part]) => [rung, withProbability(part)]));
    const document = found.map(([what, chance]) => [what, isChance(chance) ? withProbability(chance) : rungs(chance)]);
    return printDocument(io, { command: "recipe odds", seed: null, name }, Object.fromEntries(document));
  }
  const lines = found.flatMap(([what, chance]) =>
    isChance(chance)
      ? [line(what, chance)]
      : Object.entries(chance).map(([rung, part]) => line(`${what} ${rung}`, part)),
  );
  await print(io, lines.join(""));
}

/** "(none)" is the chance of an item without this part. */
async function oddsOf(io: Io, recipe: string, { of, ...flags }: OddsFlags & { readonly of: string }): Promise<void> {
  const { spec, tables, name } = await readWords(io, recipe, flags);
  using mill = createMill({ seed: "" });
  const { odds: chances, none } = mill.recipe(name, spec, { tables }).odds({ ...itemOptions(flags), of });
  if (!flags.json) return print(io, `${listed(chances)}${line("(none)", none)}`);
  const list = chances.map(({ result, probability }) => ({ result, ...withProbability(probability) }));
  const head = { command: "recipe odds", seed: null, name };
  return printDocument(io, head, { of, odds: list, none: withProbability(none) });
}

function line(name: string, chance: Fraction): string {
  return `${name}\t${chanceText(chance)}\n`;
}

async function strength(io: Io, recipe: string, flags: StrengthFlags): Promise<void> {
  const { spec, tables, name } = await readWords(io, recipe, flags);
  if (flags.svg !== undefined) await checkOutput(io, flags.svg);
  using mill = createMill({ seed: "" });
  const opened = mill.recipe(name, spec, { tables });
  const { odds: chances } = opened.odds({ ...itemOptions(flags), of: "strength", maxWork: flags.maxWork });
  if (flags.svg !== undefined) {
    const decimals = opened.makeMany(0).decimals[spec.strength];
    // multiplies the values by a power of ten, because svgHistogram accepts only integers
    const bars = new Map(
      chances.map(({ result, probability }) => [Math.round(result * 10 ** decimals), toNumber(probability)]),
    );
    const unit = decimals === 0 ? "" : `, in units of ${10 ** -decimals}`;
    const names = {
      title: `Strength of a ${name}`,
      values: `${spec.strength}${unit}`,
      heights: "probability",
      scale: "log",
    } as const;
    return writeOrSummarise(io, flags.svg, {
      content: () => svgHistogram(bars, names),
      summary: () => listed(chances),
    });
  }
  const list = chances.map(({ result, probability }) => ({ value: result, ...withProbability(probability) }));
  if (flags.json) return printDocument(io, { command: "recipe strength", seed: null, name }, list);
  await print(io, listed(chances));
}

function listed(chances: readonly Chance<string | number>[]): string {
  return chances.map(({ result, probability }) => line(String(result), probability)).join("");
}

async function check(io: Io, recipe: string, flags: SourceFlags): Promise<void> {
  const { name, issues } = await checkedSource(io, recipe, flags);
  await printIssues(io, issues, { head: { command: "recipe check", seed: null, name }, json: flags.json });
}

async function show(io: Io, recipe: string, flags: SourceFlags): Promise<void> {
  const shown = await readWords(io, recipe, flags);
  const head = { command: "recipe show", seed: null, name: shown.name };
  if (flags.json) return printDocument(io, head, recipeDocument(shown));
  await print(io, [...describeRecipe(shown)].map((text) => `${text}\n`).join(""));
}
