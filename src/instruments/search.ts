import type { Seed } from "../address.js";
import { Guarded, type LongCall, refuseThrown, Watch } from "../calls/index.js";
import { ObjectMaker } from "../objects/objectMaker.js";
import { checkInteger, readList, readOptions, refuseArgument } from "../spec/index.js";
import { World } from "../worlds/world.js";
import { type Condition, isParts, type ValueCondition } from "./condition.js";
import { boundsOf, type Certified } from "./distribution.js";
import { chanceOf, type Source, type SourceOptions } from "./law.js";
import { type Made, makeResults, type Searched, type Test, testOf } from "./searchable.js";
import { trialsOf } from "./within.js";
import { type WorldCondition, worldMatcher } from "./worldCondition.js";

/** Options of {@link search}. */
export interface SearchOptions extends LongCall {
  /** Index of the first result that is looked at. Default 0. */
  readonly from?: number | undefined;
  /** Index after the last result that is looked at. Default: `from` + 1,000,000. */
  readonly to?: number | undefined;
  /** Stops after so many matches, 1 … 10,000,000. Default 100. */
  readonly limit?: number | undefined;
  /** The options of the noun's results. */
  readonly with?: SourceOptions | undefined;
}

/** What a search found. */
export interface SearchResult<Match = number> {
  /** The indices of the results that meet the condition, ascending. Of `searchSeeds`: the seeds, in their order. */
  readonly found: readonly Match[];
  /** The `from` of a later search that goes on where this one stopped. */
  readonly next: number;
}

/** The range of a search, or a part of it. `to` is exclusive. */
export interface Segment {
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

const OPTIONS = ["from", "to", "limit", "with", "signal", "onProgress"];
/** Number of results in a batch: they fit into the cache of a core. */
const BATCH = 2 ** 15;
const MAX_INDEX = 2 ** 42 - 1;
const MAX_MATCHES = 10_000_000;

/**
 * Finds the results that meet a condition, in bulk. A range can be split among several calls, for example one for each
 * thread: together they find the same. Reads and changes no state. A maker of objects begins without any artifact made,
 * and first makes the artifacts of the objects before `from`: see `replay` of the maker for the time that this takes.
 *
 * For an item, a condition names slots, conditions, bonuses and stats. For an object, it names `kind`, `tval`,
 * `artifact`, `theme`, `affix`, `affixLevel`, or a number such as `toHit`. The value "any" stands for every value but
 * null, for example for every artifact.
 *
 * Cost: a bulk call, and a test of each result for the rarest part of the condition.
 *
 * @example search(loot, "crown", { to: 1e6, limit: 3 }).found // the first three rolls with a crown
 * @throws RollmillError `argument.option`, `argument.range`, `argument.type`, `argument.callback`; the errors of the
 * noun's bulk call.
 */
export function search(source: Searched, condition: Condition, given: SearchOptions = {}): SearchResult {
  const options = readOptions("search", given, OPTIONS);
  const { with: how = {} } = options;
  const { from, to, limit } = rangeOf(options, MAX_INDEX, 1_000_000);
  const watch = new Watch("search", to - from, options);
  const noun = checkGuarded(source).anew();
  if (noun instanceof ObjectMaker) replayBefore(noun, from, how);
  const found: number[] = [];
  let next = from;
  let batch: Batch | undefined;
  while (next < to && found.length < limit) {
    const total = Math.min(BATCH, to - next);
    if (batch?.total === total) batch.made.again(noun, next);
    else batch = batchOf(makeResults(noun, total, next, how), total, condition);
    append(found, matchesIn(batch).subarray(0, limit - found.length), next);
    next = found.length === limit ? found[limit - 1] + 1 : next + total;
    watch.passed(next - from);
  }
  return { found, next };
}

/** Options of {@link searchSeeds}. */
export interface SeedSearchOptions extends LongCall {
  /** The seeds. Default: the integers themselves, so that `from` is the first seed. */
  readonly seeds?: readonly Seed[] | undefined;
  /** Position of the first seed that is looked at. Default 0. */
  readonly from?: number | undefined;
  /** Position after the last seed that is looked at. Default: `from` + 100,000, at most the number of `seeds`. */
  readonly to?: number | undefined;
  /** How many results of each seed are looked at, from index 0 on: 1 … 32,768. Default 1. */
  readonly first?: number | undefined;
  /** Stops after so many matches, 1 … 10,000,000. Default 100. */
  readonly limit?: number | undefined;
  /** The options of the noun's results. */
  readonly with?: SourceOptions | undefined;
}

/** A seed whose results meet a condition. */
export interface SeedMatch {
  readonly seed: Seed;
  /** Index of the first result that meets the condition. 0 for a world, and if the condition is a function. */
  readonly index: number;
}

/** Options of {@link searchSeeds} for a world, or with a function as the condition. */
export type NounSearchOptions = Omit<SeedSearchOptions, "first" | "with">;

/**
 * Finds the seeds for which at least one of the first results meets a condition. Each seed has the results of the same
 * noun, with the same forks, in a mill with this seed. Reads and changes no state. A range can be split among several
 * calls.
 *
 * A condition for a world names placements near a cell, the share of a terrain in a window, or a list of these. If the
 * condition is a function, any noun can be searched. The function gets the noun with the seed, for example a world, and
 * reads from it what it needs. A world is disposed of when the function returns.
 *
 * Cost: for each seed, some microseconds and a bulk call. For a world, the regions that the condition needs.
 *
 * @example searchSeeds(loot, "crown", { first: 3 }).found // seeds with a crown among the first three rolls
 * @example searchSeeds(world, { kind: "village", near: [0, 0], within: 20 }, { limit: 1 })
 * @example searchSeeds(world, (world) => world.at(0, 0).terrain?.name === "sea", { limit: 1 })
 * @throws RollmillError `argument.callback` if the function fails; the errors of {@link search}.
 */
export function searchSeeds<Noun extends Guarded<unknown>>(
  source: Noun,
  condition: (noun: Noun, seed: Seed) => boolean,
  given?: NounSearchOptions,
): SearchResult<SeedMatch>;
export function searchSeeds(
  source: World,
  condition: WorldCondition,
  given?: NounSearchOptions,
): SearchResult<SeedMatch>;
export function searchSeeds(source: Searched, condition: Condition, given?: SeedSearchOptions): SearchResult<SeedMatch>;
export function searchSeeds(
  source: Guarded<unknown>,
  condition: Condition | WorldCondition | SeedTest,
  given: SeedSearchOptions = {},
): SearchResult<SeedMatch> {
  const options = readOptions("searchSeeds", given, [...OPTIONS, "seeds", "first"]);
  const { first = 1, with: how = {} } = options;
  const seeds = options.seeds && readList("seeds", options.seeds, { of: "seeds", most: MAX_MATCHES });
  const { from, to, limit } = rangeOf(options, seeds?.length ?? Number.MAX_SAFE_INTEGER, 100_000);
  checkInteger("first", first, 1, BATCH);
  checkGuarded(source);
  const watch = new Watch("searchSeeds", to - from, options);
  const indexFor = indexFinder(source, condition, first, how);
  const found: SeedMatch[] = [];
  let next = from;
  while (next < to && found.length < limit) {
    const seed = seeds === undefined ? next : checkSeed(seeds[next]);
    const index = indexFor(source.anew(seed), seed);
    if (index !== undefined) found.push({ seed, index });
    next++;
    watch.passed(next - from);
  }
  return { found, next };
}

type SeedTest = (noun: never, seed: Seed) => boolean;

/** Returns a function that returns the index of a noun's first match. Its casts are safe because of the overloads. */
function indexFinder(
  source: Guarded<unknown>,
  condition: Condition | WorldCondition | SeedTest,
  first: number,
  how: SourceOptions,
): (noun: Guarded<unknown>, seed: Seed) => number | undefined {
  if (typeof condition === "function") return (noun, seed) => (isMetBy(condition, noun, seed) ? 0 : undefined);
  if (!(source instanceof World)) {
    return firstMatch(condition as Condition, first, how) as (noun: Guarded<unknown>) => number | undefined;
  }
  const meets = worldMatcher(source, condition as WorldCondition);
  return (noun) => {
    using world = noun as World;
    return meets(world) ? 0 : undefined;
  };
}

/**
 * Returns the expected number of results up to the first match: 1 / the probability of a match. Undefined if no result
 * can meet the condition.
 *
 * @throws The errors of `chance`; RollmillError `odds.work` if it has no upper bound, because only bounds of the
 * probability are known, and it may be 0.
 */
export function expectedTries(
  source: Source,
  condition: Condition,
  options: SourceOptions = {},
): Certified | undefined {
  const p = chanceOf(source as never, condition, options);
  return boundsOf(p).most.numerator === 0n ? undefined : trialsOf(p).wait(1).mean;
}

function rangeOf({ from = 0, to, limit = 100 }: SearchOptions, most: number, usual: number): Segment {
  checkInteger("from", from, 0, most);
  const end = to ?? Math.min(most, from + usual);
  checkInteger("to", end, from, most);
  checkInteger("limit", limit, 1, MAX_MATCHES);
  return { from, to: end, limit };
}

function replayBefore(maker: ObjectMaker, from: number, { maxWork: _, states: __, level = 0, ...rest }: SourceOptions) {
  maker.replay(from, { ...rest, level });
}

interface Batch {
  readonly made: Made;
  readonly total: number;
  /** The test that the fewest results pass comes first. */
  readonly tests: readonly Test[];
  readonly room: Uint32Array;
}

function batchOf(made: Made, total: number, condition: Condition): Batch {
  const parts = Object.entries<ValueCondition>(isParts(condition) ? condition : { result: condition });
  if (parts.length === 0) refuseArgument("condition", condition, "a result, or at least one part");
  const room = new Uint32Array(total);
  const tests = parts.map(([part, value]) => testOf(made.columns, part, value));
  if (tests.length > 1) {
    const passed = new Map(tests.map((test) => [test, test.all(room)]));
    tests.sort((a, b) => (passed.get(a) ?? 0) - (passed.get(b) ?? 0));
  }
  return { made, total, tests, room };
}

function matchesIn({ tests: [first, ...others], room }: Batch): Uint32Array {
  const passed = room.subarray(0, first.all(room));
  return others.length === 0 ? passed : passed.filter((k) => others.every((test) => test.passes(k)));
}

function append(found: number[], matches: Uint32Array, from: number): void {
  for (let i = 0; i < matches.length; i++) found.push(from + matches[i]);
}

/** Returns a function that returns the index of the first match among the first results. */
function firstMatch(condition: Condition, first: number, how: SourceOptions) {
  let batch: Batch | undefined;
  return (noun: Searched): number | undefined => {
    if (batch === undefined) batch = batchOf(makeResults(noun, first, 0, how), first, condition);
    else batch.made.again(noun, 0);
    return matchesIn(batch)[0];
  };
}

function isMetBy(condition: SeedTest, noun: Guarded<unknown>, seed: Seed): boolean {
  try {
    // the cast is safe: the overload for functions gives it the noun that was searched
    return condition(noun as never, seed);
  } catch (cause) {
    return refuseThrown({ what: "the condition" }, cause);
  } finally {
    if ("dispose" in noun && typeof noun.dispose === "function") noun.dispose();
  }
}

function checkSeed(seed: unknown): Seed {
  const isSeed = typeof seed === "string" || typeof seed === "bigint" || Number.isFinite(seed);
  return isSeed ? (seed as Seed) : refuseArgument("seeds", seed, "a list of texts, numbers or bigints");
}

function checkGuarded<Noun extends Guarded<unknown>>(source: Noun): Noun {
  return source instanceof Guarded ? source : refuseArgument("source", source, "a noun of a mill");
}
