export { checkWorld } from "./check.js";
export { loadWorld } from "./load.js";
export type { CellShare, PlacementOdds, TerrainOdds, WorldOdds } from "./odds.js";
export { parseWorld } from "./parse.js";
export type { WorldPictureOptions } from "./picture.js";
export type { PlacementOf } from "./placementOf.js";
export { type Placement, Placements } from "./placements.js";
export { worlds } from "./system.js";
export type {
  ConditionInput,
  ContentInput,
  ItemContentOptions,
  LayerCondition,
  LayerCost,
  LevelInput,
  ObjectContentOptions,
  PlacementInput,
  PlacementSpec,
  RangeInput,
  RegionCost,
  TerrainRuleInput,
  TerrainSpec,
  WindowOptions,
  WorldInput,
  WorldOptions,
  WorldSpec,
} from "./types.js";
export { WorldWindow } from "./window.js";
export { World, type WorldCell } from "./world.js";
