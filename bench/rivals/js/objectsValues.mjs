// Words, random values and what they add to columns, for the objects of affixes.mjs.

import { Words } from "./words.mjs";

const INV_2_32 = 2 ** -32;
const BLOCK = 4096;
const MOST_BONUS_LEVEL = 127;
/** A minimum that is none. */
export const NO_LEAST = -(2 ** 31);
/** Modifiers and pvals stay within this, either way. */
export const MOST = 32_767;

/** Column `field` of rows of so many numbers. */
export function fieldOf(numbers, width, field, Column = Int16Array) {
  return Column.from({ length: numbers.length / width }, (_, row) => numbers[row * width + field]);
}

/** The draws over tables of inputs/objectsTables.mjs; `addPvals` writes to the column of pvals. */
export function jsValues(tables, pvals) {
  const pvalCount = tables.sizes[4];

  // ── words ──

  const words = new Words(6);
  const block = new Uint32Array(BLOCK);
  let at = BLOCK;

  function next() {
    if (at === BLOCK) {
      words.fill(block);
      at = 0;
    }
    return block[at++];
  }

  function below(m) {
    return (next() * m * INV_2_32) | 0;
  }

  // ── random values ──

  const value = (field, Column) => fieldOf(tables.values, 6, field, Column);
  const [base, valueDice, valueSides, most, sign] = [value(0), value(1), value(2), value(3), value(5)];
  const bonusAt = value(4, Int32Array);
  const bonuses = Int32Array.from(tables.bonuses);

  function bonus(table, max, depth) {
    const x = next() >>> 1;
    const first = table + Math.min(depth, MOST_BONUS_LEVEL) * max;
    let v = 0;
    while (v < max && bonuses[first + v] <= x) v++;
    return v;
  }

  function randomValue(v, depth) {
    const n = valueDice[v];
    const max = most[v];
    if ((n | max) === 0) return base[v];
    let rest = n;
    const faces = valueSides[v];
    for (let i = 0; i < n; i++) rest += below(faces);
    if (max > 0) rest += bonus(bonusAt[v], max, depth);
    return base[v] + sign[v] * rest;
  }

  function within(v) {
    return v > MOST ? MOST : Math.max(v, -MOST);
  }

  function raised(now, value, least) {
    if (least === NO_LEAST) return within(now + value);
    const sum = now + Math.max(value, least);
    return within(Math.max(sum, least));
  }

  // ── pvals ──

  const lists = Int16Array.from(tables.lists);
  const pvalLine = (field, Column) => fieldOf(tables.pvalLines, 4, field, Column);
  const [lineValue, lineList, lineLength] = [pvalLine(0), pvalLine(2), pvalLine(3)];
  const lineLeast = pvalLine(1, Int32Array);

  function addPvals(k, first, count, depth) {
    const own = k * pvalCount;
    for (let line = first; line < first + count; line++) {
      const rolled = randomValue(lineValue[line], depth);
      const least = lineLeast[line];
      const list = lineList[line];
      for (let i = list; i < list + lineLength[line]; i++) {
        const p = own + lists[i];
        pvals[p] = raised(pvals[p], rolled, least);
      }
    }
  }

  /** Whether a value of an affix changes anything, with a minimum. */
  function changes(v, least) {
    return least !== NO_LEAST || base[v] !== 0 || valueDice[v] > 0 || most[v] > 0;
  }

  return { below, bonus, randomValue, within, raised, addPvals, changes, lists };
}
