import { Registry } from "./registry/registry.js";
import type { PoolsPlan, PoolsSpec } from "./types.js";

export interface FamilyPlan {
  readonly register: () => Registry;
}

/**
 * The first call of `register` returns the registry that was built to check the spec, each other call a new one. Throws
 * every error of the spec that involves several pools.
 */
export function compilePools(spec: PoolsSpec): FamilyPlan {
  let checked: Registry | undefined = new Registry(spec);
  return {
    register: () => {
      const registry = checked ?? new Registry(spec);
      checked = undefined;
      return registry;
    },
  };
}

/** Sets the index of each pool and union. The arrays are views, which a registration makes invalid. */
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
