import { type Field, type Fields, type Parsed, readOptions, SpecReader } from "../../spec/index.js";
import { folderNameFlaw } from "../folder/names.js";
import type { BulkSpec, ExportName, JobSpec, RectangleInput } from "../types.js";
import { hasManyBatches, hasManySectors, MANY_BATCHES, MANY_SECTORS } from "./sizes.js";

const KEYS = ["name", "world", "seed", "extent", "visits", "bulk", "exports"];
const SOURCE_KINDS = ["table", "recipe", "objects"] as const;
const BULK_OPTIONS = {
  table: [],
  recipe: ["tier", "power", "request"],
  objects: ["level", "good", "great", "kind", "tval"],
} as const;
const EXPORTS: readonly [ExportName, ...ExportName[]] = [
  "png",
  "tiles",
  "tiled",
  "zarr",
  "parquet",
  "csv",
  "npy",
  "report",
];
/** The column `index` of objects has unsigned 32-bit integers. */
const MAX_COUNT = { table: 2 ** 42, recipe: 2 ** 42, objects: 2 ** 32 } as const;
const MAX_BULK = 256;
const LIMIT = 2 ** 31;
/** Of lists and objects in options of a bulk part. */
const MAX_DEPTH = 8;

/**
 * Reads a job, and reports every issue with its path. Does not read the world: {@link loadJob} does.
 *
 * Error cases: `job.spec` for a wrong shape, type or range, or an unknown key or name.
 */
export function parseJob(input: unknown, options: { readonly file?: string | undefined } = {}): Parsed<JobSpec> {
  const { file } = readOptions("parseJob", options, ["file"]);
  const reader = new SpecReader({ noun: "job", code: "job.spec", file, isDocument: true });
  return reader.run(input, (root): JobSpec => {
    const fields = reader.fields(root, KEYS);
    const world = fields.get("world");
    const isFile = typeof world.value === "string";
    if (!isFile && (typeof world.value !== "object" || world.value === null)) {
      reader.report(world, { problem: "the job has no world", expected: "the path of a world's file, or a world" });
    }
    return {
      name: fields.has("name") ? reader.text(fields.get("name")) : undefined,
      worldFile: isFile ? reader.text(world) : undefined,
      world: isFile ? undefined : world.value,
      seed: fields.has("seed") ? seedOf(reader, fields.get("seed")) : undefined,
      extent: fields.has("extent") ? extentOf(reader, fields.get("extent")) : undefined,
      visits: fields.has("visits")
        ? reader.list(fields.get("visits"), { of: "names of layers" }).map((name) => reader.text(name))
        : undefined,
      bulk: fields.has("bulk") ? bulkOf(reader, fields.get("bulk")) : [],
      exports: fields.has("exports") ? exportsOf(reader, fields.get("exports")) : [],
    };
  });
}

function seedOf(reader: SpecReader, field: Field): string {
  return typeof field.value === "number" && Number.isFinite(field.value) ? String(field.value) : reader.text(field);
}

export function extentOf(reader: SpecReader, field: Field): JobSpec["extent"] {
  if (field.value === "grid" || field.value === "reached") return field.value;
  if (typeof field.value === "string") {
    reader.report(field, { problem: "unknown extent", got: field.value, expected: '"grid", "reached" or a rectangle' });
    return undefined;
  }
  const { errors } = reader;
  const fields = reader.fields(field, ["row0", "col0", "rows", "cols"]);
  const corner = (key: string) => reader.integer(fields.get(key), { least: -LIMIT, most: LIMIT - 1 });
  const [row0, col0] = [corner("row0"), corner("col0")];
  const side = (key: string, first: number) => reader.integer(fields.get(key), { least: 1, most: LIMIT - first });
  const extent: RectangleInput = { row0, col0, rows: side("rows", row0), cols: side("cols", col0) };
  if (reader.errors === errors && hasManySectors(extent)) {
    reader.report(field, {
      problem: "the extent has too many cells",
      got: `${extent.rows} × ${extent.cols}`,
      expected: MANY_SECTORS,
    });
  }
  return extent;
}

interface BulkEntry {
  readonly fields: Fields;
  readonly kind: BulkSpec["kind"];
  readonly source: Field;
  readonly options: readonly (readonly [key: string, value: Field])[];
}

/** `entryOf` reads the form in which the entries are written. */
export function bulkOf(
  reader: SpecReader,
  list: Field,
  entryOf: (reader: SpecReader, field: Field) => BulkEntry = inputEntry,
): BulkSpec[] {
  const taken = new Map<string, string>();
  const { errors } = reader;
  const specs = reader.list(list, { most: MAX_BULK, of: "entries" }).map((field): BulkSpec => {
    const { fields, kind, source, options } = entryOf(reader, field);
    return {
      name: nameOf(reader, fields, taken),
      kind,
      source: reader.text(source),
      count: reader.integer(fields.get("count"), { least: 1, most: MAX_COUNT[kind] }),
      options: Object.fromEntries(options.map(([key, value]) => [key, dataOf(reader, value)])),
    };
  });
  if (reader.errors === errors && hasManyBatches(specs)) {
    reader.report(list, { problem: "the bulk entries have too many results", expected: MANY_BATCHES });
  }
  return specs;
}

function inputEntry(reader: SpecReader, field: Field): BulkEntry {
  const fields = reader.fields(field, ["name", "count", ...SOURCE_KINDS, ...Object.values(BULK_OPTIONS).flat()]);
  const kinds = SOURCE_KINDS.filter((key) => fields.has(key));
  if (kinds.length !== 1)
    reader.report(field, { problem: "a bulk entry needs one source", expected: SOURCE_KINDS.join(" or ") });
  const [kind = "table"] = kinds;
  const known: readonly string[] = BULK_OPTIONS[kind];
  const keys = fields.keys.filter((key) => !["name", "count", kind].includes(key));
  for (const key of keys) {
    if (known.includes(key)) continue;
    reader.report(fields.get(key), { problem: `a bulk entry with "${kind}" has no such option`, got: key });
  }
  const options = keys.filter((key) => known.includes(key)).map((key) => [key, fields.get(key)] as const);
  return { fields, kind, source: fields.get(kind), options };
}

/** The form in which a manifest stores {@link BulkSpec}. */
export function storedEntry(reader: SpecReader, field: Field): BulkEntry {
  const fields = reader.fields(field, ["name", "kind", "source", "count", "options"]);
  const kind = reader.choice(fields.get("kind"), SOURCE_KINDS);
  const options = reader.fields(fields.get("options"), BULK_OPTIONS[kind]);
  return { fields, kind, source: fields.get("source"), options: options.keys.map((key) => [key, options.get(key)]) };
}

/** `taken` has the names of earlier entries. */
function nameOf(reader: SpecReader, fields: Fields, taken: Map<string, string>): string {
  const name = reader.text(fields.get("name"));
  const flaw = name === "" ? undefined : folderNameFlaw(name, taken);
  if (flaw !== undefined) reader.report(fields.get("name"), flaw);
  return name;
}

/** The source of the bulk part checks the value when results are made. */
function dataOf(reader: SpecReader, field: Field, depth = 0): unknown {
  const { value } = field;
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  if (typeof value === "string") return value;
  if (typeof value === "object" && depth < MAX_DEPTH) {
    if (Array.isArray(value)) return reader.list(field).map((entry) => dataOf(reader, entry, depth + 1));
    const record = reader.record(field);
    return Object.fromEntries([...record.keys].map((key) => [key, dataOf(reader, record.get(key), depth + 1)]));
  }
  reader.report(field, { problem: "the value cannot be written as JSON", got: value, expected: "a value of JSON" });
  return undefined;
}

export function exportsOf(reader: SpecReader, list: Field): ExportName[] {
  return reader.list(list, { of: "exports" }).map((field) => reader.choice(field, EXPORTS));
}
