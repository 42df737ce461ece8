// Fills a buffer with random words by sfc32, whose state is in local variables.

import { Words } from "./words.mjs";

/** {wordsInto(out)}: fills `out` with random words. */
export function jsFill() {
  const words = new Words(10);
  return { wordsInto: (out) => words.fill(out) };
}
