export { compilePools, planOf } from "./compile.js";
export { type DrawOutcome, KernelPools, type PoolsEngine } from "./kernel.js";
export { parsePools } from "./parse.js";
export { Pool, PoolDraws } from "./pool.js";
export { PoolFamily } from "./poolFamily.js";
export { parseState } from "./stock.js";
export { pools } from "./system.js";
export type {
  ActivePart,
  AddOptions,
  DrawManyOptions,
  DrawOptions,
  ListedRecord,
  ListSpec,
  PathOptions,
  PoolKind,
  PoolPlan,
  PoolSpec,
  PoolsInput,
  PoolsOptions,
  PoolsPlan,
  PoolsSpec,
  RecordId,
  RecordInput,
  RootInput,
  RootPlan,
  RootSpec,
  RootState,
  RuleInput,
  SubpoolInput,
} from "./types.js";
