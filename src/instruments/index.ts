export type { PityRule, PityState } from "../weighted/pity/rule.js";
export { type AnalyseOptions, analyseWalk, type HeadingClass, type WalkAnalysis } from "./analyseWalk.js";
export { type BalancedList, type BalanceOptions, balance } from "./balance.js";
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
export {
  type Certified,
  Distribution,
  distributionOf,
  numberOf,
  type Point,
  type ProbabilityInput,
} from "./distribution.js";
export { type Explained, type ExplainOptions, type Explanation, explain } from "./explain/explain.js";
export { type Receipt, type ReceiptOptions, receipt } from "./explain/receipt.js";
export type { CellPlace, Place, StepPlace } from "./explain/subject.js";
export { type ExplanationDiff, explainDiff, explainText } from "./explain/text.js";
export type { AliasColumn, Choice, Decision, Fact } from "./explain/tracer.js";
export { type Formula, type FormulaOptions, formula, type Unknown } from "./formula.js";
export type { Bounds } from "./interval.js";
export type { Source, SourceOptions } from "./law.js";
export { type PityOdds, pityOdds } from "./pityOdds.js";
export {
  expectedTries,
  type NounSearchOptions,
  type SearchOptions,
  type SearchResult,
  type SeedMatch,
  type SeedSearchOptions,
  search,
  searchSeeds,
} from "./search.js";
export type { Searched } from "./searchable.js";
export { type SelfCheck, type SelfCheckOptions, selfCheck } from "./selfCheck.js";
export {
  type Influence,
  type LabelSpec,
  type ListSource,
  type Sensitivity,
  type SensitivityOptions,
  type SensitivitySource,
  sensitivity,
  type WeightSource,
} from "./sensitivity.js";
export type { Balanced, ChangedWeight, Reached, Target, Targets } from "./target.js";
export type { NearCondition, ShareCondition, WorldCondition } from "./worldCondition.js";
