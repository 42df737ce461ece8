// Rollmill's public API, in reading order.

export { type Seed, STREAM_VERSION } from "./address.js";
export type { LongCall, Progress } from "./batches.js";
// what went wrong
export { type Code, formatIssue, type Issue, RollmillError, type Where } from "./errors/index.js";
// exact numbers
export { type Fraction, toNumber } from "./fractions.js";
// a kernel compiled ahead
export type { KernelSource } from "./kernel/index.js";
// the one object that everything is made from
export {
  createMill,
  createMillAsync,
  type Mill,
  type MillOptions,
  type TableSetup,
} from "./mill.js";

// pools
export {
  type ActivePart,
  createPool,
  type DrawManyOptions,
  type DrawOptions,
  type FinitePool,
  type FiniteRecord,
  type InfinitePool,
  type InfiniteRecord,
  InfPool,
  InfRecord,
  type ListSpec,
  Pool,
  type PoolConfig,
  type PoolKind,
  type PoolSpec,
  type Pools,
  type PoolsInput,
  type PoolsSpec,
  parsePools,
  Record,
  type RecordId,
  type RecordInput,
  type RecordOdds,
  type RootInput,
  type RootSpec,
  type RuleInput,
  type SubpoolInput,
} from "./pools/index.js";

// recipes
export {
  type BonusStepSpec,
  type ChanceSpec,
  type ConditionStepSpec,
  type ItemOptions,
  type ItemRow,
  Items,
  type MakeOptions,
  type NamedOutcome,
  parseRecipe,
  parseTables,
  type Recipe,
  type RecipeOdds,
  type RecipeSetup,
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
  type StrengthOdds,
  type SwingSpec,
  shippedRecipe,
  type TablesInput,
  type WordInput,
  type WordOdds,
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
  type ParsedTable,
  type ParseTableOptions,
  parseTable,
  type RollOptions,
  SCRIPT_SETS,
  type Script,
  type ScriptChoice,
  type ScriptOptions,
  type ScriptSetArgs,
  type ScriptSetName,
  type Table,
  type TableCounts,
  type TableObject,
  type TableOdds,
  type TableOptions,
  type TableRolls,
  type TableSource,
  type Target,
  type Weight,
} from "./tables/index.js";
// walks
export {
  type Bounds,
  type Cell,
  type ClosedDirections,
  DIRECTIONS,
  type Direction,
  type DirectionKey,
  DirectionTensor,
  type GridSpec,
  type Heading,
  type HeadingKey,
  type LayerBody,
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
  type StartInput,
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
