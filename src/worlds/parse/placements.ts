import { didYouMean } from "../../errors/index.js";
import { ALL_SHAPES } from "../../formats/pictures/marks.js";
import { ZERO } from "../../fractions.js";
import {
  choice,
  Field,
  type Fields,
  FLAG,
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
  textFlaw,
  unread,
} from "../../spec/index.js";
import { inOrder } from "../../walks/compile.js";
import { CELL } from "../../walks/parse/cells.js";
import { SHARE } from "../../walks/parse/share.js";
import {
  type ContentGroupSpec,
  type ContentSpec,
  type LevelSpec,
  MAX_DISTANCE,
  MAX_PLACEMENTS,
  type PlacementSpec,
  type StampSpec,
  type TerrainSpec,
  type WorldSpec,
} from "../types.js";
import { type ConditionScope, conditionReader } from "./conditions.js";
import { earlierKind, RELATIONS, refuseOutsideDisc, refuseReach, sortedCells } from "./relations.js";
import type { ReadSources } from "./sources.js";
import { terrainsOf } from "./terrains.js";
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

type Levels = readonly [least: number, most: number];
const COUNT = integer({ least: 1, most: MAX_LEVEL });
const WEIGHT = integer({ least: 1, most: 2 ** 16 });
const PAIR_OF_LEVELS = list(COUNT, { least: 2, most: 2, of: "numbers of levels" });
const LEVEL_COUNT: Shape<number | Levels, Levels> = shape(readLevels, { anyOf: [COUNT, PAIR_OF_LEVELS] });

/** An option that is checked when the content is made. */
/* @__NO_SIDE_EFFECTS__ */
function passed<Input>(json: Shape["json"]): Shape<Input, unknown> {
  return shape((_, at) => at.value, json);
}

const ITEM_FIELDS = {
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
} as const;
export const ITEM_OPTIONS = record({
  /** The name of a recipe in `recipes`. Default: the one next to `on`. */
  recipe: optional(REFERENCE),
  ...ITEM_FIELDS,
});
/** The recipe and the options of a content's items on some terrains. */
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

/** What can differ between terrains, in `on`. */
const OVERRIDES = {
  table: record({
    /** The name of a table in `tables`. */
    table: REFERENCE,
  }),
  drops: record({
    /** A name in `drops`. */
    drops: REFERENCE,
  }),
  recipe: ITEM_OPTIONS,
  objects: OBJECT_OPTIONS,
  pools: record({
    /** The path of another pool in the family. */
    pool: TEXT,
  }),
} as const;
/* @__NO_SIDE_EFFECTS__ */
function byTerrain<K extends keyof typeof OVERRIDES>(kind: K) {
  return optional(namedValues(unread<InputOf<(typeof OVERRIDES)[K]>>(OVERRIDES[kind])));
}

const CONTENTS = {
  table: record({
    /** The name of a table in `tables`: the content is one roll of the table. */
    table: REFERENCE,
    /**
     * Other tables on some terrains: an object whose keys are names or tags of terrains. For each terrain, the first
     * entry that fits applies.
     */
    on: byTerrain("table"),
  }),
  drops: record({
    /** The name of drops in `drops`: the content is one drop, which is a list of results. */
    drops: REFERENCE,
    /**
     * Other drops on some terrains: an object whose keys are names or tags of terrains. For each terrain, the first
     * entry that fits applies.
     */
    on: byTerrain("drops"),
  }),
  recipe: record({
    /** The name of a recipe in `recipes`: the content is one item of the recipe. */
    recipe: REFERENCE,
    ...ITEM_FIELDS,
    /**
     * Another recipe or other options on some terrains: an object whose keys are names or tags of terrains. For each
     * terrain, the first entry that fits overrides the fields next to `on`.
     */
    on: byTerrain("recipe"),
  }),
  objects: record({
    /** A name in `objects`: the content is one object. `level` is required: here, or in `on` for every terrain. */
    objects: REFERENCE,
    ...OBJECT_OPTIONS.fields,
    /**
     * Other options on some terrains: an object whose keys are names or tags of terrains. For each terrain, the first
     * entry that fits overrides the options next to `on`.
     */
    on: byTerrain("objects"),
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
     * Other pools of the family on some terrains: an object whose keys are names or tags of terrains. For each terrain,
     * the first entry that fits applies.
     */
    on: byTerrain("pools"),
    /**
     * Where the stock of a finite pool is counted; required for such a pool. "region": each region of 256 × 256 cells
     * has a full stock. "world": each content has one stock, and only a job can draw from it, in order. An empty pool
     * refills at its next draw.
     */
    stock: optional(choice(["region", "world"])),
  }),
} as const;
type Contents = typeof CONTENTS;
const CONTENT_KINDS = Object.keys(CONTENTS) as (keyof Contents)[];
/** For each kind of content, the list of the world that has its sources, and the options of its calls. */
const FORMS = {
  table: { list: "tables", options: [] },
  drops: { list: "drops", options: [] },
  recipe: { list: "recipes", options: Object.keys(ITEM_FIELDS) },
  objects: { list: "objects", options: OBJECT_OPTIONS.keys },
  pools: { list: "pools", options: [] },
} as const satisfies Record<keyof Contents, { list: keyof ReadSources; options: readonly string[] }>;
/** The option that is a level or a tier, which can grow. */
const LEVELS: readonly string[] = ["level", "tier"];
/**
 * The content of a placement: a source from `tables`, `drops`, `recipes`, `objects` or `pools` of the world. Each
 * content of each kind of placement has its own random words, even if two contents name the same source.
 */
export type ContentInput = { readonly [K in keyof Contents]: InputOf<Contents[K]> }[keyof Contents];
/** A content. {@link readContent} reads it, because it refers to sources and terrains. */
export const CONTENT = unread<ContentInput>({ anyOf: Object.values(CONTENTS) });
const MAX_CONTENTS = 16;
const BY_NAME = namedValues(CONTENT, { flaw: textFlaw, json: TEXT.json });
const NAMED_CONTENTS = shape<InputOf<typeof BY_NAME>, ReadonlyMap<string, Field>>(readNamed, {
  ...BY_NAME.json,
  minProperties: 1,
  maxProperties: MAX_CONTENTS,
});

export const PLACEMENT = record({
  /** The name of the kind, unique: 1 to 256 characters. It selects the random words. */
  name: TEXT,
  /** The terrains on which the kind can stand, by name or tag. Default: all terrains. */
  on: optional(list(REFERENCE, { least: 1, most: MAX_ENTRIES, of: "terrains or tags" })),
  /**
   * The probability that a cell of the terrains in `on` is a candidate, such as "1/200", 0.005 or 1. Default 0, for a
   * kind that only `at`, `least` or stamps place.
   */
  density: optional(SHARE, ZERO),
  /**
   * Two placements of this kind are always more than this many steps apart, 0 … 64. Of candidates that are closer, only
   * the candidate with the least priority is placed. Default 0: all candidates are placed.
   */
  distance: optional(integer({ least: 0, most: MAX_DISTANCE }), 0),
  ...RELATIONS.fields,
  /** The content of each placement of this kind. Default: nothing. */
  content: optional(CONTENT),
  /**
   * Several contents, in place of `content`: an object that maps 1 to 16 names, each of 1 to 256 characters, to
   * contents. Then the content of a placement is an object with these names as keys.
   */
  contents: optional(NAMED_CONTENTS),
  /** The colour of the mark in pictures, as #rrggbb. Default: the index of the kind selects a colour. */
  color: optional(COLOR),
  /** The shape of the mark in pictures, such as "tower". Default: the index of the kind selects a simple shape. */
  icon: optional(choice(ALL_SHAPES)),
  /** The name of a world in `worlds`: each placement leads to a child world of its own. Default: none. */
  enters: optional(REFERENCE),
  /**
   * The number of levels of the child world, 1 … 255: each level is the same spec with random words of its own. [1, 3]:
   * a random number from 1 to 3 for each placement. Only with `enters`. Default 1.
   */
  levels: optional(LEVEL_COUNT),
  /**
   * Stamps by name, with weights 1 to 65,536, such as {"hamlet": 3, "market": 1}. Each placement of this kind lays one
   * of them. A placement that a stamp puts on a cell lays none. Default: none.
   */
  stamps: optional(namedValues(WEIGHT)),
  /** Whether a stamp is turned by a random multiple of 60°. Only with `stamps`. Default false. */
  turns: FLAG,
});
/** A kind of things that stand on the terrain. */
export interface PlacementInput extends InputOf<typeof PLACEMENT> {}
export const PLACEMENTS = list(PLACEMENT, { most: MAX_PLACEMENTS, of: "placements" });

interface PlacementScope extends ConditionScope {
  readonly grid: WorldSpec["grid"];
  readonly terrains: readonly TerrainSpec[];
  readonly sources: ReadSources;
  readonly worlds: ReadonlyMap<string, unknown>;
  readonly stamps: readonly StampSpec[];
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
  const {
    on,
    near,
    apart,
    where,
    at,
    content: _,
    color,
    least,
    most,
    sizes,
    enters,
    levels,
    stamps,
    turns,
    ...rest
  } = entry;
  const { grid } = scope;
  const given = on?.flatMap((one) => terrainsOf(reader, one, one.value, scope.terrains));
  const nearKind = near && earlierKind(reader, near.kind, names);
  const apartKind = apart && earlierKind(reader, apart.kind, names);
  for (const [field, disc] of Object.entries({ least, most })) refuseOutsideDisc(reader, own.part(field), disc, grid);
  if (levels !== undefined && enters === undefined) refuseAlone(reader, own.part("levels"), "enters");
  if (turns && stamps === undefined) refuseAlone(reader, own.part("turns"), "stamps");
  return {
    ...rest,
    terrains: inOrder(given ?? [...scope.terrains.keys()]),
    near: near && nearKind !== undefined ? { ...near, kind: nearKind } : undefined,
    apart: apart && apartKind !== undefined ? { ...apart, kind: apartKind } : undefined,
    where: where && conditionReader(reader, scope)(where, ""),
    at: sortedCells(reader, own.part("at"), at, { grid, distance: rest.distance }),
    least,
    most,
    sizes,
    enters: enters && readEntrance(reader, enters, levels, scope),
    stamps: stamps && { picks: readPicks(reader, own.part("stamps"), stamps, scope), turns },
    contents: readContents(reader, own.part("contents"), entry, scope),
    color: color ?? defaultColor("mark", i),
  };
}

function readNamed(reader: SpecReader, at: Field): ReadonlyMap<string, Field> {
  const before = reader.errors;
  const contents = BY_NAME.read(reader, at);
  if (reader.errors === before && (contents.size < 1 || contents.size > MAX_CONTENTS)) {
    const expected = `1 to ${MAX_CONTENTS} contents`;
    reader.report(at, { problem: "invalid number of contents", got: contents.size, expected });
  }
  return contents;
}

function readContents(
  reader: SpecReader,
  at: Field,
  { content, contents }: SpecOf<typeof PLACEMENT>,
  scope: PlacementScope,
): readonly ContentSpec[] {
  if (contents === undefined) return content === undefined ? [] : readContent(reader, content, undefined, scope);
  const remedy = 'Move the content into "contents", and give it a name';
  if (content !== undefined) reader.report(at, { problem: 'the kind has both "content" and "contents"', remedy });
  return Array.from(contents, ([name, one]) => readContent(reader, one, name, scope)).flat();
}

function refuseAlone(reader: SpecReader, at: Field, needed: string): void {
  reader.report(at, { problem: `${at.name} needs "${needed}"`, remedy: `Remove ${at.name}, or add "${needed}"` });
}

/** Reads the stamps of a kind, whose names have the paths `at`.NAME. */
function readPicks(reader: SpecReader, at: Field, given: ReadonlyMap<string, number>, { stamps }: PlacementScope) {
  if (given.size === 0) reader.report(at, { problem: '"stamps" is empty', expected: "at least one stamp" });
  const known = new Map(stamps.map(({ name }, stamp) => [name, stamp]));
  const unknown = { problem: 'no entry of "stamps" has this name', none: 'a name in "stamps" of the world' };
  return [...given].flatMap(([name, weight]) => {
    const stamp = lookUp(reader, new Field(name, at, name), { known, ...unknown });
    return stamp === undefined ? [] : [{ stamp, weight }];
  });
}

function readEntrance(reader: SpecReader, at: Field, levels: Levels = [1, 1], { worlds }: PlacementScope) {
  const known = new Map([...worlds.keys()].map((name) => [name, name]));
  const unknown = { problem: 'no entry of "worlds" has this name', none: 'a name in "worlds" of the world' };
  return { world: lookUp(reader, at, { known, ...unknown }) ?? "", levels };
}

/** Reads a number of levels, or the least and the greatest number. */
function readLevels(reader: SpecReader, at: Field): Levels {
  if (typeof at.value === "number") {
    const count = COUNT.read(reader, at);
    return [count, count];
  }
  const [least = 1, most = 1] = PAIR_OF_LEVELS.read(reader, at);
  if (least > most)
    reader.report(at, { problem: 'invalid "levels"', got: at.value, expected: "[least, most] with least ≤ most" });
  return [least, most];
}

function readContent(
  reader: SpecReader,
  at: Field,
  name: string | undefined,
  scope: PlacementScope,
): readonly ContentSpec[] {
  const given = reader.record(at, `an object with one of ${CONTENT_KINDS.join(", ")}`);
  const kinds = CONTENT_KINDS.filter((kind) => given.has(kind));
  if (kinds.length !== 1) {
    const problem = kinds.length === 0 ? "the content names no source" : "the content names several sources";
    reader.report(at, { problem, expected: `one of ${CONTENT_KINDS.join(", ")}` });
    return [];
  }
  const [kind] = kinds;
  const fields = reader.fields(at, CONTENTS[kind].keys);
  const groups = readGroups(reader, fields, kind, scope);
  if (kind === "objects") checkLevels(reader, fields, groups);
  return [{ name, kind, stock: readStock(reader, at, fields, { kind, ...groups }, scope), ...groups }];
}

type Groups = Pick<ContentSpec, "groups" | "groupOf">;

function checkLevels(reader: SpecReader, fields: Fields, { groups, groupOf }: Groups): void {
  if (groupOf.every((group) => groups[group].level !== undefined)) return;
  const remedy = 'Add "level", such as 10 or {"from": 1, "perCells": 64, "most": 100}';
  reader.report(fields.get("level"), {
    problem: "the objects have no level",
    expected: "a level on every terrain",
    remedy,
  });
}

function readStock(
  reader: SpecReader,
  at: Field,
  fields: Fields,
  { kind, groups }: Pick<ContentSpec, "kind" | "groups">,
  { sources }: PlacementScope,
): ContentSpec["stock"] {
  if (kind === "objects") return CONTENTS.objects.fields.stock.read(reader, fields.get("stock"));
  if (kind !== "pools") return undefined;
  const stock = CONTENTS.pools.fields.stock.read(reader, fields.get("stock"));
  const roots = groups.map(({ source, pool = "" }) => sources.pools.get(source)?.roots.get(rootOf(pool)));
  if (roots.some((root) => root?.kind === "finite")) {
    const remedy =
      'Add "stock": "region" for a full stock in each region, or "world" for one stock that a job draws from';
    if (stock === undefined) reader.report(at, { problem: 'content from a finite pool needs a "stock"', remedy });
  } else if (fields.has("stock") && !roots.includes(undefined)) {
    const remedy = 'Remove "stock", or use a finite pool';
    reader.report(fields.get("stock"), { problem: "an infinite pool has no stock", remedy });
  }
  return stock;
}

/** Returns the name of the root in the path of a pool. */
function rootOf(pool: string): string {
  return pool.split(".")[0];
}

function readPool(reader: SpecReader, at: Field, family: ReturnType<ReadSources["pools"]["get"]>): string {
  const pool = TEXT.read(reader, at);
  const name = rootOf(pool);
  const root = family?.roots.get(name);
  if (family !== undefined && root === undefined) {
    const known = [...family.roots.keys()];
    const expected = `a path that begins with ${known.join(", ")}`;
    const finding = { problem: "no root of the family has this name", got: pool, expected };
    reader.report(at, { ...finding, ...didYouMean(name, known) });
  }
  if (root?.kind === "finite" && !root.refill) {
    const remedy = 'Remove "refill": a pool of contents must refill, so that no placement stays empty';
    reader.report(at, { problem: `the root has "refill": false`, remedy });
  }
  return pool;
}

/** Reads the source and the options for all terrains, and those under `on`. */
function readGroups(reader: SpecReader, fields: Fields, kind: keyof Contents, scope: PlacementScope): Groups {
  const { terrains } = scope;
  const read = groupReader(reader, kind, scope);
  const all = read(fields);
  const groups = [all];
  const groupOf = (terrains.length === 0 ? [0] : terrains).map(() => 0);
  const on = fields.has("on") ? reader.record(fields.get("on"), "an object with terrains or tags as keys") : undefined;
  if (on === undefined) return { groups, groupOf };
  for (const name of on.keys) {
    const at = on.get(name);
    const group = groups.push(read(reader.fields(at, OVERRIDES[kind].keys), all)) - 1;
    // the first entry that names a terrain applies
    for (const terrain of terrainsOf(reader, at, name, terrains)) groupOf[terrain] ||= group;
  }
  return { groups, groupOf };
}

/** Returns a function that reads a group. Absent fields have the values of the group `before`. */
function groupReader(reader: SpecReader, kind: keyof Contents, { sources }: PlacementScope) {
  const { list, options: keys } = FORMS[kind];
  const unknown = { problem: `no entry of "${list}" has this name`, none: `a name in "${list}" of the world` };
  const known = new Map([...sources[list].keys()].map((name) => [name, name]));
  const isRequired = kind === "table" || kind === "drops";
  return (of: Fields, before?: ContentGroupSpec): ContentGroupSpec => {
    const isGiven = before === undefined || isRequired || of.has(kind);
    const source = isGiven ? (lookUp(reader, of.get(kind), { known, ...unknown }) ?? "") : before.source;
    const pool = kind === "pools" ? readPool(reader, of.get("pool"), sources.pools.get(source)) : undefined;
    const level = keys.find((key) => LEVELS.includes(key));
    const own = keys.filter((key) => key !== level && of.has(key)).map((key) => [key, of.get(key).value]);
    const options = { ...before?.options, ...Object.fromEntries(own) };
    const grows = level !== undefined && of.has(level);
    return { source, pool, level: grows ? readLevel(reader, of.get(level)) : before?.level, options };
  };
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
