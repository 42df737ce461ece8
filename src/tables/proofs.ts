import { columnsOf, endingRows, reachableRows } from "./compile.js";
import { groupsInOrder } from "./groups.js";
import type { ScriptId } from "./parse/input.js";
import type { TablePlan } from "./types.js";

/** Rows in which some weights of scripts make a roll endless. */
export interface Trap {
  /** The rows, in ascending order. They jump in circles. */
  readonly rows: readonly number[];
  /** The scripts that must return 0, so that no roll leaves the rows. */
  readonly scripts: readonly ScriptId[];
}

/** What holds for all weights that scripts can return. */
export interface Proofs {
  /** The rows that no roll from the start visits. Rows without columns are left out. */
  readonly unreached: readonly number[];
  /** The columns that never win: their weight is fixed at 0. */
  readonly never: readonly { readonly row: number; readonly column: number }[];
  /** Groups of rows that some weights make endless. Leaves out groups from which a roll can end under no weights. */
  readonly traps: readonly Trap[];
  /** Whether every roll from the start ends with the probability 1, whatever weights the scripts return. */
  readonly ends: boolean;
}

/**
 * Proves what holds for all weights that scripts can return. A script in `overrides` has a constant weight. All other
 * scripts count as independent of each other, also in live rolls.
 *
 * A roll can be endless if and only if there is a set S of rows, each of which can have all of its positive weight on
 * jumps to S. The largest such set is found by removing rows until none has to leave: a row must leave if it has a
 * positive fixed weight on a result or on a jump out of S, or no jump to S that could win. Cost: O(columns), times the
 * scripted jumps of a row.
 */
export function prove(plan: TablePlan, start: number | undefined, overrides: ReadonlyMap<ScriptId, number>): Proofs {
  const weightOf = (column: number) => {
    const script = plan.scriptIds[plan.script[column]];
    return script === undefined ? plan.weight[column] : overrides.get(script);
  };
  const rows = [...plan.spec.rows.keys()];
  const reached = new Set(start === undefined ? [] : reachableRows(plan, start));
  const closed = closedRows(plan, rows, weightOf);
  const ending = endingRows(plan, rows);
  return {
    unreached: rows.filter((row) => !reached.has(row) && plan.spec.rows[row].columns.length > 0),
    never: rows.flatMap((row) =>
      [...columnsOf(plan, row)]
        .filter((column) => weightOf(column) === 0)
        .map((column) => ({ row, column: column - plan.rowStart[row] })),
    ),
    traps: trapsIn(plan, closed, weightOf).filter((trap) => trap.rows.every((row) => ending.has(row))),
    ends: ![...reached].some((row) => closed.has(row)),
  };
}

/** Returns a fixed or constant weight, or undefined for a script whose weight can vary. */
type WeightOf = (column: number) => number | undefined;

function closedRows(plan: TablePlan, rows: readonly number[], weightOf: WeightOf): ReadonlySet<number> {
  const closed = new Set(rows);
  const sources = new Map<number, number[]>(rows.map((row) => [row, []]));
  const inside = (row: number) => [...columnsOf(plan, row)].filter((column) => closed.has(~plan.target[column]));
  const mustLeave = (row: number) =>
    [...columnsOf(plan, row)].some((column) => (weightOf(column) ?? 0) > 0 && !closed.has(~plan.target[column])) ||
    inside(row).every((column) => weightOf(column) === 0);
  for (const row of rows) {
    for (const column of inside(row)) sources.get(~plan.target[column])?.push(row);
  }
  const waiting = [...rows];
  for (const row of waiting) {
    if (!closed.has(row) || !mustLeave(row)) continue;
    closed.delete(row);
    waiting.push(...(sources.get(row) ?? []));
  }
  return closed;
}

/** Returns the smallest groups of circling rows that no roll leaves under some weights of the scripts. */
function trapsIn(plan: TablePlan, closed: ReadonlySet<number>, weightOf: WeightOf): Trap[] {
  const staying = (row: number, rows: ReadonlySet<number>) =>
    [...columnsOf(plan, row)].filter((column) => rows.has(~plan.target[column]) && weightOf(column) !== 0);
  const groups = groupsInOrder(closed, (row) => staying(row, closed).map((column) => ~plan.target[column]));
  return groups.flatMap((group) => {
    const members = new Set(group);
    if (group.some((row) => staying(row, members).length < staying(row, closed).length)) return [];
    const leaving = group.flatMap((row) =>
      [...columnsOf(plan, row)].filter(
        (column) => !members.has(~plan.target[column]) && weightOf(column) === undefined,
      ),
    );
    const scripts = new Set(leaving.map((column) => plan.scriptIds[plan.script[column]]));
    // a script that must be 0 cannot also keep a roll in the row
    const keeps = (column: number) =>
      weightOf(column) !== undefined || !scripts.has(plan.scriptIds[plan.script[column]]);
    if (!group.every((row) => staying(row, members).some(keeps))) return [];
    return [{ rows: [...group].sort((a, b) => a - b), scripts: [...scripts] }];
  });
}
