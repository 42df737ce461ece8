import { createHash } from "node:crypto";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { toCsv } from "../../src/formats/index.js";
import { openPart, partName } from "../../src/jobs/folder/part.js";
import type { BulkInput, JobInput } from "../../src/jobs/index.js";
import { jobOf as parsedJob } from "../../src/jobs/plan/load.js";
import { BULK_BATCH } from "../../src/jobs/plan/parse.js";
import { batchOf } from "../../src/jobs/plan/phases.js";
import { type BulkMeta, bulkColumns, makeBatch, PARQUET_SECTION } from "../../src/jobs/tasks/bulk.js";
import type { TaskContext } from "../../src/jobs/tasks/context.js";
import { checkSources } from "../../src/jobs/tasks/run.js";
import { createMill } from "../../src/mill.js";
import { nameOf } from "../../src/objects/index.js";
import type { Recipe } from "../../src/recipes/index.js";
import { SMALL } from "../objects/small.js";
import { refusalOf } from "../refusal.js";
import { openJob, SEED } from "./smallJob.js";

const CHEST = {
  rows: [
    {
      columns: [
        { result: "gold", weight: 7, quantity: "2d6+1" },
        { result: "gem", weight: 2 },
        { result: null, weight: 1 },
      ],
    },
  ],
};
const WORLD = {
  layers: [{ name: "land" }],
  tables: { chest: CHEST },
  recipes: { arms: "weapon" },
  objects: { gear: SMALL },
};
const ROLLS = BULK_BATCH.table + 3;
const ITEMS = 2 * BULK_BATCH.recipe + 5;
const OBJECTS = BULK_BATCH.objects + 70_001;
const BULK: readonly BulkInput[] = [
  // the name of the world is no obstacle
  { name: "world", table: "chest", count: ROLLS },
  { name: "rack", recipe: "arms", count: ITEMS, tier: 3, request: { type: "sword" } },
  { name: "vault", objects: "gear", count: OBJECTS, level: 30, good: true },
];

function jobWith(bulk: readonly BulkInput[]): JobInput {
  return { world: WORLD, bulk };
}

/** The file and the meta of each batch of a part. */
function batchesOf(context: TaskContext, name: string, count: number) {
  return Array.from({ length: count }, (_, batch) => {
    const part = openPart<BulkMeta>(context.job, partName.bulk(name, batch));
    const bytes = part?.section(PARQUET_SECTION) ?? new Uint8Array();
    return { meta: part?.meta, bytes, file: Uint8Array.from(bytes).buffer };
  });
}

const rowsOf = async (file: ArrayBuffer, range: { rowStart: number; rowEnd: number }) =>
  parquetReadObjects({ file, ...range });

describe("bulk parts", () => {
  test("equal single calls, in every order of the batches", async () => {
    const context = await openJob(jobWith(BULK));
    // the batches of the parts: 2, 3 and 2
    for (const k of [6, 0, 3, 1, 5, 2, 4]) makeBatch(context, k);
    using mill = createMill({ seed: SEED });
    const table = mill.table("world", CHEST);
    const recipe: Recipe = mill.recipe("rack", "weapon");
    const maker = mill.objects("vault", SMALL);

    const rolls = batchesOf(context, "world", 2);
    expect(rolls.map(({ meta }) => [meta?.from, meta?.count])).toEqual([
      [0, BULK_BATCH.table],
      [BULK_BATCH.table, 3],
    ]);
    const lastRolls = await rowsOf(rolls[1].file, { rowStart: 0, rowEnd: 3 });
    const firstRolls = await rowsOf(rolls[0].file, { rowStart: 65_500, rowEnd: 65_600 });
    for (const [from, found] of [
      [BULK_BATCH.table, lastRolls],
      [65_500, firstRolls],
    ] as const) {
      for (const [r, row] of found.entries()) {
        const roll = table.roll({ at: from + r, mode: "frozen" }) as { result: string; quantity: number } | null;
        expect(row).toEqual({ result: roll?.result ?? null, quantity: roll?.quantity ?? 0 });
      }
    }

    const items = batchesOf(context, "rack", 3);
    expect(items.map(({ meta }) => meta?.count)).toEqual([BULK_BATCH.recipe, BULK_BATCH.recipe, 5]);
    const found = await rowsOf(items[1].file, { rowStart: 65_530, rowEnd: 65_545 });
    for (const [r, row] of found.entries()) {
      const at = BULK_BATCH.recipe + 65_530 + r;
      const { name, attack } = recipe.make({ at, tier: 3, request: { type: "sword" } });
      expect([row.name, row.attack]).toEqual([name, attack]);
      expect(row.type).toBe("sword");
    }

    const objects = batchesOf(context, "vault", 2);
    expect(objects.map(({ meta }) => [meta?.from, meta?.count])).toEqual([
      [0, BULK_BATCH.objects],
      [BULK_BATCH.objects, 70_001],
    ]);
    for (const [r, row] of (await rowsOf(objects[1].file, { rowStart: 65_530, rowEnd: 65_560 })).entries()) {
      const at = BULK_BATCH.objects + 65_530 + r;
      const object = maker.make({ at, level: 30, good: true, artifacts: false });
      expect(row.name).toBe(nameOf(maker.files, object));
      expect([row.index, row.to_hit]).toEqual([BigInt(at), object.toHit]);
      expect(row.artifact).toBeNull();
    }
    for (const { meta, bytes } of [...rolls, ...items, ...objects]) {
      expect(meta?.sha256).toBe(createHash("sha256").update(bytes).digest("hex"));
    }
  });

  test("have row groups of 65,536 rows", async () => {
    const context = await openJob(jobWith([{ name: "rack", recipe: "arms", count: 140_000 }]));
    makeBatch(context, 0);
    const [{ file }] = batchesOf(context, "rack", 1);
    expect(parquetMetadata(file).row_groups.map(({ num_rows: rows }) => Number(rows))).toEqual([65_536, 65_536, 8928]);
  });

  test("a batch is the same alone and after other batches", async () => {
    const bulk: readonly BulkInput[] = [{ name: "vault", objects: "gear", count: OBJECTS, level: 30, good: true }];
    const [one, other] = [await openJob(jobWith(bulk)), await openJob(jobWith(bulk))];
    for (const k of [0, 1]) makeBatch(one, k);
    makeBatch(other, 1);
    expect(batchesOf(other, "vault", 2)[1].meta).toEqual(batchesOf(one, "vault", 2)[1].meta);
  });

  test("every row equals the result of a bulk call", async () => {
    const context = await openJob(jobWith(BULK));
    using mill = createMill({ seed: SEED });
    const items = mill.recipe("rack", "weapon");
    const asked = { tier: 3, request: { type: "sword" } };
    let from = 10;
    for (const columns of bulkColumns(context, 1, { from, count: 70_000 })) {
      const wanted = items.makeMany(from === 10 ? 65_536 : 4464, { ...asked, from });
      expect(toCsv(columns) === toCsv(wanted.contentColumns())).toBe(true);
      from += wanted.length;
    }
    expect(from).toBe(70_010);
  });

  test("the tasks are the batches of the parts, one part after another", async () => {
    const { job } = await openJob(jobWith(BULK));
    const batches = Array.from({ length: 7 }, (_, k) => batchOf(job, k));
    expect(batches.map(({ part, batch }) => `${part} ${batch}`)).toEqual([
      "0 0",
      "0 1",
      "1 0",
      "1 1",
      "1 2",
      "2 0",
      "2 1",
    ]);
  });

  test("wrong options have the path of their part, before the job runs", async () => {
    const context = await openJob(
      jobWith([
        { name: "rack", recipe: "arms", count: 1, request: { typ: "sword" } },
        { name: "chest", table: "chest", count: 1 },
        { name: "vault", objects: "gear", count: 1, level: 30, kind: "Krs" },
        { name: "cellar", objects: "gear", count: 1 } as BulkInput,
      ]),
    );
    const { issues } = refusalOf(() => checkSources(context));
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([
      ["recipe.request", "bulk[0].request.typ"],
      ["object.name", "bulk[2]"],
      ["argument.range", "bulk[3]"],
    ]);
    expect(refusalOf(() => makeBatch(context, 2)).message).toBe(
      issues[1] && `bulk[2]: ${issues[1].message} [object.name]`,
    );
  });

  test("a part has at most as many objects as their column of indices can count", () => {
    const { issues } = parsedJob(jobWith([{ name: "vault", objects: "gear", count: 2 ** 32 + 1, level: 3 }]));
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([["job.spec", "bulk[0].count"]]);
    expect(parsedJob(jobWith([{ name: "rack", recipe: "arms", count: 2 ** 36 }])).issues).toEqual([]);
  });

  test("an aborted signal ends a batch, and no part is stored", async () => {
    const abort = new AbortController();
    const context = await openJob(jobWith(BULK), { signal: abort.signal });
    abort.abort(new Error("enough"));
    expect(() => makeBatch(context, 0)).toThrow("enough");
    expect(context.job.store.list("parts")).toEqual([]);
  });
});
