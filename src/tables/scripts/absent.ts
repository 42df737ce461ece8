import { didYouMean, error, type Issue } from "../../errors/index.js";
import { nameOf, whereOf } from "../issues.js";
import { columnsOf } from "../reach.js";
import { hasScript, scriptIdsOf } from "../scripts.js";
import type { NamedScript, ScriptId, ScriptSetName, TablePlan } from "../types.js";

interface ScriptsInUse {
  /** The set with the scripts whose ids are numbers. If it is undefined, these ids are not checked. */
  readonly set: ScriptSetName | undefined;
  /** The scripts that have names. If they are undefined, names are not checked. */
  readonly named: ReadonlyMap<string, NamedScript> | undefined;
  /** Constant weights by script id. These ids need no script. */
  readonly overrides: ReadonlyMap<ScriptId, number>;
  readonly rows: Iterable<number>;
}

/**
 * Returns an error for each script id in `rows` that the set or the named scripts lack. The error's position is the
 * first column with this id. Cost: O(columns of the rows).
 */
export function absentScripts(plan: TablePlan, { set, named, overrides, rows }: ScriptsInUse): Issue[] {
  return firstUses(plan, rows).flatMap(({ id, row, column }) => {
    const where = whereOf(plan.spec, { row, column });
    const problem = `${nameOf(plan, { row, column })} has the weight of a script`;
    if (overrides.has(id)) return [];
    if (typeof id === "string") {
      if (named?.has(id) !== false) return [];
      const remedy =
        'Pass the script in the option "scripts" or in the module of --script, or give it a constant weight';
      const finding = { problem: `${problem} that was not given`, got: id, where };
      return error("table.unknown-script", { ...finding, ...didYouMean(id, named.keys(), remedy) });
    }
    if (set === undefined || hasScript(set, id)) return [];
    const expected = `one of the ids ${scriptIdsOf(set)}`;
    const remedy = "Choose another script set, pass your own script, or give the script a constant weight";
    const finding = { problem: `${problem} that the script set ${set} lacks`, got: id, expected, remedy, where };
    return error("table.unknown-script", finding);
  });
}

interface ScriptUse {
  readonly id: ScriptId;
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
