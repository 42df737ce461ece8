import type { System } from "../calls/index.js";
import { Family } from "./family.js";
import { KernelPools } from "./kernelPools.js";
import { parsePools } from "./parse.js";
import { Pools } from "./pools.js";
import { parseState } from "./stock.js";
import type { PoolsSpec } from "./types.js";

/** Options of a family of pools, when a mill opens it. */
export interface PoolOptions {
  /** The file that the spec came from, for messages. */
  readonly file?: string | undefined;
}

/** Families of pools, as a mill opens them. */
export const pools: System<PoolOptions, PoolsSpec, PoolsSpec, Pools> = {
  noun: "pools",
  options: ["file"],
  ownKernel: true,
  parse: (input, { file }) => {
    const { spec, issues } = parsePools(input, file === undefined ? {} : { file });
    return { spec, issues };
  },
  compile: (spec) => spec,
  open: ({ name, kernel, stream, plan: spec }, _, scope) => {
    const restored = parseState(scope.saved);
    const family = Family.of(spec, restored);
    let first: typeof kernel | undefined = kernel;
    const open = (plan: ConstructorParameters<typeof KernelPools>[2]) => {
      const own = first ?? scope.openKernel();
      first = undefined;
      return new KernelPools(own, stream, plan);
    };
    return new Pools(name, family, { open, restored });
  },
};
