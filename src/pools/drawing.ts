import type { StreamKey } from "../address.js";
import {
  type Batch,
  type BulkOptions,
  checkRange,
  forEachBatch,
  type Guard,
  isWatched,
  type Range,
  refuseReleased,
} from "../calls/index.js";
import { BATCH_RESULTS } from "../kernel/index.js";
import type { Node } from "./registry/node.js";
import type { Stock } from "./stock.js";
import type { RecordId } from "./types.js";

export interface FamilyScope {
  readonly name: string;
  readonly key: StreamKey;
  readonly guard: Guard;
}

const NO_KEYS: readonly StreamKey[] = [];

export class Drawing {
  next = 0;
  /** Whether the fork with this stock was released. */
  isReleased = false;
  readonly stock: Stock;
  readonly #scope: FamilyScope;
  readonly #keys: readonly StreamKey[];
  readonly #one = new Uint32Array(1);

  constructor(stock: Stock, scope: FamilyScope) {
    this.stock = stock;
    this.#scope = scope;
    this.#keys = [scope.key];
  }

  /**
   * Checks that a call may change the stock. While a bulk draw runs, none may: it relies on the engine and on the index
   * of the next draw.
   */
  checkTurn(): void {
    if (this.isReleased) refuseReleased(this.#scope.name);
    this.#scope.guard.check(this.#scope.name, this.#keys);
  }

  checkAlive(): void {
    if (this.isReleased) refuseReleased(this.#scope.name);
    this.#scope.guard.check(this.#scope.name, NO_KEYS);
  }

  one(node: Node, at?: number): RecordId {
    this.checkTurn();
    const index = at ?? this.next;
    checkRange(index, 1);
    this.stock.checkDrawable(node);
    const outcome = this.stock.engineFor(node).draw(node.index, index, this.#one);
    if (outcome.refreshed > 0) this.stock.refreshed(node);
    if (at === undefined) this.next = index + 1;
    return node.root.ids[this.#one[0]];
  }

  peek(node: Node): RecordId {
    this.checkTurn();
    if (node.root.kind === "infinite") return this.one(node, this.next);
    this.stock.checkDrawable(node);
    const exhausted = this.stock.total(node) === 0;
    const putBack = exhausted ? this.stock.hold(node) : () => this.#putOneBack(node);
    const id = this.one(node, this.next);
    putBack();
    return id;
  }

  #putOneBack({ root }: Node): void {
    const [record] = this.#one;
    this.stock.setQuantity(root, record, this.stock.quantity(root, record) + 1);
  }

  /** If `make` throws, restores the stock. A pool that does not refill may make fewer than `n()` draws. */
  bulk<Options extends BulkOptions, T>(
    node: Node,
    read: () => Options,
    n: () => number,
    make: (range: DrawRange, options: Options) => T,
  ): T {
    const { name, guard } = this.#scope;
    this.checkAlive();
    return guard.run(name, this.#keys, () => {
      const options = read();
      const from = options.from ?? this.next;
      const wanted = n();
      checkRange(from, wanted);
      const total = this.stock.drawable(node, wanted);
      const engine = this.stock.engineFor(node);
      const putBack = total > BATCH_RESULTS || isWatched(options) ? this.stock.hold(node) : () => undefined;
      try {
        const made = make({ name, node, from, total }, options);
        if (options.from === undefined) this.next = from + total;
        return made;
      } catch (cause) {
        // if the kernel trapped or the mill was disposed, the stock is lost: there is nothing to restore
        if (!engine.lost) putBack();
        throw cause;
      }
    });
  }

  /** Returns how often the pool was refreshed. */
  draw(out: Uint32Array, range: DrawRange, options: BulkOptions): number {
    return this.#eachBatch(range, options, ({ count, done }, draw) => draw(out.subarray(done, done + count)));
  }

  count(range: DrawRange, options: BulkOptions): Float64Array {
    const totals = new Float64Array(range.node.root.ids.length);
    const buffer = new Uint32Array(Math.min(range.total, BATCH_RESULTS));
    this.#eachBatch(range, options, ({ count }, draw) => {
      const numbers = buffer.subarray(0, count);
      draw(numbers);
      for (const number of numbers) totals[number]++;
    });
    return totals;
  }

  /** Calls `take` for each batch of draws. `take` must call `draw` with the array to fill. */
  #eachBatch(
    { node, ...range }: DrawRange,
    options: BulkOptions,
    take: (batch: Batch, draw: (out: Uint32Array) => void) => void,
  ): number {
    const engine = this.stock.engineFor(node);
    let refreshed = 0;
    forEachBatch(range, options, (batch) => {
      take(batch, (out) => {
        refreshed += engine.draw(node.index, range.from + batch.done, out).refreshed;
      });
    });
    if (refreshed > 0) this.stock.refreshed(node);
    return refreshed;
  }
}

export interface DrawRange extends Range {
  readonly node: Node;
}
