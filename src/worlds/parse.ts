import {
  type Field,
  type InputOf,
  isObject,
  list,
  optional,
  type Parsed,
  readOptions,
  record,
  SpecReader,
  TEXT,
  unread,
} from "../spec/index.js";
import type { LayerInput, WalkSpec } from "../walks/index.js";
import { LAYER, parseWalkOf } from "../walks/parse.js";
import { ALL_SYSTEMS, type ContentSystems } from "./contentSystems.js";
import { CONDITION, CONDITION_KEYS, type ConditionScope, conditionReader } from "./parse/conditions.js";
import { FIELDS, fieldNames, readFields } from "./parse/fields.js";
import { readUnbounded, WORLD_GRID, walkedLayers } from "./parse/grid.js";
import { refuseLateFields } from "./parse/order.js";
import { PATHS, readPaths } from "./parse/paths.js";
import { PLACEMENTS, readPlacements } from "./parse/placements.js";
import { REALMS, readRealms } from "./parse/realms.js";
import { readSources, SOURCES } from "./parse/sources.js";
import { readStamps, STAMPS } from "./parse/stamps.js";
import { TAGS, TerrainList } from "./parse/terrains.js";
import { COLOR } from "./parse/values.js";
import { type Nesting, outermost, readWorlds, worldsOf } from "./parse/worlds.js";
import { MAX_PLACEMENTS, type SourceSpecs, type TerrainRuleSpec, type WorldSpec } from "./types.js";

const MAX_RULES = 1024;

export const RULE = record({
  /** Name of the terrain, 1 to 256 characters. Several rules can give the same terrain. */
  terrain: TEXT,
  /** The condition. Required in every rule except the last rule, which must not have a condition. */
  when: optional(CONDITION),
  /**
   * The colour in pictures, as #rrggbb; only in the first rule of a terrain. Default: the index of the terrain selects
   * a colour.
   */
  color: optional(COLOR),
  /**
   * At most 64 tags; only in the first rule of a terrain. Several terrains can have the same tag. A placement can name
   * the tag in place of all these terrains. A tag must not be the name of a terrain. Default: no tags.
   */
  tags: optional(TAGS),
});
/** A rule of the terrain. A cell gets the terrain of the first rule that holds. Only the last rule has no `when`. */
export interface TerrainRuleInput extends InputOf<typeof RULE> {}
const RULES = list(RULE, { least: 1, most: MAX_RULES, of: "rules" });

const LAYERS = list(LAYER, { least: 1, most: 256, of: "layers" });
const NOT_RESERVED = { properties: { name: { not: { enum: CONDITION_KEYS } } } };
export const WORLD = record({
  /**
   * Name of the world, 1 to 256 characters. On the command line, it selects the random words, and the default is the
   * file's name. `mill.world` uses the name of the call instead.
   */
  name: optional(TEXT),
  /**
   * The grid, as in a walk, but not a torus. `{"coordinates": "odd-r"}` is unbounded, and its windows are upright
   * rectangles. Default: unbounded and axial.
   */
  grid: optional(WORLD_GRID),
  /**
   * The layers of a walk, in the order in which they run. A layer with `scatter` is infinite; any other layer is finite
   * and is made completely. A world without walks has the layer `{"name": "still"}`. No layer has the name `chance`,
   * `all`, `any` or `not`.
   */
  layers: unread<readonly LayerInput[]>({ ...LAYERS.json, items: { allOf: [LAYER, NOT_RESERVED] } }),
  /** At most 64 fields, each with an integer 0 to 65,535 for every cell. Default: none. */
  fields: optional(unread<InputOf<typeof FIELDS>>(FIELDS)),
  /**
   * 1 to 1,024 rules, with at most 255 terrains and 4,096 conditions. A cell gets the terrain of the first rule that
   * holds. Only the last rule has no `when`. Default: no terrain.
   */
  terrain: optional(unread<InputOf<typeof RULES>>(RULES)),
  /** At most 256 kinds of things that stand on the terrain. Default: none. */
  placements: optional(unread<InputOf<typeof PLACEMENTS>>(PLACEMENTS)),
  /** At most 16 ways to divide the cells among the placements of a kind. Default: none. */
  realms: optional(unread<InputOf<typeof REALMS>>(REALMS)),
  /** At most 16 kinds of paths between placements, which lay terrain in the order of the list. Default: none. */
  paths: optional(unread<InputOf<typeof PATHS>>(PATHS)),
  /** Stamps by name: small maps that placements lay on their cells and the cells around. Default: none. */
  stamps: optional(unread<InputOf<typeof STAMPS>>(STAMPS)),
  ...SOURCES.fields,
  /**
   * Child worlds by name, such as the dungeons below a land: a world, or `{"file": …}`. A kind of placement enters one
   * of them. Worlds can be nested 8 levels deep, and one world has at most 256 child worlds, with theirs. Default:
   * none.
   */
  worlds: optional(worldsOf<WorldInput>(), new Map()),
});
/**
 * A world as users write it (its JSON form). `layers` and `grid` have the same form as in a walk. A layer with
 * `scatter` is infinite. The sources of contents have the form that the methods of a mill accept.
 */
export interface WorldInput extends InputOf<typeof WORLD> {}

const NO_LAYERS: WalkSpec = {
  name: undefined,
  grid: { kind: "unbounded" },
  layers: [],
  fields: [],
  ranges: [],
  layered: true,
};

/**
 * Reads a world, and reports every issue with its path. Cost: O(size of the input).
 *
 * Error cases:
 *
 * - `world.spec`: a wrong shape, type or range, or an unknown key or name.
 * - In `grid` and `layers`: the errors of `parseWalk`.
 * - In the sources of contents: the errors of the parsers of tables, recipes, objects and pools.
 */
export function parseWorld(input: unknown, options: { readonly file?: string | undefined } = {}): Parsed<WorldSpec> {
  const { file } = readOptions("parseWorld", options, ["file"]);
  return readWorld(input, { file, systems: ALL_SYSTEMS });
}

interface ReadOptions {
  readonly file: string | undefined;
  readonly systems: ContentSystems;
  readonly nesting?: Nesting;
}

export function readWorld(input: unknown, options: ReadOptions): Parsed<WorldSpec> {
  const { file, systems, nesting = outermost() } = options;
  const reader = new SpecReader({ noun: "world", code: "world.spec", file, isDocument: true });
  return reader.run(input, (root) => {
    const fields = reader.fields(root, WORLD.keys);
    const name = WORLD.fields.name.read(reader, fields.get("name"));
    const layers = reader.list(fields.get("layers"), { least: 1, of: "layers" });
    const unbounded = readUnbounded(reader, fields.get("grid"));
    const given = unbounded === undefined ? fields.get("grid").value : NO_LAYERS.grid;
    const walked = { grid: given, layers: layers.map(({ value }) => value) };
    const parsed = parseWalkOf(walked, { file, fields: fieldNames(fields.get("fields")) });
    if (layers.length > 0) for (const issue of parsed.issues) reader.add(issue);
    const written = parsed.spec ?? NO_LAYERS;
    const grid = unbounded ?? written.grid;
    const walk = { ...written, layers: walkedLayers(reader, written.layers, { at: layers, grid }) };
    if (walk.grid.kind === "torus") {
      const remedy = 'Make the grid "bounded" or "unbounded"';
      reader.report(fields.get("grid"), { problem: "a world cannot be a torus", remedy });
    }
    for (const [i, { name: got }] of walk.layers.entries()) {
      if (!CONDITION_KEYS.includes(got)) continue;
      const problem = "a layer cannot have this name, because conditions use it";
      reader.report(layers[i], { problem, got, expected: `a name other than ${CONDITION_KEYS.join(", ")}` });
    }
    // if the layers are invalid, skips the rules: every name of a layer in them would be unknown
    const isWhole = parsed.spec !== undefined;
    const own = isWhole
      ? readFields(reader, fields.get("fields"), { layers: walk.layers, reserved: CONDITION_KEYS })
      : [];
    const scope = { layers: walk.layers, fields: own };
    if (reader.errors === 0) refuseLateFields(reader, fields.get("layers"), { walk, fields: own });
    const terrains = new TerrainList(reader);
    const rules = isWhole ? readRules(reader, fields.get("terrain"), terrains, scope) : [];
    const kinds = kindNames(fields.get("placements"));
    const named = kinds.map((kind) => ({ name: kind }));
    const paths = isWhole ? readPaths(reader, fields.get("paths"), { terrains, placements: named }) : [];
    const stamps = isWhole ? readStamps(reader, fields.get("stamps"), { terrains, kinds }) : [];
    const sources = readSources(reader, fields, systems);
    const children = WORLD.fields.worlds.read(reader, fields.get("worlds"));
    const worlds = readWorlds(reader, children, nesting, (child, inner) =>
      readWorld(child, { ...options, nesting: inner }),
    );
    const placed = { ...scope, terrains: terrains.all, grid, sources, worlds, stamps };
    const placements = isWhole ? readPlacements(reader, fields.get("placements"), placed) : [];
    const realms = isWhole ? readRealms(reader, fields.get("realms"), placements) : [];
    // the casts are safe: a source or a child world without a spec has an error, and then the world has no spec
    const specs = { sources: sources as SourceSpecs, worlds: worlds as ReadonlyMap<string, WorldSpec> };
    const made = { terrains: terrains.all, rules, placements, realms, paths, stamps };
    return { name, grid, walk, fields: own, ...made, ...specs };
  });
}

/** Returns the names of the kinds of placements, which stamps refer to. The kinds themselves are read later. */
function kindNames({ value }: Field): string[] {
  const kinds: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_PLACEMENTS) : [];
  return kinds.map((kind) => (isObject(kind) && typeof kind.name === "string" ? kind.name : ""));
}

function readRules(reader: SpecReader, at: Field, terrains: TerrainList, scope: ConditionScope): TerrainRuleSpec[] {
  const entries = at.value === undefined ? [] : reader.list(at, { least: 1, most: MAX_RULES, of: "rules" });
  const readCondition = conditionReader(reader, scope);
  const rules = entries.map((entry, i): TerrainRuleSpec => {
    const { when, ...named } = RULE.read(reader, entry);
    const isLast = i === entries.length - 1;
    if (isLast === (when !== undefined)) refusePlace(reader, entry, isLast);
    return { terrain: terrains.indexOf(entry, named), when: when && readCondition(when, named.terrain) };
  });
  terrains.check(at);
  return rules;
}

function refusePlace(reader: SpecReader, rule: Field, isLast: boolean): void {
  const problem = isLast ? 'the last rule has a "when"' : 'a rule before the last one has no "when"';
  const remedy = isLast
    ? 'Remove "when", or add a last rule without it for all other cells'
    : 'Add a "when", or move the rule to the end: rules after it never apply';
  reader.report(rule, { problem, expected: 'a "when" in every rule but the last one', remedy });
}
