// A buffer of random words in JS: sfc32 with its state in locals.

import { Words } from "./words.mjs";

/** {wordsInto(out)}. */
export function jsFill() {
  const words = new Words(10);
  return { wordsInto: (out) => words.fill(out) };
}
