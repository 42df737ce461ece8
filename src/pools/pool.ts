import {
  allocateResults,
  BULK_OPTIONS,
  Columns,
  type Counts,
  checkArray,
  fillArray,
  isWatched,
  type Odds,
} from "../calls/index.js";
import { BATCH_RESULTS } from "../kernel/index.js";
import { readOptions } from "../spec/index.js";
import type { Drawing, DrawRange } from "./drawing.js";
import type { Node } from "./registry/node.js";
import { refuse } from "./resolve.js";
import type { Stock } from "./stock.js";
import type { DrawManyOptions, DrawOptions, ListedRecord, PoolKind, RecordId } from "./types.js";

/** The parts of a family that a handle uses. */
interface PoolHost {
  readonly stock: Stock;
  readonly drawing: Drawing;
  /** Returns the handle of a pool. Every call for the same pool returns the same object. */
  poolOf(node: Node): Pool;
}

/** Draws from one pool, in the order in which they were made. Iteration and `at` give ids. */
export class PoolDraws extends Columns<RecordId> {
  /** The record of each draw, as an index into {@link Pool.recordIds}. */
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
 * A handle to one pool of a family. Its properties show the current state of the pool. A draw selects a record with the
 * exact probability quantity × mass / total. The quantity of the record then falls by 1 in every pool that lists it. An
 * infinite pool has no quantities: only the masses decide.
 *
 * All pools of a family share one sequence of draws: draw n reads random word n of the family's name. A draw from a
 * finite pool depends on the draws before it, so its calls take no `at` and `from`. The calls of an infinite pool take
 * both.
 *
 * Cost: one random word for each draw. A draw from a finite pool of n records searches log₁₆ n nodes of a tree, and
 * updates as many nodes for each pool that lists the record. A draw from an infinite pool is one load.
 */
export class Pool {
  readonly #host: PoolHost;
  readonly #node: Node;

  /** @internal */
  constructor(host: PoolHost, node: Node) {
    this.#host = host;
    this.#node = node;
  }

  /** @internal Whether a value is a pool of this package. A proxy, or an object that inherits from one, is not. */
  static isOne(value: unknown): value is Pool {
    return typeof value === "object" && value !== null && #node in value;
  }

  /** `finite`: each draw lowers the quantity of its record. `infinite`: records have no quantities. */
  get kind(): PoolKind {
    return this.#node.root.kind;
  }

  /** The path of the pool, such as `i.common.weapon`. An unnamed subpool has its number in place of a name. */
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

  /** The subpools one level below this pool, in order of registration. */
  get subpools(): readonly Pool[] {
    return [...this.#node.children.values()].map((child) => this.#host.poolOf(child));
  }

  /** Number of records that the pool lists. */
  get size(): number {
    return this.#node.size;
  }

  /** Its records in list order. Cost: O(records). */
  get records(): readonly ListedRecord[] {
    const { records, masses, root } = this.#node;
    const listed = (record: number, i: number) => ({ id: root.ids[record], mass: masses[i] });
    if (root.kind === "infinite") return Array.from(records, listed);
    this.#host.drawing.checkAlive();
    const quantities = this.#host.stock.quantities(this.#node);
    return Array.from(records, (record, i) => ({ ...listed(record, i), quantity: quantities[i] }));
  }

  /** Σ mass × quantity of its records (Σ mass if it is infinite). 0 means that the pool is exhausted. */
  get total(): number {
    this.#host.drawing.checkAlive();
    return this.#host.stock.total(this.#node) / 10 ** (this.#node.scaled()?.decimals ?? 0);
  }

  /**
   * Returns a copy of the ids of all records of the root. The numbers that {@link drawInto} writes are indices into
   * this list. Cost: O(records of the root).
   */
  recordIds(): readonly RecordId[] {
    return [...this.#node.root.ids];
  }

  /**
   * Draws a record. In a finite pool, its quantity falls by 1. An exhausted pool is refreshed first: the records that
   * it lists get their initial quantities again, in every pool that lists them.
   *
   * @throws RollmillError `pool.empty`, `pool.weightless` (nothing can ever be drawn), `argument.option` (`at` of a
   * finite pool), `argument.range`, `argument.busy`, `argument.disposed`.
   */
  draw(options?: DrawOptions): RecordId {
    if (options === undefined) return this.#host.drawing.one(this.#node);
    this.#host.drawing.checkTurn();
    return this.#host.drawing.one(this.#node, this.#readOptions("draw", options, ["at"]).at);
  }

  /**
   * Makes `n` draws. A call that fails leaves the stock as it was.
   *
   * @param n - 0 … 2^30.
   * @throws The errors of {@link draw}; `argument.type`, `argument.callback`, `kernel.memory`.
   */
  drawMany(n: number, given: DrawManyOptions = {}): PoolDraws {
    return this.#bulk(
      "drawMany",
      given,
      () => n,
      (range, options) => {
        const records = allocateResults(n, 4, (length) => new Uint32Array(length));
        const refreshed = this.#host.drawing.draw(records, range, options);
        return new PoolDraws({ from: range.from, ids: this.#node.root.ids }, { records, refreshed });
      },
    );
  }

  /**
   * Fills `out` with draws, as indices into {@link recordIds}, and returns `out`. A call that fails leaves the stock
   * and `out` as they were.
   *
   * @throws The errors of {@link drawMany}.
   */
  drawInto<Out extends Uint32Array>(out: Out, given: DrawManyOptions = {}): Out {
    return this.#bulk(
      "drawInto",
      given,
      () => checkArray(out, ["Uint32Array"]),
      (range, options) => {
        // a trap of the kernel leaves the array as it was if there is only one batch
        const canFail = isWatched(options) || range.total > BATCH_RESULTS;
        return fillArray(out, canFail, (room) => this.#host.drawing.draw(room, range, options));
      },
    );
  }

  /**
   * Makes `n` draws and counts how often each record of the pool is drawn, without an array of draws. These are real
   * draws: in a finite pool, quantities fall.
   *
   * @param n - 0 … 2^42 − 1.
   * @throws The errors of {@link drawMany}.
   */
  count(n: number, given: DrawManyOptions = {}): Counts<RecordId> {
    return this.#bulk(
      "count",
      given,
      () => n,
      (range, options) => {
        const { root, records } = this.#node;
        const totals = this.#host.drawing.count(range, options);
        const counts = new Map(Array.from(records, (record) => [root.ids[record], totals[record]]));
        return { total: n, none: 0, counts };
      },
    );
  }

  /**
   * Returns the exact odds of the next draw from this pool, in list order; `none` is 0. For an exhausted pool, they are
   * the odds after the refresh.
   *
   * @throws RollmillError `pool.empty`, `pool.weightless`.
   */
  odds(): Odds<RecordId> {
    this.#host.drawing.checkAlive();
    return this.#host.stock.odds(this.#node);
  }

  /**
   * Returns the record that the next draw of the family would give if it drew from this pool. Changes nothing: neither
   * the stock nor the next index.
   *
   * Cost: one draw, and O(records) if the pool is exhausted.
   *
   * @throws The errors of {@link draw}.
   */
  peek(): RecordId {
    return this.#host.drawing.peek(this.#node);
  }

  /**
   * Returns the current quantity of a record. All pools of the root share it.
   *
   * @throws RollmillError `pool.unknown-id` (the pool does not list it), `pool.infinite`.
   */
  quantity(id: RecordId): number {
    this.#host.drawing.checkAlive();
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
    drawing.checkTurn();
    const record = this.#record(id);
    const quantity = stock.quantity(root, record);
    if (quantity >= root.initial.at(record)) {
      const problem = `record ${JSON.stringify(id)} cannot be returned: its quantity is its initial one, ${quantity}`;
      refuse("pool.full", path, { problem, remedy: "Return only records that were drawn" });
    }
    stock.setQuantity(root, record, quantity + 1);
  }

  /**
   * Resets the records that this pool lists to their initial quantities, in every pool that lists them, even if the
   * pool is not exhausted. Cost: O(records), and O(records) for each pool that lists some of them.
   *
   * @throws RollmillError `pool.infinite`, `argument.busy`.
   */
  restock(): void {
    this.#host.drawing.checkTurn();
    this.#checkFinite();
    this.#host.stock.refresh(this.#node);
  }

  /** Returns the index of a record in the root. Throws if this pool does not list the record or is infinite. */
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
    const remedy = "Use a finite pool";
    refuse("pool.infinite", path, { problem: `pool ${path} is infinite, so it has no quantities`, remedy });
  }

  #bulk<T>(
    call: string,
    given: DrawManyOptions,
    n: () => number,
    make: (range: DrawRange, options: DrawManyOptions) => T,
  ): T {
    return this.#host.drawing.bulk(this.#node, () => this.#readOptions(call, given, BULK_OPTIONS), n, make);
  }

  /** Reads the options of a call. A finite pool refuses `at` and `from`. */
  #readOptions<Options extends object>(call: string, options: Options, known: readonly string[]): Options {
    if (this.kind === "infinite") return readOptions(`pool.${call}`, options, known);
    return readOptions(`pool.${call} of a finite pool`, options, known.filter(isNoIndex));
  }
}

function isNoIndex(option: string): boolean {
  return option !== "at" && option !== "from";
}
