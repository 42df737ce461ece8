export { checkPools } from "./check.js";
export { parsePools } from "./parse.js";
export { Pool, PoolDraws } from "./pool.js";
export { PoolFamily } from "./poolFamily.js";
export { pools } from "./system.js";
export type {
  ActivePart,
  AddOptions,
  CopyPlace,
  DrawManyOptions,
  DrawOptions,
  FamilyIds,
  GainOptions,
  IdAt,
  IdsOf,
  ListedRecord,
  ListSpec,
  Mass,
  PathOptions,
  PoolKind,
  PoolSpec,
  PoolsInput,
  PoolsOptions,
  PoolsSpec,
  RecordId,
  RecordInput,
  RemoveOptions,
  RootInput,
  RootSpec,
  RuleInput,
  SubpoolInput,
} from "./types.js";
