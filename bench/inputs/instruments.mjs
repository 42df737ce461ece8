// The tables and sets of the instruments, as large as those of real games.

import { weightsOf } from "./weights.mjs";

const COLUMNS = 4;
/** Number of results of a table. */
const RESULTS = 200;
/** Without loops, a row jumps at most so many rows ahead. */
const FARTHEST = 20;

/**
 * A table whose rows have four columns. Every second column jumps to another row: with `loops` to any row, else to one
 * of the next rows.
 *
 * @param scripts - The number of columns, spread over the table, whose weights come from a script each. Default 0.
 * @param change - Is added to every seventh weight. Default 0.
 */
export function instrumentTable({ rows, loops, scripts = 0, change = 0 }) {
  const weights = weightsOf(rows * COLUMNS);
  const cell = (row, column) => {
    const k = row * COLUMNS + column;
    const constant = 1 + (weights[k] % 9) + (k % 7 === 0 ? change : 0);
    const script = Math.floor((k * scripts) / weights.length);
    const isScript = Math.floor(((k + 1) * scripts) / weights.length) > script;
    const weight = isScript ? { script: script + 1 } : constant;
    if ((column + row) % 2 === 0 || (!loops && row >= rows - FARTHEST))
      return { result: `r${weights[k] % RESULTS}`, weight };
    return { jump: loops ? (weights[k] * 7919 + k) % rows : row + 1 + (weights[k] % FARTHEST), weight };
  };
  return {
    rows: Array.from({ length: rows }, (_, row) => ({
      columns: Array.from({ length: COLUMNS }, (_, column) => cell(row, column)),
    })),
  };
}

/** A list of rare results, each of another weight, and of nothing. */
export function rareList(results) {
  const rare = Array.from({ length: results }, (_, i) => [`rare${i}`, 1 + i]);
  return { ...Object.fromEntries(rare), nothing: 400_000 };
}
