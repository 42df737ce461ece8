// Vose's alias method in typed arrays, as a careful JavaScript programmer would write it.

import { Words } from "./words.mjs";

const INV_2_32 = 2 ** -32;
const BLOCK = 4096; // words per block; a pick takes two, one for the column and one to choose it or its alias

function build(weights) {
  const n = weights.length;
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const share = Float64Array.from(weights, (weight) => (weight * n) / total);
  const threshold = new Uint32Array(n).fill(0xffffffff);
  const alias = Uint32Array.from(share, (_, i) => i);
  const small = [];
  const large = [];
  for (let i = 0; i < n; i++) (share[i] < 1 ? small : large).push(i);
  while (small.length > 0 && large.length > 0) {
    const low = small.pop();
    const high = large[large.length - 1];
    threshold[low] = share[low] * 2 ** 32;
    alias[low] = high;
    share[high] -= 1 - share[low];
    if (share[high] < 1) small.push(large.pop());
  }
  return { threshold, alias };
}

/** {pickInto(out), pick(), count(n)} for a list of weights. */
export function jsPicks(weights, seed = 1) {
  const { threshold, alias } = build(weights);
  const n = weights.length;
  const words = new Words(seed);
  const block = new Uint32Array(BLOCK);
  let at = BLOCK;

  function pickInto(out) {
    for (let from = 0; from < out.length; from += BLOCK / 2) {
      words.fill(block);
      const picks = Math.min(BLOCK / 2, out.length - from);
      for (let k = 0; k < picks; k++) {
        const i = (block[2 * k] * n * INV_2_32) | 0;
        out[from + k] = block[2 * k + 1] < threshold[i] ? i : alias[i];
      }
    }
  }

  function pick() {
    if (at === BLOCK) {
      words.fill(block);
      at = 0;
    }
    const i = (block[at] * n * INV_2_32) | 0;
    const coin = block[at + 1];
    at += 2;
    return coin < threshold[i] ? i : alias[i];
  }

  function count(picks) {
    const counts = new Uint32Array(n);
    for (let done = 0; done < picks; done += BLOCK / 2) {
      words.fill(block);
      const end = Math.min(BLOCK / 2, picks - done);
      for (let k = 0; k < end; k++) {
        const i = (block[2 * k] * n * INV_2_32) | 0;
        counts[block[2 * k + 1] < threshold[i] ? i : alias[i]]++;
      }
    }
    return counts;
  }

  return { pickInto, pick, count };
}
