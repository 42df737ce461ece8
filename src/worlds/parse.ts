import {
  type InputOf,
  list,
  optional,
  type Parsed,
  readOptions,
  record,
  SpecReader,
  TEXT,
  unread,
} from "../spec/index.js";
import { type GridSpec, type LayerInput, parseWalk, type WalkSpec } from "../walks/index.js";
import { GRID } from "../walks/parse/cells.js";
import { LAYER } from "../walks/parse.js";
import { ALL_SYSTEMS, type ContentSystems } from "./contentSystems.js";
import { PLACEMENTS, readPlacements } from "./parse/placements.js";
import { readSources, SOURCES } from "./parse/sources.js";
import { CONDITION_KEYS, RULES, readTerrain } from "./parse/terrain.js";
import type { SourceSpecs, WorldSpec } from "./types.js";

const LAYERS = list(LAYER, { least: 1, most: 256, of: "layers" });
const NO_TORUS = { not: { properties: { kind: { const: "torus" } }, required: ["kind"] } };
const NOT_RESERVED = { properties: { name: { not: { enum: CONDITION_KEYS } } } };
export const WORLD = record({
  /**
   * Name of the world, 1 to 256 characters. It names the random words on the command line, where the default is the
   * file's name; `mill.world` uses the name of the call instead.
   */
  name: optional(TEXT),
  /** The grid of a walk, but no torus. Default: unbounded. */
  grid: optional(unread<GridSpec>({ allOf: [GRID, NO_TORUS] })),
  /**
   * The layers of a walk, in the order in which they run. A layer with `scatter` covers the plane without end; another
   * layer is made whole. No layer has the name `chance`, `all`, `any` or `not`.
   */
  layers: unread<readonly LayerInput[]>({ ...LAYERS.json, items: { allOf: [LAYER, NOT_RESERVED] } }),
  /**
   * 1 to 1,024 rules, with at most 255 terrains and 4,096 conditions. A cell gets the terrain of the first rule that
   * holds. Only the last rule has no `when`. Default: no terrain.
   */
  terrain: optional(unread<InputOf<typeof RULES>>(RULES)),
  /** At most 256 kinds of things that stand on the terrain. Default: none. */
  placements: optional(unread<InputOf<typeof PLACEMENTS>>(PLACEMENTS)),
  ...SOURCES.fields,
});
/**
 * A world as users write it (its JSON form). `layers` and `grid` have the same form as in a walk. A layer with
 * `scatter` covers the plane without end. The sources of contents have the form that the methods of a mill take.
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

export function readWorld(
  input: unknown,
  { file, systems }: { readonly file: string | undefined; readonly systems: ContentSystems },
): Parsed<WorldSpec> {
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
      const problem = "no layer can have this name, because conditions use it";
      reader.report(layers[i], { problem, got, expected: `a name other than ${CONDITION_KEYS.join(", ")}` });
    }
    // without layers, every name in a rule would be unknown
    const isWhole = parsed.spec !== undefined;
    const terrain = isWhole ? readTerrain(reader, fields.get("terrain"), walk.layers) : { terrains: [], rules: [] };
    const sources = readSources(reader, fields, systems);
    const placements = isWhole ? readPlacements(reader, fields.get("placements"), { ...terrain, sources }) : [];
    // the cast is safe: a source without a spec has an error, and then the world has no spec
    return { name, walk, ...terrain, placements, sources: sources as SourceSpecs };
  });
}
