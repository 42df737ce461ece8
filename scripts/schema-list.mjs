/**
 * The documents that have a generated schema. `shapes` has the shape of the document first. Each of the others becomes a
 * definition with its name. A shape is written as its file in src, the name of the constant and the name of its public
 * type.
 */
export const SCHEMAS = {
  walk: {
    title: "Walk of Rollmill",
    description: "Drunken walks over a hex grid, in one layer or several. `rollmill walk` and `mill.walk` run it.",
    shapes: {
      walk: ["walks/parse", "WALK", "WalkInput"],
      layer: ["walks/parse/layer", "LAYER", "LayerInput"],
      grid: ["walks/parse/grid", "GRID", "GridSpec"],
      tensor: ["walks/parse/tensor", "TENSOR", "TensorInput"],
      until: ["walks/parse/layer", "UNTIL", "UntilInput"],
      start: ["walks/parse/layer", "START", "StartInput"],
      scatter: ["walks/parse/scatter", "SCATTER", "ScatterInput"],
      cell: ["walks/parse/cells", "CELL", "Cell"],
      text: ["spec/shapes", "TEXT"],
    },
  },
  world: {
    title: "World of Rollmill",
    description: "A map with terrain and placements, finite or without end. `rollmill world` and `mill.world` make it.",
    shapes: {
      world: ["worlds/parse", "WORLD", "WorldInput"],
      file: ["worlds/parse/sources", "FILE", "SourceFile"],
      recipeFile: ["worlds/parse/sources", "RECIPE_FILE", "RecipeFile"],
      recipeWithWords: ["worlds/parse/sources", "RECIPE_WITH_WORDS", "RecipeWithWords"],
      editFiles: ["worlds/parse/sources", "EDIT_FILES", "EditFiles"],
      rule: ["worlds/parse/terrain", "RULE", "TerrainRuleInput"],
      condition: ["worlds/parse/terrain", "CONDITION", "ConditionInput"],
      layerCondition: ["worlds/parse/terrain", "LAYER_CONDITION", "LayerCondition"],
      range: ["worlds/parse/terrain", "RANGE", "RangeInput"],
      placement: ["worlds/parse/placements", "PLACEMENT", "PlacementInput"],
      content: ["worlds/parse/placements", "CONTENT", "ContentInput"],
      itemOptions: ["worlds/parse/placements", "ITEM_OPTIONS", "ItemContentOptions"],
      objectOptions: ["worlds/parse/placements", "OBJECT_OPTIONS", "ObjectContentOptions"],
      level: ["worlds/parse/placements", "LEVEL", "LevelInput"],
      share: ["worlds/parse/shares", "SHARE"],
      color: ["worlds/parse/colors", "COLOR"],
    },
  },
  job: {
    title: "Job of Rollmill",
    description: "A whole world that is made in advance, in a folder. `rollmill job start` and `startJob` make it.",
    shapes: {
      job: ["jobs/plan/parse", "JOB", "JobInput"],
      rectangle: ["jobs/plan/parse", "RECTANGLE", "RectangleInput"],
      extent: ["jobs/plan/parse", "EXTENT"],
      bulk: ["jobs/plan/parse", "BULK_PART", "BulkInput"],
    },
  },
};
