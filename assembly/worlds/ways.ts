// Finds the cheapest way between two cells, `from` and `to`.
//
// The search is A* (Hart, Nilsson and Raphael, 1968), from `to` to `from`. What it minimizes is a key: the cost, and of
// equal costs the deviation, which is the sum over the cells between the ends of their distance from the straight line,
// as twice the area of the triangle with both ends. Without it, a way over a meadow would run along two directions of
// the grid, with an elbow. Of ways with equal keys, the one is taken whose steps, from `from` on, have the first
// directions. So it does not matter in which order the cells are searched.
//
// `ahead` is the distance to `from` times the least cost of a cell. It decreases by at most the cost of a step, so a
// cell that leaves the heap has its final key. The search ends when all bounds in the heap exceed the key of `from`:
// then all cells of all best ways have their final keys, and the way is read off, from `from` on. A cell without its
// final key has one that is too large, so it is never taken for a cell of a best way.
//
// A key stays below 2^64: a way has fewer than 2^18 cells. Each costs at most 1000, and deviates by less than 2^18.

import { allocate, allocateZeroed } from "../core/memory";
import { WaySearch } from "./layout";

/**
 * A cell of a search. Keys have the cost in their upper 28 bits, and the deviation in their lower 36 bits.
 *
 *   0       8       16          20     24          28
 *   ├─ key ─┼─ step ─┼─ ahead ─┼─ mark ─┼─ place ─┤
 */
@unmanaged
class WayNode {
  /** The least known key of a way to the cell. */
  key: u64;
  /** What entering the cell adds to a key. */
  step: u64;
  /** A lower bound of the cost from here to the goal. */
  ahead: u32;
  /** The search that has set the other fields. */
  mark: u32;
  /** The index of the cell's entry in the heap, or a state. */
  place: u32;
  unused: u32;
}

/**
 * An entry of the heap of open cells.
 *
 *   0       8      12
 *   ├─ bound ─┼─ node ─┤
 */
@unmanaged
class WayEntry {
  /** A lower bound of the key of a way through the cell. */
  bound: u64;
  node: u32;
  unused: u32;
}

const COST_BITS: u32 = 36;
const NODE_BYTES: usize = offsetof<WayNode>();
const ENTRY_BYTES: usize = offsetof<WayEntry>();
const DIRECTIONS: i32 = 6;
/** The terrain of cells outside the grid, which are closed. */
const NO_TERRAIN: u32 = 255;

// the places of cells that are not in the heap
/** The cell is closed, or not in the search. */
const CLOSED: u32 = 0xffffffff;
/** No way to the cell is known yet. */
const UNSEEN: u32 = 0xfffffffe;
/** The cell has left the heap. */
const DONE: u32 = 0xfffffffd;

// biome-ignore format: the changes of row and column in axial coordinates, by direction
const steps = memory.data<i8>([
  -1, 0, -1, 1, 0, 1, 1, 0, 1, -1, 0, -1,
]);

let search: WaySearch = changetype<WaySearch>(0);
let entries: u32 = 0;
// the ends in axial coordinates
let fromQ: i32 = 0;
let toQ: i32 = 0;

/** Creates a search with room for boxes of at most `cells` cells. Returns 0 if memory runs out. */
export function createSearch(cells: u32): usize {
  const at = allocate(offsetof<WaySearch>());
  const made = changetype<WaySearch>(at);
  const nodes = allocateZeroed(<usize>cells * NODE_BYTES);
  const heap = allocate(<usize>cells * ENTRY_BYTES);
  const moves = allocate(cells);
  if (!at || !nodes || !heap || !moves) return 0;
  made.nodes = nodes;
  made.heap = heap;
  made.moves = moves;
  return at;
}

/** Finds the way, and sets `cost`, `length` and `moves` of the search. */
export function findWay(given: WaySearch): void {
  search = given;
  entries = 0;
  given.leastCost = leastCost(given);
  fromQ = axial(given.fromRow, given.fromCol);
  toQ = axial(given.toRow, given.toCol);
  const goal = nodeAt(given.fromRow, given.fromCol);
  const first = nodeAt(given.toRow, given.toCol);
  openEnd(goal, 0);
  openEnd(first, given.leastCost * <u32>(distance(given.toRow, toQ, given.fromRow, fromQ) - 1));
  improve(first, 0);
  let best: u64 = u64.MAX_VALUE;
  while (entries && changetype<WayEntry>(given.heap).bound <= best) {
    const node = take();
    if (node == goal) best = node.key;
    else expand(node);
  }
  given.length = 0;
  if (best == u64.MAX_VALUE) return;
  given.cost = <u32>(best >> COST_BITS);
  trace(goal, first);
}

// ── cells ──

/** Returns the axial column minus the column of a row. */
function shiftOf(row: i32): i32 {
  return search.oddR ? -(row >> 1) : 0;
}

function axial(row: i32, col: i32): i32 {
  return col + shiftOf(row);
}

function distance(row: i32, q: i32, toRow: i32, toQ: i32): i32 {
  const rows = toRow - row;
  const cols = toQ - q;
  return max(max(abs(rows), abs(cols)), abs(rows + cols));
}

function nodeAt(row: i32, col: i32): WayNode {
  const index = <usize>((row - search.row) * search.cols + col - search.col);
  return changetype<WayNode>(search.nodes + index * NODE_BYTES);
}

function indexOf(node: WayNode): i32 {
  return <i32>((changetype<usize>(node) - search.nodes) / NODE_BYTES);
}

/** Prepares an end, which costs nothing and can have any terrain. */
function openEnd(node: WayNode, ahead: u32): void {
  node.mark = search.mark;
  node.place = UNSEEN;
  node.key = u64.MAX_VALUE;
  node.step = 0;
  node.ahead = ahead;
}

/** Prepares a cell that this search has not met before. */
function open(node: WayNode, row: i32, col: i32): void {
  const s = search;
  node.mark = s.mark;
  node.place = CLOSED;
  const terrain = load<u8>(s.terrain + <usize>(row - s.row) * s.strideBytes + (col - s.col));
  const cost = load<u32>(s.costs + ((<usize>terrain) << 2));
  if (!cost) return;
  const q = axial(row, col);
  const toGoal = distance(row, q, s.fromRow, fromQ);
  if (toGoal + distance(row, q, s.toRow, toQ) > s.most) return;
  const area = <i64>(toQ - fromQ) * (row - s.fromRow) - <i64>(s.toRow - s.fromRow) * (q - fromQ);
  node.place = UNSEEN;
  node.key = u64.MAX_VALUE;
  node.step = (<u64>cost << COST_BITS) + <u64>abs(area);
  node.ahead = s.leastCost * <u32>(toGoal - 1);
}

/** Returns the least cost of the open cells of the box, 0 if there is none. */
function leastCost(s: WaySearch): u32 {
  let least: u32 = u32.MAX_VALUE;
  for (let i = 0; i < s.rows; ++i) {
    const row = s.terrain + <usize>i * s.strideBytes;
    let last: u32 = NO_TERRAIN;
    for (let c = 0; c < s.cols; ++c) {
      const terrain: u32 = load<u8>(row + c);
      if (terrain == last) continue;
      last = terrain;
      const cost = load<u32>(s.costs + ((<usize>terrain) << 2));
      if (cost) least = min(least, cost);
    }
  }
  return least == u32.MAX_VALUE ? 0 : least;
}

// ── the search ──

function expand(node: WayNode): void {
  const s = search;
  const index = indexOf(node);
  const row = s.row + index / s.cols;
  const q = axial(row, s.col + (index % s.cols));
  for (let d = 0; d < DIRECTIONS; ++d) {
    const nextRow = row + load<i8>(steps + 2 * d);
    const nextCol = q + load<i8>(steps + 2 * d + 1) - shiftOf(nextRow);
    if (<u32>(nextRow - s.row) >= <u32>s.rows || <u32>(nextCol - s.col) >= <u32>s.cols) continue;
    const next = nodeAt(nextRow, nextCol);
    if (next.mark != s.mark) open(next, nextRow, nextCol);
    if (next.place == CLOSED || next.place == DONE) continue;
    const key = node.key + next.step;
    if (key < next.key) improve(next, key);
  }
}

/** Stores the moves of the best way from `goal` to `end`. */
function trace(goal: WayNode, end: WayNode): void {
  const s = search;
  let row = s.fromRow;
  let q = fromQ;
  for (let node = goal; node != end; ) {
    const before = node.key - node.step;
    for (let d = 0; ; ++d) {
      const nextRow = row + load<i8>(steps + 2 * d);
      const nextQ = q + load<i8>(steps + 2 * d + 1);
      const nextCol = nextQ - shiftOf(nextRow);
      if (<u32>(nextRow - s.row) >= <u32>s.rows || <u32>(nextCol - s.col) >= <u32>s.cols) continue;
      const next = nodeAt(nextRow, nextCol);
      if (next.mark != s.mark || next.place == CLOSED || next.key != before) continue;
      store<u8>(s.moves + s.length++, <u8>d);
      node = next;
      row = nextRow;
      q = nextQ;
      break;
    }
  }
}

// ── the heap ──

function entryAt(place: u32): WayEntry {
  return changetype<WayEntry>(search.heap + <usize>place * ENTRY_BYTES);
}

function put(place: u32, bound: u64, node: WayNode): void {
  const entry = entryAt(place);
  entry.bound = bound;
  entry.node = <u32>changetype<usize>(node);
  node.place = place;
}

/** Gives a cell a smaller key, and moves its entry up. */
function improve(node: WayNode, key: u64): void {
  node.key = key;
  const bound = key + (<u64>node.ahead << COST_BITS);
  let place = node.place == UNSEEN ? entries++ : node.place;
  while (place) {
    const parent = (place - 1) >>> 1;
    const above = entryAt(parent);
    if (above.bound <= bound) break;
    put(place, above.bound, changetype<WayNode>(above.node));
    place = parent;
  }
  put(place, bound, node);
}

/** Removes the entry with the least bound, and returns its cell. */
function take(): WayNode {
  const first = changetype<WayNode>(entryAt(0).node);
  first.place = DONE;
  const last = entryAt(--entries);
  const bound = last.bound;
  let place: u32 = 0;
  for (;;) {
    let child: u32 = 2 * place + 1;
    if (child >= entries) break;
    if (child + 1 < entries && entryAt(child + 1).bound < entryAt(child).bound) ++child;
    const below = entryAt(child);
    if (below.bound >= bound) break;
    put(place, below.bound, changetype<WayNode>(below.node));
    place = child;
  }
  if (entries) put(place, bound, changetype<WayNode>(last.node));
  return first;
}
