import { extname } from "node:path";
import { type Command, Option } from "commander";
import { error, fail, nearest, safeLines } from "../../errors/index.js";
import { type Column, type CsvOptions, csvChunks, parquetChunks, toCsv } from "../../formats/index.js";
import { documentOf, type Head } from "./envelope.js";
import { type Io, note, write } from "./io.js";
import { writeOutput } from "./outputFile.js";
import { approximate, progressBar } from "./progress.js";

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
  ["csv", (batches, { rawCells }) => csvChunks(columns(batches), { rawCells: rawCells === true })],
  ["ndjson", jsonLines],
  ["json", (batches, { head }) => documentOf(head, jsonList(batches))],
]);

/** Without such a flag, stdout receives lines of text. */
export interface PrintFlags {
  readonly json?: boolean;
  readonly csv?: boolean;
  readonly ndjson?: boolean;
  readonly output?: string;
  readonly rawCells?: boolean;
}

/** Formats rows as CSV. `cells` maps the name of each column to a function that returns the cell of a row. */
export function rowsCsv<Row>(
  rows: readonly Row[],
  cells: Readonly<Record<string, (row: Row) => unknown>>,
  options: CsvOptions,
): string {
  const columns = Object.entries(cells).map(([name, cellOf]): Column => {
    return { kind: "text", name, values: rows.map((row) => String(cellOf(row) ?? "")) };
  });
  return toCsv(columns, options);
}

export function withFormats(command: Command, what: string, { csv = "print CSV" } = {}): Command {
  return command
    .addOption(new Option("--json", "print one JSON document").conflicts(["csv", "ndjson", "output"]))
    .addOption(new Option("--csv", csv).conflicts(["ndjson", "output"]))
    .addOption(new Option("--ndjson", "print one JSON object per line").conflicts("output"))
    .option("-o, --output <file>", `write the ${what} to a file: .parquet, .csv, .ndjson or .json`)
    .addOption(rawCellsOption());
}

export function rawCellsOption(): Option {
  return new Option(
    "--raw-cells",
    "in CSV, keep texts that a spreadsheet would run as formulas (default: put ' before)",
  );
}

export function chosenWriter({ json, csv, ndjson, output }: PrintFlags): Writer {
  if (output !== undefined) return writerFor(output);
  const format = json ? "json" : csv ? "csv" : ndjson ? "ndjson" : "";
  return WRITERS.get(format) ?? textLines;
}

export function writerFor(output: string): Writer {
  const ending = extname(output).slice(1).toLowerCase();
  return WRITERS.get(ending) ?? unknownEnding(output, [...WRITERS.keys()]);
}

export function unknownEnding(output: string, known: readonly string[]): never {
  const near = nearest(extname(output).slice(1).toLowerCase(), known);
  return fail(
    error("cli.usage", {
      problem: "-o does not support this file type",
      got: output,
      expected: known.map((one) => `.${one}`).join(", "),
      remedy: near === undefined ? "Change the extension" : `Did you mean .${near}?`,
    }),
  );
}

interface Destination {
  /** Undefined for stdout. */
  readonly output: string | undefined;
  readonly n: number;
  readonly unit: string;
  readonly stop: () => void;
}

export async function writePieces(
  io: Io,
  pieces: Iterable<string | Uint8Array>,
  { output, n, unit, stop }: Destination,
): Promise<void> {
  const startedAt = performance.now();
  try {
    if (output === undefined) for (const piece of pieces) await write(io, piece);
    else await writeOutput(io, output, pieces);
  } finally {
    stop();
  }
  const seconds = (performance.now() - startedAt) / 1000;
  if (output !== undefined) {
    note(io, `${output}: ${n} ${unit} in ${seconds.toFixed(2)} s, ${approximate(n / seconds)} a second`);
  }
}

interface Batches<Batch> extends Omit<Destination, "stop"> {
  readonly head: Head;
  readonly rawCells: boolean | undefined;
  readonly rowsOf: (batch: Batch) => Rows;
}

export async function writeBatches<Batch extends { readonly length: number }>(
  io: Io,
  writer: Writer,
  batches: Iterable<Batch>,
  { output, n, unit, head, rawCells = false, rowsOf }: Batches<Batch>,
): Promise<void> {
  const bar = output === undefined ? undefined : progressBar(io, { what: "making", unit });
  function* rows(): Generator<Rows, void> {
    let done = 0;
    for (const batch of batches) {
      yield rowsOf(batch);
      done += batch.length;
      if (n > 0) bar?.onProgress({ done, total: n });
    }
  }
  await writePieces(io, writer(rows(), { head, rawCells }), { output, n, unit, stop: () => bar?.stop() });
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
