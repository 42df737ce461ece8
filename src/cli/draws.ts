import { type Command, Option } from "commander";
import { madeInBatches } from "../calls/index.js";
import type { Column } from "../formats/index.js";
import { type Fraction, fraction, multiply, ONE, subtract } from "../fractions.js";
import { type Counts, type Odds, type Progress, toNumber } from "../index.js";
import { checkInteger } from "../spec/index.js";
import { chanceText, withProbability } from "./chances.js";
import { type Head, printDocument, printList } from "./envelope.js";
import { type Io, note, print } from "./io.js";
import { checkOutput } from "./outputFile.js";
import { withProgress } from "./progress.js";
import { rawCellsOption, writeBatches, writerFor } from "./rowWriters.js";

/** How to print results: as lines or, if `json` is set, as a JSON document. The document begins with `head`. */
interface Printing {
  readonly head: Head;
  readonly json: boolean | undefined;
}

export interface ResultFlags {
  readonly n: number;
  readonly json?: boolean;
  readonly output?: string;
  readonly rawCells?: boolean;
}

export function withOutput(command: Command, what: string): Command {
  return command
    .addOption(new Option("--json", "print one JSON document").conflicts("output"))
    .option("-o, --output <file>", `write the ${what} to a file: .parquet, .csv, .ndjson or .json`)
    .addOption(rawCellsOption());
}

/** A batch of results. Iteration returns what `--json` prints. */
interface ResultBatch<Result> extends Iterable<Result> {
  readonly length: number;
  at(k: number): Result | undefined;
}

interface Results<Result, Batch extends ResultBatch<Result>> {
  readonly head: Head;
  /** Plural noun for the results, such as "rolls". */
  readonly unit: string;
  /** Number of results in a batch. All results together might not fit into memory. */
  readonly size: number;
  /** Makes `count` results. `done` results were made before. */
  readonly make: (count: number, done: number) => Batch;
  readonly lineOf: (result: Result) => string;
  /** Returns the value of a result in JSON. Default: the result. */
  readonly jsonOf?: (result: Result) => unknown;
  readonly columnsOf: (batch: Batch) => readonly Column[];
}

export async function putResults<Result, Batch extends ResultBatch<Result>>(
  io: Io,
  { n, json, output, rawCells }: ResultFlags,
  { head, unit, size, make, lineOf, jsonOf = (one) => one, columnsOf }: Results<Result, Batch>,
): Promise<void> {
  const batches = madeInBatches<Batch>({ total: n, size }, ({ count, done }) => make(count, done));
  if (output === undefined) {
    if (json) return printList(io, head, valuesOf(batches, jsonOf));
    for (const batch of batches) await print(io, Array.from(batch, (one) => `${lineOf(one)}\n`).join(""));
    return;
  }
  const writer = writerFor(output);
  await checkOutput(io, output);
  await writeBatches(io, writer, batches, {
    output,
    n,
    unit,
    head,
    rawCells,
    rowsOf: (batch) => ({
      length: batch.length,
      text: () => "",
      row: (k) => jsonOf(batch.at(k) as Result),
      columns: () => columnsOf(batch),
    }),
  });
}

function* valuesOf<Result>(batches: Iterable<Iterable<Result>>, jsonOf: (result: Result) => unknown) {
  for (const batch of batches) yield Array.from(batch, jsonOf);
}

export async function printCounts(
  io: Io,
  count: (onProgress: (progress: Progress) => void) => Counts<unknown>,
  { head, json }: Printing,
): Promise<void> {
  const { total, counts, none } = withProgress(io, { what: "rolling", unit: "rolls" }, count);
  const list = Array.from(counts, ([result, times]) => ({ result, count: times }));
  if (json) return printDocument(io, head, { total, counts: list, none });
  const lines = list.map(({ result, count: times }) => `${times}\t${result}\n`);
  await print(io, [...lines, ...(none > 0 ? [`${none}\t(none)\n`] : [])].join(""));
}

/** Most results that the odds of "at least one in n" allow. The digits of their fractions grow with n. */
const MOST_IN_ODDS = 1000;

export function oddsOption(what: string, ...conflicts: readonly string[]): Option {
  return new Option("--odds", what).conflicts(["from", "output", ...conflicts]);
}

/**
 * Prints exact odds: one line for each result, or one JSON document for all. If `n` is above 1, prints the odds of n
 * results instead: for each result, the chance of at least one, and the expected number.
 *
 * @throws RollmillError `argument.range` if `n` is 0 or above 1,000.
 */
export async function printOdds(
  io: Io,
  { odds, none }: Odds<unknown>,
  { head, json, n }: Printing & { readonly n: number },
): Promise<void> {
  checkInteger("-n", n, 1, MOST_IN_ODDS);
  if (n > 1) return printManyOdds(io, { ...oddsOfMany({ odds, none }, n), n }, { head, json });
  if (json) {
    const list = odds.map(({ result, probability }) => ({ result, ...withProbability(probability) }));
    return printDocument(io, head, { odds: list, none: withProbability(none) });
  }
  const rest = none.numerator > 0n ? [{ result: "(none)", probability: none }] : [];
  await print(io, [...odds, ...rest].map((one) => `${one.result}\t${chanceText(one.probability)}\n`).join(""));
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

/** Prints the odds of several results together: one line for each result, or one JSON document for all. */
export async function printManyOdds(io: Io, { n, odds, none }: ManyOdds, { head, json }: Printing): Promise<void> {
  if (json) {
    const list = odds.map(({ result, atLeastOne, expected }) => ({
      result,
      atLeastOne: withProbability(atLeastOne),
      expected: { ...expected, value: toNumber(expected) },
    }));
    return printDocument(io, head, { n, odds: list, none: withProbability(none) });
  }
  note(io, "columns: result, chance of at least one (exact, rounded), expected number (exact, rounded)");
  const lines = odds.map((one) => `${one.result}\t${chanceText(one.atLeastOne)}\t${chanceText(one.expected)}\n`);
  const rest = none.numerator > 0n ? [`(none)\t${chanceText(none)}\n`] : [];
  await print(io, [...lines, ...rest].join(""));
}
