import { scaleToIntegers } from "../decimals.js";
import { error, type Finding } from "../errors/index.js";
import { type Parsed, readOptions, seal } from "../spec/index.js";
import type { WeightedOptions, WeightedSpec } from "./types.js";

/** Maximum number of entries of a weighted list: 2^24. */
export const MAX_ENTRIES = 2 ** 24;

/**
 * Reads a list of weights exactly. If there are decimals, multiplies all weights by the smallest power of ten that
 * makes them integers.
 *
 * Cost: O(n).
 *
 * Error cases:
 * - `argument.type`: not an array.
 * - `weights.empty`: no entry, more than 2^24 entries, or no positive weight.
 * - `weights.invalid`: an entry is not a finite number ≥ 0.
 * - `weights.overflow`: the weights are integers and their total exceeds 2^32 − 1.
 * - `weights.decimals`: the total exceeds 2^32 − 1 after the multiplication.
 */
export function parseWeights(input: unknown, options: WeightedOptions = {}): Parsed<WeightedSpec> {
  const { file } = readOptions("parseWeights", options, ["file"]);
  const refuse = (code: "argument.type" | "weights.empty", finding: Finding) => ({
    spec: undefined,
    issues: [error(code, { ...finding, where: { path: "weights", file } })],
  });
  const { length, weights } = weightsIn(input);
  if (length < 0) {
    const expected = "an array or a typed array of numbers";
    const remedy = "For weights by label, open the system `labelled` of rollmill/weighted";
    return refuse("argument.type", { problem: "invalid weights", got: input, expected, remedy });
  }
  if (length === 0 || length > MAX_ENTRIES) {
    const expected = `1 to ${MAX_ENTRIES} weights`;
    return refuse("weights.empty", { problem: "wrong number of weights", got: length, expected });
  }
  const { scaled, issues } = scaleToIntegers(weights, { ratios: true, path: "weights", file });
  if (scaled === undefined) return { spec: undefined, issues };
  if (scaled.total === 0) {
    const remedy = "Give at least one entry a positive weight";
    return refuse("weights.empty", { problem: "all weights are 0, so no entry can be picked", remedy });
  }
  return { spec: seal("weighted", { weights: scaled.integers, total: scaled.total }), issues };
}

/** A sparse array is invalid, but can have millions of gaps: reading stops after this many. */
const MAX_GAPS = 20;

/**
 * Returns the length of a list and a copy of its weights. The copy is empty if there are too many weights, and can end
 * early if the array is sparse. For anything but a list, the length is −1.
 */
export function weightsIn(input: unknown): { readonly length: number; readonly weights: readonly unknown[] } {
  if (!isList(input)) return { length: -1, weights: [] };
  const { length } = input;
  const weights: unknown[] = [];
  for (let i = 0, gaps = 0; i < length && length <= MAX_ENTRIES && gaps < MAX_GAPS; i++) {
    const weight = input[i];
    weights.push(weight);
    if (weight === undefined) gaps++;
  }
  return { length, weights };
}

function isList(value: unknown): value is ArrayLike<unknown> {
  return Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));
}
