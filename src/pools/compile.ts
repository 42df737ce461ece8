import { Registry } from "./registry/registry.js";
import type { PoolsPlan, PoolsSpec } from "./types.js";

export interface FamilyPlan {
  /** Returns a new registry with the pools of the spec and their initial stock. */
  readonly register: () => Registry;
}

/**
 * Builds the registry of a family. The first call of `register` returns it; each later call builds a fresh one, because
 * the first may have changed. Cost: O(records of all pools).
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
 * Returns the arrays that the kernel needs. Sets the index of each pool and union. The arrays are views of the
 * registry's columns, so a registration makes them invalid.
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
