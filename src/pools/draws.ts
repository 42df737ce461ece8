import { type Batch, checkRange, forEachBatch, type LongCall } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { BATCH_RESULTS } from "../kernel/index.js";
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
  #running = false;

  constructor(stock: Stock) {
    this.#stock = stock;
  }

  /**
   * Refuses a call from a running bulk call's `onProgress`: that one's draws have their indices and its engine already.
   *
   * @throws RollmillError `argument.busy`.
   */
  refuseBusy(): void {
    if (!this.#running) return;
    const problem = "a bulk draw of this family is running";
    const remedy = "Wait until it has returned; until then the family can only be read";
    fail(error("argument.busy", { problem, got: "a call from its onProgress", remedy }));
  }

  /** One draw, as an id. */
  one(node: Node): RecordId {
    this.draw(node, this.#one, {});
    return node.root.ids[this.#one[0]];
  }

  /** What the next draw would be if it were from this pool. */
  peek(node: Node): RecordId {
    const { next } = this;
    const exhausted = this.#stock.total(node) === 0;
    const putBack = exhausted ? this.#stock.hold(node) : () => this.#putOneBack(node);
    const id = this.one(node);
    putBack();
    this.next = next;
    return id;
  }

  /** Undoes the draw that `one` has just made. */
  #putOneBack({ root }: Node): void {
    if (root.kind === "infinite") return;
    const [record] = this.#one;
    this.#stock.setQuantity(root, record, this.#stock.quantity(root, record) + 1);
  }

  getRandom(node: Node): RecordId {
    this.refuseBusy();
    this.#stock.checkDrawable(node);
    if (this.#stock.total(node) === 0) {
      const remedy = "Refresh it with exhaust(), or draw with drawFromPool, which does";
      refuse("pool.exhausted", node.path, { problem: `pool ${node.path} is exhausted`, remedy });
    }
    this.draw(node, this.#one, {});
    return node.root.ids[this.#one[0]];
  }

  /** Fills `out` with draws, as numbers of the root's records; answers how often the pool was refreshed. */
  draw(node: Node, out: Uint32Array, options: LongCall): number {
    return this.#eachBatch(node, out.length, options, ({ count, done }, draw) =>
      draw(out.subarray(done, done + count)),
    );
  }

  /** How often each of the root's records comes, by its number. */
  count(node: Node, total: number, options: LongCall): Float64Array {
    const totals = new Float64Array(node.root.ids.length);
    const buffer = new Uint32Array(Math.min(total, BATCH_RESULTS));
    this.#eachBatch(node, total, options, ({ count }, draw) => {
      const numbers = buffer.subarray(0, count);
      draw(numbers);
      for (const number of numbers) totals[number]++;
    });
    return totals;
  }

  /** Runs `take` on each batch, which draws it; answers how often the pool was refreshed. A call that fails takes nothing. */
  #eachBatch(
    node: Node,
    total: number,
    options: LongCall,
    take: (batch: Batch, draw: (out: Uint32Array) => void) => void,
  ): number {
    this.refuseBusy();
    checkRange(this.next, total);
    this.#stock.checkDrawable(node);
    const { engine } = this.#stock;
    const { next } = this;
    const callsBack = options.onProgress !== undefined || options.signal !== undefined;
    const putBack = total > BATCH_RESULTS || callsBack ? this.#stock.hold(node) : () => undefined;
    let refreshed = 0;
    this.#running = true;
    try {
      forEachBatch({ from: next, total }, options, (batch) => {
        take(batch, (out) => {
          refreshed += engine.draw(node.index, next + batch.done, out).refreshed;
        });
      });
    } catch (cause) {
      // (a family whose kernel failed has nothing left to be put back into)
      if (!engine.lost) putBack();
      throw cause;
    } finally {
      this.#running = false;
    }
    this.next = next + total;
    return refreshed;
  }
}
