import type { Family } from "./family.js";
import type { PoolsPlan } from "./kernelPools.js";

/**
 * The plan of a family as it stands, with the quantities of now: in part views of the family's own columns, good until it
 * changes. Cost: O(records of all pools).
 */
export function compilePools({ roots, nodes }: Family): PoolsPlan {
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
