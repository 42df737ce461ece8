import type { Amount, Stack } from "../amounts/index.js";
import { error, fail } from "../errors/index.js";
import { type Fraction, overCommonDenominator } from "../fractions.js";
import { refuseEndless } from "./independent.js";
import type { TablePlan } from "./types.js";

type WithQuantity<Result> = [Extract<Result, Stack>] extends [never]
  ? unknown
  : [Extract<Result, string>] extends [never]
    ? { readonly quantity: string }
    : { readonly quantity?: string | undefined };

/** An outcome of a roll, as an entry of a list: its weight is its probability times the total of the weights. */
export type TableEntry<Label extends string = string, Result = string | Stack | null> =
  | ({ readonly result: Label; readonly weight: number } & WithQuantity<Result>)
  | { readonly result: null; readonly weight: number };

/** The exact odds of a roll. Each outcome has an index of the plan's results. */
interface Law {
  readonly outcomes: readonly { readonly index: number; readonly probability: Fraction }[];
  readonly none: Fraction;
  readonly endless: Fraction;
}

const MAX_TOTAL = 2 ** 32 - 1;

/** Returns an entry for each outcome, and one for no result if it is possible. */
export function listOf({ results, quantities }: TablePlan, { outcomes, none, endless }: Law): TableEntry[] {
  refuseEndless(endless);
  const { integers, whole } = overCommonDenominator([...outcomes.map(({ probability }) => probability), none]);
  if (whole > MAX_TOTAL) {
    const problem = "the odds of the table have no small common denominator, so they cannot be the weights of a list";
    const expected = `a common denominator of at most ${MAX_TOTAL}`;
    const remedy = "Round the odds with `apportion`, and pass the list; or use fewer rows or simpler weights";
    fail(error("weights.decimals", { problem, got: whole, expected, remedy }));
  }
  const entries = outcomes.map(({ index }, i): TableEntry => {
    const [result, amount] = [results[index], quantities?.[index]];
    const weight = Number(integers[i]);
    if (result === null) return { result, weight };
    return amount === undefined ? { result, weight } : { result, weight, quantity: textOf(amount) };
  });
  return none.numerator === 0n ? entries : [...entries, { result: null, weight: Number(integers[outcomes.length]) }];
}

function textOf({ count, sides, plus }: Amount): string {
  return count === 0 ? String(plus) : `${count}d${sides}${plus < 0 ? "" : "+"}${plus}`;
}
