export { Caller } from "./caller.js";
export { compileTable } from "./compile.js";
export { createOneShots, type NwangbandOptions, nwangband, type OneShots } from "./nwangband.js";
export { type TableOdds, tableOdds } from "./odds.js";
export type { RollOptions, ScriptChoice, ScriptOptions, TableOptions, TableSetup } from "./options.js";
export { type ParsedTable, type ParseTableOptions, parseTable } from "./parse.js";
export { localTimeText, parseLocalTime, randomDefault } from "./randomDefault.js";
export { checkStart, reachableRows, reachableScripts } from "./reachability.js";
export {
  createScriptSet,
  isScriptSet,
  parseScriptArgs,
  SCRIPT_SETS,
  type ScriptSet,
  type ScriptSetArgs,
  type ScriptSetName,
} from "./scripts.js";
export { tables } from "./system.js";
export { Table, type TableCounts, type TableRolls } from "./table.js";
export type {
  ChosenCallback,
  ColumnInput,
  RowSpec,
  Script,
  TableObject,
  TablePlan,
  TableSource,
  TableSpec,
  Target,
  Weight,
} from "./types.js";
export { MAX_WEIGHT } from "./types.js";
export { type FrozenWeights, freeze, type Weighed, type WeightSource, weighRow } from "./weigh.js";
