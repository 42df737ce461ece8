import { allocateResults, type Batch, checkRange, forEachBatch } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import type { Kernel } from "../kernel/index.js";
import { BATCH_RESULTS, BLOCK_WORDS } from "../kernel/index.js";
import { type Caller, NO_OPTIONS, type Rolling } from "./caller.js";
import { KernelTable } from "./kernelTable.js";
import { LiveRoller } from "./liveRoller.js";
import { resultsInReach, type TableOdds, tableOdds } from "./odds.js";
import type { RollOptions, TableOptions } from "./options.js";
import type { TablePlan } from "./types.js";
import { freeze } from "./weigh.js";

/** Rolls as ids. */
type Ids = Uint16Array | Uint32Array;

/** The rolls of one block, made ahead of being asked for. */
interface Ahead {
  readonly ids: Ids;
  readonly block: number;
  /** What they were made by: the same object for calls whose rolls are the same. */
  readonly rolling: Rolling;
  /** Whether that is what a call without options comes to. */
  readonly byDefault: boolean;
}

/** Either way to make a batch of rolls. */
interface Roller {
  /** Makes the batch; throws what a roll of it fails with. */
  roll(rolling: Rolling, batch: Batch): void;
  /** The last batch's ids; a view until the next. */
  ids(count: number): Ids;
  /** How many of the last batch's rolls are dead. */
  dead(count: number): number;
  /** Adds the last batch to the totals by id. */
  countInto(totals: Float64Array, count: number): void;
}

/** Many rolls: `results[ids[k]]` is roll k's result, and an id of `results.length` is a dead roll. */
export interface TableRolls {
  /** One id a roll; 2 bytes wide where the table has fewer than 32,767 results and rows. */
  readonly ids: Uint16Array | Uint32Array;
  /** The table's distinct results, in order of first appearance. */
  readonly results: readonly string[];
  /** Dead rolls among them. */
  readonly dead: number;
}

/** Rolls counted by result. */
export interface TableCounts {
  readonly rolls: number;
  /** How often each result in reach came up, in order of first appearance, 0 included. */
  readonly counts: ReadonlyMap<string, number>;
  readonly dead: number;
}

/**
 * A table to roll: DRDT rows with weights, jumps and script weights. Roll k is a function of (seed, name, k) and of the
 * weights alone; each hop wins with its exact probability.
 *
 * Cost: about 2.5 ns a roll for a table of the seed's size in bulk, one word a row visited; see {@link TableOptions.mode}
 * for scripts. A call that fails changes nothing but what its own callbacks did.
 * Source: the DRDT page of NWAngband, 2006 (docs/formats.md).
 */
export class Table {
  readonly name: string;
  /** Index of the next roll. */
  next = 0;
  readonly #plan: TablePlan;
  readonly #caller: Caller;
  readonly #frozen: KernelTable;
  readonly #live: LiveRoller;
  #ahead: Ahead | undefined;

  /** @internal */
  constructor(kernel: Kernel, plan: TablePlan, setup: { name: string; purpose: number; caller: Caller }) {
    this.name = setup.name;
    this.#plan = plan;
    this.#caller = setup.caller;
    this.#frozen = new KernelTable(kernel, plan, setup);
    this.#live = new LiveRoller(kernel, plan, setup.purpose);
  }

  /** The one-shots that it has spent, for a snapshot. */
  state(): unknown {
    return [...this.#caller.oneShots.own];
  }

  /** The table's distinct results, in order of first appearance. */
  get results(): readonly string[] {
    return this.#plan.results;
  }

  /** The distinct script ids that stand in the table, in order of first appearance. */
  get scriptIds(): readonly number[] {
    return this.#plan.scriptIds;
  }

  /**
   * One roll: its result, or null where it is dead. Rolls of a table without scripts are made 1,024 ahead, so that a call
   * is an array access.
   *
   * @throws RollmillError `table.start`, `table.endless`, `table.script`, `table.hops`, `table.dead`, `table.live-from`,
   * `argument.range`.
   */
  roll(options: RollOptions = NO_OPTIONS): string | null {
    const ahead = this.#ahead;
    if (options === NO_OPTIONS && ahead?.byDefault) {
      const result = this.results[ahead.ids[this.next - ahead.block * BLOCK_WORDS]];
      if (result !== undefined) {
        this.next++;
        return result;
      }
    }
    const index = options.from ?? this.next;
    checkRange(index, 1);
    const rolling = this.#caller.prepare(options, { single: true });
    const id = this.#idAhead(rolling, index, { byDefault: options === NO_OPTIONS }) ?? this.#idOf(rolling, index);
    if (id === this.results.length) this.#refuseDead(rolling, index);
    if (options.from === undefined) this.next = index + 1;
    return this.results[id] ?? null;
  }

  /**
   * `count` rolls.
   *
   * @throws RollmillError as {@link roll}.
   */
  rollMany(count: number, options: RollOptions = NO_OPTIONS): TableRolls {
    checkRange(options.from ?? this.next, count);
    const ids = allocateResults(count, (n) => (this.#frozen.wide ? new Uint32Array(n) : new Uint16Array(n)));
    return { ids, results: this.results, dead: this.#rollAll(ids, options) };
  }

  /**
   * Fills `out` with ids, as {@link TableRolls} has them; returns how many rolls were dead. A call that fails leaves `out`
   * as it was.
   *
   * @throws RollmillError as {@link roll}; `argument.type` for a Uint16Array where ids need 4 bytes.
   */
  rollInto(out: Ids, options: RollOptions = NO_OPTIONS): number {
    if (out.BYTES_PER_ELEMENT === 2 && this.#frozen.wide) {
      const problem = `${this.results.length} results do not fit 16 bits`;
      fail(error("argument.type", { problem, got: "a Uint16Array", expected: "a Uint32Array" }));
    }
    // one batch is copied out once it is made; of several, a later one may still fail
    if (((options.from ?? this.next) % BLOCK_WORDS) + out.length <= BATCH_RESULTS) return this.#rollAll(out, options);
    const ids = out.BYTES_PER_ELEMENT === 2 ? new Uint16Array(out.length) : new Uint32Array(out.length);
    const dead = this.#rollAll(ids, options);
    out.set(ids);
    return dead;
  }

  /**
   * `count` rolls, counted by result with no array in between.
   *
   * @throws RollmillError as {@link roll}.
   */
  count(count: number, options: RollOptions = NO_OPTIONS): TableCounts {
    const totals = new Float64Array(this.results.length + 1);
    const rolling = this.#eachBatch(count, options, (roller, batch) => roller.countInto(totals, batch.count));
    const inReach = resultsInReach(this.#plan, rolling.start);
    const counts = new Map(inReach.map((id) => [this.results[id], totals[id]]));
    return { rolls: count, counts, dead: totals[this.results.length] };
  }

  /**
   * The exact odds of a roll, as fractions, under the weights that the scripts answer now.
   *
   * @throws RollmillError as {@link roll}, but for `table.hops` and `table.dead`.
   */
  odds(options: TableOptions = NO_OPTIONS): TableOdds {
    const { start, source } = this.#caller.prepare(options, { single: false });
    return tableOdds(this.#plan, start, freeze(this.#plan, start, source));
  }

  #rollAll(ids: Ids, options: RollOptions): number {
    let dead = 0;
    this.#eachBatch(ids.length, options, (roller, { count, done }) => {
      dead += roller.dead(count);
      ids.set(roller.ids(count), done);
    });
    return dead;
  }

  #eachBatch(total: number, options: RollOptions, take: (roller: Roller, batch: Batch) => void): Rolling {
    const from = options.from ?? this.next;
    checkRange(from, total);
    const rolling = this.#caller.prepare(options, { single: false });
    const roller = rolling.mode === "frozen" ? this.#frozen : this.#live;
    forEachBatch({ from, total }, options, (batch) => {
      roller.roll(rolling, batch);
      const dead = rolling.onDead === "throw" ? roller.ids(batch.count).indexOf(this.results.length) : -1;
      if (dead >= 0) this.#refuseDead(rolling, from + batch.done + dead);
      take(roller, batch);
    });
    if (options.from === undefined) this.next = from + total;
    return rolling;
  }

  #idOf(rolling: Rolling, index: number): number {
    if (rolling.mode === "live") return this.#live.rollOne(rolling, index);
    const block = Math.floor(index / BLOCK_WORDS);
    this.#frozen.roll(rolling, { block, offset: index % BLOCK_WORDS, count: 1, done: 0 });
    return this.#frozen.ids(1)[0];
  }

  /** A roll's id from the 1,024 rolls around it, which are made at once; undefined where they cannot be. */
  #idAhead(rolling: Rolling, index: number, { byDefault }: { readonly byDefault: boolean }): number | undefined {
    if (rolling.scripted || rolling.mode === "live") return undefined;
    const block = Math.floor(index / BLOCK_WORDS);
    const held = this.#ahead;
    if (held?.block === block && held.rolling === rolling) return held.ids[index % BLOCK_WORDS];
    try {
      this.#frozen.roll(rolling, { block, offset: 0, count: BLOCK_WORDS, done: 0 });
    } catch {
      // another roll of the block failed: this one is made by itself, and may not
      return undefined;
    }
    const ids = this.#frozen.ids(BLOCK_WORDS).slice();
    this.#ahead = { ids, block, rolling, byDefault };
    return ids[index % BLOCK_WORDS];
  }

  #refuseDead({ onDead, start }: Rolling, index: number): void {
    if (onDead !== "throw") return;
    const problem = `table ${this.name}: roll ${index} from row ${start} is dead: it came to a row without any weight`;
    const remedy = 'Take null for an answer (onDead: "null"), or give every row in reach a positive weight';
    fail(error("table.dead", { problem, remedy }));
  }
}
