// written from docs/determinism.md alone
//
// A second implementation of stream version 2, by readers who had seen nothing else of the project. It is slow and
// plain on purpose: BigInt wherever a number may pass 32 bits, no caches, no imports.

const TWO_32 = 2n ** 32n;

// ---- 1. Philox and folds ----

/** The upper half of the 64 bits of a product: the parts of the sum stay below 2^53. */
const high = (a, b) => Math.floor(((a >>> 16) * b + Math.floor(((a & 0xffff) * b) / 2 ** 16)) / 2 ** 16);
const low = (a, b) => Math.imul(a, b) >>> 0;

/** Philox4x32-10: two key words and four counter words in, four words out. */
function philox(key, counter) {
  let [k0, k1] = key;
  let [c0, c1, c2, c3] = counter.map(Number);
  for (let round = 0; round < 10; round++) {
    const [p, q] = [high(0xd2511f53, c0), high(0xcd9e8d57, c2)];
    [c0, c1, c2, c3] = [(q ^ c1 ^ k0) >>> 0, low(0xcd9e8d57, c2), (p ^ c3 ^ k1) >>> 0, low(0xd2511f53, c0)];
    k0 = (k0 + 0x9e3779b9) >>> 0;
    k1 = (k1 + 0xbb67ae85) >>> 0;
  }
  return [c0, c1, c2, c3];
}

/** A key, some bytes (a Uint8Array) and a tag in, a new key out. */
export function fold(key, bytes, tag) {
  const chunks = Math.max(1, Math.ceil(bytes.length / 8));
  const padded = new DataView(new ArrayBuffer(8 * chunks));
  bytes.forEach((byte, i) => {
    padded.setUint8(i, byte);
  });
  let [k0, k1] = key;
  for (let i = 0; i < chunks; i++) {
    const counter = [padded.getUint32(8 * i, true), padded.getUint32(8 * i + 4, true), i, tag];
    [k0, k1] = philox([(k0 ^ 0x5851f42d) >>> 0, (k1 ^ 0x4c957f2d) >>> 0], counter);
  }
  return [k0, k1];
}

// ---- 2. Keys: from a seed and a name to a stream ----

const utf8 = (text) => new TextEncoder().encode(text);

/** The key of a mill. */
export function keyOf(seed) {
  const seedBytes = utf8(String(seed));
  const codes = [...utf8(`${seedBytes.length}:`), ...seedBytes];
  const k = [];
  let smear = 0;
  codes.forEach((code, j) => {
    const p = j % 256;
    if (k[p] !== undefined) smear ^= 19 * k[p];
    k[p] = (smear + code) % 256;
  });

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
  const g0 = nextWord();
  const g1 = nextWord();
  return fold([g0, g1], seedBytes, seedBytes.length);
}

/** The key of a name under the key of a mill. */
export function nameKey(millKey, name) {
  const bytes = utf8(name);
  return fold(millKey, bytes, bytes.length);
}

function integerBytes(integer) {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigInt64(0, BigInt(integer), true);
  return new Uint8Array(view.buffer);
}

/** The key of a layer's starts. */
export function startsKey(layerKey) {
  return fold(layerKey, integerBytes(1), 2 ** 31 + 3);
}

/** The key of a child: the id is a text, an integer (a number or a bigint) or a pair [integer, integer]. */
export function forkKey(key, id) {
  if (typeof id === "string") {
    const bytes = utf8(id);
    return fold(key, bytes, 2 ** 30 + bytes.length);
  }
  if (!Array.isArray(id)) return fold(key, integerBytes(id), 2 ** 31 + 1);
  const view = new DataView(new ArrayBuffer(8));
  view.setInt32(0, id[0], true);
  view.setInt32(4, id[1], true);
  return fold(key, new Uint8Array(view.buffer), 2 ** 31 + 2);
}

/** The key of a name under a seed. Forks the mill by each of `millForks`, then the name's key by each of `forks`. */
export function streamKey(seed, name, forks = [], millForks = []) {
  return forks.reduce(forkKey, nameKey(millForks.reduce(forkKey, keyOf(seed)), name));
}

// ---- 3. Words ----

const rotl = (x, n) => ((x << n) | (x >>> (32 - n))) >>> 0;

/** The first `count` outputs of lane `lane` of a block. */
function laneOutputs(key, plane, block, lane, count) {
  const plane64 = BigInt(plane);
  let [s0, s1, s2, s3] = philox(key, [lane, block, plane64 % TWO_32, plane64 / TWO_32]);
  if ((s0 | s1 | s2 | s3) === 0) [s0, s1, s2, s3] = [1, 2, 3, 4];
  const outputs = [];
  for (let i = 0; i < count; i++) {
    outputs.push((rotl((s0 + s3) >>> 0, 7) + s0) >>> 0);
    const t = (s1 << 9) >>> 0;
    s2 ^= s0;
    s3 ^= s1;
    s1 ^= s2;
    s0 ^= s3;
    s2 ^= t;
    s3 = rotl(s3, 11);
  }
  return outputs;
}

export function word(key, plane, index) {
  const at = BigInt(index);
  const o = Number(at % 1024n);
  return laneOutputs(key, plane, at / 1024n, o % 4, Math.floor(o / 4) + 1).at(-1);
}

/** All 1,024 words of a block. */
export function blockWords(key, plane, block) {
  const lanes = [0, 1, 2, 3].map((lane) => laneOutputs(key, plane, block, lane, 256));
  return Array.from({ length: 1024 }, (_, o) => lanes[o % 4][Math.floor(o / 4)]);
}

export function extra(key, plane, index, i) {
  const at = BigInt(index);
  const plane64 = BigInt(plane);
  const c0 = 4n + BigInt(Math.floor(i / 4)) + 2n ** 16n * (at / TWO_32);
  return philox(key, [c0, at % TWO_32, plane64 % TWO_32, plane64 / TWO_32])[i % 4];
}

// ---- 4. From words to integers ----

/** The extra words of one address, each handed out once. */
export function extrasOf(key, plane, index) {
  let used = 0;
  return () => extra(key, plane, index, used++);
}

/** Uniform on 0 … m−1, from extra words alone. */
function fromExtras(next, m) {
  for (;;) {
    const product = BigInt(next()) * m;
    if (product % TWO_32 >= TWO_32 % m) return product / TWO_32;
  }
}

export function belowBy(w, next, m) {
  const product = BigInt(w) * m;
  if ((product % TWO_32) + m - 1n < TWO_32) return product / TWO_32;
  return (product + fromExtras(next, m)) / TWO_32;
}

export function below(key, plane, index, m) {
  return Number(belowBy(word(key, plane, index), extrasOf(key, plane, index), BigInt(m)));
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

export function prefixBy(w, next, weights) {
  const v = belowBy(w, next, sum(weights));
  let reached = 0n;
  return weights.findIndex((weight) => {
    reached += weight;
    return reached > v;
  });
}

export function prefixPick(key, plane, index, weights) {
  return prefixBy(word(key, plane, index), extrasOf(key, plane, index), integerWeights(weights));
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

export function aliasBy(w32, next, { k, total, threshold, alias }) {
  if (k === 0) return 0;
  const w = BigInt(w32);
  const low = 2n ** BigInt(32 - k);
  const c = Number(w / low);
  const f = w % low;
  const scaled = threshold[c] * low;
  const q = scaled / total;
  if (f < q) return c;
  if (f > q) return alias[c];
  const v = fromExtras(next, total);
  return v < scaled % total ? c : alias[c];
}

export function aliasPick(key, plane, index, table) {
  return aliasBy(word(key, plane, index), extrasOf(key, plane, index), table);
}

// ---- 5. What each system reads ----

/** Roll k of `count` dice of `sides` sides, plus `plus`. */
export function rollDice(key, index, dice) {
  return rollQuantity(key, index, dice, 0);
}

/** Sample k: `size` of the items 0 … n − 1. */
export function drawSample(key, k, n, size) {
  const order = Array.from({ length: n }, (_, i) => i);
  return Array.from({ length: size }, (_, i) => {
    const j = i + below(key, k, i, n - i);
    [order[i], order[j]] = [order[j], order[i]];
    return order[i];
  });
}

/** A sum of dice: plane 0 is the first die of dice, 1 that of a list, and 2^32 that of a table. */
export function rollQuantity(key, index, { count, sides, plus }, firstPlane) {
  let value = plus;
  for (let j = 0; j < count; j++) value += 1 + below(key, firstPlane + j, index, sides);
  return value;
}

/**
 * Drop k: `always` are amounts, `rolls` is the amount of rolls, `roll(key)` rolls the table on a stream. The result is a list of
 * the quantities of the fixed results, then what the rolls give.
 */
export function makeDrop(key, index, { always, rolls, roll }) {
  const fixed = always.map((amount, e) => rollQuantity(key, index, amount, 2 ** 34 + 2 ** 20 * e));
  const number = rollQuantity(key, index, rolls, 2 ** 33);
  const rolled = Array.from({ length: number }, (_, i) => roll(forkKey(key, i)));
  return [...fixed, ...rolled.filter((result) => result !== null)];
}

export function rollTable(key, index, rows, startRow) {
  let row = startRow;
  for (let h = 0; ; h++) {
    const weights = rows[row].map((entry) => entry.weight);
    if (sum(integerWeights(weights)) === 0n) return null;
    const entry = rows[row][prefixPick(key, h, index, weights)];
    if (entry.jump === undefined) return entry.result;
    row = entry.jump;
  }
}

/** The steps (row, column) in the directions NW, NE, E, SE, SW, W. */
export const DIRECTIONS = [
  [-1, 0],
  [-1, 1],
  [0, 1],
  [1, 0],
  [1, -1],
  [0, -1],
];

/**
 * Where walker `w` starts: `start` is a list of cells, a rectangle {row, col, rows, cols}, or {visited}, the sorted
 * records of an earlier layer. The cells that `closed(row, col)` closes are no starts; at most 2^32 are open.
 */
function startCell(layerKey, start, w, closed) {
  const isOpen = ([row, col]) => !closed(row, col);
  if (Array.isArray(start)) {
    const open = start.filter(isOpen);
    return open[w % open.length];
  }
  const key = startsKey(layerKey);
  const region = () => start.visited?.map(({ row, col }) => [row, col]) ?? rectangleCells(start);
  const first =
    start.visited === undefined
      ? [start.row + below(key, 0, w, start.rows), start.col + below(key, 1, w, start.cols)]
      : region()[below(key, 0, w, start.visited.length)];
  if (isOpen(first)) return first;
  const open = region().filter(isOpen);
  return open[below(key, 2, w, open.length)];
}

function rectangleCells({ row, col, rows, cols }) {
  return Array.from({ length: rows * cols }, (_, i) => [row + Math.floor(i / cols), col + (i % cols)]);
}

/**
 * Walks every walker of a layer, whose key `key` is. `absolute` and `relative` are lists of six weights, by direction
 * number and by turn number; `headings` are direction numbers or "rest". The grid is unbounded, or the torus
 * {rows, cols, oddR}; `closed(row, col)`, when given, closes cells, and `ends(row, col)` ends walkers. `slope` has the
 * factor(from, to) of a neighbour, and whether a stuck walker `rests`. A walker that ended stuck is marked as such.
 */
export function walkEnds(
  key,
  {
    absolute,
    relative,
    walkers,
    steps,
    headings = ["rest"],
    start = [[0, 0]],
    closed = () => false,
    ends: endsOn = () => false,
    torus,
    slope = { factor: () => 1, rests: true },
  },
) {
  const abs = integerWeights(absolute);
  const rel = integerWeights(relative);
  const combined = (d) => (d === "rest" ? abs : abs.map((a, c) => a * rel[(c - d + 6) % 6]));

  const visits = new Map();
  const visit = (row, col, step) => {
    const name = `${row},${col}`;
    const cell = visits.get(name) ?? { row, col, visits: 0, firstVisit: step };
    cell.visits = Math.min(cell.visits + 1, 2 ** 32 - 1);
    cell.firstVisit = Math.min(cell.firstVisit, step);
    visits.set(name, cell);
  };

  const ends = [];
  for (let w = 0; w < walkers; w++) {
    let [row, col] = startCell(key, start, w, closed);
    let d = headings[w % headings.length];
    let stuck = false;
    visit(row, col, 0);
    for (let t = 0; t < steps && !endsOn(row, col); t++) {
      const next = extrasOf(key, w, t);
      const targets = DIRECTIONS.map((direction) => neighbour(torus, [row, col], direction));
      const factors = targets.map((cell) => BigInt(slope.factor([row, col], cell)));
      const laws = [combined(d), abs].map((weights) => weights.map((weight, c) => weight * factors[c]));
      const pick = (lists, w32) => {
        const weights = lists.find((list) => sum(list) > 0n);
        return weights === undefined ? "rest" : prefixBy(w32(), next, weights);
      };
      let to = pick(laws, () => word(key, w, t));
      if (to !== "rest" && closed(...targets[to])) {
        const isOpen = targets.map((cell) => !closed(...cell));
        const overOpen = laws.map((weights) => weights.map((weight, c) => (isOpen[c] ? weight : 0n)));
        to = pick(overOpen, next);
      }
      stuck = to === "rest" && !slope.rests;
      if (stuck) break;
      d = to;
      if (d !== "rest") [row, col] = targets[d];
      visit(row, col, t + 1);
    }
    ends.push({ row, col, heading: d, ...(stuck && { stuck }) });
  }
  const cells = [...visits.values()].sort((a, b) => a.row - b.row || a.col - b.col);
  return { cells, ends };
}

/**
 * Walks the walkers of region `region` = [i, j] of a scattered layer, whose key `key` is. The start is any cell of the
 * region, or one of the cells in `visited`, the sorted records of an earlier layer. Without an open start cell the region
 * has no walkers.
 */
export function walkRegion(key, region, { side, visited, closed = () => false, ...layer }) {
  const [row, col] = region.map((place) => place * side);
  const isWithin = (cell) => cell.row >= row && cell.row < row + side && cell.col >= col && cell.col < col + side;
  const square = { row, col, rows: side, cols: side };
  const start = visited === undefined ? square : { visited: visited.filter(isWithin) };
  const cells = visited === undefined ? rectangleCells(square) : start.visited.map((cell) => [cell.row, cell.col]);
  if (cells.every((cell) => closed(...cell))) return { cells: [], ends: [] };
  return walkEnds(forkKey(key, region), { ...layer, start, closed });
}

/** The cell in a direction. A torus wraps; its cells may be in odd-r coordinates. */
function neighbour(torus, [row, col], [dr, dq]) {
  const toRow = row + dr;
  const shift = torus?.oddR ? Math.floor(toRow / 2) - Math.floor(row / 2) : 0;
  const toCol = col + dq + shift;
  if (torus === undefined) return [toRow, toCol];
  return [(toRow + torus.rows) % torus.rows, (toCol + torus.cols) % torus.cols];
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

/** Integers in the same proportions, without a common divisor. */
function smallest(integers) {
  const divisor = integers.reduce(function gcd(a, b) {
    return b === 0n ? a : gcd(b, a % b);
  });
  return integers.map((integer) => integer / divisor);
}

/** Whether a roll reaches {atLeast} or {above} under a power. */
function reaches(roll, { atLeast, above }, power) {
  const [p, threshold] = integerWeights([power, atLeast ?? above]);
  return atLeast === undefined ? BigInt(roll) * p > threshold : BigInt(roll) * p >= threshold;
}

/**
 * The rows and the stats of an item, without requests: a recipe of slots with chances, conditions and ladders, whose
 * stats are integers and which has no tiers, specials and clamps. Rows may have a column `weight`.
 */
export function makeItem(key, { stats: names, strength, steps }, tables, index, power = 1) {
  const stats = Object.fromEntries(names.map(({ name }) => [name, 0]));
  const words = [];
  const addAll = (columns) => {
    for (const name of names.map((stat) => stat.name)) stats[name] += columns[name] ?? 0;
  };
  steps.forEach((step, s) => {
    let d = 0;
    const decide = (m) => below(key, 16 * s + d++, index, m);
    const isReached = (chance) => chance === undefined || reaches(decide(101), chance, power);
    if (step.kind === "slots") {
      const isOpen = isReached(step.chance);
      for (const { table, chance, strength: gain } of step.slots) {
        const isFilled = isReached(chance) && isOpen;
        const rows = [...tables[table]].sort((a, b) => a.id - b.id);
        const weights = smallest(integerWeights(rows.map(({ weight = 1 }) => weight)));
        let x = BigInt(decide(Number(weights.reduce((sum, weight) => sum + weight, 0n))));
        const row = rows.find((_, i) => {
          x -= weights[i];
          return x < 0n;
        });
        if (!isFilled) continue;
        words.push(row.word);
        addAll(row);
        addAll({ [strength]: gain });
      }
    } else if (step.kind === "condition") {
      const a = stats[step.stat];
      const [share, one] = integerWeights([step.share, 1]);
      const m = (2n * BigInt(Math.abs(a)) * share + one) / (2n * one);
      const c = decide(Number(m) + 1) * Math.sign(a);
      const isDoubled = isReached(step.doubled);
      const isUp = isReached(step.up);
      if (isDoubled) stats[step.stat] = 2 * a;
      else stats[step.stat] = isUp ? a + c : a - c;
    } else if (isReached(step.chance)) {
      const roll = 1 + decide(step.sides);
      const rung = step.ladder.find(({ atLeast }) => atLeast === undefined || roll >= atLeast);
      words.push(rung.text);
      addAll(rung.add);
    }
  });
  return { words, stats };
}
