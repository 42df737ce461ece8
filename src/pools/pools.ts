import { allocateResults, checkInteger, type LongCall, MAX_INDEX } from "../calls/index.js";
import { fail, failOnErrors, type Issue } from "../errors/index.js";
import { BATCH_RESULTS } from "../kernel/index.js";
import { Draws } from "./draws.js";
import type { Family } from "./family.js";
import { checkFinite, type DrawOptions, Finder } from "./finder.js";
import type { Node } from "./node.js";
import { parseRoot, readActive } from "./parse.js";
import { FinitePool, InfinitePool, type PoolHost, type RecordOdds } from "./pool.js";
import { checkMass, checkQuantity, isId, readList, report } from "./records.js";
import { refuse, resolveRoot } from "./resolve.js";
import { type OpenEngine, Stock } from "./stock.js";
import type { ActivePart, RecordId, RecordInput, RootInput, RootState } from "./types.js";

/** What a bulk draw takes. */
export interface DrawManyOptions extends DrawOptions, LongCall {}

const NO_OPTIONS: DrawManyOptions = Object.freeze({});
const MAX_DRAWS = 2 ** 32 - 2;

/**
 * A family of pools: records in shared stock, with masses private to each pool. A record is drawn with chance
 * mass × quantity / total, error 0; its quantity then falls by 1 in every pool that lists it. Draw n of the family takes
 * random word n of its name, whichever pool it is from. While a bulk draw runs, its `onProgress` may read the family; what
 * draws, puts back, registers or takes a snapshot is refused there with `argument.busy`.
 *
 * Cost: a draw takes 15 to 60 ns for each pool that lists the record (up to 2^20 records), one from an infinite pool 1 ns in
 * bulk; after a registration the next draw lays the family out anew, O(records of all pools).
 * Source: the Pools page of Dungeon Hopper's documentation, 2020 (docs/formats.md).
 */
export class Pools {
  readonly name: string;
  readonly #family: Family;
  readonly #stock: Stock;
  readonly #draws: Draws;
  readonly #finder: Finder;
  readonly #host: PoolHost;
  readonly #views = new Map<Node, FinitePool | InfinitePool>();

  /** @internal */
  constructor(
    name: string,
    family: Family,
    { open, restored }: { readonly open: OpenEngine; readonly restored: readonly RootState[] },
  ) {
    this.name = name;
    this.#family = family;
    this.#stock = new Stock(family, open, restored);
    this.#draws = new Draws(this.#stock);
    this.#finder = new Finder(family);
    this.#host = {
      drawNow: (node) => this.#draws.getRandom(node),
      refuseEmpty: (node) => this.#stock.checkDrawable(node),
      refresh: (node) => this.#stock.refresh(node),
      refuseBusy: () => this.#draws.refuseBusy(),
      totalOf: (node) => this.#stock.total(node) / 10 ** (node.scaled()?.decimals ?? 0),
      quantitiesOf: (node) => this.#stock.quantities(node),
      viewOf: (node) => this.#view(node),
    };
  }

  /** How many draws the family has made: the index of the next one. */
  get next(): number {
    return this.#draws.next;
  }

  set next(next: number) {
    this.#draws.refuseBusy();
    this.#draws.next = next;
  }

  /** Bytes of kernel memory in use: the kernel's own and the family's, which is laid out for it as for a draw. */
  get bytes(): number {
    return this.#stock.engine.bytes;
  }

  /** The root pools' names, in order of registration. */
  get roots(): readonly string[] {
    return [...this.#family.roots.keys()];
  }

  /**
   * Adds a root pool: its records, and subpools if there are any. Cost: about 0.25 µs and 53 bytes of kernel memory for a record
   * that the root and one subpool list, its layout for the next draw included.
   *
   * @throws RollmillError `pool.*` with every error of the spec; nothing is registered then.
   */
  registerRoot(name: string, root: RootInput & { readonly kind: "finite" }): FinitePool;
  registerRoot(name: string, root: RootInput & { readonly kind: "infinite" }): InfinitePool;
  registerRoot(name: string, root: RootInput): FinitePool | InfinitePool;
  registerRoot(name: string, root: RootInput): FinitePool | InfinitePool {
    const issues: Issue[] = [];
    const spec = parseRoot({ issues }, "", root);
    failOnErrors(issues);
    if (spec === undefined) return fail(issues[0]);
    this.#changing();
    return this.#view(this.#family.registerRoot(name, spec).top);
  }

  /**
   * Adds a subpool: `e.z3`, or under every parent of a depth, now and later, `e.*.*.wall`. Records that the root does not have
   * join it, with their mass and a quantity of 1.
   *
   * @throws RollmillError `pool.unknown`, `pool.exists`, `pool.structure` (a new name under some parents only), `pool.star`,
   * `pool.active`, `pool.root`, `pool.path`, and for the records as {@link registerRoot}; nothing changes then.
   */
  registerSubpool(path: string, records: readonly RecordInput[] = []): void {
    this.#changing();
    this.#family.registerSubpool(path, (to, { kind }) => readList(to, "records", records, { kind, quantities: true }));
  }

  /**
   * Adds a record to exactly the pool that a path names, or, with stars, to all that it matches, now and later. An id that the
   * root does not have joins it with this mass and quantity.
   *
   * @param mass - its mass there; 1 where it is left out.
   * @throws RollmillError `pool.unknown`, `pool.duplicate`, `pool.root`, `pool.active`, `pool.path`, `pool.record`,
   * `pool.mass`, `pool.quantity`, `pool.total`; nothing changes then.
   */
  addToSubpool(path: string, id: RecordId, mass = 1, { quantity }: { readonly quantity?: number } = {}): void {
    this.#changing();
    this.#family.addToSubpool(path, (to, { kind }) => {
      if (!isId(id)) report(to, "pool.record", path, { problem: "a record's id is not usable", got: id, expected: ID });
      checkMass(to, path, mass);
      checkQuantity(to, path, quantity);
      if (quantity !== undefined && kind === "infinite") {
        report(to, "pool.quantity", path, { problem: "an infinite pool has no quantities", got: quantity });
      }
      const ids = [typeof id === "number" ? id + 0 : id];
      const quantities = Float64Array.of(quantity ?? Number.NaN);
      return { path: "records", ids, masses: Float64Array.of(mass), quantities };
    });
  }

  /**
   * Sets what `~` stands for at each depth of a root: names, or numbers from 1. An empty list sets nothing.
   *
   * @throws RollmillError `pool.unknown`, `pool.active`.
   */
  setActive(root: string, parts: readonly ActivePart[]): void {
    const issues: Issue[] = [];
    const active = readActive({ issues }, root, parts);
    failOnErrors(issues);
    this.#family.setActive(root, active);
    this.#finder.forget();
  }

  /** A view of the one pool that a path names. */
  pool(path: string, { active }: DrawOptions = NO_OPTIONS): FinitePool | InfinitePool {
    return this.#view(this.#finder.node(path, active));
  }

  /**
   * Draws a record and takes it. An exhausted pool is refreshed first: its own records go back to their initial quantities.
   *
   * @throws RollmillError `pool.unknown`, `pool.star`, `pool.active`, `pool.path`; `pool.empty` and `pool.weightless` where
   * nothing can ever be drawn.
   */
  drawFromPool(path: string, { active }: DrawOptions = NO_OPTIONS): RecordId {
    return this.#draws.one(this.#finder.node(path, active));
  }

  /**
   * `count` draws, as ids.
   *
   * @throws RollmillError as {@link drawFromPool}; `argument.range`.
   */
  drawMany(path: string, count: number, options: DrawManyOptions = NO_OPTIONS): RecordId[] {
    checkInteger("the number of draws", count, 0, MAX_DRAWS);
    const { ids } = this.#finder.node(path, options.active).root;
    const out = allocateResults(count, (n) => new Uint32Array(n));
    this.drawInto(out, path, options);
    return Array.from(out, (record) => ids[record]);
  }

  /**
   * Fills `out` with draws, as numbers of the root's records: {@link recordIds} has their ids. A call that fails takes nothing
   * and leaves `out` as it was.
   *
   * @returns how often the pool was refreshed on the way.
   * @throws RollmillError as {@link drawFromPool}.
   */
  drawInto(out: Uint32Array, path: string, options: DrawManyOptions = NO_OPTIONS): number {
    const node = this.#finder.node(path, options.active);
    if (out.length <= BATCH_RESULTS && options.onProgress === undefined) return this.#draws.draw(node, out, options);
    const numbers = new Uint32Array(out.length);
    const refreshed = this.#draws.draw(node, numbers, options);
    out.set(numbers);
    return refreshed;
  }

  /**
   * `count` draws, counted by id with no array in between: how often each record of the pool came, 0 included, in list order.
   *
   * @throws RollmillError as {@link drawFromPool}; `argument.range`.
   */
  count(path: string, count: number, options: DrawManyOptions = NO_OPTIONS): Map<RecordId, number> {
    checkInteger("the number of draws", count, 0, MAX_INDEX);
    const node = this.#finder.node(path, options.active);
    const { root, records } = node;
    const totals = this.#draws.count(node, count, options);
    return new Map(Array.from(records, (record) => [root.ids[record], totals[record]]));
  }

  /** The ids of a root's records by their numbers, which {@link drawInto} writes. */
  recordIds(root: string): readonly RecordId[] {
    return [...resolveRoot(this.#family.roots, root, root).ids];
  }

  /**
   * How many of a record are left, in every pool that lists it.
   *
   * @throws RollmillError `pool.unknown`, `pool.unknown-id`, `pool.infinite`.
   */
  quantity(root: string, id: RecordId): number {
    const { root: at, record } = this.#finder.record(root, id);
    return this.#stock.quantity(at, record);
  }

  /**
   * The exact chance of each record of a pool in the next draw from it, in list order: after the refresh, where the pool is
   * exhausted and the draw would refresh it.
   *
   * @throws RollmillError as {@link drawFromPool}.
   */
  odds(path: string, { active }: DrawOptions = NO_OPTIONS): RecordOdds[] {
    return this.#stock.odds(this.#finder.node(path, active));
  }

  /**
   * What the next draw would be if it were from this pool; nothing is taken, refreshed or counted. Cost: O(records) where the
   * pool is exhausted.
   *
   * @throws RollmillError as {@link drawFromPool}.
   */
  peek(path: string, { active }: DrawOptions = NO_OPTIONS): RecordId {
    return this.#draws.peek(this.#finder.node(path, active));
  }

  /**
   * Puts a drawn record back.
   *
   * @throws RollmillError `pool.full` where none of it is out; `pool.unknown`, `pool.unknown-id`, `pool.infinite`.
   */
  return(root: string, id: RecordId): void {
    this.#draws.refuseBusy();
    const { root: at, record } = this.#finder.record(root, id);
    const quantity = this.#stock.quantity(at, record);
    if (quantity >= at.initial.at(record)) {
      const problem = `record ${JSON.stringify(id)} of root ${root} has all of its initial quantity`;
      refuse("pool.full", root, { problem, got: quantity, remedy: "Return only what was drawn" });
    }
    this.#stock.setQuantity(at, record, quantity + 1);
  }

  /**
   * Brings the records of a pool back to their initial quantities, whatever is left; without a path, those of every finite
   * root.
   *
   * @throws RollmillError as {@link pool}; `pool.infinite`.
   */
  restock(path?: string): void {
    this.#draws.refuseBusy();
    if (path !== undefined) {
      const node = this.#finder.node(path, undefined);
      checkFinite(node.root, path);
      this.#stock.refresh(node);
      return;
    }
    for (const { kind, top } of this.#family.roots.values()) if (kind === "finite") this.#stock.refresh(top);
  }

  /** @internal What a snapshot holds besides {@link next}. */
  state(): readonly RootState[] {
    this.#draws.refuseBusy();
    return this.#stock.state();
  }

  #changing(): void {
    this.#draws.refuseBusy();
    this.#stock.release();
    this.#finder.forget();
  }

  #view(node: Node): FinitePool | InfinitePool {
    const Kind = node.root.kind === "finite" ? FinitePool : InfinitePool;
    const view = this.#views.get(node) ?? new Kind(this.#host, node);
    this.#views.set(node, view);
    return view;
  }
}

const ID = "an integer or a text";
