import { checkInteger } from "../calls/index.js";
import { alwaysFilled, type RecipeLayout } from "./layout.js";
import { Namer } from "./names.js";
import { gateName } from "./program.js";
import type { SlotsStepSpec } from "./types.js";

/** A number for each item: i16 where the stat can never leave its range, else i32. */
export type StatColumn = Int16Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** What became of the requests: slots by name. */
export interface RequestReport {
  /** Slots whose word exists: every item has it. */
  readonly met: readonly string[];
  /** Slots whose word does not exist: they were rolled as if nothing had been asked. */
  readonly unknown: readonly string[];
}

/** An item: its name, its stats as numbers in their shortest decimal form, and what became of the requests. */
export interface ItemRow {
  readonly name: string;
  readonly requests: RequestReport;
  readonly [stat: string]: unknown;
}

/**
 * Made items as columns; entry k of each is item {@link from} + k. Names are composed when they are read.
 *
 * Memory: 2 bytes an item for each slot, condition and bonus, and 2 (or 4, see {@link StatColumn}) for each stat.
 */
export class Items {
  /** Index of the first item. */
  from = 0;
  /** How many. */
  readonly length: number;
  /** By slot: 0 is empty, else an index into the slot's {@link vocabulary}. */
  readonly words: Readonly<Record<string, Uint16Array<ArrayBuffer>>>;
  /** By step. A condition: 0 lowered, 1 raised, 2 doubled. A bonus: 0 none, i for rung i − 1 of the ladder. */
  readonly outcomes: Readonly<Record<string, Uint16Array<ArrayBuffer>>>;
  /** By stat, in units of 10^−{@link decimals}. */
  readonly stats: Readonly<Record<string, StatColumn>>;
  /** By stat: its decimal places. */
  readonly decimals: Readonly<Record<string, number>>;
  /** By slot: "", the words of its table by id, and (where it has a special) the special's word once more. */
  readonly vocabulary: Readonly<Record<string, readonly string[]>>;
  /** What became of the requests. */
  requests: RequestReport = { met: [], unknown: [] };
  /** @internal Columns by the name of the kernel's column. */
  readonly columns: ReadonlyMap<string, Uint16Array<ArrayBuffer>>;
  readonly #layout: RecipeLayout;
  #namer: Namer | undefined;

  /** @internal */
  constructor(layout: RecipeLayout, length: number) {
    const { spec, columns, stats } = layout;
    this.#layout = layout;
    this.length = length;
    this.columns = new Map([...columns.keys()].map((name) => [name, new Uint16Array(length)]));
    const column = (name: string) => [name, this.columns.get(name) ?? new Uint16Array(length)] as const;
    const slots = spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots : []));
    const outcomes = spec.steps.filter(({ kind }) => kind !== "slots");
    this.words = Object.fromEntries(slots.map(({ slot }) => column(slot)));
    this.outcomes = Object.fromEntries(outcomes.map(({ name }) => column(name)));
    this.stats = Object.fromEntries(
      stats.map(({ name, narrow }) => [name, narrow ? new Int16Array(length) : new Int32Array(length)]),
    );
    this.decimals = Object.fromEntries(stats.map(({ name, decimals }) => [name, decimals]));
    this.vocabulary = layout.vocabulary;
  }

  /** @internal Whether a recipe of this layout made them. */
  isOf(layout: RecipeLayout): boolean {
    return layout === this.#layout;
  }

  /** Item k's word in a slot, "" where it is empty; k from 0. */
  word(slot: string, k: number): string {
    return this.vocabulary[slot][this.words[slot][k]];
  }

  /** Item k's stat as a number, k from 0. */
  stat(name: string, k: number): number {
    return this.stats[name][k] / 10 ** this.decimals[name];
  }

  /** Item k's name, k from 0: "Flaming Rusty Sword of Doom +1". */
  name(k: number): string {
    this.#namer ??= new Namer(this.#layout.spec, {
      column: (name) => this.columns.get(name) ?? [],
      gate: (step) => this.#gate(step),
      words: (slot) => this.vocabulary[slot],
    });
    return this.#namer.name(k);
  }

  /**
   * Item k, k from 0.
   *
   * @throws RollmillError `argument.range` for a k that is not below {@link length}.
   */
  row(k: number): ItemRow {
    checkInteger("the item", k, 0, this.length - 1);
    const row: Record<string, unknown> = { name: this.name(k) };
    for (const { name } of this.#layout.stats) {
      // (assigned, "__proto__" would be no property)
      if (name === "__proto__") Object.defineProperty(row, name, { value: this.stat(name, k), enumerable: true });
      else row[name] = this.stat(name, k);
    }
    row.requests = this.requests;
    return row as ItemRow;
  }

  /** The items one by one, as {@link row} gives them. */
  *rows(): Generator<ItemRow, void> {
    for (let k = 0; k < this.length; k++) yield this.row(k);
  }

  /** What tells whether a step was opened: its gate's column, or a slot that is filled in every open step. */
  #gate(step: SlotsStepSpec): ArrayLike<number> {
    return this.columns.get(alwaysFilled(step)?.slot ?? gateName(step.name)) ?? [];
  }
}
