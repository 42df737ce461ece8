// Generators that people install. Neither has a bulk call, so they fill a buffer word by word. Each package runs its
// fastest generator.

import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import seedrandom from "seedrandom";

/** {name, next} for each package. next() returns a 32-bit integer, signed or unsigned. */
export function npmWords() {
  const pure = xoroshiro128plus(9);
  const seeded = seedrandom.alea("bench");
  return [
    { name: "pure-rand", next: () => pure.next() },
    { name: "seedrandom", next: () => seeded.int32() },
  ];
}
