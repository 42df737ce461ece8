import { type Pool, parsePools, pools } from "../../../../src/pools/index.js";
import { stemOf } from "../../document.js";
import type { PoolNode } from "../protocol.js";
import { millOf, type Open, oddsOf, specOf } from "./kind.js";

export const open: Open = async (source) => {
  const { files, file } = source;
  const mill = await millOf(source, [pools]);
  const parsed = parsePools(files[file], { file });
  const spec = specOf(parsed);
  const noun = mill.open(pools, stemOf(file), spec, { file });
  return {
    issues: parsed.issues,
    planned: noun,
    look: () => ({ view: "pools", nodes: noun.roots.flatMap((root) => nodesOf(noun.pool(root), 0)) }),
    /** Makes all draws again, from full pools: the page keeps the names of the pools only. */
    async draw({ pool: path, draws }) {
      using fresh = await millOf(source, [pools]);
      const family = fresh.open(pools, stemOf(file), spec, { file });
      const drawn = draws.map((from) => String(family.pool(from).draw()));
      const pool = family.pool(path);
      return { drawn, left: leftIn(pool), odds: pool.size > 0 ? oddsOf(pool.odds()) : undefined };
    },
    [Symbol.dispose]: () => mill.dispose(),
  };
};

function nodesOf(pool: Pool, depth: number): PoolNode[] {
  const node = { path: pool.path, name: pool.name, depth, records: pool.size, left: leftIn(pool) };
  return [node, ...pool.subpools.flatMap((below) => nodesOf(below, depth + 1))];
}

function leftIn(pool: Pool): number | undefined {
  if (pool.kind === "infinite") return undefined;
  return pool.records.reduce((sum, { id }) => sum + pool.quantity(id), 0);
}
