import { extname } from "node:path";
import { error, fail, nearest } from "../errors/index.js";
import { type Column, csvChunks, parquetChunks } from "../formats/index.js";
import { approximate, note, write, writeWhole } from "./terminal.js";

/** Rows joined before they are handed on. */
const ROWS_PER_PIECE = 2 ** 12;

/** A batch of what is made, in each way in which it may be written. */
export interface Rows {
  readonly length: number;
  /** Row k as text, without a line feed at the end. */
  text(k: number): string;
  /** Row k as plain values. */
  row(k: number): object;
  /** All rows as columns. */
  columns(): readonly Column[];
}

/** What batches are written as, in pieces. */
export type Writer = (batches: Iterable<Rows>) => Iterable<string | Uint8Array>;

const WRITERS: ReadonlyMap<string, Writer> = new Map<string, Writer>([
  ["parquet", (batches) => parquetChunks(columns(batches))],
  ["csv", (batches) => csvChunks(columns(batches))],
  ["ndjson", jsonLines],
  ["json", jsonDocument],
]);

/** Formats that go to stdout instead of lines of text. */
export interface PrintFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly ndjson?: boolean;
}

/** What is printed by the flags: lines of text where there is none. */
export function printed({ json, csv, ndjson }: PrintFlags): Writer {
  const format = json ? "json" : csv ? "csv" : ndjson ? "ndjson" : "";
  return WRITERS.get(format) ?? textLines;
}

/**
 * What is written to a file, by its ending.
 *
 * @throws RollmillError `cli.usage`.
 */
export function writerFor(output: string): Writer {
  const ending = extname(output).slice(1).toLowerCase();
  return WRITERS.get(ending) ?? unknownEnding(output, [...WRITERS.keys()]);
}

/** Refuses a file whose ending is none of those known. */
export function unknownEnding(output: string, known: readonly string[]): never {
  const near = nearest(extname(output).slice(1).toLowerCase(), known);
  return fail(
    error("cli.usage", {
      problem: "-o does not know this kind of file",
      got: output,
      expected: known.map((one) => `.${one}`).join(", "),
      remedy: near === undefined ? "Change its ending" : `Did you mean .${near}?`,
    }),
  );
}

/** Where rows go, and what is told of it. */
export interface Destination {
  /** A file, written whole or not at all; stdout where left out. */
  readonly output: string | undefined;
  readonly n: number;
  /** What is counted, such as "items". */
  readonly unit: string;
  /** Called when all is written, or nothing is. */
  readonly stop: () => void;
}

/** Writes pieces to stdout, or to a file, which is told on stderr with the time that it took. */
export async function writePieces(
  pieces: Iterable<string | Uint8Array>,
  { output, n, unit, stop }: Destination,
): Promise<void> {
  const startedAt = performance.now();
  try {
    if (output === undefined) for (const piece of pieces) await write(piece);
    else await writeWhole(output, pieces);
  } finally {
    stop();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (output !== undefined) {
    note(`${output}: ${n} ${unit} in ${seconds.toFixed(2)} s, ${approximate(n / seconds)} a second`);
  }
}

/** A line a row. */
function* textLines(batches: Iterable<Rows>): Generator<string, void> {
  yield* pieces(batches, (rows, k) => `${rows.text(k)}\n`);
}

/** A JSON object a line. */
function* jsonLines(batches: Iterable<Rows>): Generator<string, void> {
  yield* pieces(batches, (rows, k) => `${JSON.stringify(rows.row(k))}\n`);
}

/** One JSON array, a line a row. */
function* jsonDocument(batches: Iterable<Rows>): Generator<string, void> {
  let before = "[";
  yield* pieces(batches, (rows, k) => {
    const row = `${before}${JSON.stringify(rows.row(k))}`;
    before = ",\n";
    return row;
  });
  yield before === "[" ? "[]\n" : "]\n";
}

function* pieces(batches: Iterable<Rows>, write: (rows: Rows, k: number) => string): Generator<string, void> {
  for (const rows of batches) {
    for (let from = 0; from < rows.length; from += ROWS_PER_PIECE) {
      let piece = "";
      for (let k = from; k < Math.min(rows.length, from + ROWS_PER_PIECE); k++) piece += write(rows, k);
      yield piece;
    }
  }
}

function* columns(batches: Iterable<Rows>) {
  for (const rows of batches) yield rows.columns();
}
