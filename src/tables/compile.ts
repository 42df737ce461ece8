import { type Amount, ONE_ITEM } from "../amounts/index.js";
import { error, failOnErrors, type Issue } from "../errors/index.js";
import { nameOf, whereOf } from "./issues.js";
import { MAX_WEIGHT, type ScriptId } from "./parse/input.js";
import type { ColumnSpec, TablePlan, TableSpec } from "./types.js";

/**
 * Cost: O(columns) time, and 12 bytes for each column.
 *
 * @throws RollmillError `weights.overflow` for each row whose fixed weights exceed 2³² − 1 in total.
 */
export function compileTable(spec: TableSpec, { name }: { readonly name?: string | undefined } = {}): TablePlan {
  failOnErrors(overflows({ name, spec }));
  const { rows } = spec;
  const count = rows.reduce((sum, row) => sum + row.columns.length, 0);
  const rowStart = new Uint32Array(rows.length + 1);
  const target = new Int32Array(count);
  const weight = new Uint32Array(count);
  const script = new Int32Array(count).fill(-1);
  const hasQuantities = rows.some(({ columns }) => columns.some((column) => "quantity" in column));
  const outcomes: { readonly result: string | null; readonly quantity: Amount }[] = [];
  const indices = new Map<string | null, number>();
  const outcomeOf = ({ result, quantity = result === null ? NONE : ONE_ITEM }: Extract<ColumnSpec, ResultTarget>) => {
    const { count: dice, sides, plus } = quantity;
    const key = hasQuantities && result !== null ? `${dice} ${sides} ${plus} ${result}` : result;
    const index = indexOf(indices, key);
    outcomes[index] ??= { result, quantity };
    return index;
  };
  const scriptIds = new Map<ScriptId, number>();
  let c = 0;
  for (const [r, row] of rows.entries()) {
    for (const column of row.columns) {
      target[c] = "jump" in column ? ~column.jump : outcomeOf(column);
      if (typeof column.weight === "number") weight[c] = column.weight;
      else script[c] = indexOf(scriptIds, column.weight.script);
      c++;
    }
    rowStart[r + 1] = c;
  }
  const results = outcomes.map(({ result }) => result);
  const quantities = hasQuantities ? [...outcomes.map(({ quantity }) => quantity), NONE] : undefined;
  return { name, spec, rowStart, target, weight, script, scriptIds: [...scriptIds.keys()], results, quantities };
}

const NONE: Amount = { count: 0, sides: 1, plus: 0 };
type ResultTarget = { readonly result: unknown };

function indexOf<T>(seen: Map<T, number>, key: T): number {
  const index = seen.get(key) ?? seen.size;
  seen.set(key, index);
  return index;
}

function overflows(table: Pick<TablePlan, "name" | "spec">): Issue[] {
  return table.spec.rows.flatMap((row, r) => {
    let total = 0;
    const column = row.columns.findIndex(({ weight }) => {
      total += typeof weight === "number" ? weight : 0;
      return total > MAX_WEIGHT;
    });
    if (column < 0) return [];
    return error("weights.overflow", {
      problem: `the total of the weights up to ${nameOf(table, { row: r, column })} is too large`,
      got: total,
      expected: `at most ${MAX_WEIGHT}`,
      remedy: "Divide the row's weights by a common factor",
      where: whereOf(table.spec, { row: r, column }),
    });
  });
}
