import type { GridSpec } from "../../src/walks/index.js";
import type { TensorPlan } from "../../src/walks/types.js";

/** The slow, obvious walker: one object, one step at a time, BigInt where the kernel multiplies. */

/** Random words of one purpose, by address (docs/determinism.md). */
export interface TwinWords {
  word(plane: number, index: number): number;
  extra(plane: number, index: number, i: number): number;
}

/** The ground: a grid, which of its cells are closed, and on which of them walkers end. */
export interface TwinGround {
  readonly grid: GridSpec;
  readonly closed?: (row: number, col: number) => boolean;
  readonly ends?: (row: number, col: number) => boolean;
}

/** Where a walker is, and what its last step was (0 … 5, 6 resting). */
export interface TwinState {
  readonly row: number;
  readonly col: number;
  readonly heading: number;
}

const WORD = 2n ** 32n;
const MOVES = [
  [-1, 0], // NW
  [-1, 1], // NE
  [0, 1], // E
  [1, 0], // SE
  [1, -1], // SW
  [0, -1], // W
] as const;
const REST = 6;

/** Words of one address in the order in which a decision takes them: the word itself, then x0, x1, … */
export function* addressWords(words: TwinWords, plane: number, index: number): Generator<bigint, never> {
  yield BigInt(words.word(plane, index));
  for (let i = 0; ; i++) yield BigInt(words.extra(plane, index, i));
}

/** `below(m)`: uniform on 0 … m − 1 from the next word, and the words after it where that one does not settle it. */
export function twinBelow(m: number, next: Iterator<bigint, never>): number {
  const bound = BigInt(m);
  const product = next.next().value * bound;
  if ((product % WORD) + bound - 1n < WORD) return Number(product / WORD);
  let p = next.next().value * bound;
  while (p % WORD < WORD % bound) p = next.next().value * bound;
  return Number((product + p / WORD) / WORD);
}

/** The first entry whose cumulative weight is > below(total). */
export function twinPick(weights: readonly number[], next: Iterator<bigint, never>): number {
  const drawn = twinBelow(total(weights), next);
  let cumulative = 0;
  return weights.findIndex((weight) => {
    cumulative += weight;
    return cumulative > drawn;
  });
}

/** One step from a state, with the words of its address. */
export function twinStep(
  tensor: TensorPlan,
  ground: TwinGround,
  { row, col, heading }: TwinState,
  next: Iterator<bigint, never>,
): TwinState {
  const combined = Array.from(tensor.combined.subarray(heading * 6, heading * 6 + 6));
  // the last row, at rest, has the absolute weights
  const absolute = Array.from(tensor.combined.subarray(REST * 6));
  const targets = MOVES.map((move) => target(ground.grid, neighbour(ground.grid, [row, col], move)));
  const isOpen = targets.map((cell) => cell !== undefined && ground.closed?.(cell[0], cell[1]) !== true);
  const step = (direction: number): TwinState => {
    const cell = targets[direction];
    if (cell === undefined) throw new Error("a closed cell was entered");
    return { row: cell[0], col: cell[1], heading: direction };
  };

  const proposal = twinPick(total(combined) > 0 ? combined : absolute, next);
  if (isOpen[proposal]) return step(proposal);

  const openCombined = combined.map((weight, i) => (isOpen[i] ? weight : 0));
  if (total(openCombined) > 0) return step(twinPick(openCombined, next));
  const openAbsolute = absolute.map((weight, i) => (isOpen[i] ? weight : 0));
  if (total(openAbsolute) > 0) return step(twinPick(openAbsolute, next));
  return { row, col, heading: REST };
}

/** Walker w's states at steps 0 … steps: steps + 1 of them, or fewer if the last is on a cell on which walkers end. */
export function* twinPath(
  tensor: TensorPlan,
  ground: TwinGround,
  words: TwinWords,
  walker: { readonly w: number; readonly start: TwinState; readonly steps: number },
): Generator<TwinState, void> {
  let state = walker.start;
  yield state;
  for (let t = 0; t < walker.steps && ground.ends?.(state.row, state.col) !== true; t++) {
    state = twinStep(tensor, ground, state, addressWords(words, walker.w, t));
    yield state;
  }
}

/** A drawn start: two decisions on planes 0 and 1 of the start's own purpose, at index w. */
export function twinRectStart(
  rect: { readonly row0: number; readonly col0: number; readonly rows: number; readonly cols: number },
  starts: TwinWords,
  w: number,
): [row: number, col: number] {
  const row = rect.row0 + twinBelow(rect.rows, addressWords(starts, 0, w));
  return [row, rect.col0 + twinBelow(rect.cols, addressWords(starts, 1, w))];
}

/** Visits and first visits of cells, counted in a Map by "row,col"; list() is sorted by row, then column. */
export class TwinMap {
  readonly #cells = new Map<string, { row: number; col: number; visits: number; first: number }>();

  /** Counts a walker's whole path. */
  add(path: Iterable<TwinState>): this {
    let step = 0;
    for (const { row, col } of path) {
      const cell = this.#cells.get(`${row},${col}`) ?? { row, col, visits: 0, first: step };
      cell.visits = Math.min(cell.visits + 1, 0xffff_ffff);
      cell.first = Math.min(cell.first, step);
      this.#cells.set(`${row},${col}`, cell);
      step++;
    }
    return this;
  }

  /** Every visited cell. */
  list(): { row: number; col: number; visits: number; first: number }[] {
    return [...this.#cells.values()].sort((a, b) => a.row - b.row || a.col - b.col);
  }
}

type Pair = readonly [number, number];

/** The cell in a direction, before a torus wraps it. Of odd-r cells, by way of their axial coordinates. */
function neighbour(grid: GridSpec, [row, col]: Pair, [dr, dq]: Pair): Pair {
  if (grid.kind === "unbounded" || grid.coordinates !== "odd-r") return [row + dr, col + dq];
  const odd = (r: number) => Math.abs(r % 2);
  const [r, q] = [row + dr, col - (row - odd(row)) / 2 + dq];
  return [r, q + (r - odd(r)) / 2];
}

function target(grid: GridSpec, [row, col]: Pair): Pair | undefined {
  if (grid.kind === "unbounded") return row === (row | 0) && col === (col | 0) ? [row, col] : undefined;
  const { rows, cols } = grid;
  if (grid.kind === "torus") return [(row + rows) % rows, (col + cols) % cols];
  return row >= 0 && row < rows && col >= 0 && col < cols ? [row, col] : undefined;
}

function total(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0);
}
