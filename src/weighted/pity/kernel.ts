import type { StreamKey } from "../../address.js";
import { KernelAmounts } from "../../amounts/index.js";
import type { Batch, Setup } from "../../calls/index.js";
import { type EntryGroup, positionIn } from "../entryGroup.js";
import { FEATURED, HIT, MISS, type PityPlan } from "./compile.js";

/** A player's progress: the pulls since the last hit, and whether the next hit is featured for sure. */
export interface Standing {
  since: number;
  guaranteed: boolean;
}

/** Makes the pulls of a list with pity. Pull k reads word k of planes 0, 1 and 2, and its quantity of planes from 3. */
export class KernelPity {
  readonly #plan: PityPlan;
  readonly #hit: KernelAmounts;
  readonly #half: KernelAmounts | undefined;
  readonly #entry: KernelAmounts;
  readonly quantities: KernelAmounts | undefined;

  constructor({ kernel, name, plan }: Pick<Setup<PityPlan>, "kernel" | "name" | "plan">) {
    const below = (plane: number, totals: readonly number[]) => {
      // a die that shows 0 … total − 1
      const amounts = totals.map((sides) => ({ count: 1, sides, plus: -1 }));
      return new KernelAmounts(kernel, { amounts, plane, name });
    };
    const { groups, quantities } = plan;
    this.#plan = plan;
    this.#hit = below(0, [plan.denominator]);
    this.#half = plan.rule.featured && below(1, [groups[HIT].total + groups[FEATURED].total]);
    this.#entry = below(
      2,
      groups.map(({ total }) => total),
    );
    this.quantities = quantities && new KernelAmounts(kernel, { amounts: quantities, plane: 3, name });
  }

  /** Returns the entry of one pull, and updates `standing`. */
  one(stream: StreamKey, index: number, standing: Standing): number {
    const hit = this.#hit.one(stream, index, 0) >>> 0;
    const isHit = hit < this.#plan.shares[standing.since];
    const half = isHit ? (this.#half?.one(stream, index, 0) ?? 0) >>> 0 : 0;
    const group = this.#advance(standing, hit, half);
    return entryOf(this.#plan.groups[group], this.#entry.one(stream, index, group) >>> 0);
  }

  /** Returns the entries of consecutive pulls, and updates `standing`. */
  batch(stream: StreamKey, batch: Batch, standing: Standing): Uint32Array<ArrayBuffer> {
    const groups = new Uint16Array(batch.count);
    const hits = new Uint32Array(this.#hit.batch(stream, batch, groups));
    const halves = this.#half && new Uint32Array(this.#half.batch(stream, batch, groups));
    for (const [k, hit] of hits.entries()) groups[k] = this.#advance(standing, hit, halves?.[k] ?? 0);
    const shares = this.#entry.batch(stream, batch, groups);
    return Uint32Array.from(groups, (group, k) => entryOf(this.#plan.groups[group], shares[k] >>> 0));
  }

  /** Returns the group of a pull, and updates `standing`. `hit` decides if it hits, `half` if a hit is featured. */
  #advance(standing: Standing, hit: number, half: number): number {
    const { shares, groups, rule } = this.#plan;
    if (hit >= shares[standing.since]) {
      standing.since++;
      return MISS;
    }
    standing.since = 0;
    if (rule.featured === undefined) return HIT;
    const isFeatured = standing.guaranteed || half < groups[FEATURED].total;
    standing.guaranteed = !isFeatured;
    return isFeatured ? FEATURED : HIT;
  }
}

function entryOf(group: EntryGroup, share: number): number {
  return group.entries[positionIn(group, share)];
}
