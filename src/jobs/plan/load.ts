import { error, type Finding, type Issue } from "../../errors/index.js";
import { filePathFlaw, isParsed, type Parsed, seal, specOf } from "../../spec/index.js";
import { type CellRectangle, cellsOfGrid, isInside } from "../../walks/rectangles.js";
import { loadWorld, parseWorld, type WorldSpec } from "../../worlds/index.js";
import { folderOf, type Read, readFirstJson, textsOf } from "../../worlds/load.js";
import type { JobSpec } from "../types.js";
import { folderNameFlaw, hasManySectors, type JobInput, MANY_SECTORS, parseJob } from "./parse.js";

/** A job with its world and the texts of all files of the world. */
export interface JobSource {
  readonly job: JobSpec;
  readonly world: WorldSpec;
  /** The name of the world. If the world has no name, the name of its file without the extension. */
  readonly worldName: string;
  /** The texts of the files, by path relative to the folder of the world's file. */
  readonly files: Readonly<Record<string, string>>;
  /** The path of the world's file in {@link files}. */
  readonly main: string;
}

/**
 * Reads a job from a JSON file, and its world with all files that the world names.
 *
 * @param file - the path of the job's file.
 * @param read - returns the text of a file, or undefined if the file does not exist.
 * @throws RollmillError `argument.type`; `argument.callback`, `file.read` for the job's file, as `loadWorld` does.
 */
export async function loadJob(file: string, read: Read): Promise<Parsed<JobSource>> {
  const first = await readFirstJson(file, read);
  if ("issue" in first) return { spec: undefined, issues: [first.issue] };
  const { spec: job, issues } = parseJob(first.value, { file });
  if (job === undefined) return { spec: undefined, issues };
  const { worldFile } = job;
  const own = worldFile === undefined ? jsonOf(job.world) : undefined;
  if (worldFile === undefined && own === undefined) return refused(NO_JSON, file);
  const expected = worldFile === undefined ? undefined : filePathFlaw(worldFile);
  if (expected !== undefined) {
    const problem = "the path of the world leads out of the folder, or is not a path";
    return refused({ problem, got: worldFile, expected }, file);
  }
  const path = worldFile === undefined ? file : `${folderOf(file)}${worldFile}`;
  const loaded = await loadWorld(path, (one) => (own !== undefined && one === path ? own : first.read(one)));
  const flaws = loaded.issues.map((one) => (own !== undefined && one.where.file === path ? inWorld(one) : one));
  const texts = loaded.spec && textsOf(loaded.spec);
  return finished(loaded.spec && texts && { job, world: loaded.spec, ...texts }, flaws);
}

/**
 * Reads a job that contains its world.
 *
 * Error cases: `job.spec`; the errors of the world.
 */
export function jobOf(input: JobInput): Parsed<JobSource> {
  const { spec: job, issues } = parseJob(input);
  if (job === undefined) return { spec: undefined, issues };
  if (job.worldFile !== undefined) {
    const remedy = "Use loadJob, which reads files, or put the world into the job";
    return refused({ problem: "the job names the file of a world", got: job.worldFile, remedy });
  }
  if (isParsed("world", job.world)) {
    const known = job.world as WorldSpec;
    const texts = textsOf(known);
    if (texts !== undefined) return finished({ job, world: known, ...texts }, []);
    const problem = "the job stores the world as JSON, but a spec from parseWorld does not keep its JSON";
    return refused({ problem, remedy: "Pass the input of parseWorld, or a spec from loadWorld" });
  }
  const text = jsonOf(job.world);
  if (text === undefined) return refused(NO_JSON);
  const { spec: world, issues: flaws } = parseWorld(JSON.parse(text));
  return finished(world && { job, world, files: { [INLINE]: text }, main: INLINE }, flaws.map(inWorld));
}

const INLINE = "world.json";

const NO_JSON: Finding = {
  problem: "the world cannot be written as JSON, but the job stores it as JSON",
  expected: "a world of plain data, without bigints, cycles or very deep nesting",
};

function refused(finding: Finding, file?: string): Parsed<JobSource> {
  return { spec: undefined, issues: [error("job.spec", { ...finding, where: { file, path: "world" } })] };
}

function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

/** Changes the path of an issue from `layers[0]` to `world.layers[0]`. */
function inWorld(issue: Issue): Issue {
  const { path = "" } = issue.where;
  return { ...issue, where: { ...issue.where, path: path === "" ? "world" : `world.${path}` } };
}

function finished(read: Omit<JobSource, "worldName"> | undefined, issues: readonly Issue[]): Parsed<JobSource> {
  if (read === undefined) return { spec: undefined, issues };
  const { main, world } = read;
  const stem = main.replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  const flaws = [...misfits(read.job, world)];
  const source = flaws.length === 0 ? seal("job source", { ...read, worldName: world.name ?? stem }) : undefined;
  return { spec: source, issues: [...issues, ...flaws] };
}

/** Returns a job from {@link loadJob} unchanged. Reads any other job with {@link jobOf}, and throws all its errors. */
export function sourceOf(source: JobInput | JobSource): JobSource {
  return isParsed("job source", source) ? (source as JobSource) : specOf(jobOf(source as JobInput));
}

/** Yields an issue for each field that does not fit the world, such as the name of a missing layer. */
export function* misfits(
  { visits, bulk, extent, exports }: Pick<JobSpec, "visits" | "bulk" | "extent" | "exports">,
  world: WorldSpec,
): Generator<Issue, void> {
  const { layers } = world.walk;
  const { grid } = world;
  const names = layers.map(({ name }) => name);
  for (const [n, name] of (visits ?? []).entries()) {
    if (!names.includes(name)) yield flaw(`visits[${n}]`, "the world has no such layer", name, names.join(", "));
  }
  // a Zarr export makes a folder for each kept layer, so the name of the layer must be a valid folder name
  const taken = new Map<string, string>();
  for (const name of names.filter((one) => visits?.includes(one) ?? true)) {
    const found = folderNameFlaw(name, taken);
    const remedy = 'Rename the layer, or leave it out of "visits"';
    if (found !== undefined) yield error("job.spec", { ...found, remedy, where: { path: "visits" } });
  }
  for (const [n, { kind, source }] of bulk.entries()) {
    const key = ({ table: "tables", recipe: "recipes", objects: "objects" } as const)[kind];
    const known = [...world.sources[key].keys()];
    const expected = known.length === 0 ? `a world with ${key}` : known.join(", ");
    if (!known.includes(source))
      yield flaw(`bulk[${n}].${kind}`, `the world has no such source in ${key}`, source, expected);
  }
  if (
    exports.includes("heights") &&
    world.fields.length === 0 &&
    !names.some((name) => visits?.includes(name) ?? true)
  ) {
    const problem = "the world has no field, and the job keeps the visits of no layer";
    yield flaw(`exports[${exports.indexOf("heights")}]`, problem, "heights", "a field or a layer");
  }
  const isWhollyFinite = layers.every(({ scatter }) => scatter === undefined);
  if (typeof extent === "object") yield* extentFlaws(extent, cellsOfGrid(grid));
  else if (grid.kind !== "unbounded") yield* gridFlaws(extent, cellsOfGrid(grid));
  else if (extent === "grid") yield flaw("extent", "the grid of the world is unbounded", extent, "a rectangle");
  else if (extent === undefined && !isWhollyFinite) {
    const problem = "the world has no end, and the job does not say which cells to make";
    const remedy = 'Add "extent": {"row0": 0, "col0": 0, "rows": 4096, "cols": 4096}, for example';
    yield error("job.spec", { problem, remedy, where: { path: "extent" } });
  }
  if (extent === "reached" && !isWhollyFinite)
    yield flaw("extent", "walkers of scattered layers reach every cell", extent, "a rectangle");
}

function* extentFlaws(extent: CellRectangle, bounds: CellRectangle): Generator<Issue, void> {
  if (isInside(extent, bounds)) return;
  const { row0, col0, rows, cols } = bounds;
  const expected = `rows from ${row0} to ${row0 + rows - 1}, and columns from ${col0} to ${col0 + cols - 1}`;
  yield flaw("extent", "some cells are outside the grid", JSON.stringify(extent), expected);
}

function* gridFlaws(extent: "grid" | "reached" | undefined, bounds: CellRectangle): Generator<Issue, void> {
  if (extent === "reached" || !hasManySectors(bounds)) return;
  const remedy = 'Add a smaller "extent"';
  const where = { path: "extent" };
  yield error("job.spec", { problem: "the grid has too many cells", expected: MANY_SECTORS, remedy, where });
}

function flaw(path: string, problem: string, got: unknown, expected: string): Issue {
  return error("job.spec", { problem, got, expected, where: { path } });
}
