import { decimalFraction } from "../../decimals.js";
import type { RecipeSpec, WordTables } from "../types.js";

function decimalsOf(value: number): number {
  const { denominator } = decimalFraction(Math.abs(value));
  let decimals = 0;
  for (let power = 1n; power % denominator !== 0n; power *= 10n) decimals++;
  return decimals;
}

/** Returns `value` · 10^decimals. `decimals` must be at least the number of decimal places of `value`. */
export function inUnits(value: number, decimals: number): bigint {
  const { numerator, denominator } = decimalFraction(Math.abs(value));
  const units = (numerator * 10n ** BigInt(decimals)) / denominator;
  return value < 0 ? -units : units;
}

/** Returns the decimal places of each stat, just enough for its clamp and for every number that a step may add. */
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
