import type { LabelledSpec } from "./types.js";

/** Some entries of a list. An entry is picked with the probability weight / total. */
export interface EntryGroup {
  readonly entries: Uint32Array;
  /** For each entry, the sum of its weight and of the weights before it. */
  readonly ends: Float64Array;
  readonly total: number;
}

/** Returns the entries of positive weight whose labels are wanted. */
export function groupOf({ weights, labels }: LabelledSpec, isIn: (label: string | null) => boolean): EntryGroup {
  const entries = Uint32Array.from([...labels.keys()].filter((entry) => isIn(labels[entry]) && weights[entry] > 0));
  let total = 0;
  const ends = Float64Array.from(entries, (entry) => {
    total += weights[entry];
    return total;
  });
  return { entries, ends, total };
}

/** Returns the position of the first entry whose end exceeds `share`, which must be below the total. */
export function positionIn({ ends }: EntryGroup, share: number): number {
  let [least, most] = [0, ends.length - 1];
  while (least < most) {
    const middle = (least + most) >> 1;
    if (ends[middle] > share) most = middle;
    else least = middle + 1;
  }
  return least;
}
