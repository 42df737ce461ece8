import { type Command, Option } from "commander";
import { MAX_INDEX, madeInBatches } from "../../calls/index.js";
import type { Column } from "../../formats/index.js";
import { type Fraction, fraction, multiply, ONE, subtract } from "../../fractions.js";
import { type Counts, type Odds, type Progress, toNumber } from "../../index.js";
import { checkInteger } from "../../spec/index.js";
import type { Stack } from "../../weighted/index.js";
import { chanceText, oddsData, oddsText, withProbability } from "./chances.js";
import { type Head, printDocument } from "./envelope.js";
import type { SourceFlags } from "./forks.js";
import { type Io, note, print } from "./io.js";
import { countOf } from "./options.js";
import { checkOutput } from "./outputFile.js";
import { withProgress } from "./progress.js";
import { chosenWriter, rawCellsOption, writeBatches } from "./rowWriters.js";

interface Printing {
  readonly head: Head;
  readonly json: boolean | undefined;
}

export interface ResultFlags extends SourceFlags {
  readonly n: number;
  readonly from: number;
  readonly odds?: boolean;
  readonly json?: boolean;
  readonly output?: string;
  readonly rawCells?: boolean;
}

/** Adds the options that choose results by index. `unit` is the noun for one result. */
export function withRange(command: Command, unit: string): Command {
  return command
    .option(`-n <${unit}s>`, `how many ${unit}s`, countOf(0, MAX_INDEX), 1)
    .option("--from <index>", `index of the first ${unit}`, countOf(0, MAX_INDEX - 1), 0);
}

export function withOutput(command: Command, what: string): Command {
  return command
    .addOption(new Option("--json", "print one JSON document").conflicts("output"))
    .option("-o, --output <file>", `write the ${what} to a file: .parquet, .csv, .ndjson or .json`)
    .addOption(rawCellsOption());
}

interface ResultBatch<Result> {
  readonly length: number;
  at(k: number): Result | undefined;
}

interface Results<Result, Batch extends ResultBatch<Result>> {
  readonly head: Head;
  /** Plural noun, such as "rolls". */
  readonly unit: string;
  /** All results together might not fit into memory. */
  readonly size: number;
  /** `done` results were made before. */
  readonly make: (count: number, done: number) => Batch;
  readonly lineOf: (result: Result) => string;
  readonly jsonOf?: (result: Result) => unknown;
  readonly columnsOf: (batch: Batch) => readonly Column[];
}

export async function putResults<Result, Batch extends ResultBatch<Result>>(
  io: Io,
  flags: ResultFlags,
  { head, unit, size, make, lineOf, jsonOf = (one) => one, columnsOf }: Results<Result, Batch>,
): Promise<void> {
  const { n, output, rawCells } = flags;
  const writer = chosenWriter(flags);
  if (output !== undefined) await checkOutput(io, output);
  const batches = madeInBatches<Batch>({ total: n, size }, ({ count, done }) => make(count, done));
  // the casts are safe: k is below the length
  const rowsOf = (batch: Batch) => ({
    length: batch.length,
    text: (k: number) => lineOf(batch.at(k) as Result),
    row: (k: number) => jsonOf(batch.at(k) as Result),
    columns: () => columnsOf(batch),
  });
  await writeBatches(io, writer, batches, { output, n, unit, head, rawCells, rowsOf });
}

/** Returns the line of a result with or without a quantity. */
export function lineOf(result: string | Stack | null): string {
  if (result === null || typeof result === "string") return result ?? "";
  return `${result.result}\t${result.quantity}`;
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

/** The digits of the fractions grow with n. */
const MAX_IN_ODDS = 1000;

export function oddsOption(what: string, ...conflicts: readonly string[]): Option {
  return new Option("--odds", what).conflicts(["from", "output", ...conflicts]);
}

export async function printOdds(
  io: Io,
  { odds, none }: Odds<unknown>,
  { head, json, n }: Printing & { readonly n: number },
): Promise<void> {
  checkInteger("-n", n, 1, MAX_IN_ODDS);
  if (n > 1) return printManyOdds(io, { ...oddsOfMany({ odds, none }, n), n }, { head, json });
  if (json) {
    return printDocument(io, head, { odds: oddsData(odds), none: withProbability(none) });
  }
  await print(io, oddsText(odds, { "(none)": none }));
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
