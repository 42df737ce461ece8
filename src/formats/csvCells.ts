/** What a cell came to: a value, undefined for none; or what is wrong with it. */
export type CellReading = { readonly value: unknown } | { readonly problem: string; readonly expected: string };

const DECIMAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const ACTIVE = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

/** The readers of the columns that are no stats, by name. */
const READERS = new Map<string, (text: string) => CellReading>([
  [
    "id",
    (text) => readInteger(text, { problem: "an id is no positive integer", least: 1, most: Number.MAX_SAFE_INTEGER }),
  ],
  ["word", (text) => (text.trim() === "" ? { problem: "a word is empty", expected: "a word" } : { value: text })],
  ["active", readActive],
  ["status", readStatus],
  ["tier", (text) => readInteger(text, { problem: "a tier is not usable", least: 0, most: 255 })],
]);

/** Reads the cell of a column; a column without a reader of its own is a stat. */
export function readCell(column: string, text: string): CellReading {
  return READERS.get(column)?.(text) ?? readStat(text);
}

interface IntegerRange {
  readonly problem: string;
  readonly least: number;
  readonly most: number;
}

function readInteger(text: string, { problem, least, most }: IntegerRange): CellReading {
  const value = Number(text);
  if (/^\s*\+?\d+\s*$/.test(text) && value >= least && value <= most) return { value };
  return { problem, expected: `an integer from ${least} to ${most}` };
}

function readActive(text: string): CellReading {
  const value = ACTIVE.get(text.trim().toLowerCase());
  if (value !== undefined) return { value };
  return { problem: "a row is neither active nor inactive", expected: "0, 1, true or false" };
}

function readStatus(text: string): CellReading {
  const status = text.trim();
  if (status === "") return { value: undefined };
  if (status === "accepted" || status === "proposed") return { value: status };
  return { problem: "a row has an unknown status", expected: "accepted, proposed or nothing" };
}

function readStat(text: string): CellReading {
  const cell = text.trim();
  if (cell === "") return { value: undefined };
  // −0 as 0
  const value = Number(cell) + 0;
  if (DECIMAL.test(cell) && Number.isFinite(value)) return { value };
  return { problem: "a stat is no number", expected: "a decimal number such as -1 or 0.2, or nothing" };
}
