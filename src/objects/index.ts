export { MAX_DEPTH, type ObjectConstants } from "./law/constants.js";
export type { LevelTally } from "./make/counter.js";
export { MadeObjects, type Making, type ObjectVocabulary } from "./make/madeObjects.js";
export {
  type LoadOptions,
  loadObject,
  type SavedKind,
  type SavedObject,
  type SavedRecord,
  type SaveOptions,
  saveObject,
} from "./make/saved.js";
export {
  type LevelProperties,
  type ObjectProperty,
  type ObjectTally,
  type PropertyBand,
  type PropertyCount,
  type PropertyTally,
  type TallyOptions,
  type TallyRow,
  tallyObjects,
  tallyProperties,
  tallyRows,
} from "./make/tally.js";
export { ObjectMaker } from "./objectMaker.js";
export { checkObjectFiles } from "./odds/check.js";
export type { ObjectThemeOdds, ObjectTwoSlotOdds } from "./odds/themes.js";
export type { AffixChance, WholeObjectOdds } from "./odds/whole.js";
export type {
  AffixOddsQuery,
  DepthOddsQuery,
  KindOddsQuery,
  LevelOddsQuery,
  ObjectOdds,
  ObjectOddsQuery,
  SlotOddsQuery,
  ThemeOddsQuery,
  TwoSlotOddsQuery,
  WholeOddsQuery,
} from "./odds.js";
export { LEVELS } from "./parse/affixes.js";
export { FILE_NAMES, parseObjects } from "./parse.js";
export {
  type AffixDescription,
  colourOf,
  descriptionOf,
  type NumberChange,
  nameOf,
  type ObjectChanges,
  type ObjectDescription,
  type ObjectRow,
  rowOf,
  type ValueChange,
} from "./show/describe.js";
export type { Naming, SyntheticName } from "./show/names.js";
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
  ObjectRules,
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
  TypeGroup,
  TypeSpec,
} from "./types.js";
