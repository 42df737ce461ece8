// The modular core: mills, raw random words and weighted lists. A system that you open with `mill.open` comes from its
// own sub-path, such as `tables` of `rollmill/tables`. A bundler leaves out what you do not import.

export { type ForkId, type Seed, STREAM_VERSION } from "../address.js";
export type {
  AtOptions,
  BulkOptions,
  Chance,
  Counts,
  LongCall,
  Noun,
  Odds,
  Progress,
  System,
} from "../calls/index.js";
export { type Code, formatIssue, type Issue, RollmillError, type Where } from "../errors/index.js";
export { type Fraction, toNumber } from "../fractions.js";
export type { KernelBytes, KernelSource } from "../kernel/index.js";
export type { Stream, WordsOptions } from "../streams/index.js";
export type { PickOptions, WeightedList, WeightedOptions, WeightsInput } from "../weighted/index.js";
export { createMill, createMillAsync } from "./create.js";
export type { CoreMill, MillOptions } from "./mill.js";
