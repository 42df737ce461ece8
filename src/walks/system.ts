import type { System } from "../calls/index.js";
import { MAPS } from "../kernel/index.js";
import { compileWalk } from "./compile.js";
import { parseWalk } from "./parse.js";
import type { WalkOptions, WalkPlan, WalkSpec } from "./types.js";
import { Walk } from "./walk.js";

/** How a mill parses, compiles and opens a walk. */
export const walks: System<WalkOptions, WalkSpec, WalkPlan, Walk> = {
  noun: "walk",
  options: ["file"],
  kernel: MAPS,
  parse: (input, { file }) => parseWalk(input, { file }),
  compile: compileWalk,
  open: (setup, _, services) => new Walk(setup, services),
};
