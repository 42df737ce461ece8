import { Columns } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import type { Column, PhraseSegment } from "../formats/columns.js";
import { checkInteger } from "../spec/index.js";
import type { StatColumn } from "./kernel.js";
import type { ItemRow, RecipePlan, RequestReport } from "./types.js";
import { unknownName } from "./unknownName.js";

/**
 * Many items as columns. Entry k of each column belongs to item `from` + k. Names are composed when they are read.
 *
 * Memory for each item: 2 bytes for each slot, condition and bonus, and 2 or 4 bytes for each stat (see
 * {@link StatColumn}).
 */
export class Items<Stat extends string = string, Slot extends string = string> extends Columns<ItemRow<Stat>> {
  /**
   * The column of each slot. An entry is 0 for an empty slot, otherwise an index into the slot's {@link vocabulary}.
   */
  readonly words: Readonly<Record<Slot, Uint16Array<ArrayBuffer>>>;
  /**
   * The column of each condition and bonus. Values of a condition: 0 lowered, 1 raised, 2 doubled. Values of a bonus: 0
   * no bonus, 1 the first rung of the ladder, 2 the second rung, and so on.
   */
  readonly outcomes: Readonly<Record<string, Uint16Array<ArrayBuffer>>>;
  /** The column of each stat: integers in units of 10^−{@link decimals}. */
  readonly stats: Readonly<Record<Stat, StatColumn>>;
  /** The number of decimal places of each stat. */
  readonly decimals: Readonly<Record<Stat, number>>;
  /**
   * For each slot, the texts that the entries of its column stand for. First comes "" for an empty slot, then the words
   * of the slot's table in the order of ids, then the special's word.
   */
  readonly vocabulary: Readonly<Record<Slot, readonly string[]>>;
  /** Says which requests of the call were met. `makeInto` replaces this report. */
  requests: RequestReport = { met: [], unknown: [] };
  /** @internal The columns by name. Slots, conditions, bonuses and gates have columns. */
  readonly indices: ReadonlyMap<string, Uint16Array<ArrayBuffer>>;
  readonly #plan: RecipePlan;
  readonly #columnOf = (name: string) => this.indices.get(name) ?? NO_COLUMN;

  /** @internal */
  constructor(plan: RecipePlan, range: { readonly length: number; readonly from: number }) {
    super(range);
    const { length } = range;
    const { spec, columns, stats, vocabulary } = plan;
    this.#plan = plan;
    this.indices = new Map([...columns.keys()].map((name) => [name, new Uint16Array(length)]));
    const column = (name: string) => [name, this.indices.get(name) ?? new Uint16Array(length)] as const;
    const slots = spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots : []));
    const outcomes = spec.steps.filter(({ kind }) => kind !== "slots");
    // the casts are safe, because the plan has exactly the stats and the slots of the recipe
    this.words = Object.fromEntries(slots.map(({ slot }) => column(slot))) as Items<Stat, Slot>["words"];
    this.outcomes = Object.fromEntries(outcomes.map(({ name }) => column(name)));
    this.stats = Object.fromEntries(
      stats.map(({ name, narrow }) => [name, narrow ? new Int16Array(length) : new Int32Array(length)]),
    ) as Items<Stat, Slot>["stats"];
    this.decimals = Object.fromEntries(stats.map(({ name, decimals }) => [name, decimals])) as Items<
      Stat,
      Slot
    >["decimals"];
    this.vocabulary = vocabulary;
  }

  /** @internal Copies all columns of `made`, which must have the same recipe and the same length. */
  take(made: Items<Stat, Slot>): this {
    for (const [name, column] of this.indices) column.set(made.indices.get(name) ?? column);
    for (const name of Object.keys(this.stats) as Stat[]) this.stats[name].set(made.stats[name]);
    this.from = made.from;
    this.requests = made.requests;
    return this;
  }

  /**
   * @internal Whether a value is an instance of this class. Returns false for a proxy and for an object that inherits
   * from an instance.
   */
  static isOne(value: unknown): value is Items {
    return typeof value === "object" && value !== null && #plan in value;
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
    return this.#nameOf(k);
  }

  /**
   * Returns all items as columns for `toCsv` and `toParquet` of `rollmill/formats`. First comes the name, then the
   * stats in the recipe's order, then the word of each slot (null for an empty slot). If an earlier column has the name
   * of a slot, the column of the slot is called `slot.<name>`.
   *
   * Cost: O(columns · words). Composes no names, and the columns share the arrays of the items.
   */
  columns(): Column[] {
    return itemColumns(this, this.#plan.namer.segments(this.#columnOf));
  }

  #nameOf(k: number): string {
    return this.#plan.namer.name(this.#columnOf, k);
  }

  /** Builds result k. The caller has checked k. */
  protected override compose(k: number): ItemRow<Stat> {
    const row: Record<string, unknown> = { name: this.#nameOf(k) };
    for (const { name, decimals } of this.#plan.stats) {
      const value = this.stats[name as Stat][k] / 10 ** decimals;
      // an assignment to "__proto__" would set the prototype and create no property
      if (name === "__proto__") Object.defineProperty(row, name, { value, enumerable: true });
      else row[name] = value;
    }
    row.requests = this.requests;
    return row as ItemRow<Stat>;
  }
}

/** Stands for a column that the recipe does not have. */
const NO_COLUMN = new Uint16Array(0);

/** Returns the number of bytes that one item takes in the columns. */
export function bytesPerItem({ columns, stats }: RecipePlan): number {
  return 2 * columns.size + stats.reduce((sum, { narrow }) => sum + (narrow ? 2 : 4), 0);
}

function checkPart(what: string, name: unknown, parts: object): void {
  if (typeof name === "string" && Object.hasOwn(parts, name)) return;
  const finding = unknownName(`the items have no ${what} with this name`, name, Object.keys(parts));
  fail(error("recipe.request", finding));
}

/**
 * Checks that a recipe can write to `items`. Returns the number of items.
 *
 * @throws RollmillError `argument.type` unless `items` are items of the same recipe.
 */
export function checkRoom(items: unknown, plan: RecipePlan, name: string): number {
  const areItems = Items.isOne(items);
  if (areItems && items.isOf(plan)) return items.length;
  const problem = areItems ? "the items belong to another recipe" : "the items cannot be written to this value";
  const expected = `items that ${JSON.stringify(name)} made`;
  return fail(error("argument.type", { problem, ...(areItems ? {} : { got: items }), expected }));
}

function itemColumns(items: Items, segments: PhraseSegment[]): Column[] {
  const stats = Object.entries(items.stats).map(([name, values]): Column => {
    const decimals = items.decimals[name];
    return decimals === 0 ? { kind: "integer", name, values } : { kind: "decimal", name, values, decimals };
  });
  const taken = new Set(["name", ...stats.map(({ name }) => name)]);
  const words = Object.entries(items.words).map(([slot, indices]): Column => {
    const [, ...vocabulary] = items.vocabulary[slot];
    return { kind: "word", name: taken.has(slot) ? `slot.${slot}` : slot, words: [null, ...vocabulary], indices };
  });
  // a recipe without slots and bonuses has no segments: every name is empty
  const named = segments.length > 0 ? segments : [{ texts: [""], indices: new Uint8Array(items.length) }];
  return [{ kind: "phrase", name: "name", segments: named }, ...stats, ...words];
}
