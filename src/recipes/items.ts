import { Columns } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import type { Column } from "../formats/tables/columns.js";
import { checkInteger } from "../spec/index.js";
import type { RecipePlan } from "./compile.js";
import {
  columnsOf,
  MOST_OUTCOMES,
  MOST_SLOTS,
  MOST_STATS,
  OutcomeRow,
  type Columns as Parts,
  type ScaledColumn,
  SlotRow,
  StatRow,
  type WordColumn,
} from "./fields.js";
import type { StatColumn } from "./kernel.js";
import { type NameTexts, nameOf } from "./names.js";
import { allSlots } from "./resolve.js";
import type { ItemContent, ItemRow, RequestReport } from "./types.js";
import { unknownName } from "./unknownName.js";

/**
 * Many items as columns. Entry k of each column belongs to item `from` + k. Names are composed when they are read. An
 * item takes 2 bytes for each slot, condition and bonus, and 2 or 4 bytes for each stat (see {@link StatColumn}).
 */
export class Items<Stat extends string = string, Slot extends string = string> extends Columns<ItemRow<Stat, Slot>> {
  /** The column of each slot. An entry is an index into the slot's {@link vocabulary}: 0 for an empty slot. */
  readonly words: Readonly<Record<Slot, Uint16Array<ArrayBuffer>>>;
  /** The column of each condition (0 lowered, 1 raised, 2 doubled) and bonus (0 none, 1 the first rung, and so on). */
  readonly outcomes: Readonly<Record<string, Uint16Array<ArrayBuffer>>>;
  /** The column of each stat: integers in units of 10^−{@link decimals}. */
  readonly stats: Readonly<Record<Stat, StatColumn>>;
  /** The number of decimal places of each stat. */
  readonly decimals: Readonly<Record<Stat, number>>;
  /** For each slot: "" for an empty slot, then the words of its table in the order of ids, then the special's word. */
  readonly vocabulary: Readonly<Record<Slot, readonly string[]>>;
  /** Says which requests of the call were met. `makeInto` replaces this report. */
  requests: RequestReport = { met: [], unknown: [] };
  /** The seed of the mill, as text. */
  readonly seed: string;
  /** @internal The columns of slots, conditions, bonuses and gates, by name. */
  readonly indices: ReadonlyMap<string, Uint16Array<ArrayBuffer>>;
  readonly #plan: RecipePlan;
  readonly #values: readonly StatColumn[];
  readonly #words: Parts<WordColumn<string>>;
  readonly #ids: Parts<WordColumn<number>>;
  readonly #outcomes: Parts<WordColumn<string>>;
  readonly #scaled: Parts<ScaledColumn>;
  /** The columns of {@link indices}, in the order of the plan. */
  readonly #columns: readonly Uint16Array[];
  readonly #segments: readonly (NameTexts & { readonly indices: Uint16Array<ArrayBuffer> })[];

  /** @internal */
  constructor(plan: RecipePlan, origin: { readonly length: number; readonly from: number; readonly seed: string }) {
    super(origin);
    const { length } = origin;
    this.seed = origin.seed;
    const { spec, columns, stats, vocabulary, names } = plan;
    this.#plan = plan;
    this.indices = new Map([...columns.keys()].map((name) => [name, new Uint16Array(length)]));
    this.#columns = [...this.indices.values()];
    const indicesOf = (name: string) => this.indices.get(name) ?? new Uint16Array(length);
    const column = (name: string) => [name, indicesOf(name)] as const;
    const outcomes = spec.steps.filter(({ kind }) => kind !== "slots");
    const arrays = stats.map(({ name, narrow }) => [name, new (narrow ? Int16Array : Int32Array)(length)] as const);
    const decimals = stats.map((stat) => [stat.name, stat.decimals] as const);
    // the casts are safe, because the plan has exactly the stats and the slots of the recipe
    this.words = Object.fromEntries(allSlots(spec).map(({ slot }) => column(slot))) as this["words"];
    this.outcomes = Object.fromEntries(outcomes.map(({ name }) => column(name)));
    this.stats = Object.fromEntries(arrays) as this["stats"];
    this.decimals = Object.fromEntries(decimals) as this["decimals"];
    this.vocabulary = vocabulary;
    this.#segments = names.map(({ column: name, texts, ends }) => ({ texts, ends, indices: indicesOf(name) }));
    const scaled = stats.map((stat) => ({
      name: stat.name,
      values: this.stats[stat.name as Stat],
      scale: 10 ** stat.decimals,
    }));
    this.#values = scaled.map(({ values }) => values);
    this.#scaled = columnsOf(scaled, MOST_STATS);
    this.#words = columnsOf(wordColumns(this.words, plan.words), MOST_SLOTS);
    this.#ids = columnsOf(wordColumns(this.words, plan.ids), MOST_SLOTS);
    this.#outcomes = columnsOf(wordColumns(this.outcomes, plan.outcomes), MOST_OUTCOMES);
  }

  /** @internal Copies all columns of `made`, which must have the same recipe and the same length. */
  take(made: Items<Stat, Slot>): this {
    for (const [name, column] of this.indices) column.set(made.indices.get(name) ?? column);
    for (const name of Object.keys(this.stats) as Stat[]) this.stats[name].set(made.stats[name]);
    this.from = made.from;
    this.requests = made.requests;
    return this;
  }

  /** @internal Whether a recipe with this plan made the items. */
  isOf(plan: RecipePlan): boolean {
    return plan === this.#plan;
  }

  /**
   * Returns the word of item k in a slot; "" if the slot is empty.
   *
   * @param k - 0 … length − 1.
   * @throws RollmillError `argument.range`; `recipe.request` for an unknown slot.
   */
  word(slot: Slot, k: number): string {
    checkInteger("k", k, 0, this.length - 1);
    checkPart("slot", slot, this.words);
    return this.vocabulary[slot][this.words[slot][k]];
  }

  /**
   * Returns the value of a stat of item k.
   *
   * @param k - 0 … length − 1.
   * @throws RollmillError `argument.range`; `recipe.request` for an unknown stat.
   */
  stat(name: Stat, k: number): number {
    checkInteger("k", k, 0, this.length - 1);
    checkPart("stat", name, this.stats);
    return this.stats[name][k] / 10 ** this.decimals[name];
  }

  /**
   * Returns the name of item k, such as "Flaming Rusty Sword of Doom +1".
   *
   * @param k - 0 … length − 1.
   * @throws RollmillError `argument.range`.
   */
  name(k: number): string {
    checkInteger("k", k, 0, this.length - 1);
    return nameOf(this.#segments, k);
  }

  /**
   * Returns all items as columns for `toCsv` and `toParquet` of `rollmill/formats`: `name`, the stats, the word of each
   * slot, the outcome of each condition and bonus, the id of each word, `index` and `seed`. For a slot s, the column
   * `s_id` has the id of the word's row, as text. An empty slot and no bonus are null. If the name of a column is
   * already taken, the column gets a prefix: `slot.<name>`, `outcome.<name>` or `item.<name>`.
   *
   * Cost: O(items + columns · words). All columns except `index` and `seed` share the arrays of the items.
   */
  columns(): Column[] {
    const named = this.contentColumns();
    const add = columnAdder(named);
    for (const { name, words, indices } of this.#outcomes.columns)
      add("outcome", { kind: "word", name, words, indices });
    for (const { name, words: ids, indices } of this.#ids.columns) {
      const words = ids.map((id) => (id === null ? null : String(id)));
      add("slot", { kind: "word", name: `${name}_id`, words, indices });
    }
    const values = Float64Array.from({ length: this.length }, (_, k) => this.from + k);
    add("item", { kind: "integer", name: "index", values });
    add("item", { kind: "word", name: "seed", words: [this.seed], indices: new Uint8Array(this.length) });
    return named;
  }

  /** @internal The columns without the origin of the items: names, stats and words. */
  contentColumns(): Column[] {
    const stats = Object.entries<StatColumn>(this.stats).map(([name, values]): Column => {
      const decimals = this.decimals[name as Stat];
      return decimals === 0 ? { kind: "integer", name, values } : { kind: "decimal", name, values, decimals };
    });
    // without slots and bonuses, names have no segments, so every name is empty
    const none = [{ texts: [""], indices: new Uint8Array(this.length) }];
    const segments = this.#segments.length > 0 ? this.#segments : none;
    const columns: Column[] = [{ kind: "phrase", name: "name", segments }, ...stats];
    const add = columnAdder(columns);
    for (const { name, words, indices } of this.#words.columns) add("slot", { kind: "word", name, words, indices });
    return columns;
  }

  /** @internal */
  content(k: number): ItemContent<Stat> {
    checkInteger("k", k, 0, this.length - 1);
    return this.#contentOf(k) as ItemContent<Stat>;
  }

  /** @internal */
  protected override compose(k: number): ItemRow<Stat, Slot> {
    return (this.#plan.makeRow?.(this, this.#columns, this.#values, k) ?? this.#rowOf(k)) as ItemRow<Stat, Slot>;
  }

  #rowOf(k: number): Record<string, unknown> {
    const row = this.#contentOf(k);
    row.words = new SlotRow(this.#words, k);
    row.ids = new SlotRow(this.#ids, k);
    row.outcomes = new OutcomeRow(this.#outcomes, k);
    row.index = this.from + k;
    row.seed = this.seed;
    return row;
  }

  #contentOf(k: number): Record<string, unknown> {
    const row = new StatRow(this.#scaled, k, nameOf(this.#segments, k));
    row.requests = this.requests;
    return row;
  }
}

function wordColumns<T>(
  columns: Readonly<Record<string, Uint16Array>>,
  values: Readonly<Record<string, readonly (T | null)[]>>,
): WordColumn<T>[] {
  return Object.keys(columns).map((name) => ({ name, words: values[name], indices: columns[name] }));
}

export function bytesPerItem({ columns, stats }: RecipePlan): number {
  return 2 * columns.size + stats.reduce((sum, { narrow }) => sum + (narrow ? 2 : 4), 0);
}

function checkPart(what: string, name: unknown, parts: object): void {
  if (typeof name === "string" && Object.hasOwn(parts, name)) return;
  const finding = unknownName(`the items have no ${what} with this name`, name, Object.keys(parts));
  fail(error("recipe.request", finding));
}

/** Checks that a recipe can write to `items`. Returns the number of items. */
export function checkRoom(items: unknown, plan: RecipePlan, name: string): number {
  const areItems = items instanceof Items;
  if (areItems && items.isOf(plan)) return items.length;
  const problem = areItems ? "the items belong to another recipe" : "the items cannot be written to this value";
  const expected = `items that ${JSON.stringify(name)} made`;
  return fail(error("argument.type", { problem, ...(areItems ? {} : { got: items }), expected }));
}

function columnAdder(columns: Column[]): (prefix: string, column: Column) => void {
  const taken = new Set(columns.map(({ name }) => name));
  return (prefix, column) => {
    let { name } = column;
    while (taken.has(name)) name = `${prefix}.${name}`;
    taken.add(name);
    columns.push({ ...column, name });
  };
}
