export { compileTable } from "./compile.js";
export { tableOdds } from "./odds.js";
export { type ParseTableOptions, parseTable } from "./parse.js";
export { checkStart, reachableRows, reachableScripts } from "./reach.js";
export { TableRolls } from "./rolls.js";
export { createOneShots, type NwangbandOptions, nwangband, type OneShots } from "./scripts/nwangband.js";
export { localTimeText, parseLocalTime, randomDefault } from "./scripts/randomDefault.js";
export { createScriptSet, isScriptSet, parseScriptArgs, SCRIPT_SETS, type ScriptSet } from "./scripts.js";
export { tables } from "./system.js";
export { Table } from "./table.js";
export {
  type ChosenCallback,
  type ColumnInput,
  type Ids,
  MAX_WEIGHT,
  type RollManyOptions,
  type RollOptions,
  type RowSpec,
  type Script,
  type ScriptChoice,
  type ScriptOptions,
  type ScriptSetArgs,
  type ScriptSetName,
  type TableObject,
  type TableOdds,
  type TableOptions,
  type TablePlan,
  type TableSetup,
  type TableSource,
  type TableSpec,
  type Target,
  type Weight,
} from "./types.js";
export { type FrozenWeights, freeze, type Weighed, type WeightSource, weighRow } from "./weights.js";
