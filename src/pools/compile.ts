import { Registry } from "./registry/registry.js";
import type { PoolsPlan, PoolsSpec } from "./types.js";

export interface FamilyPlan {
  /** Returns a new registry with the pools of the spec and their initial stock. */
  readonly register: () => Registry;
}

/**
 * Builds the registry of a family: creates the pools, applies the rules and checks the structure. The first call of
 * `register` returns this registry. Each later call builds a fresh one, because the first one may have changed. Cost:
 * O(records of all pools).
 *
 * @throws RollmillError with every error: `pool.duplicate`, `pool.unknown-id`, `pool.quantity`, `pool.total`,
 * `pool.structure`, and the errors of the paths in rules and active settings.
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

/**
 * Returns the arrays that the kernel needs, with the current quantities. Sets the index of each pool and union to its
 * place among these arrays. The arrays are views of the registry's columns, so a registration makes them invalid. Cost:
 * O(records of all pools).
 */
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
