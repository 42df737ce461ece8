import type { Chance } from "../../../calls/index.js";
import { toNumber } from "../../../fractions.js";

export interface Row {
  readonly result: string;
  readonly count: number;
  /** By the exact odds, if they are known. */
  readonly expected: number | undefined;
  /** From the expected count, in standard deviations. Undefined if it is not known or not meaningful. */
  readonly deviation: number | undefined;
}

export interface Distribution {
  readonly title: string;
  readonly note: string;
  readonly rows: readonly Row[];
}

/** Counts with less variance are far from a normal distribution: a deviation would mean nothing. */
const MIN_VARIANCE = 9;
const MAX_ROWS = 60;

/** `total` independent trials with probability p. */
export function trialRow(result: string, count: number, total: number, p: number): Row {
  return sumRow(result, count, total * p, total * p * (1 - p));
}

export function sumRow(result: string, count: number, expected: number, variance: number): Row {
  const deviation = variance >= MIN_VARIANCE ? (count - expected) / Math.sqrt(variance) : undefined;
  return { result, count, expected, deviation };
}

export function plainRow(result: string, count: number): Row {
  return { result, count, expected: undefined, deviation: undefined };
}

export function oddsRows(odds: readonly Chance<unknown>[], counts: ReadonlyMap<string, number>, total: number): Row[] {
  return odds.map(({ result, probability }) => {
    const name = String(result);
    return trialRow(name, counts.get(name) ?? 0, total, toNumber(probability));
  });
}

export function shortened(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= MAX_ROWS) return rows;
  const sorted = [...rows].sort((a, b) => b.count - a.count);
  const rest = sorted.slice(MAX_ROWS - 1);
  const sum = (numberOf: (row: Row) => number) => rest.reduce((total, row) => total + numberOf(row), 0);
  const isKnown = rest.every(({ expected }) => expected !== undefined);
  const other: Row = {
    result: `${rest.length} others`,
    count: sum(({ count }) => count),
    expected: isKnown ? sum(({ expected }) => expected ?? 0) : undefined,
    deviation: undefined,
  };
  return [...sorted.slice(0, MAX_ROWS - 1), other];
}
