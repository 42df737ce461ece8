export {
  type ChanceOptions,
  type CollectOptions,
  chance,
  collect,
  type Luck,
  luck,
  type WaitOptions,
  wait,
} from "./chance.js";
export { type Change, type CompareOptions, type Comparison, compare } from "./compare.js";
export type { AnyOf, Between, Condition, PartsCondition, ValueCondition, Wanted } from "./condition.js";
export { type Certified, Distribution, numberOf, type Point, type ProbabilityInput } from "./distribution.js";
export type { Bounds } from "./interval.js";
export type { Source, SourceOptions } from "./law.js";
export { type SelfCheck, type SelfCheckOptions, selfCheck } from "./selfCheck.js";
