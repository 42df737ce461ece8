import type { TableSpec } from "./types.js";

/** Maps labels of rows to the numbers of the rows. A label that several rows have leads to {@link AMBIGUOUS}. */
export type Labels = ReadonlyMap<string, number>;

/** Stands for the row of a label that several rows have. */
export const AMBIGUOUS = -1;

/** Maps labels to row numbers. The labels are given in the order of the rows. */
export function labelsOf(labels: Iterable<string | undefined>): Labels {
  const rows = new Map<string, number>();
  let row = 0;
  for (const label of labels) {
    if (label !== undefined && label !== "") rows.set(label, rows.has(label) ? AMBIGUOUS : row);
    row++;
  }
  return rows;
}

/** Caches the labels of a table at the first search by label. Most tables need no such search. */
const known = new WeakMap<TableSpec, Labels>();

/** Returns the rows of the labels of a table. Cost: O(rows) at the first use. */
export function labelsIn(spec: TableSpec): Labels {
  const before = known.get(spec);
  if (before !== undefined) return before;
  const found = labelsOf(spec.rows.map(({ label }) => label));
  known.set(spec, found);
  return found;
}
