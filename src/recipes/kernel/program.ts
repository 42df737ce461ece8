import type { Layout, PlanImage } from "../../kernel/index.js";
import {
  ClearOp,
  ConditionOp,
  ItemPart,
  ListOp,
  MASKED_VALUES,
  MergeOp,
  NO_PLACE,
  OpCode,
  PickOp,
  PickOtherOp,
  PickOtherWeightedOp,
  PickSwingingOp,
  PickWeightedOp,
  RecipeOp,
  ROLL_SIDES,
  SelectOp,
  SetOp,
  SwingSet,
  WeightedSet,
} from "../../kernel/layout.js";
import { gateName, type Merge } from "../compile.js";
import { STEP_PLANES } from "../parse.js";
import type {
  Choice,
  ResolvedBonus,
  ResolvedCondition,
  ResolvedSlot,
  ResolvedSlots,
  Roll,
  Variant,
} from "../resolve.js";
import { lowestTerms } from "../words.js";

/** Largest value that a pick on a mask can write: the pick stores its values as bytes. */
const MAX_BYTE = 255;
/** A part that is expected to have at least this share of the items is stored as a mask, a smaller part as a list. */
const MASKED_SHARE = 1 / 12;
/** Up to this total weight, a candidate of weight w is stored w times: a uniform pick is faster than a search. */
const MAX_REPEATED = 1024;

/** A subset of the items of one kernel call: a mask with a flag for each item, or a list of positions. */
interface Part {
  readonly at: number;
  readonly share: number;
  readonly masked: boolean;
}

const ALL: Part = { at: ItemPart.MASK_OF_ALL, share: 1, masked: true };

/** Returns i + 1 for row i, and the greatest value for the special. The value 0 stands for an empty slot. */
function columnValue({ table }: ResolvedSlot, { row, special }: Choice): number {
  return special ? table.rows.length + 1 : row + 1;
}

/** The words that a pick can choose, in the order of their ids, with weights that have no common factor. */
type Candidates = ReturnType<typeof candidatesOf>;

function candidatesOf(slot: ResolvedSlot, { candidates }: Variant) {
  const weights = lowestTerms(candidates.map((row) => slot.weights[row]));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const values = candidates.map((row) => row + 1);
  const isUniform = total === values.length;
  return { values, weights, total, isUniform, canRepeat: isUniform || total <= MAX_REPEATED };
}

function repeated({ values, weights, isUniform }: Candidates): readonly number[] {
  return isUniform ? values : values.flatMap((value, i) => new Array<number>(weights[i]).fill(value));
}

/** What a program writes to: its tables, then its operations. */
export type ProgramImage = Pick<PlanImage, "place" | "put" | "putAll" | "words" | "reserve" | "set">;

/** The random decisions of a recipe: operations that split the items into parts and fill columns. */
export class Program {
  readonly #image: ProgramImage;
  readonly #columns: ReadonlyMap<string, number>;
  /** Functions that write the operations. The argument is the offset of the program in the plan. */
  readonly #ops: ((program: number) => void)[] = [];
  #bytes = 0;
  #plane = 0;
  #nextList: number = ItemPart.FREE;
  #lists: number = ItemPart.FREE;

  constructor(image: ProgramImage, columns: ReadonlyMap<string, number>) {
    this.#image = image;
    this.#columns = columns;
  }

  get lists(): number {
    return this.#lists;
  }

  place(): number {
    this.#op(RecipeOp, { code: OpCode.END, from: ItemPart.LIST_OF_ALL });
    const program = this.#image.reserve(this.#bytes);
    for (const write of this.#ops) write(program);
    return program;
  }

  begin(step: number): void {
    this.#plane = step * STEP_PLANES;
    this.#nextList = ItemPart.FREE;
  }

  slots({ spec, gate, opened, slots }: ResolvedSlots): void {
    const open = gate === undefined || opened ? ALL : this.#select(ALL, gate).passed;
    const column = this.#columns.get(gateName(spec.name));
    if (column !== undefined) {
      this.#clear(column);
      this.#set(open, column, 1);
    }
    const random: (Part | undefined)[] = [];
    for (const slot of slots) random.push(this.#slot(slot, { open, slots, random }));
  }

  merge(merges: readonly Merge[]): void {
    for (const merge of merges) this.#op(MergeOp, { code: OpCode.MERGE, from: ItemPart.LIST_OF_ALL, ...merge });
  }

  /** Sums the stats. After this operation, only conditions may follow, which change the sums. */
  sum(): void {
    this.#op(RecipeOp, { code: OpCode.SUM, from: ItemPart.LIST_OF_ALL });
  }

  condition({ amount, doubled, up }: ResolvedCondition, condition: number): void {
    const plane = this.#plane + amount;
    const masks = { doubled: this.#mask(doubled), raised: this.#mask(up) };
    this.#op(ConditionOp, { code: OpCode.CONDITION, from: ItemPart.LIST_OF_ALL, plane, condition, ...masks });
  }

  bonus({ spec, chance, ladder, rungs }: ResolvedBonus): void {
    const { passed } = this.#select(ALL, chance);
    // values[i] is 1 + the rung that the number i + 1 of the ladder's roll selects; the highest numbers select rung 0
    const values = rungs.map((count, rung) => new Array<number>(count).fill(rung + 1));
    this.#pickOf(passed, this.#column(spec.name), this.#plane + ladder, values.reverse().flat());
  }

  /** Returns the items that get a random word; undefined if no item gets one. */
  #slot(
    slot: ResolvedSlot,
    step: { open: Part; slots: readonly ResolvedSlot[]; random: readonly (Part | undefined)[] },
  ): Part | undefined {
    const column = this.#column(slot.spec.slot);
    const from = slot.after === undefined ? step.open : step.random[slot.after];
    if (from === undefined || slot.requested !== undefined) this.#clear(column);
    if (from === undefined) return undefined;
    if (slot.requested !== undefined) {
      this.#set(from, column, columnValue(slot, slot.requested));
      return undefined;
    }
    const part = slot.chance === undefined ? from : this.#select(from, slot.chance).passed;
    if (slot.special === undefined) {
      this.#pick(slot, part, step.slots);
      return part;
    }
    const { passed, failed } = this.#select(part, slot.special.roll);
    this.#pick(slot, failed, step.slots);
    this.#set(passed, column, columnValue(slot, { row: slot.special.row, special: true }));
    return failed;
  }

  /** Gives each item of the part a random word, and all other items the value 0. */
  #pick(slot: ResolvedSlot, part: Part, slots: readonly ResolvedSlot[]): void {
    const column = this.#column(slot.spec.slot);
    const plane = this.#plane + slot.pick;
    if (slot.variants.length > 1 && slot.swing !== undefined) {
      const from = this.#listed(part, column);
      const swingPlane = this.#plane + slot.swing;
      this.#op(PickSwingingOp, { from, column, swingPlane, plane, ...this.#placeSwing(slot) });
      return;
    }
    const candidates = candidatesOf(slot, slot.variants[0]);
    if (slot.differentFrom !== undefined) {
      this.#pickOther(part, { column, plane }, candidates, slots[slot.differentFrom]);
    } else if (candidates.canRepeat) {
      this.#pickOf(part, column, plane, repeated(candidates));
    } else {
      const [set, from] = [this.#placeSet(candidates), this.#listed(part, column)];
      this.#op(PickWeightedOp, { code: OpCode.PICK_WEIGHTED, from, column, plane, set });
    }
  }

  #pickOther(
    part: Part,
    to: { readonly column: number; readonly plane: number },
    candidates: Candidates,
    slot: ResolvedSlot,
  ): void {
    const { values } = candidates;
    const [from, other] = [this.#listed(part, to.column), this.#column(slot.spec.slot)];
    const pick = { from, ...to, other, places: this.#placePlaces(slot, values) };
    if (candidates.isUniform) {
      const table = { count: values.length, values: this.#image.place(Uint16Array.from(values)) };
      this.#op(PickOtherOp, { code: OpCode.PICK_OTHER, ...pick, ...table });
    } else {
      this.#op(PickOtherWeightedOp, { code: OpCode.PICK_OTHER_WEIGHTED, ...pick, set: this.#placeSet(candidates) });
    }
  }

  /** Gives each item of the part one of `values`, all equally likely, and all other items the value 0. */
  #pickOf(part: Part, column: number, plane: number, values: readonly number[]): void {
    const pick = { column, plane, count: values.length };
    if (part.masked && pick.count <= MASKED_VALUES && values.every((value) => value <= MAX_BYTE)) {
      const bytes = new Uint8Array(MASKED_VALUES);
      bytes.set(values);
      this.#op(PickOp, { code: OpCode.PICK_MASKED, from: part.at, ...pick, values: this.#image.place(bytes) });
    } else {
      const table = this.#image.place(Uint16Array.from(values));
      this.#op(PickOp, { code: OpCode.PICK, from: this.#listed(part, column), ...pick, values: table });
    }
  }

  #set(part: Part, column: number, value: number): void {
    this.#op(SetOp, { code: part.masked ? OpCode.SET_MASKED : OpCode.SET, from: part.at, column, value });
  }

  #clear(column: number): void {
    this.#op(ClearOp, { code: OpCode.CLEAR, from: ItemPart.LIST_OF_ALL, column });
  }

  /** Writes a table with the candidates for each value 0 … 100 of the swing, which selects the tier variance. */
  #placeSwing(slot: ResolvedSlot): { readonly code: OpCode; readonly sets: number } {
    // the table begins with the swing 0, but the variants are in descending order
    const variants = slot.variants.toReversed();
    const perVariant = variants.map((variant) => candidatesOf(slot, variant));
    const perRoll = <T>(entries: readonly T[]) =>
      entries.flatMap((entry, i) => new Array<T>(variants[i].successes).fill(entry));
    if (perVariant.every(({ canRepeat }) => canRepeat)) {
      const sets = perVariant.map((candidates): SwingSet => {
        const values = Uint16Array.from(repeated(candidates));
        return { values: this.#image.place(values), count: values.length };
      });
      return { code: OpCode.PICK_SWINGING, sets: this.#image.putAll(SwingSet, perRoll(sets)) };
    }
    const sets = perVariant.map((candidates) => this.#placeSet(candidates));
    return { code: OpCode.PICK_SWINGING_WEIGHTED, sets: this.#image.words(perRoll(sets)) };
  }

  #placeSet({ values, weights, total }: Candidates): number {
    let sum = 0;
    const sums = Uint32Array.from(weights, (weight) => {
      sum += weight;
      return sum;
    });
    // The guide divides the numbers below the total weight into buckets of 2^shift numbers, and lists the first
    // candidate of each bucket. The shift is the largest one that leaves more buckets than candidates, or 0.
    let shift = 0;
    while ((total - 1) >>> (shift + 1) >= values.length) shift++;
    const guide = new Uint16Array(((total - 1) >>> shift) + 1);
    let first = 0;
    for (let bucket = 0; bucket < guide.length; bucket++) {
      while (sums[first] <= bucket * 2 ** shift) first++;
      guide[bucket] = first;
    }
    return this.#image.put(WeightedSet, {
      total,
      values: this.#image.place(Uint16Array.from(values)),
      sums: this.#image.place(sums),
      guide: this.#image.place(guide),
      shift,
    });
  }

  /** Writes a table that maps each value of a slot's column to the value's index in `values`. */
  #placePlaces({ table, special }: ResolvedSlot, values: readonly number[]): number {
    const places = new Uint16Array(table.rows.length + 2).fill(NO_PLACE);
    for (const [place, value] of values.entries()) {
      places[value] = place;
      if (value - 1 === special?.row) places[table.rows.length + 1] = place;
    }
    return this.#image.place(places);
  }

  /** Rolls for all items. Returns the mask of the items that pass. */
  #mask(roll: Roll): number {
    const [passed, failed] = [this.#takeList(), this.#takeList()];
    this.#roll(ALL, roll, passed, failed);
    return passed;
  }

  #roll({ at, masked }: Part, { decision, successes }: Roll, passed: number, failed: number): void {
    const code = masked ? OpCode.SELECT_MASKED : OpCode.SELECT;
    const plane = this.#plane + decision;
    this.#op(SelectOp, { code, from: at, passed, failed, plane, fails: ROLL_SIDES - successes });
  }

  #select(from: Part, roll: Roll): { passed: Part; failed: Part } {
    const share = roll.successes / ROLL_SIDES;
    const [passed, failed] = [this.#part(from, share), this.#part(from, 1 - share)];
    this.#roll(from, roll, passed.at, failed.at);
    return { passed: this.#thin(passed), failed: this.#thin(failed) };
  }

  #part({ share, masked }: Part, fraction: number): Part {
    return { at: this.#takeList(), share: share * fraction, masked };
  }

  #thin(part: Part): Part {
    if (!part.masked || part.share >= MASKED_SHARE) return part;
    this.#op(ListOp, { code: OpCode.LIST_MASKED, from: part.at, into: part.at });
    return { ...part, masked: false };
  }

  /** Returns the part as a list. Sets the column to 0, because the next operation writes only to the listed items. */
  #listed({ at, masked }: Part, column: number): number {
    if (at === ALL.at) return ItemPart.LIST_OF_ALL;
    this.#clear(column);
    if (!masked) return at;
    const into = this.#takeList();
    this.#op(ListOp, { code: OpCode.LIST_MASKED, from: at, into });
    return into;
  }

  #takeList(): number {
    const list = this.#nextList++;
    this.#lists = Math.max(this.#lists, this.#nextList);
    return list;
  }

  #column(name: string): number {
    return this.#columns.get(name) ?? 0;
  }

  #op<T extends RecipeOp>(layout: Layout<T>, op: T): void {
    const at = this.#bytes;
    this.#ops.push((program) => this.#image.set(program + at, layout, op));
    this.#bytes += layout.bytes;
  }
}
