// written from docs/determinism.md alone
//
// Terrain and placements of a world, one cell at a time, as port.mjs does everything else.

import { belowBy, extrasOf, forkKey, word } from "./port.mjs";

/** The plane and the index of the words of a cell. */
export function addressOf(row, col) {
  const [band, block] = [Math.floor(row / 16), Math.floor(col / 64)];
  const index = 1024 * (block + 2 ** 25) + 64 * (row - 16 * band) + (col - 64 * block);
  return [BigInt.asUintN(32, BigInt(band)), BigInt(index)];
}

/** Does a fraction hold at a cell? `next` gives the extra words of the address that it leaves. */
function draw(key, [row, col], [k, n]) {
  const [plane, index] = addressOf(row, col);
  const next = extrasOf(key, plane, index);
  const holds = k === 0 || k === n ? k === n : belowBy(word(key, plane, index), next, BigInt(n)) < k;
  return { holds, next };
}

/** Is a cell in the grid? An unbounded grid is undefined. */
function exists(grid, row, col) {
  if (grid === undefined) return Math.min(row, col) >= -(2 ** 31) && Math.max(row, col) < 2 ** 31;
  return row >= 0 && row < grid.rows && col >= 0 && col < grid.cols;
}

function distance(grid, [rowA, colA], [rowB, colB]) {
  const q = (row, col) => (grid?.oddR ? col - Math.floor(row / 2) : col);
  const [rows, cols] = [rowB - rowA, q(rowB, colB) - q(rowA, colA)];
  return Math.max(Math.abs(rows), Math.abs(cols), Math.abs(rows + cols));
}

/** Does a condition hold at a cell? `numbers` counts the chances of each terrain that were read so far. */
function holds(world, condition, at, stream) {
  const [kind, value] = Object.entries(condition)[0];
  if (kind === "chance") return draw(forkKey(stream, value.number), at, value.share).holds;
  if (kind === "all") return value.every((one) => holds(world, one, at, stream));
  if (kind === "any") return value.some((one) => holds(world, one, at, stream));
  if (kind === "not") return !holds(world, value, at, stream);
  const cells = world.layers[value.layer];
  if (kind === "within") {
    return cells.some(({ row, col }) => distance(world.grid, at, [row, col]) <= value.distance);
  }
  const cell = cells.find(({ row, col }) => row === at[0] && col === at[1]);
  const [least, most] = value.range;
  if (kind === "visits") return least <= (cell?.visits ?? 0) && (cell?.visits ?? 0) <= most;
  return cell !== undefined && least <= cell.firstVisit && cell.firstVisit <= most;
}

/** Number the chances of all rules of a terrain from 0, in the order in which they are written. */
export function numberChances(rules) {
  const counts = new Map();
  const numbered = (condition, terrain) => {
    const [kind, value] = Object.entries(condition)[0];
    if (kind === "all" || kind === "any") return { [kind]: value.map((one) => numbered(one, terrain)) };
    if (kind === "not") return { not: numbered(value, terrain) };
    if (kind !== "chance") return condition;
    const number = counts.get(terrain) ?? 0;
    counts.set(terrain, number + 1);
    return { chance: { share: value, number } };
  };
  return rules.map(({ terrain, when }) => ({ terrain, when: when && numbered(when, terrain) }));
}

/** The name of the terrain of a cell; undefined outside the grid. The chances of `world.rules` are numbered. */
export function terrainAt(world, row, col) {
  if (!exists(world.grid, row, col)) return undefined;
  const streamOf = (terrain) => forkKey(forkKey(world.key, "terrain"), terrain);
  return world.rules.find(
    ({ terrain, when }) => when === undefined || holds(world, when, [row, col], streamOf(terrain)),
  )?.terrain;
}

/** The extra words that a candidate has left; undefined for another cell. */
function candidate(world, kind, row, col) {
  if (!exists(world.grid, row, col) || !kind.on.includes(terrainAt(world, row, col))) return undefined;
  const drawn = draw(forkKey(forkKey(world.key, "placements"), kind.name), [row, col], kind.density);
  return drawn.holds ? drawn.next : undefined;
}

/** Does a placement of a kind stand at a cell? */
export function stands(world, kind, row, col) {
  const own = candidate(world, kind, row, col);
  if (own === undefined || kind.distance === 0) return own !== undefined;
  const rank = [Number(own()), row, col];
  for (let r = row - kind.distance; r <= row + kind.distance; r++) {
    for (let c = col - kind.distance; c <= col + kind.distance; c++) {
      if ((r === row && c === col) || distance(world.grid, [row, col], [r, c]) > kind.distance) continue;
      const other = candidate(world, kind, r, c);
      if (other !== undefined && isSmaller([Number(other()), r, c], rank)) return false;
    }
  }
  return true;
}

function isSmaller(a, b) {
  const i = a.findIndex((part, at) => part !== b[at]);
  return a[i] < b[i];
}
