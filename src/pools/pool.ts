import {
  allocateResults,
  BULK_OPTIONS,
  Columns,
  type Counts,
  checkOptions,
  checkRange,
  type Odds,
} from "../calls/index.js";
import { BATCH_RESULTS } from "../kernel/index.js";
import type { Drawing } from "./drawing.js";
import type { Node } from "./registry/node.js";
import { refuse } from "./resolve.js";
import type { Stock } from "./stock.js";
import type { DrawManyOptions, DrawOptions, ListedRecord, PoolKind, RecordId } from "./types.js";

/** The parts of a family that a handle uses. */
export interface PoolHost {
  readonly stock: Stock;
  readonly drawing: Drawing;
  /** The handle of a pool, the same one every time. */
  poolOf(node: Node): Pool;
}

/** Draws from one pool, in the order in which they were made. Iteration and `at` give ids. */
export class PoolDraws extends Columns<RecordId> {
  /** The record of each draw, as a number among the root's records: {@link Pool.recordIds} has their ids. */
  readonly records: Uint32Array<ArrayBuffer>;
  /** How often the pool was refreshed before one of these draws. */
  readonly refreshed: number;
  readonly #ids: readonly RecordId[];

  /** @internal */
  constructor(
    { from, ids }: { readonly from: number; readonly ids: readonly RecordId[] },
    { records, refreshed }: { readonly records: Uint32Array<ArrayBuffer>; readonly refreshed: number },
  ) {
    super({ length: records.length, from });
    this.records = records;
    this.refreshed = refreshed;
    this.#ids = ids;
  }

  /** The id of draw k. */
  protected override compose(k: number): RecordId {
    return this.#ids[this.records[k]];
  }
}

/**
 * One pool of a family: it shows the pool as it is now. A record is drawn with probability quantity × mass / total,
 * error 0; then its quantity falls by 1 in every pool that lists it. An infinite pool has no quantities: the masses
 * alone decide.
 *
 * Draw n of the family reads random word n of its name, whichever pool it is from. Draws from a finite pool depend on
 * the draws before them, so they take no `at` and `from`; draws from an infinite pool do.
 *
 * Cost: a draw from a finite pool of n records searches log₁₆ n nodes, and changes as many in each pool that lists the
 * record; a draw from an infinite pool is one load. Each takes one word.
 */
export class Pool {
  readonly #host: PoolHost;
  readonly #node: Node;

  /** @internal */
  constructor(host: PoolHost, node: Node) {
    this.#host = host;
    this.#node = node;
  }

  /** `finite`: draws take from its stock; `infinite`: it has no stock. */
  get kind(): PoolKind {
    return this.#node.root.kind;
  }

  /** Its path, such as `i.common.weapon`; the part of an unnamed subpool is its number. */
  get path(): string {
    return this.#node.path;
  }

  /** The last part of its path. */
  get name(): string {
    return this.#node.name;
  }

  /** The pool that contains it; undefined for a root. */
  get parent(): Pool | undefined {
    const { parent } = this.#node;
    return parent === undefined ? undefined : this.#host.poolOf(parent);
  }

  /** The pools that it splits into, in order of registration. */
  get subpools(): readonly Pool[] {
    return [...this.#node.children.values()].map((child) => this.#host.poolOf(child));
  }

  /** The number of records that it lists. */
  get size(): number {
    return this.#node.size;
  }

  /** Its records in list order. Cost: O(records). */
  get records(): readonly ListedRecord[] {
    const { records, masses, root } = this.#node;
    const listed = (record: number, i: number) => ({ id: root.ids[record], mass: masses[i] });
    if (root.kind === "infinite") return Array.from(records, listed);
    const quantities = this.#host.stock.quantities(this.#node);
    return Array.from(records, (record, i) => ({ ...listed(record, i), quantity: quantities[i] }));
  }

  /** Σ mass × quantity of its records (Σ mass if it is infinite). 0 means that the pool is exhausted. */
  get total(): number {
    return this.#host.stock.total(this.#node) / 10 ** (this.#node.scaled()?.decimals ?? 0);
  }

  /**
   * The ids of the root's records by number, for the numbers that {@link drawInto} writes: a copy. Cost: O(records of
   * the root).
   */
  recordIds(): readonly RecordId[] {
    return [...this.#node.root.ids];
  }

  /**
   * Draws a record and takes it. An exhausted pool is refreshed first: the quantities of its own records become the
   * initial ones again, in every pool that lists them.
   *
   * @throws RollmillError `pool.empty`, `pool.weightless` (nothing can ever be drawn), `argument.option` (`at` of a
   * finite pool), `argument.range`, `argument.busy`.
   */
  draw(options?: DrawOptions): RecordId {
    if (options === undefined) return this.#host.drawing.one(this.#node);
    this.#checkOptions("draw", options, ["at"]);
    return this.#host.drawing.one(this.#node, options.at);
  }

  /**
   * `n` draws. A call that fails takes nothing.
   *
   * @param n - 0 … 2^42 − 1, and no more than fit in memory.
   * @throws RollmillError as {@link draw}; `argument.type`.
   */
  drawMany(n: number, options: DrawManyOptions = {}): PoolDraws {
    this.#checkOptions("drawMany", options, BULK_OPTIONS);
    const { drawing } = this.#host;
    const from = options.from ?? drawing.next;
    checkRange(from, n);
    const records = allocateResults(n, (length) => new Uint32Array(length));
    const refreshed = drawing.draw(this.#node, records, options);
    return new PoolDraws({ from, ids: this.#node.root.ids }, { records, refreshed });
  }

  /**
   * Fills `out` with draws, as numbers of the root's records, and returns it. A call that fails takes nothing and
   * leaves `out` as it was.
   *
   * @throws RollmillError as {@link drawMany}.
   */
  drawInto<Out extends Uint32Array>(out: Out, options: DrawManyOptions = {}): Out {
    this.#checkOptions("drawInto", options, BULK_OPTIONS);
    const { drawing } = this.#host;
    if (out.length <= BATCH_RESULTS && options.onProgress === undefined) {
      drawing.draw(this.#node, out, options);
      return out;
    }
    const numbers = allocateResults(out.length, (length) => new Uint32Array(length));
    drawing.draw(this.#node, numbers, options);
    out.set(numbers);
    return out;
  }

  /**
   * Counts how often each record of the pool is drawn in `n` draws, without an array of draws in between. These are
   * real draws: the stock of a finite pool falls.
   *
   * @param n - 0 … 2^42 − 1.
   * @throws RollmillError as {@link drawMany}.
   */
  count(n: number, options: DrawManyOptions = {}): Counts<RecordId> {
    this.#checkOptions("count", options, BULK_OPTIONS);
    const { root, records } = this.#node;
    checkRange(options.from ?? this.#host.drawing.next, n);
    const totals = this.#host.drawing.count(this.#node, n, options);
    return { total: n, none: 0, counts: new Map(Array.from(records, (record) => [root.ids[record], totals[record]])) };
  }

  /**
   * The exact odds of the next draw from this pool, in list order; `none` is 0. For an exhausted pool: the odds after
   * the refresh.
   *
   * @throws RollmillError `pool.empty`, `pool.weightless`.
   */
  odds(): Odds<RecordId> {
    return this.#host.stock.odds(this.#node);
  }

  /**
   * The record that the next draw of the family would give if it were from this pool. Takes, refreshes and counts
   * nothing.
   * Cost: a draw; O(records) if the pool is exhausted.
   *
   * @throws RollmillError as {@link draw}.
   */
  peek(): RecordId {
    return this.#host.drawing.peek(this.#node);
  }

  /**
   * The quantity of a record now: one number for all pools of the root.
   *
   * @throws RollmillError `pool.unknown-id` (the pool does not list it), `pool.infinite`.
   */
  quantity(id: RecordId): number {
    return this.#host.stock.quantity(this.#node.root, this.#record(id));
  }

  /**
   * Puts a drawn record back, in every pool that lists it.
   *
   * @throws RollmillError `pool.full` (it has its initial quantity), `pool.unknown-id`, `pool.infinite`,
   * `argument.busy`.
   */
  return(id: RecordId): void {
    const { drawing, stock } = this.#host;
    const { root, path } = this.#node;
    drawing.refuseBusy();
    const record = this.#record(id);
    const quantity = stock.quantity(root, record);
    if (quantity >= root.initial.at(record)) {
      const problem = `record ${JSON.stringify(id)} has its initial quantity already`;
      refuse("pool.full", path, { problem, got: quantity, remedy: "Return only records that were drawn" });
    }
    stock.setQuantity(root, record, quantity + 1);
  }

  /**
   * Sets the quantities of the pool's own records back to their initial ones, in every pool that lists them, whatever
   * is left. Cost: O(records), and O(records) of each pool that shares some.
   *
   * @throws RollmillError `pool.infinite`, `argument.busy`.
   */
  restock(): void {
    this.#host.drawing.refuseBusy();
    this.#checkFinite();
    this.#host.stock.refresh(this.#node);
  }

  /** The number of a finite root's record that this pool lists. */
  #record(id: RecordId): number {
    const { root, path } = this.#node;
    const record = root.numbers.get(id);
    if (record === undefined || !this.#node.lists(record)) {
      const problem = `pool ${path} does not list this record`;
      return refuse("pool.unknown-id", path, { problem, got: id, ...root.suggest(id) });
    }
    this.#checkFinite();
    return record;
  }

  #checkFinite(): void {
    if (this.kind === "finite") return;
    const { path } = this.#node;
    const expected = "a finite pool";
    refuse("pool.infinite", path, { problem: "an infinite pool has no quantities", got: path, expected });
  }

  /** Checks options; a finite pool takes no indices. */
  #checkOptions(call: string, options: object, known: readonly string[]): void {
    if (this.kind === "infinite") checkOptions(`pool.${call}`, options, known);
    else checkOptions(`pool.${call} of a finite pool`, options, known.filter(isNoIndex));
  }
}

function isNoIndex(option: string): boolean {
  return option !== "at" && option !== "from";
}
