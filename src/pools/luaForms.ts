import type { RecordId, RecordInput, RootInput, SubpoolInput } from "./types.js";

/** A pool's config in the form of Dungeon Hopper's Lua: `ids`, and unnamed subpools, which are numbered from 1. */
export interface PoolConfig {
  readonly ids: readonly RecordInput[];
  readonly subpools?: readonly PoolConfig[];
}

/** A finite pool's record: `Record(id, mass, quantity)`. */
export function Record(
  id: RecordId,
  mass: number,
  quantity: number,
): { readonly id: RecordId; readonly mass: number; readonly quantity: number } {
  return { id, mass, quantity };
}

/** An infinite pool's record: `InfRecord(id, mass)`. */
export function InfRecord(id: RecordId, mass: number): { readonly id: RecordId; readonly mass: number } {
  return { id, mass };
}

/** A finite root, for `registerRoot`: `Pool(config.ids, config)`. */
export function Pool(
  ids: readonly RecordInput[],
  config: Partial<PoolConfig> = {},
): RootInput & { readonly kind: "finite" } {
  return { kind: "finite", records: ids, subpools: (config.subpools ?? []).map(subpoolOf) };
}

/** An infinite root, for `registerRoot`: `InfPool(config.ids, config)`. */
export function InfPool(
  ids: readonly RecordInput[],
  config: Partial<PoolConfig> = {},
): RootInput & { readonly kind: "infinite" } {
  return { kind: "infinite", records: ids, subpools: (config.subpools ?? []).map(subpoolOf) };
}

/** A finite root, for `registerRoot`, from lists `[id, mass, quantity]` and the configs of its subpools. */
export function createPool(
  records: readonly RecordInput[],
  subpools: readonly PoolConfig[] = [],
): RootInput & { readonly kind: "finite" } {
  return Pool(records, { subpools });
}

function subpoolOf({ ids, subpools = [] }: PoolConfig): SubpoolInput {
  return { records: ids, subpools: subpools.map(subpoolOf) };
}
