// Table rolls in typed arrays. One array has the cumulative weights of all rows. Each row is searched from its first
// weight.

import { Words } from "./words.mjs";

const INV_2_32 = 2 ** -32;
const BLOCK = 4096;

/** {rollInto(out), roll(), count(n)} for a table of inputs/tables.mjs. The id results.length means no result. */
export function jsRolls({ rows, results, start }, seed = 2) {
  const columns = rows.flat();
  const first = new Uint32Array(rows.length);
  const totals = new Uint32Array(rows.length);
  const cumulative = new Uint32Array(columns.length);
  const target = Int32Array.from(columns, ({ target }) => target);
  const dead = results.length;
  let next = 0;
  for (const [r, row] of rows.entries()) {
    first[r] = next;
    for (const { weight } of row) cumulative[next++] = totals[r] += weight;
  }

  const words = new Words(seed);
  const block = new Uint32Array(BLOCK);
  let at = BLOCK;

  function rollId() {
    let row = start;
    for (;;) {
      if (totals[row] === 0) return dead;
      if (at === BLOCK) {
        words.fill(block);
        at = 0;
      }
      // u32 · total is exact below 2⁵³; the bias of the multiply-shift is total / 2³² at most.
      const r = (block[at++] * totals[row] * INV_2_32) >>> 0;
      let c = first[row];
      while (cumulative[c] <= r) c++;
      const to = target[c];
      if (to < 0) return -1 - to;
      row = to;
    }
  }

  return {
    rollInto(out) {
      for (let k = 0; k < out.length; k++) out[k] = rollId();
    },
    roll() {
      const id = rollId();
      return id === dead ? null : results[id];
    },
    count(n) {
      const counts = new Uint32Array(dead + 1);
      for (let k = 0; k < n; k++) counts[rollId()]++;
      return counts;
    },
  };
}
