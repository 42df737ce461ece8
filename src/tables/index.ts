export type { Amount, AmountInput, Stack } from "../amounts/index.js";
export { type CheckTableOptions, checkTable } from "./check.js";
export { DropRolls, Drops } from "./drops/drops.js";
export { type AlwaysInput, type DropsInput, MAX_ROLLS, parseDrops } from "./drops/parse.js";
export { drops } from "./drops/system.js";
export type {
  AlwaysSpec,
  DropChance,
  DropCounts,
  DropManyOptions,
  DropOdds,
  DropOf,
  DroppedOf,
  DropsOptions,
  DropsSpec,
} from "./drops/types.js";
export type { TableEntry } from "./list.js";
export {
  type ColumnInput,
  type JumpInput,
  type LabelledTable,
  MAX_WEIGHT,
  type ResultInput,
  type RowInput,
  type ScriptId,
  type ScriptWeight,
  type TableObject,
  type Weight,
} from "./parse/input.js";
export { loadTable, parseTable } from "./parse.js";
export type { PayloadRow } from "./payload.js";
export { TableRolls } from "./rolls.js";
export {
  createOneShots,
  type NwangbandOptions,
  nwangband,
  type OneShotOptions,
  type OneShots,
} from "./scripts/nwangband.js";
export { randomDefault, SCRIPT_SETS } from "./scripts.js";
export { tables, tablesWithoutOdds } from "./system.js";
export { Table } from "./table.js";
export type {
  ChosenCallback,
  ColumnSpec,
  Ids,
  LinkedFile,
  NamedScript,
  ParseTableOptions,
  ResultOf,
  RollManyOptions,
  RollOf,
  RollOptions,
  RowOdds,
  RowSpec,
  Script,
  ScriptChoice,
  ScriptOptions,
  ScriptSetArgs,
  ScriptSetName,
  TableOdds,
  TableOptions,
  TableSetup,
  TableSource,
  TableSpec,
  Target,
} from "./types.js";
