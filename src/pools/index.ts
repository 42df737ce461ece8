export { checkPools } from "./check.js";
export type { RecordInput } from "./parse/records.js";
export { type PoolsInput, parsePools, type RootInput, type RuleInput, type SubpoolInput } from "./parse.js";
export { Pool, PoolDraws } from "./pool.js";
export { type FamilyIds, type IdAt, type IdsOf, PoolFamily } from "./poolFamily.js";
export { pools } from "./system.js";
export type {
  ActivePart,
  AddOptions,
  CopyPlace,
  DrawManyOptions,
  DrawOptions,
  GainOptions,
  ListedRecord,
  ListSpec,
  Mass,
  PathOptions,
  PoolKind,
  PoolSpec,
  PoolsOptions,
  PoolsSpec,
  RecordId,
  RemoveOptions,
  RootSpec,
} from "./types.js";
