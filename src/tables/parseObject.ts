import { error, type Finding, type Issue } from "../errors/index.js";
import {
  type ColumnInput,
  columnOf,
  MAX_WEIGHT,
  type RowSpec,
  type TableSpec,
  type Target,
  type Weight,
} from "./types.js";

/** Reads a table from an object, trusting nothing in it. */
export function parseTableObject(
  source: object,
  { name, file }: { name: string | undefined; file: string | undefined },
): { spec: TableSpec | undefined; issues: readonly Issue[] } {
  const issues: Issue[] = [];
  const input = property(source, "rows");
  const reading: Reading = { file, issues, rowCount: Array.isArray(input) ? input.length : 0 };
  if (!Array.isArray(input)) {
    issues.push(mistake(reading, "rows", { problem: "a table has no rows", got: input, expected: "an array of rows" }));
  }
  const rows = Array.from(Array.isArray(input) ? input : [], (row: unknown, r) => readRow(reading, row, `rows[${r}]`));
  return { spec: issues.length > 0 ? undefined : { name, file, rows }, issues };
}

interface Reading {
  readonly file: string | undefined;
  readonly issues: Issue[];
  readonly rowCount: number;
}

function readRow(reading: Reading, row: unknown, path: string): RowSpec {
  const label = property(row, "label");
  const columns = property(row, "columns");
  if (label !== undefined && typeof label !== "string") {
    const finding = { problem: "a row's label is no text", got: label, expected: "a string, or none" };
    reading.issues.push(mistake(reading, `${path}.label`, finding));
  }
  if (!Array.isArray(columns)) {
    const finding = { problem: "a row has no columns", got: columns, expected: "an array, empty for a dead row" };
    reading.issues.push(mistake(reading, `${path}.columns`, finding));
  }
  return {
    label: typeof label === "string" ? label : undefined,
    columns: Array.from(Array.isArray(columns) ? columns : [], (column: unknown, c) =>
      readColumn(reading, column, `${path}.columns[${c}]`),
    ).filter((column) => column !== undefined),
    line: undefined,
    places: undefined,
  };
}

function readColumn(reading: Reading, column: unknown, path: string): ColumnInput | undefined {
  const target = readTarget(reading, column, path);
  const weight = readWeight(reading, property(column, "weight"), `${path}.weight`);
  return target === undefined || weight === undefined ? undefined : columnOf(target, weight);
}

function readTarget(reading: Reading, column: unknown, path: string): Target | undefined {
  const result = property(column, "result");
  const jump = property(column, "jump");
  if ((result === undefined) === (jump === undefined)) {
    const problem = result === undefined ? "a column leads nowhere" : "a column has a result and a jump";
    const finding = { problem, got: column, expected: "either result: a string, or jump: the number of a row" };
    reading.issues.push(mistake(reading, path, finding, "table.result"));
    return undefined;
  }
  if (result !== undefined) {
    if (typeof result === "string") return { result };
    const finding = { problem: "a result is no text", got: result, expected: "a string" };
    reading.issues.push(mistake(reading, `${path}.result`, finding, "table.result"));
    return undefined;
  }
  if (typeof jump === "number" && Number.isInteger(jump) && jump >= 0 && jump < reading.rowCount)
    return { jump: jump + 0 };
  const expected = `a row from 0 to ${reading.rowCount - 1}`;
  const finding = { problem: "a jump leads to a row that does not exist", got: jump, expected };
  reading.issues.push(mistake(reading, `${path}.jump`, finding, "table.jump"));
  return undefined;
}

function readWeight(reading: Reading, weight: unknown, path: string): Weight | undefined {
  const isScript = typeof weight === "object" && weight !== null;
  const number = isScript ? property(weight, "script") : weight;
  if (typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= MAX_WEIGHT) {
    // −0 is an integer too, and is 0
    return isScript ? { script: number + 0 } : number + 0;
  }
  const expected = isScript ? "an id that is an integer" : "an integer, or {script: id}";
  const finding = { problem: "a weight is not usable", got: number, expected: `${expected}, from 0 to ${MAX_WEIGHT}` };
  reading.issues.push(mistake(reading, isScript ? `${path}.script` : path, finding, "table.weight"));
  return undefined;
}

/** A property that the object itself has; never one that every object inherits. */
function property(value: unknown, key: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Record<string, unknown>)[key];
}

function mistake(
  { file }: Reading,
  path: string,
  finding: Finding,
  code: "argument.type" | "table.result" | "table.jump" | "table.weight" = "argument.type",
): Issue {
  return error(code, { ...finding, where: { file, path } });
}
