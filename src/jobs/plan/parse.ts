import {
  choice,
  type Field,
  fileNameFlaw,
  fileNameKey,
  type InputOf,
  integer,
  list,
  optional,
  type Parsed,
  readOptions,
  record,
  type Shape,
  SpecReader,
  shape,
  TEXT,
  unread,
} from "../../spec/index.js";
import { SECTOR_SIDE } from "../../walks/map/chunk.js";
import { type CellRectangle, countOf, regionsNear } from "../../walks/rectangles.js";
import type { ItemContentOptions, ObjectContentOptions, WorldInput, WorldSpec } from "../../worlds/index.js";
import { type BulkSpec, EXPORT_NAMES, type JobSpec } from "../types.js";

const MAX_BULK = 256;
const LIMIT = 2 ** 31;
/** Maximum depth of lists and objects in an option of a bulk part. */
const MAX_DEPTH = 8;

/** Number of results that one task of a bulk part makes. A task takes less than a second. */
export const BULK_BATCH = { table: 2 ** 22, recipe: 2 ** 19, objects: 2 ** 18 } as const;

/** Maximum numbers of sectors and of bulk tasks, so that the lists of them fit into memory. */
const MAX_SECTORS = 2 ** 20;
const MAX_BATCHES = 2 ** 20;
export const MANY_SECTORS = `at most ${MAX_SECTORS} sectors of ${SECTOR_SIDE} × ${SECTOR_SIDE} cells`;
const MANY_BATCHES =
  `at most ${MAX_BATCHES} tasks: ` +
  `a task makes ${BULK_BATCH.table} rolls, ${BULK_BATCH.recipe} items or ${BULK_BATCH.objects} objects`;

const CORNER = integer({ least: -LIMIT, most: LIMIT - 1 });
const SIDE = integer({ least: 1, most: 2 * LIMIT });
export const RECTANGLE = record({
  /** First row, −2³¹ … 2³¹ − 1. */
  row0: CORNER,
  /** First column, −2³¹ … 2³¹ − 1. */
  col0: CORNER,
  /** Number of rows, 1 or more. The last row is at most 2³¹ − 1. */
  rows: SIDE,
  /** Number of columns, 1 or more. The last column is at most 2³¹ − 1. */
  cols: SIDE,
});
/** A rectangle of cells. */
export interface RectangleInput extends InputOf<typeof RECTANGLE> {}
export const EXTENT: Shape<"grid" | "reached" | RectangleInput, JobSpec["extent"]> = shape(readExtent, {
  oneOf: [{ enum: ["grid", "reached"] }, RECTANGLE],
});

const NAME_AND_COUNT = {
  /** Name of the part. It selects the random numbers of the part, and names its folder. */
  name: TEXT,
  /** Number of results, 1 … 2⁴²; of objects, 1 … 2³². */
  count: integer({ least: 1, most: 2 ** 42 }),
} as const;
const BULK = {
  table: record({
    ...NAME_AND_COUNT,
    /** Name of a table of the world. */
    table: TEXT,
  }),
  recipe: record({
    ...NAME_AND_COUNT,
    /** Name of a recipe of the world. */
    recipe: TEXT,
    /** The tier of the items. */
    tier: optional(data<number>()),
    /** The power of the items. */
    power: optional(data<NonNullable<ItemContentOptions["power"]>>()),
    /** Words that are requested for slots of every item. */
    request: optional(data<NonNullable<ItemContentOptions["request"]>>()),
  }),
  objects: record({
    ...NAME_AND_COUNT,
    /** Number of results, 1 … 2³²: the column `index` of objects has unsigned 32-bit integers. */
    count: integer({ least: 1, most: 2 ** 32 }),
    /** Name of an object maker of the world. */
    objects: TEXT,
    /** The level of the objects. */
    level: optional(data<number>()),
    /** Whether the objects are good. */
    good: optional(data<NonNullable<ObjectContentOptions["good"]>>()),
    /** Whether the objects are great. */
    great: optional(data<NonNullable<ObjectContentOptions["great"]>>()),
    /** The kind of the objects. */
    kind: optional(data<NonNullable<ObjectContentOptions["kind"]>>()),
    /** The type of the objects. */
    tval: optional(data<NonNullable<ObjectContentOptions["tval"]>>()),
  }),
} as const;
type Bulk = typeof BULK;
const SOURCE_KINDS = ["table", "recipe", "objects"] as const;
const BULK_KEYS = [...new Set(Object.values(BULK).flatMap(({ keys }) => keys as readonly string[]))];
/**
 * Results in bulk: the results 0 … count − 1 of one source of the world. The source is a table, a recipe or an object
 * maker, and is opened under the name of the part. So result k is the result of one of these calls:
 *
 * - `mill.table(name, source).roll({ at: k, mode: "frozen" })`;
 * - `mill.recipe(name, source).make({ at: k, ...options })`;
 * - `mill.objects(name, source).make({ at: k, ...options, artifacts: false })`. Artifacts are off, because whether an
 *   object can be an artifact depends on all objects before it.
 */
export type BulkInput = { readonly [K in keyof Bulk]: InputOf<Bulk[K]> }[keyof Bulk];
/** A bulk part. {@link bulkOf} reads it, because the names of all bulk parts must differ. */
export const BULK_PART = unread<BulkInput>({ oneOf: Object.values(BULK) });

const EXPORT = choice(EXPORT_NAMES);
export const EXPORTS = list(EXPORT, { of: "exports" });

export const JOB = record({
  /** Name of the job, for people. It does not change the digest. Default: the name of the world. */
  name: optional(TEXT),
  /**
   * The world itself, or the path of its file. The path is relative to the folder of the job's file, and must not lead
   * out of this folder. In the library, also the spec that `loadWorld` returned.
   */
  world: shape<string | WorldInput | WorldSpec, { readonly file?: string; readonly world?: unknown }>(readWorld, {
    oneOf: [TEXT, { $ref: "world.json" }],
  }),
  /**
   * The seed, a text or a number. `--seed` replaces it. Default: a random seed, which is chosen when the job is started
   * and printed to stderr.
   */
  seed: optional(shape<string | number, string>(readSeed, { oneOf: [TEXT, { type: "number" }] })),
  /**
   * The job's cells. `"grid"`: the whole bounded grid, which is the default if the grid is bounded. `"reached"`: the
   * smallest rectangle with all cells that the finite layers visited, which is the default if all layers are finite. Or
   * a rectangle: `{"row0": 0, "col0": 0, "rows": 4096, "cols": 4096}`.
   */
  extent: optional(EXTENT),
  /** The layers whose visits the job keeps. Fewer layers need less disk. Default: all layers. */
  visits: optional(list(TEXT, { of: "names of layers" })),
  /** Tables, recipes and object makers of the world, from which the job makes many results. Default: none. */
  bulk: optional(
    shape<readonly BulkInput[], BulkSpec[]>((reader, at) => bulkOf(reader, at), {
      type: "array",
      items: BULK_PART,
      maxItems: MAX_BULK,
    }),
    [],
  ),
  /**
   * The exports to make when the job is finished, in the folder `exports`. They are not part of the result. Default:
   * none.
   */
  exports: optional(EXPORTS, []),
});
/** A job as users write it (its JSON form). */
export interface JobInput extends InputOf<typeof JOB> {}

/**
 * Reads a job, and reports every issue with its path. Does not read the world: {@link loadJob} does.
 *
 * Error cases: `job.spec` for a wrong shape, type or range, or an unknown key or name.
 */
export function parseJob(input: unknown, options: { readonly file?: string | undefined } = {}): Parsed<JobSpec> {
  const { file } = readOptions("parseJob", options, ["file"]);
  const reader = new SpecReader({ noun: "job", code: "job.spec", file, isDocument: true });
  return reader.run(input, (root): JobSpec => {
    const { world, ...job } = JOB.read(reader, root);
    return { ...job, worldFile: world.file, world: world.world };
  });
}

function readWorld(reader: SpecReader, at: Field): { readonly file?: string; readonly world?: unknown } {
  if (typeof at.value === "string") return { file: reader.text(at) };
  if (typeof at.value !== "object" || at.value === null) {
    reader.report(at, { problem: "the job has no world", expected: "the path of a world's file, or a world" });
  }
  return { world: at.value };
}

function readSeed(reader: SpecReader, at: Field): string {
  return typeof at.value === "number" && Number.isFinite(at.value) ? String(at.value) : reader.text(at);
}

function readExtent(reader: SpecReader, at: Field): JobSpec["extent"] {
  const { value, name } = at;
  if (value === "grid" || value === "reached") return value;
  if (typeof value === "string") {
    reader.report(at, { problem: `unknown ${name}`, got: value, expected: '"grid", "reached" or a rectangle' });
    return undefined;
  }
  const { errors } = reader;
  const fields = reader.fields(at, RECTANGLE.keys);
  const extent = RECTANGLE.values(reader, fields);
  if (reader.errors > errors) return extent;
  for (const [side, first] of [
    ["rows", extent.row0],
    ["cols", extent.col0],
  ] as const)
    reader.integer(fields.get(side), { least: 1, most: LIMIT - first });
  if (reader.errors === errors && hasManySectors(extent)) {
    const got = `${extent.rows} × ${extent.cols}`;
    reader.report(at, { problem: "the extent has too many cells", got, expected: MANY_SECTORS });
  }
  return extent;
}

/** Reads a list of bulk parts. `entryOf` reads the fields of an entry. */
export function bulkOf(reader: SpecReader, list: Field, entryOf = inputEntry): BulkSpec[] {
  const taken = new Map<string, string>();
  const { errors } = reader;
  const specs = reader.list(list, { most: MAX_BULK, of: "entries" }).map((field): BulkSpec => {
    const { fields, kind, source, options } = entryOf(reader, field);
    const name = reader.text(fields.get("name"));
    const flaw = name === "" ? undefined : folderNameFlaw(name, taken);
    if (flaw !== undefined) reader.report(fields.get("name"), flaw);
    return {
      name,
      kind,
      source: reader.text(source),
      count: BULK[kind].fields.count.read(reader, fields.get("count")),
      options: Object.fromEntries(options.map(([key, value]) => [key, dataOf(reader, value)])),
    };
  });
  if (reader.errors === errors && batchesOf(specs) > MAX_BATCHES) {
    reader.report(list, { problem: "the bulk entries have too many results", expected: MANY_BATCHES });
  }
  return specs;
}

function inputEntry(reader: SpecReader, field: Field) {
  const fields = reader.fields(field, BULK_KEYS);
  const kinds = SOURCE_KINDS.filter((key) => fields.has(key));
  if (kinds.length !== 1)
    reader.report(field, { problem: "a bulk entry needs exactly one source", expected: SOURCE_KINDS.join(" or ") });
  const [kind = "table"] = kinds;
  const known = optionsOf(kind);
  const keys = fields.keys.filter((key) => !["name", "count", kind].includes(key));
  for (const key of keys.filter((one) => !known.includes(one))) {
    reader.report(fields.get(key), { problem: `a bulk entry with "${kind}" has no such option`, got: key });
  }
  const options = keys.filter((key) => known.includes(key)).map((key) => [key, fields.get(key)] as const);
  return { fields, kind, source: fields.get(kind), options };
}

/** Reads the form in which a manifest stores a {@link BulkSpec}. */
export function storedEntry(reader: SpecReader, field: Field): ReturnType<typeof inputEntry> {
  const fields = reader.fields(field, ["name", "kind", "source", "count", "options"]);
  const kind = reader.choice(fields.get("kind"), SOURCE_KINDS);
  const options = reader.fields(fields.get("options"), optionsOf(kind));
  return { fields, kind, source: fields.get("source"), options: options.keys.map((key) => [key, options.get(key)]) };
}

function optionsOf(kind: BulkSpec["kind"]): readonly string[] {
  return BULK[kind].keys.filter((key) => !["name", "count", kind].includes(key));
}

/** An option that the source of the bulk part checks when results are made. */
/* @__NO_SIDE_EFFECTS__ */
function data<Input>(): Shape<Input, unknown> {
  return shape((reader, at) => dataOf(reader, at), {});
}

function dataOf(reader: SpecReader, field: Field, depth = 0): unknown {
  const { value } = field;
  if (value === null || ["boolean", "string"].includes(typeof value) || Number.isFinite(value)) return value;
  if (typeof value === "object" && depth < MAX_DEPTH) {
    if (Array.isArray(value)) return reader.list(field).map((entry) => dataOf(reader, entry, depth + 1));
    const record = reader.record(field);
    return Object.fromEntries([...record.keys].map((key) => [key, dataOf(reader, record.get(key), depth + 1)]));
  }
  reader.report(field, { problem: "the value cannot be written as JSON", got: value, expected: "a JSON value" });
  return undefined;
}

/** Returns the name of the folder for a bulk part, or for a layer in a Zarr export. */
export function folderNameOf(name: string): string {
  return encodeURIComponent(name);
}

/** Names that a folder for a bulk part or a layer must not have: names of parts, and `zarr.json`, a file beside it. */
const OWN_FILES = /^(?:\d+\.part|zarr\.json)$/i;

/** Returns why a folder cannot have this name, so that the job fails early. Adds a valid name to `taken`. */
export function folderNameFlaw(name: string, taken: Map<string, string>) {
  const folder = folderNameOf(name);
  const flaw = OWN_FILES.test(folder) ? "a name other than zarr.json, 0.part, 1.part, …" : fileNameFlaw(folder);
  if (flaw !== undefined) {
    const expected = folder === name ? flaw : `${flaw}, after percent-encoding`;
    return { problem: "the name cannot be the name of a folder", got: name, expected };
  }
  const key = fileNameKey(folder);
  const other = taken.get(key);
  taken.set(key, name);
  if (other === undefined) return undefined;
  const problem = other === name ? "two entries have this name" : "two names lead to the same folder on some systems";
  return { problem, got: name, expected: `a name that differs from ${JSON.stringify(other)} by more than case` };
}

export function hasManySectors(extent: CellRectangle): boolean {
  return countOf(regionsNear(extent, { side: SECTOR_SIDE })) > MAX_SECTORS;
}

export function batchesOf(bulk: readonly BulkSpec[]): number {
  return bulk.reduce((sum, spec) => sum + batchesIn(spec), 0);
}

/** Returns the number of results in a batch of a bulk part. */
export function countInBatch({ kind, count }: BulkSpec, batch: number): number {
  return Math.min(BULK_BATCH[kind], count - batch * BULK_BATCH[kind]);
}

export function batchesIn({ kind, count }: BulkSpec): number {
  return Math.ceil(count / BULK_BATCH[kind]);
}
