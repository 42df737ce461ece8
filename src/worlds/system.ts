import type { System } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { MAPS } from "../kernel/index.js";
import { readOptions } from "../spec/index.js";
import { compileWorld } from "./compile.js";
import { ALL_SYSTEMS, type ContentSystems, systemMissing } from "./contentSystems.js";
import { readWorld } from "./parse.js";
import type { WorldOptions, WorldPlan, WorldSpec } from "./types.js";
import { World } from "./world.js";

const LISTS = ["tables", "drops", "recipes", "objects", "pools"] as const;

/**
 * Returns a system of worlds whose contents come from the given systems only. So a bundle contains only these systems.
 *
 * @example
 * const worlds = worldsWith({ tables });
 * const mill = await createMillAsync({ seed: "moria", systems: [worlds] });
 * const world = mill.open(worlds, "isles", spec);
 *
 * @param given - For each list of sources in the spec, such as `tables`, the system that reads it. Default: none, for
 * worlds without contents.
 * @throws RollmillError `argument.type`, `argument.option`.
 */
export function worldsWith(given: ContentSystems = {}): System<WorldOptions, WorldSpec, WorldPlan, World> {
  const systems = readOptions("worldsWith", given, LISTS);
  return {
    noun: "world",
    options: ["file", "maxMemory", "maxRegions"],
    kernel: MAPS,
    uses: Object.values(systems),
    parse: (input, { file }) => readWorld(input, { file, systems }),
    compile: (spec, options) => {
      // a spec that another system of worlds has parsed can have sources that this system cannot read
      const list = LISTS.find((one) => spec.sources[one].size > 0 && systems[one] === undefined);
      if (list !== undefined) fail(error("world.spec", { ...systemMissing(list), where: { path: list } }));
      return compileWorld(spec, options);
    },
    open: (setup, options, services) => new World(setup, options, { services, systems }),
  };
}

/** How a mill parses, compiles and opens a world, with contents from all systems. */
export const worlds: System<WorldOptions, WorldSpec, WorldPlan, World> = worldsWith(ALL_SYSTEMS);
