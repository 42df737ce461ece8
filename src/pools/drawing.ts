import { type Batch, type BulkOptions, checkRange, forEachBatch } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { BATCH_RESULTS } from "../kernel/index.js";
import type { Node } from "./registry/node.js";
import type { Stock } from "./stock.js";
import type { RecordId } from "./types.js";

/** Makes the draws of a family. All its pools share one sequence of draws: draw n reads random word n. */
export class Drawing {
  /** Index of the next draw. */
  next = 0;
  readonly #stock: Stock;
  readonly #one = new Uint32Array(1);
  #running = false;

  constructor(stock: Stock) {
    this.#stock = stock;
  }

  /**
   * Refuses a call that `onProgress` makes during a bulk draw: the bulk draw uses the next index and the engine until
   * it returns.
   *
   * @throws RollmillError `argument.busy`.
   */
  refuseBusy(): void {
    if (!this.#running) return;
    const problem = "the pools cannot change during a bulk draw, not even in its `onProgress`";
    const remedy = "Repeat the call after the bulk draw has returned";
    fail(error("argument.busy", { problem, remedy }));
  }

  /** Makes one draw and returns the id of the record. */
  one(node: Node, from?: number): RecordId {
    this.draw(node, this.#one, from === undefined ? NEXT : { from });
    return node.root.ids[this.#one[0]];
  }

  /**
   * Returns the record that the next draw of the family would give if it drew from this pool. Changes neither the stock
   * nor `next`.
   */
  peek(node: Node): RecordId {
    if (node.root.kind === "infinite") return this.one(node, this.next);
    const { next } = this;
    const exhausted = this.#stock.total(node) === 0;
    const putBack = exhausted ? this.#stock.hold(node) : () => this.#putOneBack(node);
    const id = this.one(node);
    putBack();
    this.next = next;
    return id;
  }

  /** Reverts the draw that `one` has just made. */
  #putOneBack({ root }: Node): void {
    const [record] = this.#one;
    this.#stock.setQuantity(root, record, this.#stock.quantity(root, record) + 1);
  }

  /** Fills `out` with draws. A draw is the index of a record in its root. Returns how often the pool was refreshed. */
  draw(node: Node, out: Uint32Array, options: BulkOptions): number {
    return this.#eachBatch(node, out.length, options, ({ count, done }, draw) =>
      draw(out.subarray(done, done + count)),
    );
  }

  /** Makes `total` draws and returns how often each record was drawn, by its index in the root. */
  count(node: Node, total: number, options: BulkOptions): Float64Array {
    const totals = new Float64Array(node.root.ids.length);
    const buffer = new Uint32Array(Math.min(total, BATCH_RESULTS));
    this.#eachBatch(node, total, options, ({ count }, draw) => {
      const numbers = buffer.subarray(0, count);
      draw(numbers);
      for (const number of numbers) totals[number]++;
    });
    return totals;
  }

  /**
   * Calls `take` for each batch of draws; `take` calls `draw` with the array to fill. Returns how often the pool was
   * refreshed. If the call fails, the stock is restored.
   */
  #eachBatch(
    node: Node,
    total: number,
    options: BulkOptions,
    take: (batch: Batch, draw: (out: Uint32Array) => void) => void,
  ): number {
    this.refuseBusy();
    const from = options.from ?? this.next;
    checkRange(from, total);
    this.#stock.checkDrawable(node);
    const { engine } = this.#stock;
    const callsBack = options.onProgress !== undefined || options.signal !== undefined;
    const putBack = total > BATCH_RESULTS || callsBack ? this.#stock.hold(node) : () => undefined;
    let refreshed = 0;
    this.#running = true;
    try {
      forEachBatch({ from, total }, options, (batch) => {
        take(batch, (out) => {
          refreshed += engine.draw(node.index, from + batch.done, out).refreshed;
        });
      });
    } catch (cause) {
      // A trap in the kernel loses the stock, so nothing can be restored.
      if (!engine.lost) putBack();
      throw cause;
    } finally {
      this.#running = false;
    }
    if (options.from === undefined) this.next = from + total;
    return refreshed;
  }
}

const NEXT: BulkOptions = Object.freeze({});
