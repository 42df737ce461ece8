// Draws from a tree of prefix sums, each of which takes its mass off an entry's weight.
//
// Draw n is decided by what the draws before it left: bare draws are one chain of dependent searches. They are therefore
// made in groups. First each draw's leaf node is guessed from the sums as they are before the group: searches that the
// processor runs side by side. Then, in order, each draw looks for its x in the node guessed for it:
//
//   what lies before a node now = what lay before it at first − what the group's draws have taken in nodes before it
//
// and the leaf tells whether x is there: an x before the node wraps to 2^32 − (what lies before − x), which is more than
// the node's total, for that and what lies before are together < 2^32. Where x is not there, or the word does not settle
// it, the group ends early and `drawExactly` makes that draw. Guesses only save time: x, and the entry it falls on, are
// those of draws made one by one.

import { below, isSettled } from "../core/below";
import {
  addTotal,
  BIAS,
  base,
  FANOUT,
  FANOUT_BITS,
  LANE_MASK,
  leaves,
  levelsOf,
  nodeAt,
  treeTotal,
} from "../core/sumTree";

/** What is drawn from: an entry's mass is the second u32 of its 8 bytes. There is room for whole leaf nodes. */
const ENTRY_BITS: usize = 3;
const ENTRY_MASS: usize = 4;

/** Draws that are guessed together: a vector of nodes. */
const GROUP: u32 = 4;

/** A group: each draw's x, its leaf node, what lies before that, what it takes; and what was asked for ahead. */
const xs = memory.data(16, 16);
const nodes = memory.data(16, 16);
const offsets = memory.data(16, 16);
const losses = memory.data(16, 16);
const ahead = memory.data(16, 16);

/** Lane i of a vector of u32 in all four lanes, as indices of bytes. */
const toAllLanes = memory.data<u32>(
  [
    0x03020100, 0x03020100, 0x03020100, 0x03020100, 0x07060504, 0x07060504, 0x07060504, 0x07060504, 0x0b0a0908,
    0x0b0a0908, 0x0b0a0908, 0x0b0a0908, 0x0f0e0d0c, 0x0f0e0d0c, 0x0f0e0d0c, 0x0f0e0d0c,
  ],
  16,
);

/**
 * Draws with the `count` words at `words`; the entries go to `out`, u32. Returns the draws made: it ends before the first
 * one that needs `drawExactly`, and where the total is 0.
 */
export function drawSettled(tree: usize, entries: usize, words: usize, count: u32, out: usize): u32 {
  if (levelsOf(tree) == 1) return drawFromNode(tree, entries, words, count, out);
  let done: u32 = 0;
  while (done < count && treeTotal(tree)) {
    const group = min(GROUP, count - done);
    const at = (<usize>done) << 2;
    const drawn = drawGroup(tree, entries, words + at, group, out + at);
    done += drawn;
    if (drawn < group) break;
  }
  return done;
}

/** The same from one node: its sums stay in registers, and there is nothing to guess. */
function drawFromNode(tree: usize, entries: usize, words: usize, count: u32, out: usize): u32 {
  const node = leaves(tree);
  const before = treeTotal(tree);
  let total = before;
  let a = v128.load(node, 0);
  let b = v128.load(node, 16);
  let c = v128.load(node, 32);
  let d = v128.load(node, 48);
  let done: u32 = 0;
  for (; done < count; ++done) {
    const at = (<usize>done) << 2;
    const word = load<u32>(words + at);
    if (!isSettled(word, total)) break;
    const bound = i32x4.splat(<u32>((<u64>word * total) >>> 32) + BIAS);
    const lane = ctz(laneBits(i32x4.gt_s(a, bound), i32x4.gt_s(b, bound), i32x4.gt_s(c, bound), i32x4.gt_s(d, bound)));
    const mass = load<u32>(entries + ((<usize>lane) << ENTRY_BITS), ENTRY_MASS);
    const mask = fromHere + ((<usize>(FANOUT - lane)) << 2);
    const loss = i32x4.splat(mass);
    a = i32x4.sub(a, v128.and(loss, v128.load(mask, 0)));
    b = i32x4.sub(b, v128.and(loss, v128.load(mask, 16)));
    c = i32x4.sub(c, v128.and(loss, v128.load(mask, 32)));
    d = i32x4.sub(d, v128.and(loss, v128.load(mask, 48)));
    store<u32>(out + at, lane);
    total -= mass;
  }
  v128.store(node, a, 0);
  v128.store(node, b, 16);
  v128.store(node, c, 32);
  v128.store(node, d, 48);
  addTotal(tree, total - before);
  return done;
}

/** Draws with the `count` ≤ GROUP words at `words` from a tree whose total is not 0; ends as `drawSettled` does. */
function drawGroup(tree: usize, entries: usize, words: usize, count: u32, out: usize): u32 {
  guess(tree, entries, words, count, treeTotal(tree));
  const drawn = drawGuessed(leaves(tree), entries, words, count, out, treeTotal(tree));
  takeAbove(tree, drawn);
  return drawn;
}

/** Where the draws of a group would fall if none of them took anything; r of `below` is left out. */
function guess(tree: usize, entries: usize, words: usize, count: u32, total: u64): void {
  const end = (<usize>count) << 2;
  for (let at: usize = 0; at < end; at += 4) store<u32>(xs + at, <u32>((total * load<u32>(words + at)) >>> 32));
  findNodes(tree, count);
  // both cache lines of a node's entries are asked for now, and no draw waits for its mass to come from afar
  for (let at: usize = 0; at < end; at += 4) {
    const lines = entries + ((<usize>load<u32>(nodes + at)) << (ENTRY_BITS + FANOUT_BITS));
    store<u32>(ahead + at, load<u32>(lines) ^ load<u32>(lines, 64));
  }
}

/** The draws of a group, in order, as far as their guesses and words go. */
function drawGuessed(base: usize, entries: usize, words: usize, count: u32, out: usize, total: u32): u32 {
  const guessed = v128.load(nodes);
  // what has been taken in nodes before each of them
  let taken = i32x4.splat(0);
  for (let i: u32 = 0; i < count; ++i) {
    const at = (<usize>i) << 2;
    const word = load<u32>(words + at);
    if (!isSettled(word, total)) return i;
    const x = <u32>((<u64>word * total) >>> 32);
    const before = i8x16.swizzle(taken, v128.load(toAllLanes + ((<usize>i) << 4)));
    const node = load<u32>(nodes + at);
    const leaf = nodeAt(base, node);
    const above = lanesAbove(leaf, i32x4.add(i32x4.splat(x - load<u32>(offsets + at)), before));
    if (!above) return i;
    const entry = (node << FANOUT_BITS) | ctz(above);
    const mass = load<u32>(entries + ((<usize>entry) << ENTRY_BITS), ENTRY_MASS);
    store<u32>(out + at, entry);
    store<u32>(losses + at, mass);
    total -= mass;
    const loss = i32x4.splat(mass);
    taken = i32x4.add(taken, v128.and(loss, i32x4.gt_s(guessed, i32x4.splat(node))));
    takeFrom(leaf, ctz(above), loss);
  }
  return count;
}

/** Draws once, by the sums as they are: `total` is the tree's, not 0, and the word's address the one stood at. */
export function drawExactly(tree: usize, entries: usize, word: u32): u32 {
  const x = below(word, treeTotal(tree));
  store<u32>(xs, x);
  findNodes(tree, 1);
  const node = load<u32>(nodes);
  const above = lanesAbove(nodeAt(leaves(tree), node), i32x4.splat(x - load<u32>(offsets)));
  const entry = (node << FANOUT_BITS) | ctz(above);
  addWeight(tree, entry, 0 - load<u32>(entries + ((<usize>entry) << ENTRY_BITS), ENTRY_MASS));
  return entry;
}

// ── searching ──

/**
 * For the first `count` of `xs`, each < total: the leaf node that it falls in goes to `nodes`, and what lies before that
 * node, plus 2^31, to `offsets`. Searches side by side, since each is a chain of dependent loads, a node a level.
 */
function findNodes(tree: usize, count: u32): void {
  const top = levelsOf(tree) - 1;
  for (let at: usize = 0, end = (<usize>count) << 2; at < end; at += 4) {
    const x = load<u32>(xs + at);
    let node: u32 = 0;
    let rest = x + BIAS;
    for (let level = top; level > 0; --level) {
      const upper = nodeAt(base(tree, level), node);
      const child = ctz(lanesAbove(upper, i32x4.splat(rest)) | (1 << FANOUT)) - 1;
      rest -= load<u32>(upper + ((<usize>child) << 2)) - BIAS;
      node = (node << FANOUT_BITS) | child;
    }
    store<u32>(nodes + at, node);
    store<u32>(offsets + at, x - rest);
  }
}

/** One bit for each lane of a node whose biased sum is > the biased bound, which all lanes of `bound` hold. */
function lanesAbove(node: usize, bound: v128): u32 {
  const a = i32x4.gt_s(v128.load(node, 0), bound);
  const b = i32x4.gt_s(v128.load(node, 16), bound);
  const c = i32x4.gt_s(v128.load(node, 32), bound);
  const d = i32x4.gt_s(v128.load(node, 48), bound);
  return laneBits(a, b, c, d);
}

/** One bit for each of sixteen lanes that are all ones or all zeros. */
function laneBits(a: v128, b: v128, c: v128, d: v128): u32 {
  return i8x16.bitmask(i8x16.narrow_i16x8_s(i16x8.narrow_i32x4_s(a, b), i16x8.narrow_i32x4_s(c, d)));
}

// ── changing ──

/** Adds d, which may stand for a negative number, to the weight of an entry. */
export function addWeight(tree: usize, entry: u32, d: u32): void {
  const node = entry >>> FANOUT_BITS;
  takeFrom(nodeAt(leaves(tree), node), entry & LANE_MASK, i32x4.splat(0 - d));
  store<u32>(nodes, node);
  store<u32>(losses, 0 - d);
  takeAbove(tree, 1);
}

/** Takes from the sums above the first `count` of `nodes` what was taken in them, which `losses` has. */
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

/** Takes from the lanes of a node from one on. */
function takeFrom(node: usize, lane: u32, loss: v128): void {
  const mask = fromHere + ((<usize>(FANOUT - lane)) << 2);
  v128.store(node, i32x4.sub(v128.load(node, 0), v128.and(loss, v128.load(mask, 0))), 0);
  v128.store(node, i32x4.sub(v128.load(node, 16), v128.and(loss, v128.load(mask, 16))), 16);
  v128.store(node, i32x4.sub(v128.load(node, 32), v128.and(loss, v128.load(mask, 32))), 32);
  v128.store(node, i32x4.sub(v128.load(node, 48), v128.and(loss, v128.load(mask, 48))), 48);
}

/** Sixteen zeros, then sixteen of all ones: read from 16 − i on, the lanes from i on are set. */
const fromHere = memory.data<i32>(
  [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1],
  16,
);
