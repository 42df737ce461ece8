import { type Amount, NO_RESULT, QUANTITY } from "../amounts/index.js";
import { RATIO, scaleToIntegers, type WeightInput } from "../decimals.js";
import { error, type Finding, issueWithin, RollmillError, reading } from "../errors/index.js";
import {
  Field,
  type InputOf,
  isParsed,
  list,
  optional,
  type Parsed,
  readOptions,
  record,
  type Shape,
  type SpecOf,
  SpecReader,
  seal,
  shape,
  text,
} from "../spec/index.js";
import type { LabelledSpec, Listable, WeightedOptions, WeightedSpec } from "./types.js";

/** Maximum number of entries of a weighted list: 2^24. */
export const MAX_ENTRIES = 2 ** 24;

/**
 * Reads a list of weights exactly. Multiplies decimals by the smallest power of ten that makes all weights integers. If
 * some weights are fractions, multiplies by the smallest integer that does the same.
 *
 * Cost: O(n).
 *
 * Error cases:
 * - `argument.type`: not an array.
 * - `weights.empty`: no entry, more than 2^24 entries, or no positive weight.
 * - `weights.invalid`: an entry is neither a finite number ≥ 0 nor a fraction.
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

/**
 * Returns the length of a list and a copy of its weights. The copy is empty if there are too many weights. For anything
 * but a list, the length is −1.
 */
export function weightsIn(input: unknown): { readonly length: number; readonly weights: readonly unknown[] } {
  if (!Array.isArray(input) && (!ArrayBuffer.isView(input) || input instanceof DataView)) {
    return { length: -1, weights: [] };
  }
  const list = input as ArrayLike<unknown>;
  const { length } = list;
  const weights: unknown[] = [];
  for (let i = 0; i < length && length <= MAX_ENTRIES; i++) weights.push(list[i]);
  return { length, weights };
}

/** Maximum number of labelled entries, fewer than of weights alone: a label needs far more memory than a weight. */
const MAX_LABELS = Math.min(MAX_ENTRIES, 10_000_000);

/** The shape of a weight. Returns the field unread, because {@link parseLabels} scales all weights together. */
export const WEIGHT: Shape<WeightInput, Field> = shape((_, at) => at, {
  oneOf: [{ type: "number", minimum: 0 }, RATIO],
});
const LABEL = text("weights.invalid");
export const ENTRY = record({
  /** The label, a text of 1 to 256 characters, or null for nothing. Several entries may have the same label. */
  result: shape<string | null, string | null>((reader, at) => (at.value === null ? null : LABEL.read(reader, at)), {
    oneOf: [{ type: "null" }, LABEL],
  }),
  /** How often a pick gives the result, in proportion to the other weights: a number ≥ 0 or a fraction. */
  weight: WEIGHT,
  /**
   * The quantity of the result: dice "2d6+1", a range "2-5" with both ends, or an integer. No value may be negative. N
   * dice of S sides are allowed up to N · N · S = 1048576. Default 1. Not allowed if the result is null.
   */
  quantity: optional(QUANTITY),
});
/** An entry of a labelled list. */
export interface LabelledEntry extends InputOf<typeof ENTRY> {}
type ReadEntry = SpecOf<typeof ENTRY>;

const ENTRIES = list<LabelledEntry, ReadEntry>(ENTRY, { least: 1, most: MAX_LABELS, code: "weights.empty" });
/**
 * A labelled list: an object that maps labels to weights, or a list of entries. A list keeps its order. In an object,
 * labels that are integers, such as "10", come first, in ascending order.
 */
export type LabelledInput = Readonly<Record<string, WeightInput>> | readonly LabelledEntry[];
export const LABELLED: Shape<LabelledInput, readonly ReadEntry[]> = shape(
  (reader, at) => (Array.isArray(at.value) ? ENTRIES.read(reader, at) : readRecord(reader, at)),
  {
    oneOf: [
      { type: "object", minProperties: 1, propertyNames: { minLength: 1 }, additionalProperties: WEIGHT },
      ENTRIES,
    ],
  },
);

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

/** Whether an input is an object with weights by label. Returns false for a Map and for an array-like object. */
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
    const entries = LABELLED.read(reader, root);
    for (const [i, { result, quantity }] of entries.entries())
      if (result === null && quantity !== undefined)
        reader.report(new Field(quantity, new Field(undefined, root, i), "quantity"), NO_RESULT, "amount.invalid");
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
    return { weights: integers, total, labels: entries.map(({ result }) => result), quantities: quantitiesOf(entries) };
  });
}

/** Reads a labelled list that is the field "list" of another spec, or the odds of a noun. */
export function readLabels(reader: SpecReader, at: Field, options: WeightedOptions): LabelledSpec {
  const { spec, issues } = parseList(at.value, options);
  for (const issue of issues) reader.add(issueWithin("list", issue));
  return spec ?? { weights: [], total: 0, labels: [], quantities: undefined };
}

function parseList(input: unknown, options: WeightedOptions): Parsed<LabelledSpec> {
  try {
    return parseLabels(
      reading("the list", () => (isListable(input) ? input.asList() : input)),
      options,
    );
  } catch (cause) {
    if (cause instanceof RollmillError) return { spec: undefined, issues: cause.issues };
    throw cause;
  }
}

function isListable(value: unknown): value is Listable {
  return typeof value === "object" && value !== null && "asList" in value && typeof value.asList === "function";
}

function readRecord(reader: SpecReader, at: Field): readonly ReadEntry[] {
  const fields = reader.record(at, "an object with weights by label, or a list of entries");
  return fields.keys.map((key) => {
    const weight = fields.get(key);
    if (key === "") reader.report(weight, { problem: "a label is empty", expected: "a text" }, "weights.invalid");
    return { result: key, weight };
  });
}

function quantitiesOf(entries: readonly ReadEntry[]): readonly Amount[] | undefined {
  if (entries.every(({ quantity }) => quantity === undefined)) return undefined;
  return entries.map(({ result, quantity }) => quantity ?? { count: 0, sides: 1, plus: result === null ? 0 : 1 });
}
