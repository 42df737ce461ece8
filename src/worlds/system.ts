import type { System } from "../calls/index.js";
import { MAPS } from "../kernel/index.js";
import { compileWorld } from "./compile.js";
import { parseWorld } from "./parse.js";
import type { WorldOptions, WorldPlan, WorldSpec } from "./types.js";
import { World } from "./world.js";

/** How a mill parses, compiles and opens a world. */
export const worlds: System<WorldOptions, WorldSpec, WorldPlan, World> = {
  noun: "world",
  options: ["file", "maxMemory", "maxRegions"],
  kernel: MAPS,
  parse: (input, { file }) => parseWorld(input, { file }),
  compile: compileWorld,
  open: (setup, options, services) => new World(setup, options, services),
};
