import { type Address, type Kernel, within } from "../../kernel/index.js";
import { TERRAIN_CODES, WaySearch } from "../../kernel/layout.js";
import type { Cell } from "../../walks/index.js";
import type { CellRectangle } from "../../walks/rectangles.js";
import type { Ground } from "../finish.js";

/** Two cells, and a rectangle that has all cells of the search for a way. Some of it can be outside the ground. */
export interface WayEnds {
  readonly from: Cell;
  readonly to: Cell;
  readonly box: CellRectangle;
  /** The search has the cells whose distances to both ends are together at most this many steps. */
  readonly most: number;
}

export interface Way {
  readonly cost: number;
  /** The directions of the steps, from `from` to `to`. */
  readonly moves: Uint8Array;
}

export interface WayRequest {
  /** Its terrain is searched. All boxes are clipped to it. */
  readonly ground: Ground;
  readonly isOddR: boolean;
  /** For each terrain, the cost of entering a cell; 0 if it is closed. */
  readonly costs: readonly number[];
}

/** Finds the ways between pairs of cells, in order; undefined if there is none. `look` is called before each. */
export function findWays(
  kernel: Kernel,
  { ground, isOddR, costs: given }: WayRequest,
  pairs: readonly WayEnds[],
  look: () => void,
): (Way | undefined)[] {
  const before = kernel.call((exports) => exports.mark());
  const taken = (bytes: number) =>
    kernel.taken(
      kernel.call((exports) => exports.allocate(bytes)),
      "paths",
    );
  try {
    const { terrain: cells, cols: strideBytes } = ground;
    const terrain = taken(cells.length);
    kernel.u8(terrain, cells.length).set(cells);
    const costs = taken(TERRAIN_CODES * Uint32Array.BYTES_PER_ELEMENT);
    kernel.u32(costs, TERRAIN_CODES).fill(0).set(given);
    const most = Math.max(...pairs.map(({ box }) => box.rows * box.cols));
    const made = kernel.call((exports) => exports.createSearch(most));
    const at = kernel.taken(made, "paths");
    const memory = kernel.read(at, WaySearch);
    return pairs.map(({ from, to, box, most }, k) => {
      look();
      const first = within(terrain, ground.indexOf(box.row0, box.col0));
      kernel.write(at, WaySearch, {
        ...memory,
        row: box.row0,
        col: box.col0,
        rows: box.rows,
        cols: box.cols,
        terrain: first,
        strideBytes,
        oddR: Number(isOddR),
        costs,
        leastCost: 0,
        most,
        mark: k + 1,
        fromRow: from[0],
        fromCol: from[1],
        toRow: to[0],
        toCol: to[1],
      });
      kernel.call((exports) => exports.findWay(at));
      return wayAt(kernel, at);
    });
  } finally {
    kernel.call((exports) => exports.release(before));
  }
}

function wayAt(kernel: Kernel, at: Address): Way | undefined {
  const { cost, length, moves } = kernel.read(at, WaySearch);
  return length === 0 ? undefined : { cost, moves: kernel.u8(moves, length).slice() };
}
