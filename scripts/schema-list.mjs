/**
 * The documents that have a generated schema. `shapes` has the shape of the document first. Each of the others becomes a
 * definition with its name. A shape is written as its file in src, the name of the constant and the name of its public
 * type.
 */
export const SCHEMAS = {
  list: {
    title: "Labelled list of Rollmill",
    description: "Weights by label, or a list of entries. `rollmill pick` and `mill.weighted` pick from it.",
    shapes: {
      list: ["weighted/parse", "LABELLED", "LabelledInput"],
      entry: ["weighted/parse", "ENTRY", "LabelledEntry"],
      weight: ["weighted/parse", "WEIGHT"],
      fraction: ["decimals", "RATIO", "RatioInput"],
      quantity: ["amounts/notation", "QUANTITY"],
    },
  },
  table: {
    title: "Table of Rollmill",
    description:
      "Rows of weighted columns. A roll starts on a row and picks a column, which has a result or leads to another row.",
    shapes: {
      table: ["tables/parse/input", "TABLE", "TableObject"],
      row: ["tables/parse/input", "ROW", "RowInput"],
      columns: ["tables/parse/input", "COLUMNS"],
      column: ["tables/parse/input", "COLUMN", "ColumnInput"],
      script: ["tables/parse/input", "SCRIPT", "ScriptWeight"],
    },
  },
  drops: {
    title: "Drops of Rollmill",
    description: "Fixed results, and several rolls of a table. `rollmill drops` and `mill.drops` make them.",
    shapes: {
      drops: ["tables/drops/parse", "DROPS", "DropsInput"],
      always: ["tables/drops/parse", "ALWAYS", "AlwaysInput"],
    },
  },
  walk: {
    title: "Walk of Rollmill",
    description: "Drunken walks over a hex grid, in one layer or several. `rollmill walk` and `mill.walk` run it.",
    shapes: {
      walk: ["walks/parse", "WALK", "WalkInput"],
      layer: ["walks/parse", "LAYER", "LayerInput"],
      grid: ["walks/parse/cells", "GRID", "GridSpec"],
      tensor: ["walks/parse/tensor", "TENSOR", "TensorInput"],
      until: ["walks/parse", "UNTIL", "UntilInput"],
      start: ["walks/parse", "START", "StartInput"],
      scatter: ["walks/parse", "SCATTER", "ScatterInput"],
      slope: ["walks/parse/fields", "SLOPE", "SlopeInput"],
      range: ["walks/parse/fields", "FIELD_RANGE", "FieldRangeInput"],
      cell: ["walks/parse/cells", "CELL", "Cell"],
      share: ["walks/parse/share", "SHARE"],
      text: ["spec/shapes", "TEXT"],
    },
  },
  pools: {
    title: "Pools of Rollmill",
    description: "Roots with records and subpools. `rollmill pool` and `mill.pools` draw from them.",
    shapes: {
      pools: ["pools/parse", "POOLS", "PoolsInput"],
      root: ["pools/parse", "ROOT", "RootInput"],
      pool: ["pools/parse", "POOL", "SubpoolInput"],
      subpools: ["pools/parse", "SUBPOOLS"],
      rule: ["pools/parse", "RULE", "RuleInput"],
      record: ["pools/parse/records", "RECORD", "RecordInput"],
      mass: ["pools/parse/records", "MASS"],
    },
  },
  recipe: {
    title: "Recipe of Rollmill",
    description: "How items are made from word tables. `rollmill recipe` and `mill.recipe` make the items.",
    shapes: {
      recipe: ["recipes/parse", "RECIPE", "RecipeSpec"],
      stat: ["recipes/parse", "STAT", "StatSpec"],
      step: ["recipes/parse/steps", "STEP", "StepSpec"],
      slot: ["recipes/parse/steps", "SLOT", "SlotSpec"],
      chance: ["recipes/parse/steps", "CHANCE", "ChanceSpec"],
      special: ["recipes/parse/steps", "SPECIAL", "SpecialSpec"],
      swing: ["recipes/parse/steps", "SWING", "SwingSpec"],
      rung: ["recipes/parse/steps", "RUNG", "RungSpec"],
      name: ["recipes/parse/steps", "NAME"],
    },
  },
  words: {
    title: "Word tables of Rollmill",
    description: "The words of a recipe, by table. `rollmill recipe --tables FILE.json` and `mill.recipe` read them.",
    shapes: {
      words: ["recipes/parse/rows", "TABLES", "TablesInput"],
      row: ["recipes/parse/rows", "ROW", "WordInput"],
    },
  },
  world: {
    title: "World of Rollmill",
    description: "A map with terrain and placements, finite or without end. `rollmill world` and `mill.world` make it.",
    shapes: {
      world: ["worlds/parse", "WORLD", "WorldInput"],
      unboundedGrid: ["worlds/parse/grid", "UNBOUNDED", "UnboundedGrid"],
      file: ["worlds/parse/sources", "FILE", "SourceFile"],
      recipeFile: ["worlds/parse/sources", "RECIPE_FILE", "RecipeFile"],
      recipeWithWords: ["worlds/parse/sources", "RECIPE_WITH_WORDS", "RecipeWithWords"],
      editFiles: ["worlds/parse/sources", "EDIT_FILES", "EditFiles"],
      field: ["worlds/parse/fields", "FIELD", "FieldInput"],
      rule: ["worlds/parse", "RULE", "TerrainRuleInput"],
      condition: ["worlds/parse/conditions", "CONDITION", "ConditionInput"],
      layerCondition: ["worlds/parse/conditions", "LAYER_CONDITION", "LayerCondition"],
      range: ["worlds/parse/conditions", "RANGE", "RangeInput"],
      placement: ["worlds/parse/placements", "PLACEMENT", "PlacementInput"],
      realm: ["worlds/parse/realms", "REALM", "RealmInput"],
      path: ["worlds/parse/paths", "PATH", "PathInput"],
      cover: ["worlds/parse/paths", "COVER", "CoverInput"],
      content: ["worlds/parse/placements", "CONTENT", "ContentInput"],
      itemOptions: ["worlds/parse/placements", "ITEM_OPTIONS", "ItemContentOptions"],
      objectOptions: ["worlds/parse/placements", "OBJECT_OPTIONS", "ObjectContentOptions"],
      level: ["worlds/parse/placements", "LEVEL", "LevelInput"],
      stamp: ["worlds/parse/stamps", "STAMP", "StampInput"],
      sign: ["worlds/parse/stamps", "SIGN", "SignInput"],
      color: ["worlds/parse/values", "COLOR"],
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
