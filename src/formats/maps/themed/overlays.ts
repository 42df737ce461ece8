import { type Canvas, FULL } from "../../pictures/canvas.js";
import { drawName, NAME_HEIGHT, nameUnits } from "../../pictures/letters.js";
import { MARK_SHAPES, type MarkShape, markStamp } from "../../pictures/marks.js";
import type { CheckedMap } from "../terrainMap.js";
import { hash } from "./coasts.js";
import { type Grid, type ThemedColors, WASH_PERCENT } from "./ground.js";

export const NO_REALM = 0xffff_ffff;
/** Half of the width of the wash along borders, in pixels on small cells. */
const WASH = 3;

/** Draws a line on land between cells of different realms, in a pale wash of its colour. */
export function drawRealms(
  canvas: Canvas,
  grid: Grid,
  { isLand, border, zoom }: Readonly<Record<"border" | "zoom", number>> & { isLand: (i: number) => boolean },
): void {
  if (grid.realms === undefined || grid.realms.every((realm, _, [first]) => realm === first)) return;
  const { width, height } = canvas;
  const at = realmsOfPixels(grid, grid.realms, width, height);
  const borders: number[] = [];
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0, i = y * width; x < width - 1; x++, i++) {
      if (at[i] === at[i + 1] && at[i] === at[i + width]) continue;
      const isBorder = (j: number) => at[i] !== at[j] && isLand(i) && isLand(j);
      if (isBorder(i + 1) || isBorder(i + width)) borders.push(i);
    }
  }
  for (const i of near(borders, width, height, Math.round(WASH * zoom))) {
    if (isLand(i)) canvas.cover(i % width, Math.floor(i / width), border, (WASH_PERCENT * FULL) / 100);
  }
  for (const i of borders) canvas.cover(i % width, Math.floor(i / width), border, FULL);
}

/** Returns the pixels at most `reach` pixels from some of `pixels`. */
function near(pixels: readonly number[], width: number, height: number, reach: number): Set<number> {
  const found = new Set<number>();
  for (const i of pixels) {
    const [x, y] = [i % width, Math.floor(i / width)];
    for (let dy = -Math.min(reach, y); dy <= Math.min(reach, height - 1 - y); dy++) {
      for (let dx = -Math.min(reach, x); dx <= Math.min(reach, width - 1 - x); dx++) {
        if (dx * dx + dy * dy <= reach * reach) found.add(i + dy * width + dx);
      }
    }
  }
  return found;
}

function realmsOfPixels(
  { rows, cols, scale, cornerOf }: Grid,
  realms: Uint32Array,
  width: number,
  height: number,
): Uint32Array {
  const at = new Uint32Array(width * height).fill(NO_REALM);
  for (let r = 0; r < rows; r++) {
    const [left, top] = cornerOf(r);
    for (const [line, [start, end]] of scale.lines.entries()) {
      if (top + line >= height) break;
      for (let c = 0; c < cols; c++) {
        const from = (top + line) * width + left + c * scale.cellPixels;
        at.fill(realms[r * cols + c], from + start, from + end);
      }
    }
  }
  return at;
}

/** A mark in the picture. `order` decides which of two marks is drawn if they would overlap. */
interface PlacedMark {
  readonly x: number;
  readonly y: number;
  readonly kind: number;
  readonly index: number;
  /** The size of its name. */
  readonly size: number;
  readonly diameter: number;
  readonly order: number;
}

/** Diameters on small cells, of marks whose names have size 1; each further size adds some pixels. */
const SMALL_MARK = 9;
const SMALL_ICON = 13;
const PIXELS_OF_SIZE = 3;
const DOT = 5;
/** Free pixels between marks. */
const MARK_GAP = 5;

interface CellPlaces {
  readonly cellPixels: number;
  /** Returns the pixel in the middle of a cell. */
  readonly middleOf: (row: number, col: number) => readonly [x: number, y: number];
}

/** Draws marks. Where marks would overlap, one has its shape, and the others are dots below it. */
export function drawThemedMarks(
  canvas: Canvas,
  { marks }: CheckedMap,
  colors: ThemedColors,
  { cellPixels, middleOf }: CellPlaces,
): Readonly<Record<"drawn" | "dots", readonly PlacedMark[]>> {
  const least = (shape: MarkShape) => (MARK_SHAPES.includes(shape) ? SMALL_MARK : SMALL_ICON);
  const diameterOf = (shape: MarkShape, size: number) =>
    Math.max(least(shape) + Math.min(4, cellPixels >> 2) + PIXELS_OF_SIZE * (size - 1), Math.floor(cellPixels * 0.6)) |
    1;
  const placed = marks.flatMap(({ rows, cols, shape, textSizes }, kind) =>
    Array.from(rows, (row, index): PlacedMark => {
      const [x, y] = middleOf(row, cols[index]);
      const size = textSizes[index];
      return { x, y, kind, index, size, diameter: diameterOf(shape, size), order: hash(cols[index], row) };
    }),
  );
  const shown = apart(placed);
  const dot = markStamp("dot", DOT);
  const dots = placed.filter((mark) => !shown.has(mark));
  for (const { x, y, kind } of dots) canvas.stamp(dot, x, y, [colors.marks[kind].outline, colors.marks[kind].color]);
  const drawn = [...shown].sort((a, b) => a.y - b.y || a.x - b.x);
  for (const { x, y, kind, diameter } of drawn) {
    const stamp = markStamp(marks[kind].shape, diameter);
    canvas.stamp(stamp, x, y, [colors.marks[kind].outline, colors.marks[kind].color]);
  }
  return { drawn, dots };
}

const byOrder = (a: PlacedMark, b: PlacedMark): number =>
  b.size - a.size || a.kind - b.kind || a.order - b.order || a.index - b.index;

/** Returns the marks that come before all marks that they would touch: by size, by kind, then at random. */
function apart(marks: readonly PlacedMark[]): Set<PlacedMark> {
  const distance = Math.max(1, ...new Set(marks.map(({ diameter }) => diameter))) + MARK_GAP;
  const squares = new Map<string, PlacedMark[]>();
  const squareOf = (x: number, y: number) => `${Math.floor(x / distance)},${Math.floor(y / distance)}`;
  for (const mark of marks) {
    const square = squares.get(squareOf(mark.x, mark.y));
    if (square === undefined) squares.set(squareOf(mark.x, mark.y), [mark]);
    else square.push(mark);
  }
  const touch = (a: PlacedMark, b: PlacedMark) =>
    Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) < (a.diameter + b.diameter) / 2 + MARK_GAP;
  const isBeaten = (mark: PlacedMark) =>
    [-1, 0, 1].some((dy) =>
      [-1, 0, 1].some((dx) =>
        squares
          .get(squareOf(mark.x + dx * distance, mark.y + dy * distance))
          ?.some((other) => touch(other, mark) && byOrder(other, mark) < 0),
      ),
    );
  return new Set(marks.filter((mark) => !isBeaten(mark)));
}

export type Box = Readonly<Record<"x0" | "y0" | "x1" | "y1", number>>;

/** Size of a unit of letters in eighths of a pixel, for sizes 1 … 4. */
const LETTER_UNITS = [8, 10, 13, 17] as const;
const MAX_CHARACTERS = 32;

/** How letters are drawn, and the part of the canvas that is shown. */
export interface Lettering {
  readonly area: Box;
  readonly letters: number;
  readonly halo: number;
  readonly zoom: number;
}

/**
 * Writes the names of marks: larger ones first, each where it overlaps no name, mark or box of `taken`; or not at all.
 */
export function drawLabels(
  canvas: Canvas,
  { marks }: CheckedMap,
  { drawn, dots }: ReturnType<typeof drawThemedMarks>,
  { taken, ...lettering }: Lettering & { readonly taken: readonly Box[] },
): void {
  const boxes = new Boxes();
  for (const box of taken) boxes.add(box);
  for (const { x, y, diameter } of drawn) boxes.add(boxAround(x, y, diameter, diameter));
  for (const { x, y } of dots) boxes.add(boxAround(x, y, DOT, DOT));
  const names = drawn.flatMap((mark) => {
    const text = lettersOf(marks[mark.kind].texts?.[mark.index] ?? "");
    const unit = Math.round(LETTER_UNITS[mark.size - 1] * lettering.zoom);
    return text === "" ? [] : [{ ...mark, text, unit }];
  });
  names.sort(byOrder);
  for (const { text, unit, ...mark } of names) {
    const places = placesBeside(mark, text, unit);
    const box = places.find((one) => isWithin(one, lettering.area) && !boxes.meet(one));
    if (box === undefined) continue;
    boxes.add(box);
    write(canvas, text, { x: box.x0 + 1, y: box.y0 + 1, unit }, lettering);
  }
}

const BAND_PIXELS = 32;

/** Boxes by the bands of rows that they touch, so that a box is compared only with boxes near it. */
class Boxes {
  readonly #bands = new Map<number, Box[]>();

  add(box: Box): void {
    for (const band of bandsOf(box)) {
      const boxes = this.#bands.get(band);
      if (boxes === undefined) this.#bands.set(band, [box]);
      else boxes.push(box);
    }
  }

  meet(box: Box): boolean {
    return bandsOf(box).some((band) => this.#bands.get(band)?.some((other) => meets(box, other)));
  }
}

function bandsOf({ y0, y1 }: Box): number[] {
  const [first, last] = [Math.floor(y0 / BAND_PIXELS), Math.floor(y1 / BAND_PIXELS)];
  return Array.from({ length: last - first + 1 }, (_, k) => first + k);
}

/** Returns the boxes of a name below, right of, left of and above a mark. */
function placesBeside(
  { x, y, diameter }: Readonly<Record<"x" | "y" | "diameter", number>>,
  text: string,
  unit: number,
) {
  const [width, height] = textSize(text, unit);
  const [far, down] = [Math.ceil((diameter + width) / 2) + 3, Math.ceil((diameter + height) / 2) + 2];
  const middles = [
    [x, y + down],
    [x + far, y],
    [x - far, y],
    [x, y - down],
  ];
  return middles.map(([left, top]) => boxAround(left, top, width + 2, height + 2));
}

export function textSize(text: string, unit: number): readonly [width: number, height: number] {
  return [Math.ceil((nameUnits(text) * unit) / 8), Math.ceil((NAME_HEIGHT * unit) / 8)];
}

export function write(
  canvas: Canvas,
  text: string,
  at: Readonly<Record<"x" | "y" | "unit", number>>,
  { letters, halo }: Lettering,
): void {
  drawName(canvas, text, { ...at, width: at.unit + 20, color: halo });
  drawName(canvas, text, { ...at, width: at.unit, color: letters });
}

/** Returns a text without accents, because the letters are ASCII. */
export function lettersOf(text: string): string {
  const plain = text
    .slice(0, 4 * MAX_CHARACTERS)
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "");
  return [...plain].slice(0, MAX_CHARACTERS).join("").trim();
}

function boxAround(x: number, y: number, width: number, height: number): Box {
  const [x0, y0] = [x - (width >> 1), y - (height >> 1)];
  return { x0, y0, x1: x0 + width, y1: y0 + height };
}

export const meets = (a: Box, b: Box) => a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
const isWithin = (a: Box, b: Box) => a.x0 >= b.x0 && a.x1 <= b.x1 && a.y0 >= b.y0 && a.y1 <= b.y1;

/**
 * Draws a bar in the south-west whose length is a round number of cells: at most a quarter of the width. Returns the
 * box that it takes.
 */
export function drawScaleBar(canvas: Canvas, lettering: Lettering, cellsPerPixel: number): Box[] {
  const { area, letters, halo, zoom } = lettering;
  const cells = roundNumber(((area.x1 - area.x0) / 4) * cellsPerPixel);
  const thick = Math.max(3, Math.round(4 * zoom));
  const length = Math.round(cells / cellsPerPixel);
  const [x, y] = [area.x0 + 6 * thick, area.y1 - 4 * thick];
  if (length < LEAST_BAR) return [];
  for (let dy = -1; dy <= thick; dy++) {
    for (let dx = -1; dx <= length; dx++) {
      const isRim = dx < 0 || dy < 0 || dx === length || dy === thick;
      const isDark = isRim || Math.floor((4 * dx) / length) % 2 === 0;
      canvas.cover(x + dx, y + dy, isDark ? letters : halo, FULL);
    }
  }
  const unit = Math.round(8 * zoom);
  const above = y - 3 - textSize("0", unit)[1];
  const texts = [
    { text: "0", middle: x },
    { text: `${cells} cells`, middle: x + length },
  ];
  for (const { text, middle } of texts) {
    write(canvas, text, { x: middle - (textSize(text, unit)[0] >> 1), y: above, unit }, lettering);
  }
  const right = x + length + (textSize(texts[1].text, unit)[0] >> 1);
  return [{ x0: area.x0, y0: above - 2, x1: right + 2, y1: area.y1 }];
}

const LEAST_BAR = 4;

/** Returns the greatest of 1, 2, 5, 10, 20, 50, … that is at most `most`; 0 if `most` is less than 1. */
function roundNumber(most: number): number {
  if (most < 1) return 0;
  let power = 1;
  while (power * 10 <= most) power *= 10;
  return [5, 2, 1].map((factor) => factor * power).find((number) => number <= most) ?? 0;
}
