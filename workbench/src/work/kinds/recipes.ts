import { jsonIn } from "../../../../src/cli/shared/texts.js";
import { failOnErrors } from "../../../../src/errors/index.js";
import { type Items, parseRecipe, parseWordCsv, type RecipeSpec, recipes } from "../../../../src/recipes/index.js";
import { type Files, stemOf } from "../../document.js";
import type { Item } from "../protocol.js";
import { explained, folderOf, millOf, type Open, SAMPLES, specOf, textOf } from "./kind.js";

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source, [recipes]);
  const parsed = parseRecipe(jsonIn(files[file], file), { file });
  const spec = specOf(parsed);
  const { tables, issues } = wordsOf(spec, files, file);
  const noun = mill.open(recipes, stemOf(file), spec, { tables });
  return {
    issues: [...parsed.issues, ...issues],
    planned: noun,
    look() {
      const items = noun.makeMany(SAMPLES, { from: 0 });
      return {
        view: "items",
        level: undefined,
        items: Array.from({ length: SAMPLES }, (_, k) => itemOf(spec, items, k)),
      };
    },
    explain: (at) => explained(noun, at),
    [Symbol.dispose]: () => mill.dispose(),
  };
};

/** The words of a recipe: a CSV file for each table, in the folder that has the recipe's name. */
function wordsOf({ steps }: RecipeSpec, files: Files, file: string) {
  const names = new Set(steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ table }) => table) : [])));
  const read = Array.from(names, (name) => {
    const path = `${folderOf(file)}${stemOf(file)}/${name}.csv`;
    return { name, ...parseWordCsv(textOf(files, path), { file: path }) };
  });
  const issues = read.flatMap((one) => one.issues);
  failOnErrors(issues);
  return { issues, tables: Object.fromEntries(read.map(({ name, rows }) => [name, rows])) };
}

/** The parts of an item, without the slots that it leaves empty. */
function itemOf({ steps, stats }: RecipeSpec, items: Items, k: number): Item {
  const slots = steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ slot }) => slot) : []));
  const words = slots.map((slot) => [slot, items.word(slot, k)] as const).filter(([, word]) => word !== "");
  const values = stats.map(({ name }) => [name, String(items.stat(name, k))] as const);
  return { name: items.name(k), ...Object.fromEntries([...words, ...values]) };
}
