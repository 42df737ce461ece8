import { toNumber } from "../../index.js";
import { boundsOf, isWide } from "../../instruments/distribution.js";
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
    const hasBounds = rows.some(({ probability: p }) => p !== undefined && isWide(p));
    const numbers = hasBounds ? ["least", "most"] : ["probability"];
    const names = [...Object.keys(rows[0]?.cells ?? {}), ...(hasChance ? ["exact", ...numbers] : [])];
    const lines = rows.map(({ cells, probability: p }) => [
      ...Object.values(cells),
      ...(p === undefined ? [] : [exactText(p), ...(hasBounds ? endsOf(p) : [numberOf(p)])]),
    ]);
    return write(io, rowsCsv(names, lines, { rawCells }));
  }
  const isTerminal = io.stdout.isTTY === true;
  await printLines(
    io,
    rows.map(({ cells, probability: p }) => {
      const texts = Object.values(cells).map(String);
      return [...texts, ...(p === undefined ? [] : chanceTexts(p)), ...(p && isTerminal ? [barOf(p)] : [])].join("\t");
    }),
  );
}

/**
 * Returns a certified number for a JSON document: its fraction, or the two that enclose it, and a double, unless the
 * two are far apart.
 */
export function certified(value: Certified) {
  if (!("least" in value)) return valued(value);
  const ends = { least: valued(value.least), most: valued(value.most) };
  return isWide(value) ? ends : { ...ends, value: numberOf(value) };
}

function endsOf(value: Certified): readonly [least: number, most: number] {
  return isWide(value) ? [toNumber(value.least), toNumber(value.most)] : [numberOf(value), numberOf(value)];
}

/** Returns the text of a number, or the texts of its bounds if they are far apart. */
export function rangeText(value: Certified, textOf: (n: number) => string = rounded): string {
  return isWide(value) ? endsOf(value).map(textOf).join(" … ") : textOf(numberOf(value));
}

/** Returns the fraction, the percentage, and "1 in N". */
export function chanceTexts(probability: Certified): readonly string[] {
  const percent = isAlmostOne(probability) ? "> 99.9999" : rangeText(probability, (p) => rounded(p * 100));
  const oneIn = rangeText(probability, (p) => (p === 0 ? "never" : `1 in ${rounded(1 / p)}`));
  return [exactText(probability), `${percent} %`, oneIn];
}

/** Whether a probability below 1 has six nines or more, so that it would be rounded to 1. */
function isAlmostOne(value: Certified): boolean {
  const { numerator, denominator } = boundsOf(value)[isWide(value) ? "least" : "most"];
  return numerator < denominator && (denominator - numerator) * 2_000_000n < denominator;
}

const MAX_DIGITS = 40;

/** Returns a fraction. If it is long or not known: a decimal of six digits, two that enclose it, or "> 0.999999". */
export function exactText(value: Certified): string {
  const text = "least" in value ? undefined : `${value.numerator}/${value.denominator}`;
  if (text !== undefined && text.length <= MAX_DIGITS) return text;
  if (isAlmostOne(value)) return "> 0.999999";
  return isWide(value) ? rangeText(value) : `≈ ${rounded(numberOf(value))}`;
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
