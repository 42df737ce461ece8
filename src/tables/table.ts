import type { ForkId } from "../address.js";
import {
  Addressed,
  allocateResults,
  type Batch,
  type Branch,
  BULK_OPTIONS,
  type Counts,
  checkOptions,
  checkRange,
  forEachBatch,
  placeOf,
  type Setup,
} from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { BATCH_RESULTS, BLOCK_WORDS } from "../kernel/index.js";
import { deadIssue } from "./issues.js";
import { KernelTable } from "./kernel.js";
import { LiveRoller } from "./live.js";
import { resultsInReach, tableOdds } from "./odds.js";
import { type Rolling, Rollings, TABLE_OPTIONS, type TableOwn, type TableState } from "./rolling.js";
import { TableRolls } from "./rolls.js";
import type { Ids, RollManyOptions, RollOptions, TableOdds, TableOptions, TablePlan } from "./types.js";
import { freeze } from "./weights.js";

/** The rolls of one block, made in advance. */
interface Ahead {
  readonly ids: Ids;
  readonly block: number;
  /** The same object for calls whose rolls are the same. */
  readonly rolling: Rolling;
  /** Whether calls without options give these rolls. */
  readonly byDefault: boolean;
}

/** One of the two ways to make a batch of rolls: in the kernel, or live. */
type Roller = Pick<KernelTable, "roll" | "ids" | "none" | "countInto">;

/** A call without options passes this object, so that recognising it costs one comparison. */
const NO_OPTIONS: RollOptions = Object.freeze({});
const ROLL_OPTIONS = ["at", ...TABLE_OPTIONS] as const;
const ROLL_MANY_OPTIONS = [...BULK_OPTIONS, ...TABLE_OPTIONS] as const;

/**
 * A table to roll: DRDT rows with weights, jumps and script weights. Roll k is a function of (seed, name, k) and of the
 * weights alone; each hop wins with its exact probability.
 *
 * Cost: one word and a few loads a row visited in bulk; see {@link TableOptions.mode} for scripts. A call that fails
 * changes nothing, except what its own callbacks did. Source: the DRDT page of NWAngband, 2006 (docs/formats.md).
 */
export class Table extends Addressed<TablePlan, TableState> {
  readonly #own: TableOwn;
  /** Set at the first use, because it reads the state. */
  #rollings: Rollings | undefined;
  readonly #frozen: KernelTable;
  readonly #live: LiveRoller;
  #ahead: Ahead | undefined;

  /** @internal */
  constructor(setup: Setup<TablePlan, TableState>, own: TableOwn, frozen = new KernelTable(setup)) {
    super(setup);
    this.#own = own;
    this.#frozen = frozen;
    this.#live = new LiveRoller(setup.plan, frozen);
  }

  override fork(id: ForkId): Table {
    return this.on(this.stream.fork(id));
  }

  /** @internal */
  override on(stream: Branch<TableState>): Table {
    return new Table(this.setupOn(stream), this.#own, this.#frozen);
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
   * One roll: its result, or null if it ends on a dead row. Without scripts, rolls in a row come from a block that is
   * made in advance, so a call costs an array access.
   *
   * @throws RollmillError `table.start`, `table.endless`, `table.script`, `table.unknown-script`, `table.hops`,
   * `table.dead`, `weights.overflow`; `table.live-from` if `at` is given and rolls depend on earlier ones;
   * `argument.range`, `argument.option`.
   */
  roll(options: RollOptions = NO_OPTIONS): string | null {
    const byDefault = options === NO_OPTIONS;
    const ahead = this.#ahead;
    if (byDefault && ahead?.byDefault) {
      const result = this.plan.results[ahead.ids[this.state.next - ahead.block * BLOCK_WORDS]];
      if (result !== undefined) {
        this.state.next++;
        return result;
      }
    }
    if (!byDefault) checkOptions("roll", options, ROLL_OPTIONS);
    const index = options.at ?? this.state.next;
    checkRange(index, 1);
    const rolling = this.#prepare(options, "single", options.at);
    const inRow = options.at === undefined && this.isInRow();
    const id = this.#idAhead(rolling, index, { byDefault, inRow }) ?? this.#idOf(rolling, index);
    if (id === this.results.length) this.#acceptDead(rolling, index);
    if (options.at === undefined) this.state.next = index + 1;
    return this.results[id] ?? null;
  }

  /**
   * `n` rolls.
   *
   * @param n - 0 … 2^42 − 1, and no more than fit in memory.
   * @throws RollmillError as {@link roll}; `table.live-from` concerns `from`.
   */
  rollMany(n: number, options: RollManyOptions = {}): TableRolls {
    const from = this.#checkBulk("rollMany", n, options);
    const ids = allocateResults(n, (length) => (this.#frozen.wide ? new Uint32Array(length) : new Uint16Array(length)));
    let none = 0;
    this.#eachBatch(n, options, (roller, { count, done }) => {
      none += roller.none(count);
      ids.set(roller.ids(count), done);
    });
    return new TableRolls({ from, ids, results: this.results, none });
  }

  /**
   * Fills `out` with ids, as {@link TableRolls.ids}, and returns it. A call that fails leaves `out` as it was.
   *
   * @throws RollmillError as {@link rollMany}; `argument.type` for a Uint16Array if ids need 4 bytes.
   */
  rollInto<Out extends Ids>(out: Out, options: RollManyOptions = {}): Out {
    const from = this.#checkBulk("rollInto", out.length, options);
    if (out.BYTES_PER_ELEMENT === 2 && this.#frozen.wide) {
      const problem = `${this.results.length} results do not fit 16 bits`;
      fail(error("argument.type", { problem, got: "a Uint16Array", expected: "a Uint32Array" }));
    }
    // a batch is copied when it is complete; after the first of several batches a later one may still fail
    const single = (from % BLOCK_WORDS) + out.length <= BATCH_RESULTS;
    const ids = single ? out : arrayLike(out);
    this.#eachBatch(out.length, options, (roller, { count, done }) => ids.set(roller.ids(count), done));
    if (!single) out.set(ids);
    return out;
  }

  /**
   * Counts the results of `n` rolls, without an array of rolls in between. The counts list every result that the start
   * row can reach.
   *
   * @throws RollmillError as {@link rollMany}.
   */
  count(n: number, options: RollManyOptions = {}): Counts<string> {
    this.#checkBulk("count", n, options);
    const totals = new Float64Array(this.results.length + 1);
    const { start } = this.#eachBatch(n, options, (roller, { count }) => roller.countInto(totals, count));
    const counts = new Map(resultsInReach(this.plan, start).map((id) => [this.results[id], totals[id]]));
    return { total: n, none: totals[this.results.length], counts };
  }

  /**
   * The exact odds of a roll, under the weights that the scripts return now.
   *
   * Cost: O(columns) operations on fractions, and up to O(m³) for each group of m rows that jump in circles; far fewer if
   * each row has few columns.
   *
   * @throws RollmillError as {@link roll}, except `table.hops` and `table.dead`.
   */
  odds(options: TableOptions = NO_OPTIONS): TableOdds {
    checkOptions("odds", options, TABLE_OPTIONS);
    const { start, source } = this.#prepare(options, "bulk");
    return tableOdds(this.plan, start, freeze(this.plan, start, source));
  }

  #prepare(options: TableOptions, form: "single" | "bulk", index?: number): Rolling {
    this.#rollings ??= new Rollings(this.plan, { ...this.#own, oneShots: () => this.state.oneShots() });
    return this.#rollings.prepare(options, form, index);
  }

  /** Checks a bulk call and returns the index of its first roll. */
  #checkBulk(call: string, n: number, options: RollManyOptions): number {
    checkOptions(call, options, ROLL_MANY_OPTIONS);
    const from = options.from ?? this.state.next;
    checkRange(from, n);
    return from;
  }

  #eachBatch(n: number, options: RollManyOptions, take: (roller: Roller, batch: Batch) => void): Rolling {
    const from = options.from ?? this.state.next;
    const rolling = this.#prepare(options, "bulk", options.from);
    const roller: Roller = rolling.mode === "frozen" ? this.#frozen : this.#live;
    forEachBatch({ from, total: n }, options, (batch) => {
      roller.roll(this.stream.key, rolling, batch);
      const dead = rolling.onDead === "throw" ? roller.ids(batch.count).indexOf(this.results.length) : -1;
      if (dead >= 0) this.#acceptDead(rolling, from + batch.done + dead);
      take(roller, batch);
    });
    if (options.from === undefined) this.state.next = from + n;
    return rolling;
  }

  #idOf(rolling: Rolling, index: number): number {
    if (rolling.mode === "live") return this.#live.rollOne(this.stream.key, rolling, index);
    this.#frozen.roll(this.stream.key, rolling, { ...placeOf(index), count: 1, done: 0 });
    return this.#frozen.ids(1)[0];
  }

  /** The id of a roll from the rolls of its block, which are made together; undefined if they are not or cannot be. */
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
      this.#frozen.roll(this.stream.key, rolling, { block, offset: 0, count: BLOCK_WORDS, done: 0 });
    } catch {
      // another roll of the block failed: this roll, made alone, may not
      return undefined;
    }
    const ids = this.#frozen.ids(BLOCK_WORDS).slice();
    this.#ahead = { ids, block, rolling, byDefault };
    return ids[offset];
  }

  #acceptDead({ onDead, start }: Rolling, index: number): void {
    if (onDead === "throw") fail(deadIssue(this.plan, { start, index }));
  }
}

/** An array of the kind and length of `out`. */
function arrayLike(out: Ids): Ids {
  return allocateResults(out.length, (n) => (out.BYTES_PER_ELEMENT === 2 ? new Uint16Array(n) : new Uint32Array(n)));
}
