import type { StreamKey } from "../address.js";
import { type Batch, forEachBatch } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { type Address, type Kernel, type KernelExports, NO_ADDRESS, Status, within } from "../kernel/index.js";
import { AliasHead, PoolEntry, PoolHead, PoolRecord, PoolRoot } from "../kernel/layout.js";
import type { PoolPlan, PoolsPlan, RootPlan } from "./types.js";

/** The outcome of one call of {@link PoolsEngine.draw}. */
export interface DrawOutcome {
  /** Draws made; fewer than asked for if a refresh left the pool's total at 0. */
  readonly drawn: number;
  /** How often the pool was refreshed. */
  readonly refreshed: number;
}

/** The stock and the draws of a family: implemented by the kernel, and by the slow twin in test/oracle. */
export interface PoolsEngine {
  /** Bytes of kernel memory in use. */
  readonly bytes: number;
  /** Whether a trap has lost the quantities. Every later call is refused. */
  readonly lost: boolean;
  /**
   * Draws `out.length` times from a pool, with word(family, 0, index …), and writes indices of the root's records to
   * `out`. Refreshes an exhausted finite pool before a draw.
   */
  draw(pool: number, index: number, out: Uint32Array): DrawOutcome;
  /** Total weight of a pool now. */
  total(pool: number): number;
  /** Quantity of a root's record now. */
  quantity(root: number, record: number): number;
  /** Quantity of each of a list of a root's records now. */
  quantities(root: number, records: ArrayLike<number>): Uint32Array;
  /** Sets the quantities of a finite pool's own records back to their initial ones, in every pool that lists them. */
  refresh(pool: number): void;
  /** Sets a record's quantity in every pool that lists it. The caller checks that totals stay ≤ 2^32 − 1. */
  setQuantity(root: number, record: number, quantity: number): void;
  /** Frees its memory. The quantities have been read, and another engine follows. */
  dispose(): void;
}

/** Strides and field positions of the arrays that the kernel reads, in u32 units. */
const RECORD_WORDS = PoolRecord.bytes / 4;
const ENTRY_WORDS = PoolEntry.bytes / 4;
const QUANTITY = PoolRecord.offsets.quantity / 4;
const INITIAL = PoolRecord.offsets.initial / 4;
const ENTRY_RECORD = PoolEntry.offsets.record / 4;
const ENTRY_MASS = PoolEntry.offsets.mass / 4;

const LOST = {
  problem: "the kernel failed, and the stock of these pools is lost",
  remedy: "Restore the mill from a snapshot, and report this with the seed, the name and the call",
};

/** The plan of a family, the kernel for it alone, and the key of its random words. */
interface EngineSetup {
  readonly kernel: Kernel;
  readonly name: string;
  readonly stream: StreamKey;
  readonly plan: PoolsPlan;
}

/** A finite root in the kernel. */
interface KernelRoot {
  readonly address: Address;
  /** Address of its first record. */
  readonly records: Address;
}

/**
 * A family in a kernel of its own. The kernel keeps the quantities, so they are lost if it traps; then every call is
 * refused.
 *
 * Cost: a draw from n records searches log₁₆ n nodes, and changes as many in each pool that lists the record. A draw
 * from an infinite pool is one load. A record that its root and one subpool list takes 53 bytes.
 */
export class KernelPools implements PoolsEngine {
  readonly #kernel: Kernel;
  readonly #purpose: string;
  readonly #stream: StreamKey;
  readonly #plan: PoolsPlan;
  /** Maps the index of a root to the root in the kernel; undefined for an infinite root. */
  readonly #roots: readonly (KernelRoot | undefined)[];
  readonly #pools: readonly Address[];
  /** Whether an infinite pool lists its root's records in their order. */
  readonly #inOrder: readonly boolean[];

  /** @throws RollmillError `kernel.memory`. */
  constructor({ kernel, name, stream, plan }: EngineSetup) {
    this.#kernel = kernel;
    this.#purpose = `pools ${name}`;
    this.#stream = stream;
    this.#plan = plan;
    this.#roots = plan.roots.map((root) => (root.kind === "finite" ? this.#createRoot(root) : undefined));
    this.#pools = plan.pools.map((pool) => this.#createPool(pool));
    this.#inOrder = plan.pools.map(
      ({ root, records }) => this.#roots[root] === undefined && records.every((record, i) => record === i),
    );
    for (const root of this.#roots) {
      if (root !== undefined && this.#call((exports) => exports.buildRoot(root.address)) === 0) {
        kernel.outOfMemory(this.#purpose);
      }
    }
  }

  get lost(): boolean {
    return this.#kernel.generation > 0;
  }

  get bytes(): number {
    return this.#call((exports) => exports.allocate(0)) >>> 0;
  }

  dispose(): void {
    this.#kernel.dispose();
  }

  draw(pool: number, index: number, out: Uint32Array): DrawOutcome {
    const finite = this.#roots[this.#plan.pools[pool].root] !== undefined;
    let [drawn, refreshed, ended] = [0, 0, false];
    forEachBatch({ from: index, total: out.length }, {}, (batch) => {
      if (ended) return;
      const outcome = finite ? this.#drawFinite(pool, batch, out) : this.#drawInfinite(pool, batch, out);
      drawn += outcome.drawn;
      refreshed += outcome.refreshed;
      ended = outcome.drawn < batch.count;
    });
    return { drawn, refreshed };
  }

  total(pool: number): number {
    const { root, masses } = this.#plan.pools[pool];
    if (this.#roots[root] === undefined) return masses.reduce((sum, mass) => sum + mass, 0);
    return this.#call((exports) => exports.poolTotal(this.#pools[pool])) >>> 0;
  }

  quantity(root: number, record: number): number {
    const at = within(this.#finite(root).records, record * PoolRecord.bytes);
    return this.#kernel.read(at, PoolRecord).quantity;
  }

  quantities(root: number, records: ArrayLike<number>): Uint32Array {
    const view = this.#kernel.u32(this.#finite(root).records, this.#plan.roots[root].quantities.length * RECORD_WORDS);
    const out = new Uint32Array(records.length);
    for (let i = 0; i < out.length; i++) out[i] = view[records[i] * RECORD_WORDS + QUANTITY];
    return out;
  }

  refresh(pool: number): void {
    this.#call((exports) => exports.refreshPool(this.#pools[pool]));
  }

  setQuantity(root: number, record: number, quantity: number): void {
    const { address } = this.#finite(root);
    this.#call((exports) => exports.setQuantity(address, record, quantity));
  }

  #drawFinite(pool: number, { block, offset, count, done }: Batch, out: Uint32Array): DrawOutcome {
    const drawn = this.#run((exports) => exports.drawPool(this.#pools[pool], block, offset, count));
    out.set(this.#kernel.windowView.subarray(0, drawn), done);
    return { drawn, refreshed: this.#call((exports) => exports.refreshCount()) };
  }

  #drawInfinite(pool: number, { block, offset, count, done }: Batch, out: Uint32Array): DrawOutcome {
    const list = this.#pools[pool];
    if (list === 0) return { drawn: 0, refreshed: 0 };
    this.#run((exports) => exports.pickList(list, block, offset, count));
    const picks = this.#kernel.windowView.subarray(0, count);
    const { records } = this.#plan.pools[pool];
    if (this.#inOrder[pool]) out.set(picks, done);
    else for (let i = 0; i < count; i++) out[done + i] = records[picks[i]];
    return { drawn: count, refreshed: 0 };
  }

  #createRoot({ quantities, initial }: RootPlan): KernelRoot {
    const address = this.#taken((exports) => exports.createRoot(quantities.length));
    const records = this.#kernel.read(address, PoolRoot).records;
    const view = this.#kernel.u32(records, quantities.length * RECORD_WORDS);
    for (let i = 0; i < quantities.length; i++) {
      view[i * RECORD_WORDS + QUANTITY] = quantities[i];
      view[i * RECORD_WORDS + INITIAL] = initial[i];
    }
    return { address, records };
  }

  #createPool({ root, records, masses }: PoolPlan): Address {
    const stock = this.#roots[root];
    if (stock === undefined) return this.#createAlias(masses);
    const pool = this.#taken((exports) => exports.createPool(stock.address, records.length));
    const entries = this.#kernel.read(pool, PoolHead).entries;
    const view = this.#kernel.u32(entries, records.length * ENTRY_WORDS);
    for (let i = 0; i < records.length; i++) {
      view[i * ENTRY_WORDS + ENTRY_RECORD] = records[i];
      view[i * ENTRY_WORDS + ENTRY_MASS] = masses[i];
    }
    return pool;
  }

  /** An alias table of the masses; 0 if all of them are 0. */
  #createAlias(masses: Uint32Array): Address {
    if (masses.every((mass) => mass === 0)) return NO_ADDRESS;
    const list = this.#taken((exports) => exports.createAlias(masses.length));
    this.#kernel.u32(this.#kernel.read(list, AliasHead).shares, masses.length).set(masses);
    const status = this.#call((exports) => exports.buildAlias(list, masses.length));
    if (status !== Status.OK) this.#kernel.outOfMemory(this.#purpose);
    return list;
  }

  /** The finite root with an index. Refuses the call if the quantities are lost. */
  #finite(root: number): KernelRoot {
    const found = this.#roots[root];
    return this.lost || found === undefined ? fail(error("argument.disposed", LOST)) : found;
  }

  #taken(job: (exports: KernelExports) => Address): Address {
    return this.#kernel.taken(this.#call(job), this.#purpose);
  }

  #call<T>(job: (exports: KernelExports) => T): T {
    return this.#guard(() => this.#kernel.call(job));
  }

  /** Does {@link KernelPools.#call} for a job that reads random words. */
  #run<T>(job: (exports: KernelExports) => T): T {
    return this.#guard(() => this.#kernel.run(this.#stream, job));
  }

  #guard<T>(job: () => T): T {
    if (this.lost) return fail(error("argument.disposed", LOST));
    try {
      return job();
    } catch (cause) {
      if (!this.lost) throw cause;
      return fail(error("kernel.trap", LOST), cause);
    }
  }
}
