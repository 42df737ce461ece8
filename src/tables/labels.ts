import type { TableSpec } from "./types.js";

/** Maps labels to row numbers. A label of several rows maps to {@link AMBIGUOUS}. */
export type Labels = ReadonlyMap<string, number>;

/** Replaces the row number if several rows have the same label. */
export const AMBIGUOUS = -1;

/** Maps labels to row numbers. `labels` has one entry for each row, in order. */
export function labelsOf(labels: Iterable<string | undefined>): Labels {
  const rows = new Map<string, number>();
  let row = 0;
  for (const label of labels) {
    if (label !== undefined && label !== "") rows.set(label, rows.has(label) ? AMBIGUOUS : row);
    row++;
  }
  return rows;
}

/** Caches the result of {@link labelsIn}. Most tables are never searched by label, so they have no entry. */
const known = new WeakMap<TableSpec, Labels>();

/** Returns the row number of each label of a table. Cost: O(rows) at the first use. */
export function labelsIn(spec: TableSpec): Labels {
  const before = known.get(spec);
  if (before !== undefined) return before;
  const found = labelsOf(spec.rows.map(({ label }) => label));
  known.set(spec, found);
  return found;
}
