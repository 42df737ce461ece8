import { type ForkId, forkKey, nameKey, type PlainForkId, plainId, type Seed, seedKey } from "../../address.js";
import { error, fail } from "../../errors/index.js";
import { sha256 } from "../../sha256.js";
import { checkText, readList, readOptions, seedText } from "../../spec/index.js";
import { type Explained, type ExplainOptions, type Explanation, explain } from "./explain.js";

/** Options of {@link receipt}. */
export interface ReceiptOptions extends ExplainOptions {
  /** The seed of the mill. */
  readonly seed: Seed;
  /** The text of the spec's file. The receipt has its hash. */
  readonly spec: string;
  /** The ids of the forks of the mill that lead to the noun's mill, outermost first. Default: not a fork. */
  readonly millForks?: readonly ForkId[] | undefined;
}

/** An explanation with all that a program without Rollmill needs to check it. Store it with `JSON.stringify`. */
export interface Receipt {
  readonly seed: string;
  readonly millForks: readonly PlainForkId[];
  /** SHA-256 of the text of the spec in UTF-8, as 64 hex digits. */
  readonly spec: string;
  readonly explanation: Explanation;
  /** SHA-256 of the JSON of this object without `digest`, in UTF-8. It binds every word, weight and name. */
  readonly digest: string;
}

/**
 * Explains a result, and returns a receipt: examples/check-receipt.mjs checks each word, each value and each choice of
 * it from the seed alone. The receipt proves what the words lead to under these weights. Compare `spec` with the hash
 * of the file that was announced, and `digest` with the one that was published when the result was made.
 *
 * @example JSON.stringify(receipt(loot, { at: 17, seed: mill.seed, spec: text }))
 * @throws RollmillError `argument.range` if the seed and the forks do not lead to the noun; the errors of `explain`.
 */
export function receipt(source: Explained, given: ReceiptOptions): Receipt {
  const known = ["seed", "spec", "millForks", "at", "with"];
  const { seed, spec, millForks = [], ...rest } = readOptions("receipt", given, known);
  const text = seedText(seed);
  checkText("spec", spec);
  const ids = readList("millForks", millForks, { of: "ids" }) as readonly ForkId[];
  const explanation = explain(source, rest);
  const { stream } = "family" in source ? source.family : source;
  // for a walk, `explanation.name` is the name of a layer's stream
  const { k0, k1 } = stream.ids.reduce(forkKey, nameKey(ids.reduce(forkKey, seedKey(text)), explanation.name));
  if (k0 >>> 0 !== explanation.key[0] || k1 >>> 0 !== explanation.key[1]) {
    const problem = "the seed and the forks of the mill do not lead to this noun";
    fail(
      error("argument.range", { problem, got: text, remedy: 'Pass the mill\'s seed, and its forks in "millForks"' }),
    );
  }
  const content = { seed: text, millForks: ids.map(plainId), spec: digestOf(spec), explanation };
  return { ...content, digest: digestOf(JSON.stringify(content)) };
}

function digestOf(text: string): string {
  return sha256().update(new TextEncoder().encode(text)).hex();
}
