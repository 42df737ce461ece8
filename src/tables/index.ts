export { type CheckTableOptions, checkTable } from "./check.js";
export { type ParseTableOptions, parseTable } from "./parse.js";
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
  MAX_WEIGHT,
  type RollManyOptions,
  type RollOptions,
  type RowOdds,
  type RowSpec,
  type Script,
  type ScriptChoice,
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
