import { Columns } from "../calls/index.js";
import type { Ids } from "./types.js";

/** The results of many rolls. `at(k)` and iteration return the result of roll k, or null if roll k has no result. */
export class TableRolls extends Columns<string | null> {
  /** Id of each roll: an index into {@link results}, or `results.length` for a roll without a result. */
  readonly ids: Ids;
  /** The distinct results of the table, in order of first appearance. */
  readonly results: readonly string[];
  /** The number of rolls without a result. */
  readonly none: number;

  /** @internal */
  constructor(columns: {
    readonly from: number;
    readonly ids: Ids;
    readonly results: readonly string[];
    readonly none: number;
  }) {
    super({ length: columns.ids.length, from: columns.from });
    this.ids = columns.ids;
    this.results = columns.results;
    this.none = columns.none;
  }

  /** Returns the result of roll k. The caller has checked that k is in range. */
  protected compose(k: number): string | null {
    return this.results[this.ids[k]] ?? null;
  }
}
