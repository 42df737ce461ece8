import { didYouMean, error, type Finding, type Issue, type Where } from "../errors/index.js";
import { MAX_WEIGHT } from "./parse/input.js";
import type { RowSpec, TablePlan, TableSpec } from "./types.js";

export interface Place {
  readonly row: number;
  /** Undefined if the issue is about the whole row. */
  readonly column?: number;
  readonly cell?: "target" | "weight";
}

/** Returns the line and the column of a place in a file. In a table from an object, returns the path of the place. */
export function whereOf(spec: TableSpec, { row, column, cell = "weight" }: Place): Where {
  const { line, lines, places } = spec.rows[row];
  const { file, first } = fileOf(spec, row);
  if (line !== undefined) {
    const index = column === undefined ? -1 : 2 * column + (cell === "weight" ? 1 : 0);
    return { file, line: lines?.[column ?? -1] ?? line, column: places?.[index] ?? 1 };
  }
  const inRow = column === undefined ? "" : `.columns[${column}]${cell === "weight" ? ".weight" : ""}`;
  return { file, path: `rows[${row - first}]${inRow}` };
}

function fileOf({ file, linked = [] }: TableSpec, row: number) {
  return linked.findLast(({ first }) => first <= row) ?? { file, first: 0 };
}

/** Returns the name of a row or a column, such as `table loot, row 1 (Set1), column 0`. */
export function nameOf({ name, spec }: Pick<TablePlan, "name" | "spec">, { row, column }: Place): string {
  const [table, cell] = [name === undefined ? "" : `table ${name}, `, column === undefined ? "" : `, column ${column}`];
  return `${table}${rowName(spec, row)}${cell}`;
}

/** Returns a row's number in its file and its label, such as `row 1 (Set1)`. */
export function rowName(spec: TableSpec, row: number): string {
  const { file, first } = fileOf(spec, row);
  const name = numbered(row - first, spec.rows[row].label);
  return first === 0 ? name : `${name} of ${file}`;
}

export function numbered(row: number, label: string | null | undefined): string {
  if (label === undefined || label === null || label === "") return `row ${row}`;
  return `row ${row} (${label.length > 30 ? `${label.slice(0, 29)}…` : label})`;
}

/** Lists the first eight, and the number of the others. */
export function listed(names: readonly (string | number)[]): string {
  return names.slice(0, 8).join(", ") + (names.length > 8 ? `, ${names.length - 8} more` : "");
}

export function rowRange(rows: number): string {
  if (rows === 0) return "at least one row";
  return rows === 1 ? "row 0, the only row" : `a row from 0 to ${rows - 1}`;
}

export function labelFinding(labels: Labels, label: string): Pick<Finding, "got" | "expected" | "remedy"> {
  if (labels.get(label) === AMBIGUOUS) {
    return { got: label, expected: "a label that only one row has", remedy: "Use the number of the row" };
  }
  return { got: label, expected: "the label or the number of a row", ...didYouMean(label, labels.keys()) };
}

export function totalIssue(plan: TablePlan, row: number, total: number): Issue {
  return error("weights.overflow", {
    problem: `the total of the weights of ${nameOf(plan, { row })} is too large`,
    got: total,
    expected: `at most ${MAX_WEIGHT}`,
    remedy: "Make the scripts of this row return smaller weights",
    where: whereOf(plan.spec, { row }),
  });
}

export function hopsIssue(plan: TablePlan, row: number, { maxHops, index }: { maxHops: number; index: number }): Issue {
  return error("table.hops", {
    problem: `roll ${index} reached the limit of "maxHops" (${maxHops}) at ${nameOf(plan, { row })}`,
    remedy: 'Look for rows that mostly jump to each other, or raise "maxHops"',
    where: whereOf(plan.spec, { row }),
  });
}

export function deadIssue(plan: TablePlan, { start, index }: { start: number; index: number }): Issue {
  const table = plan.name === undefined ? "" : ` of table ${plan.name}`;
  return error("table.dead", {
    problem: `roll ${index}${table} from ${rowName(plan.spec, start)} ended on a dead row (all weights 0)`,
    remedy:
      'Give a positive weight to every row that a roll can reach, or set "onDead" to "null": such rolls then return null',
  });
}

/** Row numbers by label. If several rows have the same label, the number is {@link AMBIGUOUS}. */
export type Labels = ReadonlyMap<string, number>;

export const AMBIGUOUS = -1;

export function labelsOf(labels: Iterable<string | undefined>): Labels {
  const rows = new Map<string, number>();
  let row = 0;
  for (const label of labels) {
    if (label !== undefined && label !== "") rows.set(label, rows.has(label) ? AMBIGUOUS : row);
    row++;
  }
  return rows;
}

const known = new WeakMap<object, Labels>();

export function labelsIn(table: { readonly rows: readonly Pick<RowSpec, "label">[] }): Labels {
  const labels = known.get(table) ?? labelsOf(table.rows.map(({ label }) => label));
  known.set(table, labels);
  return labels;
}
