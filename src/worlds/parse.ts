import { type Parsed, readOptions, SpecReader } from "../spec/index.js";
import { parseWalk, type WalkSpec } from "../walks/index.js";
import { readPlacements } from "./parse/placements.js";
import { readSources, SOURCE_KEYS, soundSources } from "./parse/sources.js";
import { CONDITION_KEYS, readTerrain } from "./parse/terrain.js";
import type { WorldSpec } from "./types.js";

const NO_LAYERS: WalkSpec = { name: undefined, grid: { kind: "unbounded" }, layers: [], layered: true };

/**
 * Reads a world, and reports every issue with its path.
 *
 * Cost: O(size of the input).
 *
 * Error cases:
 *
 * - `world.spec`: a wrong shape, type or range, or an unknown key or name.
 * - In `grid` and `layers`: the errors of `parseWalk`.
 * - In the sources of contents: the errors of the parsers of tables, recipes, objects and pools.
 */
export function parseWorld(input: unknown, options: { readonly file?: string | undefined } = {}): Parsed<WorldSpec> {
  const { file } = readOptions("parseWorld", options, ["file"]);
  const reader = new SpecReader({ noun: "world", code: "world.spec", file, isDocument: true });
  return reader.run(input, (root) => {
    const fields = reader.fields(root, ["name", "grid", "layers", "terrain", "placements", ...SOURCE_KEYS]);
    const name = fields.has("name") ? reader.text(fields.get("name")) : undefined;
    const layers = reader.list(fields.get("layers"), { least: 1, of: "layers" });
    const parsed = parseWalk({ grid: fields.get("grid").value, layers: layers.map(({ value }) => value) }, { file });
    if (layers.length > 0) for (const issue of parsed.issues) reader.add(issue);
    const walk = parsed.spec ?? NO_LAYERS;
    if (walk.grid.kind === "torus") {
      const remedy = 'Make the grid "bounded" or "unbounded"';
      reader.report(fields.get("grid"), { problem: "a world cannot be a torus", remedy });
    }
    for (const [i, layer] of walk.layers.entries()) {
      if (!CONDITION_KEYS.some((key) => key === layer.name)) continue;
      const expected = `a name other than ${CONDITION_KEYS.join(", ")}`;
      reader.report(layers[i], {
        problem: "no layer can have this name, because conditions use it",
        got: layer.name,
        expected,
      });
    }
    // without layers, every name in a rule would be unknown
    const isWhole = parsed.spec !== undefined;
    const terrain = isWhole ? readTerrain(reader, fields.get("terrain"), walk.layers) : { terrains: [], rules: [] };
    const sources = readSources(reader, fields);
    const { terrains } = terrain;
    const placements = isWhole ? readPlacements(reader, fields.get("placements"), { terrains, sources }) : [];
    return { name, walk, ...terrain, placements, sources: soundSources(sources) };
  });
}
