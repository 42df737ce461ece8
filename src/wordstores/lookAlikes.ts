import { brotliDecompressSync } from "node:zlib";
import { CONFUSABLES } from "./confusables.js";

/**
 * A difference that a reader may not see: the same characters in another encoding (é as one code point or as two);
 * characters without width; other spaces; upper and lower case; similar forms, such as the Latin and the Cyrillic a.
 */
export type LookAlikeReason = "encoding" | "zero-width" | "spaces" | "case" | "confusable";

/** Each step removes one sort of difference. "encoding" has no step, because both words are normalized first. */
const STEPS: readonly (readonly [reason: LookAlikeReason, step: (text: string) => string])[] = [
  ["zero-width", (text) => text.replace(/[\p{Default_Ignorable_Code_Point}\p{Format}]/gu, "")],
  ["spaces", (text) => text.replace(/[\p{White_Space}\u2800]/gu, "")],
  ["case", (text) => text.toUpperCase().toLowerCase().normalize("NFD")],
  ["confusable", withPrototypes],
];

/**
 * Returns a function that compares `word` with another word: it returns the smallest set of differences whose removal
 * makes the words equal, or undefined. Source of similar forms: UTS #39, section 4.
 */
export function lookAlikesOf(word: string): (other: string) => readonly LookAlikeReason[] | undefined {
  const keys = orders(STEPS).map((order) => after(word, order));
  return (other) => {
    const isAlike = other !== word && orders(STEPS).some((order, i) => after(other, order) === keys[i]);
    return isAlike ? reasonsOf(word, other) : undefined;
  };
}

function reasonsOf(a: string, b: string): readonly LookAlikeReason[] {
  const subsets = Array.from({ length: 2 ** STEPS.length }, (_, bits) => STEPS.filter((_step, i) => (bits >> i) & 1));
  subsets.sort((x, y) => x.length - y.length);
  const found = subsets.find((steps) => orders(steps).some((order) => after(a, order) === after(b, order))) ?? STEPS;
  return found.length === 0 ? ["encoding"] : found.map(([reason]) => reason);
}

/**
 * Returns the steps in two orders, because the step "confusable" replaces a capital I by a small L. Only the first
 * order makes IRON and iron equal. Only the second makes IRON and lRON, with a small L, equal.
 */
function orders(steps: typeof STEPS): readonly (typeof STEPS)[] {
  return [steps, steps.toReversed()];
}

function after(text: string, steps: typeof STEPS): string {
  return steps.reduce((before, [, step]) => step(before), text.normalize("NFD"));
}

let prototypes: ReadonlyMap<string, string> | undefined;

function withPrototypes(text: string): string {
  prototypes ??= prototypesByCharacter();
  return Array.from(text, (character) => prototypes?.get(character) ?? character)
    .join("")
    .normalize("NFD");
}

function prototypesByCharacter(): ReadonlyMap<string, string> {
  const lines = brotliDecompressSync(Buffer.from(CONFUSABLES, "base64")).toString("utf8").split("\n");
  const [steps, found] = lines.map((line) => line.split("\t"));
  let codePoint = 0;
  return new Map(
    steps.map((step, i) => {
      codePoint += Number.parseInt(step, 36);
      return [String.fromCodePoint(codePoint), found[i]] as const;
    }),
  );
}
