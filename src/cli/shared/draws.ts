import type { Column } from "../../formats/index.js";
import { type Fraction, fraction, multiply, ONE, subtract } from "../../fractions.js";
import { type Counts, type Odds, type Progress, toNumber } from "../../index.js";
import { checkInteger } from "../../spec/index.js";
import type { Stack } from "../../weighted/index.js";
import { option } from "../command.js";
import { chanceText, type Head, oddsData, oddsLines, report, withProbability } from "./documents.js";
import { type Io, note } from "./io.js";
import { withProgress } from "./progress.js";
import type { Rows } from "./rows.js";

interface Printing {
  readonly head: Head;
  readonly json: boolean | undefined;
}

interface Batch<Result> {
  readonly length: number;
  at(k: number): Result | undefined;
}

export function rowsBy<Result>(
  batch: Batch<Result>,
  textOf: (result: Result) => string,
  columns: () => readonly Column[],
  rowOf: (result: Result) => unknown = (result) => result,
): Rows {
  // the casts are safe: k is below the length
  const at = (k: number) => batch.at(k) as Result;
  return { length: batch.length, text: (k) => textOf(at(k)), row: (k) => rowOf(at(k)), columns };
}

/** Returns the line of a result with or without a quantity. */
export function lineOf(result: string | Stack | null): string {
  if (result === null || typeof result === "string") return result ?? "";
  return `${result.result}\t${result.quantity}`;
}

export async function printCounts(
  io: Io,
  count: (onProgress: (progress: Progress) => void) => Counts<unknown>,
  { head, ...flags }: Printing,
): Promise<void> {
  const { total, counts, none } = withProgress(io, { what: "rolling", unit: "rolls" }, count);
  const list = Array.from(counts, ([result, times]) => ({ result, count: times }));
  const lines = list.map(({ result, count: times }) => `${times}\t${result}`);
  await report(io, flags, {
    head,
    data: () => ({ total, counts: list, none }),
    lines: () => (none > 0 ? [...lines, `${none}\t(none)`] : lines),
  });
}

/** The digits of the fractions grow with n. */
const MAX_IN_ODDS = 1000;

export function oddsOption(what: string, ...conflicts: readonly string[]) {
  return option("--odds", what).conflicts(["from", "output", ...conflicts]);
}

export async function printOdds(
  io: Io,
  { odds, none }: Odds<unknown>,
  { head, n, ...flags }: Printing & { readonly n: number },
): Promise<void> {
  checkInteger("-n", n, 1, MAX_IN_ODDS);
  if (n > 1) return printManyOdds(io, { ...oddsOfMany({ odds, none }, n), n }, { head, ...flags });
  await report(io, flags, {
    head,
    data: () => ({ odds: oddsData(odds), none: withProbability(none) }),
    lines: () => oddsLines(odds, { "(none)": none }),
  });
}

interface ManyOdds {
  readonly n?: number;
  readonly odds: readonly { readonly result: unknown; readonly atLeastOne: Fraction; readonly expected: Fraction }[];
  readonly none: Fraction;
}

function oddsOfMany({ odds, none }: Odds<unknown>, n: number): ManyOdds {
  const power = ({ numerator, denominator }: Fraction): Fraction => ({
    numerator: numerator ** BigInt(n),
    denominator: denominator ** BigInt(n),
  });
  const list = odds.map(({ result, probability }) => ({
    result,
    atLeastOne: subtract(ONE, power(subtract(ONE, probability))),
    expected: multiply(probability, fraction(BigInt(n), 1n)),
  }));
  return { odds: list, none: power(none) };
}

export async function printManyOdds(io: Io, { n, odds, none }: ManyOdds, { head, ...flags }: Printing): Promise<void> {
  if (!flags.json)
    note(io, "columns: result, chance of at least one (exact, rounded), expected number (exact, rounded)");
  await report(io, flags, {
    head,
    data: () => {
      const list = odds.map(({ result, atLeastOne, expected }) => ({
        result,
        atLeastOne: withProbability(atLeastOne),
        expected: { ...expected, value: toNumber(expected) },
      }));
      return { n, odds: list, none: withProbability(none) };
    },
    lines: () => [
      ...odds.map((one) => `${one.result}\t${chanceText(one.atLeastOne)}\t${chanceText(one.expected)}`),
      ...oddsLines([], { "(none)": none }),
    ],
  });
}
