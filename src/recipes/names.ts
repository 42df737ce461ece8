import type { RecipeSpec, StepSpec } from "./types.js";

/** What an item's name is put together from. */
export interface NameParts {
  /** For each slot of the recipe, in its order: the word, or "" where it is empty. */
  readonly words: readonly string[];
  /** For each step of the recipe: the text of the bonus, or "" where there is none. */
  readonly bonuses: readonly string[];
  /** For each step of the recipe: whether it is open. By default a step is, if one of its slots is filled. */
  readonly open?: readonly boolean[];
}

/**
 * An item's name: step by step, the text of an open step, and each filled slot's text and word, capitalised, with a space
 * behind it; the texts of bonuses at the end. Trimmed. Cost: O(length).
 */
export function composeName(spec: RecipeSpec, { words, bonuses, open }: NameParts): string {
  let name = "";
  let first = 0;
  spec.steps.forEach((step, index) => {
    if (step.kind !== "slots") return;
    const own = words.slice(first, first + step.slots.length);
    first += step.slots.length;
    name += wordsOfStep(step, own, open?.[index] ?? own.some((word) => word !== ""));
  });
  return (name + bonuses.join("")).trim();
}

function wordsOfStep(step: Extract<StepSpec, { kind: "slots" }>, words: readonly string[], isOpen: boolean): string {
  if (!isOpen) return "";
  let name = step.text ?? "";
  step.slots.forEach(({ text = "" }, i) => {
    if (words[i] !== "") name += `${text}${capitalise(words[i])} `;
  });
  return name;
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
