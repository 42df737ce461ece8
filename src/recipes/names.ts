import type { PhraseSegment } from "../formats/tables/columns.js";
import type { NameComposer, RecipeSpec, SlotsStepSpec, StepSpec } from "./types.js";

interface NameTexts {
  /** Returns the column in which 0 stands for a closed step, and the number of its values. */
  gate(step: SlotsStepSpec): { readonly column: string; readonly values: number };
  /** Returns a word for each value of a slot's column. Entry 0 is "". */
  words(slot: string): readonly string[];
}

type ColumnOf = (name: string) => Uint16Array;

/** A segment: one part of every name. An item's value in the column selects one of the texts. */
interface NameSegment {
  readonly column: string;
  readonly texts: readonly string[];
}

/**
 * Composes the names of a recipe's items. For each open step, a name contains the step's text and then the filled slots
 * of the step. A filled slot contributes its text, the capitalised word and a space. The texts of bonuses are at the
 * end. White space around the name is removed.
 *
 * Cost: O(words) to build, once for each recipe. O(length) for a name.
 */
export class Namer implements NameComposer {
  readonly #segments: readonly NameSegment[];

  constructor({ steps }: RecipeSpec, texts: NameTexts) {
    const words = steps.flatMap((step) => (step.kind === "slots" ? wordSegments(step, texts) : []));
    this.#segments = [...words, ...steps.flatMap((step) => bonusSegments(step))];
  }

  /** Returns the name of item k. */
  name(columnOf: ColumnOf, k: number): string {
    let name = "";
    for (const { column, texts } of this.#segments) name += texts[columnOf(column)[k]];
    return name.trim();
  }

  /** Returns the segments of the names of all items. */
  segments(columnOf: ColumnOf): PhraseSegment[] {
    return this.#segments.map(({ column, texts }) => ({ texts, indices: columnOf(column) }));
  }
}

function wordSegments(step: SlotsStepSpec, { words, gate }: NameTexts): NameSegment[] {
  const isAlways = step.chance === undefined;
  const slots = step.slots.map(({ slot, text = "" }, i) => {
    // a step that is always open shows its text even if its first slot is empty
    const before = isAlways && i === 0 ? (step.text ?? "") : "";
    return {
      column: slot,
      texts: words(slot).map((word) => before + (word === "" ? "" : `${text}${capitalise(word)} `)),
    };
  });
  const { text } = step;
  if (text === undefined || isAlways) return slots;
  const { column, values } = gate(step);
  return [{ column, texts: ["", ...new Array<string>(values - 1).fill(text)] }, ...slots];
}

function bonusSegments(step: StepSpec): NameSegment[] {
  if (step.kind !== "bonus") return [];
  return [{ column: step.name, texts: ["", ...step.ladder.map(({ text }) => text)] }];
}

/**
 * Converts a word to lower case. Then capitalises its first letter and each letter after white space. "half-moon axe"
 * becomes "Half-moon Axe". PHP's `ucwords(strtolower(word))` returns the same text, except for letters outside ASCII:
 * PHP does not change these letters.
 */
export function capitalise(word: string): string {
  return word.toLowerCase().replace(/(^|[ \t\r\n\f\v])(\S)/gu, (_, space: string, letter: string) => {
    return space + letter.toUpperCase();
  });
}
