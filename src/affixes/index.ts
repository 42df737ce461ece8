export { type AffixOdds, affixOdds, affixOddsAt, type DepthAffixOdds, type SlotQuery } from "./affixOdds.js";
export { checkObjectFiles } from "./check.js";
export { whyImpossible } from "./impossible.js";
export type { ObjectRequest } from "./inquiry.js";
export { type KindOdds, type KindQuery, kindOdds } from "./kindOdds.js";
export { affixLevelOdds, depthOdds, slotOdds } from "./law.js";
export { affixNamed, artifactNamed, kindNamed, themeNamed } from "./lookup.js";
export { FILE_NAMES, LEVELS, type ParsedObjects, type ParseObjectOptions, parseObjectFiles } from "./parse.js";
export { plainName } from "./parseArtifacts.js";
export {
  type ThemeChance,
  type ThemeOdds,
  type ThemeQuery,
  type TwoSlotThemeOdds,
  themeOdds,
  twoSlotThemeOdds,
} from "./themeOdds.js";
export type { Quality } from "./types.js";
