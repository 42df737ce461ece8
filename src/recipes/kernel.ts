import type { StreamKey } from "../address.js";
import type { Batch, Setup } from "../calls/index.js";
import { type Address, BLOCK_WORDS, type Kernel, Resident, Status, within } from "../kernel/index.js";
import { COLUMN_BYTES, GROUP_BYTES, ITEM_BATCH, RecipeHead, WIDE_COLUMN_BYTES } from "../kernel/layout.js";
import { type FixedImage, fixedImage, itemImage } from "./kernel/image.js";
import type { RecipePlan, Resolved } from "./types.js";

/** The column of a stat: one integer for each item. The integers are i16 if the stat always fits, otherwise i32. */
export type StatColumn = Int16Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

export class KernelRecipe {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #plan: RecipePlan;
  readonly #recipe: Resident;
  #fixed: FixedImage | undefined;
  /** What the plan in the kernel was made from. */
  #uploaded: Resolved | undefined;
  /** Generation of the kernel when the plan was written: a trap begins a new one with an empty memory. */
  #generation = -1;
  #words = new Map<string, Uint16Array<ArrayBuffer>>();
  #stats = new Map<string, StatColumn>();
  #memory: ArrayBuffer | undefined;

  constructor({ kernel, name, plan }: Pick<Setup<RecipePlan>, "kernel" | "name" | "plan">) {
    this.#kernel = kernel;
    this.#name = `recipe ${name}`;
    this.#plan = plan;
    this.#recipe = new Resident(kernel, this.#name, (exports) => exports.createRecipe(plan.columnCount, plan.groups));
  }

  /** Makes the items of a batch in parts. While `take` runs, `words` and `stat` return the columns of this part. */
  make(stream: StreamKey, resolved: Resolved, batch: Batch, take: (done: number, count: number) => void): void {
    const recipe = this.#upload(resolved);
    let { block, offset, count: left, done } = batch;
    while (left > 0) {
      const count = Math.min(ITEM_BATCH - offset, left);
      this.#kernel.run(stream, (exports) => exports.makeItems(recipe, block, offset, count));
      take(done, count);
      done += count;
      left -= count;
      block += (offset + count) / BLOCK_WORDS;
      offset = 0;
    }
  }

  /** Returns a view of a column. The kernel overwrites it when it makes the next part. */
  words(name: string, count: number): Uint16Array<ArrayBuffer> {
    this.#openViews();
    return firstOf(this.#words.get(name) ?? new Uint16Array(count), count);
  }

  /** As {@link words}, in the stat's units. */
  stat(name: string, count: number): StatColumn {
    this.#openViews();
    return firstOf(this.#stats.get(name) ?? new Int16Array(count), count);
  }

  #upload(resolved: Resolved): Address {
    const kernel = this.#kernel;
    const recipe = this.#recipe.address;
    if (this.#uploaded === resolved && this.#generation === kernel.generation) return recipe;
    this.#uploaded = undefined;
    this.#fixed ??= fixedImage(this.#plan);
    const { bytes, lists } = itemImage(this.#fixed, this.#plan, resolved);
    const status = kernel.call((exports) => exports.reservePlan(recipe, bytes.length, lists));
    if (status !== Status.OK) return kernel.outOfMemory(this.#name);
    kernel.u8(kernel.read(recipe, RecipeHead).plan, bytes.length).set(bytes);
    this.#uploaded = resolved;
    this.#generation = kernel.generation;
    return recipe;
  }

  /** Creates the views again if the memory has grown, or a trap has replaced the kernel. */
  #openViews(): void {
    const kernel = this.#kernel;
    if (this.#memory === kernel.windowView.buffer) return;
    const { columns, stats } = kernel.read(this.#recipe.address, RecipeHead);
    for (const [name, column] of this.#plan.columns) {
      this.#words.set(name, kernel.u16(within(columns, column * COLUMN_BYTES), ITEM_BATCH));
    }
    for (const { name, narrow, group, lane } of this.#plan.stats) {
      const at = within(stats, group * GROUP_BYTES + lane * (narrow ? COLUMN_BYTES : WIDE_COLUMN_BYTES));
      this.#stats.set(name, narrow ? kernel.i16(at, ITEM_BATCH) : kernel.i32(at, ITEM_BATCH));
    }
    this.#memory = kernel.windowView.buffer;
  }
}

function firstOf<C extends { readonly length: number; subarray(from: number, to: number): C }>(
  column: C,
  count: number,
) {
  return column.length === count ? column : column.subarray(0, count);
}
