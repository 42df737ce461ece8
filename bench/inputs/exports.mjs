// The map that is written to files: visits of walkers on a torus, and a terrain for each range of visits.

import { LAND } from "./worlds.mjs";

/** Cells along each side of the job that is exported. */
export const EXPORTED_SIDE = 2048;
/** A job with placements and with the visits of a layer. */
export const EXPORTED = {
  name: "exported",
  world: { grid: { coordinates: "odd-r" }, ...LAND },
  extent: { row0: 0, col0: 0, rows: EXPORTED_SIDE, cols: EXPORTED_SIDE },
  visits: ["hills"],
};

/** Cells along each side of the map. */
export const SIDE = 4096;
const WALKERS = 800;
const STEPS = 20_000; // of each walker: about one step a cell
/** Number of terrains. Terrain 0 has no visits. */
export const TERRAINS = 7;
/** Cells along each side of the squares in which the map is given to the writers. */
export const SECTOR = 1024;

/** The visits and the terrain of each cell, row by row. */
export function exportedMap() {
  const visits = new Uint32Array(SIDE ** 2);
  let state = 123_456_789;
  // xorshift32, of Marsaglia
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return state >>> 0;
  };
  for (let walker = 0; walker < WALKERS; walker++) {
    let [row, column] = [next() % SIDE, next() % SIDE];
    for (let step = 0; step < STEPS; step++) {
      const direction = next() % 6;
      row = (row + [0, 0, 1, -1, 1, -1][direction] + SIDE) % SIDE;
      column = (column + [1, -1, 0, 0, -1, 1][direction] + SIDE) % SIDE;
      visits[row * SIDE + column]++;
    }
  }
  const terrain = Uint8Array.from(visits, (count) => Math.min(TERRAINS - 1, 32 - Math.clz32(count)));
  return { visits, terrain };
}

/** The squares of the map, row by row: {row, col, cells}, each a copy. */
export function* sectorsOf(map) {
  for (let row = 0; row < SIDE; row += SECTOR) {
    for (let col = 0; col < SIDE; col += SECTOR) {
      const cells = new map.constructor(SECTOR ** 2);
      for (let r = 0; r < SECTOR; r++) {
        const from = (row + r) * SIDE + col;
        cells.set(map.subarray(from, from + SECTOR), r * SECTOR);
      }
      yield { row, col, cells };
    }
  }
}

/** Counts the cells of each terrain; or, of visits, the cells with 0, 1, 2 … visits, in at most 16 ranges. */
export function countsOf(cells) {
  const counts = new Array(16).fill(0);
  for (let i = 0; i < cells.length; i++) counts[Math.min(15, cells[i])]++;
  return counts;
}
