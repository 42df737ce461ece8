import { error, type Issue } from "../../errors/index.js";
import { nameOf, whereOf } from "../issues.js";
import { columnsOf } from "../reach.js";
import { hasScript, scriptIdsOf } from "../scripts.js";
import type { ScriptSetName, TablePlan } from "../types.js";

interface ScriptsInUse {
  readonly set: ScriptSetName;
  /** Constant weights by script id. These ids need no script. */
  readonly overrides: ReadonlyMap<number, number>;
  readonly rows: Iterable<number>;
}

/**
 * Returns an error for each script id in `rows` that the set lacks. The error's position is the first column with this
 * id. Cost: O(columns of the rows).
 */
export function absentScripts(plan: TablePlan, { set, overrides, rows }: ScriptsInUse): Issue[] {
  const isAbsent = (id: number) => !overrides.has(id) && !hasScript(set, id);
  return firstUses(plan, rows)
    .filter(({ id }) => isAbsent(id))
    .map(({ id, row, column }) =>
      error("table.unknown-script", {
        problem: `${nameOf(plan, { row, column })} has the weight of a script that the script set ${set} lacks`,
        got: id,
        expected: `one of the ids ${scriptIdsOf(set)}`,
        remedy: "Choose another script set, pass your own script, or give the script a constant weight",
        where: whereOf(plan.spec, { row, column }),
      }),
    );
}

interface ScriptUse {
  readonly id: number;
  readonly row: number;
  /** Index of the column in the row. */
  readonly column: number;
}

/** Returns the first use of each script id in these rows, in the order of the rows. */
export function firstUses(plan: TablePlan, rows: Iterable<number>): ScriptUse[] {
  const uses = new Map<number, ScriptUse>();
  for (const row of rows) {
    for (const column of columnsOf(plan, row)) {
      const script = plan.script[column];
      if (script < 0 || uses.has(script)) continue;
      uses.set(script, { id: plan.scriptIds[script], row, column: column - plan.rowStart[row] });
    }
  }
  return [...uses.values()];
}
