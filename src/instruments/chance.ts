import { error, fail, show } from "../errors/index.js";
import { ONE, ZERO } from "../fractions.js";
import { ObjectMaker } from "../objects/objectMaker.js";
import { Pool } from "../pools/pool.js";
import { Recipe } from "../recipes/recipe.js";
import { checkInteger, isObject, readOptions, refuseArgument } from "../spec/index.js";
import { type Condition, isParts, type PartsCondition, type Wanted } from "./condition.js";
import { parseCondition } from "./conditionText.js";
import { boundsOf, type Certified, type Distribution, opposite } from "./distribution.js";
import { chanceOf, collectOf, isIndependent, lawOf, type Source, type SourceOptions, workOf } from "./law.js";
import { UnionCollect } from "./unionCollect.js";
import { collectWithin } from "./within.js";

const MAX_ATTEMPTS = 2 ** 42;
/** Maximum number of results of a set. */
const MAX_SET = 1000;
/** Maximum number of results of a set for which {@link collect} computes all subsets. */
const MAX_UNION = 12;
/** Maximum number of exact fractions for a set of records of a pool. */
const MAX_FRACTIONS = 4096;

/** Options of {@link chance}. With neither `atLeast`, `atMost` nor `exactly`: at least once. */
export interface ChanceOptions {
  /** Number of attempts, 1 … 2^42. */
  readonly in: number;
  /** An integer ≥ 0. */
  readonly atLeast?: number | undefined;
  /** An integer ≥ 0. */
  readonly atMost?: number | undefined;
  /** An integer ≥ 0. Excludes `atLeast` and `atMost`. */
  readonly exactly?: number | undefined;
  /**
   * The options of the noun's odds. `signal`, `onProgress` and `maxWork` also apply to the computation of the returned
   * numbers. The limit `maxWork` holds for each number separately.
   */
  readonly with?: SourceOptions | undefined;
}

/**
 * Returns the probability that n attempts meet a condition at least, at most or exactly k times.
 *
 * The scripts of a table have the weights that they return now. Refuses a table with one-shots or `chosen`, whose odds
 * change from roll to roll, unless `with` has the mode "frozen". If the odds of an object are known only within bounds,
 * because it has more states than `states`, so is the result.
 *
 * Cost: for a large finite pool, O(records) products of complex numbers for each of about 1000 points, some seconds for
 * 1000 records.
 *
 * @example chance(loot, "crown", { in: 100 }) // at least one crown in 100 rolls
 * @throws RollmillError `argument.option`, `argument.range`, `argument.type`, `odds.work`; `table.live-from` for live
 * rolls that depend on earlier ones; `table.endless` if a roll may never end; the errors of the noun's odds.
 */
export function chance(source: Source, condition: Condition, given: ChanceOptions): Certified {
  const options = readOptions("chance", given, ["in", "atLeast", "atMost", "exactly", "with"]);
  const { in: attempts, exactly } = options;
  checkInteger("in", attempts, 1, MAX_ATTEMPTS);
  const law = lawOf(source, condition, options.with ?? {});
  const count = law?.count(attempts);
  if (exactly !== undefined) {
    for (const key of ["atLeast", "atMost"] as const) {
      if (options[key] === undefined) continue;
      const problem = `"exactly" and ${show(key)} exclude each other`;
      fail(error("argument.option", { problem, remedy: `Leave out ${show(key)}` }));
    }
    return count?.at(exactly) ?? (exactly === 0 ? ONE : ZERO);
  }
  const { atMost, atLeast = atMost === undefined ? 1 : 0 } = options;
  if (count === undefined) return atLeast > 0 ? ZERO : ONE;
  if (atMost === undefined) return count.from(atLeast);
  if (atLeast === 0) return count.upTo(atMost);
  checkInteger("atMost", atMost, atLeast, Number.MAX_SAFE_INTEGER);
  return opposite([count.upTo(atLeast - 1), count.from(atMost + 1)]);
}

/** Options of {@link wait}. */
export interface WaitOptions {
  /** How often the condition is to be met, 1 … 2^32. Default 1. */
  readonly times?: number | undefined;
  /**
   * The options of the noun's odds. `signal`, `onProgress` and `maxWork` also apply to the computation of the returned
   * numbers. The limit `maxWork` holds for each number separately.
   */
  readonly with?: SourceOptions | undefined;
}

/**
 * Returns the distribution of the number of attempts until a condition was met. `quantile("9/10")` of it is the number
 * of attempts that are enough for nine players in ten. If the odds of an object are known only within bounds, so are
 * the numbers of the distribution.
 *
 * @throws RollmillError `odds.never` if no attempt can meet the condition; the errors of {@link chance}.
 */
export function wait(source: Source, condition: Condition, given: WaitOptions = {}): Distribution {
  const { times = 1, with: options = {} } = readOptions("wait", given, ["times", "with"]);
  checkInteger("times", times, 1, 2 ** 32);
  return (lawOf(source, condition, options) ?? refuseNever(condition)).wait(times);
}

/** Options of {@link collect}. */
export interface CollectOptions {
  /** How often each result is wanted, 1 … 100. Default 1. */
  readonly copies?: number | undefined;
  /**
   * The options of the noun's odds. `signal`, `onProgress` and `maxWork` also apply to the computation of the returned
   * numbers. The limit `maxWork` holds for each number separately.
   */
  readonly with?: SourceOptions | undefined;
}

/**
 * Returns the distribution of the number of attempts until each of some results has come.
 *
 * Cost: for results that exclude each other, O(results) powers of e for each of about 100 points. For finite pools,
 * O(records) products of complex numbers for each of about 1000 points; exact fractions only for few results of a small
 * stock. For drops, which can have several of the results: O(2^results).
 *
 * @param wanted - 1 … 1000 different results. For drops: at most 12, and `copies` must be 1. For recipes and objects:
 * results of one part that exclude each other, such as `{ kind: "Dagger" }` and `{ kind: "Bow" }`.
 * @throws The errors of {@link wait}; RollmillError `argument.range` for too many results.
 */
export function collect(
  source: Source,
  wanted: readonly (Wanted | PartsCondition)[],
  given: CollectOptions = {},
): Distribution {
  const { copies = 1, with: options = {} } = readOptions("collect", given, ["copies", "with"]);
  if (!Array.isArray(wanted)) refuseArgument("wanted", wanted, "a list of results");
  const results = [...new Set(Array.from({ length: Math.min(wanted.length, MAX_SET + 1) }, (_, i) => wanted[i]))];
  checkInteger("the number of results", results.length, 1, MAX_SET);
  checkInteger("copies", copies, 1, 100);
  if (isIndependent(source)) {
    checkExclusive(source, results);
    const chances = results.map((result) => {
      const p = chanceOf(source, result, options);
      return boundsOf(p).most.numerator === 0n ? refuseNever(result) : p;
    });
    return collectWithin(chances, copies, workOf(source.name, options));
  }
  const named = results.filter((result) => !isParts(result));
  if (named.length < results.length) refuseArgument("wanted", wanted, "names of results");
  const union = () => unionOf(named, (any) => (lawOf(source, { any }, options) ?? refuseNever(any)).wait(1));
  if (source instanceof Pool) {
    const fractions = 2 ** named.length * source.records.reduce((sum, { quantity = 0 }) => sum + quantity, 0);
    const exact = copies === 1 && fractions <= MAX_FRACTIONS ? union() : undefined;
    return exact?.isExact ? exact : (collectOf(source, named, copies, options) ?? refuseNever(named));
  }
  checkInteger("the number of results of drops", results.length, 1, MAX_UNION);
  checkInteger("copies of results of drops", copies, 1, 1);
  return union();
}

function unionOf(results: readonly Wanted[], waitFor: (any: readonly Wanted[]) => Distribution): UnionCollect {
  const parts = Array.from({ length: 2 ** results.length - 1 }, (_, i) => results.filter((_, k) => ((i + 1) >> k) & 1));
  const waits = parts.map((part) => ({ isOdd: part.length % 2 === 1, wait: waitFor(part) }));
  return new UnionCollect(
    waits,
    results.map((result) => waitFor([result])),
  );
}

/** Refuses results of recipes and objects that one attempt could have together. Their odds would differ. */
function checkExclusive(source: Source, results: readonly (Wanted | PartsCondition)[]): void {
  if (!(source instanceof Recipe || source instanceof ObjectMaker) || results.length === 1) return;
  const entries = results.flatMap((result) => (isParts(result) ? Object.entries(result) : []));
  const values = new Set(entries.map(([, value]) => value));
  const isExclusive =
    new Set(entries.map(([part]) => part)).size === 1 &&
    values.size === results.length &&
    !values.has("any") &&
    [...values].every((value) => value === null || typeof value !== "object") &&
    !(source instanceof ObjectMaker && entries[0][0] === "affix");
  if (isExclusive) return;
  refuseArgument("wanted", results, "different results of one part, of which an attempt has only one");
}

/** The probabilities that another player finds fewer, as many, or more. If they are exact, they add up to 1. */
export interface Luck {
  readonly fewer: Certified;
  readonly equal: Certified;
  readonly more: Certified;
}

/**
 * For each result that a player has found in n attempts, returns the probabilities that another player finds fewer, as
 * many, or more.
 *
 * @example luck(loot, { crown: 2 }, { in: 500 })
 * @param found - How often each result was found. For recipes and objects: "part=result", as in "prefix=burnished".
 * @throws The errors of {@link chance}.
 */
export function luck<Name extends string>(
  source: Source,
  found: { readonly [name in Name]: number },
  given: Pick<ChanceOptions, "in" | "with">,
): { readonly [name in Name]: Luck } {
  const { in: attempts, with: options = {} } = readOptions("luck", given, ["in", "with"]);
  checkInteger("in", attempts, 1, MAX_ATTEMPTS);
  if (!isObject(found)) refuseArgument("found", found, "an object such as { crown: 2 }");
  const entries = Object.entries<number>(found).map(([name, times]) => {
    checkInteger(name, times, 0, Number.MAX_SAFE_INTEGER);
    const count = lawOf(source, parseCondition(source, [name]), options)?.count(attempts);
    if (count === undefined) return [name, times === 0 ? ALL_EQUAL : ALL_FEWER] as const;
    const fewer = times === 0 ? ZERO : count.upTo(times - 1);
    return [name, { fewer, equal: count.at(times), more: count.from(times + 1) }] as const;
  });
  // the cast is safe: the entries have the names of `found`
  return Object.fromEntries(entries) as { [name in Name]: Luck };
}

function refuseNever(got: unknown): never {
  const remedy = "`check` says which weights are 0, and which rows no roll reaches";
  return fail(error("odds.never", { problem: "no attempt can have this result", got, remedy }));
}

/** The luck of a player with a result that nobody can find: without a find, and with one. */
const ALL_EQUAL: Luck = { fewer: ZERO, equal: ONE, more: ZERO };
const ALL_FEWER: Luck = { fewer: ONE, equal: ZERO, more: ZERO };
