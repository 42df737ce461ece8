import type { PlanImage } from "../kernel/index.js";
import type { Merge } from "./adders.js";
import type { Choice, ResolvedBonus, ResolvedCondition, ResolvedSlot, ResolvedSlots, Roll } from "./resolve.js";

/** The ops of a program, as assembly/recipes/make.ts numbers them. */
const Op = {
  END: 0,
  SELECT: 1,
  PICK: 2,
  PICK_OTHER: 3,
  PICK_SWINGING: 4,
  SET: 5,
  CONDITION: 6,
  MERGE: 7,
  CLEAR: 8,
  SELECT_MASKED: 9,
  LIST_MASKED: 10,
  PICK_MASKED: 11,
  SET_MASKED: 12,
  SUM: 13,
} as const;
const OP_WORDS = 8;

/** A roll is 0 … 100. */
const SIDES = 101;
/** Planes of a step. */
const STEP_PLANES = 16;
/** What is in no list of candidates. */
const NOWHERE = 0xffff;

/** A pick by masks looks its candidates up among so many bytes. */
const MASKED_VALUES = 64;
const MAX_BYTE = 255;
/** A smaller share of the items is a list. */
const MASKED_SHARE = 1 / 12;

/** Some of a span's items: a mask, or a list where they are few. */
interface Part {
  readonly at: number;
  readonly share: number;
  readonly masked: boolean;
}

/** All items of a span: list 0, mask 1. */
const LIST_OF_ALL = 0;
const ALL: Part = { at: 1, share: 1, masked: true };
const FIRST_FREE = 2;

/** What a slot's column holds for a word: 0 is empty, row i is i + 1, and one more than the last is the special. */
export function columnValue({ table }: ResolvedSlot, { row, special }: Choice): number {
  return special ? table.rows.length + 1 : row + 1;
}

/** The decisions of a recipe as a program: which lists are split, which columns filled, and on which planes. */
export class Program {
  readonly #image: PlanImage;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #ops: number[] = [];
  #plane = 0;
  #nextList = FIRST_FREE;

  /** @param columns - the columns of slots, of outcomes and (with {@link gateName}) of gates, by name. */
  constructor(image: PlanImage, columns: ReadonlyMap<string, number>) {
    this.#image = image;
    this.#columns = columns;
  }

  /** Places the program, and answers where it is. */
  place(): number {
    this.#op(Op.END);
    return this.#image.words(this.#ops);
  }

  /** What is added from now on belongs to the recipe's step of this index. */
  begin(step: number): void {
    this.#plane = step * STEP_PLANES;
    this.#nextList = FIRST_FREE;
  }

  /** A step of slots. */
  slots({ spec, gate, opened, slots }: ResolvedSlots): void {
    const open = gate === undefined || opened ? ALL : this.#select(ALL, gate).passed;
    const column = this.#columns.get(gateName(spec.name));
    if (column !== undefined) {
      this.#op(Op.CLEAR, LIST_OF_ALL, column);
      this.#set(open, column, 1);
    }
    const random: (Part | undefined)[] = [];
    for (const slot of slots) random.push(this.#slot(slot, { open, slots, random }));
  }

  /** Columns made of others. */
  merge(merges: readonly Merge[]): void {
    for (const { into, first, second, size } of merges) this.#op(Op.MERGE, LIST_OF_ALL, into, first, second, size);
  }

  /** Sums the stats; conditions come after that. */
  sum(): void {
    this.#op(Op.SUM);
  }

  /** A condition, whose parameters are at an offset. */
  condition({ doubled, up }: ResolvedCondition, at: number): void {
    const masks = [this.#mask(doubled), this.#mask(up)];
    this.#op(Op.CONDITION, LIST_OF_ALL, this.#plane, 0, at, ...masks);
  }

  /** A bonus. */
  bonus({ spec, chance, ladder, rungs }: ResolvedBonus): void {
    const { passed } = this.#select(ALL, chance);
    // the ladder goes down, the roll counts up from 1
    const values = rungs.map((count, rung) => new Array<number>(count).fill(rung + 1));
    this.#pickOf(passed, this.#column(spec.name), this.#plane + ladder, values.reverse().flat());
  }

  /** Answers the items that get a random word; undefined where none does. */
  #slot(
    slot: ResolvedSlot,
    step: { open: Part; slots: readonly ResolvedSlot[]; random: readonly (Part | undefined)[] },
  ): Part | undefined {
    const column = this.#column(slot.spec.slot);
    const from = slot.after === undefined ? step.open : step.random[slot.after];
    if (from === undefined || slot.requested !== undefined) this.#op(Op.CLEAR, LIST_OF_ALL, column);
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

  /** Gives a part random words, and everything else none. */
  #pick(slot: ResolvedSlot, part: Part, slots: readonly ResolvedSlot[]): void {
    const column = this.#column(slot.spec.slot);
    const plane = this.#plane + slot.pick;
    if (slot.variants.length > 1 && slot.swing !== undefined) {
      const list = this.#listed(part, column);
      this.#op(Op.PICK_SWINGING, list, column, this.#plane + slot.swing, plane, this.#placeSwing(slot));
      return;
    }
    const values = slot.variants[0].candidates.map((row) => row + 1);
    if (slot.differentFrom === undefined) {
      this.#pickOf(part, column, plane, values);
      return;
    }
    const other = slots[slot.differentFrom];
    const places = this.#placePlaces(other, slot.variants[0].candidates);
    const at = this.#image.place(Uint16Array.from(values));
    const list = this.#listed(part, column);
    this.#op(Op.PICK_OTHER, list, column, plane, values.length, at, this.#column(other.spec.slot), places);
  }

  /** Gives a part one of some values, all equally likely, and everything else 0. */
  #pickOf(part: Part, column: number, plane: number, values: readonly number[]): void {
    if (part.masked && values.length <= MASKED_VALUES && values.every((value) => value <= MAX_BYTE)) {
      const bytes = new Uint8Array(MASKED_VALUES);
      bytes.set(values);
      this.#op(Op.PICK_MASKED, part.at, column, plane, values.length, this.#image.place(bytes));
      return;
    }
    const at = this.#image.place(Uint16Array.from(values));
    this.#op(Op.PICK, this.#listed(part, column), column, plane, values.length, at);
  }

  #set(part: Part, column: number, value: number): void {
    this.#op(part.masked ? Op.SET_MASKED : Op.SET, part.at, column, value);
  }

  #placeCandidates(candidates: readonly number[]): number {
    return this.#image.place(Uint16Array.from(candidates, (row) => row + 1));
  }

  /** For each roll, where its candidates are and how many. */
  #placeSwing({ variants }: ResolvedSlot): number {
    const sets = new Uint32Array(2 * SIDES);
    let above = SIDES;
    for (const { atLeast, candidates } of variants) {
      const at = this.#placeCandidates(candidates);
      for (let roll = atLeast; roll < above; roll++) sets.set([at, candidates.length], 2 * roll);
      above = atLeast;
    }
    return this.#image.place(sets);
  }

  /** For each value of a slot's column, its place among candidates. */
  #placePlaces(other: ResolvedSlot, candidates: readonly number[]): number {
    const places = new Uint16Array(other.table.rows.length + 2).fill(NOWHERE);
    for (const [place, row] of candidates.entries()) {
      places[row + 1] = place;
      if (row === other.special?.row) places[other.table.rows.length + 1] = place;
    }
    return this.#image.place(places);
  }

  /** The mask of the items that pass a roll. */
  #mask({ decision, successes }: Roll): number {
    const [passed, failed] = [this.#nextList++, this.#nextList++];
    this.#op(Op.SELECT_MASKED, ALL.at, passed, failed, this.#plane + decision, SIDES - successes);
    return passed;
  }

  /** The items of a part that pass a roll, and the others. */
  #select(from: Part, { decision, successes }: Roll): { passed: Part; failed: Part } {
    const passed = this.#part(from, successes / SIDES);
    const failed = this.#part(from, 1 - successes / SIDES);
    const op = from.masked ? Op.SELECT_MASKED : Op.SELECT;
    this.#op(op, from.at, passed.at, failed.at, this.#plane + decision, SIDES - successes);
    return { passed: this.#thin(passed), failed: this.#thin(failed) };
  }

  #part({ share, masked }: Part, ofIt: number): Part {
    return { at: this.#nextList++, share: share * ofIt, masked };
  }

  /** The part, as a list if it is small. */
  #thin(part: Part): Part {
    if (!part.masked || part.share >= MASKED_SHARE) return part;
    this.#op(Op.LIST_MASKED, part.at, part.at);
    return { ...part, masked: false };
  }

  /** A list of a part, which stays as it is; a column is made empty for the others. */
  #listed({ at, masked }: Part, column: number): number {
    if (at === ALL.at) return LIST_OF_ALL;
    this.#op(Op.CLEAR, LIST_OF_ALL, column);
    if (!masked) return at;
    const list = this.#nextList++;
    this.#op(Op.LIST_MASKED, at, list);
    return list;
  }

  #column(name: string): number {
    return this.#columns.get(name) ?? 0;
  }

  #op(...words: readonly number[]): void {
    this.#ops.push(...words, ...new Array<number>(OP_WORDS - words.length).fill(0));
  }
}

/** What the column of a step's gate is called. */
export function gateName(step: string): string {
  return `\0${step}`;
}
