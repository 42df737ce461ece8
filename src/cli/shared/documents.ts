import { type ForkId, plainId, STREAM_VERSION } from "../../address.js";
import { type Counts, checkRange, type LongCall, madeInBatches, type Odds } from "../../calls/index.js";
import { formatIssue, type Issue, nearest, safeLines } from "../../errors/index.js";
import { type Column, type CsvOptions, csvChunks, parquetChunks, toCsv } from "../../formats/index.js";
import { type Fraction, fraction, multiply, ONE, subtract, toNumber } from "../../fractions.js";
import { checkInteger } from "../../spec/index.js";
import type { Stack } from "../../weighted/index.js";
import { type Flags, option } from "../command.js";
import { checkOutput, endingOf, writeOutput } from "./files.js";
import { BAD_INPUT, Exit, type Io, json, note, printLines, refuse, write } from "./io.js";
import type { JsonFlag } from "./options.js";
import { approximate, progressBar, withProgress } from "./progress.js";

/** The first fields of a JSON document: the command that made the data, and the seed and the name. */
export interface Head {
  readonly command: string;
  /** Null (default) if the data do not depend on a seed. */
  readonly seed?: string | null;
  readonly name: string;
  readonly fork?: readonly ForkId[] | undefined;
  readonly from?: number | undefined;
  /** The time that the table scripts of `random_default` read from the clock. */
  readonly now?: string | undefined;
}

/** Yields a JSON document: the head, then the pieces of one JSON value, then the fields that `after` returns. */
export function* documentOf(
  { command, seed = null, name, fork = [], from, now }: Head,
  data: Iterable<string>,
  after: () => object = () => ({}),
): Generator<string, void> {
  const forks = fork.length === 0 ? undefined : fork.map(plainId);
  const fields = { stream: STREAM_VERSION, command, seed, name, forks, from, now };
  yield `${JSON.stringify(fields).slice(0, -1)},"data":`;
  yield* data;
  const last = JSON.stringify(after()).slice(1);
  yield `${last === "}" ? "" : ","}${last}\n`;
}

export function documentText(head: Head, data: unknown): string {
  return [...documentOf(head, [json(data)])].join("");
}

/** With `--json`, prints `data` as a JSON document; otherwise, prints the lines. */
export async function report(
  io: Io,
  { json: isJson }: JsonFlag,
  { head, data, lines }: { readonly head: Head; readonly data: () => unknown; readonly lines: () => Iterable<string> },
): Promise<void> {
  if (isJson) await write(io, documentText(head, data()));
  else await printLines(io, lines());
}

/** Prints issues to stdout, and their counts to stderr. Throws Exit with code 2 if an issue is an error. */
export async function reportIssues(
  io: Io,
  flags: JsonFlag,
  { issues, ...head }: Head & { readonly issues: readonly Issue[] },
): Promise<void> {
  const errors = issues.filter(({ severity }) => severity === "error").length;
  await report(io, flags, { head, data: () => issues, lines: () => issues.map(formatIssue) });
  note(io, `errors: ${errors}, warnings: ${issues.length - errors}`);
  if (errors > 0) throw new Exit(BAD_INPUT);
}

export function withProbability(chance: Fraction): Fraction & { readonly probability: number } {
  const { numerator, denominator } = chance;
  return { numerator, denominator, probability: toNumber(chance) };
}

export function valued(number: Fraction): Fraction & { readonly value: number } {
  return { ...number, value: toNumber(number) };
}

/** Returns the exact fraction, a tab, and the decimal with six significant digits. */
export function chanceText(chance: Fraction): string {
  return `${chance.numerator}/${chance.denominator}\t${toNumber(chance).toPrecision(6)}`;
}

export function chanceLine(result: unknown, chance: Fraction): string {
  return `${result}\t${chanceText(chance)}`;
}

type ResultOdds = readonly { readonly result: unknown; readonly probability: Fraction }[];

export function oddsData(odds: ResultOdds) {
  return odds.map(({ result, probability }) => ({ result, ...withProbability(probability) }));
}

/** Returns one line for each result, then one for each chance of `others` that is not 0. */
export function oddsLines(odds: ResultOdds, others: Readonly<Record<string, Fraction>> = {}): string[] {
  const shown = Object.entries(others).filter(([, { numerator }]) => numerator > 0n);
  return [
    ...odds.map(({ result, probability }) => chanceLine(result, probability)),
    ...shown.map(([result, probability]) => chanceLine(result, probability)),
  ];
}

const ROWS_PER_PIECE = 2 ** 12;

/** A batch of rows. A writer calls only the method that its format needs. */
export interface Rows {
  readonly length: number;
  text(k: number): string;
  row(k: number): unknown;
  columns(): readonly Column[];
}

type Writer = (batches: Iterable<Rows>, options: CsvOptions & { readonly head: Head }) => Iterable<string | Uint8Array>;

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ["parquet", (batches) => parquetChunks(columns(batches))],
  ["csv", (batches, { rawCells = false }) => csvChunks(columns(batches), { rawCells })],
  ["ndjson", (batches) => pieces(batches, (rows, k) => `${JSON.stringify(rows.row(k))}\n`)],
  ["json", (batches, { head }) => documentOf(head, jsonList(batches))],
]);

export const RAW_CELLS = option(
  "--raw-cells",
  "in CSV, do not change texts that a spreadsheet would run as formulas (default: put ' before them)",
);

function outputOption(what: string) {
  return option("-o, --output <file>", `write the ${what} to a file: .parquet, .csv, .ndjson or .json`);
}

/** Returns the options of a command that prints lines of text or a JSON document, or writes a file. */
export function output(what: string) {
  return [option("--json", "print one JSON document").conflicts("output"), outputOption(what), RAW_CELLS] as const;
}

/** Returns the options of {@link output}, and the options for CSV and NDJSON on stdout. */
export function formats(what: string, csv = "print CSV") {
  return [
    option("--json", "print one JSON document").conflicts(["csv", "ndjson", "output"]),
    option("--csv", csv).conflicts(["ndjson", "output"]),
    option("--ndjson", "print one JSON object per line").conflicts("output"),
    outputOption(what),
    RAW_CELLS,
  ] as const;
}

/** Without any of these flags, stdout receives lines of text. */
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

/** Makes and writes results in batches of `size`, because all results might not fit into memory. */
export async function putResults<Batch extends { readonly length: number }>(
  io: Io,
  flags: OutputFlags & { readonly n: number },
  results: {
    readonly head: Head & { readonly from: number };
    /** Plural noun, such as "rolls". */
    readonly unit: string;
    readonly size: number;
    /** Makes `count` results from the index `from` on. May reuse the memory of `again`, an earlier batch. */
    readonly make: (count: number, from: number, again: Batch | undefined) => Batch;
    readonly rowsOf: (batch: Batch) => Rows;
  },
): Promise<void> {
  const { n: total, output } = flags;
  const { head, unit, size, make, rowsOf } = results;
  checkRange(head.from, total);
  chosenWriter(flags);
  await checkOutput(io, output);
  function* rows(): Generator<Rows, void> {
    const batches = madeInBatches<Batch>({ total, size }, ({ count, done, again }) => {
      return make(count, head.from + done, again);
    });
    for (const batch of batches) yield rowsOf(batch);
  }
  await writeBatches(io, flags, rows(), { head, unit });
}

export async function writeBatches(
  io: Io,
  flags: OutputFlags & { readonly n: number },
  batches: Iterable<Rows>,
  { unit, head }: { readonly unit: string; readonly head: Head },
): Promise<void> {
  const { n, output, rawCells = false } = flags;
  const bar = output === undefined ? undefined : progressBar(io, { what: "making", unit });
  function* rows(): Generator<Rows, void> {
    let done = 0;
    for (const batch of batches) {
      yield batch;
      done += batch.length;
      if (n > 0) bar?.onProgress({ done, total: n });
    }
  }
  const pieces = chosenWriter(flags)(rows(), { head, rawCells });
  await writePieces(io, pieces, { output, n, unit, stop: () => bar?.stop() });
}

export async function writePieces(
  io: Io,
  pieces: Iterable<string | Uint8Array>,
  {
    output: file,
    n,
    unit,
    stop = () => undefined,
  }: { readonly output: string | undefined; readonly n: number; readonly unit: string; readonly stop?: () => void },
): Promise<void> {
  const startedAt = performance.now();
  try {
    if (file === undefined) for (const piece of pieces) await write(io, piece);
    else await writeOutput(io, file, pieces);
  } finally {
    stop();
  }
  if (file === undefined) return;
  const seconds = (performance.now() - startedAt) / 1000;
  note(io, `${file}: ${n} ${unit} in ${seconds.toFixed(2)} s, ${approximate(n / seconds)} a second`);
}

export function rowsCsv(names: readonly string[], rows: readonly unknown[][], { rawCells = false }: CellFlags): string {
  const columns = names.map((name, i): Column => {
    return { kind: "text", name, values: rows.map((row) => String(row[i] ?? "")) };
  });
  return toCsv(columns, { rawCells });
}

function* textLines(batches: Iterable<Rows>): Generator<string, void> {
  for (const piece of pieces(batches, (rows, k) => `${rows.text(k)}\n`)) yield safeLines(piece);
}

function* jsonList(batches: Iterable<Rows>, separator = ",\n"): Generator<string, void> {
  let before = "[";
  yield* pieces(batches, (rows, k) => {
    const row = `${before}${JSON.stringify(rows.row(k))}`;
    before = separator;
    return row;
  });
  yield before === "[" ? "[]" : "]";
}

/** Prints batches as lines of text or, with `--json`, as one document with the fields of `after`. */
export async function printBatches(
  io: Io,
  { json: isJson }: JsonFlag,
  { head, batches, after }: { readonly head: Head; readonly batches: Iterable<Rows>; readonly after: () => object },
): Promise<void> {
  const pieces = isJson ? documentOf(head, jsonList(batches, ","), after) : textLines(batches);
  for (const piece of pieces) await write(io, piece);
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

type Printing = JsonFlag & { readonly head: Head };

export function rowsBy<Result>(
  batch: { readonly length: number; at(k: number): Result | undefined; columns?(): readonly Column[] },
  textOf: (result: Result) => string,
  columns = () => batch.columns?.() ?? [],
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

interface Counted {
  count(n: number, options: LongCall): Counts<unknown> | Promise<Counts<unknown>>;
}

/** Prints how often each result occurs among the next `n` rolls. */
export async function printCounts(
  io: Io,
  rolled: Counted,
  { head, n, ...flags }: Printing & { readonly n: number },
): Promise<void> {
  const job = { what: "rolling", unit: "rolls" };
  const { total, counts, none } = await withProgress(io, job, (onProgress) => rolled.count(n, { onProgress }));
  const list = Array.from(counts, ([result, times]) => ({ result, count: times }));
  const lines = list.map(({ result, count: times }) => `${times}\t${result}`);
  await report(io, flags, {
    head,
    data: () => ({ total, counts: list, none }),
    lines: () => (none > 0 ? [...lines, `${none}\t(none)`] : lines),
  });
}

/** Maximum of -n for odds. A larger number of rolls would give fractions with too many digits. */
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
  if (n > 1) return printManyOdds(io, oddsOfMany({ odds, none }, n), { head, ...flags });
  await report(io, flags, {
    head,
    data: () => ({ odds: oddsData(odds), none: withProbability(none) }),
    lines: () => oddsLines(odds, { "(none)": none }),
  });
}

type ManyOdds = Pick<Odds<unknown>, "none"> & {
  readonly n?: number;
  readonly odds: readonly { readonly result: unknown; readonly atLeastOne: Fraction; readonly expected: Fraction }[];
};

function oddsOfMany({ odds, none }: Odds<unknown>, n: number): ManyOdds {
  const times = BigInt(n);
  const power = ({ numerator, denominator }: Fraction) => {
    return { numerator: numerator ** times, denominator: denominator ** times };
  };
  const list = odds.map(({ result, probability }) => ({
    result,
    atLeastOne: subtract(ONE, power(subtract(ONE, probability))),
    expected: multiply(probability, fraction(times, 1n)),
  }));
  return { n, odds: list, none: power(none) };
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
        expected: valued(expected),
      }));
      return { n, odds: list, none: withProbability(none) };
    },
    lines: () => [
      ...odds.map((one) => `${one.result}\t${chanceText(one.atLeastOne)}\t${chanceText(one.expected)}`),
      ...oddsLines([], { "(none)": none }),
    ],
  });
}
