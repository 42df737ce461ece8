import { type Fraction, subtract, ZERO } from "../fractions.js";
import { ObjectMaker } from "../objects/objectMaker.js";
import { Recipe } from "../recipes/recipe.js";
import { readOptions } from "../spec/index.js";
import { Drops } from "../tables/drops/drops.js";
import { type ExclusiveOdds, nameOf, orMore } from "./condition.js";
import { boundsOf, type Certified, compare as order } from "./distribution.js";
import { objectParts, oddsOf, type Source, type SourceOptions } from "./law.js";

/** The probability of a result in two versions of a noun. 0 if a version lacks the result. */
export interface Change {
  /** The slot, condition or bonus of an item, or the part of an object. Undefined for nouns without parts. */
  readonly part: string | undefined;
  /** Null stands for no result. */
  readonly result: string | number | null;
  readonly before: Certified;
  readonly after: Certified;
}

export interface Comparison {
  /**
   * The results whose probabilities certainly differ; the largest difference comes first. For bounds, the
   * difference is the distance between them.
   */
  readonly changes: readonly Change[];
  /** Number of results with the same probability in both versions. */
  readonly same: number;
  /** Number of results whose bounds overlap, so that it is unknown whether they changed. 0 if all odds are exact. */
  readonly unknown: number;
}

/** Options of {@link compare}. */
export interface CompareOptions {
  /** The options of the nouns' odds, `signal` and `onProgress` included. */
  readonly with?: SourceOptions | undefined;
}

/**
 * Compares the odds of two versions of a noun, such as a table before and after a patch. For drops, the probability of
 * a result is that of at least one in a drop; for a finite pool, that of the next draw. For objects with too few
 * `states`, it has bounds.
 *
 * Cost: the exact odds of both.
 *
 * @throws The errors of the nouns' odds.
 */
export function compare(before: Source, after: Source, given: CompareOptions = {}): Comparison {
  const { with: options = {} } = readOptions("compare", given, ["with"]);
  const [old, now] = [before, after].map((source) => chancesOf(source, options));
  const changes: (Change & { readonly difference: Fraction })[] = [];
  let [same, unknown] = [0, 0];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(key), now.get(key)];
    const { part, result } = is ?? (was as NamedChance);
    const [first, last] = [was?.probability ?? ZERO, is?.probability ?? ZERO];
    const difference = distance(first, last);
    if (difference.numerator <= 0n && ("least" in first || "least" in last)) unknown++;
    else if (difference.numerator === 0n) same++;
    else changes.push({ part, result, before: first, after: last, difference });
  }
  // of equal differences, the one of the rarer result comes first
  changes.sort((a, b) => order(b.difference, a.difference) || order(boundsOf(a.after).least, boundsOf(b.after).least));
  return { changes: changes.map(({ difference: _, ...change }) => change), same, unknown };
}

/** Returns the least difference that two numbers can have. It is negative if bounds overlap. */
export function distance(a: Certified, b: Certified): Fraction {
  const [up, down] = [subtract(boundsOf(b).least, boundsOf(a).most), subtract(boundsOf(a).least, boundsOf(b).most)];
  return order(up, down) < 0 ? down : up;
}

interface NamedChance {
  readonly part: string | undefined;
  readonly result: string | number | null;
  readonly probability: Certified;
}

function chancesOf(source: Source, options: SourceOptions): ReadonlyMap<string, NamedChance> {
  const chances = new Map<string, NamedChance>();
  for (const [part, { odds, none, unexplored }] of partsOf(source, options)) {
    const all = [...odds, { result: null, probability: none }];
    for (const { result, probability } of all) {
      const name = nameOf(result);
      chances.set(JSON.stringify([part, name]), { part, result: name, probability: orMore(probability, unexplored) });
    }
  }
  return chances;
}

/** The odds of a noun, part by part. Drops are one part: each result has the probability of at least one in a drop. */
export function partsOf(
  source: Source,
  options: SourceOptions,
): Iterable<readonly [part: string | undefined, ExclusiveOdds]> {
  if (source instanceof ObjectMaker) return objectParts(source, options);
  if (source instanceof Recipe) {
    const parts = source.spec.steps.flatMap((step) =>
      step.kind === "slots" ? step.slots.map(({ slot }) => slot) : [step.name],
    );
    return parts.map((of) => [of, source.odds({ ...options, of })]);
  }
  if (source instanceof Drops) {
    const { odds, none } = source.odds(options);
    return [[undefined, { odds: odds.map(({ result, atLeastOne }) => ({ result, probability: atLeastOne })), none }]];
  }
  return [[undefined, oddsOf(source, options)]];
}
