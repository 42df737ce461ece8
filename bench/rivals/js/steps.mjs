// Hex walks in typed arrays. Each heading has a table of cumulative weights. A step reads one word, and finds its
// direction by counting cumulative weights without a branch. A torus counts visits in a Uint32Array. An unbounded map
// counts them in chunks of 64 × 64 cells, which a Map finds; the last chunk is remembered.

import { COLUMN_STEP, RESTING, ROW_STEP } from "../../inputs/walks.mjs";
import { cumulativeOf } from "./tensor.mjs";
import { Words } from "./words.mjs";

const INV_2_32 = 2 ** -32;
const BLOCK = 4096;
const CHUNK_BITS = 6;
const CHUNK_MASK = 63;

const NAMES = ["NW", "NE", "E", "SE", "SW", "W", "resting"];

/**
 * {step(), advance(steps), ends(walkers, steps)} on a torus of rows × columns, both powers of two, or on an unbounded map if
 * rows and columns are missing.
 */
export function jsSteps({ grid, tensor, walkers }) {
  const cumulative = cumulativeOf(tensor);
  const rowStep = Int32Array.from(ROW_STEP);
  const columnStep = Int32Array.from(COLUMN_STEP);
  const words = new Words(3);
  const block = new Uint32Array(BLOCK);
  const all = Array.from({ length: walkers }, () => Int32Array.of(0, 0, RESTING));
  const visits = grid ? new Uint32Array(grid.rows * grid.columns) : null;
  const chunks = new Map();

  function turn(word, heading) {
    const from = heading * 6;
    const r = (word * cumulative[from + 5] * INV_2_32) >>> 0;
    return passed(from, r) + passed(from + 1, r) + passed(from + 2, r) + passed(from + 3, r) + passed(from + 4, r);
  }

  // 1 if cumulative weight c is ≤ r: the sign bit of the difference, because a branch would be mispredicted
  function passed(c, r) {
    return (cumulative[c] - r - 1) >>> 31;
  }

  function walkTorus(walker, steps) {
    const { rows, columns } = grid;
    let row = walker[0];
    let column = walker[1];
    let heading = walker[2];
    for (let done = 0; done < steps; done += BLOCK) {
      words.fill(block);
      const count = Math.min(BLOCK, steps - done);
      for (let t = 0; t < count; t++) {
        heading = turn(block[t], heading);
        row = (row + rowStep[heading]) & (rows - 1);
        column = (column + columnStep[heading]) & (columns - 1);
        visits[row * columns + column]++;
      }
    }
    walker.set([row, column, heading]);
  }

  function chunkAt(key) {
    let chunk = chunks.get(key);
    if (!chunk) {
      chunk = new Uint32Array(1 << (2 * CHUNK_BITS));
      chunks.set(key, chunk);
    }
    return chunk;
  }

  function walkUnbounded(walker, steps) {
    let row = walker[0];
    let column = walker[1];
    let heading = walker[2];
    let chunkRow = row >> CHUNK_BITS;
    let chunkColumn = column >> CHUNK_BITS;
    let chunk = chunkAt(chunkRow * 2 ** 26 + chunkColumn);
    for (let done = 0; done < steps; done += BLOCK) {
      words.fill(block);
      const count = Math.min(BLOCK, steps - done);
      for (let t = 0; t < count; t++) {
        heading = turn(block[t], heading);
        row += rowStep[heading];
        column += columnStep[heading];
        if (row >> CHUNK_BITS !== chunkRow || column >> CHUNK_BITS !== chunkColumn) {
          chunkRow = row >> CHUNK_BITS;
          chunkColumn = column >> CHUNK_BITS;
          chunk = chunkAt(chunkRow * 2 ** 26 + chunkColumn);
        }
        chunk[((row & CHUNK_MASK) << CHUNK_BITS) | (column & CHUNK_MASK)]++;
      }
    }
    walker.set([row, column, heading]);
  }

  // a call on a torus continues where the last call ended; on an unbounded map, each call makes a new map
  function startOver() {
    chunks.clear();
    for (const walker of all) walker.set([0, 0, RESTING]);
  }

  const [only] = all;
  let at = BLOCK;

  /** Takes a step with the first walker on a torus, and returns its position as an object. */
  function step() {
    if (at === BLOCK) {
      words.fill(block);
      at = 0;
    }
    const heading = turn(block[at++], only[2]);
    const row = (only[0] + rowStep[heading]) & (grid.rows - 1);
    const col = (only[1] + columnStep[heading]) & (grid.columns - 1);
    visits[row * grid.columns + col]++;
    only[0] = row;
    only[1] = col;
    only[2] = heading;
    return { row, col, heading: NAMES[heading] };
  }

  const walk = grid ? walkTorus : walkUnbounded;
  return {
    step,
    advance(steps) {
      if (!grid) startOver();
      for (const walker of all) walk(walker, steps);
      return all[0][0];
    },
    ends(count, steps) {
      return Array.from({ length: count }, () => {
        const walker = Int32Array.of(0, 0, RESTING);
        walk(walker, steps);
        return [walker[0], walker[1]];
      });
    },
  };
}
