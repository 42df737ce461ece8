import { stepsOf } from "../walks/hexes.js";
import type { PathGraph } from "./types.js";

/** A place of a graph, in axial coordinates. */
export interface Node {
  readonly row: number;
  readonly q: number;
}

/**
 * Returns the pairs of nodes that a graph joins, at most `within` steps apart. The nodes are sorted by row, and of a
 * pair, the first node is earlier in the list. `isWanted` selects pairs before the graph is asked.
 *
 * A pair a, b is not joined if the list has a node c that is too close. With |ab| for the distance of two centres:
 *
 * - gabriel: |ac|² + |bc|² ≤ |ab|², so c is in the disc whose diameter is the line from a to b. Source: Gabriel and
 *   Sokal, A new statistical approach to geographic variation analysis (1969).
 * - relative: |ac| < |ab| and |bc| < |ab|. Source: Toussaint, The relative neighbourhood graph of a finite planar set
 *   (1980).
 */
export function edgesOf(
  nodes: readonly Node[],
  { graph, within }: { readonly graph: PathGraph; readonly within: number },
  isWanted: (a: Node, b: Node) => boolean,
): (readonly [Node, Node])[] {
  return Array.from(nodes.keys()).flatMap((n) => {
    const a = nodes[n];
    const near = nearOf(nodes, n, within);
    return near.flatMap(({ index }, k): (readonly [Node, Node])[] => {
      const b = nodes[index];
      const isPair = index > n && stepsBetween(a, b) <= within && isWanted(a, b);
      // in both graphs, a node that parts a and b is closer to a than b is
      const isJoined = isPair && (graph === "all" || !near.slice(0, k).some((c) => parts(graph, a, b, nodes[c.index])));
      return isJoined ? [[a, b]] : [];
    });
  });
}

/** Returns the other nodes whose centres are at most `within` from that of node n, the nearest first. */
function nearOf(nodes: readonly Node[], n: number, within: number) {
  const found: { readonly index: number; readonly square: number }[] = [];
  // rows are √3 / 2 apart, and 7/6 is more than 2 / √3
  const rows = Math.floor((7 * within) / 6);
  const add = (index: number) => {
    const square = squareBetween(nodes[n], nodes[index]);
    if (square <= within ** 2) found.push({ index, square });
  };
  for (let k = n - 1; k >= 0 && nodes[k].row >= nodes[n].row - rows; k--) add(k);
  for (let k = n + 1; k < nodes.length && nodes[k].row <= nodes[n].row + rows; k++) add(k);
  return found.sort((a, b) => a.square - b.square);
}

function parts(graph: "gabriel" | "relative", a: Node, b: Node, c: Node): boolean {
  const [toA, toB, most] = [squareBetween(a, c), squareBetween(b, c), squareBetween(a, b)];
  return graph === "gabriel" ? toA + toB <= most : toA < most && toB < most;
}

export function stepsBetween(a: Node, b: Node): number {
  return stepsOf(b.row - a.row, b.q - a.q);
}

/** Returns the square of the distance of the centres of two cells. Neighbours have the distance 1. */
function squareBetween(a: Node, b: Node): number {
  const [rows, cols] = [b.row - a.row, b.q - a.q];
  return rows * rows + rows * cols + cols * cols;
}
