import { didYouMean, error, fail } from "../errors/index.js";
import { type Fraction, toNumber } from "../fractions.js";
import { checkInteger, readOptions, refuseArgument } from "../spec/index.js";
import { columnsOf } from "../tables/compile.js";
import { totalIssue } from "../tables/issues.js";
import { MAX_WEIGHT, type ScriptId } from "../tables/parse/input.js";
import { overridesOf } from "../tables/rolling.js";
import { Table } from "../tables/table.js";
import type { TableOptions, TablePlan } from "../tables/types.js";
import type { ValueCondition } from "./condition.js";
import { Elimination } from "./elimination.js";
import type { SourceOptions } from "./law.js";
import { tableChance, wantedOutcomes } from "./sensitivity.js";

/** An unknown of a {@link Formula}: a script that rolls could reach. */
export interface Unknown {
  readonly script: ScriptId;
  /** The weight that the script returned when the formula was made. */
  readonly weight: number;
  /** The columns that have the weight of the script. */
  readonly places: readonly { readonly row: number; readonly column: number }[];
}

/** The probability of a result as a function of the weights of scripts. */
export interface Formula {
  readonly unknowns: readonly Unknown[];
  /** A proven bound of the relative error of {@link at}, such as 3e-13. */
  readonly errorBound: number;
  /**
   * Returns the probability for these weights; other scripts keep {@link Unknown.weight}. Takes microseconds.
   *
   * @param weights - Integers 0 … 2^32 − 1 by script id, as the option `weights` of a table.
   * @throws RollmillError `argument.range` for an unknown script or weight; `weights.overflow` if the total of a row
   * exceeds 2^32 − 1; `argument.type`.
   */
  at(weights?: TableOptions["weights"]): number;
  /** Returns the exact probability for these weights. Takes as long as the odds. Throws the errors of {@link at}. */
  exact(weights?: TableOptions["weights"]): Fraction;
}

/** Options of {@link formula}. */
export interface FormulaOptions {
  /** The options of the table's odds. */
  readonly with?: SourceOptions | undefined;
}

/**
 * Solves the chain of a table once, with the weights of its scripts as unknowns, so that the probability of a result
 * can follow a slider without delay.
 *
 * Cost: for rows that jump in circles, up to the cube of their number; far less if each has few columns.
 *
 * @example formula(table, "crown").at({ 7: 20 }) // → 0.0125
 * @throws RollmillError `argument.range` for a result that is not possible; the errors of the table's odds;
 * `table.script` if any script fails that rolls could reach.
 */
export function formula(table: Table<string, unknown>, result: ValueCondition, given: FormulaOptions = {}): Formula {
  if (!(table instanceof Table)) refuseArgument("table", table, "a table");
  const { with: options = {} } = readOptions("formula", given, ["with"]);
  return table.frozen("formula", options, (start, { weights, failed }, work, plan) => {
    for (const cause of failed.values()) throw cause;
    const isWanted = wantedOutcomes(plan, result);
    const classOf = (outcome: number | null) => Number(isWanted(outcome));
    const elimination = new Elimination({ plan, start, classOf, classes: 2 }, work);
    const unknowns = unknownsIn(plan, elimination.rows, weights);
    work.end();
    const scripted = new Set([...unknowns.values()].flatMap(({ places }) => places.map(({ row }) => row)));
    const weightsWith = (changed: TableOptions["weights"]) => {
      const all = new Float64Array(weights);
      for (const [script, weight] of overridesOf(changed)) {
        const { places } = unknowns.get(script) ?? refuseScript(script, unknowns.keys());
        checkInteger(`weights.${script}`, weight, 0, MAX_WEIGHT);
        for (const { row, column } of places) all[plan.rowStart[row] + column] = weight;
      }
      for (const row of scripted) {
        let total = 0;
        for (let column = plan.rowStart[row]; column < plan.rowStart[row + 1]; column++) total += all[column];
        if (total > MAX_WEIGHT) fail(totalIssue(plan, row, total));
      }
      return all;
    };
    const exact = (all: ArrayLike<number>) => tableChance({ plan, start, weights: all, isWanted }, work.again());
    return {
      unknowns: [...unknowns.values()],
      errorBound: elimination.errorBound,
      at: (changed) => {
        const all = weightsWith(changed);
        const { odds, isExact } = elimination.run(all);
        return isExact ? odds[1] : toNumber(exact(all));
      },
      exact: (changed) => exact(weightsWith(changed)),
    };
  });
}

function unknownsIn(plan: TablePlan, rows: readonly number[], weights: ArrayLike<number>) {
  const unknowns = new Map<ScriptId, Unknown & { readonly places: { row: number; column: number }[] }>();
  for (const row of rows) {
    for (const column of columnsOf(plan, row)) {
      const script = plan.scriptIds[plan.script[column]];
      if (script === undefined) continue;
      const unknown = unknowns.get(script) ?? { script, weight: weights[column], places: [] };
      unknown.places.push({ row, column: column - plan.rowStart[row] });
      unknowns.set(script, unknown);
    }
  }
  return unknowns;
}

function refuseScript(script: ScriptId, known: Iterable<ScriptId>): never {
  const problem = "the formula has no such script";
  return fail(error("argument.range", { problem, got: script, ...didYouMean(String(script), [...known].map(String)) }));
}
