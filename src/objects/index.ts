export { compileObjects } from "./compile.js";
export type { Claim } from "./kernel.js";
export { type Making, Objects, type ObjectVocabulary } from "./make/objects.js";
export type { MakeObjectsOptions, ObjectLimit, ObjectOptions, ObjectScores } from "./make/options.js";
export type { SavedObject } from "./make/saved.js";
export { digestOf, type ObjectState, parseObjectState } from "./make/state.js";
export {
  type LevelTally,
  type ObjectTally,
  type TallyOptions,
  type TallyRow,
  tallyObjects,
  tallyRows,
} from "./make/tally.js";
export { ObjectMaker } from "./objectMaker.js";
export { type AffixOdds, affixOdds, affixOddsAt, type DepthAffixOdds, type SlotQuery } from "./odds/affixes.js";
export { checkObjectFiles } from "./odds/check.js";
export { whyImpossible } from "./odds/impossible.js";
export type { ObjectRequest } from "./odds/inquiry.js";
export { type KindOdds, type KindQuery, kindOdds } from "./odds/kinds.js";
export { affixLevelOdds, depthOdds, type Sort, slotOdds } from "./odds/law.js";
export {
  type ThemeChance,
  type ThemeOdds,
  type ThemeQuery,
  type TwoSlotThemeOdds,
  themeOdds,
  twoSlotThemeOdds,
} from "./odds/themes.js";
export { affixNamed, artifactNamed, kindNamed, themeNamed } from "./parse/lookup.js";
export { tvalWord } from "./parse/tvals.js";
export { MAX_DEPTH } from "./parse/values.js";
export { FILE_NAMES, LEVELS, type ParsedObjects, type ParseObjectOptions, parseObjectFiles } from "./parse.js";
export type { NumberChange, ObjectChanges, ValueChange } from "./show/changes.js";
export { objectColumns } from "./show/columns.js";
export { type AffixDescription, describeObject, describeText, type ObjectDescription } from "./show/describe.js";
export { plainName } from "./show/kindNames.js";
export { objectColour, objectName } from "./show/names.js";
export { checkNaming, type Naming, type SyntheticName } from "./show/naming.js";
export { type ObjectRow, objectRow } from "./show/rows.js";
export { objects } from "./system.js";
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
