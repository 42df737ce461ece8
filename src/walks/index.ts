export { compileTensor, compileWalk } from "./compile.js";
export {
  DIRECTION_KEYS,
  DIRECTIONS,
  type Direction,
  type DirectionKey,
  directionNumber,
  HEADING_KEYS,
  type Heading,
  type HeadingKey,
  headingNumber,
  OFFSETS,
  RESTING,
  TURNS,
  type Turn,
  type TurnKey,
} from "./directions.js";
export { LayerRun } from "./layerRun.js";
export { CellRanks } from "./map/cellRanks.js";
export { type Bounds, CHUNK_CELLS, CHUNK_SIDE, type ClosedChunk, type MapChunk, NEVER } from "./map/chunk.js";
export { closedChunks } from "./map/closedCells.js";
export { LayerMap } from "./map/layerMap.js";
export { mergeLayerMaps } from "./map/merge.js";
export { type LayerResult, type MapSummary, WalkMap } from "./map/walkMap.js";
export { combinedShares, stepOdds } from "./odds.js";
export { parseTensor, parseWalk } from "./parse.js";
export { PRESETS, type PresetName } from "./presets.js";
export { walks } from "./system.js";
export {
  type Cell,
  type GridSpec,
  type LayerBody,
  type LayerInfo,
  type LayerInput,
  type LayerOptions,
  type LayerPlan,
  type LayerSpec,
  MAX_STEPS,
  MAX_WALKERS,
  type RunLayerOptions,
  type StartInput,
  type StartSpec,
  type StepOptions,
  type TensorInput,
  type TensorPlan,
  type TensorSpec,
  type WalkerPosition,
  type WalkInput,
  type WalkOptions,
  type WalkPlan,
  type WalkSpec,
} from "./types.js";
export { Walk } from "./walk.js";
