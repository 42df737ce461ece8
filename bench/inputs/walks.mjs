// The input of every walk contender, and the exact law that each must follow before it is timed.

/** NW, NE, E, SE, SW, W in axial (row, column). */
export const ROW_STEP = [-1, -1, 0, 1, 1, 0];
export const COLUMN_STEP = [0, 1, 1, 0, -1, -1];

/** The heading of a walker that has not moved. */
export const RESTING = 6;

/** The same weight for every direction and heading. Contenders must not use this; their code works for every tensor. */
export const UNIFORM = { absolute: [1, 1, 1, 1, 1, 1], relative: [1, 1, 1, 1, 1, 1] };

/** The probability of each end cell "row,col" of a uniform walk from 0,0, by dynamic programming over all paths. */
export function uniformEnds(steps) {
  let law = new Map([["0,0", 1]]);
  for (let t = 0; t < steps; t++) {
    const next = new Map();
    for (const [cell, p] of law) {
      const [row, column] = cell.split(",").map(Number);
      for (let d = 0; d < 6; d++) {
        const to = `${row + ROW_STEP[d]},${column + COLUMN_STEP[d]}`;
        next.set(to, (next.get(to) ?? 0) + p / 6);
      }
    }
    law = next;
  }
  return law;
}
