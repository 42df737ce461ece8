export { compileObjects, type ObjectPlan } from "./compile.js";
export { MadeObjects, type Making, type ObjectVocabulary } from "./make/madeObjects.js";
export type { SavedObject } from "./make/saved.js";
export { type LevelTally, type ObjectTally, type TallyOptions, type TallyRow, tallyRows } from "./make/tally.js";
export { ObjectMaker } from "./objectMaker.js";
export { checkObjectFiles } from "./odds/check.js";
export {
  type AffixOddsQuery,
  type DepthOddsQuery,
  type KindOddsQuery,
  type LevelOddsQuery,
  type ObjectOdds,
  type ObjectOddsQuery,
  type ObjectThemeOdds,
  type ObjectTwoSlotOdds,
  objectOdds,
  type SlotOddsQuery,
  type ThemeOddsQuery,
  type TwoSlotOddsQuery,
} from "./odds.js";
export { affixNamed, kindNamed, plainName } from "./parse/lookup.js";
export { MAX_DEPTH } from "./parse/records.js";
export { tvalWord } from "./parse/tvals.js";
export { FILE_NAMES, LEVELS, parseObjects } from "./parse.js";
export {
  type AffixDescription,
  describeText,
  type NumberChange,
  type ObjectChanges,
  type ObjectDescription,
  type ObjectRow,
  type ValueChange,
} from "./show/describe.js";
export { checkNaming, type Naming, type SyntheticName } from "./show/names.js";
export { objects } from "./system.js";
export type {
  AffixSpec,
  AffixTarget,
  ArtifactSpec,
  BaseSpec,
  Claim,
  CountObjectsOptions,
  DepthRange,
  FilePlace,
  FlagSpec,
  ItemSpec,
  KindSpec,
  MadeObject,
  MakeObjectOptions,
  MakeObjectsOptions,
  ObjectFiles,
  ObjectLimit,
  ObjectOptions,
  ObjectPart,
  ObjectScores,
  ObjectSetup,
  ObjectTexts,
  PartSpecs,
  PvalSpec,
  Quality,
  RandomFlags,
  RandomPvals,
  RandomValue,
  ThemePart,
  ThemeSpec,
  ThemeTarget,
} from "./types.js";
