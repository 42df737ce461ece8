// The calls of Dungeon Hopper's Lua, over those of Rollmill. Lua's `pool:getRandom()` passes the pool as the first
// argument; here it is written out: `getRandom(pool)`. Source: the Pools page of Dungeon Hopper's documentation, 2020.

import { error, fail } from "../errors/index.js";
import type { PathOptions, Pool, PoolFamily, RecordId, RecordInput, RootInput, SubpoolInput } from "../pools/index.js";

/** A finite root as {@link PoolFamily.registerRoot} takes it. */
export type FiniteRootInput = RootInput & { readonly kind: "finite" };

/** An infinite root as {@link PoolFamily.registerRoot} takes it. */
export type InfiniteRootInput = RootInput & { readonly kind: "infinite" };

/** The config of a pool in Lua: `ids`, and unnamed subpools, which are numbered from 1. */
export interface PoolConfig {
  readonly ids: readonly RecordInput[];
  readonly subpools?: readonly PoolConfig[];
}

/** The record of a finite pool: `Record(id, mass, quantity)`. */
function record(id: RecordId, mass: number, quantity: number): RecordInput {
  return { id, mass, quantity };
}

/** The record of an infinite pool: `InfRecord(id, mass)`. */
export function InfRecord(id: RecordId, mass: number): RecordInput {
  return { id, mass };
}

/** A finite root, for `registerRoot`: `Pool(config.ids, config)`. */
function pool(ids: readonly RecordInput[], config: Partial<PoolConfig> = {}): FiniteRootInput {
  return { kind: "finite", records: ids, subpools: (config.subpools ?? []).map(subpoolOf) };
}

// Lua's names, which would shadow the type of TypeScript and the class of Rollmill in this file
export { pool as Pool, record as Record };

/** An infinite root, for `registerRoot`: `InfPool(config.ids, config)`. */
export function InfPool(ids: readonly RecordInput[], config: Partial<PoolConfig> = {}): InfiniteRootInput {
  return { ...pool(ids, config), kind: "infinite" };
}

/** A finite root, for `registerRoot`, from lists `[id, mass, quantity]` and the configs of its subpools. */
export function createPool(records: readonly RecordInput[], subpools: readonly PoolConfig[] = []): FiniteRootInput {
  return pool(records, { subpools });
}

/**
 * `world:drawFromPool(path)`: one draw from the pool of a path. An exhausted pool is refreshed first.
 *
 * @throws RollmillError as {@link PoolFamily.pool} and {@link Pool.draw}.
 */
export function drawFromPool(family: PoolFamily, path: string, options?: PathOptions): RecordId {
  return family.pool(path, options).draw();
}

/**
 * `Pools.addToSubpool(path, id, mass)`: adds a record with a quantity of 1 to the pools of a path.
 *
 * @param mass - 0 … 2^32 − 1; default 1.
 * @throws RollmillError as {@link PoolFamily.addToSubpool}.
 */
export function addToSubpool(family: PoolFamily, path: string, id: RecordId, mass = 1): void {
  family.addToSubpool(path, id, { mass });
}

/**
 * `pool:getRandom()`: one draw that never refreshes the pool.
 *
 * @throws RollmillError `pool.exhausted`, and as {@link Pool.draw}.
 */
export function getRandom(from: Pool): RecordId {
  if (from.total > 0) return from.draw();
  // (odds refuses a pool that can never give a record: an exhausted one can)
  from.odds();
  const remedy = "Refresh it with exhaust, or draw with drawFromPool, which does";
  return fail(
    error("pool.exhausted", { problem: `pool ${from.path} is exhausted`, remedy, where: { path: from.path } }),
  );
}

/**
 * `pool:exhaust()`: refreshes a finite pool if it is exhausted. Its own records get their initial quantities again, in
 * every pool that lists them.
 *
 * @returns whether it refreshed the pool.
 * @throws RollmillError `pool.infinite`, `pool.empty` (the pool has no records), `argument.busy`.
 */
export function exhaust(one: Pool): boolean {
  if (one.total > 0 && one.kind === "finite") return false;
  if (one.size === 0) one.odds();
  one.restock();
  return true;
}

function subpoolOf({ ids, subpools = [] }: PoolConfig): SubpoolInput {
  return { records: ids, subpools: subpools.map(subpoolOf) };
}
