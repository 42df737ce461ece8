import { digestOfRegions } from "../worlds/digest.js";
import type { TaskContext } from "./context.js";
import { logEvent } from "./control.js";
import { Part } from "./part.js";
import { phasesOf } from "./plan.js";
import { failDamaged, hashOf, readSealed, sealedText } from "./sealed.js";
import type { JobStore } from "./store/types.js";
import type { CellsMeta } from "./tasks/cells.js";
import type { JobResult, JobTotals } from "./types.js";

export const RESULT = "result.json";

/** The phases `ordered` and `bulk` write parts. This is the data in the head of each such part. */
interface HashedMeta {
  readonly sha256: string;
}

/** Reads the result of a job. Returns undefined if the job is not finished. */
export function readResult(store: JobStore): JobResult | undefined {
  return readSealed(store, RESULT) as JobResult | undefined;
}

/**
 * Writes the result of a job, and logs it. The result is the last file of a job, so it marks the job as finished. All
 * tasks must be finished. Reads only the heads of the parts.
 */
export function finishJob(context: Pick<TaskContext, "job" | "store" | "tables">): JobResult {
  const { job, store, tables } = context;
  const parts: [string, string][] = [];
  const open = <Meta>(name: string): Meta => {
    const part = Part.open<Meta>(store, name) ?? failDamaged(store, name);
    parts.push([name, part.sha256]);
    return part.meta;
  };
  const phase = (kind: string) => phasesOf(job).filter((one) => one.kind === kind);
  const cells = phase("cells").flatMap((one) => tables.tasks(one).map(({ part }) => open<CellsMeta>(part)));
  const [ordered] = phase("ordered").flatMap((one) =>
    tables.tasks(one).map(({ part }) => open<HashedMeta>(part).sha256),
  );
  const batches = phase("bulk").flatMap((one) => tables.tasks(one).map(({ part }) => open<HashedMeta>(part).sha256));
  const bulk = bulkHashes(context, batches);
  const regions = cells.flatMap(({ digests }) => digests).sort((a, b) => a.i - b.i || a.j - b.j);
  const world = digestOfRegions(regions);
  const digest = hashOf(JSON.stringify({ world, ordered, bulk }));
  const result: JobResult = {
    digest,
    world,
    ...(ordered === undefined ? {} : { ordered }),
    bulk,
    extent: tables.extent,
    totals: totalsOf(context, cells),
    parts: Object.fromEntries(parts),
  };
  store.put(RESULT, [Buffer.from(sealedText(result))]);
  logEvent(store, "finished", { digest });
  return result;
}

/** Returns the hash of each bulk part: the SHA-256 of the hashes of its batches, in order. */
function bulkHashes({ job, tables }: Pick<TaskContext, "job" | "tables">, batches: readonly string[]) {
  const hashes: [string, string][] = [];
  let from = 0;
  for (const { name, batches: count } of tables.bulkParts) {
    hashes.push([name, hashOf(batches.slice(from, from + count).join(""))]);
    from += count;
  }
  return Object.fromEntries(hashes.slice(0, job.manifest.bulk.length));
}

function totalsOf({ job, tables }: Pick<TaskContext, "job" | "tables">, sectors: readonly CellsMeta[]): JobTotals {
  const { spec, plan } = job;
  const sum = (names: readonly string[], countsOf: (sector: CellsMeta) => readonly number[]) =>
    Object.fromEntries(names.map((name, n) => [name, sectors.reduce((total, one) => total + countsOf(one)[n], 0)]));
  let steps = 0;
  for (const [layer, { scatter }] of plan.walk.layers.entries()) {
    if (scatter === undefined) for (const { meta } of tables.shardParts(layer)) steps += meta.steps;
  }
  return {
    cells: sectors.reduce((total, { rows, cols }) => total + rows * cols, 0),
    steps,
    terrain: sum(
      spec.terrains.map(({ name }) => name),
      ({ terrain }) => terrain,
    ),
    placements: sum(
      spec.placements.map(({ name }) => name),
      ({ placements }) => placements,
    ),
  };
}
