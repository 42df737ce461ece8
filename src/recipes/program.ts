import type { PlanImage } from "../kernel/index.js";
import type { Merge } from "./adders.js";
import type { Choice, ResolvedBonus, ResolvedSlot, ResolvedSlots, Roll } from "./resolve.js";

/** The ops of a program, as assembly/recipes.ts numbers them. */
const Op = {
  END: 0,
  SELECT: 1,
  PICK: 2,
  PICK_OTHER: 3,
  PICK_SWINGING: 4,
  SET: 5,
  CONDITION: 6,
  SELECT_OF_ALL: 7,
  MERGE: 8,
  CLEAR: 9,
  PICK_FOR_ALL: 10,
} as const;
const OP_WORDS = 8;

/** A roll is 0 … 100. */
const SIDES = 101;
/** Planes of a step. */
const STEP_PLANES = 16;
/** What is in no list of candidates. */
const NOWHERE = 0xffff;

/** List 0 has all items of a span. */
const ALL = 0;
const FIRST_FREE = 1;

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
    const open = gate === undefined || opened ? ALL : this.#passed(ALL, gate);
    const column = this.#columns.get(gateName(spec.name));
    if (column !== undefined) {
      this.#op(Op.CLEAR, ALL, column);
      this.#op(Op.SET, open, column, 1);
    }
    const random: (number | undefined)[] = [];
    for (const slot of slots) random.push(this.#slot(slot, { open, slots, random }));
  }

  /** Columns made of others. */
  merge(merges: readonly Merge[]): void {
    for (const { into, first, second, size } of merges) this.#op(Op.MERGE, ALL, into, first, second, size);
  }

  /** A condition, whose parameters are at an offset. */
  condition(delta: number, at: number): void {
    this.#op(Op.CONDITION, ALL, delta, this.#plane, at);
  }

  /** A bonus. */
  bonus({ spec, chance, ladder, rungs }: ResolvedBonus): void {
    const passed = this.#passed(ALL, chance);
    this.#op(Op.CLEAR, ALL, this.#column(spec.name));
    // the ladder goes down, the roll counts up from 1
    const values = rungs.map((count, rung) => new Array<number>(count).fill(rung + 1));
    const at = this.#image.place(Uint16Array.from(values.reverse().flat()));
    this.#op(Op.PICK, passed, this.#column(spec.name), this.#plane + ladder, spec.sides, at);
  }

  /** Answers the list of items that get a random word; undefined where none does. */
  #slot(
    slot: ResolvedSlot,
    step: { open: number; slots: readonly ResolvedSlot[]; random: readonly (number | undefined)[] },
  ): number | undefined {
    const column = this.#column(slot.spec.slot);
    const from = slot.after === undefined ? step.open : step.random[slot.after];
    if (from !== ALL || slot.chance !== undefined) this.#op(Op.CLEAR, ALL, column);
    if (from === undefined) return undefined;
    if (slot.requested !== undefined) {
      this.#op(Op.SET, from, column, columnValue(slot, slot.requested));
      return undefined;
    }
    let list = slot.chance === undefined ? from : this.#passed(from, slot.chance);
    if (slot.special !== undefined) {
      const { passed, failed } = this.#select(list, slot.special.roll);
      this.#op(Op.SET, passed, column, columnValue(slot, { row: slot.special.row, special: true }));
      list = failed;
    }
    this.#pick(slot, list, step.slots);
    return list;
  }

  #pick(slot: ResolvedSlot, list: number, slots: readonly ResolvedSlot[]): void {
    const column = this.#column(slot.spec.slot);
    const plane = this.#plane + slot.pick;
    if (slot.variants.length > 1 && slot.swing !== undefined) {
      this.#op(Op.PICK_SWINGING, list, column, this.#plane + slot.swing, plane, this.#placeSwing(slot));
      return;
    }
    const [{ candidates }] = slot.variants;
    const values = this.#placeCandidates(candidates);
    if (slot.differentFrom === undefined) {
      this.#op(list === ALL ? Op.PICK_FOR_ALL : Op.PICK, list, column, plane, candidates.length, values);
      return;
    }
    const other = slots[slot.differentFrom];
    const places = this.#placePlaces(other, candidates);
    this.#op(Op.PICK_OTHER, list, column, plane, candidates.length, values, this.#column(other.spec.slot), places);
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

  /** The list of items that pass a roll. */
  #passed(from: number, roll: Roll): number {
    if (from !== ALL) return this.#select(from, roll).passed;
    const passed = this.#newList();
    this.#op(Op.SELECT_OF_ALL, ALL, passed, 0, this.#plane + roll.decision, SIDES - roll.successes);
    return passed;
  }

  #select(from: number, { decision, successes }: Roll): { passed: number; failed: number } {
    const passed = this.#newList();
    const failed = this.#newList();
    this.#op(Op.SELECT, from, passed, failed, this.#plane + decision, SIDES - successes);
    return { passed, failed };
  }

  #newList(): number {
    return this.#nextList++;
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
