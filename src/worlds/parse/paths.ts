import {
  choice,
  type Field,
  type InputOf,
  integer,
  list,
  lookUp,
  namedValues,
  optional,
  REFERENCE,
  record,
  type SpecReader,
  shape,
  TEXT,
  unread,
} from "../../spec/index.js";
import { inOrder } from "../../walks/compile.js";
import type { PathSpec, PlacementSpec } from "../types.js";
import { TAGS, type TerrainList, terrainsOf } from "./terrains.js";
import { COLOR } from "./values.js";

const MAX_PATHS = 16;
const MAX_KINDS = 256;
const MAX_WITHIN = 256;
const MAX_COST = 1000;
/** The key for the cost of all terrains that no other key names. */
const OTHERS = "*";

const COSTS = integer({ least: 1, most: MAX_COST });
/** The cost of a cell; null if it is closed. */
const COST = shape<number | null, number>((reader, at) => (at.value === null ? 0 : COSTS.read(reader, at)), {
  anyOf: [COSTS, { type: "null" }],
});

const LAID = {
  /** Name of the terrain that is laid, 1 to 256 characters: a new terrain, or one of a rule or of an earlier path. */
  terrain: TEXT,
  /** The colour of a new terrain, as #rrggbb. Default: the index of the terrain selects a colour. */
  color: optional(COLOR),
  /** At most 64 tags of a new terrain. Default: no tags. */
  tags: optional(TAGS),
};
export const COVER = record(LAID);
/** A terrain that paths lay. */
export interface CoverInput extends InputOf<typeof COVER> {}

export const PATH = record({
  /** The name of the kind of paths, unique: 1 to 256 characters. */
  name: TEXT,
  /** 1 to 256 kinds of placements. The paths join the cells on which they stand. */
  between: list(REFERENCE, { least: 1, most: MAX_KINDS, of: "kinds of placements" }),
  /** Greatest distance of the two ends, 1 to 256 steps. */
  within: integer({ least: 1, most: MAX_WITHIN }),
  /**
   * The pairs of cells that are joined. "gabriel": no third cell is in the disc whose diameter is the line between the
   * two. "relative": no third cell is closer to both than they are to each other. "all": all pairs. Default "gabriel".
   */
  graph: optional(choice(["gabriel", "relative", "all"]), "gabriel"),
  /**
   * The cost of a cell by its terrain: an object that maps names or tags of terrains to integers 1 to 1,000, or to null
   * for closed terrain. The first entry that fits a terrain applies. `*` is the cost of all other terrains, default 1.
   */
  cost: optional(namedValues(unread<number | null>(COST))),
  ...LAID,
  /**
   * What is laid in place of `terrain`: an object that maps names or tags of terrains to a terrain, such as
   * `{"water": {"terrain": "bridge"}}`. The first entry that fits a terrain applies. Default: `terrain` everywhere.
   */
  covers: optional(namedValues(unread<CoverInput>(COVER))),
});
/** A kind of paths between placements. */
export interface PathInput extends InputOf<typeof PATH> {}
export const PATHS = list(PATH, { most: MAX_PATHS, of: "kinds of paths" });

type Read = ReturnType<typeof PATH.read>;

/** Reads the paths, and adds the terrains that they lay to `terrains`. */
export function readPaths(
  reader: SpecReader,
  at: Field,
  {
    terrains,
    placements,
  }: { readonly terrains: TerrainList; readonly placements: readonly Pick<PlacementSpec, "name">[] },
): PathSpec[] {
  const entries = optional(PATHS, []).read(reader, at);
  if (entries.length > 0 && terrains.all.length === 0) {
    reader.report(at, { problem: "paths need terrain", remedy: 'Add "terrain" to the world' });
    return [];
  }
  const kinds = new Map(placements.map(({ name }, kind) => [name, kind]));
  const names = new Set<string>();
  const read = entries.map((entry, i) => {
    const { name, within, graph, between } = entry;
    if (names.has(name) && name !== "") {
      const problem = "two kinds of paths have the same name";
      reader.report(at.part(i, "name"), { problem, got: name, expected: "a name that no other kind of paths has" });
    }
    names.add(name);
    const unknown = { problem: "no kind of placement has this name", none: "the name of a kind in `placements`" };
    const joined = between.flatMap((one) => lookUp(reader, one, { known: kinds, ...unknown }) ?? []);
    const own = { name, kinds: inOrder(joined), within, graph };
    return { ...own, costs: readCosts(reader, entry, terrains), lays: readLays(reader, at.part(i), entry, terrains) };
  });
  terrains.check(at);
  return read;
}

function readCosts(reader: SpecReader, { cost = new Map<string, Field>() }: Read, terrains: TerrainList): number[] {
  const { all } = terrains;
  const others = cost.get(OTHERS);
  const rest = others === undefined ? 1 : COST.read(reader, others);
  const costs: (number | undefined)[] = all.map(() => undefined);
  for (const [name, one] of cost) {
    if (one === others) continue;
    const own = COST.read(reader, one);
    for (const terrain of terrainsOf(reader, one, name, all)) costs[terrain] ??= own;
  }
  return costs.map((own) => own ?? rest);
}

function readLays(reader: SpecReader, at: Field, entry: Read, terrains: TerrainList): number[] {
  const { all } = terrains;
  const laid = terrains.indexOf(at, entry);
  const lays: (number | undefined)[] = all.map(() => undefined);
  for (const [name, one] of entry.covers ?? []) {
    const own = terrains.indexOf(one, COVER.read(reader, one));
    for (const terrain of terrainsOf(reader, one, name, all)) lays[terrain] ??= own;
  }
  return lays.map((own) => own ?? laid);
}
