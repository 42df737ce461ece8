export { parsePools } from "./parse.js";
export { Pool, PoolDraws } from "./pool.js";
export { PoolFamily } from "./poolFamily.js";
export { pools } from "./system.js";
export type {
  ActivePart,
  AddOptions,
  DrawManyOptions,
  DrawOptions,
  FamilyIds,
  IdAt,
  IdsOf,
  ListedRecord,
  ListSpec,
  PathOptions,
  PoolKind,
  PoolSpec,
  PoolsInput,
  PoolsOptions,
  PoolsSpec,
  RecordId,
  RecordInput,
  RootInput,
  RootSpec,
  RuleInput,
  SubpoolInput,
} from "./types.js";
