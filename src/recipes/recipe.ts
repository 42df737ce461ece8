import {
  Addressed,
  allocateResults,
  BULK_OPTIONS,
  type Counts,
  checkRange,
  forEachBatch,
  isWatched,
  type LongCall,
  ODDS_CALL,
  type Odds,
  type OddsCall,
  placeOf,
  type Range,
  type Setup,
  Watch,
  Work,
} from "../calls/index.js";
import type { Fraction } from "../fractions.js";
import { BLOCK_WORDS } from "../kernel/index.js";
import { readOptions, refuseArgument } from "../spec/index.js";
import type { RecipePlan } from "./compile.js";
import { bytesPerItem, checkRoom, Items } from "./items.js";
import { KernelRecipe } from "./kernel.js";
import {
  CONDITION_OUTCOMES,
  itemOdds,
  type NamedOutcome,
  probability,
  type RecipeChances,
  recipeChances,
  subjectOf,
} from "./odds.js";
import { type Resolved, readItemOptions, resolve } from "./resolve.js";
import {
  ITEM_OPTIONS,
  type ItemCountOptions,
  type ItemOddsOptions,
  type ItemOptions,
  type ItemResult,
  type ItemRow,
  type MakeManyOptions,
  type MakeOptions,
  type RecipeSpec,
  type StepSpec,
} from "./types.js";

const MAKE = ["at", ...ITEM_OPTIONS];
const MAKE_MANY = [...BULK_OPTIONS, ...ITEM_OPTIONS];
const COUNT = ["of", ...MAKE_MANY];
const PROBABILITY = ["signal", "onProgress", ...ITEM_OPTIONS];
const ODDS = ["of", ...ODDS_CALL, ...ITEM_OPTIONS];

interface SharedParts<Stat extends string, Slot extends string> {
  readonly loops: KernelRecipe;
  readonly seed: string;
  readonly one: Items<Stat, Slot>;
  last?: { readonly key: string; readonly resolved: Resolved };
}

/**
 * Makes items from a recipe. Item k depends only on the seed, the name, k and the options. A request changes only the
 * requested slot and the parts that depend on it.
 *
 * Cost: O(rows · stats) to open. A call whose options differ from those of the previous call costs O(rows) more.
 */
export class Recipe<Stat extends string = string, Slot extends string = string> extends Addressed<RecipePlan> {
  readonly #shared: SharedParts<Stat, Slot>;
  /** One block of items, made in advance for consecutive calls. */
  #ahead: { readonly items: Items<Stat, Slot>; readonly resolved: Resolved } | undefined;

  /** @internal */
  constructor(setup: Setup<RecipePlan>, seed: string, shared?: SharedParts<Stat, Slot>) {
    super(setup);
    this.#shared = shared ?? {
      loops: new KernelRecipe(setup),
      seed,
      one: new Items(setup.plan, { length: 1, from: 0, seed }),
    };
  }

  /** @internal */
  protected override copy(setup: Setup<RecipePlan>): Recipe<Stat, Slot> {
    return new Recipe(setup, this.#shared.seed, this.#shared);
  }

  /** The parsed recipe. */
  get spec(): RecipeSpec {
    return this.plan.spec;
  }

  /**
   * Makes one item. Consecutive calls with the same options read a block of 1,024 items that is made in advance.
   *
   * @throws RollmillError `argument.range`, `argument.type`, `argument.option`; `recipe.request` for a request that
   * cannot be met; `recipe.candidates` for a tier without words; `argument.busy`, `argument.disposed`.
   */
  make(given?: MakeOptions): ItemRow<Stat, Slot> {
    const ahead = this.#ahead;
    if (given === undefined && ahead?.resolved === this.plan.usual && this.isFree) {
      const { state } = this;
      const k = state.next - ahead.items.from;
      if (k >= 0 && k < ahead.items.length) {
        state.next++;
        return ahead.items.at(k);
      }
    }
    return this.#makeAlone(given);
  }

  #makeAlone(given: MakeOptions | undefined): ItemRow<Stat, Slot> {
    this.checkTurn();
    const options = given === undefined ? undefined : readOptions("recipe.make", given, MAKE);
    const at = options?.at;
    const index = at ?? this.state.next;
    checkRange(index, 1);
    const item = this.#one(this.#resolve(options), index, at !== undefined);
    if (at === undefined) this.state.next++;
    return item;
  }

  #one(resolved: Resolved, index: number, isAlone: boolean): ItemRow<Stat, Slot> {
    const { block, offset } = placeOf(index);
    const from = block * BLOCK_WORDS;
    const ahead = this.#ahead;
    if (ahead?.resolved === resolved && ahead.items.from === from) return ahead.items.at(offset);
    if (isAlone || !this.isInRow()) return this.#fillOnce(this.#shared.one, resolved, index).at(0);
    this.#ahead = undefined;
    const items = this.#fillOnce(ahead?.items ?? this.#itemsFor(BLOCK_WORDS, from), resolved, from);
    this.#ahead = { items, resolved };
    return items.at(offset);
  }

  /**
   * Makes `n` items as columns.
   *
   * @param n - 0 … 2^42 − 1, and at most 4 GiB of items (see {@link Items}).
   * @throws The errors of {@link make}; RollmillError `argument.callback`, `kernel.memory`.
   */
  makeMany(n: number, given: MakeManyOptions = {}): Items<Stat, Slot> {
    return this.bulk({ name: "recipe.makeMany", known: MAKE_MANY }, given, n, (range, options) =>
      this.#makeMany(range, options, this.#resolve(options)),
    );
  }

  /**
   * Replaces all items in `items`, which this recipe made earlier, by new items. Returns `items`. If the call fails,
   * `items` stays unchanged, except after `kernel.trap`, a bug of the kernel.
   *
   * @throws The errors of {@link makeMany}; RollmillError `argument.type` for items of another recipe.
   */
  makeInto(items: Items<Stat, Slot>, given: MakeManyOptions = {}): Items<Stat, Slot> {
    this.checkTurn();
    const length = checkRoom(items, this.plan, this.name);
    return this.bulk({ name: "recipe.makeInto", known: MAKE_MANY }, given, length, (range, options) => {
      const resolved = this.#resolve(options);
      if (!isWatched(options)) return this.#fill(items, resolved, range, options);
      return items.take(this.#makeMany(range, options, resolved));
    });
  }

  /**
   * Makes `n` items and counts the results of one part: the words of a slot, "doubled", "up" and "down" of a condition,
   * the rungs of a bonus, or the values of the strength that occur. `none` counts empty slots and no bonus.
   *
   * @throws The errors of {@link makeMany}; RollmillError `recipe.request` if the recipe has no part with that name.
   */
  count<Of extends string>(n: number, given: ItemCountOptions<Of>): Counts<ItemResult<Of>> {
    return this.bulk({ name: "recipe.count", known: COUNT }, given, n, (range, options) => {
      return this.#counts(range, options, [options.of])[0] as Counts<ItemResult<Of>>;
    });
  }

  /** @internal Like {@link count} for several parts, but makes the items only once. */
  countParts(n: number, parts: readonly string[], given: MakeManyOptions): (Counts<string> | Counts<number>)[] {
    return this.bulk({ name: "recipe.count", known: MAKE_MANY }, given, n, (range, options) =>
      this.#counts(range, options, parts),
    );
  }

  /**
   * Returns the exact odds of the words of a slot, of the outcomes of a condition or bonus, or of the values of the
   * strength, the lowest first.
   *
   * Cost: O(rows). For the strength, a convolution of all steps, limited by `maxWork`. Progress counts steps.
   *
   * @throws The errors of {@link make}; RollmillError `recipe.request` if the recipe has no part with that name,
   * `recipe.overflow` for a strength with more than 65,536 values, `odds.work`.
   */
  odds<Of extends string>(given: ItemOddsOptions<Of> & OddsCall): Odds<ItemResult<Of>> {
    return this.alone(() => {
      const options = readOptions("recipe.odds", given, ODDS);
      const work = new Work(this.name, this.spec.steps.length, options);
      const odds = itemOdds(this.#resolve(options), options.of, work) as Odds<ItemResult<Of>>;
      work.end();
      return odds;
    });
  }

  /** Computes the exact chances of the recipe's rolls. Throws the errors of {@link make}. */
  chances(options: ItemOptions = {}): RecipeChances {
    return recipeChances(this.#resolve(readOptions("recipe.chances", options, ITEM_OPTIONS)));
  }

  /**
   * Computes the exact probability that one item has several given results, such as
   * `{ words: { type: "sword", prefix: null }, outcomes: { bonus: "+1" } }`. Progress counts steps.
   *
   * @throws The errors of {@link make}; RollmillError `recipe.request` for an unknown name, `argument.callback`.
   */
  probability(named: NamedOutcome, given: ItemOptions & LongCall = {}): Fraction {
    const options = readOptions("recipe.probability", given, PROBABILITY);
    const watch = new Watch(this.name, this.spec.steps.length, options);
    const chance = probability(this.#resolve(options), readNamed(named), watch);
    watch.passed(this.spec.steps.length);
    return chance;
  }

  /** Returns the same object again if the options equal those of the last call. */
  #resolve(given: ItemOptions | undefined): Resolved {
    if (given === undefined || ITEM_OPTIONS.every((name) => given[name] === undefined)) return this.plan.usual;
    const { tier, tierVariance, power, request, onUnknownRequest } = given;
    const options = { tier, tierVariance, power, request, onUnknownRequest };
    // JSON writes NaN and the infinities as null, so invalid options could have the key of valid options
    readItemOptions(options);
    const key = JSON.stringify(options);
    const shared = this.#shared;
    if (shared.last?.key !== key) shared.last = { key, resolved: resolve(this.plan, options) };
    return shared.last.resolved;
  }

  #itemsFor(length: number, from: number): Items<Stat, Slot> {
    return new Items<Stat, Slot>(this.plan, { length, from, seed: this.#shared.seed });
  }

  #makeMany(range: Range, options: LongCall, resolved: Resolved): Items<Stat, Slot> {
    const items = allocateResults(range.total, bytesPerItem(this.plan), (n) => this.#itemsFor(n, range.from));
    return this.#fill(items, resolved, range, options);
  }

  #fillOnce(items: Items<Stat, Slot>, resolved: Resolved, from: number): Items<Stat, Slot> {
    return this.#fill(items, resolved, { name: this.name, from, total: items.length }, {});
  }

  #counts(range: Range, options: MakeManyOptions, parts: readonly unknown[]): (Counts<string> | Counts<number>)[] {
    const { loops } = this.#shared;
    const counters = parts.map((part) => itemCounter(this.plan, loops, part));
    const resolved = this.#resolve(options);
    forEachBatch(range, options, (batch) => {
      loops.make(this.stream.key, resolved, batch, (_, count) => {
        for (const counter of counters) counter.add(count);
      });
    });
    return counters.map((counter) => counter.counts(range.total));
  }

  #fill(items: Items<Stat, Slot>, resolved: Resolved, range: Range, options: LongCall): Items<Stat, Slot> {
    const { loops } = this.#shared;
    forEachBatch(range, options, (batch) => {
      loops.make(this.stream.key, resolved, batch, (done, count) => loops.copy(items, { done, count }));
    });
    items.from = range.from;
    items.requests = resolved.requests;
    return items;
  }
}

function readNamed(named: NamedOutcome): NamedOutcome {
  const { words = {}, outcomes = {} } = readOptions("recipe.probability", named, ["words", "outcomes"]);
  return { words: entriesOf("words", words), outcomes: entriesOf("outcomes", outcomes) };
}

function entriesOf<T extends object>(name: string, entries: T): T {
  if (Object.prototype.toString.call(entries) === "[object Object]") return entries;
  return refuseArgument(name, entries, "an object with a result for each name");
}

interface ItemCounter {
  readonly add: (count: number) => void;
  readonly counts: (total: number) => Counts<string> | Counts<number>;
}

function itemCounter(plan: RecipePlan, loops: KernelRecipe, of: unknown): ItemCounter {
  const { name, step } = subjectOf(plan.spec, of);
  if (step === undefined) return strengthCounter(plan, loops);
  const results = resultsOf(plan, name, step);
  const totals = new Float64Array(1 + results.reduce((most, [, value]) => Math.max(most, value), 0));
  return {
    add: (count) => {
      for (const value of loops.words(name, count)) totals[value]++;
    },
    counts: (total) => {
      const counts = new Map<string, number>();
      for (const [result, value] of results) counts.set(result, (counts.get(result) ?? 0) + totals[value]);
      return { total, none: step.kind === "condition" ? 0 : totals[0], counts };
    },
  };
}

function strengthCounter({ spec, stats }: RecipePlan, loops: KernelRecipe): ItemCounter {
  const unit = 10 ** (stats.find(({ name }) => name === spec.strength)?.decimals ?? 0);
  const totals = new Map<number, number>();
  return {
    add: (count) => {
      for (const value of loops.stat(spec.strength, count)) totals.set(value, (totals.get(value) ?? 0) + 1);
    },
    counts: (total) => {
      const sorted = [...totals].sort(([a], [b]) => a - b);
      return { total, none: 0, counts: new Map(sorted.map(([value, times]) => [value / unit, times])) };
    },
  };
}

/** Returns results with column values, in the order of `odds`. A special word has two values: random and special. */
function resultsOf({ vocabulary, outcomes }: RecipePlan, name: string, step: StepSpec): (readonly [string, number])[] {
  if (step.kind === "slots") return vocabulary[name].slice(1).map((word, i) => [word, i + 1] as const);
  if (step.kind === "bonus") return step.ladder.map(({ text }, i) => [text, i + 1] as const);
  return CONDITION_OUTCOMES.map((outcome) => [outcome, outcomes[name].indexOf(outcome)] as const);
}
