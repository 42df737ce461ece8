// Generators that people install, filling a buffer word by word: neither has a bulk call. Of each
// package's generators the fastest is taken.

import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import seedrandom from "seedrandom";

/** {name, next} for each package; next() is 32 bits, signed or not. */
export function npmWords() {
  const pure = xoroshiro128plus(9);
  const seeded = seedrandom.alea("bench");
  return [
    { name: "pure-rand", next: () => pure.next() },
    { name: "seedrandom", next: () => seeded.int32() },
  ];
}
