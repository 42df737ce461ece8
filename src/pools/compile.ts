import { Registry } from "./registry/registry.js";
import type { PoolsPlan, PoolsSpec } from "./types.js";

/** The plan of a family, which its forks share. */
export interface FamilyPlan {
  /** Returns a new registry: the pools of the spec with their initial stock. */
  readonly register: () => Registry;
}

/**
 * Builds the registry of a family: its pools, the rules applied, the structure checked. The first family gets this
 * registry; each fork builds another one, because registrations change it. Cost: O(records of all pools).
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
 * Returns the arrays of a registry that the kernel needs, with the current quantities. The plan has views of the
 * registry's columns, so it is invalid after the next registration. Cost: O(records of all pools).
 */
export function planOf({ roots, nodes }: Registry): PoolsPlan {
  return {
    roots: [...roots.values()].map(({ kind, quantities, initial }) => ({
      kind,
      quantities: quantities.values,
      initial: initial.values,
    })),
    pools: nodes.map((node) => ({
      root: node.root.number,
      records: node.records,
      masses: new Uint32Array(node.scaled()?.integers ?? []),
    })),
  };
}
