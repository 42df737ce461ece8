import type { Canvas } from "../../pictures/canvas.js";
import type { Theme } from "../../pictures/themes.js";
import type { ThemedColors } from "./ground.js";

/** Water changes up to this many thirds of a pixel from the coast: 120 on small cells, more on large ones. */
const MOST = 250;
const MOST_OF_SMALL = 120;
const ORTHOGONAL = 3;
const DIAGONAL = 4;
/** Distances of the lines along coasts, in thirds of a pixel, with their strength in eighths. */
const SHORE_LINES: readonly (readonly [from: number, to: number, share: number])[] = [
  [10, 12, 3],
  [21, 23, 2],
  [34, 36, 1],
];

/** What {@link surfaces} returns for the colours of land. */
export const LAND = 1;
const WATER = 2;

/** For each colour: whether it is land, water, or neither, such as rivers, which need no coast. */
export function surfaces({ formAt, ramps }: ThemedColors): Uint8Array {
  const kinds = new Uint8Array(256);
  for (const { first, levels } of ramps) {
    const form = formAt[first];
    if (form === "river" || form === "bridge") continue;
    kinds.fill(form === "water" ? WATER : LAND, first, first + levels);
  }
  return kinds;
}

/** Returns the distance of each pixel of water from land, in thirds of a pixel, at most MOST. */
export function shoreDistances(ground: Uint8Array, width: number, kinds: Uint8Array): Uint8Array {
  const far = new Uint8Array(ground.length);
  for (let i = 0; i < far.length; i++) far[i] = kinds[ground[i]] === LAND ? 0 : MOST;
  pass(far, width, 1);
  pass(far, width, -1);
  return far;
}

/** Shortens distances by way of the neighbours that precede a pixel; `step` is 1 from the top, and -1 from the end. */
function pass(far: Uint8Array, width: number, step: 1 | -1): void {
  const height = far.length / width;
  for (let k = 0; k < height; k++) {
    const y = step === 1 ? k : height - 1 - k;
    const hasRow = k > 0;
    for (let j = 0; j < width; j++) {
      const i = y * width + (step === 1 ? j : width - 1 - j);
      let least = far[i];
      if (least === 0) continue;
      if (j > 0) least = Math.min(least, far[i - step] + ORTHOGONAL);
      if (hasRow) {
        const above = i - step * width;
        least = Math.min(least, far[above] + ORTHOGONAL);
        if (j > 0) least = Math.min(least, far[above - step] + DIAGONAL);
        if (j < width - 1) least = Math.min(least, far[above + step] + DIAGONAL);
      }
      far[i] = least;
    }
  }
}

/** Makes water darker with its distance from land. */
export function deepen(ground: Uint8Array, far: Uint8Array, { ramps, formAt }: ThemedColors, zoom: number): void {
  const { firstAt, levelsAt } = rampsAt(ramps.filter(({ first }) => formAt[first] === "water"));
  const most = Math.min(MOST, Math.floor(MOST_OF_SMALL * zoom));
  // falls quickly near the coast, then slowly
  const lightAt = Float64Array.from({ length: MOST + 1 }, (_, d) => Math.max(0, most - d) ** 2 / most ** 2);
  for (let i = 0; i < ground.length; i++) {
    const levels = levelsAt[ground[i]];
    if (levels === 0) continue;
    const first = firstAt[ground[i]];
    const level = Math.round((levels - 1) * lightAt[far[i]]) + ground[i] - first - (levels >> 1);
    ground[i] = first + Math.max(0, Math.min(levels - 1, level));
  }
}

/** For each colour, the first colour and the number of levels of its ramp; 0 levels for other colours. */
function rampsAt(ramps: ThemedColors["ramps"]): Readonly<Record<"firstAt" | "levelsAt", Uint8Array>> {
  const [firstAt, levelsAt] = [new Uint8Array(256), new Uint8Array(256)];
  for (const { first, levels } of ramps) {
    firstAt.fill(first, first, first + levels);
    levelsAt.fill(levels, first, first + levels);
  }
  return { firstAt, levelsAt };
}

/** Draws a line on land along the water; and, in drawn themes, lines in the water along the land. */
export function drawCoasts(
  canvas: Canvas,
  ground: Uint8Array,
  {
    kinds,
    far,
    ink,
    theme,
  }: { readonly kinds: Uint8Array; readonly far: Uint8Array; readonly ink: number; readonly theme: Theme },
): void {
  const { width, height } = canvas;
  const shares = new Uint8Array(MOST + 1);
  if (theme.isDrawn) for (const [from, to, share] of SHORE_LINES) shares.fill(share, from, to + 1);
  const surface = ground.map((color) => kinds[color]);
  for (let y = 1; y < height - 1; y++) {
    const kindsAt = (i: number) => surface[i - width] | surface[i] | surface[i + width];
    let [west, here] = [kindsAt(y * width), kindsAt(y * width + 1)];
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      const east = kindsAt(i + 1);
      // the bit of WATER is set if one of the nine kinds is water: most pixels of land are far from it
      const isShore = surface[i] === LAND && ((west | here | east) & WATER) !== 0;
      const share = isShore ? shoreShare(surface, width, i) : surface[i] === WATER ? shares[far[i]] : 0;
      if (share > 0) canvas.cover(x, y, ink, share);
      [west, here] = [here, east];
    }
  }
}

/** Returns how much of a pixel of land the coast covers, in eighths: more beside water than across its corners. */
function shoreShare(surface: Uint8Array, width: number, i: number): number {
  const [above, below] = [i - width, i + width];
  const waters = (...places: readonly number[]) => places.filter((at) => surface[at] === WATER).length;
  const count = waters(i - 1, i + 1, above, below);
  if (count > 0) return Math.min(7, 4 + count);
  return 2 * waters(above - 1, above + 1, below - 1, below + 1);
}

/** Makes paper uneven: moves each colour of a terrain by at most one level. */
export function stain(
  ground: Uint8Array,
  width: number,
  { ramps }: ThemedColors,
  [x0, y0]: readonly [number, number],
): void {
  const { firstAt, levelsAt } = rampsAt(ramps);
  const height = ground.length / width;
  for (let y = 0; y < height; y++) {
    const noise = noiseRow(y + y0);
    for (let x = 0; x < width; x++) {
      const i = y * width + x;
      const value = noise(x + x0);
      const move = value < 88 ? -1 : value > 168 ? 1 : 0;
      const level = ground[i] - firstAt[ground[i]] + move;
      if (level >= 0 && level < levelsAt[ground[i]]) ground[i] = firstAt[ground[i]] + level;
    }
  }
}

const STAIN_PIXELS = 32;

/** Returns smooth random numbers, 0 … 255, along a row of pixels of the plane. */
function noiseRow(y: number): (x: number) => number {
  const row = Math.floor(y / STAIN_PIXELS);
  const dy = y - row * STAIN_PIXELS;
  let [known, left, right] = [Number.NaN, 0, 0];
  const corner = (column: number) =>
    (hash(column, row) & 255) * (STAIN_PIXELS - dy) + (hash(column, row + 1) & 255) * dy;
  return (x) => {
    const column = Math.floor(x / STAIN_PIXELS);
    if (column !== known) [known, left, right] = [column, corner(column), corner(column + 1)];
    const dx = x - column * STAIN_PIXELS;
    return (left * (STAIN_PIXELS - dx) + right * dx) / STAIN_PIXELS ** 2;
  };
}

/**
 * Returns 32 bits for a place of the plane. Decorations use them, and no result does. Source: the ends of MurmurHash3.
 */
export function hash(x: number, y: number): number {
  let bits = Math.imul(x | 0, 0x9e3779b1) ^ Math.imul((y | 0) + 0x7f4a7c15, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
