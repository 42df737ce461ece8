import { stackOf } from "../amounts/index.js";
import { Columns } from "../calls/index.js";

/** Many picks from a labelled list. `at(k)` and iteration return each pick as `list.pick` does. */
export class Picks<Result> extends Columns<Result> {
  /** Index of the entry of each pick. */
  readonly entries: Uint32Array<ArrayBuffer>;
  /** The label of each entry of the list; null for nothing. The label of pick k is `labels[entries[k]]`. */
  readonly labels: readonly (string | null)[];
  /** The quantity of each pick, 0 for nothing. Undefined if no entry of the list has a quantity. */
  readonly quantities: Int32Array<ArrayBuffer> | undefined;
  readonly #isPicks = true;

  /** @internal */
  constructor(columns: {
    readonly from: number;
    readonly entries: Uint32Array<ArrayBuffer>;
    readonly labels: readonly (string | null)[];
    readonly quantities: Int32Array<ArrayBuffer> | undefined;
  }) {
    super({ length: columns.entries.length, from: columns.from });
    this.entries = columns.entries;
    this.labels = columns.labels;
    this.quantities = columns.quantities;
  }

  /**
   * @internal Whether a value is an instance of this class. Returns false for a proxy and for an object that inherits
   * from an instance.
   */
  static isOne(value: unknown): value is Picks<unknown> {
    return typeof value === "object" && value !== null && #isPicks in value;
  }

  /** Builds result k. The caller has checked k. */
  protected compose(k: number): Result {
    return stackOf(this.labels[this.entries[k]], this.quantities?.[k]) as Result;
  }
}
