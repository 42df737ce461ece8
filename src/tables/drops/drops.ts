import type { ForkId } from "../../address.js";
import { KernelAmounts } from "../../amounts/index.js";
import {
  Addressed,
  type AtOptions,
  allocateResults,
  type Batch,
  type Branch,
  BULK_OPTIONS,
  checkRange,
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
import { BLOCK_WORDS } from "../../kernel/index.js";
import { readOptions } from "../../spec/index.js";
import type { RollLaw } from "../odds.js";
import type { TableState } from "../rolling.js";
import type { Table } from "../table.js";
import { DropRolls } from "./dropRolls.js";
import { dropOdds, dropQuantityOdds } from "./odds.js";
import type { DropCounts, DropManyOptions, DropOdds, DropsPlan } from "./types.js";

/** First plane of the dice for the number of rolls. */
const ROLLS_PLANE = 2 ** 33;
/** First plane of the dice for the quantities of `always`. Each entry of `always` has 2^20 planes. */
const ALWAYS_PLANE = 2 ** 34;
const PLANES_OF_ENTRY = 2 ** 20;

/** The parts that drops and their forks share. */
interface Loops {
  readonly rolls: KernelAmounts;
  readonly always: readonly (KernelAmounts | undefined)[];
  /**
   * Entry i is the index of the table's result i among the results of the drops. It is −1 if the table's result i is
   * null.
   */
  readonly indices: readonly number[];
}

/** The results of a batch of drops. `entries[i]` and `quantities[i]` belong to drop i of the batch. */
interface DropBatch {
  readonly entries: readonly number[][];
  readonly quantities: readonly number[][];
}

function loopsOf({ kernel, name, plan }: Setup<DropsPlan, TableState>): Loops {
  const { always, rolls, table, results } = plan;
  return {
    rolls: new KernelAmounts(kernel, { amounts: [rolls], plane: ROLLS_PLANE, name }),
    always: always.map(
      ({ quantity }, i) =>
        quantity && new KernelAmounts(kernel, { amounts: [quantity], plane: ALWAYS_PLANE + i * PLANES_OF_ENTRY, name }),
    ),
    indices: table.results.map((result) => (result === null ? -1 : results.indexOf(result))),
  };
}

/**
 * Drops, such as the loot of a monster. Each drop has fixed results, and the results of several rolls of a table. Drop
 * k depends only on (seed, name, k) and on the weights. Fork i of the table makes roll i of every drop: for drop k,
 * it is the fork's own roll k. So the rolls of a drop do not depend on each other.
 *
 * Cost: as for the table's rolls. In a call for many drops, every drop of a batch costs as many rolls as the largest
 * drop of the batch.
 */
export class Drops<Label extends string, Dropped> extends Addressed<DropsPlan, TableState> {
  readonly #loops: Loops;
  /** The table on the same stream as the drops. Its forks make the rolls. */
  readonly #table: Table;
  /** Forks of the table. Fork i makes roll i of each drop. They are created when needed. */
  readonly #tables: Table[] = [];

  /** @internal */
  constructor(setup: Setup<DropsPlan, TableState>, table: Table, loops = loopsOf(setup)) {
    super(setup);
    this.#table = table;
    this.#loops = loops;
  }

  /**
   * Returns a fork of these drops: the same drops on a child stream, with different random words and a separate state.
   *
   * @param id - A text, a safe integer, a 64-bit bigint, or a pair of 32-bit integers such as coordinates.
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  override fork(id: ForkId): Drops<Label, Dropped> {
    return this.on(this.stream.fork(id));
  }

  /** @internal */
  override on(stream: Branch<TableState>): Drops<Label, Dropped> {
    return new Drops(this.setupOn(stream), this.#table.on(stream), this.#loops);
  }

  /** The distinct results: first the results of `always`, then the results of the table. */
  get results(): readonly Label[] {
    // the cast is safe: the plan has the results of the input
    return this.plan.results as readonly Label[];
  }

  /**
   * Makes one drop. Returns a new list: first the fixed results, then the results of the rolls, both in order. Rolls
   * without a result are left out. If the drops have quantities, each entry is `{ result, quantity }`.
   *
   * @throws The errors of `roll` of the table; RollmillError `argument.range` for an index past 2^42 − 1;
   * `argument.option`, `argument.type`, `argument.busy`, `argument.disposed`.
   */
  roll(options: AtOptions = {}): Dropped[] {
    return this.alone(() => {
      const { at } = readOptions("drops.roll", options, ["at"]);
      const from = at ?? this.state.next;
      checkRange(from, 1);
      const drop = this.#make({ name: this.name, from, total: 1 }, {}).at(0);
      if (at === undefined) this.state.next = from + 1;
      return drop;
    });
  }

  /**
   * Makes `n` drops.
   *
   * @param n - 0 … 2^42 − 1, and no more than fit in memory.
   * @throws The errors of {@link roll}; RollmillError `argument.callback`, `kernel.memory`.
   */
  rollMany(n: number, given: DropManyOptions = {}): DropRolls<Dropped> {
    return this.bulk(
      { name: "drops.rollMany", given, known: BULK_OPTIONS },
      () => n,
      (range, options) => this.#make(range, options),
    );
  }

  /**
   * Makes `n` drops and counts their results. Stores no array of drops.
   *
   * @throws The errors of {@link rollMany}.
   */
  count(n: number, given: DropManyOptions = {}): DropCounts<Label> {
    return this.bulk(
      { name: "drops.count", given, known: BULK_OPTIONS },
      () => n,
      (range, options) => {
        const drops = new Map(this.results.map((result) => [result, 0]));
        const quantities = new Map(drops);
        let none = 0;
        this.#eachBatch(range, options, (made) => {
          none += made.entries.filter((entries) => entries.length === 0).length;
          for (const [i, entries] of made.entries.entries())
            this.#tally(entries, made.quantities[i], { drops, quantities });
        });
        return { total: n, none, drops, quantities };
      },
    );
  }

  /**
   * For each result, returns the exact probability that a drop has the result, and the expected quantity in a drop.
   *
   * Cost: as for `table.odds`. In addition, for each result: a power of its chance, with the maximum number of rolls as
   * the exponent.
   *
   * @throws The errors of `odds` of the table.
   */
  odds(given: OddsCall = {}): DropOdds<Label> {
    // the cast is safe: the plan has the results of the input
    return this.#law("drops.odds", given, (law, work) => dropOdds(this.plan, law, work) as DropOdds<Label>);
  }

  /**
   * Returns the exact odds of each quantity of a result in a drop, in ascending order. A drop without the result has
   * the quantity 0.
   *
   * @throws The errors of {@link odds}; RollmillError `argument.range` if there is no such result.
   */
  quantityOdds(result: Label, given: OddsCall = {}): Odds<number> {
    this.checkTurn();
    if (!this.results.includes(result)) {
      const hint = typeof result === "string" ? didYouMean(result, this.results) : {};
      fail(error("argument.range", { problem: "the drops have no such result", got: result, ...hint }));
    }
    return this.#law("drops.quantityOdds", given, (law, work) => dropQuantityOdds(this.plan, result, law, work));
  }

  #law<T>(name: string, given: OddsCall, compute: (law: RollLaw, work: Work) => T): T {
    return this.alone(() => {
      const { table, results } = this.plan;
      const work = new Work(this.name, table.spec.rows.length + results.length, readOptions(name, given, ODDS_CALL));
      // a fork has the same odds as the table, but is not busy during this call
      const odds = compute(this.#tableOf(0).law(work), work);
      work.end();
      return odds;
    });
  }

  #tableOf(roll: number): Table {
    this.#tables[roll] ??= this.#table.on(this.stream.fork(roll));
    return this.#tables[roll];
  }

  #tally(
    entries: readonly number[],
    numbers: readonly number[],
    { drops, quantities }: { readonly drops: Map<Label, number>; readonly quantities: Map<Label, number> },
  ): void {
    const addTo = (map: Map<Label, number>, result: Label, number: number) =>
      map.set(result, (map.get(result) ?? 0) + number);
    for (const entry of new Set(entries)) addTo(drops, this.results[entry], 1);
    for (const [i, entry] of entries.entries()) addTo(quantities, this.results[entry], numbers[i]);
  }

  #make(range: Range, options: LongCall): DropRolls<Dropped> {
    const { total, from } = range;
    const starts = allocateResults(total, 4, (length) => new Uint32Array(length + 1));
    const parts: DropBatch[] = [];
    let end = 0;
    this.#eachBatch(range, options, (made, done) => {
      for (const [i, entries] of made.entries.entries()) {
        end += entries.length;
        starts[done + i + 1] = end;
      }
      parts.push(made);
    });
    const entries = allocateResults(end, 8, (length) => new Uint32Array(length));
    const quantities = this.plan.hasQuantities ? new Int32Array(end) : undefined;
    let at = 0;
    for (const part of parts) {
      for (const [i, drop] of part.entries.entries()) {
        entries.set(drop, at);
        quantities?.set(part.quantities[i], at);
        at += drop.length;
      }
    }
    return new DropRolls<Dropped>({ from, starts, entries, quantities, results: this.plan.results });
  }

  #eachBatch(range: Range, options: LongCall, take: (made: DropBatch, done: number) => void): void {
    forEachBatch(range, options, (batch) => take(this.#batch(batch), batch.done));
  }

  #batch(batch: Batch): DropBatch {
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
      const made = this.#tableOf(roll).rollMany(count, { from, mode: "frozen" });
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
