import { stackOf } from "../../amounts/index.js";
import { Columns } from "../../calls/index.js";

/** Many drops. `at(k)` and iteration return each drop as `drops.roll` does: a list of results. */
export class DropRolls<Dropped> extends Columns<Dropped[]> {
  /** Drop k has the entries from `starts[k]` to `starts[k + 1]` − 1. There are `length + 1` starts. */
  readonly starts: Uint32Array<ArrayBuffer>;
  /** The results of all drops, one drop after the other. Each entry is an index into {@link results}. */
  readonly entries: Uint32Array<ArrayBuffer>;
  /** The quantity of each entry. Undefined if no result has a quantity. */
  readonly quantities: Int32Array<ArrayBuffer> | undefined;
  /** The distinct results of the drops. */
  readonly results: readonly string[];

  /** @internal */
  constructor(columns: {
    readonly from: number;
    readonly starts: Uint32Array<ArrayBuffer>;
    readonly entries: Uint32Array<ArrayBuffer>;
    readonly quantities: Int32Array<ArrayBuffer> | undefined;
    readonly results: readonly string[];
  }) {
    super({ length: columns.starts.length - 1, from: columns.from });
    this.starts = columns.starts;
    this.entries = columns.entries;
    this.quantities = columns.quantities;
    this.results = columns.results;
  }

  /** Builds result k. The caller has checked k. */
  protected compose(k: number): Dropped[] {
    const [first, end] = [this.starts[k], this.starts[k + 1]];
    // the cast is safe: the columns have the results and quantities of the input
    return Array.from(
      this.entries.subarray(first, end),
      (entry, i) => stackOf(this.results[entry], this.quantities?.[first + i]) as Dropped,
    );
  }
}
