import { checkRange } from "../address.js";
import { BATCH_RESULTS, forEachBatch, type LongCall } from "../batches.js";
import type { Node } from "./node.js";
import { refuse } from "./resolve.js";
import type { Stock } from "./stock.js";
import type { RecordId } from "./types.js";

/** The draws of a family, in their order: a draw's word is that of its place among them. */
export class Draws {
  /** Index of the next draw. */
  next = 0;
  readonly #stock: Stock;
  readonly #one = new Uint32Array(1);

  constructor(stock: Stock) {
    this.#stock = stock;
  }

  /** One draw, as an id. */
  one(node: Node): RecordId {
    this.draw(node, this.#one, {});
    return node.root.ids[this.#one[0]];
  }

  /** What the next draw would be if it were from this pool. */
  peek(node: Node): RecordId {
    const { next } = this;
    const putBack = this.#stock.hold(node);
    const id = this.one(node);
    putBack();
    this.next = next;
    return id;
  }

  getRandom(node: Node): RecordId {
    this.#stock.checkDrawable(node);
    if (this.#stock.total(node) === 0) {
      const remedy = "Refresh it with exhaust(), or draw with drawFromPool, which does";
      refuse("pool.exhausted", node.path, { problem: `pool ${node.path} is exhausted`, remedy });
    }
    this.draw(node, this.#one, {});
    return node.root.ids[this.#one[0]];
  }

  draw(node: Node, out: Uint32Array, options: LongCall): number {
    let done = 0;
    return this.eachBatch(node, out.length, options, (numbers) => {
      out.set(numbers, done);
      done += numbers.length;
    });
  }

  /** Draws, a batch at a time; answers how often the pool was refreshed. A call that fails takes nothing. */
  eachBatch(node: Node, total: number, options: LongCall, take: (numbers: Uint32Array) => void): number {
    checkRange(this.next, total);
    this.#stock.checkDrawable(node);
    const { engine } = this.#stock;
    const { next } = this;
    const callsBack = options.onProgress !== undefined || options.signal !== undefined;
    const putBack = total > BATCH_RESULTS || callsBack ? this.#stock.hold(node) : () => undefined;
    const buffer = total === 1 ? this.#one : new Uint32Array(Math.min(total, BATCH_RESULTS));
    let refreshed = 0;
    try {
      forEachBatch({ from: next, total }, options, ({ count, done }) => {
        const numbers = buffer.subarray(0, count);
        refreshed += engine.draw(node.index, next + done, numbers).refreshed;
        take(numbers);
      });
    } catch (cause) {
      putBack();
      throw cause;
    }
    this.next = next + total;
    return refreshed;
  }
}
