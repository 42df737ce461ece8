import { didYouMean } from "../../errors/index.js";
import { ZERO } from "../../fractions.js";
import {
  choice,
  type Field,
  type Fields,
  type InputOf,
  integer,
  list,
  lookUp,
  namedValues,
  optional,
  REFERENCE,
  record,
  type Shape,
  type SpecOf,
  type SpecReader,
  shape,
  TEXT,
  unread,
} from "../../spec/index.js";
import { inOrder } from "../../walks/compile.js";
import type { GridSpec } from "../../walks/index.js";
import { CELL } from "../../walks/parse/cells.js";
import { SHARE } from "../../walks/parse/share.js";
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
import { type ConditionScope, conditionReader } from "./conditions.js";
import { earlierKind, RELATIONS, refuseOutsideDisc, refuseReach, sortedCells } from "./relations.js";
import type { ReadSources } from "./sources.js";
import { COLOR, defaultColor } from "./values.js";

const MAX_LEVEL = 255;
const MAX_ENTRIES = 256;

const LEVEL_NUMBER = integer({ least: 0, most: MAX_LEVEL });
const GROWING = record({
  /** The level or tier at `center`, 0 … 255. */
  from: LEVEL_NUMBER,
  /** The level or tier grows by 1 each time the distance from `center` grows by this many cells, 1 … 2³¹. */
  perCells: integer({ least: 1, most: 2 ** 31 }),
  /** Greatest level or tier, 0 … 255. Default 255. */
  most: optional(LEVEL_NUMBER, MAX_LEVEL),
  /** The cell from which the distance counts. Default [0, 0]. */
  center: optional(CELL, [0, 0]),
});
/**
 * A fixed level or tier, or one that grows with the distance from `center`: min(most, from + ⌊distance / perCells⌋),
 * where `distance` is the number of steps from `center` to (256·i + 128, 256·j + 128), the middle of region (i, j).
 */
export type LevelInput = number | InputOf<typeof GROWING>;
export const LEVEL: Shape<LevelInput, LevelSpec> = shape(readLevel, { anyOf: [LEVEL_NUMBER, GROWING] });

/** An option that is checked when the content is made. */
/* @__NO_SIDE_EFFECTS__ */
function passed<Input>(json: Shape["json"]): Shape<Input, unknown> {
  return shape((_, at) => at.value, json);
}

export const ITEM_OPTIONS = record({
  /** Tier of the items, 0 … 255. Default: all tiers. */
  tier: optional(LEVEL),
  /** If above 0, the tier of a word can differ from `tier`. Default 0. */
  tierVariance: optional(passed<number>({ type: "number", minimum: 0 })),
  /** Factor that multiplies every roll of 0 to 100. Default 1. */
  power: optional(passed<number>({ type: "number", minimum: 0 })),
  /** The requested words: an object that maps the name of a slot to a word. */
  request: optional(
    passed<Readonly<Record<string, string>>>({ type: "object", additionalProperties: { type: "string" } }),
  ),
});
/** Options of the items of a content. */
export interface ItemContentOptions extends InputOf<typeof ITEM_OPTIONS> {}

export const OBJECT_OPTIONS = record({
  /** The real depth of the objects, before any boost, 0 … 255. */
  level: optional(LEVEL),
  /** Whether all objects are good. Default false. */
  good: optional(passed<boolean>({ type: "boolean" })),
  /** Whether all objects are great. Default false. */
  great: optional(passed<boolean>({ type: "boolean" })),
  /** The kind of all objects, by its name or number. Default: all kinds. */
  kind: optional(passed<string | number>({ type: ["string", "integer"] })),
  /** The type of all objects, by its name or number. Default: all types. */
  tval: optional(passed<string | number>({ type: ["string", "integer"] })),
});
/** Options of the objects of a content. */
export interface ObjectContentOptions extends InputOf<typeof OBJECT_OPTIONS> {}

const CONTENTS = {
  table: record({
    /** The name of a table in `tables`: the content is one roll of the table. */
    table: REFERENCE,
  }),
  recipe: record({
    /** The name of a recipe in `recipes`: the content is one item of the recipe. */
    recipe: REFERENCE,
    ...ITEM_OPTIONS.fields,
    /**
     * Other options on some terrains: an object whose keys are names or tags of terrains. For each terrain, the first
     * entry that fits overrides the options next to `on`.
     */
    on: optional(namedValues(unread<ItemContentOptions>(ITEM_OPTIONS))),
  }),
  objects: record({
    /** A name in `objects`: the content is one object. `level` is required: here, or in `on` for every terrain. */
    objects: REFERENCE,
    ...OBJECT_OPTIONS.fields,
    /**
     * Other options on some terrains: an object whose keys are names or tags of terrains. For each terrain, the first
     * entry that fits overrides the options next to `on`.
     */
    on: optional(namedValues(unread<ObjectContentOptions>(OBJECT_OPTIONS))),
    /**
     * "world": objects may be artifacts, each only once in the world. Then only a job makes the objects, in order.
     * Default: no artifacts.
     */
    stock: optional(choice(["world"])),
  }),
  pools: record({
    /** The name of a family in `pools`: the content is one draw from a pool of the family. */
    pools: REFERENCE,
    /** The path of the pool in the family, such as `treasure` or `treasure.rare`. */
    pool: TEXT,
    /**
     * Where the stock of a finite pool is counted; required for such a pool. "region": each region of 256 × 256 cells
     * has a full stock. "world": each kind of placement has one stock, and only a job can draw from it, in order. An
     * empty pool refills at its next draw.
     */
    stock: optional(choice(["region", "world"])),
  }),
} as const;
type Contents = typeof CONTENTS;
const CONTENT_KINDS = Object.keys(CONTENTS) as (keyof Contents)[];
/** For each kind of content, the list of the world that has its sources. */
const LISTS = { table: "tables", recipe: "recipes", objects: "objects", pools: "pools" } as const;
/**
 * The content of a placement: a source from `tables`, `recipes`, `objects` or `pools` of the world. Each kind of
 * placement has its own random words, even if two kinds name the same source.
 */
export type ContentInput = { readonly [K in keyof Contents]: InputOf<Contents[K]> }[keyof Contents];
/** A content. {@link readContent} reads it, because it refers to sources and terrains. */
export const CONTENT = unread<ContentInput>({ anyOf: Object.values(CONTENTS) });

export const PLACEMENT = record(
  {
    /** The name of the kind, unique: 1 to 256 characters. It selects the random words. */
    name: TEXT,
    /** The terrains on which the kind can stand, by name or tag. Default: all terrains. */
    on: optional(list(REFERENCE, { least: 1, most: MAX_ENTRIES, of: "terrains or tags" })),
    /**
     * The probability that a cell of the terrains in `on` is a candidate, such as "1/200", 0.005 or 1. Required without
     * `at` and `least`; with one of them, the default is 0.
     */
    density: optional(SHARE),
    /**
     * Two placements of this kind are always more than this many steps apart, 0 … 64. Of candidates that are closer, only
     * the candidate with the least priority is placed. Default 0: all candidates are placed.
     */
    distance: optional(integer({ least: 0, most: MAX_DISTANCE }), 0),
    ...RELATIONS.fields,
    /** The content of each placement of this kind. Default: nothing. */
    content: optional(CONTENT),
    /** The colour of the mark in pictures, as #rrggbb. Default: the index of the kind selects a colour. */
    color: optional(COLOR),
  },
  { anyOf: [{ required: ["density"] }, { required: ["at"] }, { required: ["least"] }] },
);
/** A kind of things that stand on the terrain. */
export interface PlacementInput extends InputOf<typeof PLACEMENT> {}
export const PLACEMENTS = list(PLACEMENT, { most: MAX_PLACEMENTS, of: "placements" });

interface PlacementScope extends ConditionScope {
  readonly grid: GridSpec;
  readonly terrains: readonly TerrainSpec[];
  readonly sources: ReadSources;
}

export function readPlacements(reader: SpecReader, at: Field, scope: PlacementScope): PlacementSpec[] {
  const entries = optional(PLACEMENTS, []).read(reader, at);
  const names: string[] = [];
  const kinds = entries.map((entry, i) => {
    const own = at.part(i);
    if (names.includes(entry.name) && entry.name !== "") {
      const expected = "a name that no other placement has";
      reader.report(own.part("name"), { problem: "two placements have the same name", got: entry.name, expected });
    }
    const kind = readKind(reader, own, { entry, i, names, scope });
    names.push(entry.name);
    return kind;
  });
  refuseReach(reader, at, kinds);
  return kinds;
}

interface Entry {
  readonly entry: SpecOf<typeof PLACEMENT>;
  readonly i: number;
  /** The names of the earlier kinds. */
  readonly names: readonly string[];
  readonly scope: PlacementScope;
}

function readKind(reader: SpecReader, own: Field, { entry, i, names, scope }: Entry): PlacementSpec {
  const { on, near, apart, where, at, density, content, color, least, most, sizes, ...rest } = entry;
  const { grid } = scope;
  const given = on?.flatMap((one) => terrainsOf(reader, one, one.value, scope.terrains));
  const nearKind = near && earlierKind(reader, near.kind, names);
  const apartKind = apart && earlierKind(reader, apart.kind, names);
  for (const [field, disc] of Object.entries({ least, most })) refuseOutsideDisc(reader, own.part(field), disc, grid);
  const isByHand = at.length > 0 || least !== undefined;
  return {
    ...rest,
    terrains: inOrder(given ?? [...scope.terrains.keys()]),
    density: density ?? (isByHand ? ZERO : SHARE.read(reader, own.part("density"))),
    near: near && nearKind !== undefined ? { ...near, kind: nearKind } : undefined,
    apart: apart && apartKind !== undefined ? { ...apart, kind: apartKind } : undefined,
    where: where && conditionReader(reader, scope)(where, ""),
    at: sortedCells(reader, own.part("at"), at, { grid, distance: rest.distance }),
    least,
    most,
    sizes,
    content: content && readContent(reader, content, scope),
    color: color ?? defaultColor("mark", i),
  };
}

/** Returns the indices of the terrains with this name or tag. */
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
  const [kind] = kinds;
  const fields = reader.fields(at, CONTENTS[kind].keys);
  const list = LISTS[kind];
  const unknown = { problem: `no entry of "${list}" has this name`, none: `a name in "${list}" of the world` };
  const known = new Map([...scope.sources[list].keys()].map((name) => [name, name]));
  const source = lookUp(reader, fields.get(kind), { known, ...unknown }) ?? "";
  switch (kind) {
    case "table":
      return { kind, source };
    case "recipe":
      return { kind, source, stock: undefined, ...readGroups(reader, fields, scope, ITEM_OPTIONS.keys, "tier") };
    case "objects":
      return readObjects(reader, fields, source, scope);
    case "pools":
      return readPool(reader, at, fields, source, scope);
  }
}

function readObjects(reader: SpecReader, fields: Fields, source: string, scope: PlacementScope): ContentSpec {
  const groups = readGroups(reader, fields, scope, OBJECT_OPTIONS.keys, "level");
  const stock = CONTENTS.objects.fields.stock.read(reader, fields.get("stock"));
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

function readPool(reader: SpecReader, at: Field, fields: Fields, source: string, scope: PlacementScope): ContentSpec {
  const { pool, stock } = CONTENTS.pools.values(reader, fields);
  const family = scope.sources.pools.get(source);
  const [name] = pool.split(".");
  const root = family?.roots.get(name);
  if (family !== undefined && root === undefined) {
    const known = [...family.roots.keys()];
    const expected = `a path that begins with ${known.join(", ")}`;
    const finding = { problem: "no root of the family has this name", got: pool, expected };
    reader.report(fields.get("pool"), { ...finding, ...didYouMean(name, known) });
  }
  if (root?.kind !== "finite") {
    if (fields.has("stock") && root !== undefined) {
      const remedy = 'Remove "stock", or use a finite pool';
      reader.report(fields.get("stock"), { problem: "an infinite pool has no stock", remedy });
    }
    return { kind: "pool", source, pool, stock: "infinite" };
  }
  if (!root.refill) {
    const remedy = 'Remove "refill": a pool of contents must refill, so that no placement stays empty';
    reader.report(fields.get("pool"), { problem: `the root has "refill": false`, remedy });
  }
  if (!fields.has("stock")) {
    const remedy =
      'Add "stock": "region" for a full stock in each region, or "world" for one stock that a job draws from';
    reader.report(at, { problem: 'content from a finite pool needs a "stock"', remedy });
  }
  return { kind: "pool", source, pool, stock: stock ?? "region" };
}

/** Reads the options for all terrains, and the options under `on`. `level` names the option that can grow. */
function readGroups(
  reader: SpecReader,
  fields: Fields,
  { terrains }: PlacementScope,
  keys: readonly string[],
  level: "level" | "tier",
): Pick<MadeContentSpec, "groups" | "groupOf"> {
  const read = (of: Fields, before?: ContentOptionsSpec): ContentOptionsSpec => {
    const others = keys.filter((key) => key !== level && of.has(key)).map((key) => [key, of.get(key).value]);
    const options = { ...before?.options, ...Object.fromEntries(others) };
    return { level: of.has(level) ? readLevel(reader, of.get(level)) : before?.level, options };
  };
  const all = read(fields);
  const groups = [all];
  const groupOf = (terrains.length === 0 ? [0] : terrains).map(() => 0);
  const on = fields.has("on") ? reader.record(fields.get("on"), "an object with terrains or tags as keys") : undefined;
  if (on === undefined) return { groups, groupOf };
  for (const name of on.keys) {
    const at = on.get(name);
    const group = groups.push(read(reader.fields(at, keys), all)) - 1;
    // the first entry that names a terrain applies
    for (const terrain of terrainsOf(reader, at, name, terrains)) groupOf[terrain] ||= group;
  }
  return { groups, groupOf };
}

function readLevel(reader: SpecReader, at: Field): LevelSpec {
  if (typeof at.value === "number") {
    const level = LEVEL_NUMBER.read(reader, at);
    return { from: level, perCells: 1, most: level, center: [0, 0] };
  }
  const level = GROWING.read(reader, at);
  if (level.most < level.from) {
    const expected = `an integer from ${level.from} to ${MAX_LEVEL}`;
    reader.report(at.part("most"), { problem: 'invalid "most"', got: level.most, expected });
  }
  return level;
}
