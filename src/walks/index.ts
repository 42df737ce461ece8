export {
  DIRECTIONS,
  type Direction,
  type DirectionKey,
  type Heading,
  type HeadingKey,
  TURNS,
  type Turn,
  type TurnKey,
} from "./directions.js";
export {
  axialToOddR,
  type HexOptions,
  type HexPixelOptions,
  hexDistance,
  hexLine,
  hexNeighbours,
  hexRing,
  hexToPixel,
  oddRToAxial,
  pixelToHex,
} from "./hexes.js";
export { LayerRun } from "./layerRun.js";
export { type Bounds, type MapChunk, NEVER } from "./map/chunk.js";
export {
  type CellColumnOptions,
  type FirstVisitSummary,
  LayerMap,
  type LayerMapMessage,
  type LayerMapOptions,
  type WalkerTotals,
} from "./map/layerMap.js";
export { type LayerResult, type MapSummary, type MergeOptions, mergeLayerMaps, WalkMap } from "./map/walkMap.js";
export type { FieldRangeInput, SlopeInput } from "./parse/fields.js";
export { PRESETS, type PresetName, type TensorInput } from "./parse/tensor.js";
export {
  type LayerBody,
  type LayerInput,
  parseWalk,
  type ScatterInput,
  type StartInput,
  type UntilInput,
  type WalkInput,
} from "./parse.js";
export type { CellRectangle, Coordinates } from "./rectangles.js";
export { type MergedRuns, mergeSavedRuns } from "./saved/savedRun.js";
export { walks } from "./system.js";
export {
  type Cell,
  type FieldRange,
  type GridSpec,
  type LayerInfo,
  type LayerOptions,
  type LayerPlan,
  type LayerSpec,
  MAX_STEPS,
  MAX_WALKERS,
  type RunLayerOptions,
  type ScatterSpec,
  type SlopeSpec,
  type StartSpec,
  type StepOptions,
  type TensorSpec,
  type UntilSpec,
  type WalkerPosition,
  type WalkOptions,
  type WalkPlan,
  type WalkSpec,
} from "./types.js";
export { Walk } from "./walk.js";
