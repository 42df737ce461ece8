// The tables of the rolls. They are read by the short reader below, so that the rivals do not depend on the library's
// reader.

import { existsSync, readFileSync } from "node:fs";
import { weightsOf } from "./weights.mjs";

const SHARED = new URL("../../../shared/data/drdt/", import.meta.url);

/** The example table of the format's description, as the text of a file. */
export const SEED_TABLE = `2DA V2.0

      Label Random0 Random0Weight Random1 Random1Weight Random2 Random2Weight Random3 Random3Weight Random4 Random4Weight
0     Start r0      10            r1      25            r2      100           1       25            2       2
1     Set1  r4      s1            r5      s2            r6      25            ****    ****          ****    ****
2     Set2  r10     s1            0       10            ****    ****          ****    ****          ****    ****
`;

/** The weight of every script. The scripts of rig_root_r are one-shots, whose weight is 100 until their column wins. */
export const SCRIPT_WEIGHT = 100;

/** A table of 256 rows in which half of the entries jump to a later row. Only comparisons of two checkouts use it. */
export function largeTable() {
  const [rows, pairs] = [256, 16];
  const heads = Array.from({ length: pairs }, (_, pair) => `Random${pair} Random${pair}Weight`);
  const weights = weightsOf(rows * pairs);
  const lines = Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: pairs }, (_, pair) => {
      const target = row + 1 + ((7 * pair + 3 * row) % 64);
      const isJump = pair % 2 === 1 && target < rows;
      return `${isJump ? target : `r${(row * pairs + pair) % 1000}`} ${weights[row * pairs + pair]}`;
    });
    return `${row} Row${row} ${cells.join(" ")}`;
  });
  return `2DA V2.0\n\nLabel ${heads.join(" ")}\n${lines.join("\n")}\n`;
}

/**
 * A table of 1,000 rows of ten columns for exact odds. Without `loops`, six columns in ten jump to one of the next ten
 * rows; with it, eight in ten jump to any row, so that all rows are in one group. The others have one of 50 results.
 */
export function oddsTable({ loops }) {
  const [rows, columns] = [1000, 10];
  const weights = weightsOf(rows * columns);
  const cell = (row, column) => {
    const k = row * columns + column;
    const weight = 1 + (weights[k] % 100);
    const isJump = column < (loops ? 8 : 6) && (loops || row < rows - columns);
    if (!isJump) return { result: `r${(k * 7) % 50}`, weight };
    return {
      jump: loops ? (row + 1 + ((k * k) % (rows - 1)) * (column === 0 ? 0 : 1)) % rows : row + 1 + column,
      weight,
    };
  };
  return {
    rows: Array.from({ length: rows }, (_, row) => ({
      columns: Array.from({ length: columns }, (_, column) => cell(row, column)),
    })),
  };
}

/** The text of a real table from the folder next to the project; null if the folder is absent. */
export function sharedTable(name) {
  const file = new URL(`${name}.2da`, SHARED);
  return existsSync(file) ? readFileSync(file, "utf8") : null;
}

/**
 * Reads a table with constant weights: {rows, results, start}. A row is a list of {weight, target}; a target ≥ 0 is a
 * row, and −1 − i is result i of the distinct results. The pairs of a row are read in column order up to the first
 * missing value. Quotes and blank rows are not supported, because the tables of the bench have none.
 */
export function freeze(text, weightOf) {
  const [, , , ...lines] = text.split(/\r?\n/);
  const results = [];
  const resultId = (result) => {
    if (!results.includes(result)) results.push(result);
    return results.indexOf(result);
  };
  const rows = lines.filter(Boolean).map((line) => {
    const cells = line.trim().split(/\s+/).slice(2);
    const end = cells.indexOf("****");
    const pairs = end < 0 ? cells : cells.slice(0, end - (end % 2));
    return Array.from({ length: pairs.length / 2 }, (_, pair) => {
      const [random, weight] = pairs.slice(2 * pair);
      return {
        weight: weight.startsWith("s") ? weightOf(Number(weight.slice(1))) : Number(weight),
        target: random.startsWith("r") ? -1 - resultId(random.slice(1)) : Number(random),
      };
    });
  });
  return { rows, results, start: 0 };
}

/** The probability of each result, then of no result. Moves probability from row to row until at most 10⁻¹⁵ is left. */
export function resultLaw({ rows, results, start }) {
  const law = new Array(results.length + 1).fill(0);
  let mass = new Map([[start, 1]]);
  while ([...mass.values()].reduce((sum, p) => sum + p, 0) > 1e-15) {
    const next = new Map();
    for (const [row, p] of mass) {
      const total = rows[row].reduce((sum, { weight }) => sum + weight, 0);
      if (total === 0) law[results.length] += p;
      for (const { weight, target } of total === 0 ? [] : rows[row]) {
        const share = (p * weight) / total;
        if (target < 0) law[-1 - target] += share;
        else next.set(target, (next.get(target) ?? 0) + share);
      }
    }
    mass = next;
  }
  return law;
}

/** Returns the line of numbers that c/rolls.c loads a table from. */
export function loadLine({ rows, results, start }) {
  const columns = rows.map((row) => [row.length, ...row.flatMap(({ weight, target }) => [weight, target])]);
  return [start, rows.length, results.length, ...columns.flat()].join(" ");
}
