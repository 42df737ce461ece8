// written from docs/determinism.md and the tables of docs/formats alone
//
// A world from its spec: layers that feel fields, fields, terrain, placements and paths. Layers and fields have axial
// cells [row, q]; everything else has cells of the grid.

import { DIRECTIONS, startsKey, streamKey, walkEnds, walkRegion } from "./port.mjs";
import {
  axial,
  belowAt,
  distance,
  draw,
  exists,
  forked,
  isIn,
  numberChances,
  once,
  stands,
  terrainAt,
} from "./portWorlds.mjs";

/** Opens a world. Its rules, kinds and paths name terrains, not tags, and its fractions are texts in lowest terms. */
export function openLand(seed, name, spec) {
  const grid = spec.grid && { ...spec.grid, oddR: spec.grid.coordinates === "odd-r" };
  const land = { grid, layers: {}, stuck: {}, key: streamKey(seed, name) };
  land.colOf = (row, q) => (grid?.oddR ? q + Math.floor(row / 2) : q);
  land.isCell = (row, q) =>
    grid?.rows === undefined ? exists(undefined, row, q) : exists(grid, row, land.colOf(row, q));
  for (const layer of spec.layers) openLayer(land, layer, streamKey(seed, `${name}/${layer.name}`));
  // walkers of an odd-r world also know cells beyond the last columns of the grid
  land.fields = openFields(land, spec.fields, land.isCell);
  const shown = openFields(land, spec.fields, (row, q) => exists(grid, row, land.colOf(row, q)));

  const inGrid = (functions) =>
    Object.fromEntries(Object.entries(functions).map(([of, at]) => [of, (row, col) => at(row, axial(grid, row, col))]));
  const rules = numberChances(
    (spec.terrain ?? []).map((rule) => ({ ...rule, when: rule.when && conditionOf(rule.when) })),
  );
  const world = { key: land.key, grid, rules, layers: inGrid(land.layers), fields: inGrid(shown) };
  const terrain = once((row, col) => terrainAt(world, row, col));
  const kinds = (spec.placements ?? []).map(({ name: kind, on, density, distance: apart = 0 }) => ({
    name: kind,
    on: on ?? rules.map((rule) => rule.terrain),
    density: shareOf(density),
    distance: apart,
  }));
  const isPlaced = once((kind, row, col) => stands(world, kinds[kind], row, col));
  const places = ({ between }, row, col) =>
    kinds.some(({ name: kind }, i) => between.includes(kind) && isPlaced(i, row, col));
  return { ...world, spec, terrain, isPlaced, places, isCell: land.isCell, colOf: land.colOf };
}

const shareOf = (text) => (text.includes("/") ? text.split("/").map(Number) : [Number(text), 1]);

function conditionOf(when) {
  const all = Object.entries(when).map(([name, value]) => {
    if (name === "chance") return { chance: shareOf(value) };
    if (name === "all" || name === "any") return { [name]: value.map(conditionOf) };
    if (name === "not") return { not: conditionOf(value) };
    const rangeOf = ([least, most]) => [least, most ?? Number.POSITIVE_INFINITY];
    if (Array.isArray(value)) return { field: { field: name, range: rangeOf(value) } };
    if (value.within !== undefined) return { within: { layer: name, distance: value.within } };
    const [kind, range] = Object.entries(value)[0];
    return { [kind]: { layer: name, range: rangeOf(range) } };
  });
  return all.length === 1 ? all[0] : { all };
}

// ---- Layers ----

const TURNS = {
  "rb50-lb50": [0, 0, 1, 0, 1, 0],
  "rf50-lf50": [0, 1, 0, 0, 0, 1],
  "five-ways": [1, 1, 1, 0, 1, 1],
  uniform: [1, 1, 1, 1, 1, 1],
};

/** The cells that an earlier layer visited, or those of a range of a field. */
function setOf(land, { layer, field, from = 0, to = 65535 }) {
  if (layer !== undefined) return (row, q) => land.layers[layer](row, q) !== undefined;
  return (row, q) => isIn([from, to], land.fields[field](row, q));
}

function anyOf(land, { layers = [], fields = [], cells = [] }) {
  const sets = [...layers.map((layer) => setOf(land, { layer })), ...fields.map((range) => setOf(land, range))];
  const listed = cells.map(([row, col]) => `${row},${axial(land.grid, row, col)}`);
  return (row, q) => listed.includes(`${row},${q}`) || sets.some((isOf) => isOf(row, q));
}

function endsOf(land, until) {
  if (until === undefined) return () => false;
  if (until.outside === undefined) return setOf(land, { ...until, layer: until.on });
  const isInside = setOf(land, { layer: until.outside });
  return (row, q) => !isInside(row, q);
}

function slopeOf(land, { field, down = 1, level = 0, up = 0, steepness = 0, stuck = "end" }) {
  const factor = (from, to) => {
    const h = land.fields[field](...from);
    const n = land.isCell(...to) ? land.fields[field](...to) : 0;
    if (n < h) return down + Math.floor(((h - n) * steepness) / 256);
    return n === h ? level : up;
  };
  return { factor, rests: stuck === "rest" };
}

function openLayer(land, layer, key) {
  const at = (cells, row, q) => cells.get(`${row},${q}`);
  if (layer.stuck !== undefined) {
    land.layers[layer.name] = (row, q) => land.stuck[layer.stuck](row, q);
    return;
  }
  const isClosed = anyOf(land, layer.closed ?? {});
  const isOpen = layer.open === undefined ? () => true : anyOf(land, layer.open);
  const walker = {
    absolute: TURNS.uniform,
    relative: TURNS[layer.preset ?? "uniform"],
    steps: layer.steps,
    closed: once((row, q) => !land.isCell(row, q) || isClosed(row, q) || !isOpen(row, q)),
    ends: endsOf(land, layer.until),
    ...(layer.slope && { slope: slopeOf(land, layer.slope) }),
  };
  if (layer.scatter === undefined) {
    const start = (layer.start ?? [[0, 0]]).map(([row, col]) => [row, axial(land.grid, row, col)]);
    const { cells } = walkEnds(key, { ...walker, walkers: layer.walkers, start });
    const visited = new Map(cells.map((cell) => [`${cell.row},${cell.col}`, cell]));
    land.layers[layer.name] = (row, q) => at(visited, row, q);
    return;
  }
  const region = once((i, j) => {
    const { cells, ends } = regionOf(land, layer, key, walker, [i, j]);
    const stuck = ends.filter((end) => end.stuck).map(({ row, col }) => ({ row, col, visits: 1 }));
    return { cells: summed(cells), stuck: summed(stuck) };
  });
  const visit = once((what, row, q) => {
    const found = regionsNear(row, q, layer.steps, layer.scatter.side).map(([i, j]) => at(region(i, j)[what], row, q));
    return summed(found.filter((cell) => cell !== undefined)).get(`${row},${q}`);
  });
  land.layers[layer.name] = (row, q) => visit("cells", row, q);
  land.stuck[layer.name] = (row, q) => visit("stuck", row, q);
}

/** Records of cells by cell, the visits added and the least of the first visits. */
function summed(records) {
  const cells = new Map();
  for (const { row, col, visits, firstVisit } of records) {
    const before = cells.get(`${row},${col}`) ?? { visits: 0, firstVisit };
    const first = Math.min(before.firstVisit, firstVisit);
    cells.set(`${row},${col}`, { row, col, visits: before.visits + visits, firstVisit: first });
  }
  return cells;
}

/** The regions whose walkers can visit a cell. */
function regionsNear(row, q, steps, side) {
  const last = 2 ** 31 / side - 1;
  const range = (x) => {
    const [least, most] = [Math.floor((x - steps) / side), Math.floor((x + steps) / side)];
    return Array.from({ length: most - least + 1 }, (_, i) => least + i).filter((i) => i >= -last - 1 && i <= last);
  };
  return range(row).flatMap((i) => range(q).map((j) => [i, j]));
}

/** The walkers of region [i, j] of a scattered layer. */
function regionOf(land, { start, scatter: { side, density, walkers } }, key, walker, region) {
  const isStart = start === undefined ? () => true : setOf(land, start);
  const [row0, q0] = region.map((place) => place * side);
  const cells = Array.from({ length: side * side }, (_, i) => [row0 + Math.floor(i / side), q0 + (i % side)]);
  if (density === undefined) {
    const visited = start && cells.filter((cell) => isStart(...cell)).map(([row, col]) => ({ row, col }));
    return walkRegion(key, region, { ...walker, side, walkers, visited });
  }
  const starts = cells.filter(
    (cell) => draw(startsKey(key), cell, shareOf(density)).holds && !walker.closed(...cell) && isStart(...cell),
  );
  return walkEnds(forked(key, region), { ...walker, walkers: starts.length, start: starts });
}

// ---- Fields ----

function openFields(land, specs = [], counts) {
  const fields = {};
  for (const spec of specs) fields[spec.name] = once(openField(land, spec, fields, counts));
  return fields;
}

/** A field that reads `fields`, and counts the visits of the cells for which `counts` is true. */
function openField(land, field, fields, counts) {
  const { kind, layer, most, of } = field;
  const count = (n, greatest) => Math.floor((Math.min(n, greatest) * 65535) / greatest);
  const visited = (row, q) => counts(row, q) && land.layers[layer](row, q) !== undefined;
  const bounded = (value) => Math.max(0, Math.min(65535, value));
  const all = (row, q) => of.map((name) => fields[name](row, q));
  const [fromRow, fromQ] = kind === "position" ? axialCell(land, field.from ?? [0, 0]) : [];
  const kinds = {
    noise: (row, q) => noiseAt(forked(land.key, "fields", field.name), field, row, q),
    distance: (row, q) => count(stepsTo(visited, [row, q], most ?? 64), most ?? 64),
    visits: (row, q) => count(land.layers[layer](row, q)?.visits ?? 0, most ?? 255),
    firstVisit: (row, q) => count(land.layers[layer](row, q)?.firstVisit ?? most, most),
    position: (row, q) => count(distance(undefined, [row, q], [fromRow, fromQ]), most),
    rows: (row) => count(Math.abs(row - (field.from ?? 0)), most),
    sum: (row, q) => {
      const total = of.reduce((sum, { field: one, factor = 1 }) => sum + factor * fields[one](row, q), field.plus ?? 0);
      return bounded(Math.floor(total / (field.over ?? 1)));
    },
    least: (row, q) => Math.min(...all(row, q)),
    most: (row, q) => Math.max(...all(row, q)),
    curve: (row, q) => curveAt(field.points, fields[of](row, q)),
  };
  return kinds[kind];
}

const axialCell = ({ grid }, [row, col]) => [row, axial(grid, row, col)];

/** Steps to the nearest visited cell, at most `most`. */
function stepsTo(visited, [row, q], most) {
  for (let steps = 0; steps < most; steps++) {
    if (ring(steps).some(([r, c]) => visited(row + r, q + c))) return steps;
  }
  return most;
}

/** The axial cells at a distance from (0, 0). */
const ring = once((steps) => {
  const side = Array.from({ length: 2 * steps + 1 }, (_, i) => i - steps);
  return side.flatMap((r) => side.map((q) => [r, q])).filter((cell) => distance(undefined, [0, 0], cell) === steps);
});

function curveAt(points, x) {
  const after = points.findIndex(([x1]) => x < x1);
  if (after <= 0) return points.at(after === 0 ? 0 : -1)[1];
  const [[x0, y0], [x1, y1]] = [points[after - 1], points[after]];
  return y0 + Math.floor(((y1 - y0) * (x - x0)) / (x1 - x0));
}

const GRADIENTS = [
  [-7, 0],
  [-7, 7],
  [0, 7],
  [7, 0],
  [7, -7],
  [0, -7],
  [-8, 4],
  [-4, 8],
  [4, 4],
  [8, -4],
  [4, -8],
  [-4, -4],
];
const gradientAt = once((key, i, j) => GRADIENTS[belowAt(key, i, j, 12).value]);

export function noiseAt(key, { scale, octaves = 1 }, row, q) {
  let total = 0;
  for (let o = 0; o < octaves; o++) {
    const S = scale / 2 ** o;
    const own = forked(key, o);
    const [k0, k1] = own;
    const [r, c] = [row + (k0 % S), q + 4 * Math.floor((k1 % S) / 4)];
    const [i, j] = [Math.floor(r / S), Math.floor(c / S)];
    const points = [
      [i, j],
      [i, j + 1],
      [i + 1, j],
      [i + 1, j + 1],
    ];
    const parts = points.map(([a, b]) => {
      const [down, right] = gradientAt(own, a, b);
      const [y, x] = [r - a * S, c - b * S];
      const t = Math.floor((Math.max(0, 3 * S ** 2 - 4 * (y * y + y * x + x * x)) * 2 ** 14) / S ** 2);
      const w = Math.floor(Math.floor(t ** 2 / 2 ** 16) ** 2 / 2 ** 16);
      return w * Math.floor((y * (2 * down + right) * 1024) / S) + Math.floor((w * x) / S) * (down + 2 * right) * 1024;
    });
    total += Math.floor(parts.reduce((sum, part) => sum + part, 0) / 2 ** o);
  }
  return Math.max(0, Math.min(65535, 32768 + Math.floor((5 * total) / 2 ** 14)));
}

// ---- Paths ----

const grown = ({ row0, col0, rows, cols }, by) => ({
  row0: row0 - by,
  col0: col0 - by,
  rows: rows + 2 * by,
  cols: cols + 2 * by,
});

export const cellsOf = ({ row0, col0, rows, cols }) =>
  Array.from({ length: rows * cols }, (_, i) => [row0 + Math.floor(i / cols), col0 + (i % cols)]);

/** The terrain of the cells of a window after the first `count` kinds of paths. */
export function terrainAfter(land, count, window) {
  if (count === 0) return land.terrain;
  const { terrain, covers = {} } = land.spec.paths[count - 1];
  const { ways, before } = waysNear(land, count - 1, window);
  const laid = new Map();
  for (const [row, col] of ways.flatMap(({ cells }) => cells.slice(1, -1))) {
    const cover = Object.entries(covers).find(([name]) => name === before(row, col));
    laid.set(`${row},${col}`, cover === undefined ? terrain : cover[1].terrain);
  }
  return (row, col) => laid.get(`${row},${col}`) ?? before(row, col);
}

/** All paths of a kind that can have a cell in a window, and some others; and the terrain before them. */
export function waysNear(land, number, window) {
  const path = land.spec.paths[number];
  const reach = path.within + 4 + Math.floor(path.within / 4);
  const before = terrainAfter(land, number, grown(window, 2 * reach));
  // a third place that matters is at most |ab| from a: this is at most 1.16 times as many steps as from a to b
  const places = cellsOf(grown(window, 2 * reach)).filter(([row, col]) => land.places(path, row, col));
  const pairs = places.flatMap((a, i) => places.slice(i + 1).map((b) => [a, b]));
  const joined = pairs.filter(([a, b]) => isJoined(land, path, places, a, b));
  return { before, ways: joined.map(([a, b]) => wayOf(land, path, before, a, b)) };
}

function isJoined({ grid }, { within, graph = "gabriel" }, places, a, b) {
  const squared = ([rowA, colA], [rowB, colB]) => {
    const [r, q] = [rowB - rowA, axial(grid, rowB, colB) - axial(grid, rowA, colA)];
    return r * r + r * q + q * q;
  };
  if (distance(grid, a, b) > within) return false;
  const ab = squared(a, b);
  const others = places.filter((c) => c !== a && c !== b);
  if (graph === "gabriel") return !others.some((c) => squared(a, c) + squared(b, c) <= ab);
  return graph === "all" || !others.some((c) => squared(a, c) < ab && squared(b, c) < ab);
}

/** The way between two cells. */
function wayOf(land, path, before, a, b) {
  const [A, B] = [axialCell(land, a), axialCell(land, b)];
  const margin = 4 + Math.floor(distance(undefined, A, B) / 4);
  const isInside = (cell) =>
    [([row]) => row, ([, q]) => q, ([row, q]) => row + q].every((of) => {
      const ends = [of(A), of(B)];
      return isIn([Math.min(...ends) - margin, Math.max(...ends) + margin], of(cell));
    });
  const costOf = once((row, q) => {
    if (String([row, q]) === String(A) || String([row, q]) === String(B)) return 0;
    const terrain = isInside([row, q]) && land.isCell(row, q) ? before(row, land.colOf(row, q)) : undefined;
    if (terrain === undefined) return Number.POSITIVE_INFINITY;
    const { [terrain]: cost = path.cost?.["*"] ?? 1 } = path.cost ?? {};
    return cost ?? Number.POSITIVE_INFINITY;
  });
  const cells = cheapest(A, B, costOf).map(([row, q]) => [row, land.colOf(row, q)]);
  return {
    from: a,
    to: b,
    cells,
    cost: cells.slice(1, -1).reduce((sum, cell) => sum + costOf(...axialCell(land, cell)), 0),
  };
}

const around = ([row, q]) => DIRECTIONS.map(([dr, dq]) => [row + dr, q + dq]);

/** The cells of the way from `a` to `b`; none if all ways are closed. */
function cheapest(a, b, costOf) {
  const left = new Map([[String(b), 0]]); // the cost of a cell and of all that follow it on a cheapest way to b
  const leftAt = (cell) => left.get(String(cell)) ?? Number.POSITIVE_INFINITY;
  for (const queue = [b]; queue.length > 0; ) {
    const cell = queue.shift();
    for (const next of around(cell)) {
      const cost = leftAt(cell) + costOf(...next);
      if (cost >= leftAt(next)) continue;
      left.set(String(next), cost);
      queue.push(next);
    }
  }
  if (!left.has(String(a))) return [];
  const cells = [a];
  while (String(cells.at(-1)) !== String(b)) {
    const cell = cells.at(-1);
    const next = around(cell).filter((one) => leftAt(one) === leftAt(cell) - costOf(...cell));
    const aside = ([row, q]) => Math.abs((b[1] - a[1]) * (row - a[0]) - (b[0] - a[0]) * (q - a[1]));
    const least = Math.min(...next.map(aside));
    cells.push(next.find((one) => aside(one) === least));
  }
  return cells;
}
