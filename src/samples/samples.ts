import { Columns } from "../calls/index.js";

/** Many samples. `at(k)` and iteration return each sample as `sampler.draw` does: a list of items in random order. */
export class Samples<Item> extends Columns<Item[]> {
  /** Number of items of a sample. */
  readonly size: number;
  /** The items to draw from. */
  readonly items: readonly Item[];
  /** Indices of the drawn items: item i of sample k is `items[entries[k * size + i]]`. */
  readonly entries: Uint32Array<ArrayBuffer>;
  readonly #isSamples = true;

  /** @internal */
  constructor(columns: {
    readonly from: number;
    readonly size: number;
    readonly items: readonly Item[];
    readonly entries: Uint32Array<ArrayBuffer>;
  }) {
    super({ length: columns.entries.length / columns.size, from: columns.from });
    this.size = columns.size;
    this.items = columns.items;
    this.entries = columns.entries;
  }

  /**
   * @internal Whether a value is an instance of this class. Returns false for a proxy and for an object that inherits
   * from an instance.
   */
  static isOne(value: unknown): value is Samples<unknown> {
    return typeof value === "object" && value !== null && #isSamples in value;
  }

  /** Builds result k. The caller has checked k. */
  protected compose(k: number): Item[] {
    const entries = this.entries.subarray(k * this.size, (k + 1) * this.size);
    return Array.from(entries, (entry) => this.items[entry]);
  }
}
