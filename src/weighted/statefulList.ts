import { type KernelAmounts, stackOf } from "../amounts/index.js";
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
  type Range,
  type State,
  sumsByLabel,
} from "../calls/index.js";
import { readOptions } from "../spec/index.js";
import type { LabelledPlan } from "./compile.js";
import { checkPicks, Picks } from "./labelledList.js";

const LONG_CALL = ["signal", "onProgress"];

/** The state of a {@link StatefulList}. A call replaces fields of a copy of `own`, but never changes their values. */
export interface ListState<Own> extends State {
  own: Own;
}

/** The base of lists whose results depend on the results before them. So their calls have no `at` and no `from`. */
export abstract class StatefulList<
  Label extends string | null,
  Result,
  Plan extends Pick<LabelledPlan, "labels" | "quantities">,
  Own extends object,
> extends Addressed<Plan, ListState<Own>> {
  /** @internal The noun as users write it, for messages. */
  protected abstract readonly noun: string;
  /** @internal */
  protected abstract readonly quantities: KernelAmounts | undefined;

  /** @internal Returns the entry of one result, and updates `own`. */
  protected abstract entryAt(index: number, own: Own): number;

  /** @internal Returns the entries of consecutive results, and updates `own`. */
  protected abstract entriesOf(batch: Batch, own: Own): Uint32Array<ArrayBuffer>;

  /** The label of each entry of the list, including entries of weight 0; null for nothing. */
  get labels(): readonly Label[] {
    // the cast is safe: the spec has the labels of the input
    return this.plan.labels as readonly Label[];
  }

  /**
   * Makes `n` results and counts each label. Stores no array of results. Results of nothing count as `none`. The state
   * changes as if the results were returned.
   *
   * @throws RollmillError `argument.range`, `argument.option`, `argument.type`, `argument.callback`, `argument.busy`,
   * `argument.disposed`, `kernel.memory`.
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

  /** @internal */
  protected makeOne(call: string, options: object): Result {
    this.checkTurn();
    readOptions(`${this.noun}.${call}`, options, []);
    const { own, result } = this.peek();
    Object.assign(this.state, { own, next: this.state.next + 1 });
    return result;
  }

  /** @internal Returns the next result and the state after it, but changes no state. */
  peek(): { readonly own: Own; readonly result: Result } {
    const { next } = this.state;
    checkRange(next, 1);
    const own = { ...this.state.own };
    const entry = this.entryAt(next, own);
    const quantity = this.quantities?.one(this.stream.key, next, entry);
    // the cast is safe: the plan has the labels and quantities of the input
    return { own, result: stackOf(this.plan.labels[entry], quantity) as Result };
  }

  /** @internal */
  protected makeMany(call: string, given: LongCall, n: number): Picks<Result> {
    const { labels, quantities } = this.plan;
    return this.#bulk(call, given, n, (range, options) => {
      const columns = allocateResults(n, quantities === undefined ? 4 : 8, (length) => ({
        entries: new Uint32Array(length),
        quantities: quantities && new Int32Array(length),
      }));
      this.#fill(columns, range, options);
      return new Picks<Result>({ ...columns, from: range.from, labels });
    });
  }

  /** @internal */
  protected makeInto(call: string, given: LongCall, out: Picks<Result>): Picks<Result> {
    this.checkTurn();
    return this.#bulk(call, given, checkPicks(out, this.plan), (range, options) => {
      fillColumns(out, ["entries", "quantities"], isWatched(options), (room) => this.#fill(room, range, options));
      out.from = range.from;
      return out;
    });
  }

  #bulk<T>(call: string, given: LongCall, n: number, make: (range: Range, options: LongCall) => T): T {
    return this.bulk({ name: `${this.noun}.${call}`, known: LONG_CALL }, given, n, make);
  }

  #fill({ entries, quantities }: Pick<Picks<unknown>, "entries" | "quantities">, range: Range, options: LongCall) {
    this.#each(range, options, (batch, made) => {
      entries.set(made, batch.done);
      const rolled = quantities && this.quantities?.batch(this.stream.key, batch, made);
      if (rolled !== undefined) quantities?.set(rolled, batch.done);
    });
  }

  /** Makes results batch by batch. The state changes only after the last batch. */
  #each(range: Range, options: LongCall, take: (batch: Batch, entries: Uint32Array<ArrayBuffer>) => void): void {
    const { state } = this;
    const own = { ...state.own };
    forEachBatch(range, options, (batch) => take(batch, this.entriesOf(batch, own)));
    state.own = own;
  }
}
