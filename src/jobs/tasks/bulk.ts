import { type BatchCall, madeInBatches } from "../../calls/index.js";
import { located } from "../../errors/index.js";
import { type Column, parquetChunks } from "../../formats/index.js";
import type { MadeObjects, MakeObjectsOptions } from "../../objects/index.js";
import type { Items } from "../../recipes/index.js";
import type { Table, TableRolls } from "../../tables/index.js";
import { partName, putPart } from "../folder/part.js";
import { hashOf } from "../folder/store.js";
import { BULK_BATCH, countInBatch } from "../plan/parse.js";
import { batchOf } from "../plan/phases.js";
import type { BulkSpec } from "../types.js";
import type { TaskContext } from "./context.js";

export interface BulkMeta {
  readonly from: number;
  readonly count: number;
  readonly sha256: string;
}

export const PARQUET_SECTION = "parquet";

/** Number of results in memory at once, and number of rows in a row group of Parquet. */
const ROWS_PER_GROUP = 2 ** 16;

type Results = TableRolls<unknown> | Items | MadeObjects;

type BulkRange = Pick<BulkMeta, "from" | "count">;

export function makeBatch(context: TaskContext, k: number): void {
  const { part, batch } = batchOf(context.job, k);
  const spec = context.job.manifest.bulk[part];
  const from = batch * BULK_BATCH[spec.kind];
  const count = countInBatch(spec, batch);
  const bytes = Buffer.concat([...parquetChunks(bulkColumns(context, part, { from, count }))]);
  const meta: BulkMeta = { from, count, sha256: hashOf(bytes) };
  const section = { name: PARQUET_SECTION, bytes, isCompact: true };
  putPart(context.job, partName.bulk(spec.name, batch), [section], () => meta);
}

/** Yields at least one batch. A batch is valid until the next batch. Errors get the path of the bulk part. */
export function* bulkColumns(context: TaskContext, part: number, range: BulkRange): Generator<readonly Column[], void> {
  const { signal } = context;
  const batches = located(`bulk[${part}]`, () => batchesOf(context, context.job.manifest.bulk[part], range));
  for (;;) {
    signal?.throwIfAborted();
    const { done, value } = located(`bulk[${part}]`, () => batches.next());
    if (done) return;
    // the digest of a job covers these columns, so they must not change
    yield "contentColumns" in value ? value.contentColumns() : value.columns();
  }
}

function batchesOf(context: TaskContext, spec: BulkSpec, { from, count: total }: BulkRange): Generator<Results, void> {
  const { bulkMill: mill, job } = context;
  const { tables, recipes, objects } = job.spec.sources;
  const { name, source, options } = spec;
  const size = { total, size: ROWS_PER_GROUP };
  switch (spec.kind) {
    case "table": {
      const table: Table<string, unknown> = mill.table(name, tables.get(source) ?? missing(source));
      return madeInBatches(size, ({ done, count, again }: BatchCall<TableRolls<unknown>>) => {
        const request = { mode: "frozen", from: from + done } as const;
        return again === undefined ? table.rollMany(count, request) : table.rollInto(again, request);
      });
    }
    case "recipe": {
      const { spec: form, tables: words } = recipes.get(source) ?? missing(source);
      const recipe = mill.recipe(name, form, { tables: words });
      return madeInBatches(size, ({ done, count, again }: BatchCall<Items>) => {
        const request = { ...options, from: from + done };
        return again === undefined ? recipe.makeMany(count, request) : recipe.makeInto(again, request);
      });
    }
    case "objects": {
      const maker = mill.objects(name, objects.get(source) ?? missing(source));
      return madeInBatches(size, ({ done, count, again }: BatchCall<MadeObjects>) => {
        // the cast is safe: the maker checks the options, and refuses those without a level
        const request = { ...options, artifacts: false, from: from + done } as MakeObjectsOptions;
        return again === undefined ? maker.makeMany(count, request) : maker.makeInto(again, request);
      });
    }
  }
}

/** Never happens: the job was checked when it was loaded. */
export function missing(source: string): never {
  throw new Error(`the world of the job has no source ${source}`);
}
