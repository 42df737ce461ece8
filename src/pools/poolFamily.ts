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
  /** Opens a kernel for the next engine. Every registration needs a new engine. */
  openKernel(): Kernel;
  createEngine(setup: Setup<PoolsPlan>): PoolsEngine;
}

/**
 * A family of pools. The pools of a root share the quantities of its records; each pool has separate masses. The method
 * {@link pool} returns a handle to draw with. The family registers pools and keeps the index of the next draw. While a
 * bulk draw runs, its `onProgress` may read the family. A call that draws, puts back, registers or takes a snapshot is
 * then refused with `argument.busy`.
 *
 * Cost: the next draw after a registration builds the family in the kernel again, O(records of all pools). A record
 * takes 53 bytes of kernel memory if its root and one subpool list it.
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
   * Index of the next draw, 0 … 2^42: the number of draws so far, from all pools. Set it to continue at another index.
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

  /**
   * Size of the kernel memory in use, in bytes. Builds the family in the kernel if no draw has done so since a
   * registration.
   */
  get bytes(): number {
    return this.#stock.engine.bytes;
  }

  /** The names of the root pools, in order of registration. */
  get roots(): readonly string[] {
    return [...this.#registry.roots.keys()];
  }

  /**
   * Returns the pool that a path names. A path is the root's name, then names, numbers from 1, or `~` for the active
   * subpool at that depth. A later change of the active setting does not change the handle.
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
   * Cost: O(records), and the next draw builds the family in the kernel again.
   *
   * @throws RollmillError `pool.*` with every error of the root, and `argument.busy`. If it throws, nothing is
   * registered.
   */
  registerRoot(name: string, root: RootInput): Pool {
    const spec = parseRoot(root);
    this.#changing();
    return this.#poolOf(this.#registry.registerRoot(name, spec).top);
  }

  /**
   * Adds a subpool. The path `e.z3` adds it to one parent. The path `e.*.*.wall` adds it to every parent at that depth,
   * also to parents that are registered later. A record that is new to the root is added there too, with its mass and
   * its quantity (default 1).
   *
   * @throws RollmillError `pool.unknown`, `pool.exists`, `pool.structure` (a new name under some parents only),
   * `pool.star`, `pool.active`, `pool.root`, `pool.path`; `pool.record`, `pool.mass`, `pool.quantity`,
   * `pool.duplicate`, `pool.total`, `argument.busy`. If it throws, nothing changes.
   */
  registerSubpool(path: string, records: readonly RecordInput[] = []): void {
    this.#changing();
    this.#registry.registerSubpool(path, (kind) => parseRecords(records, { kind, quantities: true }));
  }

  /**
   * Adds a record to the pool that a path names. A path with stars adds it to all pools that match, also to pools that
   * are registered later. A record that is new to the root is added there too, with the same mass and quantity.
   *
   * @throws RollmillError `pool.unknown`, `pool.duplicate`, `pool.root`, `pool.active`, `pool.path`, `pool.record`,
   * `pool.mass`, `pool.quantity`, `pool.total`, `argument.option`, `argument.busy`. If it throws, nothing changes.
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
   * Resets all records of all finite roots to their initial quantities.
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
