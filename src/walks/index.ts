export { CellRanks } from "./cellRanks.js";
export { type ClosedChunk, closedChunks } from "./closedCells.js";
export { compileWalk } from "./compile.js";
export {
  DIRECTION_KEYS,
  DIRECTIONS,
  type Direction,
  type DirectionKey,
  HEADING_KEYS,
  type Heading,
  type HeadingKey,
  OFFSETS,
  RESTING,
  TURNS,
  type Turn,
  type TurnKey,
} from "./directions.js";
export { type ClosedDirections, DirectionTensor } from "./directionTensor.js";
export { LayerMap } from "./layerMap.js";
export { LayerRun, type WalkerPosition } from "./layerRun.js";
export { type Bounds, CHUNK_CELLS, CHUNK_SIDE, type MapChunk, NEVER } from "./mapChunk.js";
export { mergeLayerMaps } from "./mergeMaps.js";
export { parseWalk } from "./parse.js";
export { PRESET_NAMES, PRESETS, type PresetName } from "./presets.js";
export { type WalkOptions, walks } from "./system.js";
export { compileTensor } from "./tensor.js";
export type {
  Cell,
  GridSpec,
  LayerBody,
  LayerInput,
  LayerPlan,
  LayerSpec,
  StartInput,
  StartPlan,
  StartSpec,
  TensorInput,
  TensorPlan,
  TensorSpec,
  WalkInput,
  WalkPlan,
  WalkSpec,
} from "./types.js";
export { type LayerOptions, Walk } from "./walk.js";
export { type LayerResult, type MapSummary, WalkMap } from "./walkMap.js";
