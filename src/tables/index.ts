export type { Amount, AmountInput, Stack } from "../amounts/index.js";
export { type CheckTableOptions, checkTable } from "./check.js";
export { DropRolls } from "./drops/dropRolls.js";
export { Drops } from "./drops/drops.js";
export { MAX_ROLLS, parseDrops } from "./drops/parse.js";
export { drops } from "./drops/system.js";
export type {
  AlwaysInput,
  AlwaysSpec,
  DropChance,
  DropCounts,
  DropManyOptions,
  DropOdds,
  DropOf,
  DroppedOf,
  DropsInput,
  DropsOptions,
  DropsSpec,
} from "./drops/types.js";
export { loadTable, type ParseTableOptions, parseTable } from "./parse.js";
export type { PayloadRow } from "./payload.js";
export { TableRolls } from "./rolls.js";
export {
  createOneShots,
  type NwangbandOptions,
  nwangband,
  type OneShotOptions,
  type OneShots,
} from "./scripts/nwangband.js";
export { randomDefault } from "./scripts/randomDefault.js";
export { SCRIPT_SETS } from "./scripts.js";
export { tables } from "./system.js";
export { Table } from "./table.js";
export {
  type ChosenCallback,
  type ColumnInput,
  type ColumnSpec,
  type Ids,
  type JumpInput,
  type LabelledTable,
  type LinkedFile,
  MAX_WEIGHT,
  type NamedScript,
  type ResultInput,
  type ResultOf,
  type RollManyOptions,
  type RollOf,
  type RollOptions,
  type RowInput,
  type RowOdds,
  type RowSpec,
  type Script,
  type ScriptChoice,
  type ScriptId,
  type ScriptOptions,
  type ScriptSetArgs,
  type ScriptSetName,
  type TableObject,
  type TableOdds,
  type TableOptions,
  type TableSetup,
  type TableSource,
  type TableSpec,
  type Target,
  type Weight,
} from "./types.js";
