import { stackOf } from "../amounts/index.js";
import { Columns } from "../calls/index.js";
import type { Column } from "../formats/tables/columns.js";
import type { Ids } from "./types.js";

/** The results of many rolls. `at(k)` and iteration return each result as `table.roll` does, or null for no result. */
export class TableRolls<Result> extends Columns<Result> {
  /** Id of each roll: an index into {@link results}, or `results.length` for a roll that ended on a dead row. */
  readonly ids: Ids;
  /** The results of the table, in order of first appearance; null for nothing. */
  readonly results: readonly (string | null)[];
  /** The quantity of each roll, 0 for no result. Undefined if no column of the table has a quantity. */
  readonly quantities: Int32Array<ArrayBuffer> | undefined;
  /** The number of rolls without a result. Set when the columns are filled. */
  none: number;

  /** @internal */
  constructor(columns: Pick<TableRolls<Result>, "from" | "ids" | "results" | "quantities" | "none">) {
    super({ length: columns.ids.length, from: columns.from });
    this.ids = columns.ids;
    this.results = columns.results;
    this.quantities = columns.quantities;
    this.none = columns.none;
  }

  /**
   * Returns all rolls as columns for `toCsv` and `toParquet` of `rollmill/formats`. The first column is `result`; its
   * value is null for a roll without a result. If the table has quantities, the second column is `quantity`; its value
   * is 0 for a roll without a result. Cost: O(results). The columns share the arrays of the rolls.
   */
  columns(): Column[] {
    const { ids, results, quantities } = this;
    // a roll that ended on a dead row has the id results.length
    const result: Column = { kind: "word", name: "result", words: [...results, null], indices: ids };
    return quantities === undefined ? [result] : [result, { kind: "integer", name: "quantity", values: quantities }];
  }

  /** @internal */
  protected compose(k: number): Result {
    // the cast is safe: the columns have the results and quantities of the input
    return stackOf(this.results[this.ids[k]] ?? null, this.quantities?.[k]) as Result;
  }
}
