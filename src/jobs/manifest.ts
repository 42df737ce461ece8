import { STREAM_VERSION } from "../address.js";
import { error, fail } from "../errors/index.js";
import { embeddedKernel } from "../kernel/embedded.js";
import { specOf } from "../spec/index.js";
import { compileWorld } from "../worlds/compile.js";
import { loadWorld, type WorldSpec } from "../worlds/index.js";
import type { WorldPlan } from "../worlds/types.js";
import type { JobSource } from "./load.js";
import { hashOf, readSealed, sealedText } from "./sealed.js";
import type { JobStore } from "./store/types.js";
import type { Manifest } from "./types.js";

/** Version of the files of a job. */
const FORMAT = 3;
export const MANIFEST = "manifest.json";
/** A shard usually has this many steps of walkers. They take some seconds. */
const STEPS_PER_SHARD = 2 ** 30;
/**
 * A layer has at least this many shards, so that several threads can share its work. With more shards, the merge would
 * take longer.
 */
const LEAST_SHARDS = 8;
const MOST_SHARDS = 4096;

/** A damaged manifest cannot be repaired, because no other file has its data. */
const REMEDY = "Restore the file from a backup, or start the job again in another folder with the same spec and seed";

/** A job that is ready to run. */
export interface OpenedJob {
  readonly manifest: Manifest;
  readonly spec: WorldSpec;
  readonly plan: WorldPlan;
}

/** Returns the manifest of a new job. */
export function manifestOf(
  { job, world, worldName, files, main }: JobSource,
  { seed, now, order }: Pick<Manifest, "seed" | "now" | "order">,
): Manifest {
  const { grid, layers } = world.walk;
  const isBounded = grid.kind !== "unbounded";
  const { extent = isBounded ? "grid" : "reached" } = job;
  const known = layers.map(({ name }) => name);
  const finite = layers.filter(({ scatter }) => scatter === undefined);
  return {
    format: FORMAT,
    stream: STREAM_VERSION,
    kernel: kernelHash(),
    name: job.name ?? worldName,
    world: worldName,
    seed,
    now,
    files,
    main,
    extent:
      extent === "grid" && isBounded
        ? { row0: 0, col0: 0, rows: grid.rows, cols: grid.cols }
        : (extent as Manifest["extent"]),
    visits: known.filter((name) => job.visits === undefined || job.visits.includes(name)),
    bulk: job.bulk,
    exports: job.exports,
    order,
    shards: Object.fromEntries(finite.map(({ name, walkers, steps }) => [name, shardsOf(walkers, steps)])),
  };
}

function shardsOf(walkers: number, steps: number): number {
  // walkers without steps visit their start cells, so they need a shard too
  const wanted = Math.max(1, Math.ceil((walkers * steps) / STEPS_PER_SHARD));
  // a multiple of 8, so that 2, 4 or 8 threads get equal numbers of shards
  return Math.min(walkers, LEAST_SHARDS * Math.ceil(wanted / LEAST_SHARDS), MOST_SHARDS);
}

/** Writes the manifest. */
export function putManifest(store: JobStore, manifest: Manifest): void {
  store.put(MANIFEST, [Buffer.from(sealedText(manifest))]);
}

/**
 * Reads the manifest of a job.
 *
 * @throws RollmillError `job.missing` if the folder has no job; `job.version` if the job was made with a kernel, a
 * stream or a format that this version does not have; `job.damaged`.
 */
export function readManifest(store: JobStore): Manifest {
  const manifest = readSealed(store, MANIFEST, REMEDY) as Manifest | undefined;
  const where = { file: store.place };
  if (manifest === undefined) {
    const remedy = "Start a job with `rollmill job start`";
    return fail(error("job.missing", { problem: "this folder contains no job", remedy, where }));
  }
  const own = { format: FORMAT, stream: STREAM_VERSION, kernel: kernelHash() };
  for (const key of ["format", "stream", "kernel"] as const) {
    if (manifest[key] === own[key]) continue;
    const problem = `another version of Rollmill started this job, with a different ${key}`;
    const remedy = "Go on with that version, because this version would make different bytes. Or start a new job";
    fail(error("job.version", { problem, got: manifest[key], expected: `${own[key]}`, remedy, where }));
  }
  return manifest;
}

/** Parses and compiles the world of a job, from the texts in its manifest. */
export async function openManifest(manifest: Manifest): Promise<OpenedJob> {
  const { files, main } = manifest;
  return openedOf(manifest, specOf(await loadWorld(main, (file) => files[file])));
}

/** Compiles the world of a job. `spec` is the world that the texts in the manifest describe. */
export function openedOf(manifest: Manifest, spec: WorldSpec): OpenedJob {
  return { manifest, spec, plan: compileWorld(spec, { name: manifest.world }) };
}

let ownKernel: string | undefined;

/** SHA-256 of the kernel of this version. */
function kernelHash(): string {
  ownKernel ??= hashOf(new Uint8Array(embeddedKernel()));
  return ownKernel;
}
