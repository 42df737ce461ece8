// Rollmill's public API: first the mill and what every system uses, then one section for each system.

export { type Seed, STREAM_VERSION } from "./address.js";
export type { AtOptions, BulkOptions, Chance, Counts, LongCall, Odds, Progress } from "./calls/index.js";
// errors
export { type Code, type Finding, formatIssue, type Issue, RollmillError, type Where } from "./errors/index.js";
// exact numbers
export { type Fraction, toNumber } from "./fractions.js";
// a kernel to compile in advance
export type { KernelSource } from "./kernel/index.js";
// the mill, which opens everything else
export {
  createMill,
  createMillAsync,
  type Mill,
  type MillOptions,
} from "./mill.js";
// objects
export {
  type AffixSpec,
  type ArtifactSpec,
  type KindSpec,
  type MadeObject,
  MadeObjects,
  type MakeObjectOptions,
  type MakeObjectsOptions,
  type Naming,
  type ObjectFiles,
  type ObjectMaker,
  type ObjectOddsQuery,
  type ObjectOptions,
  type ObjectSetup,
  type ObjectTexts,
  parseObjects,
  type SavedObject,
  type TallyOptions,
  type ThemeSpec,
} from "./objects/index.js";
// pools
export {
  type ActivePart,
  type AddOptions,
  type DrawManyOptions,
  type DrawOptions,
  type ListedRecord,
  type PathOptions,
  type Pool,
  type PoolDraws,
  type PoolFamily,
  type PoolKind,
  type PoolsInput,
  type PoolsOptions,
  type PoolsSpec,
  parsePools,
  type RecordId,
  type RecordInput,
  type RootInput,
  type RuleInput,
  type SubpoolInput,
} from "./pools/index.js";

// recipes
export {
  type BonusStepSpec,
  type ChanceSpec,
  type ConditionStepSpec,
  type ItemCountOptions,
  type ItemOddsOptions,
  type ItemOptions,
  type ItemResult,
  type ItemRow,
  Items,
  itemColumns,
  type MakeManyOptions,
  type MakeOptions,
  type NamedOutcome,
  parseRecipe,
  parseTables,
  type Recipe,
  type RecipeChances,
  type RecipeInput,
  type RecipeOptions,
  type RecipeSpec,
  type RequestReport,
  type RungSpec,
  requestFromForm,
  SHIPPED_RECIPES,
  type ShippedRecipe,
  type SlotSpec,
  type SlotsStepSpec,
  type SpecialSpec,
  type StatColumn,
  type StatSpec,
  type StepSpec,
  type SwingSpec,
  shippedRecipe,
  type TablesInput,
  type WordInput,
  type WordRow,
  type WordTable,
  type WordTables,
} from "./recipes/index.js";
// raw random words
export type { Stream, WordsOptions } from "./streams/index.js";
// tables
export {
  type ChosenCallback,
  type ColumnInput,
  type ParseTableOptions,
  parseTable,
  type RollManyOptions,
  type RollOptions,
  SCRIPT_SETS,
  type Script,
  type ScriptChoice,
  type ScriptOptions,
  type ScriptSetArgs,
  type ScriptSetName,
  type Table,
  type TableObject,
  type TableOdds,
  type TableOptions,
  type TableRolls,
  type TableSetup,
  type TableSource,
  type TableSpec,
  type Target,
  type Weight,
} from "./tables/index.js";
// walks
export {
  type Bounds,
  type Cell,
  DIRECTIONS,
  type Direction,
  type DirectionKey,
  type GridSpec,
  type Heading,
  type HeadingKey,
  type LayerBody,
  type LayerInfo,
  type LayerInput,
  LayerMap,
  type LayerOptions,
  type LayerResult,
  type LayerRun,
  type MapChunk,
  type MapSummary,
  mergeLayerMaps,
  NEVER,
  PRESETS,
  type PresetName,
  parseWalk,
  type RunLayerOptions,
  type StartInput,
  type StepOptions,
  type TensorInput,
  TURNS,
  type Turn,
  type TurnKey,
  type Walk,
  type WalkerPosition,
  type WalkInput,
  WalkMap,
} from "./walks/index.js";
// weighted lists
export type { PickOptions, WeightedList } from "./weighted/index.js";
