import { type Issue, RollmillError, warning } from "../errors/index.js";
import { ROLL_SIDES } from "../kernel/layout.js";
import { readOptions } from "../spec/index.js";
import { compileRecipe } from "./compile.js";
import { allSlots, successesOf } from "./resolve.js";
import { shippedRecipe } from "./shipped.js";
import { parseSource } from "./system.js";
import type { ChanceSpec, RecipeOptions, RecipeSource } from "./types.js";
import { listed } from "./unknownName.js";
import { weightColumn, weightsOf } from "./words.js";

/**
 * Checks a recipe and, if the recipe has no errors, its word tables. Makes no item. Returns the errors and warnings.
 * `recipe.spec` warns of a chance that never succeeds at power 1, an optional chance that always succeeds, and a stat
 * that nothing changes. `recipe.tables` warns of a table that the recipe does not use, a tier without words between two
 * tiers with words, tiers that no slot uses, and active words of weight 0. Cost: O(rows · stats).
 *
 * @param recipe - the name of a shipped recipe, an object, or a spec that `parseRecipe` returned.
 * @throws RollmillError `recipe.unknown` if no shipped recipe has this name; `argument.option`, `argument.type`.
 */
export function checkRecipe(recipe: unknown, options: RecipeOptions = {}): readonly Issue[] {
  const read = readOptions("checkRecipe", options, ["tables", "file"]);
  if (typeof recipe === "string") shippedRecipe(recipe);
  const { spec: source, issues } = parseSource(recipe, read);
  if (source === undefined) return issues;
  try {
    compileRecipe(source);
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    return [...issues, ...cause.issues];
  }
  const flaw: Flaw = (path, problem, remedy) =>
    warning("recipe.spec", { problem, remedy, where: { file: read.file, path } });
  return [...issues, ...chanceFlaws(source, flaw), ...idleStats(source, flaw), ...tableFlaws(source)];
}

type Flaw = (path: string, problem: string, remedy: string) => Issue;

function* chanceFlaws({ spec: { steps } }: RecipeSource, flaw: Flaw): Generator<Issue> {
  for (const [i, step] of steps.entries()) {
    const path = `steps[${i}]`;
    if (step.kind === "condition") continue;
    yield* chanceFlaw(flaw, `${path}.chance`, step.chance, step.kind === "slots");
    for (const [s, { chance, special }] of step.kind === "slots" ? step.slots.entries() : []) {
      yield* chanceFlaw(flaw, `${path}.slots[${s}].chance`, chance, true);
      yield* chanceFlaw(flaw, `${path}.slots[${s}].special.chance`, special?.chance, false);
    }
  }
}

function* chanceFlaw(flaw: Flaw, path: string, chance: ChanceSpec | undefined, isOptional: boolean): Generator<Issue> {
  const successes = chance === undefined ? undefined : successesOf(chance, 1);
  if (successes === 0) {
    const problem = "the chance never succeeds at power 1, because a roll is at most 100";
    yield flaw(path, problem, "Lower the limit of the chance, or ignore this if all calls have a greater power");
  }
  if (successes === ROLL_SIDES && isOptional) {
    yield flaw(path, "the chance always succeeds", "Remove the chance");
  }
}

function* idleStats({ spec, tables }: RecipeSource, flaw: Flaw): Generator<Issue> {
  const rows = [...tables.values()].flatMap((table) => table.rows.map(({ stats }) => stats));
  const rungs = spec.steps.flatMap((step) => (step.kind === "bonus" ? step.ladder.map(({ add }) => add) : []));
  for (const [i, { name }] of spec.stats.entries()) {
    if (name === spec.strength || [...rungs, ...rows].some((stats) => (stats[name] ?? 0) !== 0)) continue;
    const problem = `no word and no bonus changes the stat ${JSON.stringify(name)}`;
    yield flaw(`stats[${i}]`, problem, "Remove the stat, or give it a value in some words");
  }
}

function* tableFlaws({ spec, tables }: RecipeSource): Generator<Issue> {
  const tiered = new Set(allSlots(spec).flatMap(({ table, tiers }) => (tiers === undefined ? [] : [table])));
  for (const table of tables.values()) {
    const flaw = (problem: string, remedy: string) =>
      warning("recipe.tables", { problem, remedy, where: { path: table.name } });
    const { candidates } = weightsOf(table, weightColumn(spec));
    const gaps = tiered.has(table.name) ? tierGaps(candidates.map((row) => table.rows[row].tier)) : [];
    if (gaps.length > 0)
      yield flaw(`no active word has the tier ${gaps.join(", ")}`, "Add words of these tiers, or request others");
    if (!tiered.has(table.name) && table.rows.some(({ tier }) => tier > 0)) {
      yield flaw("the tiers of these words have no effect", 'Add the field "tiers" to a slot that uses this table');
    }
    const picked = new Set(candidates);
    const never = table.rows.flatMap(({ active, word }, row) => (active && !picked.has(row) ? [word] : []));
    if (never.length > 0) {
      const problem = `active words are never picked at random, because their weight is 0: ${listed(never)}`;
      yield flaw(problem, "Raise the weight, or make the words inactive");
    }
  }
}

function tierGaps(tiers: readonly number[]): readonly number[] {
  const known = [...new Set(tiers)].sort((a, b) => a - b);
  return known.flatMap((tier, i) =>
    i === 0 ? [] : Array.from({ length: tier - known[i - 1] - 1 }, (_, k) => known[i - 1] + 1 + k),
  );
}
