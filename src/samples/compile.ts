import { checkInteger } from "../spec/index.js";
import type { SampleOptions, SamplerPlan, SamplerSpec } from "./types.js";

/** @throws RollmillError `argument.range` if the size is not an integer from 1 to the number of items. */
export function compileSampler({ items }: SamplerSpec, { size = items.length }: SampleOptions): SamplerPlan {
  checkInteger("size", size, 1, items.length);
  return { items, size };
}
