import { readFileSync } from "node:fs";
import { Ajv, type AnySchemaObject, type ValidateFunction } from "ajv";
import {
  type Issue,
  parseLabels,
  parsePools,
  parseRecipe,
  parseTable,
  parseTables,
  RollmillError,
} from "../../src/index.js";
import { parseJob } from "../../src/jobs/index.js";
import { parseObjects } from "../../src/objects/index.js";
import { parseConstants } from "../../src/objects/law/constants.js";
import { readLimit } from "../../src/objects/make/request.js";
import { specOf } from "../../src/spec/index.js";
import { parseDrops } from "../../src/tables/index.js";
import { parseWalkOf } from "../../src/walks/parse.js";
import { parseWorld } from "../../src/worlds/index.js";
import { DUNGEON } from "../objects/dungeon.js";

/** A schema of the package, and the parser of its documents. */
export interface Checked {
  readonly name: string;
  readonly schema: AnySchemaObject;
  readonly validate: ValidateFunction;
  /** Returns the errors of the parser. */
  readonly parse: (input: unknown) => readonly Issue[];
  /** Documents which together have every field. */
  readonly documents: readonly unknown[];
  /** Sets of fields that the parser reads without a list of known keys. */
  readonly otherFields: readonly string[];
  /**
   * Changes, as their kind and place, that break a relation between fields or an allowed name. The parser refuses them,
   * but no schema can.
   */
  readonly related: RegExp;
}

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));
const ajv = new Ajv({
  strict: true,
  strictTypes: false,
  strictTuples: false,
  strictRequired: false,
  allowUnionTypes: true,
});
const dungeon = specOf(parseObjects(DUNGEON));

function limitIssues(input: unknown): readonly Issue[] {
  try {
    readLimit(dungeon, input);
    return [];
  } catch (cause) {
    if (cause instanceof RollmillError) return cause.issues.map(withoutOption);
    throw cause;
  }
}

function constantIssues(input: unknown): readonly Issue[] {
  return parseConstants(JSON.stringify(input), "constants.json").issues;
}

/** Removes the name of the option from the path of an issue. */
function withoutOption(issue: Issue): Issue {
  return { ...issue, where: { ...issue.where, path: issue.where?.path?.replace(/^limit\.?/, "") } };
}

/** Documents with every field that the examples of the package do not have. */
/** Layers of a world with the field `height`. */
const RIVERS = [
  {
    name: "rivers",
    scatter: { density: "1/9" },
    start: { field: "height", from: 40_000 },
    closed: { fields: [{ field: "height", to: 9 }] },
    open: { fields: [{ field: "height", from: 0, to: 50_000 }] },
    until: { field: "height", from: 9, to: 10 },
    slope: { field: "height", down: 3, level: 2, up: 1, steepness: 256, stuck: "end" },
  },
  { name: "lakes", stuck: "rivers" },
] as const;

const FULL = {
  list: [
    { $schema: "list.json", gold: 70, gem: 0.5, pearl: "1/3", coin: { n: 2, d: 3 } },
    [
      { result: "gold", weight: 70, quantity: "2d6+1" },
      { result: "gem", weight: "1/3", quantity: 2 },
      { result: null, weight: { n: 1, d: 2 } },
    ],
  ],
  table: [
    {
      $schema: "table.json",
      rows: [
        {
          label: "loot",
          columns: [
            { result: "sword", weight: 3 },
            { jump: 1, weight: "1/2" },
          ],
        },
        {
          columns: [
            { result: "axe", weight: { n: 1, d: 3 } },
            { result: "", weight: 0 },
          ],
        },
        { columns: [{ result: "club", weight: { script: 4 } }] },
      ],
    },
    {
      rows: {
        loot: [
          { result: "gold", weight: 0.5, quantity: "2d6+1" },
          { jump: "gems", weight: 2 },
          { result: null, weight: "1/3" },
        ],
        gems: [{ result: "ruby", weight: 1, quantity: 3 }],
      },
    },
  ],
  drops: [
    {
      $schema: "drops.json",
      always: [{ result: "bones" }, { result: "gold", quantity: "2d3" }],
      rolls: "1d3",
      table: { rows: { loot: [{ result: "gem", weight: 1, quantity: "2-5" }] } },
    },
    { rolls: 3, table: "result,weight\ngold,1\n" },
  ],
  walk: [
    {
      $schema: "walk.json",
      name: "isle",
      grid: { kind: "torus", rows: 50, cols: 60 },
      tensor: { absolute: { NW: 1, East: 2.5 }, relative: { forward: 1, "6:00": 2 } },
      walkers: 3,
      steps: 100,
      heading: "E",
      firstVisit: true,
      closed: { cells: [[1, 2]], layers: [] },
      start: [
        [0, 0],
        [5, 6],
      ],
    },
    {
      grid: { kind: "bounded", rows: 50, cols: 60 },
      layers: [
        { name: "land", preset: "five-ways", steps: 5, start: { rect: [0, 0, 4, 4] } },
        { name: "river", tensor: { relative: { forward: 1 } }, start: { layer: "land" }, heading: "resting" },
        { name: "sea", closed: { layers: ["land"] }, start: [[40, 40]] },
        { name: "brook", heading: ["E", "rest"], open: { layers: ["land", "sea"] }, until: { on: "sea" } },
        { name: "fall", until: { outside: "land" } },
      ],
    },
    { grid: { kind: "torus", rows: 50, cols: 60, coordinates: "odd-r" } },
    { grid: { kind: "unbounded" }, preset: "uniform" },
    {
      tensor: {
        absolute: { West: 1 },
        relative: { rightForward: 1, rightBackward: 2, backward: 1, leftBackward: 3, leftForward: 1 },
      },
    },
    {
      tensor: {
        relative: {
          StraightForward: 1,
          RightForward: 2,
          RightBackward: 1,
          StraightBackward: 1,
          LeftBackward: 1,
          LeftForward: 1,
        },
      },
    },
    { tensor: { relative: { "12:00": 1, "2:00": 1, "4:00": 1, "8:00": 1, "10:00": 1 } } },
    { scatter: { side: 64, walkers: 3 }, steps: 9 },
    {
      layers: [
        { name: "hills", scatter: { walkers: 5 }, steps: 9 },
        { name: "brooks", scatter: { side: 1024, walkers: 1 }, start: { layer: "hills" } },
        { name: "springs", scatter: { side: 128, density: "1/40" }, start: { layer: "hills" } },
      ],
    },
    { layers: RIVERS },
  ],
  pools: [
    {
      $schema: "pools.json",
      roots: {
        i: {
          kind: "finite",
          refill: false,
          records: [
            "a",
            5,
            ["b", 2, 3],
            { id: "c", mass: 1.5, quantity: 4 },
            ["d", "1/3"],
            { id: "f", mass: { n: 1, d: 3 } },
          ],
          subpools: [{ records: ["a", ["b", 2]] }, { records: [{ id: "c", mass: 2 }], subpools: { x: {} } }],
        },
        e: { kind: "infinite", subpools: { z: { records: ["bat"] } } },
      },
      rules: [{ path: "e.*", records: [{ id: "orc", mass: 3 }] }],
      active: { i: [2, "x"] },
    },
  ],
  words: [
    {
      $schema: "words.json",
      gem: [
        { id: 11, word: "opal", active: true, status: "accepted", tier: 2, luck: 1.5, weight: 2 },
        { id: 12, word: "onyx", active: 0, proposer: "Ann", proposed: "2026-11-22T06:00:00Z" },
        { id: "?", word: 5, status: "proposed" },
      ],
    },
  ],
  limit: [
    { $schema: "limit.json", most: -3, scores: { toHit: 1, toDam: 2, toAc: 3, ac: 4, dice: 5, flags: { SPEED: -10 } } },
  ],
  world: [
    {
      $schema: "world.json",
      name: "coast",
      grid: { kind: "bounded", rows: 50, cols: 60, coordinates: "odd-r" },
      layers: [
        { name: "land", preset: "five-ways", steps: 5, firstVisit: true },
        { name: "hills", walkers: 3, start: { layer: "land" } },
      ],
      fields: [
        { name: "height", kind: "noise", scale: 16, octaves: 2 },
        { name: "shore", kind: "distance", layer: "land", most: 5 },
        { name: "worn", kind: "visits", layer: "hills" },
        { name: "age", kind: "firstVisit", layer: "land", most: 9 },
        { name: "wild", kind: "position", from: [3, 4], most: 70 },
        { name: "north", kind: "rows", from: 3, most: 70 },
        { name: "cold", kind: "sum", of: [{ field: "height", factor: -2 }, { field: "north" }], plus: 5, over: 3 },
        { name: "low", kind: "least", of: ["height", "cold"] },
        { name: "high", kind: "most", of: ["height", "cold"] },
        {
          name: "steep",
          kind: "curve",
          of: "low",
          points: [
            [0, 9],
            [500, 10],
          ],
        },
      ],
      terrain: [
        {
          terrain: "hill",
          when: { hills: { visits: [1, null] }, steep: [5, null], chance: "1/2" },
          color: "#80A040",
          tags: ["high"],
        },
        { terrain: "old", when: { all: [{ land: { firstVisit: [0, 3] } }, { not: { chance: 0.25 } }] } },
        { terrain: "beach", when: { any: [{ land: { within: 2 } }] } },
        { terrain: "sea" },
      ],
      placements: [
        { name: "tree", density: 0.05, color: "#00ff00", icon: "tree" },
        { name: "chest", on: ["high", "beach"], density: "1/20", distance: 4, content: { table: "loot" } },
        {
          name: "charm",
          density: 1,
          content: {
            recipe: "charm",
            tier: { from: 1, perCells: 64, most: 3, center: [5, 6] },
            tierVariance: 0.5,
            power: 1.5,
            request: { type: "sword" },
            on: { sea: { tier: 2, power: 1 }, hill: { recipe: "charm", tierVariance: 1, request: { type: "axe" } } },
          },
        },
        {
          name: "camp",
          density: "1/90",
          contents: {
            goods: { table: "loot", on: { sea: { table: "loot" } } },
            orc: { drops: "orc", on: { sea: { drops: "orc" } } },
          },
        },
        {
          name: "arms",
          density: 0,
          content: {
            objects: "dungeon",
            level: 5,
            good: true,
            great: false,
            kind: "Longsword",
            on: { high: { good: false } },
          },
        },
        { name: "hoard", density: 0, content: { objects: "dungeon", level: 50, stock: "world" } },
        {
          name: "rack",
          density: 0,
          content: { objects: "dungeon", level: 5, tval: "sword", on: { sea: { tval: "sword" } } },
        },
        { name: "lair", density: "1/9", content: { pools: "beasts", pool: "e.cave" } },
        {
          name: "shop",
          density: "1/9",
          content: { pools: "beasts", pool: "i", stock: "region", on: { sea: { pool: "e" } } },
        },
        { name: "cave", density: "1/9", enters: "cave", levels: [1, 3] },
        { name: "village", density: "1/9", stamps: { hamlet: 3, market: 1 }, turns: true },
        { name: "well" },
        {
          name: "outpost",
          at: [[0, 5]],
          least: { count: 3, within: 9, of: [4, 4] },
          most: { count: 0, within: 4 },
          near: { kind: "lair", within: 40 },
          apart: { kind: "shop", distance: 0 },
          alone: true,
          where: { height: [5, null] },
          sizes: { tent: 5, hut: 1 },
          facing: true,
        },
      ],
      stamps: {
        hamlet: {
          map: ["..h", ["", "P"]],
          legend: {
            h: "house",
            ".": { terrain: "yard", color: "#a0a080", tags: ["town"], on: ["high", "beach"] },
            P: { place: "well" },
            "": null,
          },
          anchor: [1, 1],
          fits: ["high", "sea"],
          places: [[0, 0, "well"]],
        },
        market: { map: ["h"], legend: { h: "house" } },
      },
      worlds: { cave: { layers: [{ name: "land", preset: "uniform", steps: 5 }] } },
      realms: [{ name: "march", of: "tree", within: 9 }],
      paths: [
        {
          name: "road",
          between: ["shop", "tree"],
          within: 90,
          graph: "relative",
          cost: { high: 5, sea: null, "*": 2 },
          terrain: "road",
          color: "#8a6a3a",
          tags: ["laid"],
          covers: { old: { terrain: "bridge", color: "#c0a070", tags: ["over"] } },
        },
      ],
      tables: { loot: "result,weight\ngold,1\n" },
      drops: { orc: { always: [{ result: "bone", quantity: 2 }], rolls: "1d2", table: "result,weight\ngold,1\n" } },
      recipes: { charm: "weapon" },
      objects: { dungeon: DUNGEON },
      pools: {
        beasts: {
          roots: {
            e: { kind: "infinite", records: ["bat"], subpools: { cave: { records: ["bat"] } } },
            i: { kind: "finite", records: ["axe"] },
          },
        },
      },
    },
    {
      grid: { kind: "unbounded", coordinates: "odd-r" },
      layers: [{ name: "land", scatter: { side: 64, walkers: 2 } }],
      placements: [{ name: "tree", density: "1/9" }],
    },
    { layers: RIVERS, fields: [{ name: "height", kind: "noise", scale: 4 }] },
  ],
  job: [
    {
      $schema: "job.json",
      name: "coast",
      world: "worlds/coast.json",
      seed: "moria",
      extent: { row0: -512, col0: 0, rows: 1024, cols: 2048 },
      visits: ["sea", "hills"],
      bulk: [
        { name: "finds", table: "loot", count: 1000 },
        { name: "charms", recipe: "charm", count: 5, tier: 2, power: 1.5, request: { gem: "opal" } },
        {
          name: "arms",
          objects: "dungeon",
          count: 9,
          level: 5,
          good: true,
          great: false,
          kind: "Longsword",
          tval: "sword",
        },
      ],
      exports: ["png", "tiles", "pmtiles", "tiled", "heights", "parquet", "csv", "report"],
    },
    { world: "coast.json", seed: 5, extent: "reached" },
    { world: { layers: [{ name: "land", preset: "uniform", steps: 5 }] }, extent: "grid", bulk: [] },
  ],
} as const;

/** A pattern that no change matches. */
const NONE = /^(?!)/;

/** Changes of values and keys at some places. */
const valuesAt = (place: string) => new RegExp(`^(?:number|text|extra) .*(?:${place})`);

function checked(
  name: string,
  parse: Checked["parse"],
  { documents, related = NONE, otherFields = [] }: Pick<Checked, "documents"> & Partial<Checked>,
): Checked {
  const schema = read(`schemas/${name}.json`);
  return { name, schema, validate: ajv.compile(schema), parse, documents, related, otherFields };
}

const errors = ({ issues }: { readonly issues: readonly Issue[] }) =>
  issues.filter(({ severity }) => severity === "error");

/** Every schema of the package. */
export const SCHEMAS: readonly Checked[] = [
  checked("list", (input) => errors(parseLabels(input)), {
    documents: [...FULL.list, read("examples/loot.json")],
    related: valuesAt("quantity$"),
    otherFields: ["d,n"],
  }),
  checked("table", (input) => errors(parseTable(input)), {
    documents: FULL.table,
    // a number or a text in place of the other is a jump too, perhaps to a row that does not exist
    related: /^(?:type|number|text|extra) .*(?:jump|quantity)$/,
    otherFields: ["result"],
  }),
  checked("drops", (input) => errors(parseDrops(input)), {
    documents: FULL.drops,
    related: valuesAt("quantity$|rolls$|table$"),
  }),
  // the schema of walks is also that of the layers of worlds, which can read fields
  checked("walk", (input) => errors(parseWalkOf(input, { fields: ["height"] })), {
    documents: [...FULL.walk, read("examples/walk.json"), read("examples/world.json").walk],
    related: valuesAt("start|closed|open|until|slope|stuck|steps$|rows$"),
  }),
  checked("pools", (input) => errors(parsePools(input)), {
    documents: [...FULL.pools, read("examples/pools.json")],
    related: /^(?:type|number|text|extra) .*(?:quantity$|refill$|kind$)/,
    otherFields: ["d,n", "id,mass,quantity"],
  }),
  checked("recipe", (input) => errors(parseRecipe(input)), {
    documents: [
      read("examples/armory/charm.json"),
      { ...read("examples/armory/charm.json"), weight: "share" },
      ...["weapon", "armor", "shield", "trinket"].map((recipe) => read(`data/recipes/${recipe}.json`)),
    ],
    related:
      /^missing .*ladder.*atLeast$|^(?:number|text|extra) .*(?:atLeast$|clamp|\.stat$|(?<= )strength$|after$|differentFrom$|\.add\.)/,
  }),
  checked("words", (input) => errors(parseTables(input)), { documents: FULL.words }),
  checked("world", (input) => errors(parseWorld(input)), {
    documents: FULL.world,
    // names of layers, terrains and sources; relations of rules; sources; options that only opening a world checks
    related:
      /^\w+ .*(?:request|tierVariance|power|good|great|kind|tval)\b|^\w+ (?:tables|recipes|objects|pools)\b|^(?:number|text|extra) .*(?:start|steps$|rows$|cols$|visits|firstVisit|when|on\b|between|cost|covers|terrain$|tags|pool$|stock$|most$|scale$|octaves$|field$|of\b|points|request|kind$|tval$|layer$|table$|recipe$|objects$|pools$|enters$|levels|stamps|turns)|^\w+ stamps\b|^missing .*(?:when|terrain|level$|stock$|on\b)/,
  }),
  checked("job", (input) => errors(parseJob(input)), {
    documents: [...FULL.job, read("examples/job.json")],
    // the world has a schema and a parser of its own; names are unique; a part has one source, and its own options
    related: /^\w+ (?:world\b|.*(?:bulk\[\d\]|extent)(?:$|\.))/,
  }),
  checked("constants", constantIssues, {
    documents: [{ $schema: "constants.json", ...dungeon.constants }],
    // the least number of slots and the greatest one
    related: /slots\.g/,
  }),
  checked("limit", limitIssues, {
    documents: [...FULL.limit, read("examples/limit.json")],
    related: valuesAt("flags"),
  }),
];
