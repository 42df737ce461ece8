import { readFileSync } from "node:fs";
import type { Issue } from "../../src/errors/index.js";
import type { Fraction } from "../../src/fractions.js";
import { itemOdds } from "../../src/recipes/odds.js";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import type { Resolved } from "../../src/recipes/resolve.js";
import type { RecipeSource, RecipeSpec, TablesInput, WordTables } from "../../src/recipes/types.js";
import { specOf } from "../../src/spec/index.js";

/** The shipped weapon, as its file in data/ has it. */
export function weaponInput(): Record<string, unknown> {
  return JSON.parse(readFileSync(new URL("../../data/recipes/weapon.json", import.meta.url), "utf8"));
}

export function recipe(input: unknown): RecipeSpec {
  return specOf(parseRecipe(input));
}

export function wordTables(input: unknown, spec?: RecipeSpec): WordTables {
  return specOf(parseTables(input, { spec }));
}

/** A few words for every table of a weapon; crippling and relic are inactive, and no type has tier 4. */
export const WEAPON_WORDS: TablesInput = {
  element: [
    { id: 3, word: "frozen", freezing: 0.2 },
    { id: 1, word: "burning", flaming: 0.2 },
    { id: 2, word: "crippling", active: false, attack: 5 },
  ],
  prefix: [
    { id: 1, word: "keen", attack: 2 },
    { id: 2, word: "blunt", attack: -2 },
  ],
  type: [
    { id: 1, word: "dagger", tier: 1, hands: 1, attack: 3 },
    { id: 2, word: "sword", tier: 2, hands: 1, attack: 6 },
    { id: 3, word: "half-moon axe", tier: 3, hands: 2, attack: 9 },
    { id: 4, word: "relic", tier: 9, active: 0, attack: 99 },
    { id: 5, word: "maul", tier: 6, hands: 3, attack: 12 },
  ],
  adjective: [{ id: 1, word: "old" }],
  abstract: [
    { id: 1, word: "doom" },
    { id: 2, word: "dawn" },
  ],
};

export function weapon(): RecipeSource {
  const spec = recipe(weaponInput());
  return { spec, tables: wordTables(WEAPON_WORDS, spec) };
}

/** The odds of a subject: probabilities by result. */
export function oddsOf(
  resolved: Resolved,
  of: string,
): { results: ReadonlyMap<string | number, Fraction>; none: Fraction } {
  const { odds, none } = itemOdds(resolved, of);
  return { results: new Map(odds.map(({ result, probability }) => [result, probability])), none };
}

/** A fraction as "6/101". */
export function text({ numerator, denominator }: Fraction): string {
  return `${numerator}/${denominator}`;
}

/** Codes and paths of issues. */
export function places(issues: readonly Issue[]): string[] {
  return issues.map(({ code, where }) => `${code} ${where.path}`);
}
