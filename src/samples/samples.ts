import { Columns } from "../calls/index.js";
import type { Column } from "../formats/tables/columns.js";

/** Many samples. `at(k)` and iteration return each sample as `sampler.draw` does: a list of items in random order. */
export class Samples<Item> extends Columns<Item[]> {
  /** Number of items of a sample. */
  readonly size: number;
  /** The items to draw from. */
  readonly items: readonly Item[];
  /** Indices of the drawn items: item i of sample k is `items[entries[k * size + i]]`. */
  readonly entries: Uint32Array<ArrayBuffer>;

  /** @internal */
  constructor(columns: Pick<Samples<Item>, "from" | "size" | "items" | "entries">) {
    super({ length: columns.entries.length / columns.size, from: columns.from });
    this.size = columns.size;
    this.items = columns.items;
    this.entries = columns.entries;
  }

  /**
   * Returns all samples as columns for `toCsv` and `toParquet`, which accept at most 10,000 columns. `item1` has the
   * first item of each sample, `item2` its second item, and so on. An item that is not a text is written as JSON.
   *
   * Cost: O(items + items of all samples).
   */
  columns(): Column[] {
    const { size, entries, length } = this;
    const words = this.items.map((item) => (typeof item === "string" ? item : (JSON.stringify(item) ?? String(item))));
    return Array.from({ length: size }, (_, i) => {
      const indices = Uint32Array.from({ length }, (__, k) => entries[k * size + i]);
      return { kind: "word", name: `item${i + 1}`, words, indices };
    });
  }

  /** @internal */
  protected compose(k: number): Item[] {
    const entries = this.entries.subarray(k * this.size, (k + 1) * this.size);
    return Array.from(entries, (entry) => this.items[entry]);
  }
}
