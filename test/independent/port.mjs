// written from docs/determinism.md alone
//
// A second implementation of stream version 1, by a reader who had seen nothing else of the project. It is slow and plain on purpose: BigInt wherever a number may pass 32 bits, no caches, no imports.

const TWO_32 = 2n ** 32n;
const LOW_32 = TWO_32 - 1n;

// ---- 1. From a seed to a key ----

export function keyOf(seedText) {
  const text = String(seedText);
  const k = [];
  let smear = 0;
  for (let j = 0; j < text.length; j++) {
    const p = j % 256;
    if (k[p] !== undefined) smear ^= 19 * k[p];
    k[p] = (smear + text.charCodeAt(j)) % 256;
  }
  if (text.length === 0) k.push(0);

  const s = Array.from({ length: 256 }, (_, i) => i);
  const swap = (a, b) => {
    const old = s[a];
    s[a] = s[b];
    s[b] = old;
  };
  let j = 0;
  for (let i = 0; i < 256; i++) {
    j = (j + k[i % k.length] + s[i]) % 256;
    swap(i, j);
  }

  let i = 0;
  j = 0;
  const nextByte = () => {
    i = (i + 1) % 256;
    j = (j + s[i]) % 256;
    swap(i, j);
    return s[(s[i] + s[j]) % 256];
  };
  for (let dropped = 0; dropped < 256; dropped++) nextByte();
  const nextWord = () => {
    let value = 0;
    for (let n = 0; n < 4; n++) value = value * 256 + nextByte();
    return value;
  };
  const high = nextWord();
  const low = nextWord();
  return [high, low];
}

// ---- 2. From a name to a purpose ----

export function purposeOf(name) {
  let h = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(name)) h = Math.imul(h ^ byte, 0x01000193) >>> 0;
  return h;
}

// ---- 3. Words ----

/** Philox4x32-10: two key words and four counter words in, four words out, all as bigints. */
function philox(key, counter) {
  let [k0, k1] = key.map(BigInt);
  let [c0, c1, c2, c3] = counter.map(BigInt);
  for (let round = 0; round < 10; round++) {
    const p = 0xd2511f53n * c0;
    const q = 0xcd9e8d57n * c2;
    [c0, c1, c2, c3] = [(q >> 32n) ^ c1 ^ k0, q & LOW_32, (p >> 32n) ^ c3 ^ k1, p & LOW_32];
    k0 = (k0 + 0x9e3779b9n) & LOW_32;
    k1 = (k1 + 0xbb67ae85n) & LOW_32;
  }
  return [c0, c1, c2, c3];
}

const rotl = (x, n) => ((x << n) | (x >>> (32 - n))) >>> 0;

/** Output number `n` (from 0) of the xoshiro128++ that starts in `state`. */
function xoshiroOutput(state, n) {
  let [s0, s1, s2, s3] = state;
  for (let i = 0; ; i++) {
    const output = (rotl((s0 + s3) >>> 0, 7) + s0) >>> 0;
    if (i === n) return output;
    const t = (s1 << 9) >>> 0;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = rotl(s3, 11);
  }
}

export function word(key, purpose, plane, index) {
  const at = BigInt(index);
  const block = at / 1024n;
  const o = Number(at % 1024n);
  let state = philox(key, [o % 4, block, plane, purpose]).map(Number);
  if (state.every((s) => s === 0)) state = [1, 2, 3, 4];
  return xoshiroOutput(state, Math.floor(o / 4));
}

export function extra(key, purpose, plane, index, i) {
  const at = BigInt(index);
  const c0 = 4n + BigInt(Math.floor(i / 4)) + 2n ** 16n * (at / TWO_32);
  return Number(philox(key, [c0, at % TWO_32, plane, purpose])[i % 4]);
}

// ---- 4. From words to integers ----

/** The extra words of one address, each handed out once. */
function extrasOf(key, purpose, plane, index) {
  let used = 0;
  return () => extra(key, purpose, plane, index, used++);
}

/** Uniform on 0 … m−1, from extra words alone. */
function fromExtras(next, m) {
  for (;;) {
    const product = BigInt(next()) * m;
    if (product % TWO_32 >= TWO_32 % m) return product / TWO_32;
  }
}

function belowBy(w, next, m) {
  const product = BigInt(w) * m;
  if ((product % TWO_32) + m - 1n < TWO_32) return product / TWO_32;
  return (product + fromExtras(next, m)) / TWO_32;
}

export function below(key, purpose, plane, index, m) {
  return Number(belowBy(word(key, purpose, plane, index), extrasOf(key, purpose, plane, index), BigInt(m)));
}

const sum = (weights) => weights.reduce((total, w) => total + w, 0n);

/** Number weights by their shortest decimal form, times the least power of ten that makes all of them integers. */
export function integerWeights(weights) {
  const parsed = Array.from(weights, (weight) => {
    const [mantissa, exponent = "0"] = String(weight).split("e");
    const [whole, fraction = ""] = mantissa.split(".");
    return { digits: BigInt(whole + fraction), places: fraction.length - Number(exponent) };
  });
  const most = parsed.reduce((places, p) => Math.max(places, p.places), 0);
  return parsed.map((p) => p.digits * 10n ** BigInt(most - p.places));
}

function prefixBy(w, next, weights) {
  const v = belowBy(w, next, sum(weights));
  let reached = 0n;
  return weights.findIndex((weight) => {
    reached += weight;
    return reached > v;
  });
}

export function prefixPick(key, purpose, plane, index, weights) {
  return prefixBy(word(key, purpose, plane, index), extrasOf(key, purpose, plane, index), integerWeights(weights));
}

export function buildAlias(weights) {
  const w = integerWeights(weights);
  const total = sum(w);
  let k = 0;
  while (2 ** k < w.length) k++;
  const size = 2 ** k;
  const s = Array.from({ length: size }, (_, i) => BigInt(size) * (w[i] ?? 0n));
  const threshold = new Array(size).fill(total);
  const alias = Array.from({ length: size }, (_, i) => i);

  const small = [];
  const large = [];
  for (let i = 0; i < size; i++) (s[i] < total ? small : large).push(i);
  while (small.length > 0 && large.length > 0) {
    const i = small.pop();
    const j = large[large.length - 1];
    threshold[i] = s[i];
    alias[i] = j;
    s[j] -= total - s[i];
    if (s[j] < total) small.push(large.pop());
  }
  return { k, total, threshold, alias };
}

export function aliasPick(key, purpose, plane, index, { k, total, threshold, alias }) {
  if (k === 0) return 0;
  const w = BigInt(word(key, purpose, plane, index));
  const low = 2n ** BigInt(32 - k);
  const c = Number(w / low);
  const f = w % low;
  const scaled = threshold[c] * low;
  const q = scaled / total;
  if (f < q) return c;
  if (f > q) return alias[c];
  const v = fromExtras(extrasOf(key, purpose, plane, index), total);
  return v < scaled % total ? c : alias[c];
}

// ---- 5. What each system reads ----

export function rollTable(key, purpose, index, rows, startRow) {
  let row = startRow;
  for (let h = 0; ; h++) {
    const weights = rows[row].map((entry) => entry.weight);
    if (sum(integerWeights(weights)) === 0n) return null;
    const entry = rows[row][prefixPick(key, purpose, h, index, weights)];
    if (entry.jump === undefined) return entry.result;
    row = entry.jump;
  }
}

const DIRECTIONS = [
  [-1, 0],
  [-1, 1],
  [0, 1],
  [1, 0],
  [1, -1],
  [0, -1],
];

/** Where walker `w` starts: `start` is a list of cells, a rectangle {row, col, rows, cols}, or {visited}, the sorted records of an earlier layer. */
function startCell(key, layerName, start, w) {
  if (Array.isArray(start)) return start[w % start.length];
  const purpose = purposeOf(`${layerName}/start`);
  if (start.visited !== undefined) {
    const cell = start.visited[below(key, purpose, 0, w, start.visited.length)];
    return [cell.row, cell.col];
  }
  return [start.row + below(key, purpose, 0, w, start.rows), start.col + below(key, purpose, 1, w, start.cols)];
}

/**
 * Walks every walker of a layer. `absolute` and `relative` are lists of six weights, by direction number and by turn number; `heading` is a direction number or "rest".
 * The grid is unbounded; `closed(row, col)`, when given, closes cells.
 */
export function walkEnds(
  key,
  layerName,
  { absolute, relative, walkers, steps, heading = "rest", start = [[0, 0]], closed = () => false },
) {
  const layer = purposeOf(layerName);
  const abs = integerWeights(absolute);
  const rel = integerWeights(relative);
  const combined = (d) => (d === "rest" ? abs : abs.map((a, c) => a * rel[(c - d + 6) % 6]));

  const visits = new Map();
  const visit = (row, col) => {
    const name = `${row},${col}`;
    const cell = visits.get(name) ?? { row, col, visits: 0 };
    cell.visits = Math.min(cell.visits + 1, 2 ** 32 - 1);
    visits.set(name, cell);
  };

  const ends = [];
  for (let w = 0; w < walkers; w++) {
    let [row, col] = startCell(key, layerName, start, w);
    let d = heading;
    visit(row, col);
    for (let t = 0; t < steps; t++) {
      const next = extrasOf(key, layer, w, t);
      const law = combined(d);
      const isOpen = DIRECTIONS.map(([dr, dc]) => !closed(row + dr, col + dc));
      let to = prefixBy(word(key, layer, w, t), next, sum(law) > 0n ? law : abs);
      if (!isOpen[to]) {
        const overOpen = (weights) => weights.map((weight, c) => (isOpen[c] ? weight : 0n));
        const left = [overOpen(law), overOpen(abs)].find((weights) => sum(weights) > 0n);
        to = left === undefined ? "rest" : prefixBy(next(), next, left);
      }
      d = to;
      if (d !== "rest") {
        row += DIRECTIONS[d][0];
        col += DIRECTIONS[d][1];
      }
      visit(row, col);
    }
    ends.push({ row, col, heading: d });
  }
  const cells = [...visits.values()].sort((a, b) => a.row - b.row || a.col - b.col);
  return { cells, ends };
}

/** The bytes that the digest of a map is the SHA-256 of. */
export function mapBytes(cells) {
  const bytes = new DataView(new ArrayBuffer(12 * cells.length));
  cells.forEach((cell, i) => {
    bytes.setInt32(12 * i, cell.row, true);
    bytes.setInt32(12 * i + 4, cell.col, true);
    bytes.setUint32(12 * i + 8, cell.visits, true);
  });
  return new Uint8Array(bytes.buffer);
}
