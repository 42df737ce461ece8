import { sumsByResult } from "../../calls/index.js";
import { type EntryGroup, groupOf, positionIn } from "../entryGroup.js";
import type { NoRepeatsSpec } from "./parse.js";

export interface NoRepeatsPlan extends ReturnType<typeof compileNoRepeats> {}

export function compileNoRepeats({ list, within }: NoRepeatsSpec) {
  const { labels, weights, quantities } = list;
  const group = groupOf(list, () => true);
  const positions = new Map<string | null, number[]>();
  for (const [position, entry] of group.entries.entries()) {
    const known = positions.get(labels[entry]);
    if (known === undefined) positions.set(labels[entry], [position]);
    else known.push(position);
  }
  /** `totals` has the sum of the weights of each label; `positions` the places of its entries in the group. */
  return { labels, quantities, within, group, positions, totals: sumsByResult(labels, weights) };
}

/** Returns the sum of the weights of all entries but those of the labels `recent`. */
export function totalWithout({ group, totals }: NoRepeatsPlan, recent: readonly (string | null)[]): number {
  return recent.reduce((sum, label) => sum - (totals.get(label) ?? 0), group.total);
}

/** Returns the entry of a prefix pick over all entries but those of `recent`. `share` is below {@link totalWithout}. */
export function entryWithout(plan: NoRepeatsPlan, recent: readonly (string | null)[], share: number): number {
  const { group, positions } = plan;
  const left = recent.flatMap((label) => positions.get(label) ?? []).sort((a, b) => a - b);
  let place = share;
  for (const position of left) {
    const start = startOf(group, position);
    if (place < start) break;
    place += group.ends[position] - start;
  }
  return group.entries[positionIn(group, place)];
}

function startOf({ ends }: EntryGroup, position: number): number {
  return position === 0 ? 0 : ends[position - 1];
}
