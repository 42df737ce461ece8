// A pool as a Fenwick tree of mass × quantity in typed arrays, as a careful JavaScript programmer would write it. To
// refill an exhausted pool, it copies the full tree.

import { Words } from "./words.mjs";

const INV_2_32 = 2 ** -32;
const BLOCK = 4096;

function build(shares) {
  const tree = new Uint32Array(shares.length + 1);
  for (let i = 1; i < tree.length; i++) {
    tree[i] += shares[i - 1];
    const parent = i + (i & -i);
    if (parent < tree.length) tree[parent] += tree[i];
  }
  return tree;
}

/** {draw(), drawInto(out), putBack(record)} for a pool of records with these masses; each record has the same quantity. */
export function jsPools(list, quantity) {
  const masses = Uint32Array.from(list);
  const shares = masses.map((mass) => mass * quantity);
  const n = masses.length;
  const full = build(shares);
  const tree = full.slice();
  const fullTotal = shares.reduce((sum, share) => sum + share, 0);
  const top = 2 ** (31 - Math.clz32(n));
  const words = new Words(1);
  const block = new Uint32Array(BLOCK);
  let total = fullTotal;
  let at = BLOCK;

  /** Draws with a word. */
  function drawWith(word) {
    if (total === 0) {
      tree.set(full);
      total = fullTotal;
    }
    let r = (word * total * INV_2_32) | 0;
    let record = 0;
    for (let step = top; step > 0; step >>= 1) {
      const next = record + step;
      if (next <= n && tree[next] <= r) {
        record = next;
        r -= tree[next];
      }
    }
    const mass = masses[record];
    for (let i = record + 1; i <= n; i += i & -i) tree[i] -= mass;
    total -= mass;
    return record;
  }

  function drawInto(out) {
    for (let from = 0; from < out.length; from += BLOCK) {
      words.fill(block);
      const draws = Math.min(BLOCK, out.length - from);
      for (let k = 0; k < draws; k++) out[from + k] = drawWith(block[k]);
    }
  }

  function draw() {
    if (at === BLOCK) {
      words.fill(block);
      at = 0;
    }
    return drawWith(block[at++]);
  }

  function putBack(record) {
    for (let i = record + 1; i <= n; i += i & -i) tree[i] += masses[record];
    total += masses[record];
  }

  return { draw, drawInto, putBack };
}
