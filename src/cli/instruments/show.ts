import { type Certified, numberOf } from "../../instruments/index.js";
import { type Flags, option } from "../command.js";
import { type CellFlags, documentText, type Head, RAW_CELLS, rowsCsv, valued } from "../shared/documents.js";
import { type Io, printLines, write } from "../shared/io.js";

/** The options of a command that prints rows. */
export const SHOWN = [
  option("--json", "print one JSON document").conflicts("csv"),
  option("--csv", "print CSV"),
  RAW_CELLS,
] as const;
export type ShownFlags = Flags<typeof SHOWN> & CellFlags;

/** A row of a printed table: its texts and numbers by column, and the probability that ends the row. */
export interface Row {
  readonly cells: Readonly<Record<string, string | number>>;
  readonly probability?: Certified | undefined;
}

/** Prints rows as lines, as CSV or as a JSON document. On a terminal, a bar follows each probability. */
export async function printRows(
  io: Io,
  { json, csv, rawCells }: ShownFlags,
  { head, rows, data }: { readonly head: Head; readonly rows: readonly Row[]; readonly data: () => unknown },
): Promise<void> {
  if (json) return write(io, documentText(head, data()));
  const hasChance = rows.some(({ probability }) => probability !== undefined);
  if (csv) {
    const names = [...Object.keys(rows[0]?.cells ?? {}), ...(hasChance ? ["exact", "probability"] : [])];
    const lines = rows.map(({ cells, probability: p }) => [
      ...Object.values(cells),
      ...(p === undefined ? [] : [exactText(p), numberOf(p)]),
    ]);
    return write(io, rowsCsv(names, lines, { rawCells }));
  }
  const isWide = io.stdout.isTTY === true;
  await printLines(
    io,
    rows.map(({ cells, probability: p }) => {
      const texts = Object.values(cells).map(String);
      return [...texts, ...(p === undefined ? [] : chanceTexts(p)), ...(p && isWide ? [barOf(p)] : [])].join("\t");
    }),
  );
}

/** Returns a certified number for a JSON document: its fraction, or the two that enclose it, and the nearest double. */
export function certified(value: Certified) {
  if (!("least" in value)) return valued(value);
  return { least: valued(value.least), most: valued(value.most), value: numberOf(value) };
}

/** Returns the fraction, the percentage, and "1 in N". */
export function chanceTexts(probability: Certified): readonly string[] {
  const p = numberOf(probability);
  const percent = isAlmostOne(probability) ? "> 99.9999" : rounded(p * 100);
  return [exactText(probability), `${percent} %`, p === 0 ? "never" : `1 in ${rounded(1 / p)}`];
}

/** Whether a probability below 1 has six nines or more, so that it would be rounded to 1. */
function isAlmostOne(value: Certified): boolean {
  const { numerator, denominator } = "least" in value ? value.most : value;
  return numerator < denominator && (denominator - numerator) * 2_000_000n < denominator;
}

const MAX_DIGITS = 40;

/** Returns a fraction. If it is long or not known: a decimal with six significant digits. */
export function exactText(value: Certified): string {
  const text = "least" in value ? undefined : `${value.numerator}/${value.denominator}`;
  if (text !== undefined && text.length <= MAX_DIGITS) return text;
  return isAlmostOne(value) ? "> 0.999999" : `≈ ${rounded(numberOf(value))}`;
}

export function rounded(value: number): string {
  return String(Number(value.toPrecision(6)));
}

const BAR = 20;
const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

function barOf(probability: Certified): string {
  const eighths = Math.round(numberOf(probability) * BAR * 8);
  return "█".repeat(Math.floor(eighths / 8)) + EIGHTHS[eighths % 8];
}
