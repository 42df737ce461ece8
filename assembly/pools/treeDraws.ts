// Draws from a tree of prefix sums (core/sumTree.ts). The word of a draw sets x, a number below the tree's total. The
// draw picks the entry that contains x: the first entry whose prefix sum is > x. Then it subtracts the entry's mass,
// the weight of one copy, from the entry's weight.
//
// Each draw changes the weights for the next draw, so a search waits for the draw before it. In a tree of up to three
// levels, that is all that a draw waits for. In a deeper tree, a search also waits for memory. So these trees draw in
// groups. First, the leaf node of each draw is guessed from the sums at the start of the group. The processor runs
// these searches in parallel, because they are independent. Then each draw, in order, looks for its x in its guessed
// node:
//
//   sum before a node now = sum before it at the start − masses that the group drew from earlier nodes
//
// The sums of the node show whether the node contains x. If x lies before the node, x − (sum before the node) is
// negative and wraps to 2^32 − (sum before the node − x). The wrapped number is more than the node's total, because the
// node's total plus the sum before the node is less than 2^32. So no sum of the node exceeds the wrapped number.
//
// If the node does not contain x, or if the word does not decide x, the group ends, and `drawExactly` makes this draw.
// A wrong guess only costs time: the result is the same as if the draws were made one by one.

import { below, isSettled } from "../core/below";
import {
  addTotal,
  BIAS,
  base,
  countOf,
  FANOUT,
  FANOUT_BITS,
  LANE_MASK,
  leaves,
  levelsOf,
  nodeAt,
  treeTotal,
} from "../core/sumTree";
import { Vectors } from "../core/vectors";
import { PoolEntry } from "./layout";

/** Up to this number of levels, a tree fits into the nearer caches, and draws do without guesses. */
const FEW_LEVELS: u32 = 3;

/** Number of draws in a group: one SIMD vector holds the nodes of all draws. */
const GROUP: u32 = 4;

/**
 * The arrays of a group, with one u32 for each draw:
 *
 *   xs        x
 *   nodes     the leaf node
 *   offsets   the sum before that node, minus 2^31
 *   losses    the mass drawn
 *   ahead     the target of loads that only fill the cache
 */
const xs = memory.data(16, 16);
const nodes = memory.data(16, 16);
const offsets = memory.data(16, 16);
const losses = memory.data(16, 16);
const ahead = memory.data(16, 16);

/** Byte indices for swizzles. A swizzle with vector i copies lane i of the input, a u32, to all four lanes. */
const toAllLanes = memory.data<u32>(
  [
    0x03020100, 0x03020100, 0x03020100, 0x03020100, 0x07060504, 0x07060504, 0x07060504, 0x07060504, 0x0b0a0908,
    0x0b0a0908, 0x0b0a0908, 0x0b0a0908, 0x0f0e0d0c, 0x0f0e0d0c, 0x0f0e0d0c, 0x0f0e0d0c,
  ],
  16,
);

/**
 * Draws with the `count` words at `words`, and writes the entries to `out`, as u32. Stops when the total is 0, and
 * before a draw that needs `drawExactly`. Returns the number of draws made.
 */
export function drawSettled(tree: usize, falls: usize, words: usize, count: u32, out: usize): u32 {
  if (countOf(tree) <= FANOUT / 2) return OneNode.draw(tree, falls, words, count, out, true);
  const levels = levelsOf(tree);
  if (levels == 1) return OneNode.draw(tree, falls, words, count, out, false);
  if (levels <= FEW_LEVELS) return drawFromFewLevels(tree, falls, words, count, out);
  let done: u32 = 0;
  while (done < count && treeTotal(tree)) {
    const group = min(GROUP, count - done);
    const at = (<usize>done) << 2;
    const drawn = drawGroup(tree, falls, words + at, group, out + at);
    done += drawn;
    if (drawn < group) break;
  }
  return done;
}

/** A method, because TypeScript allows no decorators on functions. */
@unmanaged
class OneNode {
  /**
   * Does the same as {@link drawSettled} for a tree of one node. The sums stay in registers, and no guess is needed. A
   * draw waits for the draw before it, so all that the next draw needs is computed in vectors: to move a number to a
   * vector and back takes longer than the sum of the lanes. `isHalf` is a constant, so there is a loop for each value:
   * up to eight entries need only the lanes of a and b.
   */
  @inline
  static draw(tree: usize, falls: usize, words: usize, count: u32, out: usize, isHalf: bool): u32 {
    const node = changetype<Vectors>(leaves(tree));
    const fall = changetype<Vectors>(falls);
    const before = treeTotal(tree);
    let total = i32x4.splat(before);
    let a = node.a;
    let b = node.b;
    let c = node.c;
    let d = node.d;
    let done: u32 = 0;
    for (; done < count; ++done) {
      const at = (<usize>done) << 2;
      const word = load<u32>(words + at);
      if (!isSettled(word, i32x4.extract_lane(total, 0))) break;
      const bound = boundOf(word, total);
      // the lanes of the drawn entry and of the entries after it
      const fromA = i32x4.gt_s(a, bound);
      const fromB = i32x4.gt_s(b, bound);
      let mass: v128;
      if (isHalf) {
        store<u32>(out + at, ctz(i16x8.bitmask(i16x8.narrow_i32x4_s(fromA, fromB))));
        mass = sumLanes(i32x4.add(v128.and(fall.a, fromA), v128.and(fall.b, fromB)));
      } else {
        const fromC = i32x4.gt_s(c, bound);
        const fromD = i32x4.gt_s(d, bound);
        store<u32>(out + at, ctz(laneBits(fromA, fromB, fromC, fromD)));
        mass = sumFalls(fall, fromA, fromB, fromC, fromD);
        c = i32x4.sub(c, v128.and(mass, fromC));
        d = i32x4.sub(d, v128.and(mass, fromD));
      }
      a = i32x4.sub(a, v128.and(mass, fromA));
      b = i32x4.sub(b, v128.and(mass, fromB));
      total = i32x4.sub(total, mass);
    }
    // lanes without an entry have the total
    if (isHalf) c = d = v128.xor(total, i32x4.splat(BIAS));
    node.a = a;
    node.b = b;
    node.c = c;
    node.d = d;
    addTotal(tree, i32x4.extract_lane(total, 0) - before);
    return done;
  }
}

/**
 * Does the same as {@link drawSettled} for a tree of two or three levels. As in {@link OneNode.draw}, all numbers that the
 * next draw waits for stay in vectors, except the index of a node.
 */
function drawFromFewLevels(tree: usize, falls: usize, words: usize, count: u32, out: usize): u32 {
  const hasMiddle = levelsOf(tree) == FEW_LEVELS;
  const top = base(tree, levelsOf(tree) - 1);
  const middles = base(tree, 1);
  const lowest = leaves(tree);
  const before = treeTotal(tree);
  let total = i32x4.splat(before);
  let done: u32 = 0;
  for (; done < count; ++done) {
    const at = (<usize>done) << 2;
    const word = load<u32>(words + at);
    if (!isSettled(word, i32x4.extract_lane(total, 0))) break;
    const boundInTop = boundOf(word, total);
    let node = childAt(top, boundInTop);
    let bound = boundBelow(top, node, boundInTop);
    const middle = nodeAt(middles, node);
    const boundInMiddle = bound;
    if (hasMiddle) {
      const child = childAt(middle, bound);
      bound = boundBelow(middle, child, bound);
      node = (node << FANOUT_BITS) | child;
    }
    const leaf = nodeAt(lowest, node);
    const sums = changetype<Vectors>(leaf);
    // the lanes of the drawn entry and of the entries after it
    const a = i32x4.gt_s(sums.a, bound);
    const b = i32x4.gt_s(sums.b, bound);
    const c = i32x4.gt_s(sums.c, bound);
    const d = i32x4.gt_s(sums.d, bound);
    store<u32>(out + at, (node << FANOUT_BITS) | ctz(laneBits(a, b, c, d)));
    const mass = sumFalls(changetype<Vectors>(nodeAt(falls, node)), a, b, c, d);
    takeBehind(leaf, bound, mass);
    takeBehind(top, boundInTop, mass);
    if (hasMiddle) takeBehind(middle, boundInMiddle, mass);
    total = i32x4.sub(total, mass);
  }
  addTotal(tree, i32x4.extract_lane(total, 0) - before);
  return done;
}

/** Returns the child of an upper node in which a search goes on: the last child whose sum is ≤ the bound. */
function childAt(upper: usize, bound: v128): u32 {
  return ctz(lanesAbove(upper, bound) | (1 << FANOUT)) - 1;
}

/** Returns the bound of the search in a child of an upper node. */
function boundBelow(upper: usize, child: u32, bound: v128): v128 {
  const before = v128.load32_splat(upper + ((<usize>child) << 2));
  return v128.xor(i32x4.sub(bound, before), i32x4.splat(BIAS));
}

/** Subtracts `mass` from the sums of a node that are > the bound. */
function takeBehind(node: usize, bound: v128, mass: v128): void {
  const sums = changetype<Vectors>(node);
  sums.a = i32x4.sub(sums.a, v128.and(mass, i32x4.gt_s(sums.a, bound)));
  sums.b = i32x4.sub(sums.b, v128.and(mass, i32x4.gt_s(sums.b, bound)));
  sums.c = i32x4.sub(sums.c, v128.and(mass, i32x4.gt_s(sums.c, bound)));
  sums.d = i32x4.sub(sums.d, v128.and(mass, i32x4.gt_s(sums.d, bound)));
}

/**
 * Draws with the `count` ≤ GROUP words at `words` from a tree whose total is not 0. Stops as `drawSettled` does, or at
 * a wrong guess. Returns the number of draws made.
 */
function drawGroup(tree: usize, falls: usize, words: usize, count: u32, out: usize): u32 {
  guess(tree, falls, words, count, treeTotal(tree));
  const drawn = drawGuessed(leaves(tree), falls, words, count, out, treeTotal(tree));
  takeAbove(tree, drawn);
  return drawn;
}

/**
 * Guesses the leaf node of each draw. The guess ignores the masses that earlier draws of the group subtract. The guess
 * also assumes that the extra draw r of core/below.ts is 0.
 */
function guess(tree: usize, falls: usize, words: usize, count: u32, total: u64): void {
  const end = (<usize>count) << 2;
  for (let at: usize = 0; at < end; at += 4) store<u32>(xs + at, <u32>((total * load<u32>(words + at)) >>> 32));
  findNodes(tree, count);
  // loads the falls of each node now, a cache line, so that no draw waits for a mass
  for (let at: usize = 0; at < end; at += 4) {
    store<u32>(ahead + at, load<u32>(nodeAt(falls, load<u32>(nodes + at))));
  }
}

/**
 * Makes the draws of a group in order. Stops at a wrong guess or an undecided word. Returns the number of draws made.
 */
function drawGuessed(base: usize, falls: usize, words: usize, count: u32, out: usize, before: u32): u32 {
  const guessed = v128.load(nodes);
  let total = i32x4.splat(before);
  // for each draw, the total mass that earlier draws of the group took from nodes before the draw's own node
  let taken = i32x4.splat(0);
  for (let i: u32 = 0; i < count; ++i) {
    const at = (<usize>i) << 2;
    const word = load<u32>(words + at);
    if (!isSettled(word, i32x4.extract_lane(total, 0))) return i;
    const takenHere = i8x16.swizzle(taken, v128.load(toAllLanes + ((<usize>i) << 4)));
    const node = load<u32>(nodes + at);
    const bound = i32x4.add(i32x4.sub(productHigh(word, total), i32x4.splat(load<u32>(offsets + at))), takenHere);
    const leaf = changetype<Vectors>(nodeAt(base, node));
    const fall = changetype<Vectors>(nodeAt(falls, node));
    // the lanes of the drawn entry and of the entries after it
    const a = i32x4.gt_s(leaf.a, bound);
    const b = i32x4.gt_s(leaf.b, bound);
    const c = i32x4.gt_s(leaf.c, bound);
    const d = i32x4.gt_s(leaf.d, bound);
    const above = laneBits(a, b, c, d);
    if (!above) return i;
    const mass = sumFalls(fall, a, b, c, d);
    store<u32>(out + at, (node << FANOUT_BITS) | ctz(above));
    store<u32>(losses + at, i32x4.extract_lane(mass, 0));
    leaf.a = i32x4.sub(leaf.a, v128.and(mass, a));
    leaf.b = i32x4.sub(leaf.b, v128.and(mass, b));
    leaf.c = i32x4.sub(leaf.c, v128.and(mass, c));
    leaf.d = i32x4.sub(leaf.d, v128.and(mass, d));
    total = i32x4.sub(total, mass);
    taken = i32x4.add(taken, v128.and(mass, i32x4.gt_s(guessed, i32x4.splat(node))));
  }
  return count;
}

/** Returns the bound of a search with a word: the number below the total that it sets, minus 2^31, in all lanes. */
function boundOf(word: u32, total: v128): v128 {
  return v128.xor(productHigh(word, total), i32x4.splat(BIAS));
}

/** Returns ⌊word · total / 2^32⌋ in all lanes. All lanes of `total` are equal. */
function productHigh(word: u32, total: v128): v128 {
  const product = i64x2.extmul_low_i32x4_u(i32x4.splat(word), total);
  return v128.shuffle<i32>(product, product, 1, 1, 1, 1);
}

/** Returns the sum of the falls of the lanes whose masks are all ones, in all lanes: the mass of the first such entry. */
function sumFalls(fall: Vectors, a: v128, b: v128, c: v128, d: v128): v128 {
  const sum = i32x4.add(
    i32x4.add(v128.and(fall.a, a), v128.and(fall.b, b)),
    i32x4.add(v128.and(fall.c, c), v128.and(fall.d, d)),
  );
  return sumLanes(sum);
}

/** Returns the sum of the four lanes, in all lanes. */
function sumLanes(lanes: v128): v128 {
  const pairs = i32x4.add(lanes, v128.shuffle<i32>(lanes, lanes, 2, 3, 0, 1));
  return i32x4.add(pairs, v128.shuffle<i32>(pairs, pairs, 1, 0, 3, 2));
}

/** Makes one draw without a guess, from a tree whose total is not 0. Call `selectExtraWords` for the word first. */
export function drawExactly(tree: usize, entries: usize, word: u32): u32 {
  const x = below(word, treeTotal(tree));
  store<u32>(xs, x);
  findNodes(tree, 1);
  const node = load<u32>(nodes);
  const above = lanesAbove(nodeAt(leaves(tree), node), i32x4.splat(x - load<u32>(offsets)));
  const entry = (node << FANOUT_BITS) | ctz(above);
  addWeight(tree, entry, 0 - massOf(entries, entry));
  return entry;
}

function massOf(entries: usize, entry: u32): u32 {
  return changetype<PoolEntry>(entries + <usize>entry * offsetof<PoolEntry>()).mass;
}

// ── searching ──

/**
 * For each of the first `count` numbers x in `xs`, finds the leaf node that contains x. Each x must be < total. Writes
 * the node to `nodes`, and (sum before the node) − 2^31 to `offsets`. A search is a chain of dependent loads, one for
 * each level. The processor runs separate searches in parallel.
 */
function findNodes(tree: usize, count: u32): void {
  const top = levelsOf(tree) - 1;
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 4) {
    const x = load<u32>(xs + at);
    let node: u32 = 0;
    let rest = x + BIAS;
    for (let level = top; level > 0; --level) {
      const upper = nodeAt(base(tree, level), node);
      const child = childAt(upper, i32x4.splat(rest));
      rest -= load<u32>(upper + ((<usize>child) << 2)) - BIAS;
      node = (node << FANOUT_BITS) | child;
    }
    store<u32>(nodes + at, node);
    store<u32>(offsets + at, x - rest);
  }
}

/**
 * Returns a bit for each lane of a node: 1 if the lane's sum is > the bound. The sums and the bound have 2^31 added to
 * them (core/sumTree.ts). All lanes of `bound` are equal.
 */
function lanesAbove(node: usize, bound: v128): u32 {
  const sums = changetype<Vectors>(node);
  const a = i32x4.gt_s(sums.a, bound);
  const b = i32x4.gt_s(sums.b, bound);
  const c = i32x4.gt_s(sums.c, bound);
  const d = i32x4.gt_s(sums.d, bound);
  return laneBits(a, b, c, d);
}

/** Returns one bit for each of the sixteen lanes of a, b, c and d. Each lane is all ones or all zeros. */
function laneBits(a: v128, b: v128, c: v128, d: v128): u32 {
  return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)));
}

// ── changing ──

/** Adds d to the weight of an entry, modulo 2^32. So to subtract d, add 2^32 − d. */
export function addWeight(tree: usize, entry: u32, d: u32): void {
  const node = entry >>> FANOUT_BITS;
  takeFrom(nodeAt(leaves(tree), node), entry & LANE_MASK, i32x4.splat(0 - d));
  store<u32>(nodes, node);
  store<u32>(losses, 0 - d);
  takeAbove(tree, 1);
}

/**
 * Subtracts the first `count` values of `losses` from the total. Also subtracts them from the sums in the levels above
 * the leaf nodes in `nodes`.
 */
function takeAbove(tree: usize, count: u32): void {
  const end = (<usize>count) << 2;
  for (let at: usize = 0; at < end; at += 4) addTotal(tree, 0 - load<u32>(losses + at));
  const levels = levelsOf(tree);
  for (let level: u32 = 1, bits: u32 = 0; level < levels; ++level, bits += FANOUT_BITS) {
    for (let at: usize = 0; at < end; at += 4) {
      const child = load<u32>(nodes + at) >>> bits;
      const upper = nodeAt(base(tree, level), child >>> FANOUT_BITS);
      takeFrom(upper, (child & LANE_MASK) + 1, i32x4.splat(load<u32>(losses + at)));
    }
  }
}

/** Subtracts `loss` from the lanes `lane` … 15 of a node. */
function takeFrom(node: usize, lane: u32, loss: v128): void {
  const sums = changetype<Vectors>(node);
  const mask = maskFrom(lane);
  sums.a = i32x4.sub(sums.a, v128.and(loss, mask.a));
  sums.b = i32x4.sub(sums.b, v128.and(loss, mask.b));
  sums.c = i32x4.sub(sums.c, v128.and(loss, mask.c));
  sums.d = i32x4.sub(sums.d, v128.and(loss, mask.d));
}

/** Returns a mask of the lanes `lane` … 15. */
function maskFrom(lane: u32): Vectors {
  return changetype<Vectors>(fromHere + ((<usize>(FANOUT - lane)) << 2));
}

/**
 * Sixteen zeros, then sixteen lanes of ones. A read of sixteen lanes at index 16 − i gives ones in the lanes i … 15.
 */
const fromHere = memory.data<i32>(
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1],
  16,
);
