import type { Address, Kernel } from "../../kernel/index.js";
import { TERRAIN_CODES, WaySearch } from "../../kernel/layout.js";
import type { Cell } from "../../walks/index.js";
import type { CellRectangle } from "../../walks/rectangles.js";

/** Two cells, and the hexagon around them in which a way is searched. */
export interface WayEnds {
  readonly from: Cell;
  readonly to: Cell;
  /** How far the hexagon reaches beyond both ends, in rows, columns and diagonals. */
  readonly margin: number;
  /** The rows and columns of the hexagon, in axial coordinates. */
  readonly rows: number;
  readonly cols: number;
}

export interface Way {
  readonly cost: number;
  /** The directions of the steps, from `from` to `to`. */
  readonly moves: Uint8Array;
}

export interface WayRequest {
  /** A rectangle with the terrain of its cells, row by row. Cells outside it are closed. */
  readonly ground: CellRectangle & { readonly terrain: Uint8Array };
  readonly isOddR: boolean;
  /** For each terrain, the cost of entering a cell; 0 if it is closed. */
  readonly costs: readonly number[];
}

const MOST_COST = 1000;

/** Returns a way for each pair of cells, undefined for a pair without one. Calls `look` before each search. */
export function findWays(
  kernel: Kernel,
  { ground, isOddR, costs: given }: WayRequest,
  pairs: readonly WayEnds[],
  look: () => void,
): (Way | undefined)[] {
  const before = kernel.call((exports) => exports.mark());
  const taken = (allocated: Address) => kernel.taken(allocated, "paths");
  try {
    const terrain = taken(kernel.call((exports) => exports.allocate(ground.terrain.length)));
    const costs = taken(kernel.call((exports) => exports.allocate(TERRAIN_CODES * Uint16Array.BYTES_PER_ELEMENT)));
    const [rows, cols] = [pairs.map((pair) => pair.rows), pairs.map((pair) => pair.cols)].map((all) =>
      Math.max(...all),
    );
    const at = taken(kernel.call((exports) => exports.createSearch(rows, cols)));
    kernel.u8(terrain, ground.terrain.length).set(ground.terrain);
    kernel.u16(costs, TERRAIN_CODES).fill(0).set(given);
    const memory = kernel.read(at, WaySearch);
    const leastCost = Math.min(...given.filter((cost) => cost > 0), MOST_COST);
    // the kernel counts from an even row at the edge of the ground, so that rows near the limits stay in range
    const [row0, col0] = [ground.row0 - (ground.row0 & 1), ground.col0];
    const place = { row: ground.row0 & 1, col: 0, rows: ground.rows, cols: ground.cols };
    return pairs.map(({ from, to, margin }) => {
      look();
      kernel.write(at, WaySearch, {
        ...memory,
        ...place,
        terrain,
        oddR: Number(isOddR),
        costs,
        leastCost,
        fromRow: from[0] - row0,
        fromCol: from[1] - col0,
        toRow: to[0] - row0,
        toCol: to[1] - col0,
        margin,
      });
      kernel.call((exports) => exports.findWay(at));
      const { cost, length, moves } = kernel.read(at, WaySearch);
      return length === 0 ? undefined : { cost, moves: kernel.u8(moves, length).slice() };
    });
  } finally {
    kernel.call((exports) => exports.release(before));
  }
}
