import { error, fail, failOnErrors, type Issue } from "../../errors/index.js";
import { parseLocalTime } from "../../localTime.js";
import { type Field, type SpecReader, specOf } from "../../spec/index.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import { compileWorld } from "../../worlds/compile.js";
import { loadWorld, type WorldSpec } from "../../worlds/index.js";
import type { WorldPlan } from "../../worlds/types.js";
import { CODE_HASH } from "../codeHash.js";
import { type JobSource, misfits } from "../plan/load.js";
import { bulkOf, EXPORTS, EXTENT, storedEntry } from "../plan/parse.js";
import type { Manifest, SectorOrder } from "../types.js";
import { checkedText, checksumOf, hashIn, parseData, readChecked } from "./checked.js";
import type { FolderStore } from "./store.js";

const FORMAT = 4;
export const MANIFEST = "manifest.json";
/** Steps of a usual shard. They take some seconds. */
const STEPS_PER_SHARD = 2 ** 30;
/** Several threads can share the work on this many shards. With more shards, the merge would take longer. */
const MIN_SHARDS = 8;
const MAX_SHARDS = 4096;

const REMEDY = "Restore the file from a backup, or start the job again in another folder with the same spec and seed";

const OTHER_BUILD = "Finish the job with the build that started it, or start a new job in another folder with this one";

/** A job in its folder: the one record that everything works on. */
export interface OpenedJob {
  readonly store: FolderStore;
  readonly manifest: Manifest;
  /** SHA-256 of the manifest, which identifies the job. The file `manifest.json` ends with it. */
  readonly hash: string;
  readonly spec: WorldSpec;
  readonly plan: WorldPlan;
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

export function putManifest(store: FolderStore, manifest: Manifest): void {
  store.put(MANIFEST, [Buffer.from(checkedText(manifest))]);
}

export function readManifest(store: FolderStore): Manifest {
  const given = readChecked(store, MANIFEST, REMEDY);
  const where = { file: store.place };
  if (given === undefined) {
    const remedy = "Start a job with `rollmill job start`";
    return fail(error("job.missing", { problem: "this folder contains no job", remedy, where }));
  }
  const { format } = given as Partial<Manifest>;
  if (format !== FORMAT) {
    const problem = "another version of Rollmill started this job, with another format of its files";
    fail(error("job.version", { problem, got: format, expected: `${FORMAT}`, remedy: OTHER_BUILD, where }));
  }
  return parseData({ store, name: MANIFEST, remedy: REMEDY }, given, parseManifest);
}

/** Another build may make other bytes. But every build may read a job and change the request for it. */
export function refuseOtherBuild({ manifest: { code }, store }: OpenedJob): void {
  if (code === CODE_HASH) return;
  const problem = "another build of Rollmill started this job, with other code";
  const where = { file: store.place };
  fail(error("job.version", { problem, got: code, expected: CODE_HASH, remedy: OTHER_BUILD, where }));
}

const KEYS = [
  "format",
  "code",
  "name",
  "world",
  "seed",
  "now",
  "files",
  "main",
  "extent",
  "visits",
  "bulk",
  "exports",
  "order",
  "shards",
];

function parseManifest(reader: SpecReader, root: Field): Manifest {
  const fields = reader.fields(root, KEYS);
  const files = textsIn(reader, fields.get("files"));
  const main = textIn(reader, fields.get("main"));
  if (!Object.hasOwn(files, main)) reader.report(fields.get("main"), { problem: "there is no such file", got: main });
  const now = textIn(reader, fields.get("now"));
  if (parseLocalTime(now) === undefined) reader.report(fields.get("now"), { problem: "not a local time", got: now });
  const extent = fields.get("extent");
  const shards = reader.record(fields.get("shards"));
  const shardsIn = (name: string) => reader.integer(shards.get(name), { least: 1, most: MAX_SHARDS });
  return {
    format: FORMAT,
    code: hashIn(reader, fields.get("code")),
    name: textIn(reader, fields.get("name")),
    world: textIn(reader, fields.get("world")),
    seed: textIn(reader, fields.get("seed")),
    now,
    files,
    main,
    extent: extent.value === "reached" ? "reached" : boundedIn(reader, extent),
    visits: reader.list(fields.get("visits"), { of: "names of layers" }).map((name) => reader.text(name)),
    bulk: bulkOf(reader, fields.get("bulk"), storedEntry),
    exports: EXPORTS.read(reader, fields.get("exports")),
    order: reader.choice<SectorOrder>(fields.get("order"), ["concentric", "row"]),
    shards: Object.fromEntries(shards.keys.map((name) => [name, shardsIn(name)])),
  };
}

function boundedIn(reader: SpecReader, at: Field): CellRectangle {
  const extent = EXTENT.read(reader, at);
  if (typeof extent === "object") return extent;
  reader.report(at, { problem: "not a rectangle", got: at.value });
  return { row0: 0, col0: 0, rows: 0, cols: 0 };
}

function textIn(reader: SpecReader, at: Field): string {
  if (typeof at.value === "string") return at.value;
  reader.report(at, { problem: "not a text", got: at.value });
  return "";
}

function textsIn(reader: SpecReader, at: Field): Readonly<Record<string, string>> {
  const fields = reader.record(at);
  return Object.fromEntries(fields.keys.map((key) => [key, textIn(reader, fields.get(key))]));
}

/** Without a manifest, nobody can use the parts. */
export function checkStillThere(store: FolderStore): void {
  if (store.sizeOf(MANIFEST) !== undefined) return;
  const problem = "the folder of the job was moved or deleted while the job was running, or its manifest.json was";
  const remedy = "Move the folder back, or resume the job in its new place";
  fail(error("job.missing", { problem, remedy, where: { file: store.place } }));
}

/** Throws `job.missing`, `job.version`, `job.damaged`, `file.read`; the errors of the world. */
export async function openManifest(store: FolderStore, manifest = readManifest(store)): Promise<OpenedJob> {
  const { files, main } = manifest;
  const read = (file: string) => (Object.hasOwn(files, file) ? files[file] : undefined);
  const world = specOf(await loadWorld(main, read));
  const flaws = [...misfits({ job: manifest, world }), ...shardFlaws(manifest, world)];
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
  return { store, manifest, hash: checksumOf(manifest), spec, plan: compileWorld(spec, { name: manifest.world }) };
}
