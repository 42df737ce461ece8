import { stackOf } from "../amounts/index.js";
import { Columns } from "../calls/index.js";
import type { Column } from "../formats/tables/columns.js";

/** Many picks from a labelled list. `at(k)` and iteration return each pick as `list.pick` does. */
export class Picks<Result> extends Columns<Result> {
  /** Index of the entry of each pick. */
  readonly entries: Uint32Array<ArrayBuffer>;
  /** The label of each entry of the list; null for nothing. The label of pick k is `labels[entries[k]]`. */
  readonly labels: readonly (string | null)[];
  /** The quantity of each pick, 0 for nothing. Undefined if no entry of the list has a quantity. */
  readonly quantities: Int32Array<ArrayBuffer> | undefined;

  /** @internal */
  constructor(columns: Pick<Picks<Result>, "from" | "entries" | "labels" | "quantities">) {
    super({ length: columns.entries.length, from: columns.from });
    this.entries = columns.entries;
    this.labels = columns.labels;
    this.quantities = columns.quantities;
  }

  /**
   * Returns all picks as columns for `toCsv` and `toParquet` of `rollmill/formats`. The first column is `result`; its
   * value is null for nothing. If the list has quantities, the second column is `quantity`; its value is 0 for nothing.
   *
   * Cost: O(labels). The columns share the arrays of the picks.
   */
  columns(): Column[] {
    const { entries, labels, quantities } = this;
    const result: Column = { kind: "word", name: "result", words: labels, indices: entries };
    return quantities === undefined ? [result] : [result, { kind: "integer", name: "quantity", values: quantities }];
  }

  /** @internal */
  protected compose(k: number): Result {
    return stackOf(this.labels[this.entries[k]], this.quantities?.[k]) as Result;
  }
}
