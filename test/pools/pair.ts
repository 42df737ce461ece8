import { expect } from "vitest";
import { KernelPools, type PoolsEngine, spareKernels } from "../../src/pools/kernel.js";
import type { PoolsPlan } from "../../src/pools/types.js";
import { firstDifference, keyIn, openKernel } from "../kernel/open.js";
import { PoolTwin } from "../oracle/poolTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { FenwickPools } from "./fenwick.js";

/** The twin that the kernel is compared with: the slow one, or the quick one for many draws from many records. */
export type TwinName = "slow" | "quick";

const SEED = "moria";

/** A list of one pool: numbers of the root's records, and their masses there. */
export interface List {
  readonly records: readonly number[];
  readonly masses: readonly number[];
}

/** One finite root in full stock, and pools that list parts of it. */
export function planOf(quantities: readonly number[], lists: readonly List[]): PoolsPlan {
  const stock = Uint32Array.from(quantities);
  return {
    roots: [{ kind: "finite", quantities: stock, initial: stock.slice() }],
    pools: lists.map(({ records, masses }) => ({
      root: 0,
      records: Uint32Array.from(records),
      masses: Uint32Array.from(masses),
    })),
  };
}

/** One pool, of records with these masses and quantities. */
export function onePool(stock: readonly (readonly [mass: number, quantity: number])[]): PoolsPlan {
  const list = { records: stock.map((_, i) => i), masses: stock.map(([mass]) => mass) };
  return planOf(
    stock.map(([, quantity]) => quantity),
    [list],
  );
}

/** A family on the kernel and on a twin: every call goes to both, and the results must be the same. */
export class PoolsPair {
  /** Index of the next draw. */
  next: number;
  /** How often a pool was refreshed by draws so far. */
  refreshed = 0;
  readonly #plan: PoolsPlan;
  readonly #kernel: PoolsEngine;
  readonly #twin: PoolsEngine;

  constructor(
    plan: PoolsPlan,
    { twin = "slow" as TwinName, next = 0, takeKernel = spareKernels(() => openKernel()) } = {},
  ) {
    const words = streamWords(streamKey(SEED, "items"));
    this.next = next;
    this.#plan = plan;
    this.#kernel = new KernelPools(takeKernel(), "items", keyIn(SEED, "items"), plan);
    this.#twin = twin === "slow" ? new PoolTwin(plan, words) : new FenwickPools(plan, words);
  }

  /** Draws in one call; returns the records. */
  draw(pool: number, count: number): Uint32Array {
    const [got, expected] = [new Uint32Array(count), new Uint32Array(count)];
    const outcome = this.#kernel.draw(pool, this.next, got);
    expect(outcome).toEqual(this.#twin.draw(pool, this.next, expected));
    expect(firstDifference(got, expected)).toBe(-1);
    this.next += outcome.drawn;
    this.refreshed += outcome.refreshed;
    return got.subarray(0, outcome.drawn);
  }

  /** Draws as often as it says, in calls of the sizes given, over and over. */
  drawBy(pool: number, count: number, sizes: readonly number[]): void {
    for (let done = 0, call = 0; done < count; call++) {
      const size = Math.min(sizes[call % sizes.length], count - done);
      this.draw(pool, size);
      done += size;
    }
  }

  setQuantity(record: number, quantity: number): void {
    this.#kernel.setQuantity(0, record, quantity);
    this.#twin.setQuantity(0, record, quantity);
  }

  refresh(pool: number): void {
    this.#kernel.refresh(pool);
    this.#twin.refresh(pool);
  }

  quantity(record: number): number {
    const quantity = this.#kernel.quantity(0, record);
    expect(quantity).toBe(this.#twin.quantity(0, record));
    return quantity;
  }

  total(pool: number): number {
    const total = this.#kernel.total(pool);
    expect(total).toBe(this.#twin.total(pool));
    return total;
  }

  /** Sets a pool's records back to their initial quantities. */
  restock(pool: number): void {
    for (const record of this.#plan.pools[pool].records) {
      this.setQuantity(record, this.#plan.roots[0].initial[record]);
    }
  }

  /** Compares every pool and every record of both; totals are Σ quantity × mass. */
  check(): void {
    const all = Uint32Array.from(this.#plan.roots[0].quantities, (_, record) => record);
    const left = this.#kernel.quantities(0, all);
    expect(firstDifference(left, this.#twin.quantities(0, all))).toBe(-1);
    for (const [pool, { records, masses }] of this.#plan.pools.entries()) {
      let total = 0;
      for (let i = 0; i < records.length; i++) total += masses[i] * left[records[i]];
      expect([pool, this.#kernel.total(pool), this.#twin.total(pool)]).toEqual([pool, total, total]);
    }
  }
}
