import type { System } from "../calls/index.js";
import { compileSampler } from "./compile.js";
import { parseItems } from "./parse.js";
import { Sampler } from "./sampler.js";
import type { SampleOptions, SamplerPlan, SamplerSpec } from "./types.js";

/** Tells a mill how to parse, compile and open a sampler. */
export const samples: System<SampleOptions, SamplerSpec, SamplerPlan, Sampler<unknown>> = {
  noun: "sample",
  options: ["size", "file"],
  parse: (input, { file }) => parseItems(input as readonly unknown[], { file }),
  compile: compileSampler,
  open: (setup) => new Sampler(setup),
};
