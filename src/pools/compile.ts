import { Registry } from "./registry/registry.js";
import type { PoolsPlan, PoolsSpec } from "./types.js";

/** Registers the pools of the spec. The first call returns the registry that was built to check the spec. */
export type FamilyPlan = () => Registry;

/** Throws every error of the spec that involves several pools. */
export function compilePools(spec: PoolsSpec): FamilyPlan {
  let checked: Registry | undefined = new Registry(spec);
  return () => {
    const registry = checked ?? new Registry(spec);
    checked = undefined;
    return registry;
  };
}

/** Builds a plan, and sets the index of each pool and union. A registration makes the plan's arrays invalid. */
export function planOf({ roots, nodes, unions }: Registry): PoolsPlan {
  const all = [...nodes, ...unions.values()];
  for (const [i, node] of all.entries()) node.index = i;
  return {
    roots: [...roots.values()].map(({ kind, quantities, initial }) => ({
      kind,
      quantities: quantities.values,
      initial: initial.values,
    })),
    pools: all.map((node) => ({
      root: node.root.number,
      records: node.records,
      masses: new Uint32Array(node.scaled()?.integers ?? []),
    })),
  };
}
