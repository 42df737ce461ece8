import type { StreamKey } from "../address.js";
import type { Batch, Setup } from "../calls/index.js";
import {
  type Address,
  BLOCK_WORDS,
  copyColumn,
  type Kernel,
  PlanImage,
  Resident,
  Status,
  within,
} from "../kernel/index.js";
import {
  COLUMN_BYTES,
  GROUP_BYTES,
  ITEM_BATCH,
  LaterAdder,
  RecipeHead,
  RecipePlanHead,
  ROW_BYTES,
  SHORT_ROW_BYTES,
  StatAdder,
  StatClamp,
  StatCondition,
  StatGroup,
  WIDE_COLUMN_BYTES,
} from "../kernel/layout.js";
import { type Adder, addsTo, type RecipePlan, type StatPlace } from "./compile.js";
import { Program, type ProgramImage } from "./kernel/program.js";
import type { Resolved } from "./resolve.js";

/** The column of a stat: one integer for each item. The integers are i16 if the stat always fits, otherwise i32. */
export type StatColumn = Int16Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

interface ItemColumns {
  readonly indices: ReadonlyMap<string, Uint16Array>;
  readonly stats: Readonly<Record<string, StatColumn>>;
}

export class KernelRecipe {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #plan: RecipePlan;
  readonly #recipe: Resident;
  #fixed: FixedImage | undefined;
  #uploaded: Resolved | undefined;
  /** Generation of the kernel when the plan was written. A trap begins a new generation with an empty memory. */
  #generation = -1;

  constructor({ kernel, name, plan }: Pick<Setup<RecipePlan>, "kernel" | "name" | "plan">) {
    this.#kernel = kernel;
    this.#name = `recipe ${name}`;
    this.#plan = plan;
    this.#recipe = new Resident(kernel, this.#name, (exports) => exports.createRecipe(plan.columnCount, plan.groups));
  }

  /** Makes the items of a batch in parts. While `take` runs, `copy`, `words` and `stat` read the columns of this part. */
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

  /** Returns a view of a column. The kernel overwrites the values when it makes the next part. */
  words(name: string, count: number): Uint16Array<ArrayBuffer> {
    const column = this.#plan.columns.get(name);
    if (column === undefined) return new Uint16Array(count);
    return this.#kernel.u16(columnAt(this.#head, column), count);
  }

  /** Like {@link words}, for a stat. The values are in the stat's units. */
  stat(name: string, count: number): StatColumn {
    const place = this.#plan.stats.find((one) => one.name === name);
    if (place === undefined) return new Int16Array(count);
    const at = statAt(this.#head, place);
    return place.narrow ? this.#kernel.i16(at, count) : this.#kernel.i32(at, count);
  }

  /** Copies the first `count` items of the part. Its item 0 becomes entry `done` of `items`. */
  copy(items: ItemColumns, { done, count }: { readonly done: number; readonly count: number }): void {
    const kernel = this.#kernel;
    const head = this.#head;
    for (const [name, column] of this.#plan.columns) {
      copyColumn(kernel, columnAt(head, column), items.indices.get(name) as Uint16Array, done, count);
    }
    for (const place of this.#plan.stats) copyColumn(kernel, statAt(head, place), items.stats[place.name], done, count);
  }

  get #head(): RecipeHead {
    return this.#kernel.read(this.#recipe.address, RecipeHead);
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
}

function columnAt({ columns }: RecipeHead, column: number): Address {
  return within(columns, column * COLUMN_BYTES);
}

function statAt({ stats }: RecipeHead, { narrow, group, lane }: StatPlace): Address {
  return within(stats, group * GROUP_BYTES + lane * (narrow ? COLUMN_BYTES : WIDE_COLUMN_BYTES));
}

/** The part of a plan that does not depend on options. This part is the largest, because merged columns are long. */
type FixedImage = ReturnType<typeof fixedImage>;

function fixedImage(plan: RecipePlan) {
  const image = new PlanImage();
  const headOffset = image.reserve(RecipePlanHead.bytes);
  const conditions = plan.conditions.map((condition) => putCondition(image, condition, plan));
  const groups = Array.from({ length: plan.groups }, (_, group) => groupOf(image, group, plan));
  const clamps = plan.stats.flatMap(({ clamp, group, lane, narrow }): StatClamp[] =>
    clamp === undefined ? [] : [{ group, lane, narrow: narrow ? 1 : 0, least: clamp[0], most: clamp[1] }],
  );
  const head = {
    program: 0,
    groups: groups.length,
    groupsAt: image.putAll(StatGroup, groups),
    clamps: clamps.length,
    clampsAt: image.putAll(StatClamp, clamps),
  };
  return { bytes: image.bytes, headOffset, head, conditions };
}

/** Returns the image of a plan, and how many lists and masks of items its program uses. */
function itemImage(fixed: FixedImage, plan: RecipePlan, resolved: Resolved) {
  const { bytes, headOffset, head, conditions } = fixed;
  const image = new PlanImage(bytes);
  const program = programOf(image, plan, resolved, conditions);
  image.set(headOffset, RecipePlanHead, { ...head, program: program.place() });
  return { bytes: image.bytes, lists: program.lists };
}

/** @param conditions - The offset of each condition in the plan. */
export function programOf(
  image: ProgramImage,
  plan: RecipePlan,
  { steps }: Resolved,
  conditions: readonly number[],
): Program {
  const program = new Program(image, plan.columns);
  for (const [index, step] of steps.entries()) {
    program.begin(index);
    if (step.kind === "slots") program.slots(step);
    else if (step.kind === "bonus") program.bonus(step);
  }
  for (const merges of plan.merges) program.merge(merges);
  program.sum();
  let next = 0;
  for (const [index, step] of steps.entries()) {
    program.begin(index);
    if (step.kind === "condition") program.condition(step, conditions[next++]);
  }
  return program;
}

function putCondition(
  image: PlanImage,
  { name, stat, rounding, later }: RecipePlan["conditions"][number],
  plan: RecipePlan,
): number {
  const { group, lane, narrow, decimals } = stat;
  const adders = later.map((adder): LaterAdder => {
    const numbers = numbersOf(adder, stat);
    return { column: adder.column, table: image.place(narrow ? Int16Array.from(numbers) : Int32Array.from(numbers)) };
  });
  // the kernel expects the adders directly after the condition, without padding
  const offset = image.reserve(StatCondition.bytes + LaterAdder.bytes * adders.length);
  image.set(offset, StatCondition, {
    outcome: plan.columns.get(name) ?? 0,
    unit: 10 ** decimals,
    ...rounding,
    group,
    lane,
    narrow: narrow ? 1 : 0,
    later: adders.length,
  });
  for (const [i, adder] of adders.entries()) {
    image.set(offset + StatCondition.bytes + i * LaterAdder.bytes, LaterAdder, adder);
  }
  return offset;
}

/** Returns what each value of a column adds to a stat. */
export function numbersOf({ values }: Adder, { name }: Pick<StatPlace, "name">): readonly number[] {
  return values.map((value) => value.get(name) ?? 0);
}

function groupOf(image: PlanImage, group: number, plan: RecipePlan): StatGroup {
  const { width, adders } = addersOf(group, plan);
  const records = adders.map(({ column, rows }): StatAdder => {
    return { column, table: image.place(rows), columnAddress: 0, rows: 0 };
  });
  return { width, adders: records.length, addersAt: image.putAll(StatAdder, records) };
}

/** Returns the columns that add to a group of stats, with their rows. */
export function addersOf(group: number, { stats: all, adders }: RecipePlan) {
  const stats = all.filter((stat) => stat.group === group);
  const own = adders.flat().filter((adder) => stats.some(({ name }) => addsTo(adder, name)));
  return {
    width: stats[0].width,
    adders: own.map((adder) => ({ column: adder.column, length: adder.values.length, rows: rowsOf(adder, stats) })),
  };
}

/** Returns one row for each value of a column, with the number that the value adds to each stat of the group. */
function rowsOf({ values }: Adder, stats: readonly StatPlace[]): Int8Array | Int16Array | Int32Array {
  const [{ width }] = stats;
  const Lanes = { 1: Int8Array, 2: Int16Array, 4: Int32Array }[width];
  const lanes = (width === 1 ? SHORT_ROW_BYTES : ROW_BYTES) / width;
  const out = new Lanes(values.length * lanes);
  for (const [value, adds] of values.entries()) {
    for (const { name, lane } of stats) out[value * lanes + lane] = adds.get(name) ?? 0;
  }
  return out;
}
