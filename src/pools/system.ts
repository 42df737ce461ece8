import type { System } from "../calls/index.js";
import { compilePools, type FamilyPlan } from "./compile.js";
import { FamilyState } from "./familyState.js";
import { KernelPools, spareKernels } from "./kernel.js";
import { parsePools } from "./parse.js";
import { PoolFamily } from "./poolFamily.js";
import type { PoolsOptions, PoolsPlan, PoolsSpec } from "./types.js";

/** Tells a mill how to parse, compile and open a family of pools. */
export const pools: System<PoolsOptions, PoolsSpec, FamilyPlan, PoolFamily, FamilyState> = {
  noun: "pools",
  options: ["file"],
  parse: (input, { file }) => parsePools(input, { file }),
  compile: compilePools,
  // each engine has its own kernel: a trap elsewhere in the mill then does not destroy the stock
  state: (register, { name, openKernel }) => {
    const take = spareKernels(openKernel);
    return (saved, { key, guard }) => {
      const createEngine = (plan: PoolsPlan) => new KernelPools(take(), name, key, plan);
      return new FamilyState(register(), { name, key, guard }, saved, createEngine);
    };
  },
  open: (setup) => new PoolFamily(setup),
};
