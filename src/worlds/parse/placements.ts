import { didYouMean } from "../../errors/index.js";
import type { Field, Fields, SpecReader } from "../../spec/index.js";
import {
  type ContentOptionsSpec,
  type ContentSpec,
  type LevelSpec,
  MAX_DISTANCE,
  MAX_PLACEMENTS,
  type MadeContentSpec,
  type PlacementSpec,
  type TerrainSpec,
} from "../types.js";
import { readColor } from "./colors.js";
import { readShare } from "./shares.js";
import type { ReadSources } from "./sources.js";

const CONTENT_KINDS = ["table", "recipe", "objects", "pools"] as const;
const ITEM_KEYS = ["tier", "tierVariance", "power", "request"] as const;
const OBJECT_KEYS = ["level", "good", "great", "kind", "tval"] as const;
const MAX_LEVEL = 255;
const MAX_ENTRIES = 256;
const COORDINATE = { least: -(2 ** 31), most: 2 ** 31 - 1 } as const;

interface PlacementScope {
  readonly terrains: readonly TerrainSpec[];
  readonly sources: ReadSources;
}

export function readPlacements(reader: SpecReader, at: Field, scope: PlacementScope): PlacementSpec[] {
  const entries = reader.list(at, { most: MAX_PLACEMENTS, optional: true, of: "placements" });
  const names = new Set<string>();
  return entries.map((entry, number) => {
    const fields = reader.fields(entry, ["name", "on", "density", "distance", "content", "color"]);
    const name = reader.text(fields.get("name"));
    if (names.has(name) && name !== "") {
      const expected = "a name that no other placement has";
      reader.report(fields.get("name"), { problem: "two placements have the same name", got: name, expected });
    }
    names.add(name);
    return {
      name,
      terrains: readTerrains(reader, fields.get("on"), scope.terrains),
      density: readShare(reader, fields.get("density")),
      distance: reader.integer(fields.get("distance"), { least: 0, most: MAX_DISTANCE, fallback: 0 }),
      content: fields.has("content") ? readContent(reader, fields.get("content"), scope) : undefined,
      color: readColor(reader, fields.get("color"), "mark", number),
    };
  });
}

/** Reads names of terrains and tags. If the field is absent, returns all terrains. */
function readTerrains(reader: SpecReader, at: Field, terrains: readonly TerrainSpec[]): number[] {
  if (at.value === undefined) return terrains.map((_, i) => i);
  const entries = reader.list(at, { least: 1, most: MAX_ENTRIES, of: "terrains or tags" });
  const chosen = new Set(entries.flatMap((entry) => terrainsOf(reader, entry, entry.value, terrains)));
  return [...chosen].sort((a, b) => a - b);
}

/** Returns the terrains with this name or tag. */
function terrainsOf(reader: SpecReader, at: Field, name: unknown, terrains: readonly TerrainSpec[]): number[] {
  const found = terrains.flatMap((one, i) => (one.name === name || one.tags.some((tag) => tag === name) ? [i] : []));
  if (found.length > 0) return found;
  const known = [...new Set(terrains.flatMap((one) => [one.name, ...one.tags]))];
  const expected = known.length === 0 ? 'no names, because the world has no "terrain"' : `one of ${known.join(", ")}`;
  const hint = typeof name === "string" ? didYouMean(name, known) : {};
  reader.report(at, { problem: "no terrain has this name or tag", got: name, expected, ...hint });
  return [];
}

function readContent(reader: SpecReader, at: Field, scope: PlacementScope): ContentSpec | undefined {
  const record = reader.record(at, `an object with one of ${CONTENT_KINDS.join(", ")}`);
  const kinds = CONTENT_KINDS.filter((kind) => record.has(kind));
  if (kinds.length !== 1) {
    const problem = kinds.length === 0 ? "the content names no source" : "the content names several sources";
    reader.report(at, { problem, expected: `one of ${CONTENT_KINDS.join(", ")}` });
    return undefined;
  }
  switch (kinds[0]) {
    case "table": {
      const fields = reader.fields(at, ["table"]);
      return { kind: "table", source: readSource(reader, fields.get("table"), scope.sources.tables, "tables") };
    }
    case "recipe":
      return readItems(reader, at, scope);
    case "objects":
      return readObjects(reader, at, scope);
    case "pools":
      return readPool(reader, at, scope);
  }
}

function readItems(reader: SpecReader, at: Field, scope: PlacementScope): ContentSpec {
  const fields = reader.fields(at, ["recipe", "on", ...ITEM_KEYS]);
  const source = readSource(reader, fields.get("recipe"), scope.sources.recipes, "recipes");
  const groups = readGroups(reader, fields, { scope, keys: ITEM_KEYS, level: "tier" });
  return { kind: "recipe", source, stock: undefined, ...groups };
}

function readObjects(reader: SpecReader, at: Field, scope: PlacementScope): ContentSpec {
  const fields = reader.fields(at, ["objects", "on", "stock", ...OBJECT_KEYS]);
  const source = readSource(reader, fields.get("objects"), scope.sources.objects, "objects");
  const groups = readGroups(reader, fields, { scope, keys: OBJECT_KEYS, level: "level" });
  const stock = fields.has("stock") ? reader.choice(fields.get("stock"), ["world"]) : undefined;
  if (groups.groupOf.some((group) => groups.groups[group].level === undefined)) {
    const remedy = 'Add "level", such as 10 or {"from": 1, "perCells": 64, "most": 100}';
    reader.report(fields.get("level"), {
      problem: "the objects have no level",
      expected: "a level on every terrain",
      remedy,
    });
  }
  return { kind: "objects", source, stock, ...groups };
}

function readPool(reader: SpecReader, at: Field, { sources }: PlacementScope): ContentSpec {
  const fields = reader.fields(at, ["pools", "pool", "stock"]);
  const source = readSource(reader, fields.get("pools"), sources.pools, "pools");
  const pool = reader.text(fields.get("pool"));
  const root = sources.pools.get(source)?.roots.get(pool.split(".")[0]);
  const isKnown = sources.pools.get(source) !== undefined;
  if (root === undefined && isKnown) {
    const known = [...(sources.pools.get(source)?.roots.keys() ?? [])];
    const problem = "no root of the family has this name";
    const hint = didYouMean(pool.split(".")[0], known);
    reader.report(fields.get("pool"), {
      problem,
      got: pool,
      expected: `a path that begins with ${known.join(", ")}`,
      ...hint,
    });
  }
  if (root?.kind !== "finite") {
    if (fields.has("stock") && root !== undefined) {
      const remedy = 'Remove "stock", or use a finite pool';
      reader.report(fields.get("stock"), { problem: "an infinite pool has no stock", remedy });
    }
    return { kind: "pool", source, pool, stock: "infinite" };
  }
  if (!root.refill) {
    const remedy = "Remove it: a pool of contents refills at its next draw, so that no placement stays empty";
    reader.report(fields.get("pool"), { problem: `the root has "refill": false`, remedy });
  }
  if (!fields.has("stock")) {
    const remedy =
      'Add "stock": "region" for a full stock in each region, or "world" for one stock that a job draws from';
    reader.report(at, { problem: 'content from a finite pool needs a "stock"', remedy });
  }
  return {
    kind: "pool",
    source,
    pool,
    stock: reader.choice(fields.get("stock"), ["region", "world"], { fallback: "region" }),
  };
}

function readSource(
  reader: SpecReader,
  at: Field,
  known: ReadonlyMap<string, unknown>,
  list: "tables" | "recipes" | "objects" | "pools",
): string {
  const { value } = at;
  if (typeof value === "string" && known.has(value)) return value;
  const expected =
    known.size === 0 ? `a name in ${JSON.stringify(list)} of the world` : `one of ${[...known.keys()].join(", ")}`;
  const hint = typeof value === "string" ? didYouMean(value, known.keys()) : {};
  reader.report(at, { problem: `no entry of ${JSON.stringify(list)} has this name`, got: value, expected, ...hint });
  return "";
}

interface GroupRules {
  readonly scope: PlacementScope;
  readonly keys: readonly string[];
  /** The key of the option that can grow with the distance. */
  readonly level: "level" | "tier";
}

type Groups = Pick<MadeContentSpec, "groups" | "groupOf">;

/** Reads the options that apply to all terrains, and those under `on`. */
function readGroups(reader: SpecReader, fields: Fields, { scope, keys, level }: GroupRules): Groups {
  const read = (of: Fields, before?: ContentOptionsSpec): ContentOptionsSpec => ({
    level: of.has(level) ? readLevel(reader, of.get(level)) : before?.level,
    options: {
      ...before?.options,
      ...Object.fromEntries(keys.filter((key) => key !== level && of.has(key)).map((key) => [key, of.get(key).value])),
    },
  });
  const all = read(fields);
  const groups = [all];
  const groupOf = (scope.terrains.length === 0 ? [0] : scope.terrains).map(() => 0);
  const on = fields.has("on") ? reader.record(fields.get("on"), "an object with terrains or tags as keys") : undefined;
  for (const name of on?.keys ?? []) {
    const entry = on?.get(name);
    if (entry === undefined) continue;
    const group = groups.push(read(reader.fields(entry, keys), all)) - 1;
    // the first entry that names a terrain applies
    for (const terrain of terrainsOf(reader, entry, name, scope.terrains)) {
      if (groupOf[terrain] === 0) groupOf[terrain] = group;
    }
  }
  return { groups, groupOf };
}

function readLevel(reader: SpecReader, at: Field): LevelSpec {
  if (typeof at.value === "number") {
    const level = reader.integer(at, { least: 0, most: MAX_LEVEL });
    return { from: level, perCells: 1, most: level, center: [0, 0] };
  }
  const fields = reader.fields(at, ["from", "perCells", "most", "center"]);
  const from = reader.integer(fields.get("from"), { least: 0, most: MAX_LEVEL });
  const perCells = reader.integer(fields.get("perCells"), { least: 1, most: 2 ** 31 });
  const least = Number.isNaN(from) ? 0 : from;
  const most = reader.integer(fields.get("most"), { least, most: MAX_LEVEL, fallback: MAX_LEVEL });
  if (!fields.has("center")) return { from, perCells, most, center: [0, 0] };
  const [row, col] = reader
    .list(fields.get("center"), { least: 2, most: 2, of: "coordinates" })
    .map((entry) => reader.integer(entry, COORDINATE));
  return { from, perCells, most, center: [row ?? 0, col ?? 0] };
}
