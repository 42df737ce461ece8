import type { System } from "../calls/index.js";
import { compilePools } from "./compile.js";
import { KernelPools } from "./kernel.js";
import { parsePools } from "./parse.js";
import { PoolFamily } from "./poolFamily.js";
import type { Registry } from "./registry/registry.js";
import { parseState } from "./stock.js";
import type { PoolsOptions, PoolsSpec } from "./types.js";

/** How a mill parses, compiles and opens a family of pools. */
export const pools: System<PoolsOptions, PoolsSpec, Registry, PoolFamily> = {
  noun: "pools",
  options: ["file"],
  ownKernel: true,
  parse: parsePools,
  compile: compilePools,
  open: (setup, _, scope) =>
    new PoolFamily(setup, {
      saved: parseState(scope.saved),
      openKernel: () => scope.openKernel(),
      createEngine: (engine) => new KernelPools(engine),
    }),
};
