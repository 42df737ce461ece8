import { allocateResults, type Batch, checkRange, forEachBatch, type LongCall } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import type { Fraction } from "../fractions.js";
import { type Address, BLOCK_WORDS, type Kernel, Resident } from "../kernel/index.js";
import { compileItems, listsFor, roomFor } from "./compile.js";
import { type ItemRow, Items, type StatColumn } from "./items.js";
import type { RecipeLayout } from "./layout.js";
import { odds, type RecipeOdds, type WordOdds, wordOdds } from "./odds.js";
import { type NamedOutcome, probability } from "./probability.js";
import { readOptions } from "./requests.js";
import { type Resolved, resolve } from "./resolve.js";
import { type StrengthOdds, strength } from "./strength.js";
import type { ItemOptions } from "./types.js";

/** Which items: `from` is the index of the first; without it the recipe's cursor is, and moves on. */
export interface MakeOptions extends ItemOptions, LongCall {
  readonly from?: number;
}

/** A column in the kernel's memory: of words or outcomes, or of a stat. */
interface View {
  readonly name: string;
  readonly stat: boolean;
  readonly column: Uint16Array | StatColumn;
}

/**
 * A recipe to make items by. Item k is a function of (seed, name, k) and of what is asked, and of nothing else; a request
 * changes the slot it names, and what depends on it.
 */
export class Recipe {
  readonly name: string;
  /** Index of the next item. */
  next = 0;
  readonly #kernel: Kernel;
  readonly #purpose: number;
  readonly #layout: RecipeLayout;
  readonly #resident: Resident;
  #resolved: { readonly key: string; readonly resolved: Resolved } | undefined;
  /** What the kernel's plan is of: options, and the instance. */
  #uploaded = "";
  #views: readonly View[] = [];
  #ahead: { readonly key: string; readonly items: Items } | undefined;

  /** @internal */
  constructor(kernel: Kernel, name: string, purpose: number, layout: RecipeLayout) {
    this.#kernel = kernel;
    this.name = name;
    this.#purpose = purpose;
    this.#layout = layout;
    const { columnCount, groups } = layout;
    this.#resident = new Resident(kernel, `recipe ${name}`, (exports) =>
      exports.createRecipe(roomFor(layout), columnCount, groups, listsFor(layout)),
    );
  }

  /**
   * The next item, or item `from`. Items are made 1,024 ahead, so those that follow with the same options cost a row each.
   *
   * @throws RollmillError `argument.range`, `recipe.request`, `recipe.candidates`.
   */
  make(options: MakeOptions = {}): ItemRow {
    const index = options.from ?? this.next;
    checkRange(index, 1);
    const { key } = this.#resolve(options);
    const from = index - (index % BLOCK_WORDS);
    if (this.#ahead?.key !== key || this.#ahead.items.from !== from) {
      this.#ahead = { key, items: this.makeMany(BLOCK_WORDS, { ...options, from }) };
    }
    if (options.from === undefined) this.next++;
    return this.#ahead.items.row(index - from);
  }

  /**
   * `count` items as columns.
   *
   * Cost: some 10 to 20 ns an item, whatever is asked; see {@link Items} for the memory.
   *
   * @throws RollmillError as {@link make}.
   */
  makeMany(count: number, options: MakeOptions = {}): Items {
    checkRange(options.from ?? this.next, count);
    return this.makeInto(
      allocateResults(count, (n) => new Items(this.#layout, n)),
      options,
    );
  }

  /**
   * Makes as many items as `items`, of this recipe, has room for, and returns it.
   *
   * @throws RollmillError as {@link make}; `argument.type` for items of another recipe.
   */
  makeInto(items: Items, options: MakeOptions = {}): Items {
    const from = options.from ?? this.next;
    checkRange(from, items.length);
    if (!items.isOf(this.#layout)) {
      const expected = `items that ${this.name} made`;
      return fail(error("argument.type", { problem: "the items are another recipe's", expected }));
    }
    const { key, resolved } = this.#resolve(options);
    forEachBatch({ from, total: items.length }, options, (batch) => this.#makeBatch(items, batch, { key, resolved }));
    items.from = from;
    items.requests = { met: resolved.met, unknown: resolved.unknown };
    if (options.from === undefined) this.next += items.length;
    return items;
  }

  /**
   * The exact chances of the recipe's decisions, by name: see {@link RecipeOdds}.
   *
   * @throws RollmillError as {@link make}.
   */
  odds(options: ItemOptions = {}): RecipeOdds {
    return odds(this.#resolve(options).resolved);
  }

  /**
   * The exact chance of each word of a slot.
   *
   * @throws RollmillError as {@link make}; `recipe.request` for a slot that is not there.
   */
  wordOdds(slot: string, options: ItemOptions = {}): WordOdds {
    return wordOdds(this.#resolve(options).resolved, slot);
  }

  /**
   * The exact distribution of the strength stat.
   *
   * @throws RollmillError as {@link make}; `recipe.overflow` where it has more than 65,536 values.
   */
  strength(options: ItemOptions = {}): StrengthOdds {
    return strength(this.#resolve(options).resolved);
  }

  /**
   * The exact chance that an item comes out as named: `{ words: { type: "sword", prefix: null }, outcomes: { bonus: "+1" } }`.
   *
   * @throws RollmillError as {@link make}; `recipe.request` for a name that is not there.
   */
  probability(named: NamedOutcome, options: ItemOptions = {}): Fraction {
    return probability(this.#resolve(options).resolved, named);
  }

  #resolve({ tier, tierVariance, power, request, onUnknownRequest }: ItemOptions): { key: string; resolved: Resolved } {
    const options = { tier, tierVariance, power, request, onUnknownRequest };
    // (before the key: JSON has one text for null, NaN and the infinities)
    readOptions(options);
    const key = JSON.stringify(options);
    if (this.#resolved?.key !== key) {
      const { spec, tables } = this.#layout;
      this.#resolved = { key, resolved: resolve(spec, tables, options) };
    }
    return this.#resolved;
  }

  #makeBatch(items: Items, batch: Batch, asked: { readonly key: string; readonly resolved: Resolved }): void {
    const most = this.#kernel.call((exports) => exports.recipeBatch());
    let { block, offset, count, done } = batch;
    while (count > 0) {
      const recipe = this.#upload(asked);
      const part = Math.min(most - offset, count);
      this.#kernel.call((exports) => exports.makeItems(recipe, this.#purpose, block, offset, part));
      this.#copy(items, recipe, { done, part });
      done += part;
      count -= part;
      block += (offset + part) / BLOCK_WORDS;
      offset = 0;
    }
  }

  /** Puts the plan into the kernel, unless it is there. */
  #upload({ key, resolved }: { readonly key: string; readonly resolved: Resolved }): Address {
    const recipe = this.#resident.address;
    const uploaded = `${this.#kernel.generation} ${key}`;
    if (this.#uploaded !== uploaded) {
      const bytes = compileItems(this.#layout, resolved);
      // (a larger plan would be written over what lies behind it)
      if (bytes.length > roomFor(this.#layout))
        throw new Error(`the plan of recipe ${this.name} has outgrown its room`);
      const plan = this.#kernel.call((exports) => exports.recipePlan(recipe));
      this.#kernel.u8(plan, bytes.length).set(bytes);
      this.#uploaded = uploaded;
    }
    return recipe;
  }

  #copy(items: Items, recipe: Address, { done, part }: { readonly done: number; readonly part: number }): void {
    for (const { name, column, stat } of this.#viewsOf(recipe)) {
      const out = stat ? items.stats[name] : items.columns.get(name);
      out?.set(column.length === part ? column : column.subarray(0, part), done);
    }
  }

  /** The columns of a whole batch in the kernel's memory; made again once that has grown. */
  #viewsOf(recipe: Address): readonly View[] {
    const kernel = this.#kernel;
    if (this.#views[0]?.column.buffer === kernel.windowView.buffer) return this.#views;
    const { columns, stats } = this.#layout;
    this.#views = kernel.call((exports) => {
      const most = exports.recipeBatch();
      const words = Array.from(columns, ([name, column]) => {
        return { name, stat: false, column: kernel.u16(exports.itemColumn(recipe, column), most) };
      });
      const numbers = stats.map(({ name, narrow, group, lane }) => {
        const at = exports.itemStat(recipe, group, lane, narrow ? 1 : 0);
        return { name, stat: true, column: narrow ? kernel.i16(at, most) : kernel.i32(at, most) };
      });
      return [...words, ...numbers];
    });
    return this.#views;
  }
}
