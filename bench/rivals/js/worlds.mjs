// A window of the world in inputs/worlds.mjs, as a programmer of games writes it: a Map of chunks for the visits, as a
// world without end needs, walkers that count their visits in them, two passes for the distance to the sea, rules cell by
// cell, and villages that are compared with those in the squares around them. The faster form has no chunks. Its walkers
// count their visits only on the cells that this window depends on, in typed arrays that are allocated once.

import { COLUMN_STEP, RESTING, ROW_STEP } from "../../inputs/walks.mjs";
import { cumulativeOf } from "./tensor.mjs";

const INV_2_32 = 2 ** -32;
const [SEA, HILLS, RIVERS] = [0, 1, 2];
const [SEA_CELL, RIVER_CELL, MOUNTAIN, HILL, SHORE, FOREST, GRASS] = [0, 1, 2, 3, 4, 5, 6];
const [FOREST_WORDS, VILLAGE_WORDS] = [0, 1];
const FAR = 255;
const CHUNK_BITS = 6;
const CHUNK_MASK = 63;

/**
 * {window(row0, col0)}: makes a window of size × size cells and returns {terrain, villages}. terrain has a byte for each
 * cell; villages is a list of [row, column], sorted.
 *
 * @param sizes - {size, side, layers: [{walkers, steps}], rules, tensor, hasChunks}.
 * @param words - the random words, such as OwnWords.
 */
export function jsWorld({ size, side, layers, rules, tensor, hasChunks }, words) {
  const { distance } = rules.village;
  const rivers = layers[RIVERS];
  const cumulative = cumulativeOf(tensor);
  const rowStep = Int32Array.from(ROW_STEP);
  const columnStep = Int32Array.from(COLUMN_STEP);

  // terrain is made `distance` cells further than the window; the sea is known to the shore's width around that
  const land = area(size, distance);
  const shore = area(size, distance + rules.shore);
  const riverRegions = regionsNear(land, rivers.steps, side);
  const riverStarts = cellsOf(riverRegions, side);
  const planes = {
    [SEA]: plane(joined(shore, grown(riverStarts, rivers.steps))),
    [HILLS]: plane(joined(land, riverStarts)),
    [RIVERS]: plane(land),
  };
  const shoreDistance = new Uint8Array(shore.rows * shore.columns);
  const terrain = new Uint8Array(land.rows * land.columns);
  const starts = [0, 1].map(() => new Uint32Array(Math.max(...layers.map(({ walkers }) => walkers))));
  const path = layers.map(({ steps }) => new Uint32Array(steps));
  const visited = new Int32Array(side * side);

  function turn(word, heading) {
    const from = heading * 6;
    const r = (word * cumulative[from + 5] * INV_2_32) >>> 0;
    return passed(from, r) + passed(from + 1, r) + passed(from + 2, r) + passed(from + 3, r) + passed(from + 4, r);
  }

  // 1 if cumulative weight c is ≤ r: the sign bit of the difference, because a branch would be mispredicted
  function passed(c, r) {
    return (cumulative[c] - r - 1) >>> 31;
  }

  // all cells are relative to the window's first cell, which is a multiple of the side
  function walkInArray(layer, startRow, startColumn, steps) {
    const { row0, column0, rows, columns, visits } = planes[layer];
    const block = path[layer];
    let row = startRow - row0;
    let column = startColumn - column0;
    let heading = RESTING;
    if (row >>> 0 < rows && column >>> 0 < columns) visits[row * columns + column]++;
    for (let t = 0; t < steps; t++) {
      heading = turn(block[t], heading);
      row += rowStep[heading];
      column += columnStep[heading];
      if (row >>> 0 < rows && column >>> 0 < columns) visits[row * columns + column]++;
    }
  }

  function chunkAt(chunks, row, column) {
    const key = (row >> CHUNK_BITS) * 2 ** 26 + (column >> CHUNK_BITS);
    let chunk = chunks.get(key);
    if (!chunk) {
      chunk = new Uint32Array(1 << (2 * CHUNK_BITS));
      chunks.set(key, chunk);
    }
    return chunk;
  }

  function walkInChunks(layer, startRow, startColumn, steps) {
    const { chunks } = planes[layer];
    const block = path[layer];
    let row = startRow;
    let column = startColumn;
    let heading = RESTING;
    let chunkRow = row >> CHUNK_BITS;
    let chunkColumn = column >> CHUNK_BITS;
    let chunk = chunkAt(chunks, row, column);
    chunk[((row & CHUNK_MASK) << CHUNK_BITS) | (column & CHUNK_MASK)]++;
    for (let t = 0; t < steps; t++) {
      heading = turn(block[t], heading);
      row += rowStep[heading];
      column += columnStep[heading];
      if (row >> CHUNK_BITS !== chunkRow || column >> CHUNK_BITS !== chunkColumn) {
        chunkRow = row >> CHUNK_BITS;
        chunkColumn = column >> CHUNK_BITS;
        chunk = chunkAt(chunks, row, column);
      }
      chunk[((row & CHUNK_MASK) << CHUNK_BITS) | (column & CHUNK_MASK)]++;
    }
  }

  // the cells on which the window depends, for the rules and for the rivers
  function copyChunks({ row0, column0, rows, columns, visits, chunks }) {
    for (let r = 0; r < rows; r++) {
      const row = row0 + r;
      for (let c = 0; c < columns; ) {
        const column = column0 + c;
        const count = Math.min(columns - c, CHUNK_MASK + 1 - (column & CHUNK_MASK));
        const from = ((row & CHUNK_MASK) << CHUNK_BITS) | (column & CHUNK_MASK);
        visits.set(chunkAt(chunks, row, column).subarray(from, from + count), r * columns + c);
        c += count;
      }
    }
  }

  function walkToSea(startRow, startColumn, steps) {
    const { row0, column0, rows, columns, visits } = planes[RIVERS];
    const { row0: seaRow0, column0: seaColumn0, columns: seaColumns, visits: seaVisits } = planes[SEA];
    const block = path[RIVERS];
    let row = startRow - row0;
    let column = startColumn - column0;
    let heading = RESTING;
    for (let t = 0; ; t++) {
      if (row >>> 0 < rows && column >>> 0 < columns) visits[row * columns + column]++;
      const isSea = seaVisits[(row + row0 - seaRow0) * seaColumns + column + column0 - seaColumn0] > 0;
      if (isSea || t === steps) return;
      heading = turn(block[t], heading);
      row += rowStep[heading];
      column += columnStep[heading];
    }
  }

  function walkLayer(layer, origin) {
    const { walkers, steps } = layers[layer];
    const [rowWords, columnWords] = starts;
    const walk = hasChunks ? walkInChunks : walkInArray;
    planes[layer].visits.fill(0);
    planes[layer].chunks.clear();
    const { first, last } = regionsNear(planes[layer], steps, side);
    for (let i = first[0]; i <= last[0]; i++) {
      for (let j = first[1]; j <= last[1]; j++) {
        words.starts(layer, i + origin[0], j + origin[1], 0, rowWords);
        words.starts(layer, i + origin[0], j + origin[1], 1, columnWords);
        for (let w = 0; w < walkers; w++) {
          const row = i * side + Math.floor(rowWords[w] * side * INV_2_32);
          const column = j * side + Math.floor(columnWords[w] * side * INV_2_32);
          words.walker(layer, i + origin[0], j + origin[1], w, path[layer]);
          walk(layer, row, column, steps);
        }
      }
    }
    if (hasChunks) copyChunks(planes[layer]);
  }

  function walkRivers(origin) {
    const { walkers, steps } = rivers;
    planes[RIVERS].visits.fill(0);
    const { first, last } = riverRegions;
    for (let i = first[0]; i <= last[0]; i++) {
      for (let j = first[1]; j <= last[1]; j++) {
        const count = findVisited(planes[HILLS], i * side, j * side);
        if (count === 0) continue;
        words.starts(RIVERS, i + origin[0], j + origin[1], 0, starts[0]);
        for (let w = 0; w < walkers; w++) {
          const cell = visited[Math.floor(starts[0][w] * count * INV_2_32)];
          words.walker(RIVERS, i + origin[0], j + origin[1], w, path[RIVERS]);
          walkToSea(i * side + Math.floor(cell / side), j * side + (cell % side), steps);
        }
      }
    }
  }

  // lists the visited cells of a region, row by row, and returns their number
  function findVisited({ row0, column0, columns, visits }, row, column) {
    let count = 0;
    for (let r = 0; r < side; r++) {
      const from = (row + r - row0) * columns + column - column0;
      for (let c = 0; c < side; c++) if (visits[from + c] > 0) visited[count++] = r * side + c;
    }
    return count;
  }

  // the distance to the sea in two passes: from the neighbours before a cell, then from those after it
  function measureShore() {
    const { row0, column0, rows, columns } = shore;
    const { row0: seaRow0, column0: seaColumn0, columns: seaColumns, visits } = planes[SEA];
    for (let r = 0; r < rows; r++) {
      const from = (r + row0 - seaRow0) * seaColumns + column0 - seaColumn0;
      for (let c = 0; c < columns; c++) {
        const at = r * columns + c;
        let least = FAR;
        if (visits[from + c] > 0) least = 0;
        else {
          if (r > 0) least = Math.min(least, shoreDistance[at - columns] + 1);
          if (r > 0 && c < columns - 1) least = Math.min(least, shoreDistance[at - columns + 1] + 1);
          if (c > 0) least = Math.min(least, shoreDistance[at - 1] + 1);
        }
        shoreDistance[at] = least;
      }
    }
    for (let r = rows - 1; r >= 0; r--) {
      for (let c = columns - 1; c >= 0; c--) {
        const at = r * columns + c;
        let least = shoreDistance[at];
        if (r < rows - 1) least = Math.min(least, shoreDistance[at + columns] + 1);
        if (r < rows - 1 && c > 0) least = Math.min(least, shoreDistance[at + columns - 1] + 1);
        if (c < columns - 1) least = Math.min(least, shoreDistance[at + 1] + 1);
        shoreDistance[at] = least;
      }
    }
  }

  function chance(stream, row, column, { part, whole }) {
    return Math.floor(words.cell(stream, row, column) * whole * INV_2_32) < part;
  }

  function makeTerrain(row0, column0) {
    const { rows, columns } = land;
    const at = (plane, r) => (r + land.row0 - plane.row0) * plane.columns + land.column0 - plane.column0;
    const seaVisits = planes[SEA].visits;
    const hillVisits = planes[HILLS].visits;
    const riverVisits = planes[RIVERS].visits;
    for (let r = 0; r < rows; r++) {
      const seaAt = at(planes[SEA], r);
      const hillAt = at(planes[HILLS], r);
      const riverAt = at(planes[RIVERS], r);
      const shoreAt = at(shore, r);
      for (let c = 0; c < columns; c++) {
        let cell = GRASS;
        if (seaVisits[seaAt + c] > 0) cell = SEA_CELL;
        else if (riverVisits[riverAt + c] > 0) cell = RIVER_CELL;
        else if (hillVisits[hillAt + c] >= rules.mountain) cell = MOUNTAIN;
        else if (hillVisits[hillAt + c] > 0) cell = HILL;
        else if (shoreDistance[shoreAt + c] <= rules.shore) cell = SHORE;
        else if (chance(FOREST_WORDS, row0 + land.row0 + r, column0 + land.column0 + c, rules.forest)) cell = FOREST;
        terrain[r * columns + c] = cell;
      }
    }
  }

  // a candidate stands if no other candidate within the distance comes before it
  function placeVillages(row0, column0) {
    const { rows, columns } = land;
    const squares = Math.ceil(columns / distance);
    const grid = Array.from({ length: Math.ceil(rows / distance) * squares }, () => []);
    const candidates = [];
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        const cell = terrain[r * columns + c];
        if (cell !== SHORE && cell !== GRASS) continue;
        const row = row0 + land.row0 + r;
        const column = column0 + land.column0 + c;
        if (!chance(VILLAGE_WORDS, row, column, rules.village)) continue;
        const candidate = { row, column, r, c, priority: words.extra(VILLAGE_WORDS, row, column) };
        candidates.push(candidate);
        grid[Math.floor(r / distance) * squares + Math.floor(c / distance)].push(candidate);
      }
    }
    const isInside = ({ r, c }) => r >= distance && r < distance + size && c >= distance && c < distance + size;
    return candidates
      .filter((candidate) => isInside(candidate) && stands(candidate, grid, squares))
      .map(({ row, column }) => [row, column]);
  }

  function stands(candidate, grid, squares) {
    const squareRow = Math.floor(candidate.r / distance);
    const squareColumn = Math.floor(candidate.c / distance);
    for (let i = squareRow - 1; i <= squareRow + 1; i++) {
      for (let j = squareColumn - 1; j <= squareColumn + 1; j++) {
        for (const other of grid[i * squares + j]) {
          if (isBefore(other, candidate) && apart(other, candidate) <= distance) return false;
        }
      }
    }
    return true;
  }

  return {
    window(row0, column0) {
      const origin = [row0 / side, column0 / side];
      walkLayer(SEA, origin);
      walkLayer(HILLS, origin);
      walkRivers(origin);
      measureShore();
      makeTerrain(row0, column0);
      const villages = placeVillages(row0, column0);
      const inside = new Uint8Array(size * size);
      for (let r = 0; r < size; r++) {
        const from = (r + distance) * land.columns + distance;
        inside.set(terrain.subarray(from, from + size), r * size);
      }
      return { terrain: inside, villages };
    },
  };
}

/** Whether candidate a has a smaller (priority, row, column) than candidate b. */
function isBefore(a, b) {
  if (a.priority !== b.priority) return a.priority < b.priority;
  return a.row !== b.row ? a.row < b.row : a.column < b.column;
}

/** The number of steps between two cells. */
function apart(a, b) {
  const rows = a.row - b.row;
  const columns = a.column - b.column;
  return Math.max(Math.abs(rows), Math.abs(columns), Math.abs(rows + columns));
}

/** The cells of a window of size × size cells and `margin` rows and columns around it. */
function area(size, margin) {
  return { row0: -margin, column0: -margin, rows: size + 2 * margin, columns: size + 2 * margin };
}

function grown({ row0, column0, rows, columns }, margin) {
  return { row0: row0 - margin, column0: column0 - margin, rows: rows + 2 * margin, columns: columns + 2 * margin };
}

/** The smallest area that contains two areas. */
function joined(a, b) {
  const row0 = Math.min(a.row0, b.row0);
  const column0 = Math.min(a.column0, b.column0);
  const rows = Math.max(a.row0 + a.rows, b.row0 + b.rows) - row0;
  const columns = Math.max(a.column0 + a.columns, b.column0 + b.columns) - column0;
  return { row0, column0, rows, columns };
}

/** {first, last}: the regions with a cell at most `steps` rows and columns away from an area. */
function regionsNear({ row0, column0, rows, columns }, steps, side) {
  const region = (row, column) => [Math.floor(row / side), Math.floor(column / side)];
  return {
    first: region(row0 - steps, column0 - steps),
    last: region(row0 + rows - 1 + steps, column0 + columns - 1 + steps),
  };
}

function cellsOf({ first, last }, side) {
  const [rows, columns] = [last[0] - first[0] + 1, last[1] - first[1] + 1];
  return { row0: first[0] * side, column0: first[1] * side, rows: rows * side, columns: columns * side };
}

function plane(cells) {
  return { ...cells, visits: new Uint32Array(cells.rows * cells.columns), chunks: new Map() };
}
