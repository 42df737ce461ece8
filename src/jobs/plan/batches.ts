import type { BulkSpec } from "../types.js";

/**
 * A task of a bulk part makes this many results, and writes a file with a row for each result. It takes under a second.
 */
export const BULK_BATCH = { table: 2 ** 22, recipe: 2 ** 19, objects: 2 ** 18 } as const;

/** Maximum number of tasks of all bulk parts together, because their list must fit into memory. */
const MOST_BATCHES = 2 ** 20;
export const MANY_BATCHES =
  `at most ${MOST_BATCHES} tasks: ` +
  `a task makes ${BULK_BATCH.table} rolls, ${BULK_BATCH.recipe} items or ${BULK_BATCH.objects} objects`;

export function hasManyBatches(bulk: readonly BulkSpec[]): boolean {
  return batchesOf(bulk) > MOST_BATCHES;
}

export function batchesOf(bulk: readonly BulkSpec[]): number {
  return bulk.reduce((sum, spec) => sum + batchesIn(spec), 0);
}

export function batchesIn({ kind, count }: BulkSpec): number {
  return Math.ceil(count / BULK_BATCH[kind]);
}
