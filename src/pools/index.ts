export { Family } from "./family.js";
export type { DrawOptions } from "./finder.js";
export { KernelPools, type PoolsPlan } from "./kernelPools.js";
export { createPool, InfPool, InfRecord, Pool, type PoolConfig, Record } from "./luaForms.js";
export { parsePools } from "./parse.js";
export type { FinitePool, FiniteRecord, InfinitePool, InfiniteRecord, RecordOdds } from "./pool.js";
export { type DrawManyOptions, Pools } from "./pools.js";
export { parseState } from "./stock.js";
export { type PoolOptions, pools } from "./system.js";
export type {
  ActivePart,
  ListSpec,
  PoolKind,
  PoolSpec,
  PoolsInput,
  PoolsSpec,
  RecordId,
  RecordInput,
  RootInput,
  RootSpec,
  RootState,
  RuleInput,
  SubpoolInput,
} from "./types.js";
