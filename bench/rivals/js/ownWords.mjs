// The random words of the hand-written JavaScript world: a generator for each walker that is seeded by a hash of the
// walker's place, and a hash of the cell for what is decided cell by cell. So a cell does not depend on the window.

import { Words } from "./words.mjs";

/** The hash lowbias32 of Chris Wellons, "Prospecting for Hash Functions" (2018). */
function mixed(word) {
  let x = word;
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return (x ^ (x >>> 16)) >>> 0;
}

function hash(seed, row, col) {
  return mixed(mixed(seed ^ Math.imul(row, 0x9e3779b9)) ^ col);
}

/** The words of a world. A stream is the number of a layer or of a kind of cells. */
export class OwnWords {
  /** Fills `out` with the words of a walker of region (i, j). */
  walker(stream, i, j, walker, out) {
    new Words(hash(stream * 65_536 + walker, i, j)).fill(out);
  }

  /** Fills `out` with words of the walkers of region (i, j), one for each walker. `plane` is 0 or 1. */
  starts(stream, i, j, plane, out) {
    new Words(hash(stream * 65_536 + 65_535 - plane, i, j)).fill(out);
  }

  /** The word of a cell. */
  cell(stream, row, col) {
    return hash(0x5bd1e995 + stream, row, col);
  }

  /** Another word of a cell. */
  extra(stream, row, col) {
    return hash(0x1b873593 + stream, row, col);
  }
}
