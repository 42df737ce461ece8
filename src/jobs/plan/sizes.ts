import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import { type CellRectangle, countOf, regionsNear } from "../../walks/rectangles.js";
import type { BulkSpec } from "../types.js";

/** Results of a task of a bulk part. It takes under a second. */
export const BULK_BATCH = { table: 2 ** 22, recipe: 2 ** 19, objects: 2 ** 18 } as const;

/** The lists of sectors and of bulk tasks must fit into memory. */
const MAX_SECTORS = 2 ** 20;
export const MAX_BATCHES = 2 ** 20;
export const MANY_SECTORS = `at most ${MAX_SECTORS} sectors of ${SECTOR_SIDE} × ${SECTOR_SIDE} cells`;
export const MANY_BATCHES =
  `at most ${MAX_BATCHES} tasks: ` +
  `a task makes ${BULK_BATCH.table} rolls, ${BULK_BATCH.recipe} items or ${BULK_BATCH.objects} objects`;

export function hasManySectors(extent: CellRectangle): boolean {
  return countOf(regionsNear(extent, { side: SECTOR_SIDE })) > MAX_SECTORS;
}

/** Of all tasks of the phase `bulk`. */
export function batchesOf(bulk: readonly BulkSpec[]): number {
  return bulk.reduce((sum, spec) => sum + batchesIn(spec), 0);
}

export function batchesIn({ kind, count }: BulkSpec): number {
  return Math.ceil(count / BULK_BATCH[kind]);
}
