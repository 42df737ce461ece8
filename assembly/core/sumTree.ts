// Draws that decrement: a tree of prefix sums, sixteen u32 a node, one node a cache line.
//
//   upper levels  │ 0 │ Σ child 0 │ Σ 0–1 │ … │ Σ 0–14 │         what lies before each child; the top is one node
//   leaves        │ w₀ │ w₀+w₁ │ w₀+w₁+w₂ │ … │ Σ 0–15 │        sixteen weights, each with those before it
//
// The child that holds x is the last sum ≤ x, the entry in a leaf the first sum > x: four compares and a bit mask. Every
// sum is kept plus 2^31, so that the compare of signed integers, one instruction where the unsigned one is three, orders
// them. A weight that changes by d changes the sums behind it by masked adds, in one node a level. No rebuilding, no
// drift: integers.
// Source: the prefix-sum tree of Fenwick 1994, widened to a cache line.

import { allocate, mark, release } from "./memory";

const COUNT: usize = 0;
const LEVELS: usize = 4;
const TOTAL: usize = 8;
/** Addresses of the levels, the leaves first; five levels hold 2^20 weights. */
const BASES: usize = 12;
const MAX_LEVELS: u32 = 6;
const TREE_BYTES: usize = BASES + ((<usize>MAX_LEVELS) << 2);

export const FANOUT_BITS: u32 = 4;
export const FANOUT: u32 = 1 << FANOUT_BITS;
export const LANE_MASK: u32 = FANOUT - 1;
const NODE_BYTES_BITS: usize = FANOUT_BITS + 2;
export const BIAS: u32 = 0x80000000;

// ── building ──

/** Room for a tree of n ≥ 1 weights; 0 when memory runs out. */
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
    if (room) store<u32>(tree + ((<usize>levels) << 2), <u32>base, BASES);
    ++levels;
  } while (nodes > 1);
  if (!room) {
    release(before);
    return 0;
  }
  store<u32>(tree, n, COUNT);
  store<u32>(tree, levels, LEVELS);
  return tree;
}

/** Where the caller writes the n weights, u32, before the tree is built; their total is ≤ 2^32 − 1. */
export function leaves(tree: usize): usize {
  return load<u32>(tree, BASES);
}

/** What lies before the node that is being summed, a level. */
const starts = memory.data(24, 4);

/** Turns the weights at the leaves into sums, and sums the levels above. */
export function buildTree(tree: usize): void {
  const entries = load<u32>(tree, COUNT);
  const nodes = (entries + LANE_MASK) >>> FANOUT_BITS;
  let before: u32 = 0;
  for (let node: u32 = 0; node < nodes; ++node) {
    beginChild(tree, node, before);
    before += sumLeaf(nodeAt(leaves(tree), node), min(FANOUT, entries - (node << FANOUT_BITS)));
  }
  store<u32>(tree, before, TOTAL);
  // lanes without a child lie behind all others
  let children = nodes;
  for (let level: u32 = 1; level < load<u32>(tree, LEVELS); ++level) {
    for (let child = children; child & LANE_MASK; ++child) storeStart(tree, level, child, before);
    children = (children + LANE_MASK) >>> FANOUT_BITS;
  }
}

/** Sums the weights of a leaf node in place; what lies past the `count` first weighs nothing. Returns their total. */
function sumLeaf(node: usize, count: u32): u32 {
  let sum: u32 = 0;
  for (let lane: u32 = 0; lane < FANOUT; ++lane) {
    const at = node + ((<usize>lane) << 2);
    if (lane < count) sum += load<u32>(at);
    store<u32>(at, sum + BIAS);
  }
  return sum;
}

/** Writes what lies before a leaf node, on each level where a child begins with it. */
function beginChild(tree: usize, node: u32, before: u32): void {
  let child = node;
  for (let level: u32 = 1; level < load<u32>(tree, LEVELS); ++level) {
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

/** The sum of all weights. */
export function treeTotal(tree: usize): u32 {
  return load<u32>(tree, TOTAL);
}

/** The total changes by d; the sums are another's. */
export function addTotal(tree: usize, d: u32): void {
  store<u32>(tree, treeTotal(tree) + d, TOTAL);
}

/** Levels of a tree, 1 where its leaves are one node. */
export function levelsOf(tree: usize): u32 {
  return load<u32>(tree, LEVELS);
}

/** Where a level's nodes are, the leaves' being level 0. */
export function base(tree: usize, level: u32): usize {
  return load<u32>(tree + ((<usize>level) << 2), BASES);
}

/** The address of a node. */
export function nodeAt(base: usize, node: u32): usize {
  return base + ((<usize>node) << NODE_BYTES_BITS);
}
