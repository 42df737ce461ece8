import type { System } from "../calls/index.js";
import { compileWorld } from "./compile.js";
import { parseWorld } from "./parse.js";
import type { WorldOptions, WorldPlan, WorldSpec } from "./types.js";
import { World } from "./world.js";

export const worlds: System<WorldOptions, WorldSpec, WorldPlan, World> = {
  noun: "world",
  options: ["file", "maxMemory", "maxRegions"],
  parse: (input, { file }) => parseWorld(input, { file }),
  compile: compileWorld,
  open: (setup, options, scope) => new World(setup, options, scope),
};
