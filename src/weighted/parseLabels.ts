import { type Amount, readQuantity } from "../amounts/index.js";
import { scaleToIntegers } from "../decimals.js";
import type { Finding } from "../errors/index.js";
import { type Field, isParsed, type Parsed, readOptions, SpecReader } from "../spec/index.js";
import { MAX_ENTRIES } from "./parse.js";
import type { LabelledSpec, WeightedOptions } from "./types.js";

/** A label costs far more memory than its weight. */
const MAX_LABELS = Math.min(MAX_ENTRIES, 10_000_000);

interface ReadEntry {
  readonly label: string | null;
  readonly weight: Field;
  readonly quantity: Amount | undefined;
}

/**
 * Whether an input of `mill.weighted` is a labelled list: a spec of {@link parseLabels}, an object with weights by
 * label, or a list whose first entry is an object, but not a fraction such as `{ n: 1, d: 3 }`.
 */
export function isLabelled(input: unknown): boolean {
  if (isParsed("weighted", input)) return "labels" in (input as object);
  if (ArrayBuffer.isView(input)) return false;
  if (!Array.isArray(input)) return isRecord(input);
  const first: unknown = input[0];
  return typeof first === "object" && first !== null && !("n" in first);
}

/** Returns false for a Map, and for an object with the keys of an array. */
function isRecord(input: unknown): boolean {
  if (Object.prototype.toString.call(input) !== "[object Object]") return false;
  return !("length" in (input as object) && "0" in (input as object));
}

/**
 * Reads a labelled list: an object with weights by label, or a list of entries. Scales the weights as `parseWeights`
 * does.
 *
 * Cost: O(n).
 *
 * Error cases:
 * - `weights.invalid`: a weight that is neither a finite number ≥ 0 nor a fraction, or a label that is not a text of 1
 *   to 256 characters.
 * - `weights.empty`: no entry, more than 10 million entries, or no positive weight.
 * - `weights.overflow`, `weights.decimals`: the total is too large.
 * - `amount.invalid`: an invalid quantity.
 * - `argument.type`: another kind of input, or an unknown key.
 */
export function parseLabels<const Input>(input: Input, options: WeightedOptions = {}): Parsed<LabelledSpec<Input>> {
  const { file } = readOptions("parseLabels", options, ["file"]);
  const reader = new SpecReader({ noun: "weighted", code: "argument.type", file, isDocument: true });
  return reader.run(input, (root) => {
    const entries = Array.isArray(root.value) ? readEntries(reader, root) : readRecord(reader, root);
    const { scaled, issues } = scaleToIntegers(
      entries.map(({ weight }) => weight.value),
      { ratios: true, path: (i) => entries[i].weight.path, whole: root.path, file },
    );
    for (const issue of issues) reader.add(issue);
    if (scaled?.total === 0 && reader.errors === 0) {
      const problem = entries.length === 0 ? "the list is empty" : "all weights are 0, so no entry can be picked";
      reader.report(root, { problem, remedy: "Give at least one entry a positive weight" }, "weights.empty");
    }
    const { integers = [], total = 0 } = scaled ?? {};
    return { weights: integers, total, labels: entries.map(({ label }) => label), quantities: quantitiesOf(entries) };
  });
}

function readRecord(reader: SpecReader, at: Field): readonly ReadEntry[] {
  const fields = reader.record(at, "an object with weights by label, or a list of entries");
  return fields.keys.map((key) => {
    const weight = fields.get(key);
    if (key === "") reader.report(weight, { problem: "a label is empty", expected: "a text" }, "weights.invalid");
    return { label: key, weight, quantity: undefined };
  });
}

function readEntries(reader: SpecReader, at: Field): readonly ReadEntry[] {
  return reader.list(at, { most: MAX_LABELS, code: "weights.empty" }).map((entry) => {
    const fields = reader.fields(entry, ["result", "weight", "quantity"]);
    const result = fields.get("result");
    const label = result.value === null ? null : reader.text(result, "weights.invalid");
    const at = fields.get("quantity");
    const report = (finding: Finding) => reader.report(at, finding, "amount.invalid");
    return { label, weight: fields.get("weight"), quantity: readQuantity(at.value, label === null, report) };
  });
}

function quantitiesOf(entries: readonly ReadEntry[]): readonly Amount[] | undefined {
  if (entries.every(({ quantity }) => quantity === undefined)) return undefined;
  return entries.map(({ label, quantity }) => quantity ?? { count: 0, sides: 1, plus: label === null ? 0 : 1 });
}
