import { checkInteger, checkOptions, MAX_INDEX, type Setup } from "../calls/index.js";
import type { Kernel } from "../kernel/index.js";
import { Drawing } from "./drawing.js";
import { Finder } from "./finder.js";
import type { PoolsEngine } from "./kernel.js";
import { parseRecords, parseRoot } from "./parse.js";
import { Pool, type PoolHost } from "./pool.js";
import type { Node } from "./registry/node.js";
import type { Registry } from "./registry/registry.js";
import { Stock } from "./stock.js";
import type {
  ActivePart,
  AddOptions,
  PathOptions,
  PoolsPlan,
  RecordId,
  RecordInput,
  RootInput,
  RootState,
} from "./types.js";

/** Arguments of a family in addition to its {@link Setup}. */
interface FamilySetup {
  /** The state in the mill's snapshot. */
  readonly saved: readonly RootState[];
  /** Opens the kernel of the next engine: a registration makes the last one obsolete. */
  openKernel(): Kernel;
  createEngine(setup: Setup<PoolsPlan>): PoolsEngine;
}

/**
 * A family of pools: records in shared stock, with masses private to each pool. {@link pool} gives a handle to draw
 * with; the family registers pools and keeps the index of the next draw. While a bulk draw runs, its `onProgress` may
 * read the family; a call that draws, puts back, registers or takes a snapshot is refused with `argument.busy`.
 *
 * Cost: after a registration, the next draw lays the family out again, O(records of all pools). A record that its root
 * and one subpool list takes 53 bytes of kernel memory.
 * Source: the Pools page of Dungeon Hopper's documentation, 2020 (docs/formats.md).
 */
export class PoolFamily {
  readonly name: string;
  readonly #registry: Registry;
  readonly #stock: Stock;
  readonly #drawing: Drawing;
  readonly #finder: Finder;
  readonly #host: PoolHost;
  readonly #pools = new Map<Node, Pool>();

  /** @internal */
  constructor(
    { kernel, name, stream, plan: registry }: Setup<Registry>,
    { saved, openKernel, createEngine }: FamilySetup,
  ) {
    this.name = name;
    this.#registry = registry;
    registry.restore(saved);
    let unused: Kernel | undefined = kernel;
    this.#stock = new Stock(registry, (plan) => {
      const own = unused ?? openKernel();
      unused = undefined;
      return createEngine({ kernel: own, name, stream, plan });
    });
    this.#drawing = new Drawing(this.#stock);
    this.#finder = new Finder(registry);
    this.#host = { stock: this.#stock, drawing: this.#drawing, poolOf: (node) => this.#poolOf(node) };
  }

  /**
   * Index of the next draw, 0 … 2^42: the number of draws so far, from all pools. Set it to continue elsewhere.
   *
   * @throws RollmillError `argument.range`, `argument.busy`.
   */
  get next(): number {
    return this.#drawing.next;
  }

  set next(index: number) {
    this.#drawing.refuseBusy();
    checkInteger("next", index, 0, MAX_INDEX);
    this.#drawing.next = index;
  }

  /** Bytes of kernel memory in use. Lays the family out as a draw does. */
  get bytes(): number {
    return this.#stock.engine.bytes;
  }

  /** The names of the root pools, in order of registration. */
  get roots(): readonly string[] {
    return [...this.#registry.roots.keys()];
  }

  /**
   * The pool that a path names: the root's name, then names, numbers from 1, or `~` for the active part of that depth.
   * The handle is resolved now; a later active setting does not change it.
   *
   * Cost: a path is parsed once and then cached, unless `active` is given.
   *
   * @throws RollmillError `pool.unknown`, `pool.star`, `pool.active`, `pool.path`; `argument.option`.
   */
  pool(path: string, options?: PathOptions): Pool {
    if (options !== undefined) checkOptions("family.pool", options, ["active"]);
    return this.#poolOf(this.#finder.node(path, options?.active));
  }

  /**
   * Adds a root pool: its records and subpools.
   *
   * Cost: O(records), and the next draw lays the family out again.
   *
   * @throws RollmillError `pool.*` with every error of the root; then nothing is registered. `argument.busy`.
   */
  registerRoot(name: string, root: RootInput): Pool {
    const spec = parseRoot(root);
    this.#changing();
    return this.#poolOf(this.#registry.registerRoot(name, spec).top);
  }

  /**
   * Adds a subpool: `e.z3`, or `e.*.*.wall` under every parent of a depth, now and later. Records that the root does
   * not have join it, with their mass and a quantity of 1, unless they state another.
   *
   * @throws RollmillError `pool.unknown`, `pool.exists`, `pool.structure` (a new name under some parents only),
   * `pool.star`, `pool.active`, `pool.root`, `pool.path`; `pool.record`, `pool.mass`, `pool.quantity`,
   * `pool.duplicate`, `pool.total`; then nothing changes. `argument.busy`.
   */
  registerSubpool(path: string, records: readonly RecordInput[] = []): void {
    this.#changing();
    this.#registry.registerSubpool(path, (kind) => parseRecords(records, { kind, quantities: true }));
  }

  /**
   * Adds a record to exactly the pool that a path names, or to all that a star path matches, now and later. An id that
   * the root does not have joins it with this mass and quantity.
   *
   * @throws RollmillError `pool.unknown`, `pool.duplicate`, `pool.root`, `pool.active`, `pool.path`, `pool.record`,
   * `pool.mass`, `pool.quantity`, `pool.total`; then nothing changes. `argument.option`, `argument.busy`.
   */
  addToSubpool(path: string, id: RecordId, options: AddOptions = {}): void {
    checkOptions("family.addToSubpool", options, ["mass", "quantity"]);
    const { mass = 1, quantity } = options;
    this.#changing();
    this.#registry.addToSubpool(path, (kind) => parseRecords([{ id, mass, quantity }], { kind, quantities: true }));
  }

  /**
   * Sets what `~` stands for at each depth of a root: names, or numbers from 1. An empty list clears the setting.
   *
   * @throws RollmillError `pool.unknown`, `pool.active`.
   */
  setActive(root: string, parts: readonly ActivePart[]): void {
    this.#registry.setActive(root, parts);
    this.#finder.forget();
  }

  /**
   * Sets all quantities of all finite roots back to their initial ones.
   *
   * @throws RollmillError `argument.busy`.
   */
  restock(): void {
    this.#drawing.refuseBusy();
    for (const { kind, top } of this.#registry.roots.values()) if (kind === "finite") this.#stock.refresh(top);
  }

  /** @internal The stock, for a snapshot. */
  state(): readonly RootState[] {
    this.#drawing.refuseBusy();
    return this.#stock.state();
  }

  #changing(): void {
    this.#drawing.refuseBusy();
    this.#stock.release();
    this.#finder.forget();
  }

  #poolOf(node: Node): Pool {
    const known = this.#pools.get(node);
    if (known !== undefined) return known;
    const pool = new Pool(this.#host, node);
    this.#pools.set(node, pool);
    return pool;
  }
}
