import type { KernelAmounts } from "../../amounts/index.js";
import type { Batch, LongCall, Odds, Setup } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import type { Fraction } from "../../fractions.js";
import { checkFlag, checkInteger, isObject, readOptions } from "../../spec/index.js";
import type { Picks } from "../labelledList.js";
import { type ListState, StatefulList } from "../statefulList.js";
import type { PityPlan } from "./compile.js";
import { KernelPity, type Standing } from "./kernel.js";
import { nextOdds } from "./odds.js";
import { MAX_PULLS, type PityRule, type PityState } from "./rule.js";

/** The state of a list with pity. If a changed rule has a sure hit before the saved pull, the next pull hits. */
export class PityProgress implements ListState<Standing> {
  next = 0;
  own: Standing = { since: 0, guaranteed: false };

  /** @throws RollmillError `snapshot.invalid` for a damaged state. */
  constructor(saved: unknown, { chances, rule }: PityPlan) {
    if (saved === undefined) return;
    const { since, guaranteed } = savedStanding(saved);
    this.own = { since: Math.min(since, chances.length - 1), guaranteed: guaranteed && rule.featured !== undefined };
  }

  save(): Standing | undefined {
    const { since, guaranteed } = this.own;
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
 * chances are exact. A pull depends only on (seed, name, index) and on the player's progress, {@link standing}. A fork,
 * such as a player, has its own standing.
 *
 * For the exact odds over many pulls, and the waiting times from any standing, pass {@link rule} to `pityOdds` of
 * `rollmill/instruments`.
 *
 * Cost: a pull takes two words, three with featured hits, and O(log(entries)).
 */
export class Pity<Label extends string | null, Result> extends StatefulList<Label, Result, PityPlan, Standing> {
  /** @internal */
  protected override readonly noun = "pity";
  readonly #loops: KernelPity;

  /** @internal */
  constructor(setup: Setup<PityPlan, ListState<Standing>>, loops = new KernelPity(setup)) {
    super(setup);
    this.#loops = loops;
  }

  /** @internal */
  protected override copy(setup: Setup<PityPlan, ListState<Standing>>): Pity<Label, Result> {
    return new Pity(setup, this.#loops);
  }

  /** @internal */
  protected override get quantities(): KernelAmounts | undefined {
    return this.#loops.quantities;
  }

  /** @internal */
  protected override entryAt(index: number, own: Standing): number {
    return this.#loops.one(this.stream.key, index, own);
  }

  /** @internal */
  protected override entriesOf(batch: Batch, own: Standing): Uint32Array<ArrayBuffer> {
    return this.#loops.batch(this.stream.key, batch, own);
  }

  /** The rule, for `pityOdds` of `rollmill/instruments`. Its chances follow from the list. */
  get rule(): PityRule<Fraction> {
    return this.plan.rule;
  }

  /**
   * The player's progress. Set it to continue from an earlier one, for example from a database.
   *
   * @throws RollmillError `argument.range` unless `since` is less than the number of pulls until a hit is sure;
   * `argument.option` for `guaranteed` without featured hits; `argument.type`, `argument.busy`, `argument.disposed`.
   */
  get standing(): { readonly since: number; readonly guaranteed: boolean } {
    return { ...this.state.own };
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
    this.state.own = { since, guaranteed };
  }

  /**
   * Makes the pull at `next` and returns its result: a label, null for nothing, or `{ result, quantity }` if any entry
   * has a quantity. Updates {@link standing}. Takes no options: a pull depends on the pulls before it.
   *
   * @throws RollmillError `argument.range` for an index past 2^42 − 1; `argument.option`, `argument.busy`,
   * `argument.disposed`.
   */
  pull(options: Readonly<Record<string, never>> = {}): Result {
    return this.makeOne("pull", options);
  }

  /**
   * Makes `n` pulls and returns them as columns. They are the results of `n` calls of {@link pull}.
   *
   * @param n - 0 … 2^42 − 1, and no more than fit in memory.
   * @throws The errors of {@link pull}; RollmillError `argument.type`, `argument.callback`, `kernel.memory`.
   */
  pullMany(n: number, given: LongCall = {}): Picks<Result> {
    return this.makeMany("pullMany", given, n);
  }

  /**
   * Fills `out` with pulls and returns it. `out` must come from `pullMany` of a list with the same labels. If the call
   * fails, neither `out` nor the standing changes.
   *
   * @throws The errors of {@link pullMany}; RollmillError `argument.type` if `out` does not fit this list.
   */
  pullInto(out: Picks<Result>, given: LongCall = {}): Picks<Result> {
    return this.makeInto("pullInto", given, out);
  }

  /** Returns the exact odds of the next pull, in the order of the entries. `none` is the probability of nothing. */
  odds(): Odds<Label & string> {
    return nextOdds(this.plan, this.standing) as Odds<Label & string>;
  }
}
