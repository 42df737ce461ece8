import { error, fail } from "../errors/index.js";
import type { Fraction } from "../fractions.js";

/** Refuses a table whose rolls change the odds of later rolls. */
export function refuseMemory(remedy: string): never {
  const problem = 'live rolls with one-shots or "chosen" depend on earlier rolls, so their odds change';
  return fail(error("table.live-from", { problem, remedy }));
}

export function refuseEndless({ numerator, denominator }: Fraction): void {
  if (numerator === 0n) return;
  const problem = "a roll may never end, and then no roll follows it";
  const remedy = "Give each row that a roll can reach a way to a result; `odds` has the odds of one roll";
  fail(error("table.endless", { problem, got: `${numerator}/${denominator}`, remedy }));
}
