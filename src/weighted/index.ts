export type { Amount, AmountInput, Stack } from "../amounts/index.js";
export type { RatioInput, WeightInput } from "../decimals.js";
export { type Apportionment, apportion } from "./apportion.js";
export { LabelledList, Picks } from "./labelledList.js";
export { NoRepeats } from "./noRepeats/noRepeats.js";
export { type NoRepeatsInput, type NoRepeatsSpec, parseNoRepeats } from "./noRepeats/parse.js";
export { noRepeats } from "./noRepeats/system.js";
export { type LabelledEntry, type LabelledInput, MAX_ENTRIES, parseLabels, parseWeights } from "./parse.js";
export { type PityInput, type PitySpec, parsePity, type SoftPityInput } from "./pity/parse.js";
export { Pity } from "./pity/pity.js";
export type { PityRule, PityState } from "./pity/rule.js";
export { pity } from "./pity/system.js";
export { labelled, weighted } from "./system.js";
export type {
  LabelledSpec,
  LabelOf,
  Listable,
  PickOf,
  PickOptions,
  WeightedOptions,
  WeightedSpec,
  WeightsInput,
} from "./types.js";
export { WeightedList } from "./weightedList.js";
