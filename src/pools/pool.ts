import {
  allocateResults,
  BULK_OPTIONS,
  Columns,
  type Counts,
  checkArray,
  fillArray,
  isWatched,
  type Odds,
  type Setup,
} from "../calls/index.js";
import { show } from "../errors/index.js";
import { BATCH_RESULTS } from "../kernel/index.js";
import { checkInteger, readOptions, refuseArgument } from "../spec/index.js";
import type { DrawRange, FamilyState } from "./familyState.js";
import { refuse } from "./path.js";
import type { Node } from "./registry/node.js";
import { Union } from "./registry/registry.js";
import {
  type CopyPlace,
  type DrawManyOptions,
  type DrawOptions,
  type GainOptions,
  type ListedRecord,
  MAX_U32,
  type PoolKind,
  type RecordId,
  type RemoveOptions,
} from "./types.js";

const PLACES: Readonly<Record<CopyPlace, string>> = {
  stock: "in the stock",
  discards: "among the discards",
  out: "out (drawn and not returned)",
};

interface PoolHost {
  readonly state: FamilyState;
  readonly family: { next: number } & Pick<Setup<unknown>, "kernel" | "name" | "stream">;
  /** Returns the handle of a pool: the same object in every call. */
  readonly poolOf: (node: Node) => Pool;
}

/** The results of several draws, in order. `at` and iteration return ids. */
export class PoolDraws<Id extends RecordId = RecordId> extends Columns<Id> {
  /** For each draw, the record as an index into {@link Pool.recordIds}. */
  readonly records: Uint32Array<ArrayBuffer>;
  /** How often the pool was refreshed while these draws were made. */
  readonly refreshed: number;
  readonly #ids: readonly Id[];

  /** @internal */
  constructor(draws: Pick<PoolDraws<Id>, "from" | "records" | "refreshed"> & { readonly ids: readonly Id[] }) {
    super({ length: draws.records.length, from: draws.from });
    this.records = draws.records;
    this.refreshed = draws.refreshed;
    this.#ids = draws.ids;
  }

  /** @internal */
  protected override compose(k: number): Id {
    return this.#ids[this.records[k]];
  }
}

/**
 * A handle to one pool of a family. Its properties show the current state of the pool.
 *
 * A path with stars, such as `i.*.weapon`, names the union of all matching pools: one list with all their records.
 * The mass of a record is the sum of its masses in these pools. Pools that are registered later join the union. The
 * first draw after the union is opened, or after a registration, costs O(records of all pools).
 *
 * A draw from a finite pool returns each record with the exact probability quantity × mass / total, and lowers the
 * quantity by 1 in every pool that lists the record. In an infinite pool, the probability is mass / total. All pools of
 * a family share one sequence of draws: draw n reads random word n of the family. A draw from a finite pool depends on
 * the draws before it, so only an infinite pool accepts `at` and `from`.
 *
 * Cost: a draw from a finite pool of n records visits log₁₆ n nodes of a tree, and updates log₁₆ n nodes for each pool
 * that lists the record. A draw from an infinite pool is one load.
 */
export class Pool<Id extends RecordId = RecordId> {
  readonly #host: PoolHost;
  readonly #state: FamilyState;
  #found: Node;

  /** @internal */
  constructor(host: PoolHost, node: Node) {
    this.#host = host;
    this.#state = host.state;
    this.#found = node;
  }

  // not a getter: V8 11.3 calls its runtime for each private getter
  #node(): Node {
    const found = this.#found;
    if (found.isStale && found instanceof Union) this.#found = this.#state.registry.union(found.root, found.pattern);
    return this.#found;
  }

  /** `finite` if each draw lowers the quantity of the drawn record, else `infinite`. */
  get kind(): PoolKind {
    return this.#node().root.kind;
  }

  /** The path, such as `i.common.weapon`. A subpool without a name has its number in the path: `i.common.1`. */
  get path(): string {
    return this.#node().path;
  }

  /** The last part of {@link path}. */
  get name(): string {
    return this.#node().name;
  }

  /** The pool one level above this pool; undefined for a root and for a path with stars. */
  get parent(): Pool<Id> | undefined {
    const { parent } = this.#node();
    return parent === undefined ? undefined : (this.#host.poolOf(parent) as Pool<Id>);
  }

  /** The direct subpools, in order of registration. For a path with stars: the matching pools. */
  get subpools(): readonly Pool<Id>[] {
    return [...this.#node().children.values()].map((child) => this.#host.poolOf(child) as Pool<Id>);
  }

  /** Index of the next draw from any pool of the family: the same as {@link PoolFamily.next}. */
  get next(): number {
    return this.#host.family.next;
  }

  set next(index: number) {
    this.#host.family.next = index;
  }

  /** @internal The family, whose random words the pool reads. */
  get family(): PoolHost["family"] {
    return this.#host.family;
  }

  /** @internal Returns the integers that decide the next draw, in list order. */
  weights(): readonly bigint[] {
    this.#state.checkAlive();
    return this.#state.weights(this.#node());
  }

  /** Number of records that the pool lists. */
  get size(): number {
    return this.#node().size;
  }

  /** The listed records, in list order. Cost: O(records). */
  get records(): readonly ListedRecord<Id>[] {
    const node = this.#node();
    const { records, root } = node;
    const masses = node.exactMasses();
    const listed = (record: number, i: number) => ({ id: root.ids[record] as Id, mass: masses[i] });
    if (root.kind === "infinite") return Array.from(records, listed);
    this.#state.checkAlive();
    const quantities = this.#state.quantities(node);
    return Array.from(records, (record, i) => ({ ...listed(record, i), quantity: quantities[i] }));
  }

  /** Σ mass × quantity of the listed records; in an infinite pool, Σ mass. A pool with the total 0 is exhausted. */
  get total(): number {
    this.#state.checkAlive();
    return this.#state.total(this.#node()) / (this.#node().scaled()?.scale ?? 1);
  }

  /**
   * Returns all record ids of the root. {@link drawInto} writes indices into this list. Cost: O(records of the root).
   */
  recordIds(): readonly Id[] {
    return [...this.#ids];
  }

  /**
   * Draws one record and returns its id. Before the draw, an exhausted pool is refreshed: all its records get their
   * initial quantities again, in every pool that lists them.
   *
   * @throws RollmillError `pool.empty`, `pool.weightless` (nothing can ever be drawn), `pool.exhausted` (the root has
   * `refill: false`), `argument.option` (also for `at` with a finite pool), `argument.range`, `argument.busy`,
   * `argument.disposed`.
   */
  draw(options?: DrawOptions): Id {
    if (options === undefined) return this.#state.one(this.#node()) as Id;
    this.#state.checkTurn();
    return this.#state.one(this.#node(), this.#readOptions("draw", options, ["at"]).at) as Id;
  }

  /**
   * Makes `n` draws, fewer if the pool cannot refill. If the call fails, the stock is as before.
   *
   * @param n - 0 … 2^30.
   * @throws The errors of {@link draw}; `argument.type`, `argument.callback`, `kernel.memory`.
   */
  drawMany(n: number, given: DrawManyOptions = {}): PoolDraws<Id> {
    return this.#bulk("drawMany", given, n, (range, options) => {
      const records = allocateResults(range.total, 4, (length) => new Uint32Array(length));
      const refreshed = this.#state.draw(records, range, options);
      return new PoolDraws({ from: range.from, ids: this.#ids, records, refreshed });
    });
  }

  /**
   * Fills `out` with draws, as indices into {@link recordIds}. Returns `out`. If the root has `refill: false` and too
   * few copies, returns a view of the filled part of `out`. A failed call changes neither the stock nor `out`.
   *
   * @throws The errors of {@link drawMany}.
   */
  drawInto<Out extends Uint32Array>(out: Out, given: DrawManyOptions = {}): Out {
    this.#state.checkTurn();
    return this.#bulk("drawInto", given, checkArray(out, ["Uint32Array"]), (range, options) => {
      // a call with only one batch writes to `out` after all its draws are made, so it can only fail before it writes
      const canFail = isWatched(options) || range.total > BATCH_RESULTS;
      // the cast is safe: a part of a Uint32Array is a Uint32Array
      const filled = range.total === out.length ? out : (out.subarray(0, range.total) as Out);
      return fillArray(filled, canFail, (room) => this.#state.draw(room, range, options));
    });
  }

  /**
   * Makes `n` draws and counts how often each record was drawn. In a finite pool, quantities fall. If the root has
   * `refill: false`, `total` may be less than n.
   *
   * @param n - 0 … 2^42 − 1.
   * @throws The errors of {@link drawMany}.
   */
  count(n: number, given: DrawManyOptions = {}): Counts<Id> {
    return this.#bulk("count", given, n, (range, options) => {
      const totals = this.#state.count(range, options);
      const counts = new Map(Array.from(this.#node().records, (record) => [this.#ids[record], totals[record]]));
      return { total: range.total, none: 0, counts };
    });
  }

  /**
   * Returns the exact odds of the next draw, in list order. For an exhausted pool, these are the odds after a refresh.
   *
   * @throws RollmillError `pool.empty`, `pool.weightless`, `pool.exhausted`.
   */
  odds(): Odds<Id> {
    this.#state.checkAlive();
    return this.#state.odds(this.#node()) as Odds<Id>;
  }

  /**
   * Returns the record that the next draw would return. Cost: one draw, and O(records) if the pool is exhausted.
   *
   * @throws The errors of {@link draw}.
   */
  peek(): Id {
    return this.#state.peek(this.#node()) as Id;
  }

  /**
   * Returns the number of a record's copies in a place, by default in the stock. All pools of the root share it.
   *
   * @throws RollmillError `pool.unknown-id` (this pool does not list the record), `pool.infinite`, `argument.type`.
   */
  quantity(id: Id, place: CopyPlace = "stock"): number {
    this.#state.checkAlive();
    checkPlace("place", place);
    return this.#state.copies(this.#node().root, this.#record(id), place);
  }

  /**
   * Puts a drawn record back: its quantity rises by 1 in every pool that lists it.
   *
   * @throws RollmillError `pool.full` (no copy is out), `pool.unknown-id`, `pool.infinite`, `argument.busy`.
   */
  return(id: Id): void {
    const [{ root }, record] = this.#holding(id, "out", 1);
    this.#state.putBack(root, record, 1);
  }

  /**
   * Discards a drawn record: no draw returns it until {@link reshuffle}, {@link restock} or a refill puts it back.
   *
   * @throws The errors of {@link return}.
   */
  discard(id: Id): void {
    const [{ root }, record] = this.#holding(id, "out", 1);
    root.discard(record, 1);
  }

  /**
   * Puts all discards of this pool back into the stock. Copies that are out stay out. Cost: O(discarded records).
   *
   * @throws RollmillError `pool.infinite`, `argument.busy`.
   */
  reshuffle(): void {
    this.#state.checkTurn();
    this.#checkFinite();
    const node = this.#node();
    for (const [record, copies] of node.root.discards) {
      if (!node.lists(record)) continue;
      this.#state.putBack(node.root, record, copies);
      node.root.discards.delete(record);
    }
  }

  /**
   * Adds new copies of a record for good: its initial quantity rises. Cost: the next draw builds the family in the
   * kernel again, O(records of all pools). If the call throws, nothing changes.
   *
   * @throws RollmillError `pool.unknown-id`, `pool.infinite`, `pool.total`, `argument.option`, `argument.range`,
   * `argument.busy`.
   */
  gain(id: Id, options: GainOptions = {}): void {
    const { to = "stock", copies = 1 } = readOptions("pool.gain", options, ["to", "copies"]);
    this.#change(id, to, copies, 1);
  }

  /**
   * Removes copies of a record for good: its initial quantity falls. `removeRecord` removes the record itself.
   *
   * @throws The errors of {@link gain}, and RollmillError `pool.full` (the place has fewer copies).
   */
  remove(id: Id, options: RemoveOptions = {}): void {
    const { from = "out", copies = 1 } = readOptions("pool.remove", options, ["from", "copies"]);
    this.#change(id, from, copies, -1);
  }

  /** Adds copies to a place (sign 1), or removes copies from it (sign −1). */
  #change(id: RecordId, place: CopyPlace, copies: number, sign: 1 | -1): void {
    checkPlace(sign > 0 ? "to" : "from", place);
    checkInteger("copies", copies, 1, MAX_U32);
    const [{ root }, record] = this.#holding(id, place, sign > 0 ? 0 : copies);
    const left = this.#state.quantity(root, record);
    this.#state.changing();
    this.#state.registry.setCopies(root, record, {
      initial: root.initial.at(record) + sign * copies,
      left: place === "stock" ? left + sign * copies : left,
    });
    if (place === "discards") root.discard(record, sign * copies);
  }

  /** Checks that a call may change the stock, and that a place has enough copies of a record. */
  #holding(id: RecordId, place: CopyPlace, least: number): readonly [node: Node, record: number] {
    this.#state.checkTurn();
    const [node, record] = [this.#node(), this.#record(id)];
    const copies = this.#state.copies(node.root, record, place);
    if (copies >= least) return [node, record];
    const problem = `too few copies of record ${show(id)} are ${PLACES[place]}`;
    const remedy = "Return, discard or remove at most as many copies as `quantity(id, place)` returns";
    return refuse("pool.full", node.path, { problem, got: copies, expected: `at least ${least}`, remedy });
  }

  /**
   * Resets all records of this pool to their initial quantities, in every pool that lists them. Takes back discards and
   * copies that are out. Cost: O(records) of each changed pool.
   *
   * @throws RollmillError `pool.infinite`, `argument.busy`.
   */
  restock(): void {
    this.#state.checkTurn();
    this.#checkFinite();
    this.#state.refresh(this.#node());
  }

  /** The cast is safe as long as the user registers only ids of the type `Id`. */
  get #ids(): readonly Id[] {
    return this.#node().root.ids as readonly Id[];
  }

  #record(id: RecordId): number {
    const { root, path } = this.#node();
    const record = root.numbers.get(id);
    if (record === undefined || !this.#node().lists(record)) {
      const problem = `pool ${path} does not list this record`;
      return refuse("pool.unknown-id", path, { problem, got: id, ...root.suggest(id) });
    }
    this.#checkFinite();
    return record;
  }

  #checkFinite(): void {
    if (this.kind === "finite") return;
    const { path } = this.#node();
    const remedy = "Use a finite pool";
    refuse("pool.infinite", path, { problem: `pool ${path} is infinite, so it has no quantities`, remedy });
  }

  #bulk<T>(
    call: string,
    given: DrawManyOptions,
    n: number,
    make: (range: DrawRange, options: DrawManyOptions) => T,
  ): T {
    return this.#state.bulk(this.#node(), () => this.#readOptions(call, given, BULK_OPTIONS), n, make);
  }

  #readOptions<Options extends object>(call: string, options: Options, known: readonly string[]): Options {
    if (this.kind === "infinite") return readOptions(`pool.${call}`, options, known);
    const allowed = known.filter((option) => option !== "at" && option !== "from");
    return readOptions(`pool.${call} of a finite pool`, options, allowed);
  }
}

function checkPlace(name: string, place: unknown): void {
  if (typeof place === "string" && Object.hasOwn(PLACES, place)) return;
  refuseArgument(name, place, Object.keys(PLACES).join(", "));
}
