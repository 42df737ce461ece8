import { stackOf } from "../../amounts/index.js";
import { Columns } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import type { Column } from "../../formats/tables/columns.js";

/** Many drops. `at(k)` and iteration return each drop as `drops.roll` does: a list of results. */
export class DropRolls<Dropped> extends Columns<Dropped[]> {
  /** Drop k has the entries from `starts[k]` to `starts[k + 1]` − 1. There are `length + 1` starts. */
  starts: Uint32Array<ArrayBuffer>;
  /** The results of all drops, one drop after the other. Each entry is an index into {@link results}. */
  entries: Uint32Array<ArrayBuffer>;
  /** The quantity of each entry. Undefined if no result has a quantity. */
  quantities: Int32Array<ArrayBuffer> | undefined;
  /** The distinct results of the drops. */
  readonly results: readonly string[];

  /** @internal */
  constructor(columns: Pick<DropRolls<Dropped>, "from" | "starts" | "entries" | "quantities" | "results">) {
    super({ length: columns.starts.length - 1, from: columns.from });
    this.starts = columns.starts;
    this.entries = columns.entries;
    this.quantities = columns.quantities;
    this.results = columns.results;
  }

  /**
   * Returns the results of all drops as columns for `toCsv` and `toParquet` of `rollmill/formats`. Each result has a
   * row: `drop` is the index of the drop, `result` the result and, if the drops have quantities, `quantity` its
   * quantity. A drop without a result has no row.
   *
   * Cost: O(results).
   *
   * @throws RollmillError `argument.range` if the index of a drop is 2^32 or more.
   */
  columns(): Column[] {
    const { from, starts, entries, quantities, results } = this;
    if (from + this.length > 2 ** 32) {
      const expected = `drops with indices up to ${2 ** 32 - 1}`;
      fail(error("argument.range", { problem: "an index does not fit in a column", got: from, expected }));
    }
    const drop = new Uint32Array(entries.length);
    for (let k = 0; k < this.length; k++) drop.fill(from + k, starts[k], starts[k + 1]);
    const columns: Column[] = [
      { kind: "integer", name: "drop", values: drop },
      { kind: "word", name: "result", words: results, indices: entries },
    ];
    return quantities === undefined ? columns : [...columns, { kind: "integer", name: "quantity", values: quantities }];
  }

  /** @internal Takes the arrays of other drops with the same results. */
  take({ from, starts, entries, quantities }: DropRolls<Dropped>): this {
    return Object.assign(this, { from, starts, entries, quantities });
  }

  /** @internal */
  protected compose(k: number): Dropped[] {
    const [first, end] = [this.starts[k], this.starts[k + 1]];
    // the cast is safe: the columns have the results and quantities of the input
    return Array.from(
      this.entries.subarray(first, end),
      (entry, i) => stackOf(this.results[entry], this.quantities?.[first + i]) as Dropped,
    );
  }
}
