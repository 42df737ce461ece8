import { didYouMean } from "../errors/index.js";
import {
  type Field,
  type InputOf,
  integer,
  isObject,
  list,
  optional,
  type Parsed,
  readOptions,
  record,
  SpecReader,
  shape,
  TEXT,
  unread,
} from "../spec/index.js";
import { type GridSpec, type LayerInput, type LayerSpec, parseWalk, type WalkSpec } from "../walks/index.js";
import { GRID } from "../walks/parse/cells.js";
import { SHARE } from "../walks/parse/share.js";
import { LAYER } from "../walks/parse.js";
import { ALL_SYSTEMS, type ContentSystems } from "./contentSystems.js";
import { FIELDS, readFields } from "./parse/fields.js";
import { PATHS, readPaths } from "./parse/paths.js";
import { PLACEMENTS, readPlacements } from "./parse/placements.js";
import { readSources, SOURCES } from "./parse/sources.js";
import { readStamps, STAMPS } from "./parse/stamps.js";
import { TAGS, TerrainList } from "./parse/terrains.js";
import { COLOR } from "./parse/values.js";
import { type Nesting, outermost, readWorlds, worldsOf } from "./parse/worlds.js";
import {
  type ConditionSpec,
  type FieldSpec,
  MAX_DISTANCE,
  MAX_PLACEMENTS,
  type SourceSpecs,
  type TerrainRuleSpec,
  type WorldSpec,
} from "./types.js";

const MAX_RULES = 1024;
const MAX_CONDITIONS = 4096;
const MAX_CONDITION_DEPTH = 16;
const MAX_COUNT = 2 ** 32 - 1;
const ALWAYS: ConditionSpec = { kind: "all", of: [] };

/** A range of counts or steps. Both limits are inclusive. null means "no upper limit". */
export type RangeInput = readonly [least: number, most: number | null];
const COUNT = integer({ least: 0, most: MAX_COUNT });
export const RANGE = shape<RangeInput, ReturnType<typeof readRange>>(readRange, {
  type: "array",
  items: [COUNT, { anyOf: [COUNT, { type: "null" }] }],
  minItems: 2,
  maxItems: 2,
});

export const LAYER_CONDITION = record(
  {
    /** The number of visits. `[1, null]`: the layer visited the cell. */
    visits: optional(RANGE),
    /** The step of the first visit. The layer must keep first visits. Does not hold for a cell without visits. */
    firstVisit: optional(RANGE),
    /** The layer visited some cell that is at most this many steps away, 0 … 64. 0 means the cell itself. */
    within: optional(integer({ least: 0, most: MAX_DISTANCE })),
  },
  { minProperties: 1 },
);
/** A condition on one layer's visits at a cell. All given fields must hold, and at least one field is required. */
export interface LayerCondition extends InputOf<typeof LAYER_CONDITION> {}

/**
 * A condition on a cell: an object whose entries must all hold. A key is the name of a layer or of a field, or
 * `chance`, `all`, `any` or `not`. The condition on a field is the range of its values.
 */
export interface ConditionInput {
  /** Holds with this probability, such as "1/20", 0.05 or 1, independently of all other chances and cells. */
  readonly chance?: string | number;
  /** All of these conditions hold. */
  readonly all?: readonly ConditionInput[];
  /** At least one of these conditions holds. */
  readonly any?: readonly ConditionInput[];
  /** This condition does not hold. */
  readonly not?: ConditionInput;
  readonly [name: string]:
    | LayerCondition
    | RangeInput
    | ConditionInput
    | readonly ConditionInput[]
    | string
    | number
    | undefined;
}
const NESTED = unread<ConditionInput>({ lazy: () => CONDITION });
const CONDITIONS = list(NESTED, { least: 1, most: MAX_CONDITIONS, of: "conditions" });
const PARTS = { chance: optional(SHARE), all: optional(CONDITIONS), any: optional(CONDITIONS), not: optional(NESTED) };
/** The keys of a condition that are not names of layers. */
const CONDITION_KEYS = Object.keys(PARTS);
/** A condition. {@link conditionReader} reads it, because it refers to layers. */
export const CONDITION = unread<ConditionInput>({
  type: "object",
  fields: PARTS,
  additionalProperties: { anyOf: [LAYER_CONDITION, RANGE] },
  minProperties: 1,
});

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
const NO_TORUS = { not: { properties: { kind: { const: "torus" } }, required: ["kind"] } };
const NOT_RESERVED = { properties: { name: { not: { enum: CONDITION_KEYS } } } };
export const WORLD = record({
  /**
   * Name of the world, 1 to 256 characters. On the command line, it selects the random words, and the default is the
   * file's name. `mill.world` uses the name of the call instead.
   */
  name: optional(TEXT),
  /** The grid, as in a walk, but not a torus. Default: unbounded. */
  grid: optional(unread<GridSpec>({ allOf: [GRID, NO_TORUS] })),
  /**
   * The layers of a walk, in the order in which they run. A layer with `scatter` is infinite; any other layer is finite
   * and is made completely. No layer has the name `chance`, `all`, `any` or `not`.
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
  /** At most 16 kinds of paths between placements, which lay terrain in the order of the list. Default: none. */
  paths: optional(unread<InputOf<typeof PATHS>>(PATHS)),
  /** Stamps by name: small maps that placements lay on their cells and the cells around. Default: none. */
  stamps: optional(unread<InputOf<typeof STAMPS>>(STAMPS)),
  ...SOURCES.fields,
  /**
   * Child worlds by name, such as the dungeons below a land: a world, or `{"file": …}`. A kind of placement enters one
   * of them. Worlds can be nested 8 levels deep, and one world has at most 256 child worlds, with theirs. Default: none.
   */
  worlds: optional(worldsOf<WorldInput>(), new Map()),
});
/**
 * A world as users write it (its JSON form). `layers` and `grid` have the same form as in a walk. A layer with
 * `scatter` is infinite. The sources of contents have the form that the methods of a mill accept.
 */
export interface WorldInput extends InputOf<typeof WORLD> {}

const NO_LAYERS: WalkSpec = { name: undefined, grid: { kind: "unbounded" }, layers: [], layered: true };

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
    const parsed = parseWalk({ grid: fields.get("grid").value, layers: layers.map(({ value }) => value) }, { file });
    if (layers.length > 0) for (const issue of parsed.issues) reader.add(issue);
    const walk = parsed.spec ?? NO_LAYERS;
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
    const terrains = new TerrainList(reader);
    const rules = isWhole ? readRules(reader, fields.get("terrain"), terrains, scope) : [];
    const kinds = kindNames(fields.get("placements"));
    const named = kinds.map((kind) => ({ name: kind }));
    const paths = isWhole ? readPaths(reader, fields.get("paths"), { terrains, placements: named }) : [];
    const stamps = isWhole ? readStamps(reader, fields.get("stamps"), { terrains, kinds }) : [];
    const sources = readSources(reader, fields, systems);
    const given = WORLD.fields.worlds.read(reader, fields.get("worlds"));
    const worlds = readWorlds(reader, given, nesting, (child, inner) =>
      readWorld(child, { ...options, nesting: inner }),
    );
    const placed = { terrains: terrains.all, sources, worlds, stamps };
    const placements = isWhole ? readPlacements(reader, fields.get("placements"), placed) : [];
    // the casts are safe: a source or a child world without a spec has an error, and then the world has no spec
    const specs = { sources: sources as SourceSpecs, worlds: worlds as ReadonlyMap<string, WorldSpec> };
    const made = { terrains: terrains.all, rules, placements, paths, stamps };
    return { name, walk, fields: own, ...made, ...specs };
  });
}

/** Returns the names of the kinds of placements, which stamps refer to. The kinds themselves are read later. */
function kindNames({ value }: Field): string[] {
  const kinds: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_PLACEMENTS) : [];
  return kinds.map((kind) => (isObject(kind) && typeof kind.name === "string" ? kind.name : ""));
}

interface ConditionScope {
  readonly layers: readonly LayerSpec[];
  readonly fields: readonly FieldSpec[];
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

/** Returns a function that reads conditions. It numbers the chances from 0, separately for each terrain. */
function conditionReader(reader: SpecReader, { layers, fields: own }: ConditionScope) {
  const chances = new Map<string, number>();
  let count = 0;

  /** Reads a condition. `terrain` is the name of the terrain that the condition's rule gives. */
  function read(at: Field, terrain: string, depth = 1): ConditionSpec {
    count++;
    if (count > MAX_CONDITIONS || depth > MAX_CONDITION_DEPTH) return refuseSize(at, depth);
    const fields = reader.record(at, "an object with conditions");
    if (fields.keys.length === 0) {
      const expected = `a layer, or ${CONDITION_KEYS.join(", ")}`;
      reader.report(at, { problem: "the condition is empty", expected });
    }
    const parts = fields.keys.map((key) => part(fields.get(key), key, terrain, depth));
    return parts.length === 1 ? parts[0] : { kind: "all", of: parts };
  }

  function part(at: Field, key: string, terrain: string, depth: number): ConditionSpec {
    switch (key) {
      case "chance": {
        const number = chances.get(terrain) ?? 0;
        chances.set(terrain, number + 1);
        return { kind: "chance", chance: SHARE.read(reader, at), number };
      }
      case "all":
      case "any": {
        const entries = CONDITIONS.read(reader, at);
        return { kind: key, of: entries.map((entry) => read(entry, terrain, depth + 1)) };
      }
      case "not":
        return { kind: "not", of: read(at, terrain, depth + 1) };
      default:
        return layerPart(at, key);
    }
  }

  function layerPart(at: Field, name: string): ConditionSpec {
    const field = own.findIndex((one) => one.name === name);
    if (field >= 0) return { kind: "field", field, ...RANGE.read(reader, at) };
    const names = layers.map((one) => one.name);
    const layer = names.indexOf(name);
    if (layer < 0) {
      const known = [...names, ...own.map((one) => one.name), ...CONDITION_KEYS];
      const finding = { problem: "no condition has this name", got: name, expected: `one of ${known.join(", ")}` };
      reader.report(at, { ...finding, ...didYouMean(name, known) });
      return ALWAYS;
    }
    const fields = reader.fields(at, LAYER_CONDITION.keys);
    const { visits, firstVisit, within } = LAYER_CONDITION.values(reader, fields);
    if (firstVisit !== undefined && !layers[layer].firstVisit) {
      const problem = `the layer ${JSON.stringify(name)} keeps no first visits`;
      reader.report(fields.get("firstVisit"), { problem, remedy: 'Set "firstVisit": true in the layer' });
    }
    if (fields.keys.length === 0) {
      reader.report(at, { problem: "the condition is empty", expected: '"visits", "firstVisit" or "within"' });
    }
    const parts: Readonly<Record<string, ConditionSpec | undefined>> = {
      visits: visits && { kind: "visits", layer, ...visits },
      firstVisit: firstVisit && { kind: "firstVisit", layer, ...firstVisit },
      within: within === undefined ? undefined : { kind: "within", layer, distance: within },
    };
    // keeps the order of the spec, because the kernel checks the conditions in this order
    const of = fields.keys.flatMap((key) => parts[key] ?? []);
    return of.length === 1 ? of[0] : { kind: "all", of };
  }

  function refuseSize(at: Field, depth: number): ConditionSpec {
    const isDeep = depth > MAX_CONDITION_DEPTH;
    const problem = isDeep ? "the conditions are nested too deeply" : "the rules have too many conditions";
    const expected = isDeep ? `at most ${MAX_CONDITION_DEPTH} levels` : `at most ${MAX_CONDITIONS} conditions`;
    reader.report(at, { problem, expected });
    return ALWAYS;
  }

  return read;
}

function readRange(reader: SpecReader, at: Field): { readonly least: number; readonly most: number } {
  const [least, most] = reader.list(at, { least: 2, most: 2, of: "bounds" });
  const from = least === undefined ? 0 : COUNT.read(reader, least);
  if (most === undefined || most.value === null) return { least: from, most: Number.POSITIVE_INFINITY };
  return { least: from, most: reader.integer(most, { least: Number.isNaN(from) ? 0 : from, most: MAX_COUNT }) };
}
