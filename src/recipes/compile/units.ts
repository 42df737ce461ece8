import { decimalFraction } from "../../decimals.js";
import type { RecipeSpec, WordTables } from "../types.js";

function decimalsOf(value: number): number {
  const { denominator } = decimalFraction(Math.abs(value));
  let decimals = 0;
  for (let power = 1n; power % denominator !== 0n; power *= 10n) decimals++;
  return decimals;
}

/** Returns `value` · 10^decimals, exactly. `decimals` must be at least the number of decimal places of `value`. */
export function inUnits(value: number, decimals: number): bigint {
  const { numerator, denominator } = decimalFraction(Math.abs(value));
  const units = (numerator * 10n ** BigInt(decimals)) / denominator;
  return value < 0 ? -units : units;
}

/**
 * Returns a number of decimal places for each stat, in the order of the recipe. The number is just enough for the
 * stat's clamp and for every number that a step may add to the stat.
 */
export function statDecimals(spec: RecipeSpec, tables: WordTables): number[] {
  return spec.stats.map(({ name, clamp = [] }) =>
    Math.max(0, ...clamp.map(decimalsOf), ...added(spec, tables, name).map(decimalsOf)),
  );
}

function added(spec: RecipeSpec, tables: WordTables, stat: string): number[] {
  const values = new Set<number>();
  for (const step of spec.steps) {
    if (step.kind === "bonus") for (const { add } of step.ladder) values.add(add[stat] ?? 0);
    if (step.kind !== "slots") continue;
    for (const { table, strength, special } of step.slots) {
      for (const { stats } of tables.get(table)?.rows ?? []) values.add(stats[stat] ?? 0);
      if (stat === spec.strength) values.add(strength).add(special?.strength ?? 0);
    }
  }
  return [...values];
}
