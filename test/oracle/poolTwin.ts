import { type DrawOutcome, NOT_AHEAD, type PoolsEngine } from "../../src/pools/kernel.js";
import type { PoolsPlan } from "../../src/pools/types.js";
import { type AliasTwin, aliasPick, aliasTwin } from "./alias.js";
import { BelowTemplate } from "./below.js";
import type { StreamWords } from "./words.js";

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
  readonly #words: StreamWords;
  readonly #aliases = new Map<number, AliasTwin>();

  constructor(plan: PoolsPlan, words: StreamWords) {
    this.#plan = plan;
    this.#words = words;
    this.left = plan.roots.map(({ quantities }) => [...quantities]);
  }

  dispose(): void {
    this.disposed = true;
  }

  nextAhead(): number {
    return NOT_AHEAD;
  }

  draw(pool: number, index: number, out: Uint32Array): DrawOutcome {
    if (this.disposed) throw new Error("a draw from a twin that was disposed of");
    let refreshed = 0;
    for (let drawn = 0; drawn < out.length; drawn++) {
      let weights = this.#weights(pool);
      if (sumOf(weights) === 0) {
        this.refresh(pool);
        weights = this.#weights(pool);
        if (sumOf(weights) === 0) return { drawn, refreshed };
        refreshed++;
      }
      out[drawn] = this.#drawOne(pool, index + drawn, weights);
    }
    return { drawn: out.length, refreshed };
  }

  total(pool: number): number {
    return sumOf(this.#weights(pool));
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

  #drawOne(pool: number, index: number, weights: Float64Array): number {
    const { root, records } = this.#plan.pools[pool];
    const word = this.#words.word(0, index);
    const extra = (i: number) => this.#words.extra(0, index, i);
    if (this.#plan.roots[root].kind === "infinite") return records[aliasPick(this.#alias(pool), word, extra)];
    let left = below32.below(word, sumOf(weights), extra);
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

  #weights(pool: number): Float64Array {
    const { root, records, masses } = this.#plan.pools[pool];
    if (this.#plan.roots[root].kind === "infinite") return Float64Array.from(masses);
    const left = this.left[root];
    return new Float64Array(records.length).map((_, i) => masses[i] * left[records[i]]);
  }

  #alias(pool: number): AliasTwin {
    const alias = this.#aliases.get(pool) ?? aliasTwin([...this.#plan.pools[pool].masses]);
    this.#aliases.set(pool, alias);
    return alias;
  }
}

function sumOf(weights: Float64Array): number {
  let sum = 0;
  for (const weight of weights) sum += weight;
  return sum;
}
