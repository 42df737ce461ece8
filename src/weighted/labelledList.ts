import { KernelAmounts, stackOf } from "../amounts/index.js";
import {
  Addressed,
  type AtOptions,
  allocateResults,
  Columns,
  type Counts,
  checkArray,
  fillColumns,
  forEachBatch,
  isWatched,
  type Odds,
  type Range,
  type Setup,
  sumsByLabel,
} from "../calls/index.js";
import { didYouMean, error, fail } from "../errors/index.js";
import type { Column } from "../formats/tables/columns.js";
import { isSame, readOptions, refuseArgument } from "../spec/index.js";
import type { LabelledPlan } from "./compile.js";
import { KernelWeighted } from "./kernel.js";
import { labelledOdds, quantityOdds } from "./odds.js";
import type { PickOptions } from "./types.js";
import { WeightedList } from "./weightedList.js";

type PickColumns = Pick<Picks<unknown>, "entries" | "quantities">;

interface Loops {
  readonly list: KernelWeighted;
  readonly amounts: KernelAmounts | undefined;
}

/**
 * A list of labels with weights to pick from. An entry of weight w is picked with the exact probability w / total. Pick
 * k depends only on (seed, name, k). A {@link WeightedList} with the same weights picks the same entries. Quantities
 * read other random words than labels. So if you add quantities to a list, its picks keep their labels.
 *
 * Cost: as for a {@link WeightedList}, plus the words of the quantity: one for each die, or one for a range.
 */
export class LabelledList<Label extends string | null, Result> extends Addressed<LabelledPlan> {
  readonly #loops: Loops;
  /** A list with the same weights and state. It chooses the entry of each single pick. */
  readonly #entries: WeightedList;

  /** @internal */
  constructor(setup: Setup<LabelledPlan>, loops?: Loops) {
    super(setup);
    const { quantities } = setup.plan;
    this.#loops = loops ?? {
      list: new KernelWeighted(setup),
      // the words of plane 0 pick the entries, so the planes of the quantities begin at 1
      amounts: quantities && new KernelAmounts(setup.kernel, { amounts: quantities, plane: 1, name: setup.name }),
    };
    this.#entries = new WeightedList(setup, this.#loops.list);
  }

  /** @internal */
  protected override copy(setup: Setup<LabelledPlan>): LabelledList<Label, Result> {
    return new LabelledList(setup, this.#loops);
  }

  /** The label of each entry, including entries of weight 0; null for nothing. */
  get labels(): readonly Label[] {
    // the cast is safe: the spec has the labels of the input
    return this.plan.labels as readonly Label[];
  }

  /**
   * @internal Tests n picks, and writes to `out` the places, counted from `from`, of those whose entry has the byte 1
   * in `passing`. Returns their number.
   */
  placesOf(passing: Uint8Array, from: number, n: number, out: Uint32Array): number {
    let found = 0;
    forEachBatch({ name: this.name, from, total: n }, {}, (batch) => {
      this.#loops.list.pick(this.stream.key, batch);
      const places = this.#loops.list.placesOf(passing, batch);
      out.set(places, found);
      found += places.length;
    });
    return found;
  }

  /** @internal The integer weight of each entry. */
  get weights(): readonly number[] {
    return [...this.plan.weights];
  }

  /**
   * Returns one pick: a label, null for nothing, or `{ result, quantity }` if any entry has a quantity.
   *
   * @throws RollmillError `argument.range` for an index past 2^42 − 1; `argument.option`, `argument.busy`,
   * `argument.disposed`.
   */
  pick(options: AtOptions = {}): Result {
    this.checkTurn();
    const { at } = readOptions("list.pick", options, ["at"]);
    const index = at ?? this.state.next;
    const entry = at === undefined ? this.#entries.pick() : this.#entries.pick({ at });
    const quantity = this.#loops.amounts?.one(this.stream.key, index, entry);
    // the cast is safe: the plan has the labels and quantities of the input
    return stackOf(this.plan.labels[entry], quantity) as Result;
  }

  /**
   * Returns `n` picks as columns.
   *
   * @param n - 0 … 2^42 − 1, and at most as many as fit in memory.
   * @throws The errors of {@link pick}; RollmillError `argument.type`, `argument.callback`, `kernel.memory`.
   */
  pickMany(n: number, given: PickOptions = {}): Picks<Result> {
    const { labels, quantities } = this.plan;
    return this.bulk("list.pickMany", given, n, (range, options) => {
      const columns = allocateResults(n, quantities === undefined ? 4 : 8, (length) => ({
        entries: new Uint32Array(length),
        quantities: quantities && new Int32Array(length),
      }));
      this.#pickRange(columns, range, options);
      return new Picks<Result>({ ...columns, from: range.from, labels });
    });
  }

  /**
   * Fills `out` with picks and returns it. `out` must come from `pickMany` of a list with the same labels. If the call
   * fails, `out` stays unchanged.
   *
   * @throws The errors of {@link pickMany}; RollmillError `argument.type` if `out` does not fit this list.
   */
  pickInto(out: Picks<Result>, given: PickOptions = {}): Picks<Result> {
    this.checkTurn();
    return this.bulk("list.pickInto", given, checkPicks(out, this.plan), (range, options) => {
      const fill = (room: PickColumns) => this.#pickRange(room, range, options);
      fillColumns(out, ["entries", "quantities"], isWatched(options), fill);
      out.from = range.from;
      return out;
    });
  }

  /**
   * Makes `n` picks and counts each label. Stores no array of picks. Picks of nothing count as `none`.
   *
   * @throws The errors of {@link pickMany}.
   */
  count(n: number, given: PickOptions = {}): Counts<Label & string> {
    return this.bulk("list.count", given, n, (range, options) => {
      const { none, sums } = sumsByLabel(this.plan.labels, this.#entries.countEntries(range, options));
      return { total: n, none, counts: sums as Map<Label & string, number> };
    });
  }

  /** Returns the exact odds of each label, in the order of the entries. `none` is the probability of nothing. */
  odds(): Odds<Label & string> {
    return labelledOdds(this.plan) as Odds<Label & string>;
  }

  /**
   * Returns the exact odds of each quantity of a label, given that this label is picked. The quantities are in
   * ascending order. The list is empty if the label has weight 0.
   *
   * @throws RollmillError `argument.range` if the list has no such label.
   */
  quantityOdds(label: Label & string): Odds<number> {
    const labels = [...new Set(this.plan.labels)].filter((one) => one !== null);
    if (labels.includes(label)) return quantityOdds(this.plan, label);
    const hint = didYouMean(label, labels);
    return fail(error("argument.range", { problem: "the list has no such label", got: label, ...hint }));
  }

  #pickRange({ entries, quantities }: PickColumns, range: Range, options: PickOptions): void {
    const { list, amounts } = this.#loops;
    forEachBatch(range, options, (batch) => {
      const { done, count } = batch;
      list.pick(this.stream.key, batch);
      entries.set(list.picks(count), done);
      if (amounts !== undefined)
        quantities?.set(amounts.batch(this.stream.key, batch, entries.subarray(done, done + count)), done);
    });
  }
}

/** Many picks from a labelled list. `at(k)` and iteration return each pick as `list.pick` does. */
export class Picks<Result> extends Columns<Result> {
  /** Index of the entry of each pick. */
  readonly entries: Uint32Array<ArrayBuffer>;
  /** The label of each entry of the list; null for nothing. The label of pick k is `labels[entries[k]]`. */
  readonly labels: readonly (string | null)[];
  /** The quantity of each pick, 0 for nothing. Undefined if no entry of the list has a quantity. */
  readonly quantities: Int32Array<ArrayBuffer> | undefined;

  /** @internal */
  constructor(columns: Pick<Picks<Result>, "from" | "entries" | "labels" | "quantities">) {
    super({ length: columns.entries.length, from: columns.from });
    this.entries = columns.entries;
    this.labels = columns.labels;
    this.quantities = columns.quantities;
  }

  /**
   * Returns all picks as columns for `toCsv` and `toParquet` of `rollmill/formats`. The first column is `result`; its
   * value is null for nothing. If the list has quantities, the second column is `quantity`; its value is 0 for nothing.
   *
   * Cost: O(labels). The columns share the arrays of the picks.
   */
  columns(): Column[] {
    const { entries, labels, quantities } = this;
    const result: Column = { kind: "word", name: "result", words: labels, indices: entries };
    return quantities === undefined ? [result] : [result, { kind: "integer", name: "quantity", values: quantities }];
  }

  /** @internal */
  protected compose(k: number): Result {
    return stackOf(this.labels[this.entries[k]], this.quantities?.[k]) as Result;
  }
}

/** Returns the number of picks in columns of a list with these labels. Throws `argument.type` for anything else. */
export function checkPicks(out: unknown, { labels, quantities }: Pick<LabelledPlan, "labels" | "quantities">): number {
  const isPicks = out instanceof Picks && (out.quantities === undefined) === (quantities === undefined);
  if (!isPicks || !(out.labels === labels || isSame(out.labels, labels))) {
    refuseArgument("out", out, "columns that pickMany of a list with the same labels returned");
  }
  checkArray(out.entries, ["Uint32Array"]);
  if (out.quantities !== undefined) checkArray(out.quantities, ["Int32Array"]);
  return out.length;
}
