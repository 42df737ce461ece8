export type { CellRectangle } from "../walks/index.js";
export { checkWorld } from "./check.js";
export { WorldWindow } from "./compose.js";
export type { ContentSystems } from "./contentSystems.js";
export type { Entered, EnterOptions } from "./entrances.js";
export { loadWorld } from "./load.js";
export type { CellShare, PlacementOdds, TerrainOdds, WorldOdds } from "./odds.js";
export type { ConditionInput, LayerCondition, RangeInput } from "./parse/conditions.js";
export type { FieldInput } from "./parse/fields.js";
export type { UnboundedGrid } from "./parse/grid.js";
export type { CoverInput, PathInput } from "./parse/paths.js";
export type {
  ContentInput,
  ItemContentOptions,
  LevelInput,
  ObjectContentOptions,
  PlacementInput,
} from "./parse/placements.js";
export type { RealmInput } from "./parse/realms.js";
export type { SourceFile } from "./parse/sources.js";
export type { SignInput, StampInput } from "./parse/stamps.js";
export { parseWorld, type TerrainRuleInput, type WorldInput } from "./parse.js";
export type { WorldPictureOptions } from "./picture.js";
export type { PictureDepth, PictureLabels } from "./pictureParts.js";
export { type Placement, type PlacementOf, Placements } from "./placements.js";
export type { RealmCells } from "./realms.js";
export { worlds, worldsWith } from "./system.js";
export type {
  EntranceSpec,
  FieldForm,
  FieldSpec,
  LayerCost,
  PathGraph,
  PathSpec,
  PlacementSpec,
  RealmSpec,
  RegionCost,
  StampCell,
  StampSpec,
  StampsOfKind,
  TerrainSpec,
  WindowOptions,
  WorldOptions,
  WorldPath,
  WorldSpec,
} from "./types.js";
export { World, type WorldCell } from "./world.js";
