export { type AffixOdds, affixOdds, affixOddsAt, type DepthAffixOdds, type SlotQuery } from "./affixOdds.js";
export type { NumberChange, ObjectChanges, ValueChange } from "./changes.js";
export { checkObjectFiles } from "./check.js";
export { compileObjects } from "./compile.js";
export { type AffixDescription, describeObject, describeText, type ObjectDescription } from "./describe.js";
export { whyImpossible } from "./impossible.js";
export type { ObjectRequest } from "./inquiry.js";
export type { Claim } from "./kernelObjects.js";
export { plainName } from "./kindNames.js";
export { type KindOdds, type KindQuery, kindOdds } from "./kindOdds.js";
export { affixLevelOdds, depthOdds, type Sort, slotOdds } from "./law.js";
export { affixNamed, artifactNamed, kindNamed, themeNamed } from "./lookup.js";
export { ObjectMaker } from "./maker.js";
export { objectColour, objectName } from "./names.js";
export { checkNaming, type Naming, type SyntheticName } from "./naming.js";
export { type Making, Objects, type ObjectVocabulary } from "./objects.js";
export type { MakeObjectsOptions, ObjectLimit, ObjectOptions, ObjectScores } from "./options.js";
export { FILE_NAMES, LEVELS, type ParsedObjects, type ParseObjectOptions, parseObjectFiles } from "./parse.js";
export { type ObjectRow, objectRow } from "./rows.js";
export type { SavedObject } from "./saved.js";
export { digestOf, type ObjectState, parseObjectState } from "./state.js";
export {
  type LevelTally,
  type ObjectTally,
  type TallyOptions,
  type TallyRow,
  tallyObjects,
  tallyRows,
} from "./tally.js";
export {
  type ThemeChance,
  type ThemeOdds,
  type ThemeQuery,
  type TwoSlotThemeOdds,
  themeOdds,
  twoSlotThemeOdds,
} from "./themeOdds.js";
export { tvalWord } from "./tvals.js";
export type {
  AffixSpec,
  AffixTarget,
  ArtifactSpec,
  BaseSpec,
  DepthRange,
  FilePlace,
  FlagSpec,
  KindSpec,
  MadeObject,
  ObjectFiles,
  ObjectTexts,
  PvalSpec,
  Quality,
  RandomFlags,
  RandomPvals,
  RandomValue,
  ThemePart,
  ThemeSpec,
  ThemeTarget,
} from "./types.js";
export { MAX_DEPTH } from "./values.js";
