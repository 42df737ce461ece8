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
import { show } from "../errors/index.js";
import { BATCH_RESULTS } from "../kernel/index.js";
import { readOptions } from "../spec/index.js";
import type { Drawing, DrawRange } from "./drawing.js";
import type { Node } from "./registry/node.js";
import { refuse } from "./resolve.js";
import type { Stock } from "./stock.js";
import type { DrawManyOptions, DrawOptions, ListedRecord, PoolKind, RecordId } from "./types.js";

/** The parts of a family that its handles use. */
interface PoolHost {
  readonly stock: Stock;
  readonly drawing: Drawing;
  /** Returns the handle of a pool: always the same object for the same pool. */
  poolOf(node: Node): Pool;
}

/** The results of several draws from one pool, in order. `at` and iteration return ids. */
export class PoolDraws<Id extends RecordId = RecordId> extends Columns<Id> {
  /** For each draw, the record as an index into {@link Pool.recordIds}. */
  readonly records: Uint32Array<ArrayBuffer>;
  /** How often the pool was refreshed: before the first draw, or between two draws. */
  readonly refreshed: number;
  readonly #ids: readonly Id[];

  /** @internal */
  constructor(
    { from, ids }: { readonly from: number; readonly ids: readonly Id[] },
    { records, refreshed }: { readonly records: Uint32Array<ArrayBuffer>; readonly refreshed: number },
  ) {
    super({ length: records.length, from });
    this.records = records;
    this.refreshed = refreshed;
    this.#ids = ids;
  }

  /** Builds result k. The caller has checked k. */
  protected override compose(k: number): Id {
    return this.#ids[this.records[k]];
  }
}

/**
 * A handle to one pool of a family. Its properties show the current state of the pool.
 *
 * A draw from a finite pool returns each record with the exact probability quantity × mass / total. Then the quantity
 * of the record falls by 1, in every pool that lists it. An infinite pool has no quantities: the probability is mass /
 * total.
 *
 * All pools of a family share one sequence of draws: draw n reads random word n of the family's name. A draw from a
 * finite pool depends on the draws before it, so `at` and `from` are refused. An infinite pool accepts `at` and `from`.
 *
 * Cost: one random word for each draw. A draw from a finite pool of n records visits log₁₆ n nodes of a tree. It then
 * updates log₁₆ n nodes for each pool that lists the record. A draw from an infinite pool is one load.
 */
export class Pool<Id extends RecordId = RecordId> {
  readonly #host: PoolHost;
  readonly #node: Node;

  /** @internal */
  constructor(host: PoolHost, node: Node) {
    this.#host = host;
    this.#node = node;
  }

  /**
   * @internal Returns true for a pool of this package. Returns false for a proxy, and for an object that only inherits
   * from a pool.
   */
  static isOne(value: unknown): value is Pool {
    return typeof value === "object" && value !== null && #node in value;
  }

  /** `finite`: each draw lowers the quantity of the drawn record. `infinite`: records have no quantities. */
  get kind(): PoolKind {
    return this.#node.root.kind;
  }

  /**
   * The path of the pool, such as `i.common.weapon`. A subpool without a name has its number in the path: `i.common.1`.
   */
  get path(): string {
    return this.#node.path;
  }

  /** The last part of {@link path}. */
  get name(): string {
    return this.#node.name;
  }

  /** The pool one level above this pool; undefined for a root. */
  get parent(): Pool<Id> | undefined {
    const { parent } = this.#node;
    return parent === undefined ? undefined : (this.#host.poolOf(parent) as Pool<Id>);
  }

  /** The subpools one level below this pool, in order of registration. */
  get subpools(): readonly Pool<Id>[] {
    return [...this.#node.children.values()].map((child) => this.#host.poolOf(child) as Pool<Id>);
  }

  /** Number of records that the pool lists. */
  get size(): number {
    return this.#node.size;
  }

  /** The listed records, in list order. Cost: O(records). */
  get records(): readonly ListedRecord<Id>[] {
    const { records, masses, root } = this.#node;
    const listed = (record: number, i: number) => ({ id: root.ids[record] as Id, mass: masses[i] });
    if (root.kind === "infinite") return Array.from(records, listed);
    this.#host.drawing.checkAlive();
    const quantities = this.#host.stock.quantities(this.#node);
    return Array.from(records, (record, i) => ({ ...listed(record, i), quantity: quantities[i] }));
  }

  /**
   * The total weight: Σ mass × quantity of the listed records. In an infinite pool: Σ mass. A pool with the total 0 is
   * exhausted.
   */
  get total(): number {
    this.#host.drawing.checkAlive();
    return this.#host.stock.total(this.#node) / 10 ** (this.#node.scaled()?.decimals ?? 0);
  }

  /**
   * Returns a copy of the list of all record ids in the root. The numbers that {@link drawInto} writes are indices into
   * this list. Cost: O(records of the root).
   */
  recordIds(): readonly Id[] {
    return [...this.#ids];
  }

  /**
   * Draws one record and returns its id. In a finite pool, the quantity of the record falls by 1. An exhausted pool is
   * refreshed before the draw: all records of the pool get their initial quantities again. Other pools that list these
   * records change too.
   *
   * @throws RollmillError `pool.empty`, `pool.weightless` (nothing can ever be drawn), `argument.option` (also for `at`
   * with a finite pool), `argument.range`, `argument.busy`, `argument.disposed`.
   */
  draw(options?: DrawOptions): Id {
    if (options === undefined) return this.#host.drawing.one(this.#node) as Id;
    this.#host.drawing.checkTurn();
    return this.#host.drawing.one(this.#node, this.#readOptions("draw", options, ["at"]).at) as Id;
  }

  /**
   * Makes `n` draws. If the call fails, the stock is as before the call.
   *
   * @param n - 0 … 2^30.
   * @throws The errors of {@link draw}; `argument.type`, `argument.callback`, `kernel.memory`.
   */
  drawMany(n: number, given: DrawManyOptions = {}): PoolDraws<Id> {
    return this.#bulk(
      "drawMany",
      given,
      () => n,
      (range, options) => {
        const records = allocateResults(n, 4, (length) => new Uint32Array(length));
        const refreshed = this.#host.drawing.draw(records, range, options);
        return new PoolDraws({ from: range.from, ids: this.#ids }, { records, refreshed });
      },
    );
  }

  /**
   * Fills `out` with draws and returns `out`. Each number is an index into {@link recordIds}. If the call fails, the
   * stock and `out` are as before the call.
   *
   * @throws The errors of {@link drawMany}.
   */
  drawInto<Out extends Uint32Array>(out: Out, given: DrawManyOptions = {}): Out {
    return this.#bulk(
      "drawInto",
      given,
      () => checkArray(out, ["Uint32Array"]),
      (range, options) => {
        // A call with only one batch copies this batch to `out` when all its draws are made. So even a trap of the
        // kernel leaves `out` unchanged.
        const canFail = isWatched(options) || range.total > BATCH_RESULTS;
        return fillArray(out, canFail, (room) => this.#host.drawing.draw(room, range, options));
      },
    );
  }

  /**
   * Makes `n` draws and counts how often each record was drawn. Stores no list of draws. The draws are real: in a
   * finite pool, quantities fall.
   *
   * @param n - 0 … 2^42 − 1.
   * @throws The errors of {@link drawMany}.
   */
  count(n: number, given: DrawManyOptions = {}): Counts<Id> {
    return this.#bulk(
      "count",
      given,
      () => n,
      (range, options) => {
        const { records } = this.#node;
        const totals = this.#host.drawing.count(range, options);
        const counts = new Map(Array.from(records, (record) => [this.#ids[record], totals[record]]));
        return { total: n, none: 0, counts };
      },
    );
  }

  /**
   * Returns the exact odds of the next draw from this pool, in list order. `none` is 0. If the pool is exhausted, these
   * are the odds after the refresh.
   *
   * @throws RollmillError `pool.empty`, `pool.weightless`.
   */
  odds(): Odds<Id> {
    this.#host.drawing.checkAlive();
    return this.#host.stock.odds(this.#node) as Odds<Id>;
  }

  /**
   * Returns the record that the next draw would return if it came from this pool. Changes neither the stock nor the
   * index of the next draw.
   *
   * Cost: one draw, and O(records) if the pool is exhausted.
   *
   * @throws The errors of {@link draw}.
   */
  peek(): Id {
    return this.#host.drawing.peek(this.#node) as Id;
  }

  /**
   * Returns the current quantity of a record. All pools of the root share this quantity.
   *
   * @throws RollmillError `pool.unknown-id` (this pool does not list the record), `pool.infinite`.
   */
  quantity(id: Id): number {
    this.#host.drawing.checkAlive();
    return this.#host.stock.quantity(this.#node.root, this.#record(id));
  }

  /**
   * Puts a drawn record back: its quantity rises by 1 in every pool that lists it.
   *
   * @throws RollmillError `pool.full` (the record has its initial quantity), `pool.unknown-id`, `pool.infinite`,
   * `argument.busy`.
   */
  return(id: Id): void {
    const { drawing, stock } = this.#host;
    const { root, path } = this.#node;
    drawing.checkTurn();
    const record = this.#record(id);
    const quantity = stock.quantity(root, record);
    if (quantity >= root.initial.at(record)) {
      const problem = `record ${show(id)} cannot be returned: its quantity is already ${quantity}, the initial quantity`;
      refuse("pool.full", path, { problem, remedy: "Return only records that were drawn" });
    }
    stock.setQuantity(root, record, quantity + 1);
  }

  /**
   * Resets all records of this pool to their initial quantities, even if the pool is not exhausted. Other pools that
   * list one of these records change too. Cost: O(records) of this pool, plus O(records) of each changed pool.
   *
   * @throws RollmillError `pool.infinite`, `argument.busy`.
   */
  restock(): void {
    this.#host.drawing.checkTurn();
    this.#checkFinite();
    this.#host.stock.refresh(this.#node);
  }

  /** The ids of the root. The cast is safe: the root has no other ids, as long as the family registers none. */
  get #ids(): readonly Id[] {
    return this.#node.root.ids as readonly Id[];
  }

  /** Returns the index of a record in the root. Throws if this pool is infinite, or does not list the record. */
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

  /** Reads the options of a call. Throws for `at` or `from` if the pool is finite. */
  #readOptions<Options extends object>(call: string, options: Options, known: readonly string[]): Options {
    if (this.kind === "infinite") return readOptions(`pool.${call}`, options, known);
    return readOptions(`pool.${call} of a finite pool`, options, known.filter(isNoIndex));
  }
}

function isNoIndex(option: string): boolean {
  return option !== "at" && option !== "from";
}
