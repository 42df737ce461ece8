// The modular core: mills, raw random words and weighted lists. Other systems come from their own sub-paths, such as
// `tables` from `rollmill/tables`. Open their nouns with `mill.open`. A bundler leaves out what you do not import.

export { type ForkId, type Seed, STREAM_VERSION } from "../address.js";
export type {
  AtOptions,
  BulkOptions,
  Chance,
  Counts,
  KernelUse,
  LongCall,
  Noun,
  Odds,
  OddsCall,
  Progress,
  System,
} from "../calls/index.js";
export { type Code, formatIssue, type Issue, RollmillError, type Where } from "../errors/index.js";
export { type Fraction, toNumber } from "../fractions.js";
export type { KernelBytes, KernelPart, KernelSource } from "../kernel/index.js";
export type { Stream, WordsOptions } from "../streams/index.js";
export type { PickOptions, WeightedList, WeightedOptions, WeightsInput } from "../weighted/index.js";
export { type CoreMillOptions, createMill, createMillAsync } from "./create.js";
export type { CoreMill, MillOptions } from "./mill.js";
