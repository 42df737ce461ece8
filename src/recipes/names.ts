import type { RecipeSpec, SlotsStepSpec } from "./types.js";

/** A part of every name. An item's value in the column selects one of the texts. */
export interface NameSegment {
  readonly column: string;
  readonly texts: readonly string[];
}

interface NameTexts {
  /** Returns a column that is 0 if the step is closed, and how many values this column can have. */
  gate(step: SlotsStepSpec): { readonly column: string; readonly values: number };
  /** Returns a word for each value of a slot's column. Entry 0 is "". */
  words(slot: string): readonly string[];
}

/** Returns the parts of a name: the texts of steps and slots with capitalised words, then the texts of bonuses. */
export function nameSegments({ steps }: RecipeSpec, texts: NameTexts): NameSegment[] {
  return [
    ...steps.flatMap((step) => (step.kind === "slots" ? wordSegments(step, texts) : [])),
    ...steps.flatMap((step): NameSegment[] => {
      return step.kind === "bonus" ? [{ column: step.name, texts: ["", ...step.ladder.map(({ text }) => text)] }] : [];
    }),
  ];
}

export function nameOf(
  segments: readonly { readonly texts: readonly string[]; readonly indices: Uint16Array }[],
  k: number,
): string {
  let name = "";
  for (const { texts, indices } of segments) name += texts[indices[k]];
  return name.trim();
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

/** Turns "half-moon axe" into "Half-moon Axe", like PHP's `ucwords(strtolower(word))`, but also outside ASCII. */
export function capitalise(word: string): string {
  return word.toLowerCase().replace(/(^|[ \t\r\n\f\v])(\S)/gu, (_, space: string, letter: string) => {
    return space + letter.toUpperCase();
  });
}
