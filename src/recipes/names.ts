import type { RecipeSpec, SlotsStepSpec } from "./types.js";

const SPACE = 0x20;
const FIRST_NOT_ASCII = 0x80;

/** The texts of a part of a name. `ends` are the same texts at the end of a name, without spaces after them. */
export interface NameTexts {
  readonly texts: readonly string[];
  readonly ends: readonly string[];
}

/** A part of every name. An item's value in the column selects one of the texts. */
export interface NameSegment extends NameTexts {
  readonly column: string;
}

interface NameParts {
  readonly column: string;
  readonly texts: readonly string[];
}

interface TextSource {
  /** Returns a column that is 0 if the step is closed, and how many values this column can have. */
  gate(step: SlotsStepSpec): { readonly column: string; readonly values: number };
  /** Returns a word for each value of a slot's column. Entry 0 is "". */
  words(slot: string): readonly string[];
}

/** Returns the parts of a name: the texts of steps and slots with capitalised words, then the texts of bonuses. */
export function nameSegments({ steps }: RecipeSpec, texts: TextSource): NameSegment[] {
  const parts = [
    ...steps.flatMap((step) => (step.kind === "slots" ? wordSegments(step, texts) : [])),
    ...steps.flatMap((step): NameParts[] => {
      return step.kind === "bonus" ? [{ column: step.name, texts: ["", ...step.ladder.map(({ text }) => text)] }] : [];
    }),
  ];
  return parts.map((part) => ({ ...part, ends: part.texts.map((text) => text.trimEnd()) }));
}

/** Composes the trimmed name from its end. V8 takes longer to trim a text than to compose it. */
export function nameOf(segments: readonly (NameTexts & { readonly indices: Uint16Array })[], k: number): string {
  let name = "";
  let first = 0;
  for (let i = segments.length - 1; i >= 0; i--) {
    const { texts, ends, indices } = segments[i];
    const text = (name === "" ? ends : texts)[indices[k]];
    if (text === "") continue;
    first = text.charCodeAt(0);
    name = text + name;
  }
  const isTrimmed = first > SPACE && first < FIRST_NOT_ASCII;
  return isTrimmed ? name : name.trimStart();
}

function wordSegments(step: SlotsStepSpec, { words, gate }: TextSource): NameParts[] {
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
