import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { csvChunks, parquetChunks } from "../../src/formats/index.js";
import { openPart, partName } from "../../src/jobs/folder/part.js";
import type { JobInput } from "../../src/jobs/index.js";
import { sectorsIn } from "../../src/jobs/plan/phases.js";
import { sectorName } from "../../src/jobs/plan/sectors.js";
import type { TaskContext } from "../../src/jobs/tasks/context.js";
import type { OrderedMeta } from "../../src/jobs/tasks/ordered.js";
import { drawOrdered } from "../../src/jobs/tasks/ordered.js";
import { placementBatches } from "../../src/jobs/tasks/placements.js";
import { checkSources } from "../../src/jobs/tasks/run.js";
import { createMill } from "../../src/mill.js";
import type { ObjectTexts } from "../../src/objects/index.js";
import { contentText } from "../../src/worlds/digest.js";
import type { PlacementInput, WorldInput } from "../../src/worlds/index.js";
import { refusalOf } from "../refusal.js";
import { openJob, runPhases, SEED, TO_CELLS } from "./smallJob.js";

const text = (file: string) => readFileSync(new URL(`../../data/dungeon/${file}.txt`, import.meta.url), "utf8");
const DUNGEON: ObjectTexts = {
  object: text("object"),
  objectBase: text("object_base"),
  egoItem: text("ego_item"),
  egoThemes: text("ego_themes"),
  artifact: text("artifact"),
};
const ORES = {
  roots: {
    i: {
      kind: "finite",
      records: [
        { id: "iron", mass: 3, quantity: 90 },
        { id: "gold", quantity: 20 },
      ],
      subpools: { rare: { records: ["gold"] } },
    },
  },
} as const;
const HOARD: PlacementInput = {
  name: "hoard",
  density: "1/1200",
  content: {
    objects: "gear",
    stock: "world",
    great: true,
    level: { from: 20, perCells: 100, most: 100 },
    on: { hill: { level: 60, good: true, great: false } },
  },
};
const PLACEMENTS: readonly PlacementInput[] = [
  { name: "ore", density: "1/3000", content: { pools: "ores", pool: "i", stock: "world" } },
  { name: "stone", density: "1/5000" },
  HOARD,
  { name: "chest", density: "1/5000", content: { table: "chest" } },
  {
    name: "camp",
    density: "1/4000",
    contents: {
      ore: { pools: "ores", pool: "i", stock: "world", on: { hill: { pool: "i.rare" } } },
      loot: { table: "chest" },
      spare: { pools: "ores", pool: "i", stock: "world" },
    },
  },
  { name: "nugget", density: "1/9000", on: ["hill"], content: { pools: "ores", pool: "i.rare", stock: "world" } },
];
/** Sectors with i and j below and above 0, and regions that the extent cuts. */
const EXTENT = { row0: -1100, col0: -900, rows: 1500, cols: 1400 };

function jobOf(
  placements: readonly PlacementInput[] = PLACEMENTS,
): Omit<JobInput, "world"> & { readonly world: WorldInput } {
  return {
    extent: EXTENT,
    world: {
      name: "land",
      layers: [{ name: "land" }],
      terrain: [{ terrain: "hill", when: { chance: "1/3" } }, { terrain: "plain" }],
      placements,
      pools: { ores: ORES },
      objects: { gear: DUNGEON },
      tables: { chest: { rows: [{ columns: [{ result: "gold", weight: 1, quantity: "2d6" }] }] } },
    },
  };
}

/** Draws the contents one by one, in the order of the placements of a window that is the whole extent. */
function naive({ world }: { readonly world: WorldInput }) {
  using mill = createMill({ seed: SEED });
  const opened = mill.world("land", world);
  // everything below is opened under the name of the world, in mills of its own
  using poolMill = createMill({ seed: SEED });
  using objectMill = createMill({ seed: SEED });
  const families = poolMill.pools("land", ORES).fork("contents");
  const makers = objectMill.objects("land", DUNGEON).fork("contents");
  const { row0, col0, rows, cols } = EXTENT;
  const window = opened.window({ row0, col0, rows, cols });
  return Array.from(window.placements, ({ row, col, kind, content }) => {
    const text = contentText(content);
    if (kind === "ore") return { row, col, kind, drawn: contentText(families.fork("ore").pool("i").draw()) };
    if (kind === "nugget") return { row, col, kind, drawn: contentText(families.fork("nugget").pool("i.rare").draw()) };
    const isHill = window.terrainAt(row, col)?.name === "hill";
    if (kind === "camp") {
      const pool = (name: string) => families.fork("camp").fork(name);
      const ore = pool("ore")
        .pool(isHill ? "i.rare" : "i")
        .draw();
      return { row, col, kind, text, drawn: contentText({ ore, spare: pool("spare").pool("i").draw() }) };
    }
    if (kind !== "hoard") return { row, col, kind, text };
    const [i, j] = [Math.floor(row / 256), Math.floor(col / 256)];
    const [down, right] = [i * 256 + 128, j * 256 + 128];
    const distance = Math.max(Math.abs(down), Math.abs(right), Math.abs(down + right));
    const options = isHill
      ? { level: 60, good: true, great: false }
      : { level: Math.min(100, 20 + Math.floor(distance / 100)), great: true };
    return { row, col, kind, drawn: contentText(makers.fork("hoard").make(options)) };
  });
}

function orderedOf(context: TaskContext) {
  const part = openPart<OrderedMeta>(context.job, partName.ordered);
  if (part === undefined) throw new Error("the part is missing");
  const sections = part.sections.map((name) => ({ name, bytes: Buffer.from(part.section(name) ?? []) }));
  return { meta: part.meta, sections };
}

describe("contents of one stock", () => {
  test("equal those of a loop over all placements that draws one by one", async () => {
    const job = jobOf();
    const context = await openJob(job);
    runPhases(context, [...TO_CELLS, "ordered"]);
    const wanted = naive(job);
    const sectorOf = ({ row, col }: { row: number; col: number }) =>
      sectorName({ i: Math.floor(row / 1024), j: Math.floor(col / 1024) });
    const { meta, sections } = orderedOf(context);
    expect(sections.map(({ name }) => name)).toEqual(["-2_-1", "-2_0", "-1_-1", "-1_0", "0_-1", "0_0"]);
    for (const { name, bytes } of sections) {
      const lines = wanted.flatMap((one) =>
        sectorOf(one) === name && one.drawn !== undefined ? [`${one.drawn}\n`] : [],
      );
      expect(bytes.toString() === lines.join(""), name).toBe(true);
    }
    const count = (kind: string) => wanted.filter((one) => one.kind === kind).length;
    expect(meta.counts).toEqual({
      ore: count("ore"),
      hoard: count("hoard"),
      camp: count("camp"),
      nugget: count("nugget"),
    });
    // the stock of 110 ores runs out several times
    expect(count("ore")).toBeGreaterThan(400);
    const hash = createHash("sha256");
    for (const { name, bytes } of sections) hash.update(Int32Array.from(name.split("_"), Number)).update(bytes);
    expect(meta.sha256).toBe(hash.digest("hex"));
    const artifacts = wanted.flatMap(({ kind, drawn }) =>
      kind === "hoard" ? (JSON.parse(drawn ?? "").artifact ?? []) : [],
    );
    expect(meta.artifacts).toEqual(artifacts.map(({ name }: { name: string }) => name).sort());
    expect(meta.artifacts.length).toBeGreaterThan(3);
  });

  test("do not depend on the order in which sectors are made and listed", async () => {
    const contexts = [
      await openJob(jobOf(), { order: "row" }),
      await openJob(jobOf(), { order: "concentric" }),
      await openJob(jobOf(), { order: "concentric" }),
    ];
    const orders = [
      (k: number[]) => k,
      (k: number[]) => k.reverse(),
      (k: number[]) => [...k.slice(2), ...k.slice(0, 2)],
    ];
    const results = contexts.map((context, n) => {
      runPhases(context, TO_CELLS, orders[n]);
      // a second run stores the same bytes
      drawOrdered(context);
      runPhases(context, ["ordered"]);
      return orderedOf(context);
    });
    expect(results[1]).toEqual(results[0]);
    expect(results[2]).toEqual(results[0]);
  });

  test("no artifact is made twice, even by two kinds that name the same files or other ones", async () => {
    const kinds = ["hoard", "vault"].map((name) => ({ ...HOARD, name }));
    const input = jobOf([
      ...kinds,
      {
        name: "grave",
        density: "1/1200",
        contents: {
          left: { objects: "more", stock: "world", level: 70, great: true },
          right: { objects: "gear", stock: "world", level: 70, great: true },
        },
      },
    ]);
    const context = await openJob({
      ...input,
      world: { ...input.world, objects: { gear: DUNGEON, more: { ...DUNGEON } } },
    });
    runPhases(context, [...TO_CELLS, "ordered"]);
    const { meta, sections } = orderedOf(context);
    const lines = sections.flatMap(({ bytes }) => bytes.toString().trimEnd().split("\n"));
    const objects = lines.flatMap((line) => {
      if (line === "") return [];
      const { left, right, ...object } = JSON.parse(line);
      return left === undefined ? [object] : [left, right];
    });
    const made = objects.map(({ artifact }) => artifact?.name as string | undefined);
    const artifacts = made.filter((name) => name !== undefined);
    expect(new Set(artifacts).size).toBe(artifacts.length);
    expect(meta.artifacts).toEqual([...artifacts].sort());
    expect(made).toHaveLength(meta.counts.hoard + meta.counts.vault + 2 * meta.counts.grave);
  });

  test("wrong options have the path of their kind, before the job runs", async () => {
    const context = await openJob(
      jobOf([
        { name: "ore", density: "1/9000", content: { pools: "ores", pool: "i", stock: "world" } },
        { ...HOARD, content: { objects: "gear", stock: "world", level: 3, kind: "no such kind" } },
      ]),
    );
    const { issues } = refusalOf(() => checkSources(context));
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([["object.name", "placements[1].content"]]);
  });

  test("a missing or damaged sector is an error with its file", async () => {
    const context = await openJob(jobOf());
    runPhases(context, TO_CELLS);
    context.job.store.remove(partName.cells({ i: -1, j: 0 }));
    const { code, issues } = refusalOf(() => drawOrdered(context));
    expect([code, issues[0].where.file?.endsWith("parts/cells/-1_0.part")]).toEqual(["job.damaged", true]);
    expect(context.job.store.sizeOf(partName.ordered)).toBeUndefined();
  });

  test("an aborted signal ends the pass, and no part is stored", async () => {
    const abort = new AbortController();
    const context = await openJob(jobOf(), { signal: abort.signal });
    runPhases(context, TO_CELLS);
    abort.abort(new Error("enough"));
    expect(() => drawOrdered(context)).toThrow("enough");
    expect(context.job.store.sizeOf(partName.ordered)).toBeUndefined();
  });
});

describe("placements of a job", () => {
  const batchesOf = ({ job, tables }: TaskContext) =>
    placementBatches({ job, sectors: sectorsIn(tables.extent, "row"), window: tables.extent });
  const rowsIn = (context: TaskContext) =>
    [...batchesOf(context)].flatMap(([row, col, kind, content]) => {
      if (row.kind !== "integer" || col.kind !== "integer" || kind.kind !== "word" || content.kind !== "text") {
        throw new Error("other columns");
      }
      const { words, indices } = kind;
      return content.values.map((text, k) => ({
        row: row.values[k],
        col: col.values[k],
        kind: words[indices[k]],
        text,
      }));
    });

  test("are those of the world by sector, with the ordered contents in their places", async () => {
    const job = jobOf();
    const context = await openJob(job, { order: "concentric" });
    runPhases(context, [...TO_CELLS, "ordered"]);
    const wanted = naive(job).map(({ row, col, kind, text, drawn }) => {
      const both = text !== undefined && drawn !== undefined;
      const whole = both ? JSON.stringify({ ...JSON.parse(text), ...JSON.parse(drawn) }) : (drawn ?? text ?? "");
      return { row, col, kind, text: whole };
    });
    const sector = ({ row, col }: { row: number; col: number }) => [Math.floor(row / 1024), Math.floor(col / 1024)];
    // the sort is stable: within a sector, the order of the world stays
    wanted.sort((a, b) => sector(a)[0] - sector(b)[0] || sector(a)[1] - sector(b)[1]);
    expect(rowsIn(context)).toEqual(wanted);
    const chunks = [...parquetChunks(batchesOf(context))];
    const file = Uint8Array.from(Buffer.concat(chunks)).buffer;
    const read = await parquetReadObjects({ file });
    expect(read).toEqual(wanted.map(({ text: content, ...place }) => ({ ...place, content })));
    const csv = Buffer.concat([...csvChunks(batchesOf(context))]).toString();
    expect(csv.split("\n", 2)).toEqual(["row,col,kind,content", expect.stringMatching(/^-\d+,-\d+,\w+,/)]);
  });

  test("come in batches of at most 65,536 rows", async () => {
    const dense = { name: "stone", density: "1/10" };
    const context = await openJob({ ...jobOf([dense]), extent: { row0: 0, col0: 0, rows: 1030, cols: 1030 } });
    runPhases(context, TO_CELLS);
    const lengths = [...batchesOf(context)].map(([row]) => (row.kind === "integer" ? row.values.length : 0));
    expect(lengths).toHaveLength(2);
    expect(lengths[0]).toBe(65_536);
    const { placements } = createMill({ seed: SEED })
      .world("land", jobOf([dense]).world)
      .window({ row0: 0, col0: 0, rows: 1030, cols: 1030 });
    expect(lengths[0] + lengths[1]).toBe(placements.length);
  });

  test("a world without kinds gives an empty batch", async () => {
    const context = await openJob({ ...jobOf([]), extent: { row0: 0, col0: 0, rows: 3, cols: 3 } });
    runPhases(context, TO_CELLS);
    expect(rowsIn(context)).toEqual([]);
    expect([...parquetChunks(batchesOf(context))].length).toBeGreaterThan(0);
  });
});
