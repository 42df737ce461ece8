// Finds the cheapest way between two cells, `from` and `to`, in a hexagon around them. The sides of the hexagon run
// along the directions of the grid: it has the cells whose row, column and diagonal, in axial coordinates, are at most
// `margin` outside those of the two ends.
//
// The search is A* from `to` to `from`. Source: Hart, Nilsson and Raphael, A formal basis for the heuristic
// determination of minimum cost paths (1968). The key of a cell is the cost of the cheapest way that is known from `to`
// to the cell, with the cell. The bound is the key plus the distance to `from` times the least cost of a cell. A step
// changes this product by at most the cost of a cell, so a cell has its final key when it leaves the queue, and bounds
// never decrease. They are integers, so the queue is a ring of buckets. Source: Dial, Algorithm 360 (1969).
//
// The search ends when all bounds in the queue exceed the key of `from`. Then all cells of cheapest ways have their
// final keys, and the way is read off from `from` on: each step goes to a cell of a cheapest way. If there are several,
// it goes to the one that is nearest to the straight line between the ends, and then to the first by direction. So the
// way does not depend on the order of the search, and does not turn away from the line without need.
//
// The cells of the hexagon are in axial rows of nodes, and around them there is a rim of closed cells. A closed cell
// has the key 0, so no way to it is shorter.

import { allocate } from "../core/memory";
import { TERRAIN_CODES, WaySearch } from "./layout";

/**
 * A cell of the search.
 *
 *   0     4      8
 *   ├─ key ─┼─ cost ─┤
 */
@unmanaged
class Node {
  key: u32;
  cost: u32;
}

/**
 * The place of a cell in the queue, for each node.
 *
 *   0      4        8       12     16
 *   ├─ next ─┼─ before ─┼─ place ─┤
 */
@unmanaged
class Link {
  /** Addresses of the next and the previous link of the bucket, or 0. */
  next: usize;
  before: usize;
  /** 2^16 times the rows, plus the axial columns from `from` to the cell. */
  place: i32;
  unused: u32;
}

/**
 * A step in a direction.
 *
 *   0       4       8
 *   ├─ bytes ─┼─ place ─┤
 */
@unmanaged
class Stride {
  /** The difference of the addresses of two nodes. */
  bytes: usize;
  /** The difference of the places of their links. */
  place: i32;
}

const NODE_BYTES: usize = offsetof<Node>();
const LINK_BYTES: usize = offsetof<Link>();
const STRIDE_BYTES: usize = offsetof<Stride>();
/** The link of a node is this many times as far from the first link as the node is from the first node. */
const LINKS_PER_NODE: usize = LINK_BYTES / NODE_BYTES;
const ADDRESS_BYTES: usize = sizeof<usize>();
/**
 * A bound grows by at most twice the greatest cost in a step, so the ring has a bucket for each bound that can wait.
 */
const BUCKETS: u32 = 2048;
const UNKNOWN: u32 = 0xffffffff;
const DIRECTIONS: u32 = 6;

// biome-ignore format: the changes of row and column by direction
const OFFSETS = memory.data<i8>([
  -1, 0, -1, 1, 0, 1, 1, 0, 1, -1, 0, -1,
]);
/** A {@link Stride} for each direction. */
const strides = memory.data(<i32>DIRECTIONS * <i32>STRIDE_BYTES, 8);
/** For each terrain, the node of a cell at the beginning of a search. */
const unmet = memory.data(<i32>TERRAIN_CODES * <i32>NODE_BYTES, 8);

let search: WaySearch = changetype<WaySearch>(0);
/** The axial row and column of the first node, which is in the rim. */
let firstRow: i32 = 0;
let firstCol: i32 = 0;
/** Number of nodes in a row. */
let width: i32 = 0;

/** Creates a search with room for hexagons of so many rows and columns. Returns 0 if memory runs out. */
export function createSearch(rows: i32, cols: i32): usize {
  const cells = <usize>(rows + 2) * (cols + 2);
  const at = allocate(offsetof<WaySearch>());
  const nodes = allocate(cells * NODE_BYTES);
  const links = allocate(cells * LINK_BYTES);
  const buckets = allocate(<usize>BUCKETS * ADDRESS_BYTES);
  const moves = allocate(cells);
  if (!at || !nodes || !links || !buckets || !moves) return 0;
  const made = changetype<WaySearch>(at);
  made.nodes = nodes;
  made.links = links;
  made.buckets = buckets;
  made.moves = moves;
  return at;
}

/** Finds the way, and sets `cost`, `length` and `moves` of the search. */
export function findWay(s: WaySearch): void {
  search = s;
  const fromCol = s.fromCol - axialShift(s.fromRow);
  const toCol = s.toCol - axialShift(s.toRow);
  readCells(fromCol, toCol);
  const from = nodeAt(s.fromRow, fromCol);
  const to = nodeAt(s.toRow, toCol);
  // the ends cost nothing, whatever their terrain
  from.cost = 0;
  from.key = UNKNOWN;
  to.key = 0;
  const steps = lengthOf(s.toRow - s.fromRow, toCol - fromCol);
  run(from, to, s.leastCost * <u32>(steps - 1), placeOf(s.toRow - s.fromRow, toCol - fromCol));
  s.length = 0;
  s.cost = from.key;
  if (from.key != UNKNOWN) trace(from, to, fromCol, toCol);
}

// ── cells ──

/** Returns the column of the grid minus the axial column, in a row. */
function axialShift(row: i32): i32 {
  return search.oddR ? row >> 1 : 0;
}

function nodeAt(row: i32, col: i32): Node {
  const index = (row - firstRow) * width + (col - firstCol);
  return changetype<Node>(search.nodes + <usize>index * NODE_BYTES);
}

/** Reads the costs of the hexagon around the ends. */
function readCells(fromCol: i32, toCol: i32): void {
  const s = search;
  const fromDiagonal = s.fromRow + fromCol;
  const toDiagonal = s.toRow + toCol;
  const row0 = max(min(s.fromRow, s.toRow) - s.margin, s.row);
  const rowEnd = min(max(s.fromRow, s.toRow) + s.margin + 1, s.row + s.rows);
  const col0 = min(fromCol, toCol) - s.margin;
  const colEnd = max(fromCol, toCol) + s.margin + 1;
  const diagonal0 = min(fromDiagonal, toDiagonal) - s.margin;
  const diagonalEnd = max(fromDiagonal, toDiagonal) + s.margin + 1;
  firstRow = row0 - 1;
  firstCol = col0 - 1;
  width = colEnd - col0 + 2;
  for (let d: u32 = 0; d < DIRECTIONS; ++d) {
    const stride = strideOf(d);
    stride.bytes = <usize>(rowStep(d) * width + colStep(d)) * NODE_BYTES;
    stride.place = placeOf(rowStep(d), colStep(d));
  }
  for (let terrain: usize = 0; terrain < TERRAIN_CODES; ++terrain) {
    const cost = <u32>load<u16>(s.costs + (terrain << 1));
    const node = changetype<Node>(unmet + terrain * NODE_BYTES);
    node.cost = cost;
    node.key = cost ? UNKNOWN : 0;
  }
  const rowBytes = <usize>width * NODE_BYTES;
  memory.fill(s.nodes, 0, rowBytes);
  memory.fill(s.nodes + <usize>(rowEnd - firstRow) * rowBytes, 0, rowBytes);
  for (let row = row0; row < rowEnd; ++row) {
    const left = s.col - axialShift(row);
    const from = max(max(col0, diagonal0 - row), left);
    const end = min(min(colEnd, diagonalEnd - row), left + s.cols);
    if (from >= end) memory.fill(changetype<usize>(nodeAt(row, firstCol)), 0, rowBytes);
    else readRow(nodeAt(row, from), s.terrain + <usize>((row - s.row) * s.cols) + (from - left), end - from);
  }
}

/**
 * Reads `count` cells of a row, whose terrain begins at an address. Closes a node before and after them: the rows of a
 * hexagon begin and end at most one cell further than the rows beside them.
 */
function readRow(first: Node, terrain: usize, count: i32): void {
  let node = changetype<usize>(first);
  store<u64>(node - NODE_BYTES, 0);
  for (const end = terrain + count; terrain < end; ++terrain) {
    store<u64>(node, load<u64>(unmet + <usize>load<u8>(terrain) * NODE_BYTES));
    node += NODE_BYTES;
  }
  store<u64>(node, 0);
}

// ── the search ──

/** Searches until the keys of all cells of cheapest ways are final. `begin` and `place` are those of `to`. */
function run(from: Node, to: Node, begin: u32, place: i32): void {
  const nodes = search.nodes;
  const links = search.links;
  const buckets = search.buckets;
  const least = search.leastCost;
  memory.fill(buckets, 0, <usize>BUCKETS * ADDRESS_BYTES);
  insert(linkOf(to), buckets + bucketOf(begin), place);
  let waiting = 1;
  for (let bound = begin; waiting; ++bound) {
    const bucket = buckets + bucketOf(bound);
    for (let at = load<usize>(bucket); at; at = load<usize>(bucket)) {
      remove(changetype<Link>(at), bucket);
      --waiting;
      const node = nodes + (at - links) / LINKS_PER_NODE;
      const key = changetype<Node>(node).key;
      for (let d: u32 = 0; d < DIRECTIONS; ++d) {
        const stride = strideOf(d);
        const next = changetype<Node>(node + stride.bytes);
        const nextKey = key + next.cost;
        const known = next.key;
        if (nextKey >= known) continue;
        next.key = nextKey;
        const nextPlace = changetype<Link>(at).place + stride.place;
        const steps = lengthOf((nextPlace + 0x8000) >> 16, (nextPlace << 16) >> 16);
        const ahead = least * <u32>max(0, steps - 1);
        const link = changetype<Link>(links + (changetype<usize>(next) - nodes) * LINKS_PER_NODE);
        if (known == UNKNOWN) ++waiting;
        else remove(link, buckets + bucketOf(known + ahead));
        insert(link, buckets + bucketOf(nextKey + ahead), nextPlace);
      }
    }
    if (from.key <= bound) return;
  }
}

/** Returns the place of the bucket of a bound among the buckets, in bytes. */
function bucketOf(bound: u32): usize {
  return <usize>(bound & (BUCKETS - 1)) * ADDRESS_BYTES;
}

function linkOf(node: Node): Link {
  return changetype<Link>(search.links + (changetype<usize>(node) - search.nodes) * LINKS_PER_NODE);
}

function insert(link: Link, bucket: usize, place: i32): void {
  const next = load<usize>(bucket);
  link.next = next;
  link.before = 0;
  link.place = place;
  if (next) changetype<Link>(next).before = changetype<usize>(link);
  store<usize>(bucket, changetype<usize>(link));
}

function remove(link: Link, bucket: usize): void {
  const next = link.next;
  const before = link.before;
  if (before) changetype<Link>(before).next = next;
  else store<usize>(bucket, next);
  if (next) changetype<Link>(next).before = before;
}

function placeOf(rows: i32, cols: i32): i32 {
  return (rows << 16) + cols;
}

/** Returns the number of steps from a cell to the one so many rows and axial columns away. */
function lengthOf(rows: i32, cols: i32): i32 {
  return max(max(abs(rows), abs(cols)), abs(rows + cols));
}

// ── the way ──

/** Stores the moves of the way. The columns are axial. */
function trace(from: Node, to: Node, fromCol: i32, toCol: i32): void {
  const s = search;
  const downs = s.toRow - s.fromRow;
  const rights = toCol - fromCol;
  let row = 0;
  let col = 0;
  for (let node = from; node != to; ) {
    const before = node.key - node.cost;
    let move: u32 = 0;
    let least: i32 = i32.MAX_VALUE;
    for (let d: u32 = 0; d < DIRECTIONS; ++d) {
      const next = neighbour(node, d);
      // a closed cell has the key 0, too
      if (next.key != before || (!before && next != to)) continue;
      // twice the area of the triangle with both ends grows with the distance from the line
      const area = abs(rights * (row + rowStep(d)) - downs * (col + colStep(d)));
      if (area >= least) continue;
      least = area;
      move = d;
    }
    store<u8>(s.moves + s.length++, <u8>move);
    node = neighbour(node, move);
    row += rowStep(move);
    col += colStep(move);
  }
}

function neighbour(node: Node, direction: u32): Node {
  return changetype<Node>(changetype<usize>(node) + strideOf(direction).bytes);
}

function strideOf(direction: u32): Stride {
  return changetype<Stride>(strides + <usize>direction * STRIDE_BYTES);
}

function rowStep(direction: u32): i32 {
  return load<i8>(OFFSETS + 2 * <usize>direction);
}

function colStep(direction: u32): i32 {
  return load<i8>(OFFSETS + 2 * <usize>direction + 1);
}
