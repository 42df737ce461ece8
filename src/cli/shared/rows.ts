import { madeInBatches } from "../../calls/index.js";
import { error, fail, nearest, safeLines } from "../../errors/index.js";
import { type Column, type CsvOptions, csvChunks, parquetChunks, toCsv } from "../../formats/index.js";
import { type Flags, option } from "../command.js";
import { documentOf, type Head } from "./documents.js";
import { checkOutput, endingOf, writeOutput } from "./files.js";
import { type Io, note, write } from "./io.js";
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
  return fail(error("cli.usage", { problem: "-o does not support this file type", got: file, expected, remedy }));
}

interface Results<Batch> {
  readonly head: Head;
  /** Plural noun, such as "rolls". */
  readonly unit: string;
  readonly n: number;
  readonly rowsOf: (batch: Batch) => Rows;
}

interface MadeResults<Batch> extends Results<Batch> {
  readonly size: number;
  /** `done` results were made before. `again` is an earlier batch, whose memory may be used again. */
  readonly make: (count: number, done: number, again: Batch | undefined) => Batch;
}

/** Makes `n` results in batches of `size`, because all together might not fit into memory, and writes them. */
export async function putResults<Batch extends { readonly length: number }>(
  io: Io,
  flags: OutputFlags,
  { size, make, ...results }: MadeResults<Batch>,
): Promise<void> {
  const writer = chosenWriter(flags);
  await checkOutput(io, flags.output);
  const batches = madeInBatches<Batch>({ total: results.n, size }, ({ count, done, again }) =>
    make(count, done, again),
  );
  await writeBatches(io, flags, writer, batches, results);
}

export async function writeBatches<Batch extends { readonly length: number }>(
  io: Io,
  { output: file, rawCells = false }: OutputFlags,
  writer: Writer,
  batches: Iterable<Batch>,
  { n, unit, head, rowsOf }: Results<Batch>,
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

/** Prints pieces, or writes them to the file, and then prints the speed to stderr. */
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

/** Formats rows as CSV. `cells` maps the name of each column to a function that returns the cell of a row. */
export function rowsCsv<Row>(
  rows: readonly Row[],
  cells: Readonly<Record<string, (row: Row) => unknown>>,
  { rawCells = false }: CellFlags,
): string {
  const columns = Object.entries(cells).map(([name, cellOf]): Column => {
    return { kind: "text", name, values: rows.map((row) => String(cellOf(row) ?? "")) };
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
