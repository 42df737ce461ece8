import type { RecipeSpec, SlotsStepSpec, StepSpec } from "./types.js";

/** The data that names are composed from: columns with a value for each item, and the texts of these values. */
interface NameSource {
  /** Returns the column of a slot or of a bonus. */
  column(name: string): ArrayLike<number>;
  /** Returns a column that is 0 for the items in which a step is closed. */
  gate(step: SlotsStepSpec): ArrayLike<number>;
  /** Returns a slot's words, indexed by the value of its column. Entry 0 is "". */
  words(slot: string): readonly string[];
}

/** Returns a part of item k's name. */
type Stretch = (k: number) => string;

/**
 * Composes names. For each open step, a name contains the step's text and then the filled slots of the step. A filled
 * slot contributes its text, the capitalised word and a space. The texts of bonuses are at the end. White space around
 * the name is removed.
 *
 * Cost: O(words) to build, O(length) for a name.
 */
export class Namer {
  readonly #stretches: readonly Stretch[];

  constructor({ steps }: RecipeSpec, source: NameSource) {
    const words = steps.flatMap((step) => (step.kind === "slots" ? wordStretches(step, source) : []));
    this.#stretches = [...words, ...steps.flatMap((step) => bonusStretches(step, source))];
  }

  /** Returns the name of item k. */
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
 * Converts a word to lower case and capitalises the first letter of each part; white space separates parts. "half-moon
 * axe" becomes "Half-moon Axe". PHP's `ucwords(strtolower(word))` returns the same text, except for letters outside
 * ASCII: PHP does not change these letters.
 */
export function capitalise(word: string): string {
  return word.toLowerCase().replace(/(^|[ \t\r\n\f\v])(\S)/gu, (_, space: string, letter: string) => {
    return space + letter.toUpperCase();
  });
}
