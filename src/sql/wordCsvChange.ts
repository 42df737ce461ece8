import { csvField, safeText } from "../formats/read/csv.js";
import type { WordInput } from "../recipes/types.js";
import { ownCell } from "../recipes/wordCells.js";
import { cellOf, type ReadWordCsv } from "../recipes/wordCsv.js";
import type { Change } from "./change.js";
import { missingValue, type TableShape } from "./shape.js";

/**
 * Applies a change to a word table in CSV. All other records keep their text, even malformed records. The row may have
 * a value for a column that the file lacks. Then this column is added as the last column. All other rows get the
 * default value of the column there, so their meaning does not change.
 *
 * Cost: O(characters).
 */
export function changeWordCsv(
  { body, header, columns, records }: ReadWordCsv,
  { change, shape, old }: ChangeOfCsv,
): string {
  const row = "insert" in change ? change.insert : change.update;
  const added = Object.keys(row).filter((key) => !columns.includes(key) && isNeeded(row, key, shape));
  const all = [...columns, ...added];
  const line = all.map((column) => csvField(safeText(cellOf(row, column)))).join(",");
  const fill = added.map((column) => `,${cellOf(WITHOUT_VALUES, column)}`).join("");
  const pieces: string[] = [];
  let at = 0;
  const take = (end: number, text: string) => {
    pieces.push(body.slice(at, end), text);
    at = end;
  };
  if (header !== undefined) take(header.end, added.map((column) => `,${csvField(safeText(column))}`).join(""));
  for (const record of records) {
    if (record.row !== undefined && record.row === old) {
      take(record.offset, line);
      at = record.end;
    } else take(record.end, fill);
  }
  take(body.length, "");
  if ("insert" in change) {
    const lineBreak = lineBreakAt(body, header?.end ?? 0);
    if (!/[\r\n]$/.test(body)) pieces.push(lineBreak);
    pieces.push(line, lineBreak);
  }
  return pieces.join("");
}

interface ChangeOfCsv {
  readonly change: Change;
  readonly shape: TableShape;
  /** The row that an update replaces. Undefined for an insertion. */
  readonly old: WordInput | undefined;
}

/** A row without optional values. It supplies the default text of an added column. */
const WITHOUT_VALUES: WordInput = { id: 0, word: "" };

function isNeeded(row: WordInput, key: string, shape: TableShape): boolean {
  if (key === "active") return row.active === false || row.active === 0;
  const value = ownCell(row, key);
  return value !== undefined && value !== missingValue(key, shape);
}

/** Returns the line break at an offset. Returns a line feed if there is no line break. */
function lineBreakAt(text: string, offset: number): string {
  return /^(?:\r\n|\r|\n)/.exec(text.slice(offset, offset + 2))?.[0] ?? "\n";
}
