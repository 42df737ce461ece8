export type { CellRectangle } from "../walks/index.js";
export { checkWorld } from "./check.js";
export { WorldWindow } from "./compose.js";
export type { ContentSystems } from "./contentSystems.js";
export { loadWorld } from "./load.js";
export type { CellShare, PlacementOdds, TerrainOdds, WorldOdds } from "./odds.js";
export type { FieldInput } from "./parse/fields.js";
export type { CoverInput, PathInput } from "./parse/paths.js";
export type {
  ContentInput,
  ItemContentOptions,
  LevelInput,
  ObjectContentOptions,
  PlacementInput,
} from "./parse/placements.js";
export {
  type ConditionInput,
  type LayerCondition,
  parseWorld,
  type RangeInput,
  type TerrainRuleInput,
  type WorldInput,
} from "./parse.js";
export type { WorldPictureOptions } from "./picture.js";
export { type Placement, type PlacementOf, Placements } from "./placements.js";
export { worlds, worldsWith } from "./system.js";
export type {
  FieldForm,
  FieldSpec,
  LayerCost,
  PathGraph,
  PathSpec,
  PlacementSpec,
  RegionCost,
  TerrainSpec,
  WindowOptions,
  WorldOptions,
  WorldPath,
  WorldSpec,
} from "./types.js";
export { World, type WorldCell } from "./world.js";
