import { type Batch, forEachBatch } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { type Address, AliasHead, type Kernel, type KernelExports, Status } from "../kernel/index.js";

/** One pool as the kernel takes it: which records it lists, and each one's mass there, in list order. */
export interface PoolPlan {
  /** Index of the pool's root in {@link PoolsPlan.roots}. */
  readonly root: number;
  /** Indices into the root's records, each at most once. */
  readonly records: Uint32Array;
  /** Mass of each listed record in this pool. Σ mass × initial quantity ≤ 2³² − 1 (Σ mass for an infinite root). */
  readonly masses: Uint32Array;
}

/** One root: its records' quantities are shared by all its pools. */
export interface RootPlan {
  readonly kind: "finite" | "infinite";
  /** Quantity of each record now; empty for an infinite root. */
  readonly quantities: Uint32Array;
  /** What a refresh brings a record's quantity back to; empty for an infinite root. */
  readonly initial: Uint32Array;
}

/** A family of pools, ready to draw from. */
export interface PoolsPlan {
  readonly roots: readonly RootPlan[];
  readonly pools: readonly PoolPlan[];
}

/** What a batch of draws came to. */
export interface DrawOutcome {
  /** Draws made; fewer than asked for where the pool could not be refreshed to a positive total. */
  readonly drawn: number;
  /** How often the pool was refreshed on the way. */
  readonly refreshed: number;
}

/** The state and the draws of a family: implemented by the kernel, and by the slow twin in test/oracle. */
export interface PoolsEngine {
  /** Bytes of kernel memory in use. */
  readonly bytes: number;
  /** Whether the quantities are lost: every call is refused from then on. */
  readonly lost: boolean;
  /** Draws `out.length` times from a pool, with word(family, 0, index …); record indices (of the root) to `out`. Refreshes an exhausted finite pool before a draw. */
  draw(pool: number, index: number, out: Uint32Array): DrawOutcome;
  /** Total weight of a pool now. */
  total(pool: number): number;
  /** Quantity of a root's record now. */
  quantity(root: number, record: number): number;
  /** Quantities of a root's records now, for each of a list. */
  quantities(root: number, records: ArrayLike<number>): Uint32Array;
  /** Brings the quantities of a finite pool's own records back to their initial ones, in every pool that lists them. */
  refresh(pool: number): void;
  /** Sets a record's quantity, in every pool that lists it. Totals must stay ≤ 2³² − 1: checked by the caller. */
  setQuantity(root: number, record: number, quantity: number): void;
}

/** Makes the engine of a plan; the kernel is its own. */
export type CreateEngine = (kernel: Kernel, purpose: number, plan: PoolsPlan) => PoolsEngine;

const RECORD_WORDS = 3;
const ENTRY_WORDS = 2;
const WHAT = "pools";
const LOST = {
  problem: "the kernel failed, and what was left in the pools with it",
  remedy: "Restore the mill from a snapshot, and report this with the seed, the name and the call",
};

/**
 * A family in a kernel instance of its own, which holds the quantities: it cannot be rebuilt after a trap, and says so.
 *
 * Cost, measured: a draw from n records takes 10 ns (n = 8), 17 (256), 20 (1,024 and 4,096), 28 (65,536), and 1.7 times as
 * long where four pools list each record; an infinite pool, an alias table, 0.8 ns a draw. A record that its root and one
 * subpool list takes 53 bytes.
 */
export class KernelPools implements PoolsEngine {
  readonly #kernel: Kernel;
  readonly #purpose: number;
  readonly #plan: PoolsPlan;
  readonly #roots: readonly Address[];
  readonly #pools: readonly Address[];
  readonly #inOrder: readonly boolean[];

  /** @throws RollmillError `kernel.memory`. */
  constructor(kernel: Kernel, purpose: number, plan: PoolsPlan) {
    this.#kernel = kernel;
    this.#purpose = purpose;
    this.#plan = plan;
    this.#roots = plan.roots.map((root) => (root.kind === "finite" ? this.#createRoot(root) : (0 as Address)));
    this.#pools = plan.pools.map((pool) => (this.#isFinite(pool) ? this.#createPool(pool) : this.#createAlias(pool)));
    // (asked of infinite pools alone)
    this.#inOrder = plan.pools.map((pool) => !this.#isFinite(pool) && pool.records.every((record, i) => record === i));
    for (const root of this.#roots) {
      if (root !== 0 && this.#call((exports) => exports.buildRoot(root)) === 0) kernel.outOfMemory(WHAT);
    }
  }

  get lost(): boolean {
    return this.#kernel.generation > 0;
  }

  get bytes(): number {
    return this.#call((exports) => exports.allocate(0)) >>> 0;
  }

  draw(pool: number, index: number, out: Uint32Array): DrawOutcome {
    const draw = this.#isFinite(this.#plan.pools[pool]) ? this.#drawFinite : this.#drawInfinite;
    let [drawn, refreshed, ended] = [0, 0, false];
    forEachBatch({ from: index, total: out.length }, {}, (batch) => {
      if (ended) return;
      const outcome = draw.call(this, pool, batch, out);
      drawn += outcome.drawn;
      refreshed += outcome.refreshed;
      ended = outcome.drawn < batch.count;
    });
    return { drawn, refreshed };
  }

  total(pool: number): number {
    const plan = this.#plan.pools[pool];
    if (!this.#isFinite(plan)) return plan.masses.reduce((sum, mass) => sum + mass, 0);
    return this.#call((exports) => exports.poolTotal(this.#pools[pool])) >>> 0;
  }

  quantity(root: number, record: number): number {
    return this.#call((exports) => exports.quantityOf(this.#roots[root], record)) >>> 0;
  }

  quantities(root: number, records: ArrayLike<number>): Uint32Array {
    const count = this.#plan.roots[root].quantities.length;
    const view = this.#recordsOf(this.#roots[root], count);
    const out = new Uint32Array(records.length);
    for (let i = 0; i < out.length; i++) out[i] = view[records[i] * RECORD_WORDS];
    return out;
  }

  refresh(pool: number): void {
    this.#call((exports) => exports.refreshPool(this.#pools[pool]));
  }

  setQuantity(root: number, record: number, quantity: number): void {
    this.#call((exports) => exports.setQuantity(this.#roots[root], record, quantity));
  }

  #drawFinite(pool: number, { block, offset, count, done }: Batch, out: Uint32Array): DrawOutcome {
    const drawn = this.#call((exports) => exports.drawPool(this.#pools[pool], this.#purpose, block, offset, count));
    out.set(this.#kernel.windowView.subarray(0, drawn), done);
    return { drawn, refreshed: this.#call((exports) => exports.refreshCount()) };
  }

  #drawInfinite(pool: number, { block, offset, count, done }: Batch, out: Uint32Array): DrawOutcome {
    const list = this.#pools[pool];
    if (list === 0) return { drawn: 0, refreshed: 0 };
    this.#call((exports) => exports.pickList(list, this.#purpose, block, offset, count));
    const picks = this.#kernel.windowView.subarray(0, count);
    const { records } = this.#plan.pools[pool];
    if (this.#inOrder[pool]) out.set(picks, done);
    else for (let i = 0; i < count; i++) out[done + i] = records[picks[i]];
    return { drawn: count, refreshed: 0 };
  }

  #createRoot({ quantities, initial }: RootPlan): Address {
    const root = this.#taken((exports) => exports.createRoot(quantities.length));
    const view = this.#recordsOf(root, quantities.length);
    for (let i = 0; i < quantities.length; i++) {
      view[i * RECORD_WORDS] = quantities[i];
      view[i * RECORD_WORDS + 1] = initial[i];
    }
    return root;
  }

  #recordsOf(root: Address, count: number): Uint32Array {
    const at = this.#call((exports) => exports.rootRecords(root));
    return this.#kernel.u32(at, count * RECORD_WORDS);
  }

  #createPool({ root, records, masses }: PoolPlan): Address {
    const pool = this.#taken((exports) => exports.createPool(this.#roots[root], records.length));
    const at = this.#call((exports) => exports.poolEntries(pool));
    const view = this.#kernel.u32(at, records.length * ENTRY_WORDS);
    for (let i = 0; i < records.length; i++) {
      view[i * ENTRY_WORDS] = records[i];
      view[i * ENTRY_WORDS + 1] = masses[i];
    }
    return pool;
  }

  /** An alias table of the masses; 0 where they are all 0. */
  #createAlias({ masses }: PoolPlan): Address {
    if (masses.every((mass) => mass === 0)) return 0 as Address;
    const list = this.#taken((exports) => exports.createAlias(masses.length));
    this.#kernel.u32(this.#kernel.read(list, AliasHead).shares as Address, masses.length).set(masses);
    if (this.#call((exports) => exports.buildAlias(list, masses.length)) !== Status.OK) this.#kernel.outOfMemory(WHAT);
    return list;
  }

  #isFinite({ root }: PoolPlan): boolean {
    return this.#plan.roots[root].kind === "finite";
  }

  #taken(job: (exports: KernelExports) => Address): Address {
    return this.#kernel.taken(this.#call(job), WHAT);
  }

  #call<T>(job: (exports: KernelExports) => T): T {
    if (this.lost) return fail(error("argument.disposed", LOST));
    try {
      return this.#kernel.call(job);
    } catch (cause) {
      if (!this.lost) throw cause;
      return fail(error("kernel.trap", LOST), cause);
    }
  }
}
