import type { Canvas } from "../../pictures/canvas.js";
import type { Form } from "../../pictures/themes.js";
import type { Grid, ThemedColors } from "./ground.js";

/** A river with this many neighbours of water is drawn as water. */
const LAKE_NEIGHBOURS = 5;
/** Width of a cell / width of a line. */
const THINNESS = { river: 3.2, road: 4.5, bridge: 2.6 } as const;

const ROADS: readonly (Form | undefined)[] = ["road", "bridge"];
const WATERS: readonly (Form | undefined)[] = ["river", "water", "bridge"];

/**
 * Returns the terrain below the lines: for each cell of a river or a road, the commonest terrain around it that is no
 * line. Bridges stand on water.
 */
export function groundBelow({ rows, cols, terrain, around }: Grid, forms: readonly (Form | undefined)[]): Uint8Array {
  const below = terrain.slice();
  const isLine = (form: Form | undefined) => form === "river" || form === "road" || form === "bridge";
  const lines = forms.map(isLine);
  if (!lines.includes(true)) return below;
  for (let i = 0; i < terrain.length; i++) {
    if (!lines[terrain[i]]) continue;
    const form = forms[terrain[i]];
    const near = neighbours({ rows, cols, around }, i).map((at) => terrain[at]);
    const waters = near.filter((kind) => WATERS.includes(forms[kind])).length;
    if (form === "river" && waters >= LAKE_NEIGHBOURS) continue;
    const solid = near.filter((kind) => kind < forms.length && !isLine(forms[kind]));
    const wanted = form === "bridge" ? solid : solid.filter((kind) => forms[kind] !== "water");
    below[i] = commonest(wanted.length > 0 ? wanted : solid) ?? terrain[i];
  }
  return below;
}

function commonest(kinds: readonly number[]): number | undefined {
  const count = (kind: number) => kinds.filter((other) => other === kind).length;
  return kinds.toSorted((a, b) => count(b) - count(a) || a - b)[0];
}

/** The indices of the neighbours of a cell, in the order of `around`, without those outside. */
function neighbours({ rows, cols, around }: Pick<Grid, "rows" | "cols" | "around">, i: number): number[] {
  const [r, c] = [Math.floor(i / cols), i % cols];
  return around(r).flatMap((step, direction) => {
    const at = i + step;
    const row = direction < 2 ? r : direction < 4 ? r - 1 : r + 1;
    // a step over the edge of a row would land in another row
    if (row < 0 || row >= rows || Math.floor(at / cols) !== row || Math.abs((at % cols) - c) > 1) return [];
    return [at];
  });
}

/** Draws rivers, then roads over them. */
export function drawLines(
  canvas: Canvas,
  grid: Grid,
  forms: readonly (Form | undefined)[],
  colors: ThemedColors,
): void {
  const { terrain, scale } = grid;
  const isRiver = riversOf(grid, forms);
  const joinsRiver = (i: number) => isRiver[i] === 1 || WATERS.includes(forms[terrain[i]]);
  const joinsRoad = (i: number) => ROADS.includes(forms[terrain[i]]);
  const roads = Array.from(terrain.keys()).filter(joinsRoad);
  const widthOf = (form: keyof typeof THINNESS) => Math.max(10, Math.round((8 * scale.cellPixels) / THINNESS[form]));
  const outline = Math.max(6, scale.cellPixels);
  for (let i = 0; i < terrain.length; i++) {
    if (isRiver[i] === 1) drawLine(canvas, grid, i, joinsRiver, { width: widthOf("river"), color: colors.river });
  }
  for (const i of roads) drawLine(canvas, grid, i, joinsRoad, { width: widthOf("road") + outline, color: colors.ink });
  for (const i of roads) {
    const isBridge = forms[terrain[i]] === "bridge";
    const color = isBridge ? colors.paper : colors.road;
    drawLine(canvas, grid, i, joinsRoad, { width: widthOf("road"), color });
  }
}

/** Marks the cells of rivers, and those between two cells of rivers: so arms that run side by side are one river. */
function riversOf(grid: Grid, forms: readonly (Form | undefined)[]): Uint8Array {
  const { terrain, rows, cols, around } = grid;
  const isRiver = Uint8Array.from(terrain, (kind) => (forms[kind] === "river" ? 1 : 0));
  const all = isRiver.slice();
  for (let r = 1; r < rows - 1; r++) {
    const [e, w, ne, nw, se, sw] = around(r);
    for (let i = r * cols + 1; i < (r + 1) * cols - 1; i++) {
      if (
        (isRiver[i + e] & isRiver[i + w]) |
        (isRiver[i + ne] & isRiver[i + sw]) |
        (isRiver[i + nw] & isRiver[i + se])
      ) {
        all[i] = 1;
      }
    }
  }
  return all;
}

/** Draws the part of a line in one cell: to the edges of the neighbours that continue it. */
function drawLine(
  canvas: Canvas,
  grid: Grid,
  i: number,
  continues: (at: number) => boolean,
  { width, color }: Readonly<Record<"width" | "color", number>>,
): void {
  const near = neighbours(grid, i);
  const ends = near.filter((at) => {
    if (!continues(at)) return false;
    const isBeside = Math.abs(at - i) === 1;
    // of three cells beside each other, two lines of three are enough
    return (
      !isBeside ||
      !near.some((other) => Math.abs(other - i) > 1 && continues(other) && neighbours(grid, at).includes(other))
    );
  });
  const middle = middleOf(grid, i);
  const mouths = ends.map((at) => between(middle, middleOf(grid, at), 0.5));
  if (mouths.length === 2) curve(canvas, [mouths[0], middle, mouths[1]], width, color);
  else if (mouths.length === 0) canvas.line(middle, middle, width, color);
  else for (const mouth of mouths) canvas.line(middle, mouth, width, color);
}

type Point = readonly [x: number, y: number];

/** Returns the middle of a cell in eighths of a pixel. */
function middleOf({ cols, cornerOf, scale }: Grid, i: number): Point {
  const [x, y] = cornerOf(Math.floor(i / cols));
  return [8 * (x + (i % cols) * scale.cellPixels) + 4 * scale.cellPixels, 8 * y + 4 * scale.lines.length];
}

function between([x0, y0]: Point, [x1, y1]: Point, share: number): Point {
  return [x0 + (x1 - x0) * share, y0 + (y1 - y0) * share];
}

const CURVE_STEPS = 4;

/** Draws a quadratic curve that begins and ends in the directions of its middle. */
function curve(canvas: Canvas, [from, middle, to]: readonly Point[], width: number, color: number): void {
  let last = from;
  for (let k = 1; k <= CURVE_STEPS; k++) {
    const share = k / CURVE_STEPS;
    const next = between(between(from, middle, share), between(middle, to, share), share);
    canvas.line(last, next, width, color);
    last = next;
  }
}
