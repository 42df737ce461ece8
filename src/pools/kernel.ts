import type { StreamKey } from "../address.js";
import { type Batch, forEachBatch, placeOf } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import {
  type Address,
  type Kernel,
  type KernelExports,
  NO_ADDRESS,
  Status,
  usedBytes,
  within,
} from "../kernel/index.js";
import { AliasHead, PoolEntry, PoolHead, PoolRecord, PoolRoot } from "../kernel/layout.js";
import type { PoolPlan, PoolsPlan, RootPlan } from "./types.js";

export interface DrawOutcome {
  /** Number of draws; fewer than requested if the pool's total is 0 even after a refresh. */
  readonly drawn: number;
  readonly refreshed: number;
}

/** What keeps the quantities of a family and makes its draws. A second, simple implementation is in test/oracle. */
export type PoolsEngine = Pick<KernelPools, keyof KernelPools>;

// sizes and offsets in u32 words
const RECORD_WORDS = PoolRecord.bytes / 4;
const ENTRY_WORDS = PoolEntry.bytes / 4;
const QUANTITY = PoolRecord.offsets.quantity / 4;
const INITIAL = PoolRecord.offsets.initial / 4;
const ENTRY_RECORD = PoolEntry.offsets.record / 4;
const ENTRY_MASS = PoolEntry.offsets.mass / 4;

/** What `drawAhead` of the kernel adds to the number of draws after a refresh. */
const REFRESHED = 2 ** 31;
/** Maximum number of draws in advance: as many as `fillRange` of the kernel has cached words for. */
const MOST_AHEAD = 64;
const ONE = { drawn: 1, refreshed: 0 };
/** What `nextAhead` returns if no draw was made in advance. */
export const NOT_AHEAD = -1;

const LOST = {
  problem: "the kernel failed, and the quantities of these pools are lost",
  remedy: "Restore the mill from a snapshot, and report the seed, the name and the call as a bug",
};

export class KernelPools {
  /** Contains only the data of this engine, until this engine is disposed. */
  readonly #kernel: Kernel;
  readonly dispose: () => void;
  readonly #purpose: string;
  readonly #stream: StreamKey;
  readonly #plan: PoolsPlan;
  /** Entry i has the addresses of root i; undefined for an infinite root. */
  readonly #roots: readonly ({ readonly address: Address; readonly records: Address } | undefined)[];
  readonly #pools: readonly Address[];
  readonly #hasStock: readonly boolean[];
  /** Whether a pool is infinite and lists records 0, 1, 2 …, so that a position in its list is the record's index. */
  readonly #inOrder: readonly boolean[];
  /** Draws that were made in advance for consecutive calls: `served` of the first `made` records were returned. */
  readonly #ahead = { records: new Uint32Array(MOST_AHEAD), made: 0, served: 0, size: 0, pool: -1, index: -1 };

  constructor({ kernel, giveBack }: Spare, name: string, stream: StreamKey, plan: PoolsPlan) {
    this.#kernel = kernel;
    this.dispose = giveBack;
    this.#purpose = `pools ${name}`;
    this.#stream = stream;
    this.#plan = plan;
    this.#roots = plan.roots.map((root) => (root.kind === "finite" ? this.#createRoot(root) : undefined));
    this.#hasStock = plan.pools.map(({ root }) => this.#roots[root] !== undefined);
    this.#pools = plan.pools.map((pool) => this.#createPool(pool));
    this.#inOrder = plan.pools.map(
      ({ records }, pool) => !this.#hasStock[pool] && records.every((record, i) => record === i),
    );
    for (const root of this.#roots) {
      if (root !== undefined && this.#call((exports) => exports.buildRoot(root.address)) === 0) {
        kernel.outOfMemory(this.#purpose);
      }
    }
  }

  /** Whether the kernel trapped or was disposed. Then the quantities are lost, and every call throws. */
  get lost(): boolean {
    return this.#kernel.generation > 0 || this.#kernel.isDisposed;
  }

  get bytes(): number {
    return this.#guard(() => usedBytes(this.#kernel));
  }

  /** Fills `out`: draw i reads random word `index` + i of the family, and stores a record's index in the root. */
  draw(pool: number, index: number, out: Uint32Array): DrawOutcome {
    if (out.length === 1 && this.#hasStock[pool]) return this.#drawAlone(pool, index, out);
    this.#takeBack();
    let [drawn, refreshed] = [0, 0];
    forEachBatch({ name: this.#purpose, from: index, total: out.length }, {}, (batch) => {
      const made = this.#hasStock[pool] ? this.#drawFinite(pool, batch, out) : this.#drawInfinite(pool, batch, out);
      drawn += made.drawn;
      refreshed += made.refreshed;
      return made.drawn < batch.count ? "stop" : undefined;
    });
    return { drawn, refreshed };
  }

  total(pool: number): number {
    if (!this.#hasStock[pool]) return this.#plan.pools[pool].masses.reduce((sum, mass) => sum + mass, 0);
    this.#takeBack();
    return this.#call((exports) => exports.poolTotal(this.#pools[pool])) >>> 0;
  }

  quantity(root: number, record: number): number {
    this.#takeBack();
    return this.#quantity(root, record);
  }

  quantities(root: number, records: ArrayLike<number>): Uint32Array {
    this.#takeBack();
    const view = this.#kernel.u32(this.#finite(root).records, this.#plan.roots[root].quantities.length * RECORD_WORDS);
    const out = new Uint32Array(records.length);
    for (let i = 0; i < out.length; i++) out[i] = view[records[i] * RECORD_WORDS + QUANTITY];
    return out;
  }

  refresh(pool: number): void {
    this.#takeBack();
    this.#call((exports) => exports.refreshPool(this.#pools[pool]));
  }

  /** Sets a quantity. The new totals of all pools that list the record must be at most 2^32 − 1. */
  setQuantity(root: number, record: number, quantity: number): void {
    this.#takeBack();
    this.#setQuantity(root, record, quantity);
  }

  /** Returns the record of draw `index` if it was drawn in advance from this pool. Otherwise, returns NOT_AHEAD. */
  nextAhead(pool: number, index: number): number {
    const ahead = this.#ahead;
    if (ahead.pool !== pool || ahead.index !== index || ahead.served >= ahead.made) return NOT_AHEAD;
    ahead.index++;
    return ahead.records[ahead.served++];
  }

  /** Makes one draw, and more in advance: if the last draws in advance were all used, twice as many. */
  #drawAlone(pool: number, index: number, out: Uint32Array): DrawOutcome {
    const known = this.nextAhead(pool, index);
    if (known !== NOT_AHEAD) {
      out[0] = known;
      return ONE;
    }
    const ahead = this.#ahead;
    if (ahead.pool !== pool || ahead.index !== index) this.#takeBack();
    const { block, offset } = placeOf(index);
    ahead.size = Math.min(MOST_AHEAD, Math.max(1, 2 * ahead.size));
    const made = this.#run((exports) => exports.drawAhead(this.#pools[pool], block, offset, ahead.size)) >>> 0;
    const view = this.#kernel.windowView;
    ahead.pool = pool;
    ahead.index = index;
    ahead.served = 0;
    ahead.made = made % REFRESHED;
    for (let i = 0; i < ahead.made; i++) ahead.records[i] = view[i];
    const refreshed = made < REFRESHED ? 0 : 1;
    if (ahead.made === 0) return { drawn: 0, refreshed };
    out[0] = this.nextAhead(pool, index);
    return { drawn: 1, refreshed };
  }

  /** Takes back the draws that nobody has seen. Every call begins with this, except the next draw from the same pool. */
  #takeBack(): void {
    const ahead = this.#ahead;
    ahead.size = 0;
    ahead.index = -1;
    while (ahead.served < ahead.made) {
      const [{ root }, record] = [this.#plan.pools[ahead.pool], ahead.records[ahead.served++]];
      this.#setQuantity(root, record, this.#quantity(root, record) + 1);
    }
  }

  #quantity(root: number, record: number): number {
    return this.#kernel.read(within(this.#finite(root).records, record * PoolRecord.bytes), PoolRecord).quantity;
  }

  #setQuantity(root: number, record: number, quantity: number): void {
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

  #createRoot({ quantities, initial }: RootPlan) {
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

  /** Builds an alias table, and returns its address. Builds no table and returns 0 if all masses are 0. */
  #createAlias(masses: Uint32Array): Address {
    if (masses.every((mass) => mass === 0)) return NO_ADDRESS;
    const list = this.#taken((exports) => exports.createAlias(masses.length));
    this.#kernel.u32(this.#kernel.read(list, AliasHead).shares, masses.length).set(masses);
    const status = this.#call((exports) => exports.buildAlias(list, masses.length));
    if (status !== Status.OK) this.#kernel.outOfMemory(this.#purpose);
    return list;
  }

  #finite(root: number) {
    const found = this.#roots[root];
    return this.#kernel.generation > 0 || found === undefined ? fail(error("argument.disposed", LOST)) : found;
  }

  #taken(job: (exports: KernelExports) => Address): Address {
    return this.#kernel.taken(this.#call(job), this.#purpose);
  }

  #call<T>(job: (exports: KernelExports) => T): T {
    return this.#guard(() => this.#kernel.call(job));
  }

  #run<T>(job: (exports: KernelExports) => T): T {
    return this.#guard(() => this.#kernel.run(this.#stream, job));
  }

  #guard<T>(job: () => T): T {
    if (this.#kernel.generation > 0) return fail(error("argument.disposed", LOST));
    try {
      return job();
    } catch (cause) {
      if (this.#kernel.generation <= 0) throw cause;
      return fail(error("kernel.trap", LOST), cause);
    }
  }
}

const MAX_SPARE = 2;
const MAX_SPARE_BYTES = 2 ** 22;

type Spare = ReturnType<ReturnType<typeof spareKernels>>;

/** Reuses a few kernels: a world opens a fork for each region, and a new kernel takes longer than its draws. */
export function spareKernels(open: () => Kernel) {
  const spares: { readonly kernel: Kernel; readonly empty: Address }[] = [];
  const opened = () => {
    const kernel = open();
    return { kernel, empty: kernel.call((exports) => exports.mark()) };
  };
  return () => {
    const taken = spares.pop() ?? opened();
    const { kernel, empty } = taken;
    const giveBack = () => {
      if (kernel.isDisposed) return;
      // in a generation above 0, a trap has replaced the kernel's instance, and the address `empty` is not valid
      if (kernel.generation > 0 || kernel.bytes > MAX_SPARE_BYTES || spares.length === MAX_SPARE) kernel.dispose();
      else {
        kernel.call((exports) => exports.release(empty));
        spares.push(taken);
      }
    };
    return { kernel, giveBack };
  };
}
