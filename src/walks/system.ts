import type { System } from "../calls/index.js";
import { compileWalk } from "./compile.js";
import { parseWalk } from "./parse.js";
import type { WalkPlan, WalkSpec } from "./types.js";
import { Walk } from "./walk.js";

/** Options of a walk, when a mill opens it. */
export interface WalkOptions {
  /** The file that the spec came from, for messages. */
  readonly file?: string | undefined;
}

/** Walks, as a mill opens them. */
export const walks: System<WalkOptions, WalkSpec, WalkPlan, Walk> = {
  noun: "walk",
  options: ["file"],
  parse: (input, { file }) => {
    const { spec, issues } = parseWalk(input, file === undefined ? {} : { file });
    return { spec, issues };
  },
  compile: (spec, { name }) => compileWalk(spec, name),
  streams: (plan, name) => [name, ...plan.layers.flatMap(({ purposeName }) => [purposeName, `${purposeName}/start`])],
  open: ({ plan }, _, scope) => new Walk(plan, scope.openKernel),
};
