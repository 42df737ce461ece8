import type { TableSpec } from "./types.js";

/** Row numbers by label. If several rows have the same label, the number is {@link AMBIGUOUS}. */
export type Labels = ReadonlyMap<string, number>;

export const AMBIGUOUS = -1;

export function labelsOf(labels: Iterable<string | undefined>): Labels {
  const rows = new Map<string, number>();
  let row = 0;
  for (const label of labels) {
    if (label !== undefined && label !== "") rows.set(label, rows.has(label) ? AMBIGUOUS : row);
    row++;
  }
  return rows;
}

const known = new WeakMap<TableSpec, Labels>();

/** Cost: O(rows) at the first use. */
export function labelsIn(spec: TableSpec): Labels {
  const before = known.get(spec);
  if (before !== undefined) return before;
  const found = labelsOf(spec.rows.map(({ label }) => label));
  known.set(spec, found);
  return found;
}
