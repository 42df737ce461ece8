import { KernelAmounts, type Stack, stackOf } from "../amounts/index.js";
import {
  Addressed,
  allocateResults,
  type Batch,
  BULK_OPTIONS,
  batchOfOne,
  type Counts,
  checkArray,
  checkRange,
  fillArray,
  fillColumns,
  forEachBatch,
  isWatched,
  ODDS_CALL,
  type Odds,
  type OddsCall,
  placeOf,
  type Range,
  type Setup,
  sumsByLabel,
  Work,
} from "../calls/index.js";
import { didYouMean, error, fail, readFields } from "../errors/index.js";
import { BATCH_RESULTS, BLOCK_WORDS } from "../kernel/index.js";
import { isSame, readOptions, refuseArgument } from "../spec/index.js";
import { reachableRows } from "./compile.js";
import { refuseMemory } from "./independent.js";
import { deadIssue } from "./issues.js";
import { KernelTable, liveRoller } from "./kernel.js";
import type { TableEntry } from "./list.js";
import type { ExactOdds, RollLaw } from "./odds.js";
import type { ScriptId } from "./parse/input.js";
import { type Payload, type PayloadRow, payloadRow } from "./payload.js";
import {
  type FrozenWeights,
  freeze,
  type Prepare,
  preparer,
  type Rolling,
  type RollingCache,
  TABLE_OPTIONS,
  type TableOwn,
  type TableState,
} from "./rolling.js";
import { TableRolls } from "./rolls.js";
import { isOneShot } from "./scripts.js";
import type { Ids, RollManyOptions, RollOptions, TableOdds, TableOptions, TablePlan } from "./types.js";

/** The rolls `from` … `to` − 1, made in advance. */
interface Ahead {
  readonly ids: Ids;
  readonly from: number;
  readonly to: number;
  /** The state of the table, as in `Numbered`. */
  readonly state: TableState;
  /** A call can use these rolls only if its settings are this object. */
  readonly rolling: Rolling;
  readonly byDefault: boolean;
}

type Roller = Pick<KernelTable, "roll" | "ids" | "none" | "countInto">;

interface Own extends TableOwn {
  readonly payload?: Payload | undefined;
  /** Undefined in the system `tablesWithoutOdds`. */
  readonly odds?: ExactOdds | undefined;
}

type TableShared = ReturnType<typeof shareTable>;

/** First plane of random words for quantities (docs/determinism.md). The rows that a roll visits use lower planes. */
export const QUANTITY_PLANE = 2 ** 32;

function shareTable(setup: Setup<TablePlan, TableState>) {
  const frozen = new KernelTable(setup);
  const { kernel, name, plan } = setup;
  const { quantities, results } = plan;
  return {
    frozen,
    live: liveRoller(plan, frozen),
    cache: { reach: new Map() } as RollingCache,
    hasOneShots: plan.scriptIds.some(isOneShot),
    amounts: quantities && new KernelAmounts(kernel, { amounts: quantities, plane: QUANTITY_PLANE, name }),
    nothing: results.indexOf(null),
  };
}

/** The default of the parameter `given`, so that a call without options is recognised at once. */
const NO_OPTIONS: RollOptions = Object.freeze({});
const ROLL_OPTIONS = ["at", ...TABLE_OPTIONS] as const;
const ROLL_MANY_OPTIONS = [...BULK_OPTIONS, ...TABLE_OPTIONS] as const;
const ODDS_OPTIONS = [...ODDS_CALL, ...TABLE_OPTIONS] as const;

/**
 * A table of weighted rows to roll on, in the DRDT format. Each column of a row gives a result or jumps to another row.
 * The weight of a column is fixed, or a script returns it. Each column wins with its exact probability. Roll k depends
 * only on (seed, name, k) and on the weights.
 *
 * If a call fails, it changes nothing, but its callbacks may have run. A fork has its own one-shots. Forks of
 * different tables share the shared one-shots if the forks have the same id.
 *
 * Cost: in bulk, one random word and a few loads for each row visited. For scripts, see the option `mode`.
 * Source: the DRDT page of NWAngband, 2006 (docs/formats/tables.md).
 */
export class Table<Label extends string = string, Result = string | Stack | null> extends Addressed<
  TablePlan,
  TableState
> {
  readonly #own: Own;
  readonly #shared: TableShared;
  /** Created at the first use, so that a fork costs little. */
  #settings: Prepare | undefined;
  #ahead: Ahead | undefined;

  /** @internal */
  constructor(setup: Setup<TablePlan, TableState>, own: Own, shared: TableShared = shareTable(setup)) {
    super(setup);
    this.#own = own;
    this.#shared = shared;
  }

  /** @internal */
  protected override copy(setup: Setup<TablePlan, TableState>): Table<Label, Result> {
    return new Table(setup, this.#own, this.#shared);
  }

  /** The distinct results, in order of first appearance; null for nothing. A result has one entry for each quantity. */
  get results(): readonly (Label | null)[] {
    // the cast is safe: the spec has the results of the input
    return this.plan.results as readonly (Label | null)[];
  }

  /** The distinct script ids of the table, numbers and names, in order of first appearance. */
  get scriptIds(): readonly ScriptId[] {
    return this.plan.scriptIds;
  }

  /**
   * Makes one roll and returns its result, or `{ result, quantity }` if any column of the table has a quantity. Returns
   * null if the result is null, or if the roll ends on a dead row. Without scripts, consecutive rolls come from a block
   * that is made in advance. So most calls cost one array access.
   *
   * @throws RollmillError `table.start`, `table.endless`, `table.script`, `table.unknown-script`, `table.hops`,
   * `table.dead`, `weights.overflow`; `table.live-from` if `at` is given and rolls depend on earlier rolls;
   * `argument.range`, `argument.option`, `argument.callback`, `argument.busy`, `argument.disposed`.
   */
  roll(given: RollOptions = NO_OPTIONS): Result {
    const ahead = this.#ahead;
    if (given === NO_OPTIONS && ahead?.byDefault && this.isFree) {
      const { state, from } = ahead;
      const { next } = state;
      if (next >= from && next < ahead.to && !state.isReleased) {
        // a roll that ended on a dead row has no result here, and may have to throw
        const result = this.plan.results[ahead.ids[next - from]];
        if (result !== undefined) {
          state.next = next + 1;
          // the cast is safe: `byDefault` is true only for tables without quantities
          return result as Result;
        }
      }
    }
    return this.#rollAlone(given);
  }

  /**
   * Makes `n` rolls.
   *
   * @param n - 0 … 2^42 − 1, and at most 4 GiB of ids, which have 2 or 4 bytes each ({@link TableRolls.ids}).
   * @throws The errors of {@link roll}; `table.live-from` if `from` is given and rolls depend on earlier rolls.
   */
  rollMany(n: number, given: RollManyOptions = {}): TableRolls<Result> {
    return this.#bulk("table.rollMany", given, n, (range, options) => {
      const columns = this.#allocate(n);
      const none = this.#fill(columns, range, options);
      return new TableRolls<Result>({ from: range.from, ...columns, results: this.results, none });
    });
  }

  /**
   * Fills `out` with rolls and returns it. `out` must come from `rollMany` of a table with the same results. If no
   * column of the table has a quantity, `out` can also be an array of ids ({@link TableRolls.ids}). If the call fails,
   * `out` stays unchanged.
   *
   * @throws The errors of {@link rollMany}; `argument.type` if `out` does not fit the table.
   */
  rollInto<Out extends Ids | TableRolls<Result>>(out: Out, given: RollManyOptions = {}): Out {
    this.checkTurn();
    return this.#bulk("table.rollInto", given, this.#checkOut(out), (range, options) => {
      // a call with only one batch copies it to `out` when all its rolls are made, so `out` is never half written
      const canFail = isWatched(options) || (range.from % BLOCK_WORDS) + range.total > BATCH_RESULTS;
      if (!(out instanceof TableRolls)) {
        fillArray(out as Ids, canFail, (ids) => {
          this.#eachBatch(range, options, (roller, { count, done }) => ids.set(roller.ids(count), done));
        });
        return out;
      }
      let none = 0;
      fillColumns(out, ["ids", "quantities"], canFail, (room) => {
        none = this.#fill(room, range, options);
      });
      return Object.assign(out, { from: range.from, none });
    });
  }

  /**
   * Makes `n` rolls and counts how often each result of the table occurred. Does not store the rolls.
   *
   * @throws The errors of {@link rollMany}.
   */
  count(n: number, given: RollManyOptions = {}): Counts<Label> {
    return this.#bulk("table.count", given, n, (range, options) => {
      const totals = new Float64Array(this.results.length + 1);
      this.#eachBatch(range, options, (roller, { count }) => roller.countInto(totals, count));
      const { none, sums } = sumsByLabel(this.plan.results, totals);
      return { total: n, none: none + totals[this.results.length], counts: sums as Map<Label, number> };
    });
  }

  /**
   * Returns the exact odds of a roll, under the weights that the scripts return now.
   * Cost: O(columns) operations on fractions, and up to O(m³) for a group of m rows that jump in circles, far fewer if
   * each row has few columns. The visits of the rows cost as much again when first read. Progress counts rows.
   *
   * @throws The errors of {@link roll}, except `table.hops` and `table.dead`; `odds.work`, also when the visits are
   * read; `argument.option` with `tablesWithoutOdds`.
   */
  odds(given: TableOptions & OddsCall = {}): TableOdds<Label> {
    // the cast is safe: the spec has the results of the input
    return this.#law("table.odds", given, ({ tableOdds }, start, frozen, work) =>
      tableOdds(this.plan, start, frozen, work),
    ) as TableOdds<Label>;
  }

  /**
   * Returns the exact odds of a roll as entries of a list, under the weights that the scripts return now. So a table
   * can be the `list` of `mill.pity` and `mill.noRepeats`, which call this. Cost: as for {@link odds}.
   *
   * @example mill.pity("banner", { list: table.asList({ start: "Gems" }), of: "crown", hard: 90 })
   * @throws The errors of {@link odds}; RollmillError `weights.decimals` if the common denominator of the odds exceeds
   * 2^32 − 1; `table.endless` if a roll may never end; `table.live-from` for live rolls that depend on earlier ones.
   */
  asList(given: TableOptions & OddsCall = {}): readonly TableEntry<Label, Result>[] {
    this.checkTurn();
    const options = readOptions("table.asList", given, ODDS_OPTIONS);
    if (this.hasMemory(options)) refuseMemory('Pass `table.asList({ mode: "frozen" })`, which has the weights of now');
    return this.#law("table.asList", options, ({ listOf, rollLaw }, start, frozen, work) => {
      const entries = listOf(this.plan, rollLaw(this.plan, start, frozen, work));
      work.end();
      // the cast is safe: the spec has the results of the input
      return entries as readonly TableEntry<Label, Result>[];
    });
  }

  /** @internal Whether a roll with these options changes the odds of later rolls. */
  hasMemory(options: TableOptions & OddsCall): boolean {
    const { maxWork: _, signal: __, onProgress: ___, ...rolling } = options;
    const { mode, chosen } = this.#prepare(rolling, "single");
    return mode === "live" && chosen !== undefined;
  }

  /**
   * Returns the exact odds of each quantity of a result, in ascending order, given that a roll has this result. The
   * list is empty if no roll can have the result under the present weights. Cost: as for {@link odds}.
   *
   * @throws The errors of {@link odds}; `argument.range` if the table has no such result.
   */
  quantityOdds(result: Label, given: TableOptions & OddsCall = {}): Odds<number> {
    this.checkTurn();
    this.#checkResult(result);
    return this.#law("table.quantityOdds", given, ({ tableQuantityOdds }, start, frozen, work) =>
      tableQuantityOdds(this.plan, result, start, frozen, work),
    );
  }

  /**
   * Returns the row of the payload table whose label equals the result. If no label does, reads the result as a row
   * number. Returns undefined for null, and if the payload has no row for the result.
   *
   * @param result - A result, or what {@link roll} returned.
   * @throws RollmillError `argument.option` without a payload; `argument.range` if the table has no such result;
   * `table.result` if several rows of the payload have this label.
   */
  payload(result: Label | Stack<Label> | null): PayloadRow | undefined {
    const { payload } = this.#own;
    if (payload === undefined) {
      const remedy = 'Pass the text of a payload table in the option "payload" of mill.table';
      fail(error("argument.option", { problem: "the table has no payload", remedy }));
    }
    const isStack = typeof result === "object" && result !== null;
    const label = isStack ? readFields("the result", result, ["result"]).result : result;
    if (label === null) return undefined;
    const row = typeof label === "string" ? payloadRow(payload, label) : undefined;
    if (row === undefined) this.#checkResult(label);
    return row;
  }

  #checkResult(result: Label): void {
    const labels = this.results.filter((one) => one !== null);
    if (labels.includes(result)) return;
    const problem = "the table has no such result";
    fail(error("argument.range", { problem, got: result, ...didYouMean(result, labels) }));
  }

  #law<T>(
    name: string,
    given: TableOptions & OddsCall,
    compute: (odds: ExactOdds, start: number, frozen: FrozenWeights, work: Work) => T,
  ): T {
    return this.frozen(name, given, (start, frozen, work) => compute(this.#exactOdds, start, frozen, work));
  }

  /** @internal Calls `compute` with the weights that the scripts return now. */
  frozen<T>(
    name: string,
    given: TableOptions & OddsCall,
    compute: (start: number, frozen: FrozenWeights, work: Work, plan: TablePlan) => T,
  ): T {
    return this.alone(() =>
      this.#attempt(() => {
        const { signal, onProgress, maxWork, ...options } = readOptions(name, given, ODDS_OPTIONS);
        const { start, source } = this.#prepare(options, "bulk");
        const rows = reachableRows(this.plan, start).length;
        const work = new Work(this.name, rows, { signal, onProgress, maxWork });
        return compute(start, freeze(this.plan, start, source), work, this.plan);
      }),
    );
  }

  get #exactOdds(): ExactOdds {
    const problem = "this table has no odds, because the system `tablesWithoutOdds` opened it";
    return this.#own.odds ?? fail(error("argument.option", { problem, remedy: "Open it with the system `tables`" }));
  }

  /** @internal Calls `read` with the settings of a bulk call without options, and the option `mode` of the table. */
  settled<T>(read: (plan: TablePlan, rolling: Rolling, mode: TableOptions["mode"]) => T): T {
    return this.alone(() =>
      this.#attempt(() => read(this.plan, this.#prepare(NO_OPTIONS, "bulk"), this.#own.defaults.mode)),
    );
  }

  /** @internal Returns the exact odds of every outcome of a roll, for drops. `work` counts the steps. */
  law(work: Work): RollLaw {
    return this.alone(() => {
      const { start, source } = this.#prepare(NO_OPTIONS, "bulk");
      return this.#exactOdds.rollLaw(this.plan, start, freeze(this.plan, start, source), work);
    });
  }

  /** A separate method, because its closures would make every call of `roll` slower. */
  #rollAlone(given: RollOptions): Result {
    return this.alone(() => (this.#shared.hasOneShots ? this.#attempt(() => this.#one(given)) : this.#one(given)));
  }

  #one(given: RollOptions): Result {
    const byDefault = given === NO_OPTIONS;
    const options = byDefault ? given : readOptions("table.roll", given, ROLL_OPTIONS);
    const { at } = options;
    const { state } = this;
    const index = at ?? state.next;
    checkRange(index, 1);
    // a call with "at" alone has the settings of a call without options
    const isPlain = byDefault || (at !== undefined && Object.keys(options).length === 1);
    const rolling = this.#prepare(isPlain ? NO_OPTIONS : options, "single", at);
    const inRow = at === undefined && this.isInRow();
    const id = this.#idAhead(rolling, index, { byDefault, inRow }) ?? this.#idAlone(rolling, index);
    // rolls that were made in advance did not throw on a dead row, so the error is thrown here
    if (id === this.results.length && rolling.onDead === "throw") {
      fail(deadIssue(this.plan, { start: rolling.start, index }));
    }
    const quantity = this.#shared.amounts?.one(this.stream.key, index, id);
    if (at === undefined) state.next = index + 1;
    // the cast is safe: the plan has the results and quantities of the input
    return stackOf(this.plan.results[id] ?? null, quantity) as Result;
  }

  #prepare(options: TableOptions, form: "single" | "bulk", index?: number): Rolling {
    const { plain } = this.#shared.cache;
    if (options === NO_OPTIONS && plain !== undefined) return plain;
    this.#settings ??= preparer(this.plan, this.#own, this.#shared.cache, () => this.state.oneShots());
    return this.#settings(options, form, index);
  }

  #bulk<T>(name: string, given: RollManyOptions, n: number, make: (range: Range, options: RollManyOptions) => T): T {
    const attempt = (range: Range, options: RollManyOptions) => this.#attempt(() => make(range, options));
    return this.bulk({ name, known: ROLL_MANY_OPTIONS }, given, n, attempt);
  }

  /** Calls `make`. If `make` throws, the one-shots that it used become unused again. */
  #attempt<T>(make: () => T): T {
    if (!this.#shared.hasOneShots) return make();
    try {
      return this.state.attempt(make);
    } catch (cause) {
      // the failed call may have removed the ids of the option "spent" from the state: new script sets add the ids
      // again
      this.#settings = undefined;
      throw cause;
    }
  }

  #allocate(n: number) {
    const { wide } = this.#shared.frozen;
    const hasQuantities = this.plan.quantities !== undefined;
    return allocateResults(n, (wide ? 4 : 2) + (hasQuantities ? 4 : 0), (length) => ({
      ids: wide ? new Uint32Array(length) : new Uint16Array(length),
      quantities: hasQuantities ? new Int32Array(length) : undefined,
    }));
  }

  #fill(
    { ids, quantities }: Pick<TableRolls<Result>, "ids" | "quantities">,
    range: Range,
    options: RollManyOptions,
  ): number {
    const { amounts, nothing } = this.#shared;
    let none = 0;
    this.#eachBatch(range, options, (roller, batch) => {
      const { count, done } = batch;
      none += roller.none(count);
      ids.set(roller.ids(count), done);
      const made = ids.subarray(done, done + count);
      if (nothing >= 0) for (const id of made) none += Number(id === nothing);
      if (amounts !== undefined) quantities?.set(amounts.batch(this.stream.key, batch, made), done);
    });
    return none;
  }

  #checkOut(out: Ids | TableRolls<unknown>): number {
    const { results, quantities } = this.plan;
    const columns = out instanceof TableRolls ? out : { ids: out, results, quantities: undefined };
    if (!isSame(columns.results, results) || (columns.quantities === undefined) !== (quantities === undefined)) {
      const expected = `columns that rollMany of a table with the same results${quantities === undefined ? "" : " and quantities"} returned`;
      refuseArgument("out", out, expected);
    }
    if (columns.quantities !== undefined) checkArray(columns.quantities, ["Int32Array"]);
    return checkArray(columns.ids, this.#shared.frozen.wide ? ["Uint32Array"] : ["Uint16Array", "Uint32Array"]);
  }

  #eachBatch(range: Range, options: RollManyOptions, take: (roller: Roller, batch: Batch) => void): void {
    const rolling = this.#prepare(options, "bulk", options.from);
    const roller: Roller = rolling.mode === "frozen" ? this.#shared.frozen : this.#shared.live;
    forEachBatch(range, options, (batch) => {
      roller.roll(this.stream.key, rolling, batch);
      take(roller, batch);
    });
  }

  #idAlone(rolling: Rolling, index: number): number {
    if (rolling.mode === "live") return this.#shared.live.rollOne(this.stream.key, rolling, index);
    this.#shared.frozen.roll(this.stream.key, rolling, batchOfOne(index));
    return this.#shared.frozen.firstId;
  }

  /** Returns the id of roll `index` from a block made in advance; undefined if the block cannot be made. */
  #idAhead(
    rolling: Rolling,
    index: number,
    { byDefault, inRow }: { readonly byDefault: boolean; readonly inRow: boolean },
  ): number | undefined {
    if (rolling.scripted || rolling.mode === "live") return undefined;
    const { block, offset } = placeOf(index);
    const ahead = this.#ahead;
    const from = block * BLOCK_WORDS;
    if (ahead?.from === from && ahead.rolling === rolling) return ahead.ids[offset];
    if (!inRow) return undefined;
    try {
      // a roll that ends on a dead row must not throw here, because it may be a roll that was not requested
      const lenient: Rolling = { ...rolling, onDead: "null" };
      this.#shared.frozen.roll(this.stream.key, lenient, { block, offset: 0, count: BLOCK_WORDS, done: 0 });
    } catch {
      // another roll of the block may have failed, so the caller makes the requested roll alone
      return undefined;
    }
    const ids = this.#shared.frozen.ids(BLOCK_WORDS).slice();
    const isPlain = this.#shared.amounts === undefined;
    const { state } = this;
    this.#ahead = { ids, from, to: from + BLOCK_WORDS, state, rolling, byDefault: byDefault && isPlain };
    return ids[offset];
  }
}
