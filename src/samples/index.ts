export { MAX_ITEMS, parseItems } from "./parse.js";
export { Sampler } from "./sampler.js";
export { Samples } from "./samples.js";
export { samples } from "./system.js";
export type {
  CountSamplesOptions,
  DrawSamplesOptions,
  ItemsInput,
  PositionOptions,
  SampleOptions,
  SamplerSpec,
  ShuffleOptions,
} from "./types.js";
