// The weights of the steps in the hand-written JavaScript walks.

import { RESTING } from "../../inputs/walks.mjs";

/** The cumulative weights of the six directions, for each heading: 7 × 6 numbers. */
export function cumulativeOf({ absolute, relative }) {
  const table = new Uint32Array(7 * 6);
  for (let heading = 0; heading < 7; heading++) {
    let total = 0;
    for (let c = 0; c < 6; c++) {
      total += heading === RESTING ? absolute[c] : absolute[c] * relative[(c - heading + 6) % 6];
      table[heading * 6 + c] = total;
    }
  }
  return table;
}
