import { error, fail, failOnErrors, type Issue } from "../../errors/index.js";
import { parseLocalTime } from "../../localTime.js";
import {
  choice,
  integer,
  list,
  namedValues,
  record,
  type Shape,
  type SpecOf,
  shape,
  specOf,
  TEXT,
} from "../../spec/index.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { compileWorld } from "../../worlds/compile.js";
import { loadWorld, type WorldSpec } from "../../worlds/index.js";
import type { WorldPlan } from "../../worlds/types.js";
import { CODE_HASH } from "../codeHash.js";
import { JobKeys } from "../plan/keys.js";
import { type JobSource, misfits } from "../plan/load.js";
import { bulkOf, EXPORTS, EXTENT, storedEntry } from "../plan/parse.js";
import type { BulkSpec, ExportName, SectorOrder } from "../types.js";
import { ANY_TEXT, checksumOf, type FolderStore, HASH, parseData, readChecked } from "./store.js";

const FORMAT = 5;
export const MANIFEST = "manifest.json";
/** Number of walker steps of a usual shard, which take some seconds. */
const STEPS_PER_SHARD = 2 ** 30;
/** With this many shards, several threads can share the work. With more shards, the merge would take longer. */
const MIN_SHARDS = 8;
const MAX_SHARDS = 4096;

const REMEDY = "Restore the file from a backup, or start the job again in another folder with the same spec and seed";

const OTHER_BUILD = "Finish the job with the build that started it, or start a job with this build in another folder";

const LOCAL_TIME = shape<unknown, string>((reader, at) => {
  const now = ANY_TEXT.read(reader, at);
  if (parseLocalTime(now) === undefined) reader.report(at, { problem: "not a local time", got: now });
  return now;
}, {});
const BOUNDED_OR_REACHED = shape<unknown, "reached" | CellRectangle>((reader, at) => {
  if (at.value === "reached") return "reached";
  const extent = EXTENT.read(reader, at);
  if (typeof extent === "object") return extent;
  reader.report(at, { problem: "not a rectangle", got: at.value });
  return { row0: 0, col0: 0, rows: 0, cols: 0 };
}, {});
const STORED_BULK = shape<unknown, readonly BulkSpec[]>((reader, at) => bulkOf(reader, at, storedEntry), {});
export const ORDERS: [SectorOrder, ...SectorOrder[]] = ["concentric", "row"];

/** Everything that decides the result of a job: not the threads, machines or memory. The file never changes. */
const STORED_MANIFEST = record({
  format: integer({}),
  /** SHA-256 of the library's code. Only the same code may do the tasks. */
  code: HASH,
  name: ANY_TEXT,
  /** The name of the world, which selects its random numbers. */
  world: ANY_TEXT,
  seed: ANY_TEXT,
  now: LOCAL_TIME,
  /** The text of each file of the world, by path. So a machine needs no files outside the job's folder. */
  files: entries(ANY_TEXT),
  main: ANY_TEXT,
  extent: BOUNDED_OR_REACHED,
  /** The layers whose visits the job keeps, in the order of the world. */
  visits: list(TEXT, { of: "names of layers" }),
  bulk: STORED_BULK,
  exports: EXPORTS as Shape<unknown, readonly ExportName[]>,
  order: choice(ORDERS),
  /** The number of shards of each finite layer, by name of the layer. A shard is the range of walkers of one task. */
  shards: entries(integer({ least: 1, most: MAX_SHARDS })),
});
export type Manifest = SpecOf<typeof STORED_MANIFEST>;

function entries<T>(of: Shape<unknown, T>): Shape<unknown, Readonly<Record<string, T>>> {
  return shape((reader, at) => Object.fromEntries(namedValues(of).read(reader, at)), {});
}

/** A job in its folder. All functions that work on a job get this record. */
export interface OpenedJob {
  readonly store: FolderStore;
  readonly manifest: Manifest;
  /** SHA-256 of the manifest. The file `manifest.json` ends with it. */
  readonly hash: string;
  /** Undefined if another build started the job: it may compute other keys. */
  readonly keys: JobKeys | undefined;
  readonly spec: WorldSpec;
  readonly plan: WorldPlan;
  /** An earlier job, whose parts with the same keys this job takes. */
  readonly from?: OpenedJob;
}

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
    code: CODE_HASH,
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
  return Math.min(walkers, MIN_SHARDS * Math.ceil(wanted / MIN_SHARDS), MAX_SHARDS);
}

function readManifest(store: FolderStore): Manifest {
  const given = readChecked(store, MANIFEST, REMEDY);
  const where = { file: store.place };
  if (given === undefined) {
    const remedy = "Start a job with `rollmill job start`";
    return fail(error("job.missing", { problem: "this folder contains no job", remedy, where }));
  }
  const { format } = given as Partial<Manifest>;
  if (format !== FORMAT) {
    const problem = "another version of Rollmill started this job, and the job's files have another format";
    fail(error("job.version", { problem, got: format, expected: `${FORMAT}`, remedy: OTHER_BUILD, where }));
  }
  return parseData({ store, name: MANIFEST, remedy: REMEDY }, given, (reader, root) => {
    const manifest = STORED_MANIFEST.read(reader, root);
    const { files, main } = manifest;
    if (!Object.hasOwn(files, main)) reader.report(root.part("main"), { problem: "not a path in `files`", got: main });
    return manifest;
  });
}

/** Throws if another build started the job: this build may make other parts. Any build may read, pause or cancel it. */
export function refuseOtherBuild({ manifest: { code }, store }: OpenedJob): void {
  if (code === CODE_HASH) return;
  const problem = "another build of Rollmill started this job, with other code";
  const where = { file: store.place };
  fail(error("job.version", { problem, got: code, expected: CODE_HASH, remedy: OTHER_BUILD, where }));
}

/** Throws if the manifest is missing: without it, nobody can use the parts. */
export function checkStillThere(store: FolderStore): void {
  if (store.sizeOf(MANIFEST) !== undefined) return;
  const problem = "the job's folder, or the manifest.json in it, was moved or deleted while the job was running";
  const remedy = "Move the folder back, or resume the job in its new place";
  fail(error("job.missing", { problem, remedy, where: { file: store.place } }));
}

/** Throws `job.missing`, `job.version`, `job.damaged`, `file.read`; the errors of the world. */
export async function openManifest(store: FolderStore, manifest = readManifest(store)): Promise<OpenedJob> {
  const { files, main } = manifest;
  const read = (file: string) => (Object.hasOwn(files, file) ? files[file] : undefined);
  const world = specOf(await loadWorld(main, read));
  const flaws = [...misfits(manifest, world), ...shardFlaws(manifest, world)];
  failOnErrors(flaws.map((flaw) => ({ ...flaw, code: "job.damaged", where: { ...flaw.where, file: MANIFEST } })));
  return openedOf(store, manifest, world);
}

function* shardFlaws({ shards }: Manifest, { walk }: WorldSpec): Generator<Issue, void> {
  const finite = walk.layers.filter(({ scatter }) => scatter === undefined);
  for (const { name, walkers } of finite) {
    const count = Object.hasOwn(shards, name) ? shards[name] : 0;
    if (count >= 1 && count <= walkers) continue;
    const where = { path: `shards.${name}` };
    const expected = `1 to ${walkers} shards, because the layer has ${walkers} walkers`;
    yield error("job.damaged", { problem: "invalid number of shards", got: count, expected, remedy: REMEDY, where });
  }
}

export function openedOf(store: FolderStore, manifest: Manifest, spec: WorldSpec): OpenedJob {
  const plan = compileWorld(spec, { name: manifest.world });
  const keys = manifest.code === CODE_HASH ? new JobKeys(manifest, plan) : undefined;
  return { store, manifest, hash: checksumOf(manifest), keys, spec, plan };
}
