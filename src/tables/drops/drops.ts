import { type Amount, KernelAmounts, stackOf } from "../../amounts/index.js";
import {
  Addressed,
  type AtOptions,
  allocateResults,
  type Batch,
  Columns,
  forEachBatch,
  type LongCall,
  ODDS_CALL,
  type Odds,
  type OddsCall,
  type Range,
  type Setup,
  Work,
} from "../../calls/index.js";
import { didYouMean, error, fail } from "../../errors/index.js";
import type { Column } from "../../formats/tables/columns.js";
import { BLOCK_WORDS } from "../../kernel/index.js";
import { isSame, readList, readOptions, refuseArgument } from "../../spec/index.js";
import type { RollLaw } from "../odds.js";
import type { TableState } from "../rolling.js";
import type { Table } from "../table.js";
import { dropOdds, dropQuantityOdds } from "./odds.js";
import type { DropsPlan } from "./parse.js";
import type { DropCounts, DropManyOptions, DropOdds } from "./types.js";

export const ROLLS_PLANE = 2 ** 33;
/** The first plane for the quantities of `always`, and the number of planes for each entry (docs/determinism.md). */
export const ALWAYS_PLANE = 2 ** 34;
export const PLANES_OF_ENTRY = 2 ** 20;

type Loops = ReturnType<typeof loopsOf>;

function loopsOf({ kernel, name, plan }: Setup<DropsPlan, TableState>) {
  const { always, rolls, table, results } = plan;
  const indices = new Map(results.map((result, index) => [result, index]));
  const loops = (amount: Amount, plane: number) => new KernelAmounts(kernel, { amounts: [amount], plane, name });
  return {
    rolls: loops(rolls, ROLLS_PLANE),
    always: always.map(({ quantity }, i) => quantity && loops(quantity, ALWAYS_PLANE + i * PLANES_OF_ENTRY)),
    /** The index of each result of the table among the results of the drops; −1 for null. */
    indices: table.results.map((result) => (result === null ? -1 : (indices.get(result) as number))),
  };
}

/**
 * Drops, such as the loot of a monster. Each drop has fixed results, and the results of several rolls of a table. Drop
 * k depends only on (seed, name, k) and the weights. Roll i of drop k is roll k of fork i of the table.
 *
 * Cost: that of the table's rolls. In bulk, each drop of a batch costs as much as the largest drop of the batch.
 */
export class Drops<Label extends string, Dropped> extends Addressed<DropsPlan, TableState> {
  readonly #loops: Loops;
  readonly #table: Table;
  /** Fork i of the table makes roll i of each drop. */
  readonly #tables: Table[] = [];

  /** @internal */
  constructor(setup: Setup<DropsPlan, TableState>, table: Table, loops = loopsOf(setup)) {
    super(setup);
    this.#table = table;
    this.#loops = loops;
  }

  /** @internal */
  protected override copy(setup: Setup<DropsPlan, TableState>): Drops<Label, Dropped> {
    return new Drops(setup, this.#table.on(setup.stream), this.#loops);
  }

  /** The distinct results: first the results of `always`, then the results of the table. */
  get results(): readonly Label[] {
    // the cast is safe: the plan has the results of the input
    return this.plan.results as readonly Label[];
  }

  /**
   * Makes one drop. Returns a new list: first the fixed results, then the results of the rolls, both in order. Skips
   * rolls without a result. If the drops have quantities, each entry is `{ result, quantity }`.
   *
   * @throws The errors of `roll` of the table; RollmillError `argument.range` for an index past 2^42 − 1;
   * `argument.option`, `argument.type`, `argument.busy`, `argument.disposed`.
   */
  roll(options: AtOptions = {}): Dropped[] {
    return this.single("drops.roll", options, (from) =>
      this.alone(() => this.#make({ name: this.name, from, total: 1 }, {}).at(0)),
    );
  }

  /**
   * Makes `n` drops.
   *
   * @param n - 0 … 2^42 − 1, and at most as many as fit in memory.
   * @throws The errors of {@link roll}; RollmillError `argument.callback`, `kernel.memory`.
   */
  rollMany(n: number, given: DropManyOptions = {}): DropRolls<Dropped> {
    return this.bulk("drops.rollMany", given, n, (range, options) => this.#make(range, options));
  }

  /**
   * Fills `out` with drops and returns it. `out` must come from `rollMany` of drops with the same results. Drops differ
   * in length, so `entries` and `quantities` of `out` are new arrays. If the call fails, `out` stays unchanged.
   *
   * @throws The errors of {@link rollMany}; RollmillError `argument.type` if `out` does not fit these drops.
   */
  rollInto(out: DropRolls<Dropped>, given: DropManyOptions = {}): DropRolls<Dropped> {
    this.checkTurn();
    const length = this.#checkColumns(out);
    return this.bulk("drops.rollInto", given, length, (range, options) => out.take(this.#make(range, options)));
  }

  /**
   * Makes `n` drops and counts their results. Stores no drops.
   *
   * @throws The errors of {@link rollMany}.
   */
  count(n: number, given: DropManyOptions = {}): DropCounts<Label> {
    return this.bulk("drops.count", given, n, (range, options) => {
      const counts = new Map(this.results.map((result) => [result, 0]));
      const quantities = new Map(counts);
      const addTo = (map: Map<Label, number>, entry: number, number: number) =>
        map.set(this.results[entry], (map.get(this.results[entry]) ?? 0) + number);
      let none = 0;
      forEachBatch(range, options, (batch) => {
        const made = this.#batch(batch);
        for (const [k, entries] of made.entries.entries()) {
          none += Number(entries.length === 0);
          for (const entry of new Set(entries)) addTo(counts, entry, 1);
          for (const [i, entry] of entries.entries()) addTo(quantities, entry, made.quantities[k][i]);
        }
      });
      return { total: n, none, counts, quantities };
    });
  }

  /**
   * For each result, returns the exact probability that a drop has the result, and the expected quantity in a drop.
   * Cost: as for `table.odds`, and for each result one power whose exponent is the maximum number of rolls.
   *
   * @throws The errors of `odds` of the table.
   */
  odds(given: OddsCall = {}): DropOdds<Label> {
    // the cast is safe: the plan has the results of the input
    return this.#law("drops.odds", given, (law, work) => dropOdds(this.plan, law, work) as DropOdds<Label>);
  }

  /**
   * Returns the exact odds of a result's quantities, the smallest first. A drop without the result has quantity 0.
   * Of several results: of the sum of their quantities.
   *
   * @throws The errors of {@link odds}; RollmillError `argument.range` if the drops lack the result.
   */
  quantityOdds(result: Label | readonly Label[], given: OddsCall = {}): Odds<number> {
    this.checkTurn();
    const most = this.results.length;
    const wanted = new Set(
      Array.isArray(result) ? (readList("results", result, { of: "results", most }) as Label[]) : [result as Label],
    );
    for (const got of wanted) {
      if (this.results.includes(got)) continue;
      const hint = didYouMean(got, this.results);
      fail(error("argument.range", { problem: "the drops have no such result", got, ...hint }));
    }
    return this.#law("drops.quantityOdds", given, (law, work) => dropQuantityOdds(this.plan, wanted, law, work));
  }

  #law<T>(name: string, given: OddsCall, compute: (law: RollLaw, work: Work) => T): T {
    return this.alone(() => {
      const { table, results } = this.plan;
      const work = new Work(this.name, table.spec.rows.length + results.length, readOptions(name, given, ODDS_CALL));
      // asks a fork, which has the same odds: the table itself is busy during this call
      const odds = compute(this.tableOf(0).law(work), work);
      work.end();
      return odds;
    });
  }

  /** @internal Returns the table that makes roll number `roll` of each drop. */
  tableOf(roll: number): Table {
    this.#tables[roll] ??= this.#table.on(this.stream.fork(roll));
    return this.#tables[roll];
  }

  #checkColumns(out: unknown): number {
    const { results, hasQuantities } = this.plan;
    const isFit = out instanceof DropRolls && (out.quantities !== undefined) === hasQuantities;
    if (isFit && isSame(out.results, results)) return out.length;
    return refuseArgument("out", out, "columns that rollMany of drops with the same results returned");
  }

  #make(range: Range, options: LongCall): DropRolls<Dropped> {
    const { total, from } = range;
    const starts = allocateResults(total, 4, (length) => new Uint32Array(length + 1));
    const [drops, numbers]: number[][][] = [[], []];
    let end = 0;
    forEachBatch(range, options, (batch) => {
      const made = this.#batch(batch);
      for (const [i, drop] of made.entries.entries()) {
        end += drop.length;
        starts[drops.push(drop)] = end;
        numbers.push(made.quantities[i]);
      }
    });
    const entries = allocateResults(end, 8, (length) => new Uint32Array(length));
    const quantities = this.plan.hasQuantities ? new Int32Array(end) : undefined;
    for (const [k, drop] of drops.entries()) {
      entries.set(drop, starts[k]);
      quantities?.set(numbers[k], starts[k]);
    }
    return new DropRolls<Dropped>({ from, starts, entries, quantities, results: this.plan.results });
  }

  #batch(batch: Batch) {
    const { count } = batch;
    const { always, results } = this.plan;
    const first = new Uint32Array(count);
    const rolls = this.#loops.rolls.batch(this.stream.key, batch, first).slice();
    const entries = Array.from(first, (): number[] => []);
    const quantities = Array.from(first, (): number[] => []);
    for (const [i, { result }] of always.entries()) {
      const numbers = this.#loops.always[i]?.batch(this.stream.key, batch, first);
      const entry = results.indexOf(result);
      for (let k = 0; k < count; k++) {
        entries[k].push(entry);
        quantities[k].push(numbers?.[k] ?? 1);
      }
    }
    const from = batch.block * BLOCK_WORDS + batch.offset;
    const most = rolls.reduce((a, b) => Math.max(a, b), 0);
    for (let roll = 0; roll < most; roll++) {
      const made = this.tableOf(roll).rollMany(count, { from, mode: "frozen" });
      for (let k = 0; k < count; k++) {
        const entry = this.#loops.indices[made.ids[k]] ?? -1;
        if (roll >= rolls[k] || entry < 0) continue;
        entries[k].push(entry);
        quantities[k].push(made.quantities?.[k] ?? 1);
      }
    }
    return { entries, quantities };
  }
}

/** Many drops. `at(k)` and iteration return each drop as `drops.roll` does: a list of results. */
export class DropRolls<Dropped> extends Columns<Dropped[]> {
  /** Drop k has the entries from `starts[k]` to `starts[k + 1]` − 1. There are `length + 1` starts. */
  starts: Uint32Array<ArrayBuffer>;
  /** The results of all drops, one drop after the other. Each entry is an index into {@link results}. */
  entries: Uint32Array<ArrayBuffer>;
  /** The quantity of each entry. Undefined if no result has a quantity. */
  quantities: Int32Array<ArrayBuffer> | undefined;
  /** The distinct results of the drops. */
  readonly results: readonly string[];

  /** @internal */
  constructor(columns: Pick<DropRolls<Dropped>, "from" | "starts" | "entries" | "quantities" | "results">) {
    super({ length: columns.starts.length - 1, from: columns.from });
    this.starts = columns.starts;
    this.entries = columns.entries;
    this.quantities = columns.quantities;
    this.results = columns.results;
  }

  /**
   * Returns the results of all drops as columns for `toCsv` and `toParquet` of `rollmill/formats`. Each result has a
   * row: `drop` is the index of the drop, `result` the result and, if the drops have quantities, `quantity` its
   * quantity. A drop without a result has no row. Cost: O(results).
   *
   * @throws RollmillError `argument.range` if the index of a drop is 2^32 or more.
   */
  columns(): Column[] {
    const { from, starts, entries, quantities, results } = this;
    if (from + this.length > 2 ** 32) {
      const expected = `drops with indices up to ${2 ** 32 - 1}`;
      fail(error("argument.range", { problem: "an index does not fit in a column", got: from, expected }));
    }
    const drop = new Uint32Array(entries.length);
    for (let k = 0; k < this.length; k++) drop.fill(from + k, starts[k], starts[k + 1]);
    const columns: Column[] = [
      { kind: "integer", name: "drop", values: drop },
      { kind: "word", name: "result", words: results, indices: entries },
    ];
    return quantities === undefined ? columns : [...columns, { kind: "integer", name: "quantity", values: quantities }];
  }

  /** @internal Takes the arrays of other drops with the same results. */
  take({ from, starts, entries, quantities }: DropRolls<Dropped>): this {
    return Object.assign(this, { from, starts, entries, quantities });
  }

  /** @internal */
  protected compose(k: number): Dropped[] {
    const [first, end] = [this.starts[k], this.starts[k + 1]];
    // the cast is safe: the columns have the results and quantities of the input
    return Array.from(
      this.entries.subarray(first, end),
      (entry, i) => stackOf(this.results[entry], this.quantities?.[first + i]) as Dropped,
    );
  }
}
