import type { Family } from "./family.js";
import type { PoolsPlan } from "./kernelPools.js";

/** The plan of a family as it stands, with the quantities of now. Cost: O(records of all pools). */
export function compilePools({ roots, nodes }: Family): PoolsPlan {
  return {
    roots: [...roots.values()].map(({ kind, quantities, initial }) => ({
      kind,
      quantities: Uint32Array.from(quantities),
      initial: Uint32Array.from(initial),
    })),
    pools: nodes.map((node) => ({
      root: node.root.number,
      records: Uint32Array.from(node.records),
      masses: Uint32Array.from(node.scaled()?.integers ?? []),
    })),
  };
}
