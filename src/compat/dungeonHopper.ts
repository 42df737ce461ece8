// The Lua calls of Dungeon Hopper, implemented by Rollmill's calls. A Lua method becomes a function whose first
// argument is the pool: `pool:getRandom()` becomes `getRandom(pool)`. Source: the Pools page of Dungeon Hopper's
// documentation, 2020.

import { error, fail, readFields } from "../errors/index.js";
import {
  Pool as FamilyPool,
  type PathOptions,
  PoolFamily,
  type RecordId,
  type RecordInput,
  type RootInput,
  type SubpoolInput,
} from "../pools/index.js";
import { readList, refuseArgument } from "../spec/index.js";

/** A finite root for {@link PoolFamily.registerRoot}. */
export type FiniteRootInput = RootInput & { readonly kind: "finite" };

/** An infinite root for {@link PoolFamily.registerRoot}. */
export type InfiniteRootInput = RootInput & { readonly kind: "infinite" };

/** The Lua config of a pool: its records (`ids`) and its subpools. The subpools are named 1, 2, … */
export interface PoolConfig {
  readonly ids: readonly RecordInput[];
  readonly subpools?: readonly PoolConfig[];
}

/** Creates a record of a finite pool: `Record(id, mass, quantity)`. */
function record(id: RecordId, mass: number, quantity: number): RecordInput {
  return { id, mass, quantity };
}

/** Creates a record of an infinite pool: `InfRecord(id, mass)`. */
export function InfRecord(id: RecordId, mass: number): RecordInput {
  return { id, mass };
}

/** Creates a finite root for `registerRoot`: `Pool(config.ids, config)`. */
function pool(ids: readonly RecordInput[], config: Partial<PoolConfig> = {}): FiniteRootInput {
  const { subpools = [] } = readFields("the config of a pool", config, ["subpools"]);
  return { kind: "finite", ...subpoolOf({ ids, subpools }) };
}

// Only the exports have Lua's names. In this file, the names would hide TypeScript's Record and Rollmill's Pool.
export { pool as Pool, record as Record };

/** Creates an infinite root for `registerRoot`: `InfPool(config.ids, config)`. */
export function InfPool(ids: readonly RecordInput[], config: Partial<PoolConfig> = {}): InfiniteRootInput {
  return { ...pool(ids, config), kind: "infinite" };
}

/** Creates a finite root for `registerRoot`. Each record is `[id, mass, quantity]`; each subpool is a config. */
export function createPool(records: readonly RecordInput[], subpools: readonly PoolConfig[] = []): FiniteRootInput {
  return pool(records, { subpools });
}

/**
 * Draws one record from the pool at a path: `world:drawFromPool(path)`. Refreshes an exhausted pool before the draw.
 *
 * @throws The errors of {@link PoolFamily.pool} and {@link FamilyPool.draw}.
 */
export function drawFromPool(family: PoolFamily, path: string, options?: PathOptions): RecordId {
  checkFamily(family);
  return family.pool(path, options).draw();
}

/**
 * Adds a record with the quantity 1 to the pools that a path names: `Pools.addToSubpool(path, id, mass)`.
 *
 * @param mass - 0 … 2^32 − 1; default 1.
 * @throws The errors of {@link PoolFamily.addToSubpool}.
 */
export function addToSubpool(family: PoolFamily, path: string, id: RecordId, mass = 1): void {
  checkFamily(family);
  family.addToSubpool(path, id, { mass });
}

/**
 * Draws one record: `pool:getRandom()`. Never refreshes the pool.
 *
 * @throws RollmillError `pool.exhausted` if the pool is exhausted, and the errors of {@link FamilyPool.draw}.
 */
export function getRandom(from: FamilyPool): RecordId {
  checkPool(from);
  if (from.total > 0) return from.draw();
  // odds() throws if nothing can ever be drawn from the pool. It does not throw for an exhausted pool, because a
  // refresh makes draws possible again.
  from.odds();
  const remedy =
    "Call `exhaust` to restore the stock, or draw with `drawFromPool`, which restores the stock before it draws";
  return fail(
    error("pool.exhausted", { problem: `pool ${from.path} is exhausted`, remedy, where: { path: from.path } }),
  );
}

/**
 * Refreshes a finite pool if it is exhausted: `pool:exhaust()`. Each record that this pool lists gets its initial
 * quantity again, also in other pools that list the record. A record that a subpool lists, but this pool does not list,
 * stays unchanged.
 *
 * @returns whether it refreshed the pool.
 * @throws RollmillError `pool.infinite`, `pool.empty` (the pool has no records), `argument.busy`.
 */
export function exhaust(one: FamilyPool): boolean {
  checkPool(one);
  if (one.total > 0 && one.kind === "finite") return false;
  if (one.size === 0) one.odds();
  one.restock();
  return true;
}

function subpoolOf(config: PoolConfig): SubpoolInput {
  const { ids, subpools = [] } = readFields("the config of a pool", config, ["ids", "subpools"]);
  const inner = readList("subpools", subpools, { of: "configs" });
  return { records: ids, subpools: inner.map((one) => subpoolOf(one as PoolConfig)) };
}

function checkFamily(family: unknown): void {
  if (!(family instanceof PoolFamily)) refuseArgument("family", family, "a family that mill.pools returned");
}

function checkPool(one: unknown): void {
  if (!(one instanceof FamilyPool)) refuseArgument("pool", one, "a pool that family.pool returned");
}
