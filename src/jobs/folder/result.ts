import type { Field, Shape, SpecReader } from "../../spec/index.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { regionsWith } from "../../worlds/costs.js";
import { digestOfRegions } from "../../worlds/digest.js";
import { hasManySectors } from "../plan/parse.js";
import { bulkPartsOf, hasOrdered, type JobTables, resultParts } from "../plan/phases.js";
import type { JobResult, JobTotals } from "../types.js";
import { logEvent } from "./control.js";
import { checkStillThere, type OpenedJob } from "./manifest.js";
import { type CellsMeta, COUNT, cellsMeta, hashedMeta, partName, partOf, type ReadMeta, rectangleIn } from "./part.js";
import { checkEqual, HASH, hashOf, parseData, putChecked, readChecked } from "./store.js";

export const RESULT = "result.json";

/** Returns undefined if the job is not finished. Throws `file.read`; `job.damaged`, also for another job's result. */
export function readResult(job: OpenedJob): JobResult | undefined {
  const { store } = job;
  const given = readChecked(store, RESULT);
  return given && parseData({ store, name: RESULT }, given, (reader, root) => resultIn(reader, root, job));
}

function resultIn(reader: SpecReader, root: Field, job: OpenedJob): JobResult {
  const fields = reader.record(root);
  const hash = (key: string) => HASH.read(reader, fields.get(key));
  checkEqual(reader, fields.get("job"), job.hash, "the file is the result of another job");
  const extent = extentIn(reader, fields.get("extent"), job.manifest.extent);
  const bulk = job.manifest.bulk.map(nameOf);
  return {
    digest: hash("digest"),
    world: hash("world"),
    ...(hasOrdered(job) ? { ordered: hash("ordered") } : {}),
    bulk: entriesIn(reader, fields.get("bulk"), bulk, HASH),
    extent,
    totals: totalsIn(reader, fields.get("totals"), job),
    parts: entriesIn(reader, fields.get("parts"), resultParts(job, extent), HASH),
  };
}

function extentIn(reader: SpecReader, at: Field, known: OpenedJob["manifest"]["extent"]): CellRectangle {
  const extent = rectangleIn(reader, at);
  const isKnown = known === "reached" || SIDES.every((side) => extent[side] === known[side]);
  const { rows, cols } = extent;
  if (isKnown && rows > 0 === cols > 0 && !hasManySectors(extent)) return extent;
  reader.report(at, { problem: "the job cannot have this extent", got: at.value });
  return { row0: 0, col0: 0, rows: 0, cols: 0 };
}

const SIDES = ["row0", "col0", "rows", "cols"] as const;

function totalsIn(reader: SpecReader, at: Field, { spec }: OpenedJob): JobTotals {
  const fields = reader.record(at);
  return {
    cells: COUNT.read(reader, fields.get("cells")),
    steps: COUNT.read(reader, fields.get("steps")),
    terrain: entriesIn(reader, fields.get("terrain"), spec.terrains.map(nameOf), COUNT),
    placements: entriesIn(reader, fields.get("placements"), spec.placements.map(nameOf), COUNT),
  };
}

function nameOf({ name }: { readonly name: string }): string {
  return name;
}

function entriesIn<Value>(
  reader: SpecReader,
  at: Field,
  names: readonly string[],
  of: Shape<unknown, Value>,
): Readonly<Record<string, Value>> {
  const fields = reader.record(at);
  const known = new Set(names);
  const other = fields.keys.find((key) => !known.has(key));
  if (other !== undefined)
    reader.report(fields.get(other), { problem: "the job has no entry with this name", got: other });
  return Object.fromEntries([...known].map((name) => [name, of.read(reader, fields.get(name))]));
}

/** Writes the last file of a job, which marks the job as finished. Reads only the heads of the parts. */
export function finishJob(job: OpenedJob, tables: JobTables): JobResult {
  const { store, manifest } = job;
  checkStillThere(store);
  const parts: [string, string][] = [];
  const open = <Meta>(name: string, readMeta: ReadMeta<Meta>): Meta => {
    const part = partOf(job, name, readMeta);
    parts.push([name, part.sha256]);
    return part.meta;
  };
  const hashAt = (name: string) => open(name, hashedMeta).sha256;
  const cells = tables.sectors.map((sector) => open(partName.cells(sector), cellsMeta(job)));
  const ordered = hasOrdered(job) ? hashAt(partName.ordered) : undefined;
  const bulk = Object.fromEntries(
    manifest.bulk.map((spec) => [spec.name, hashOf(bulkPartsOf(spec).map(hashAt).join(""))]),
  );
  const regions = cells.flatMap(({ digests }) => digests).sort((a, b) => a.i - b.i || a.j - b.j);
  const world = digestOfRegions(regions);
  const digest = hashOf(JSON.stringify({ world, ordered, bulk }));
  const result: JobResult = {
    digest,
    world,
    ...(ordered === undefined ? {} : { ordered }),
    bulk,
    extent: tables.extent,
    totals: totalsOf(job, tables, cells),
    parts: Object.fromEntries(parts),
  };
  // with the SHA-256 of the manifest, so that the result of another job is not accepted
  putChecked(store, RESULT, { job: job.hash, ...result });
  logEvent(store, "finished", { digest });
  return result;
}

function totalsOf({ spec, plan }: OpenedJob, tables: JobTables, sectors: readonly CellsMeta[]): JobTotals {
  const sum = (named: readonly { readonly name: string }[], key: "terrain" | "placements") =>
    Object.fromEntries(named.map(({ name }, n) => [name, sectors.reduce((total, one) => total + one[key][n], 0)]));
  let steps = 0;
  for (const [layer, { scatter, walkers, steps: each }] of plan.walk.layers.entries()) {
    if (scatter === undefined) for (const { meta } of tables.shardParts(layer)) steps += meta.steps;
    // computed, not counted: how often a region is walked depends on the order of tasks and on the memory
    else steps += regionsWith(tables.extent, spec.grid, scatter.side) * walkers * each;
  }
  return {
    cells: sectors.reduce((total, { rows, cols }) => total + rows * cols, 0),
    steps,
    terrain: sum(spec.terrains, "terrain"),
    placements: sum(spec.placements, "placements"),
  };
}
