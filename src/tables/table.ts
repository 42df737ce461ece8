import type { ForkId } from "../address.js";
import {
  Addressed,
  allocateResults,
  type Batch,
  type Branch,
  BULK_OPTIONS,
  type Counts,
  checkArray,
  checkRange,
  fillArray,
  forEachBatch,
  isWatched,
  type LongCall,
  placeOf,
  type Range,
  type Setup,
  Watch,
} from "../calls/index.js";
import { fail } from "../errors/index.js";
import { BATCH_RESULTS, BLOCK_WORDS } from "../kernel/index.js";
import { readOptions } from "../spec/index.js";
import { deadIssue } from "./issues.js";
import { KernelTable } from "./kernel.js";
import { LiveRoller } from "./live.js";
import { resultsInReach, tableOdds } from "./odds.js";
import { reachableRows } from "./reach.js";
import { type Rolling, RollingCache, Rollings, TABLE_OPTIONS, type TableOwn, type TableState } from "./rolling.js";
import { TableRolls } from "./rolls.js";
import { isOneShot } from "./scripts.js";
import type { Ids, RollManyOptions, RollOptions, TableOdds, TableOptions, TablePlan } from "./types.js";
import { freeze } from "./weights.js";

/** The rolls of one block (1,024 consecutive indices), made in advance. */
interface Ahead {
  readonly ids: Ids;
  readonly block: number;
  /** The settings of these rolls. Only a call with the same settings object can use the rolls. */
  readonly rolling: Rolling;
  /** Whether a call without options can use the rolls. */
  readonly byDefault: boolean;
  /** The state of the table, here because a call in a row then finds it without a lookup. */
  readonly state: TableState;
}

/** One of the two ways to make a batch of rolls: in the kernel, or live. */
type Roller = Pick<KernelTable, "roll" | "ids" | "none" | "countInto">;

/** What a table and its forks share. */
interface TableShared {
  readonly frozen: KernelTable;
  readonly live: LiveRoller;
  readonly cache: RollingCache;
  /** Whether a roll can use a built-in one-shot. */
  readonly hasOneShots: boolean;
}

function shareTable(setup: Setup<TablePlan, TableState>): TableShared {
  const frozen = new KernelTable(setup);
  const hasOneShots = setup.plan.scriptIds.some(isOneShot);
  return { frozen, live: new LiveRoller(setup.plan, frozen), cache: new RollingCache(), hasOneShots };
}

/** A call without options passes this object, so that recognising it costs one comparison. */
const NO_OPTIONS: RollOptions = Object.freeze({});
const ROLL_OPTIONS = ["at", ...TABLE_OPTIONS] as const;
const ROLL_MANY_OPTIONS = [...BULK_OPTIONS, ...TABLE_OPTIONS] as const;
const ODDS_OPTIONS = ["signal", "onProgress", ...TABLE_OPTIONS] as const;

/**
 * A table of weighted rows to roll on, in the DRDT format. Each column of a row gives a result or jumps to another row.
 * The weight of a column is fixed, or a script returns it. Roll k depends only on (seed, name, k) and on the weights.
 * Each column wins with its exact probability.
 *
 * Cost: in bulk, one random word and a few loads for each row visited; see {@link TableOptions.mode} for scripts. A
 * call that fails changes nothing, but its callbacks may have run. Source: the DRDT page of NWAngband, 2006
 * (docs/formats.md).
 */
export class Table extends Addressed<TablePlan, TableState> {
  readonly #own: TableOwn;
  readonly #shared: TableShared;
  /** Set at the first use, because it reads the state. */
  #rollings: Rollings | undefined;
  #ahead: Ahead | undefined;

  /** @internal */
  constructor(setup: Setup<TablePlan, TableState>, own: TableOwn, shared: TableShared = shareTable(setup)) {
    super(setup);
    this.#own = own;
    this.#shared = shared;
  }

  /**
   * Returns the same table on a child stream: other random words, a separate state, the same plan.
   *
   * Its one-shots are its own; shared one-shots are those of all tables that were forked by the same ids.
   *
   * @param id - A text; a safe integer or a bigint of 64 bits; or a pair of 32-bit integers, such as coordinates.
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  override fork(id: ForkId): Table {
    return this.on(this.stream.fork(id));
  }

  /** @internal */
  override on(stream: Branch<TableState>): Table {
    return new Table(this.setupOn(stream), this.#own, this.#shared);
  }

  /** The distinct results of the table, in order of first appearance. */
  get results(): readonly string[] {
    return this.plan.results;
  }

  /** The distinct script ids of the table, in order of first appearance. */
  get scriptIds(): readonly number[] {
    return this.plan.scriptIds;
  }

  /**
   * Makes one roll and returns its result, or null if the roll ends on a dead row. Without scripts, consecutive rolls
   * come from a block that is made in advance, so most calls cost one array access.
   *
   * @throws RollmillError `table.start`, `table.endless`, `table.script`, `table.unknown-script`, `table.hops`,
   * `table.dead`, `weights.overflow`; `table.live-from` if `at` is given and rolls depend on earlier rolls;
   * `argument.range`, `argument.option`, `argument.callback`, `argument.busy`, `argument.disposed`.
   */
  roll(given: RollOptions = NO_OPTIONS): string | null {
    const ahead = this.#ahead;
    if (given === NO_OPTIONS && ahead?.byDefault && this.isFree) {
      const { state } = ahead;
      const result = this.plan.results[ahead.ids[state.next - ahead.block * BLOCK_WORDS]];
      if (result !== undefined) {
        state.next++;
        return result;
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
  rollMany(n: number, given: RollManyOptions = {}): TableRolls {
    return this.#bulk(
      "table.rollMany",
      given,
      () => n,
      (range, options) => {
        const { wide } = this.#shared.frozen;
        const ids = allocateResults(n, wide ? 4 : 2, (length) =>
          wide ? new Uint32Array(length) : new Uint16Array(length),
        );
        let none = 0;
        this.#eachBatch(range, options, (roller, { count, done }) => {
          none += roller.none(count);
          ids.set(roller.ids(count), done);
        });
        return new TableRolls({ from: range.from, ids, results: this.results, none });
      },
    );
  }

  /**
   * Fills `out` with the ids of rolls, as in {@link TableRolls.ids}, and returns `out`. A call that fails leaves `out`
   * unchanged.
   *
   * @throws The errors of {@link rollMany}; `argument.type` for a Uint16Array if ids need 4 bytes.
   */
  rollInto<Out extends Ids>(out: Out, given: RollManyOptions = {}): Out {
    const types = () =>
      this.#shared.frozen.wide ? (["Uint32Array"] as const) : (["Uint16Array", "Uint32Array"] as const);
    return this.#bulk(
      "table.rollInto",
      given,
      () => checkArray(out, types()),
      (range, options) => {
        // the only batch of a call is complete before it is copied
        const canFail = isWatched(options) || (range.from % BLOCK_WORDS) + range.total > BATCH_RESULTS;
        return fillArray(out, canFail, (room) => {
          this.#eachBatch(range, options, (roller, { count, done }) => room.set(roller.ids(count), done));
        });
      },
    );
  }

  /**
   * Makes `n` rolls and counts their results, without an array of rolls. The counts list every result that a roll from
   * the start row can reach.
   *
   * @throws The errors of {@link rollMany}.
   */
  count(n: number, given: RollManyOptions = {}): Counts<string> {
    return this.#bulk(
      "table.count",
      given,
      () => n,
      (range, options) => {
        const totals = new Float64Array(this.results.length + 1);
        const { start } = this.#eachBatch(range, options, (roller, { count }) => roller.countInto(totals, count));
        const counts = new Map(resultsInReach(this.plan, start).map((id) => [this.results[id], totals[id]]));
        return { total: n, none: totals[this.results.length], counts };
      },
    );
  }

  /**
   * Returns the exact odds of a roll, under the weights that the scripts return now.
   *
   * Cost: O(columns) operations on fractions. Each group of m rows that jump in circles costs at most O(m³) more
   * operations, and far fewer if each of its rows has few columns.
   *
   * @throws The errors of {@link roll}, except `table.hops` and `table.dead`.
   */
  odds(given: TableOptions & LongCall = {}): TableOdds {
    return this.alone(() =>
      this.#attempt(() => {
        const { signal, onProgress, ...options } = readOptions("table.odds", given, ODDS_OPTIONS);
        const { start, source } = this.#prepare(options, "bulk");
        const watch = new Watch(this.name, reachableRows(this.plan, start).length, { signal, onProgress });
        return tableOdds(this.plan, start, freeze(this.plan, start, source, watch), watch);
      }),
    );
  }

  /** Does {@link roll} if no roll was made in advance. Not inside `roll`, where each call would create the closures. */
  #rollAlone(given: RollOptions): string | null {
    return this.alone(() => (this.#shared.hasOneShots ? this.#attempt(() => this.#one(given)) : this.#one(given)));
  }

  #one(given: RollOptions): string | null {
    const byDefault = given === NO_OPTIONS;
    const options = byDefault ? given : readOptions("table.roll", given, ROLL_OPTIONS);
    const { at } = options;
    const { state } = this;
    const index = at ?? state.next;
    checkRange(index, 1);
    const rolling = this.#prepare(options, "single", at);
    const inRow = at === undefined && this.isInRow();
    const id = this.#idAhead(rolling, index, { byDefault, inRow }) ?? this.#idOf(rolling, index);
    // a block that was made in advance may have dead rolls
    if (id === this.results.length && rolling.onDead === "throw") {
      fail(deadIssue(this.plan, { start: rolling.start, index }));
    }
    if (at === undefined) state.next = index + 1;
    return this.results[id] ?? null;
  }

  #prepare(options: TableOptions, form: "single" | "bulk", index?: number): Rolling {
    const { plain } = this.#shared.cache;
    if (options === NO_OPTIONS && plain !== undefined) return plain;
    this.#rollings ??= new Rollings(this.plan, {
      ...this.#own,
      oneShots: () => this.state.oneShots(),
      cache: this.#shared.cache,
    });
    return this.#rollings.prepare(options, form, index);
  }

  /** Runs a bulk call. If it throws, the one-shots that it has used are unused again. */
  #bulk<T>(
    name: string,
    given: RollManyOptions,
    n: () => number,
    make: (range: Range, options: RollManyOptions) => T,
  ): T {
    const attempt = (range: Range, options: RollManyOptions) => this.#attempt(() => make(range, options));
    return this.bulk({ name, given, known: ROLL_MANY_OPTIONS }, n, attempt);
  }

  /** Makes rolls. If it throws, the one-shots that they have used are unused again. */
  #attempt<T>(make: () => T): T {
    if (!this.#shared.hasOneShots) return make();
    try {
      return this.state.attempt(make);
    } catch (cause) {
      // the sets of scripts put the ids of the option "spent" into the state, which no longer has them
      this.#rollings = undefined;
      throw cause;
    }
  }

  #eachBatch(range: Range, options: RollManyOptions, take: (roller: Roller, batch: Batch) => void): Rolling {
    const rolling = this.#prepare(options, "bulk", options.from);
    const roller: Roller = rolling.mode === "frozen" ? this.#shared.frozen : this.#shared.live;
    forEachBatch(range, options, (batch, watch) => {
      roller.roll(this.stream.key, rolling, batch, watch);
      take(roller, batch);
    });
    return rolling;
  }

  #idOf(rolling: Rolling, index: number): number {
    if (rolling.mode === "live") return this.#shared.live.rollOne(this.stream.key, rolling, index);
    this.#shared.frozen.roll(this.stream.key, rolling, { ...placeOf(index), count: 1, done: 0 });
    return this.#shared.frozen.ids(1)[0];
  }

  /**
   * Makes all rolls of the block that contains roll `index`, unless they are made already, and returns the id of this
   * roll. Returns undefined if the block cannot be made in advance.
   */
  #idAhead(
    rolling: Rolling,
    index: number,
    { byDefault, inRow }: { readonly byDefault: boolean; readonly inRow: boolean },
  ): number | undefined {
    if (rolling.scripted || rolling.mode === "live") return undefined;
    const { block, offset } = placeOf(index);
    const ahead = this.#ahead;
    if (ahead?.block === block && ahead.rolling === rolling) return ahead.ids[offset];
    if (!inRow) return undefined;
    try {
      // another roll of the block may end on a dead row
      const lenient: Rolling = { ...rolling, onDead: "null" };
      this.#shared.frozen.roll(this.stream.key, lenient, { block, offset: 0, count: BLOCK_WORDS, done: 0 });
    } catch {
      // A roll of the block failed. The requested roll may succeed when it is made alone.
      return undefined;
    }
    const ids = this.#shared.frozen.ids(BLOCK_WORDS).slice();
    this.#ahead = { ids, block, rolling, byDefault, state: this.state };
    return ids[offset];
  }
}
