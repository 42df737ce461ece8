import { stackOf } from "../../amounts/index.js";
import {
  Addressed,
  allocateResults,
  type Batch,
  type Counts,
  checkRange,
  fillColumns,
  forEachBatch,
  isWatched,
  type LongCall,
  type Odds,
  type Range,
  Room,
  type Setup,
  type State,
  sumsByLabel,
} from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { checkFlag, checkInteger, isObject, readOptions } from "../../spec/index.js";
import { checkPicks, Picks } from "../labelledList.js";
import type { PityPlan } from "./compile.js";
import { KernelPity, type Standing } from "./kernel.js";
import { nextOdds } from "./odds.js";
import { type ExactPityRule, MAX_PULLS, type PityState } from "./rule.js";

const LONG_CALL = ["signal", "onProgress"];

/** The state of a list with pity. A snapshot from before a change of the rule still fits: its last pull hits. */
export class PityProgress implements State, Standing {
  next = 0;
  since: number;
  guaranteed: boolean;

  /** @throws RollmillError `snapshot.invalid` for a damaged state. */
  constructor(saved: unknown, { chances, rule }: PityPlan) {
    const { since, guaranteed } = saved === undefined ? { since: 0, guaranteed: false } : savedStanding(saved);
    this.since = Math.min(since, chances.length - 1);
    this.guaranteed = guaranteed && rule.featured !== undefined;
  }

  save(): Standing | undefined {
    const { since, guaranteed } = this;
    return since === 0 && !guaranteed ? undefined : { since, guaranteed };
  }
}

function savedStanding(saved: unknown): Standing {
  const { since, guaranteed }: Readonly<Record<string, unknown>> = isObject(saved) ? saved : {};
  const isSound = Number.isInteger(since) && Number(since) >= 0 && Number(since) < MAX_PULLS;
  if (isSound && typeof guaranteed === "boolean") return { since: Number(since), guaranteed };
  const problem = "the state of a list with pity in the snapshot is damaged";
  const expected = `"since" from 0 to ${MAX_PULLS - 1}, and "guaranteed"`;
  return fail(error("snapshot.invalid", { problem, got: saved, expected }));
}

/**
 * A list of labels to pull from, with pity: the chance of a hit depends on the number of pulls since the last hit. All
 * chances are exact. A pull depends only on (seed, name, index) and on where the player stands, {@link standing}. A
 * fork, such as a player, has its own standing.
 *
 * `pityOdds(banner.rule)` of `rollmill/instruments` has the exact odds over many pulls, and the waiting times from any
 * standing.
 *
 * Cost: a pull takes two words, three with featured hits, and O(log(entries)).
 */
export class Pity<Label extends string | null, Result> extends Addressed<PityPlan, PityProgress> {
  readonly #loops: KernelPity;

  /** @internal */
  constructor(setup: Setup<PityPlan, PityProgress>, loops = new KernelPity(setup)) {
    super(setup);
    this.#loops = loops;
  }

  /** @internal */
  protected override copy(setup: Setup<PityPlan, PityProgress>): Pity<Label, Result> {
    return new Pity(setup, this.#loops);
  }

  /** The label of each entry of the list, including entries of weight 0; null for nothing. */
  get labels(): readonly Label[] {
    // the cast is safe: the spec has the labels of the input
    return this.plan.labels as readonly Label[];
  }

  /** The rule, for `pityOdds` of `rollmill/instruments`. Its chances follow from the list. */
  get rule(): ExactPityRule {
    return this.plan.rule;
  }

  /**
   * Where the player stands. Set it to continue from there, for example from a database.
   *
   * @throws RollmillError `argument.range` unless `since` is less than the number of pulls until a hit is sure;
   * `argument.option` for `guaranteed` without featured hits; `argument.type`, `argument.busy`, `argument.disposed`.
   */
  get standing(): Readonly<Standing> {
    const { since, guaranteed } = this.state;
    return { since, guaranteed };
  }

  set standing(given: PityState) {
    this.checkTurn();
    const { since = 0, guaranteed = false } = readOptions("pity.standing", given, ["since", "guaranteed"]);
    checkInteger("since", since, 0, this.plan.chances.length - 1);
    checkFlag("guaranteed", guaranteed);
    if (guaranteed && this.plan.rule.featured === undefined) {
      const problem = "no hit can be guaranteed, because none is featured";
      fail(error("argument.option", { problem, remedy: 'Open the list with "featured"' }));
    }
    Object.assign(this.state, { since, guaranteed });
  }

  /**
   * Makes the pull at `next` and returns its result: a label, null for nothing, or `{ result, quantity }` if any entry
   * has a quantity. Moves {@link standing} on. Takes no options: a pull depends on the pulls before it.
   *
   * @throws RollmillError `argument.range` for an index past 2^42 − 1; `argument.option`, `argument.busy`,
   * `argument.disposed`.
   */
  pull(options: Readonly<Record<string, never>> = {}): Result {
    this.checkTurn();
    readOptions("pity.pull", options, []);
    const { state } = this;
    checkRange(state.next, 1);
    const standing = this.standing;
    const entry = this.#loops.one(this.stream.key, state.next, standing);
    const quantity = this.#loops.quantities?.one(this.stream.key, state.next, entry);
    Object.assign(state, standing, { next: state.next + 1 });
    // the cast is safe: the plan has the labels and quantities of the input
    return stackOf(this.plan.labels[entry], quantity) as Result;
  }

  /**
   * Makes `n` pulls and returns them as columns. They are the results of `n` calls of {@link pull}.
   *
   * @param n - 0 … 2^42 − 1, and no more than fit in memory.
   * @throws The errors of {@link pull}; RollmillError `argument.type`, `argument.callback`, `kernel.memory`.
   */
  pullMany(n: number, given: LongCall = {}): Picks<Result> {
    const { labels, quantities } = this.plan;
    return this.#bulk("pullMany", given, n, (range, options) => {
      const columns = allocateResults(n, quantities === undefined ? 4 : 8, (length) => ({
        entries: new Uint32Array(length),
        quantities: quantities && new Int32Array(length),
      }));
      this.#fill(columns, range, options);
      return new Picks<Result>({ ...columns, from: range.from, labels });
    });
  }

  /**
   * Fills `out` with pulls and returns it. `out` must come from `pullMany` of a list with the same labels. If the call
   * fails, neither `out` nor the standing changes.
   *
   * @throws The errors of {@link pullMany}; RollmillError `argument.type` if `out` does not fit this list.
   */
  pullInto(out: Picks<Result>, given: LongCall = {}): Picks<Result> {
    const length = new Room(() => checkPicks(out, this.plan));
    return this.#bulk("pullInto", given, length, (range, options) => {
      fillColumns(out, ["entries", "quantities"], isWatched(options), (room) => this.#fill(room, range, options));
      out.from = range.from;
      return out;
    });
  }

  /**
   * Makes `n` pulls and counts each label. Stores no array of pulls. Pulls of nothing count as `none`.
   *
   * @throws The errors of {@link pullMany}.
   */
  count(n: number, given: LongCall = {}): Counts<Label & string> {
    return this.#bulk("count", given, n, (range, options) => {
      const totals = new Float64Array(this.plan.labels.length);
      this.#each(range, options, (_, entries) => {
        for (const entry of entries) totals[entry]++;
      });
      const { none, sums } = sumsByLabel(this.plan.labels, totals);
      return { total: n, none, counts: sums as Map<Label & string, number> };
    });
  }

  /** Returns the exact odds of the next pull, in the order of the entries. `none` is the probability of nothing. */
  odds(): Odds<Label & string> {
    return nextOdds(this.plan, this.standing) as Odds<Label & string>;
  }

  #bulk<T>(call: string, given: LongCall, n: number | Room, make: (range: Range, options: LongCall) => T): T {
    return this.bulk({ name: `pity.${call}`, known: LONG_CALL }, given, n, make);
  }

  #fill({ entries, quantities }: Pick<Picks<unknown>, "entries" | "quantities">, range: Range, options: LongCall) {
    this.#each(range, options, (batch, pulled) => {
      entries.set(pulled, batch.done);
      const rolled = quantities && this.#loops.quantities?.batch(this.stream.key, batch, pulled);
      if (rolled !== undefined) quantities?.set(rolled, batch.done);
    });
  }

  /** Makes pulls batch by batch. The standing changes only after the last batch. */
  #each(range: Range, options: LongCall, take: (batch: Batch, entries: Uint32Array<ArrayBuffer>) => void): void {
    const { state } = this;
    const standing = { since: state.since, guaranteed: state.guaranteed };
    forEachBatch(range, options, (batch) => take(batch, this.#loops.batch(this.stream.key, batch, standing)));
    Object.assign(state, standing);
  }
}
