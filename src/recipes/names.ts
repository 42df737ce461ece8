import type { RecipeSpec, SlotsStepSpec, StepSpec } from "./types.js";

/** The parts of names: columns with a value for each item, and the texts of the values. */
interface NameSource {
  /** The column of a slot or of a bonus. */
  column(name: string): ArrayLike<number>;
  /** A column that is 0 if a step with a chance was not opened. */
  gate(step: SlotsStepSpec): ArrayLike<number>;
  /** A slot's words by value, "" for 0. */
  words(slot: string): readonly string[];
}

/** A part of a name: its text for item k. */
type Stretch = (k: number) => string;

/**
 * Composes names. Each open step gives its text; each filled slot gives its text, its capitalised word and a space; the texts
 * of bonuses follow at the end. White space around the name is removed. Cost: O(words) to build, O(length) for a name.
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
 * "Half-moon Axe"). The same as PHP's `ucwords(strtolower(word))`, except that PHP does not change letters outside ASCII.
 */
export function capitalise(word: string): string {
  return word.toLowerCase().replace(/(^|[ \t\r\n\f\v])(\S)/gu, (_, space: string, letter: string) => {
    return space + letter.toUpperCase();
  });
}
