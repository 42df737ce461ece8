// A tree of prefix sums for weights that change between draws. A node has sixteen u32, so it fills one cache line.
//
//   upper levels  │ 0 │ Σ child 0 │ Σ 0–1 │ … │ Σ 0–14 │         the sum before each child; the top level is one node
//   leaves        │ w₀ │ w₀+w₁ │ w₀+w₁+w₂ │ … │ Σ 0–15 │        the prefix sums of sixteen weights
//
// A search for x starts at the top node. In an upper node, it continues at the last child whose sum is ≤ x. In a leaf,
// it ends at the first entry whose sum is > x. Searching a node takes four vector compares and a bit mask. Sums are
// stored with 2^31 added: this makes signed compares possible, which take one instruction instead of three.
//
// If a weight changes by d, one node of each level changes: masked adds add d to the sums that include the weight. The
// sums are integers, so they stay exact after any number of changes.
//
// Source: the prefix-sum tree of Fenwick 1994, widened to a cache line.

import { allocate, mark, release } from "./memory";

/**
 * The head of a tree:
 *
 *   │ 0: count │ 4: levels │ 8: total │ 12: bases × MAX_LEVELS │
 */
@unmanaged
class SumTree {
  /** Number of weights. */
  count: u32;
  levels: u32;
  /** The sum of all weights. */
  total: u32;
  /** Address of the leaves. The addresses of the upper levels follow this field. */
  bases: usize;
}

/** Maximum number of levels. Five levels are enough for 2^20 weights; the sixth is a reserve. */
const MAX_LEVELS: u32 = 6;
const TREE_BYTES: usize = offsetof<SumTree>("bases") + <usize>MAX_LEVELS * sizeof<usize>();

export const FANOUT_BITS: u32 = 4;
export const FANOUT: u32 = 1 << FANOUT_BITS;
export const LANE_MASK: u32 = FANOUT - 1;
const NODE_BYTES_BITS: usize = FANOUT_BITS + 2;
const NODE_BYTES: usize = 1 << NODE_BYTES_BITS;
export const BIAS: u32 = 0x80000000;

// ── building ──

/** Allocates a tree of n ≥ 1 weights. Returns 0 if memory runs out. */
export function createTree(n: u32): usize {
  const before = mark();
  const tree = allocate(TREE_BYTES);
  let levels: u32 = 0;
  let nodes = n;
  let room = tree != 0;
  do {
    nodes = (nodes + LANE_MASK) >>> FANOUT_BITS;
    const base = allocate((<usize>nodes) << NODE_BYTES_BITS);
    room = room && base != 0;
    if (room) store<usize>(tree + ((<usize>levels) << alignof<usize>()), base, offsetof<SumTree>("bases"));
    ++levels;
  } while (nodes > 1);
  if (!room) {
    release(before);
    return 0;
  }
  changetype<SumTree>(tree).count = n;
  changetype<SumTree>(tree).levels = levels;
  return tree;
}

/**
 * Returns the address of the leaves. Before `buildTree`, the caller writes the n weights there, u32. The total of the
 * weights must be ≤ 2^32 − 1.
 */
export function leaves(tree: usize): usize {
  return changetype<SumTree>(tree).bases;
}

/** For each level, the sum of all weights before the current node of this level, as u32. */
const starts = memory.data(24, 4);

/** Turns the weights at the leaves into prefix sums, and fills the upper levels with sums. */
export function buildTree(tree: usize): void {
  const entries = changetype<SumTree>(tree).count;
  const nodes = (entries + LANE_MASK) >>> FANOUT_BITS;
  for (let lane = entries; lane & LANE_MASK; ++lane) store<u32>(leaves(tree) + ((<usize>lane) << 2), 0);
  let before: u32 = 0;
  for (let node: u32 = 0; node < nodes; ++node) {
    beginChild(tree, node, before);
    before += sumLeaf(nodeAt(leaves(tree), node));
  }
  changetype<SumTree>(tree).total = before;
  // stores the total in lanes without a child, so that a search for x < total never chooses such a lane
  let children = nodes;
  for (let level: u32 = 1; level < changetype<SumTree>(tree).levels; ++level) {
    for (let child = children; child & LANE_MASK; ++child) storeStart(tree, level, child, before);
    children = (children + LANE_MASK) >>> FANOUT_BITS;
  }
}

/** Turns the sixteen weights of a leaf node into prefix sums, in place. Returns the sum of the weights. */
function sumLeaf(node: usize): u32 {
  let before = i32x4.splat(BIAS);
  for (let at = node; at < node + NODE_BYTES; at += 16) {
    const sums = i32x4.add(sumsInside(v128.load(at)), before);
    v128.store(at, sums);
    before = v128.shuffle<i32>(sums, sums, 3, 3, 3, 3);
  }
  return i32x4.extract_lane(before, 0) - BIAS;
}

/** Returns the prefix sums of four lanes. */
function sumsInside(lanes: v128): v128 {
  const none = i32x4.splat(0);
  const pairs = i32x4.add(lanes, v128.shuffle<i32>(none, lanes, 3, 4, 5, 6));
  return i32x4.add(pairs, v128.shuffle<i32>(none, pairs, 2, 3, 4, 5));
}

/**
 * A child of an upper node covers a range of leaf nodes. Stores the sum of each child whose range begins with leaf node
 * `node`. The sum of a child is the sum of the weights that come before this child in the same upper node. Call this
 * function for each leaf node, in order. `before` is the sum of all weights before the leaf node.
 */
function beginChild(tree: usize, node: u32, before: u32): void {
  let child = node;
  for (let level: u32 = 1; level < changetype<SumTree>(tree).levels; ++level) {
    const isFirst = (child & LANE_MASK) == 0;
    if (isFirst) store<u32>(starts + ((<usize>level) << 2), before);
    storeStart(tree, level, child, before);
    if (!isFirst) return;
    child >>>= FANOUT_BITS;
  }
}

function storeStart(tree: usize, level: u32, child: u32, before: u32): void {
  const sum = before - load<u32>(starts + ((<usize>level) << 2));
  store<u32>(base(tree, level) + ((<usize>child) << 2), sum + BIAS);
}

/** Returns the number of weights. */
export function countOf(tree: usize): u32 {
  return changetype<SumTree>(tree).count;
}

export function treeTotal(tree: usize): u32 {
  return changetype<SumTree>(tree).total;
}

/** Adds d to the stored total. The caller must add d to the sums in the nodes. */
export function addTotal(tree: usize, d: u32): void {
  changetype<SumTree>(tree).total = treeTotal(tree) + d;
}

/** Returns the number of levels: 1 if one node holds all weights. */
export function levelsOf(tree: usize): u32 {
  return changetype<SumTree>(tree).levels;
}

/** Returns the address of the nodes of a level. Level 0 holds the leaves. */
export function base(tree: usize, level: u32): usize {
  return load<usize>(tree + ((<usize>level) << alignof<usize>()), offsetof<SumTree>("bases"));
}

/** Returns the address of a node. `base` is the address of its level. */
export function nodeAt(base: usize, node: u32): usize {
  return base + ((<usize>node) << NODE_BYTES_BITS);
}
