// Rollmill's public API. Less common exports are in sub-paths, such as `rollmill/tables`.

// ── the mill: opens everything else ──

export { type ForkId, type Seed, STREAM_VERSION } from "./address.js";
export type { KernelSource } from "./kernel/index.js";
export { createMill, createMillAsync, type Mill, type MillOptions } from "./mill.js";

// ── types and errors that the sections below share ──

export {
  type AtOptions,
  type BulkOptions,
  type Chance,
  Columns,
  type Counts,
  type LongCall,
  type Odds,
  type Progress,
} from "./calls/index.js";
export { type Code, formatIssue, type Issue, RollmillError, type Where } from "./errors/index.js";
export { type Fraction, toNumber } from "./fractions.js";
export type { Parsed } from "./spec/index.js";

// ── weighted lists: pick ──

export {
  apportion,
  type LabelledList,
  parseLabels,
  parseWeights,
  type WeightedList,
  type WeightsInput,
} from "./weighted/index.js";

// ── tables: roll ──

export {
  parseTable,
  type RollManyOptions,
  type RollOptions,
  type Script,
  type Table,
  type TableObject,
  type TableOdds,
  type TableRolls,
  type TableSetup,
  type TableSource,
} from "./tables/index.js";

// ── pools: draw ──

export {
  type DrawManyOptions,
  type DrawOptions,
  type ListedRecord,
  type Pool,
  type PoolDraws,
  type PoolFamily,
  type PoolsInput,
  parsePools,
  type RecordId,
  type RecordInput,
} from "./pools/index.js";

// ── walks: run ──

export {
  type Cell,
  type Direction,
  type GridSpec,
  type LayerInput,
  LayerMap,
  type LayerRun,
  mergeLayerMaps,
  type PresetName,
  parseWalk,
  type RunLayerOptions,
  type Walk,
  type WalkInput,
  type WalkMap,
} from "./walks/index.js";

// ── recipes: make items. The functions come from single files, because recipes/index.ts also loads the CSV reader ──

export type {
  ItemRow,
  Items,
  MakeManyOptions,
  MakeOptions,
  Recipe,
  RecipeInput,
  RecipeOptions,
  RecipeSpec,
  TablesInput,
  WordInput,
} from "./recipes/index.js";
export { parseTables } from "./recipes/parse/tables.js";
export { parseRecipe } from "./recipes/parse.js";
export { shippedRecipe } from "./recipes/shipped.js";

// ── objects: make objects ──

export {
  type MadeObject,
  type MadeObjects,
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
} from "./objects/index.js";

// ── raw random words ──

export type { Stream, WordsOptions } from "./streams/index.js";
