import { jsonIn } from "../../../../src/cli/shared/texts.js";
import { failOnErrors, RollmillError } from "../../../../src/errors/index.js";
import { toNumber } from "../../../../src/index.js";
import {
  type ItemOptions,
  type Items,
  parseRecipe,
  parseWordCsv,
  type Recipe,
  type RecipeSpec,
  recipes,
} from "../../../../src/recipes/index.js";
import { allSlots, requestable } from "../../../../src/recipes/resolve.js";
import { tableOf } from "../../../../src/recipes/words.js";
import { type Files, stemOf } from "../../document.js";
import type { Choice, Field, Histogram, Item } from "../protocol.js";
import { explained, folderOf, MAX_WORK, millOf, type Open, oddsOf, SAMPLES, specOf, textOf } from "./kind.js";
import { type Asked, COUNTED, choicesOf, countsOf, fillForm, histogramOf } from "./requests.js";

const SLOT = "slot ";
const STRENGTH = "strength";

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source, [recipes]);
  const parsed = parseRecipe(jsonIn(files[file], file), { file });
  const spec = specOf(parsed);
  const { tables, issues } = wordsOf(spec, files, file);
  const noun = mill.open(recipes, stemOf(file), spec, { tables });
  const { asked, fields, made } = fillForm(fieldsOf(noun), source.options, (some) =>
    noun.makeMany(SAMPLES, { ...optionsOf(some), from: 0, onUnknownRequest: "throw" }),
  );
  const options = optionsOf(asked);
  const items = made === undefined ? [] : Array.from({ length: SAMPLES }, (_, k) => itemOf(spec, made, k));
  return {
    issues: [...parsed.issues, ...issues],
    planned: { noun, options },
    look: () => ({ view: "items", items, fields, options: { ...options }, parts: partsOf(spec) }),
    part: (part) => oddsOf(noun.odds({ ...options, of: part, maxWork: MAX_WORK })),
    numbers: () => ({ counted: COUNTED, histograms: histogramsOf(noun, options) }),
    explain: (at) => explained(noun, at, options),
    [Symbol.dispose]: () => mill.dispose(),
  };
};

/** The words of a recipe: a CSV file for each table, in the folder that has the recipe's name. */
function wordsOf(spec: RecipeSpec, files: Files, file: string) {
  const names = new Set(allSlots(spec).map(({ table }) => table));
  const read = Array.from(names, (name) => {
    const path = `${folderOf(file)}${stemOf(file)}/${name}.csv`;
    return { name, ...parseWordCsv(textOf(files, path), { file: path }) };
  });
  const issues = read.flatMap((one) => one.issues);
  failOnErrors(issues);
  return { issues, tables: Object.fromEntries(read.map(({ name, rows }) => [name, rows])) };
}

function fieldsOf({ spec, plan: { tables } }: Recipe): Field[] {
  const tiered = allSlots(spec).filter((slot) => slot.tiers !== undefined);
  const tiers = new Set(tiered.flatMap((slot) => tableOf(tables, slot).rows.map(({ tier }) => tier)));
  const levels = choicesOf([...tiers].filter((tier) => tier > 0).sort((a, b) => a - b));
  return [
    ...requestable(spec).map((slot) => {
      const choices = choicesOf(tableOf(tables, slot).rows.map(({ word }) => word));
      return { name: `${SLOT}${slot.slot}`, label: slot.slot, empty: "any", choices };
    }),
    ...(levels.length > 0 ? [{ name: "tier", label: "tier", empty: "any", choices: levels }] : []),
    ...(tiered.some((slot) => slot.tiers?.length) ? [VARIANCE] : []),
    { name: "power", label: "power", empty: "1" },
  ];
}

const VARIANCE = { name: "tierVariance", label: "nearby tiers", empty: "no", choices: [{ value: "1", label: "too" }] };

function optionsOf({ tier, tierVariance, power, ...words }: Asked): ItemOptions {
  const numbers = Object.entries({ tier, tierVariance, power }).filter(([, text]) => text !== undefined);
  const request = Object.entries(words).map(([name, word]) => [name.slice(SLOT.length), word]);
  return {
    ...Object.fromEntries(numbers.map(([name, text]) => [name, Number(text)])),
    ...(request.length > 0 && { request: Object.fromEntries(request) }),
  };
}

function partsOf({ steps }: RecipeSpec): Choice[] {
  const names = steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ slot }) => slot) : [step.name]));
  return choicesOf([...names, STRENGTH]);
}

/** The strength exactly, unless this takes too much work. The other stats are counted. */
function histogramsOf(noun: Recipe, options: ItemOptions): Histogram[] {
  const { stats, decimals } = noun.makeMany(COUNTED, { ...options, from: 0 });
  const { strength } = noun.spec;
  return Object.keys(stats).flatMap((stat) => {
    const units = 10 ** decimals[stat];
    const exact = stat === strength ? exactStrength(noun, options, units) : undefined;
    return histogramOf({ label: stat, weights: exact ?? countsOf(stats[stat]), units, isExact: exact !== undefined });
  });
}

function exactStrength(noun: Recipe, options: ItemOptions, units: number): ReadonlyMap<number, number> | undefined {
  try {
    const { odds } = noun.odds({ ...options, of: STRENGTH, maxWork: MAX_WORK });
    return new Map(odds.map(({ result, probability }) => [Math.round(result * units), toNumber(probability)]));
  } catch (cause) {
    if (cause instanceof RollmillError) return undefined;
    throw cause;
  }
}

/** The parts of an item, without the slots that it leaves empty. */
function itemOf(spec: RecipeSpec, items: Items, k: number): Item {
  const words = allSlots(spec).map(({ slot }) => [slot, items.word(slot, k)] as const);
  const values = spec.stats.map(({ name }) => [name, String(items.stat(name, k))] as const);
  return { name: items.name(k), parts: [...words.filter(([, word]) => word !== ""), ...values] };
}
