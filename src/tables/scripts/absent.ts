import { didYouMean, error, type Issue } from "../../errors/index.js";
import { nameOf, whereOf } from "../issues.js";
import type { ScriptId } from "../parse/input.js";
import { firstUses } from "../reach.js";
import { KNOWN_SCRIPTS } from "../scripts.js";
import type { NamedScript, ScriptSetName, TablePlan } from "../types.js";

interface ScriptsInUse {
  /** Undefined: ids that are numbers are not checked. */
  readonly set: ScriptSetName | undefined;
  /** Undefined: names are not checked. */
  readonly named: ReadonlyMap<string, NamedScript> | undefined;
  readonly overrides: ReadonlyMap<ScriptId, number>;
}

/** Returns an error for each script id in `rows` that the set or the named scripts lack, at its first use. */
export function absentScripts(
  plan: TablePlan,
  rows: Iterable<number>,
  { set, named, overrides }: ScriptsInUse,
): Issue[] {
  return [...firstUses(plan, rows)].flatMap(({ id, row, column }) => {
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
    if (set === undefined || KNOWN_SCRIPTS[set].has(id)) return [];
    const expected = `one of the ids ${KNOWN_SCRIPTS[set].ids}`;
    const remedy = "Choose another script set, pass your own script, or give the script a constant weight";
    const finding = { problem: `${problem} that the script set ${set} lacks`, got: id, expected, remedy, where };
    return error("table.unknown-script", finding);
  });
}
