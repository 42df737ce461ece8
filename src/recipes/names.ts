import type { NameComposer, RecipeSpec, SlotsStepSpec, StepSpec } from "./types.js";

/** The texts that names are composed from. */
interface NameTexts {
  /** Returns the column of a step. It is 0 for the items in which the step is closed. */
  gate(step: SlotsStepSpec): string;
  /** Returns a slot's words, indexed by the value of its column. Entry 0 is "". */
  words(slot: string): readonly string[];
}

/** Returns a column by its name. */
type ColumnOf = (name: string) => ArrayLike<number>;

/** Returns a part of item k's name. */
type Stretch = (columnOf: ColumnOf, k: number) => string;

/**
 * Composes the names of a recipe's items. For each open step, a name contains the step's text and then the filled slots
 * of the step. A filled slot contributes its text, the capitalised word and a space. The texts of bonuses are at the
 * end. White space around the name is removed.
 *
 * Cost: O(words) to build, once for a recipe; O(length) for a name.
 */
export class Namer implements NameComposer {
  readonly #stretches: readonly Stretch[];

  constructor({ steps }: RecipeSpec, texts: NameTexts) {
    const words = steps.flatMap((step) => (step.kind === "slots" ? wordStretches(step, texts) : []));
    this.#stretches = [...words, ...steps.flatMap((step) => bonusStretches(step))];
  }

  /** Returns the name of item k. */
  name(columnOf: ColumnOf, k: number): string {
    let name = "";
    for (const textOf of this.#stretches) name += textOf(columnOf, k);
    return name.trim();
  }
}

function wordStretches(step: SlotsStepSpec, { words, gate }: NameTexts): Stretch[] {
  const slots = step.slots.map(({ slot, text = "" }) =>
    byValue(
      slot,
      words(slot).map((word) => (word === "" ? "" : `${text}${capitalise(word)} `)),
    ),
  );
  const { text } = step;
  if (text === undefined) return slots;
  if (step.chance === undefined) return [() => text, ...slots];
  const shown = gate(step);
  return [(columnOf, k) => (columnOf(shown)[k] === 0 ? "" : text), ...slots];
}

function bonusStretches(step: StepSpec): Stretch[] {
  if (step.kind !== "bonus") return [];
  return [byValue(step.name, ["", ...step.ladder.map(({ text }) => text)])];
}

function byValue(column: string, texts: readonly string[]): Stretch {
  return (columnOf, k) => texts[columnOf(column)[k]];
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
