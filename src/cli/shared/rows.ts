import { checkRange, madeInBatches } from "../../calls/index.js";
import { nearest, safeLines } from "../../errors/index.js";
import { type Column, type CsvOptions, csvChunks, parquetChunks, toCsv } from "../../formats/index.js";
import { type Fraction, fraction, multiply, ONE, subtract } from "../../fractions.js";
import { type Counts, type Odds, type Progress, toNumber } from "../../index.js";
import { checkInteger } from "../../spec/index.js";
import type { Stack } from "../../weighted/index.js";
import { type Flags, option } from "../command.js";
import { chanceText, documentOf, type Head, oddsData, oddsLines, report, withProbability } from "./documents.js";
import { checkOutput, endingOf, writeOutput } from "./files.js";
import { type Io, note, refuse, write } from "./io.js";
import { approximate, progressBar, withProgress } from "./progress.js";

const ROWS_PER_PIECE = 2 ** 12;

/** A batch of rows. A writer calls only the method that its format needs. */
export interface Rows {
  readonly length: number;
  text(k: number): string;
  row(k: number): unknown;
  columns(): readonly Column[];
}

interface WriterOptions extends CsvOptions {
  readonly head: Head;
}

type Writer = (batches: Iterable<Rows>, options: WriterOptions) => Iterable<string | Uint8Array>;

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ["parquet", (batches) => parquetChunks(columns(batches))],
  ["csv", (batches, { rawCells = false }) => csvChunks(columns(batches), { rawCells })],
  ["ndjson", jsonLines],
  ["json", (batches, { head }) => documentOf(head, jsonList(batches))],
]);

export const RAW_CELLS = option(
  "--raw-cells",
  "in CSV, keep texts that a spreadsheet would run as formulas (default: put ' before)",
);

function outputOption(what: string) {
  return option("-o, --output <file>", `write the ${what} to a file: .parquet, .csv, .ndjson or .json`);
}

/** The options of a command whose results are lines of text, a JSON document or a file. */
export function output(what: string) {
  return [option("--json", "print one JSON document").conflicts("output"), outputOption(what), RAW_CELLS] as const;
}

/** Like {@link output}, and with further formats for stdout. */
export function formats(what: string, csv = "print CSV") {
  return [
    option("--json", "print one JSON document").conflicts(["csv", "ndjson", "output"]),
    option("--csv", csv).conflicts(["ndjson", "output"]),
    option("--ndjson", "print one JSON object per line").conflicts("output"),
    outputOption(what),
    RAW_CELLS,
  ] as const;
}

/** Without such a flag, stdout receives lines of text. */
type OutputFlags = Partial<Flags<ReturnType<typeof formats>>>;

export type CellFlags = Pick<OutputFlags, "rawCells">;

export function chosenWriter({ json, csv, ndjson, output: file }: OutputFlags): Writer {
  if (file === undefined) return WRITERS.get(json ? "json" : csv ? "csv" : ndjson ? "ndjson" : "") ?? textLines;
  return WRITERS.get(endingOf(file)) ?? unknownEnding(file, [...WRITERS.keys()]);
}

export function unknownEnding(file: string, known: readonly string[]): never {
  const near = nearest(endingOf(file), known);
  const expected = known.map((one) => `.${one}`).join(", ");
  const remedy = near === undefined ? "Change the extension" : `Did you mean .${near}?`;
  return refuse("-o does not support this file type", { got: file, expected, remedy });
}

interface Results<Batch> {
  readonly head: Head;
  /** Plural noun, such as "rolls". */
  readonly unit: string;
  readonly rowsOf: (batch: Batch) => Rows;
}

interface MadeResults<Batch> extends Results<Batch> {
  readonly head: Head & { readonly from: number };
  readonly size: number;
  /** Makes results from an index on. `again` is an earlier batch, whose memory may be used again. */
  readonly make: (count: number, from: number, again: Batch | undefined) => Batch;
}

/** Makes results in batches of `size`, because all together might not fit into memory, and writes them. */
export async function putResults<Batch extends { readonly length: number }>(
  io: Io,
  flags: OutputFlags & { readonly n: number },
  { size, make, ...results }: MadeResults<Batch>,
): Promise<void> {
  const { n: total, output } = flags;
  const { from } = results.head;
  checkRange(from, total);
  const writer = chosenWriter(flags);
  await checkOutput(io, output);
  const batches = madeInBatches<Batch>({ total, size }, ({ count, done, again }) => make(count, from + done, again));
  await writeBatches(io, flags, writer, batches, results);
}

export async function writeBatches<Batch extends { readonly length: number }>(
  io: Io,
  { n, output: file, rawCells = false }: OutputFlags & { readonly n: number },
  writer: Writer,
  batches: Iterable<Batch>,
  { unit, head, rowsOf }: Results<Batch>,
): Promise<void> {
  const bar = file === undefined ? undefined : progressBar(io, { what: "making", unit });
  function* rows(): Generator<Rows, void> {
    let done = 0;
    for (const batch of batches) {
      yield rowsOf(batch);
      done += batch.length;
      if (n > 0) bar?.onProgress({ done, total: n });
    }
  }
  await writePieces(io, writer(rows(), { head, rawCells }), { output: file, n, unit, stop: () => bar?.stop() });
}

interface Destination {
  readonly output: string | undefined;
  readonly n: number;
  readonly unit: string;
  readonly stop?: () => void;
}

export async function writePieces(
  io: Io,
  pieces: Iterable<string | Uint8Array>,
  { output: file, n, unit, stop }: Destination,
): Promise<void> {
  const startedAt = performance.now();
  try {
    if (file === undefined) for (const piece of pieces) await write(io, piece);
    else await writeOutput(io, file, pieces);
  } finally {
    stop?.();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (file !== undefined) {
    note(io, `${file}: ${n} ${unit} in ${seconds.toFixed(2)} s, ${approximate(n / seconds)} a second`);
  }
}

export function rowsCsv(
  names: readonly string[],
  rows: readonly (readonly unknown[])[],
  { rawCells = false }: CellFlags,
): string {
  const columns = names.map((name, i): Column => {
    return { kind: "text", name, values: rows.map((row) => String(row[i] ?? "")) };
  });
  return toCsv(columns, { rawCells });
}

function* textLines(batches: Iterable<Rows>): Generator<string, void> {
  for (const piece of pieces(batches, (rows, k) => `${rows.text(k)}\n`)) yield safeLines(piece);
}

function* jsonLines(batches: Iterable<Rows>): Generator<string, void> {
  yield* pieces(batches, (rows, k) => `${JSON.stringify(rows.row(k))}\n`);
}

function* jsonList(batches: Iterable<Rows>): Generator<string, void> {
  let before = "[";
  yield* pieces(batches, (rows, k) => {
    const row = `${before}${JSON.stringify(rows.row(k))}`;
    before = ",\n";
    return row;
  });
  yield before === "[" ? "[]" : "]";
}

function* pieces(batches: Iterable<Rows>, textOf: (rows: Rows, k: number) => string): Generator<string, void> {
  for (const rows of batches) {
    for (let from = 0; from < rows.length; from += ROWS_PER_PIECE) {
      let piece = "";
      for (let k = from; k < Math.min(rows.length, from + ROWS_PER_PIECE); k++) piece += textOf(rows, k);
      yield piece;
    }
  }
}

function* columns(batches: Iterable<Rows>) {
  for (const rows of batches) yield rows.columns();
}

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
