import type { Command } from "commander";
import { svgHistogram } from "../../formats/index.js";
import { createMill, type Fraction, toNumber } from "../../index.js";
import { define, type Flags, option } from "../command.js";
import { chanceLine, oddsData, oddsLines, report, reportIssues, withProbability } from "../shared/documents.js";
import { checkOutput, writeOrSummarise } from "../shared/files.js";
import type { Io } from "../shared/io.js";
import { JSON_DOCUMENT, MAX_WORK } from "../shared/options.js";
import { addMake } from "./make.js";
import { describeRecipe, recipeDocument } from "./show.js";
import { ASKED, checkedSource, itemOptions, RECIPE, readWords, WORDS } from "./source.js";
import { addTables, addWord } from "./words.js";

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
      "exact chance of each roll of the recipe, if the item comes to this roll: most slots are rolled only if another " +
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
        data: () => recipeDocument(shown),
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
      // "(none)" is the chance of an item without this part
      lines: () => [...oddsLines(chances), chanceLine("(none)", none)],
    });
  }
  const found = Object.entries(opened.chances(itemOptions(flags)));
  const rungs = (chance: Readonly<Record<string, Fraction>>) =>
    Object.fromEntries(Object.entries(chance).map(([rung, part]) => [rung, withProbability(part)]));
  await report(io, flags, {
    head,
    data: () =>
      Object.fromEntries(
        found.map(([what, chance]) => [what, isChance(chance) ? withProbability(chance) : rungs(chance)]),
      ),
    lines: () =>
      found.flatMap(([what, chance]) =>
        isChance(chance)
          ? chanceLine(what, chance)
          : Object.entries(chance).map(([rung, part]) => chanceLine(`${what} ${rung}`, part)),
      ),
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
      summary: () => oddsLines(chances).join("\n"),
    });
  }
  await report(io, flags, {
    head: { command: "recipe strength", name },
    data: () => chances.map(({ result, probability }) => ({ value: result, ...withProbability(probability) })),
    lines: () => oddsLines(chances),
  });
}
