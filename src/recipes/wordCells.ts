import { fromSafeText } from "../formats/read/csv.js";
import { isBlank } from "../spec/index.js";
import { WORD_STATUSES, type WordInput } from "./types.js";

/** The result of reading a cell: a value or a problem. An empty cell that is allowed has the value undefined. */
type CellReading = { readonly value: unknown } | { readonly problem: string; readonly expected: string };

const DECIMAL = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;
export const ACTIVE = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

/** The functions that read cells, by column name. All other columns are stats. */
const READERS = new Map<string, (text: string) => CellReading>([
  ["id", (text) => readInteger(text, { problem: "invalid id", least: 1, most: Number.MAX_SAFE_INTEGER })],
  ["word", readWord],
  ["active", readActive],
  ["status", readStatus],
  ["proposer", readText],
  ["proposed", readText],
  ["tier", (text) => readInteger(text, { problem: "invalid tier", least: 0, most: 255 })],
]);

/** Returns the value of a cell. Ignores inherited properties, because a stat may have a name such as "toString". */
export function ownCell(row: WordInput, column: string): unknown {
  return Object.hasOwn(row, column) ? row[column] : undefined;
}

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

function readWord(text: string): CellReading {
  const value = fromSafeText(text);
  if (!isBlank(value)) return { value };
  return { problem: "a word is blank", expected: "a word with a visible character" };
}

function readActive(text: string): CellReading {
  const value = ACTIVE.get(text.trim().toLowerCase());
  if (value !== undefined) return { value };
  return { problem: "invalid value", expected: "0, 1, true or false" };
}

function readStatus(text: string): CellReading {
  const status = text.trim();
  if (status === "") return { value: undefined };
  if (WORD_STATUSES.some((known) => known === status)) return { value: status };
  return { problem: "invalid status", expected: `${WORD_STATUSES.join(", ")} or an empty cell` };
}

function readText(text: string): CellReading {
  return { value: text === "" ? undefined : fromSafeText(text) };
}

function readStat(text: string): CellReading {
  const cell = text.trim();
  if (cell === "") return { value: undefined };
  // + 0 converts −0 to 0
  const value = Number(cell) + 0;
  if (DECIMAL.test(cell) && Number.isFinite(value)) return { value };
  return { problem: "a stat is not a number", expected: "a decimal number such as -1 or 0.2, or an empty cell" };
}
