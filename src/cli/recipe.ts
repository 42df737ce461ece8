import { type Command, Option } from "commander";
import { svgHistogram } from "../formats/index.js";
import { createMill, type Fraction, type Recipe, toNumber } from "../index.js";
import { chanceText, withProbability } from "./chances.js";
import { jsonOption } from "./options.js";
import { addMake } from "./recipeMake.js";
import { describeRecipe, recipeDocument } from "./recipeShow.js";
import {
  type AskFlags,
  itemOptions,
  readSetup,
  type SourceFlags,
  withAsking,
  withRecipe,
  withTables,
} from "./recipeSource.js";
import { addTables, addWord } from "./recipeTables.js";
import { checkFolderOf, json, write, writeWhole } from "./terminal.js";

interface OddsFlags extends SourceFlags, AskFlags {
  readonly json?: boolean;
}

interface StrengthFlags extends OddsFlags {
  readonly svg?: string;
}

/** Adds `rollmill recipe make`, `recipe odds`, `recipe strength`, `recipe show`, `recipe tables` and `recipe word`. */
export function addRecipe(program: Command): void {
  const recipe = program.command("recipe").description("items by recipes: weapons and whatever else words make");
  addMake(recipe);
  withAsking(withTables(withRecipe(recipe.command("odds"))))
    .description("the exact chance of every slot, condition and bonus; no seed changes them")
    .addOption(jsonOption())
    .action(odds);
  withAsking(withTables(withRecipe(recipe.command("strength"))))
    .description("the exact distribution of the items' strength")
    .addOption(jsonOption().conflicts("svg"))
    .addOption(new Option("--svg <file>", "draw it as an SVG picture"))
    .action(strength);
  withTables(withRecipe(recipe.command("show")))
    .description("the recipe: stats, steps, chances, and its tables with their sizes")
    .addOption(jsonOption())
    .action(show);
  addTables(recipe);
  addWord(recipe);
}

async function open(name: string, flags: SourceFlags): Promise<{ readonly recipe: Recipe; readonly stat: string }> {
  const { setup, name: own, spec } = await readSetup(name, flags);
  return { recipe: createMill({ seed: "" }).recipe(own, setup), stat: spec.strength };
}

function isChance(value: Fraction | { readonly [rung: string]: Fraction }): value is Fraction {
  return typeof value.numerator === "bigint";
}

async function odds(name: string, flags: OddsFlags): Promise<void> {
  const { recipe } = await open(name, flags);
  const found = Object.entries(recipe.odds(itemOptions(flags)));
  if (flags.json) {
    const document = found.map(([what, chance]) => [
      what,
      isChance(chance)
        ? withProbability(chance)
        : Object.fromEntries(Object.entries(chance).map(([rung, part]) => [rung, withProbability(part)])),
    ]);
    return write(json(Object.fromEntries(document)));
  }
  const lines = found.flatMap(([what, chance]) =>
    isChance(chance)
      ? [line(what, chance)]
      : Object.entries(chance).map(([rung, part]) => line(`${what} ${rung}`, part)),
  );
  await write(lines.join(""));
}

function line(name: string, chance: Fraction): string {
  return `${name}\t${chanceText(chance)}\n`;
}

async function strength(name: string, flags: StrengthFlags): Promise<void> {
  const { recipe, stat } = await open(name, flags);
  if (flags.svg !== undefined) await checkFolderOf(flags.svg);
  const { decimals, odds: chances } = recipe.strength(itemOptions(flags));
  if (flags.svg !== undefined) {
    const bars = new Map([...chances].map(([value, chance]) => [value, toNumber(chance)]));
    const unit = decimals === 0 ? "" : `, in units of ${10 ** -decimals}`;
    const names = {
      title: `Strength of a ${recipe.name}`,
      values: `${stat}${unit}`,
      heights: "probability",
      scale: "log",
    } as const;
    return writeWhole(flags.svg, svgHistogram(bars, names));
  }
  const list = [...chances].map(([value, chance]) => ({ value: value / 10 ** decimals, ...withProbability(chance) }));
  if (flags.json) return write(json(list));
  await write(list.map(({ value, ...chance }) => line(String(value), chance)).join(""));
}

async function show(name: string, flags: SourceFlags & { readonly json?: boolean }): Promise<void> {
  const { spec, tables, name: own } = await readSetup(name, flags);
  const shown = { name: own, spec, tables };
  if (flags.json) return write(json(recipeDocument(shown)));
  await write([...describeRecipe(shown)].map((text) => `${text}\n`).join(""));
}
