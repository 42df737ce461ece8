import type { DrawOutcome, PoolsEngine } from "../../src/pools/kernel.js";
import type { PoolsPlan } from "../../src/pools/types.js";
import { type AliasTwin, aliasPick, aliasTwin } from "./alias.js";
import { BelowTemplate } from "./below.js";
import type { PurposeWords } from "./words.js";

const below32 = new BelowTemplate(32);

/** The slow obvious pools: quantities in plain lists, totals summed again for every draw. */
export class PoolTwin implements PoolsEngine {
  /** It keeps nothing in a kernel. */
  readonly bytes = 0;
  readonly lost = false;
  readonly left: number[][];
  /** Whether it was disposed of: no call may follow. */
  disposed = false;
  readonly #plan: PoolsPlan;
  readonly #words: PurposeWords;
  readonly #aliases = new Map<number, AliasTwin>();

  constructor(plan: PoolsPlan, words: PurposeWords) {
    this.#plan = plan;
    this.#words = words;
    this.left = plan.roots.map(({ quantities }) => [...quantities]);
  }

  dispose(): void {
    this.disposed = true;
  }

  draw(pool: number, index: number, out: Uint32Array): DrawOutcome {
    if (this.disposed) throw new Error("a draw from a twin that was disposed of");
    let refreshed = 0;
    for (let drawn = 0; drawn < out.length; drawn++) {
      if (this.total(pool) === 0) {
        this.refresh(pool);
        if (this.total(pool) === 0) return { drawn, refreshed };
        refreshed++;
      }
      out[drawn] = this.#drawOne(pool, index + drawn);
    }
    return { drawn: out.length, refreshed };
  }

  total(pool: number): number {
    return this.#weights(pool).reduce((sum, weight) => sum + weight, 0);
  }

  quantity(root: number, record: number): number {
    return this.left[root][record];
  }

  quantities(root: number, records: ArrayLike<number>): Uint32Array {
    return Uint32Array.from(records, (record) => this.left[root][record]);
  }

  setQuantity(root: number, record: number, quantity: number): void {
    this.left[root][record] = quantity;
  }

  #drawOne(pool: number, index: number): number {
    const { root, records } = this.#plan.pools[pool];
    const word = this.#words.word(0, index);
    const extra = (i: number) => this.#words.extra(0, index, i);
    if (this.#plan.roots[root].kind === "infinite") return records[aliasPick(this.#alias(pool), word, extra)];
    const weights = this.#weights(pool);
    let left = below32.below(word, this.total(pool), extra);
    const place = weights.findIndex((weight) => {
      left -= weight;
      return left < 0;
    });
    this.left[root][records[place]]--;
    return records[place];
  }

  refresh(pool: number): void {
    const { root, records } = this.#plan.pools[pool];
    for (const record of records) this.left[root][record] = this.#plan.roots[root].initial[record];
  }

  #weights(pool: number): number[] {
    const { root, records, masses } = this.#plan.pools[pool];
    const finite = this.#plan.roots[root].kind === "finite";
    return Array.from(records, (record, i) => masses[i] * (finite ? this.left[root][record] : 1));
  }

  #alias(pool: number): AliasTwin {
    const alias = this.#aliases.get(pool) ?? aliasTwin([...this.#plan.pools[pool].masses]);
    this.#aliases.set(pool, alias);
    return alias;
  }
}
