import { KernelAmounts } from "../../amounts/index.js";
import {
  type Batch,
  type LongCall,
  ODDS_CALL,
  type Odds,
  type OddsCall,
  placeOf,
  type Setup,
  Work,
} from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { BLOCK_WORDS } from "../../kernel/index.js";
import { readOptions } from "../../spec/index.js";
import type { Picks } from "../labelledList.js";
import { type ListState, StatefulList } from "../statefulList.js";
import { entryWithout, type NoRepeatsPlan, totalWithout } from "./compile.js";
import { longRunOdds, nextOdds } from "./odds.js";

/** The last results, the newest at the end. */
interface Recent {
  recent: readonly (string | null)[];
}

/** The state of a list without repeats. Results that a changed list lacks are forgotten. */
export class RecentState implements ListState<Recent> {
  next = 0;
  own: Recent = { recent: [] };

  /** @throws RollmillError `snapshot.invalid` for a damaged state. */
  constructor(saved: unknown, { totals, within }: NoRepeatsPlan) {
    if (saved === undefined) return;
    const isSound = Array.isArray(saved) && saved.every((label) => typeof label === "string" || label === null);
    if (!isSound || new Set(saved).size < saved.length) {
      const problem = "the state of a list without repeats in the snapshot is damaged";
      fail(error("snapshot.invalid", { problem, got: saved, expected: "a list of different results" }));
    }
    this.own = { recent: saved.filter((label) => (totals.get(label) ?? 0) > 0).slice(-within) };
  }

  save(): readonly (string | null)[] | undefined {
    return this.own.recent.length === 0 ? undefined : this.own.recent;
  }
}

/**
 * A list of labels to pick from, in which a pick is never one of the last results: no tune is played twice in a row.
 * The other results keep their proportions, exactly. A pick depends only on (seed, name, index) and on the last
 * results, {@link recent}. A fork, such as a player, has its own.
 *
 * Cost: a pick takes one word and O(within · log(within) + log(entries)).
 */
export class NoRepeats<Label extends string | null, Result> extends StatefulList<Label, Result, NoRepeatsPlan, Recent> {
  /** @internal */
  protected override readonly noun = "noRepeats";
  /** @internal */
  protected override readonly quantities: KernelAmounts | undefined;

  /** @internal */
  constructor(setup: Setup<NoRepeatsPlan, ListState<Recent>>, loops?: KernelAmounts) {
    super(setup);
    const { quantities } = setup.plan;
    const create = () =>
      quantities && new KernelAmounts(setup.kernel, { amounts: quantities, plane: 1, name: setup.name });
    this.quantities = loops ?? create();
  }

  /** @internal */
  protected override copy(setup: Setup<NoRepeatsPlan, ListState<Recent>>): NoRepeats<Label, Result> {
    return new NoRepeats(setup, this.quantities);
  }

  /** @internal */
  protected override entryAt(index: number, own: Recent): number {
    return this.#entryOf(this.#below(index, totalWithout(this.plan, own.recent)), own);
  }

  /** @internal */
  protected override entriesOf({ block, offset, count }: Batch, own: Recent): Uint32Array<ArrayBuffer> {
    const from = block * BLOCK_WORDS + offset;
    this.kernel.run(this.stream.key, (exports) => exports.fillWindow(0, 0, block, offset + count));
    const words = this.kernel.u32(this.kernel.window, offset + count).slice(offset);
    return words.map((word, k) => {
      const total = totalWithout(this.plan, own.recent);
      const low = Math.imul(word, total) >>> 0;
      // a word decides alone unless the low half of word · total is close to 2^32. The double product is off by less
      // than 2^11, so the quotient is off by less than a half and rounds to the exact one
      const isSettled = low + total <= 2 ** 32;
      const share = isSettled ? Math.round((word * total - low) / 2 ** 32) : this.#below(from + k, total);
      return this.#entryOf(share, own);
    });
  }

  #below(index: number, total: number): number {
    const { block, offset } = placeOf(index);
    return this.kernel.run(this.stream.key, (exports) => exports.belowOf(0, 0, block, offset, total)) >>> 0;
  }

  #entryOf(share: number, own: Recent): number {
    const entry = entryWithout(this.plan, own.recent, share);
    own.recent = [...own.recent, this.plan.labels[entry]].slice(-this.plan.within);
    return entry;
  }

  /** The last results, the newest at the end: at most `within` of them. The next pick is none of these. */
  get recent(): readonly Label[] {
    return [...this.state.own.recent] as Label[];
  }

  /**
   * Makes the pick at `next` and returns its result: a label, null for nothing, or `{ result, quantity }` if any entry
   * has a quantity. Takes no options: a pick depends on the picks before it.
   *
   * @throws RollmillError `argument.range` for an index past 2^42 − 1; `argument.option`, `argument.busy`,
   * `argument.disposed`.
   */
  pick(options: Readonly<Record<string, never>> = {}): Result {
    return this.makeOne("pick", options);
  }

  /**
   * Makes `n` picks and returns them as columns. They are the results of `n` calls of {@link pick}.
   *
   * @param n - 0 … 2^42 − 1, and no more than fit in memory.
   * @throws The errors of {@link pick}; RollmillError `argument.type`, `argument.callback`, `kernel.memory`.
   */
  pickMany(n: number, given: LongCall = {}): Picks<Result> {
    return this.makeMany("pickMany", given, n);
  }

  /**
   * Fills `out` with picks and returns it. `out` must come from `pickMany` of a list with the same labels. If the call
   * fails, neither `out` nor the last results change.
   *
   * @throws The errors of {@link pickMany}; RollmillError `argument.type` if `out` does not fit this list.
   */
  pickInto(out: Picks<Result>, given: LongCall = {}): Picks<Result> {
    return this.makeInto("pickInto", given, out);
  }

  /** Returns the exact odds of the next pick, in the order of the entries. `none` is the probability of nothing. */
  odds(): Odds<Label & string> {
    return nextOdds(this.plan, this.state.own.recent) as Odds<Label & string>;
  }

  /**
   * Returns the exact share of each label in the long run. It differs from weight / total: leaving out the last results
   * makes frequent labels rarer. Cost: O(labels · within) operations on integers of 32 · within bits.
   *
   * @throws RollmillError `odds.work`, `argument.option`, `argument.callback`, `argument.busy`, `argument.disposed`.
   */
  longRunOdds(given: OddsCall = {}): Odds<Label & string> {
    return this.alone(() => {
      const labels = this.plan.totals.size;
      const work = new Work(this.name, labels, readOptions("noRepeats.longRunOdds", given, ODDS_CALL));
      const odds = longRunOdds(this.plan, work);
      work.end();
      return odds as Odds<Label & string>;
    });
  }
}
