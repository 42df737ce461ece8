// Draws that decrement: a tree of prefix sums, sixteen u32 a node, one node a cache line.
//
//   level 1   │ Σ children 0 │ Σ 0–1 │ Σ 0–2 │ … │ Σ 0–15 │          the top is one node
//   level 0   │ w₀ │ w₀+w₁ │ … │ Σ 0–15 │   │ w₁₆ │ … │            a leaf node sums sixteen weights
//
// The entry that holds x is the first sum > x: four compares and a bit mask. A weight that changes by d changes the sums
// from its own on, by masked adds, in one node a level. No rebuilding, no drift: integers.
// Source: the prefix-sum tree of Fenwick 1994, widened to a cache line.

import { allocate, mark, release } from "./memory";

const COUNT: usize = 0;
const LEVELS: usize = 4;
const TOTAL: usize = 8;
/** Addresses of the levels, the leaves first; five levels hold 2^20 weights. */
const BASES: usize = 12;
const MAX_LEVELS: u32 = 6;
const TREE_BYTES: usize = BASES + ((<usize>MAX_LEVELS) << 2);

const FANOUT_BITS: u32 = 4;
const FANOUT: u32 = 1 << FANOUT_BITS;
const NODE_BYTES_BITS: usize = FANOUT_BITS + 2;

/** Room for a tree of n ≥ 1 weights; 0 when memory runs out. */
export function createTree(n: u32): usize {
  const before = mark();
  const tree = allocate(TREE_BYTES);
  let levels: u32 = 0;
  let nodes = n;
  let room = tree != 0;
  do {
    nodes = (nodes + (FANOUT - 1)) >>> FANOUT_BITS;
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

/** Turns the weights at the leaves into sums, and sums the levels above. */
export function buildTree(tree: usize): void {
  const levels = load<u32>(tree, LEVELS);
  let base = leaves(tree);
  let entries = load<u32>(tree, COUNT);
  sumNodes(base, base, 0, entries);
  for (let level: u32 = 1; level < levels; ++level) {
    const lower = base;
    entries = (entries + (FANOUT - 1)) >>> FANOUT_BITS;
    base = load<u32>(tree + ((<usize>level) << 2), BASES);
    sumNodes(lower + ((FANOUT - 1) << 2), base, NODE_BYTES_BITS - 2, entries);
  }
  store<u32>(tree, load<u32>(base, (FANOUT - 1) << 2), TOTAL);
}

/** Sums node by node: entry i is the u32 at from + (4 · i << spread), and what lies past `entries` weighs nothing. */
function sumNodes(from: usize, base: usize, spread: usize, entries: u32): void {
  const padded = (entries + (FANOUT - 1)) & ~(FANOUT - 1);
  let sum: u32 = 0;
  for (let i: u32 = 0; i < padded; ++i) {
    if ((i & (FANOUT - 1)) == 0) sum = 0;
    if (i < entries) sum += load<u32>(from + ((<usize>i) << (2 + spread)));
    store<u32>(base + ((<usize>i) << 2), sum);
  }
}

/** The sum of all weights. */
export function treeTotal(tree: usize): u32 {
  return load<u32>(tree, TOTAL);
}

/** The entry that x < total falls on: the first whose prefix sum is > x. */
export function findEntry(tree: usize, x: u32): u32 {
  let entry: u32 = 0;
  for (let level = load<u32>(tree, LEVELS); level > 0; --level) {
    const base = <usize>load<u32>(tree + ((<usize>level) << 2), BASES - 4);
    const node = base + ((<usize>entry) << NODE_BYTES_BITS);
    const child = firstAboveIn(node, x);
    // (entry 0 has no sum before it; what is read there is not used)
    x -= child ? load<u32>(node + ((<usize>child) << 2) - 4) : 0;
    entry = (entry << FANOUT_BITS) | child;
  }
  return entry;
}

/** Adds d, which may stand for a negative number, to the weight of an entry. */
export function addWeight(tree: usize, entry: u32, d: u32): void {
  const levels = load<u32>(tree, LEVELS);
  const added = i32x4.splat(d);
  for (let level: u32 = 0; level < levels; ++level) {
    const base = <usize>load<u32>(tree + ((<usize>level) << 2), BASES);
    const node = base + ((<usize>(entry >>> FANOUT_BITS)) << NODE_BYTES_BITS);
    const mask = fromHere + ((<usize>(FANOUT - (entry & (FANOUT - 1)))) << 2);
    v128.store(node, i32x4.add(v128.load(node, 0), v128.and(added, v128.load(mask, 0))), 0);
    v128.store(node, i32x4.add(v128.load(node, 16), v128.and(added, v128.load(mask, 16))), 16);
    v128.store(node, i32x4.add(v128.load(node, 32), v128.and(added, v128.load(mask, 32))), 32);
    v128.store(node, i32x4.add(v128.load(node, 48), v128.and(added, v128.load(mask, 48))), 48);
    entry >>>= FANOUT_BITS;
  }
  store<u32>(tree, load<u32>(tree, TOTAL) + d, TOTAL);
}

/** Sixteen zeros, then sixteen of all ones: read from 16 − i on, the lanes from i on are set. */
const fromHere = memory.data<i32>(
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1],
  16,
);

function firstAboveIn(node: usize, x: u32): u32 {
  const bound = i32x4.splat(x);
  const a = i32x4.gt_u(v128.load(node, 0), bound);
  const b = i32x4.gt_u(v128.load(node, 16), bound);
  const c = i32x4.gt_u(v128.load(node, 32), bound);
  const d = i32x4.gt_u(v128.load(node, 48), bound);
  return ctz(i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d))));
}
