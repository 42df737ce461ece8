// written from docs/determinism.md alone
//
// Terrain and placements of a world, one cell at a time, as port.mjs does everything else.

import { belowBy, blockWords, extrasOf, forkKey } from "./port.mjs";

/** The plane and the index of the words of a cell. */
export function addressOf(row, col) {
  const [band, block] = [Math.floor(row / 16), Math.floor(col / 64)];
  const index = 1024 * (block + 2 ** 25) + 64 * (row - 16 * band) + (col - 64 * block);
  return [BigInt.asUintN(32, BigInt(band)), BigInt(index)];
}

/** A function of numbers and texts that computes each of its values once: lands ask for a cell very often. */
export function once(make) {
  const values = new Map();
  return (...args) => {
    const name = args.join();
    if (!values.has(name)) values.set(name, make(...args));
    return values.get(name);
  };
}

const blockOf = once((key, plane, block) => blockWords(key, plane, block));
const forkOnce = once((key, _type, id) => forkKey(key, id)); // the text "1" is not the integer 1

/** The key of a fork of a fork … */
export const forked = (key, ...ids) => ids.reduce((parent, id) => forkOnce(parent, typeof id, id), key);

/** below(m) at a cell, and the extra words of its address that it leaves. */
export function belowAt(key, row, col, m) {
  const [plane, index] = addressOf(row, col);
  const next = extrasOf(key, plane, index);
  const word = blockOf(key, String(plane), String(index / 1024n))[index % 1024n];
  return { value: Number(belowBy(word, next, BigInt(m))), next };
}

/** Does a fraction hold at a cell? `next` gives the extra words of the address that it leaves. */
export function draw(key, [row, col], [k, n]) {
  if (k === 0 || k === n) return { holds: k === n, next: extrasOf(key, ...addressOf(row, col)) };
  const { value, next } = belowAt(key, row, col, n);
  return { holds: value < k, next };
}

/** Is a cell in the grid {rows, cols, oddR}? Without `rows`, and without a grid, it is unbounded. */
export function exists(grid, row, col) {
  const most = grid?.oddR ? 2 ** 30 : 2 ** 31;
  if (grid?.rows === undefined) return row >= -(2 ** 31) && row < 2 ** 31 && col >= -most && col < most;
  return row >= 0 && row < grid.rows && col >= 0 && col < grid.cols;
}

/** The axial column of a cell. */
export const axial = (grid, row, col) => (grid?.oddR ? col - Math.floor(row / 2) : col);

export function distance(grid, [rowA, colA], [rowB, colB]) {
  const [rows, cols] = [rowB - rowA, axial(grid, rowB, colB) - axial(grid, rowA, colA)];
  return Math.max(Math.abs(rows), Math.abs(cols), Math.abs(rows + cols));
}

/** The cells at a distance of at most `reach`, by row, then column. */
export function disc(grid, [row, col], reach) {
  const side = Array.from({ length: 2 * reach + 1 }, (_, i) => i - reach);
  const cells = side.flatMap((r) => side.map((c) => [row + r, col + c]));
  return cells.filter((cell) => distance(grid, [row, col], cell) <= reach);
}

/** Does a condition hold at a cell? `layers` give the visits of a cell, if it has any, and `fields` its value. */
function holds(world, condition, at, stream) {
  const [kind, value] = Object.entries(condition)[0];
  if (kind === "chance") return draw(forked(stream, value.number), at, value.share).holds;
  if (kind === "all") return value.every((one) => holds(world, one, at, stream));
  if (kind === "any") return value.some((one) => holds(world, one, at, stream));
  if (kind === "not") return !holds(world, value, at, stream);
  if (kind === "field") return isIn(value.range, world.fields[value.field](...at));
  const visit = world.layers[value.layer];
  if (kind === "within") {
    return disc(world.grid, at, value.distance).some((cell) => exists(world.grid, ...cell) && visit(...cell));
  }
  if (kind === "visits") return isIn(value.range, visit(...at)?.visits ?? 0);
  return isIn(value.range, visit(...at)?.firstVisit);
}

export const isIn = ([least, most], value) => least <= value && value <= most;

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
  const streamOf = (terrain) => forked(world.key, "terrain", terrain);
  return world.rules.find(
    ({ terrain, when }) => when === undefined || holds(world, when, [row, col], streamOf(terrain)),
  )?.terrain;
}

/** The extra words that a candidate has left; undefined for another cell. */
function candidate(world, kind, row, col) {
  if (!exists(world.grid, row, col)) return undefined;
  const { holds: isDrawn, next } = draw(forked(world.key, "placements", kind.name), [row, col], kind.density);
  return isDrawn && kind.on.includes(terrainAt(world, row, col)) ? next : undefined;
}

/** Does a placement of a kind stand at a cell? */
export function stands(world, kind, row, col) {
  const own = candidate(world, kind, row, col);
  if (own === undefined || kind.distance === 0) return own !== undefined;
  const rank = [Number(own()), row, col];
  return disc(world.grid, [row, col], kind.distance).every(([r, c]) => {
    const other = (r === row && c === col) || candidate(world, kind, r, c);
    return other === true || other === undefined || !isSmaller([Number(other()), r, c], rank);
  });
}

export function isSmaller(a, b) {
  const i = a.findIndex((part, at) => part !== b[at]);
  return a[i] < b[i];
}
