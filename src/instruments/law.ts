import { type OddsCall, Work } from "../calls/index.js";
import { weightFraction } from "../decimals.js";
import { Dice } from "../dice/dice.js";
import { error, fail } from "../errors/index.js";
import { type Fraction, overCommonDenominator, ZERO } from "../fractions.js";
import { MOST_AFFIXES } from "../objects/law/slots.js";
import { ObjectMaker } from "../objects/objectMaker.js";
import type { WholeOddsQuery } from "../objects/odds.js";
import { Pool } from "../pools/pool.js";
import { Recipe } from "../recipes/recipe.js";
import type { ItemOptions } from "../recipes/types.js";
import { Sampler } from "../samples/sampler.js";
import { refuseArgument } from "../spec/index.js";
import { Drops } from "../tables/drops/drops.js";
import { refuseEndless, refuseMemory } from "../tables/independent.js";
import { Table } from "../tables/table.js";
import type { TableOptions } from "../tables/types.js";
import { LabelledList } from "../weighted/labelledList.js";
import { WeightedList } from "../weighted/weightedList.js";
import {
  type Condition,
  type ExclusiveOdds,
  isParts,
  MAX_ANY,
  matcherOf,
  nameOf,
  orMore,
  type PartsCondition,
  probabilityOf,
  type ValueCondition,
  type Wanted,
} from "./condition.js";
import { boundsOf, type Certified, type Distribution, type Law, type NewWork, opposite } from "./distribution.js";
import { Draws, setDraws } from "./draws.js";
import { Sums } from "./sums.js";
import { trialsOf } from "./within.js";

export function workOf(name: string, { maxWork, signal, onProgress }: OddsCall): NewWork {
  return () => new Work(name, 100, { maxWork, signal, onProgress });
}

/** A noun whose odds are known. */
export type Source =
  | WeightedList
  | LabelledList<string | null, unknown>
  | Dice
  | Sampler<unknown>
  | Table<string, unknown>
  | DropSource
  | Pool
  | Recipe
  | ObjectMaker;

/** The options of a noun's odds, such as the level of an object or the start row of a table. */
export type SourceOptions = TableOptions & ItemOptions & Partial<Omit<WholeOddsQuery, "of">> & OddsCall;

/**
 * Returns the law of a condition. Undefined if no attempt can meet it.
 *
 * For drops, the law counts the quantity in all rolls of a drop; for other nouns, the attempts that meet the condition.
 * A table has the weights that its scripts return now, and a finite pool its present stock.
 *
 * @throws RollmillError `table.live-from` for live rolls that depend on earlier ones; `table.endless` if a roll may
 * never end under these weights; the errors of the noun's odds.
 */
export function lawOf(source: Source, condition: Condition, options: SourceOptions): Law | undefined {
  if (!isIndependent(source)) {
    return source instanceof Drops ? sumsOf(source, condition, options) : drawsOf(source, condition, options);
  }
  const p = chanceOf(source, condition, options);
  return boundsOf(p).most.numerator === 0n ? undefined : trialsOf(p, workOf(source.name, options));
}

type DropSource = Drops<string, unknown>;
type Independent = Exclude<Source, DropSource>;

/** Whether each attempt has at most one result, and the same odds as all other attempts. */
export function isIndependent(source: Source): source is Independent {
  return !(source instanceof Drops || (source instanceof Pool && source.kind === "finite"));
}

/**
 * The probability that one attempt meets the condition. Bounds if the odds of an object are known only within bounds.
 */
export function chanceOf(
  source: Exclude<Source, Drops<string, unknown>>,
  condition: Condition,
  options: SourceOptions,
): Certified {
  if (!isParts(condition)) {
    return probabilityOf(condition, source instanceof Table ? rollOdds(source, options) : oddsOf(source, options));
  }
  if (source instanceof Recipe) return itemChance(source, condition, options);
  if (source instanceof ObjectMaker) return objectChance(source, condition, options);
  return refuseArgument("condition", condition, "the name of a result");
}

/** Returns the odds of a roll. Refuses a table whose rolls are not independent attempts with the same odds. */
function rollOdds(table: Table<string, unknown>, options: SourceOptions): ExclusiveOdds {
  if (table.hasMemory(options)) refuseMemory('Give `with: { mode: "frozen" }`, for rolls with the weights of now');
  const odds = table.odds(options);
  refuseEndless(odds.endless);
  return odds;
}

export function oddsOf(source: Independent, options: SourceOptions): ExclusiveOdds {
  if (source instanceof Recipe || source instanceof ObjectMaker) {
    const expected = 'a part and its result, such as { prefix: "burnished" }';
    fail(error("argument.type", { problem: "the condition names no part", expected }));
  }
  if (source instanceof Table) return source.odds(options);
  return NOUNS.some((noun) => source instanceof noun)
    ? source.odds()
    : refuseArgument("source", source, "a noun with odds");
}

const NOUNS = [WeightedList, LabelledList, Dice, Sampler, Pool] as const;

/** Parts of one step can depend on each other, so a condition on several parts needs `probability` of the recipe. */
function itemChance(recipe: Recipe, parts: PartsCondition, options: SourceOptions): Fraction {
  const entries = Object.entries(parts);
  if (entries.length === 1) {
    const [of, value] = entries[0];
    return probabilityOf(value, recipe.odds({ ...options, of }));
  }
  const slots = new Set(
    recipe.spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ slot }) => slot) : [])),
  );
  const [words, outcomes] = [true, false].map((isSlot) =>
    Object.fromEntries(
      entries
        .filter(([part]) => slots.has(part) === isSlot)
        .map(([part, value]) => {
          if (typeof value === "string" || value === null) return [part, value];
          return refuseArgument(part, value, "one word: a condition on several parts names one result of each");
        }),
    ),
  );
  const { maxWork: _, ...rest } = options;
  return recipe.probability({ words, outcomes }, rest);
}

function objectChance(maker: ObjectMaker, parts: PartsCondition, options: SourceOptions): Certified {
  const [[part, value], ...others] = Object.entries(parts);
  const laws = objectParts(maker, options);
  const law = laws.get(part);
  if (law === undefined || others.length > 0) {
    return refuseArgument("condition", parts, `one part of an object: ${[...laws.keys()].join(", ")}`);
  }
  if (value === "any") return opposite([orMore(law.none, law.unexplored)]);
  if (part === "affix" && typeof value === "object" && value !== null) {
    return refuseArgument("affix", value, "one affix: an object can have several");
  }
  return orMore(probabilityOf(value, law), law.unexplored);
}

/**
 * The odds of each part of an object. It can have several affixes: the odds of an affix are those of having it. With
 * too few `states`, they are lower bounds.
 */
export function objectParts(maker: ObjectMaker, options: SourceOptions): ReadonlyMap<string, ExclusiveOdds> {
  const { maxWork: _, level = 0, ...rest } = options;
  const { unexplored, kinds, affixes, themes, artifacts, affixCounts } = maker.odds({ ...rest, level, of: "object" });
  const either = affixes.odds.map(({ result, either: probability }) => ({ result, probability }));
  const { files } = maker;
  const counts = [...Array(MOST_AFFIXES + 1).keys()];
  const parts = {
    kind: withAbsent(kinds, files.kinds),
    affix: withAbsent({ odds: either, none: affixes.none }, files.affixes),
    theme: withAbsent(themes, files.themes),
    artifact: withAbsent(artifacts, files.artifacts),
    affixes: withAbsent(affixCounts, counts),
  };
  return new Map(Object.entries(parts).map(([part, odds]) => [part, { ...odds, unexplored }]));
}

/** Adds the results that no object has, or none that was followed to its end. */
function withAbsent({ odds, none }: ExclusiveOdds, all: readonly unknown[]): ExclusiveOdds {
  const names = new Set(odds.map(({ result }) => nameOf(result)));
  const absent = all.filter((result) => !names.has(nameOf(result)));
  return { odds: [...odds, ...absent.map((result) => ({ result, probability: ZERO }))], none };
}

function sumsOf(drops: DropSource, condition: Condition, options: SourceOptions): Law | undefined {
  const names = namesIn(condition) ?? refuseArgument("condition", condition, "a result, or { any: [...] }");
  const { odds, none } = drops.quantityOdds(names, options);
  const isNever = odds.every(({ result, probability }) => result === 0 || probability.numerator === 0n);
  return isNever ? undefined : new Sums({ odds, none });
}

function namesIn(condition: Condition): readonly string[] | undefined {
  if (typeof condition === "string") return [condition];
  if (condition === null || typeof condition !== "object" || !("any" in condition)) return undefined;
  const any: unknown = condition.any;
  return Array.isArray(any) && any.length <= MAX_ANY && any.every((name) => typeof name === "string") ? any : undefined;
}

function drawsOf(pool: Pool, condition: Condition, options: SourceOptions): Law | undefined {
  if (isParts(condition)) return refuseArgument("condition", condition, "the id of a record");
  const meets = idMatcher(pool, condition);
  const stock = stockOf(pool).map(({ id, ...rest }) => ({ ...rest, isWanted: meets(id) }));
  return stock.some(({ isWanted, initial }) => isWanted && initial > 0)
    ? new Draws(stock, workOf(pool.name, options))
    : undefined;
}

/** Returns the number of draws until each id was drawn `copies` times. Undefined for an id that no draw can have. */
export function collectOf(
  pool: Pool,
  ids: readonly Wanted[],
  copies: number,
  options: SourceOptions,
): Distribution | undefined {
  const meets = idMatcher(pool, { any: ids });
  const stock = stockOf(pool).map(({ id, ...rest }) => ({ ...rest, needed: meets(id) ? copies : 0 }));
  const drawable = stock.filter(({ needed, initial }) => needed > 0 && initial > 0);
  return drawable.length < ids.length ? undefined : setDraws(stock, workOf(pool.name, options));
}

function idMatcher(pool: Pool, condition: ValueCondition): (id: unknown) => boolean {
  return matcherOf(
    condition,
    pool.records.map(({ id }) => ({ result: id })),
  );
}

/** The records that a draw can have, now or after a refresh. */
function stockOf(pool: Pool) {
  const drawable = pool.records.filter(({ mass }) => (weightFraction(mass) ?? ZERO).numerator > 0n);
  const { integers } = overCommonDenominator(drawable.map(({ mass }) => weightFraction(mass) ?? ZERO));
  return drawable.map(({ id, quantity = 0 }, i) => ({
    id,
    mass: integers[i],
    left: quantity,
    initial: quantity + pool.quantity(id, "out") + pool.quantity(id, "discards"),
  }));
}
