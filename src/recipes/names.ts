import type { RecipeSpec, SlotsStepSpec, StepSpec } from "./types.js";

/** What names are composed from: columns of values, one an item, and what the values say. */
export interface NameSource {
  /** The column of a slot or of a bonus. */
  column(name: string): ArrayLike<number>;
  /** What is 0 where a step with a chance was not opened. */
  gate(step: SlotsStepSpec): ArrayLike<number>;
  /** A slot's words by value, "" for 0. */
  words(slot: string): readonly string[];
}

/** A stretch of a name: the text of item k. */
type Stretch = (k: number) => string;

/**
 * Composes names: step by step, the text of an open step, and each filled slot's text and word, capitalised, with a space
 * behind it; the texts of bonuses at the end. Trimmed. Cost: O(words) to make one, O(length) a name.
 */
export class Namer {
  readonly #stretches: readonly Stretch[];

  constructor({ steps }: RecipeSpec, source: NameSource) {
    const words = steps.flatMap((step) => (step.kind === "slots" ? wordStretches(step, source) : []));
    this.#stretches = [...words, ...steps.flatMap((step) => bonusStretches(step, source))];
  }

  /** Item k's name. */
  name(k: number): string {
    let name = "";
    for (const textOf of this.#stretches) name += textOf(k);
    return name.trim();
  }
}

function wordStretches(step: SlotsStepSpec, source: NameSource): Stretch[] {
  const slots = step.slots.map(({ slot, text = "" }) => {
    const texts = source.words(slot).map((word) => (word === "" ? "" : `${text}${capitalise(word)} `));
    return byValue(source.column(slot), texts);
  });
  const { text } = step;
  if (text === undefined) return slots;
  if (step.chance === undefined) return [() => text, ...slots];
  const gate = source.gate(step);
  return [(k) => (gate[k] === 0 ? "" : text), ...slots];
}

function bonusStretches(step: StepSpec, source: NameSource): Stretch[] {
  if (step.kind !== "bonus") return [];
  return [byValue(source.column(step.name), ["", ...step.ladder.map(({ text }) => text)])];
}

function byValue(column: ArrayLike<number>, texts: readonly string[]): Stretch {
  return (k) => texts[column[k]];
}

/**
 * A word in lower case, with the first letter of each part capitalised; white space separates parts ("half-moon axe" →
 * "Half-moon Axe"). What PHP's `ucwords(strtolower(word))` gives, which leaves letters outside ASCII as they are; here they
 * are letters like others.
 */
export function capitalise(word: string): string {
  return word.toLowerCase().replace(/(^|[ \t\r\n\f\v])(\S)/gu, (_, space: string, letter: string) => {
    return space + letter.toUpperCase();
  });
}
