// Cells on a grid without edges, by Amit Patel, Hexagonal Grids, https://www.redblobgames.com/grids/hexagons/

import { decimalFraction } from "../decimals.js";
import { error, fail, readFields } from "../errors/index.js";
import { type Fraction, fraction, multiply, subtract, ZERO } from "../fractions.js";
import { checkInteger, readOptions, refuseArgument } from "../spec/index.js";
import { OFFSETS } from "./directions.js";
import { type Coordinates, coordinatesOf, readPlace, type UprightGrid } from "./rectangles.js";
import type { Cell, GridSpec } from "./types.js";

/** Options of {@link hexNeighbours}, {@link hexDistance}, {@link hexLine} and {@link hexRing}. */
export interface HexOptions {
  /** The coordinates of all cells, given and returned. Default `axial`. */
  readonly coordinates?: Coordinates | undefined;
}

/** Options of {@link hexToPixel} and {@link pixelToHex}. */
export interface HexPixelOptions extends HexOptions {
  /**
   * The distance from the centre of a hexagon to its corners, which is also the length of its sides, in pixels:
   * 0.000001 … 1000000. The hexagons have a corner on top. A cell is √3 · size wide, and rows are 1.5 · size apart.
   */
  readonly size: number;
}

/** Maximum length of a line and maximum radius of a ring, in steps. */
const MAX_STEPS = 2 ** 17;
const [MIN_SIZE, MAX_SIZE] = [1e-6, 1e6];
/** All cells with 32-bit coordinates have their centres within so many sizes of 0. */
const MAX_SIZES = 2 ** 34;
const SQRT3 = Math.sqrt(3);

/**
 * Converts a cell from axial to odd-r coordinates: col = q + ⌊row / 2⌋.
 *
 * @throws RollmillError `argument.type`, `argument.range` if the cell is not a pair of 32-bit integers.
 */
export function axialToOddR(cell: readonly [row: number, col: number]): [row: number, col: number] {
  const [row, q] = readPlace("cell", cell, 1);
  return [row, q + shiftOfOddR(row)];
}

/**
 * Converts a cell from odd-r to axial coordinates: q = col − ⌊row / 2⌋.
 *
 * @throws RollmillError `argument.type`, `argument.range` if the cell is not a pair of 32-bit integers.
 */
export function oddRToAxial(cell: readonly [row: number, col: number]): [row: number, q: number] {
  const [row, col] = readPlace("cell", cell, 1);
  return [row, col - shiftOfOddR(row)];
}

/**
 * Returns the six neighbours of a cell, clockwise from north-west, in the order of `DIRECTIONS`. The cell has 32-bit
 * coordinates; those of its neighbours can be 1 outside this range. Cost: O(1).
 *
 * @throws RollmillError `argument.type`, `argument.range` for invalid arguments.
 * @example hexNeighbours([0, 0])[2]; // → [0, 1], the cell to the east
 */
export function hexNeighbours(cell: Cell, options: HexOptions = {}): [row: number, col: number][] {
  const shiftOf = readShift("hexNeighbours", options);
  const [row, q] = readAxial("cell", cell, shiftOf);
  return OFFSETS.map(([rows, cols]) => [row + rows, q + cols + shiftOf(row + rows)]);
}

/**
 * Returns the number of steps between two cells with 32-bit coordinates: the greatest absolute value among the
 * differences of row, q and row + q. Cost: O(1).
 *
 * @throws RollmillError `argument.type`, `argument.range` for invalid arguments.
 * @example hexDistance([0, 0], [3, -1]); // → 3
 */
export function hexDistance(a: Cell, b: Cell, options: HexOptions = {}): number {
  const shiftOf = readShift("hexDistance", options);
  return stepsBetween(readAxial("a", a, shiftOf), readAxial("b", b, shiftOf));
}

/** Returns the number of steps between two cells in the coordinates of a grid. */
export function distanceBetween(grid: GridSpec | UprightGrid, a: Cell, b: Cell): number {
  const shiftOf = shiftIn(coordinatesOf(grid));
  return stepsBetween([a[0], a[1] - shiftOf(a[0])], [b[0], b[1] - shiftOf(b[0])]);
}

/**
 * Returns the cells on the straight line between the centres of two cells, from `a` to `b`, both included. Each cell is
 * a neighbour of the one before. Where the line passes between two cells, the one to the right is taken, so the line
 * from `b` to `a` has the same cells. Cost: O(cells).
 *
 * @param a - the first cell, with 32-bit coordinates.
 * @param b - the last cell, at most 131072 steps from `a`.
 * @throws RollmillError `argument.type`, `argument.range` for invalid arguments.
 * @example hexLine([0, 0], [2, -1]); // → [[0, 0], [1, 0], [2, -1]]
 */
export function hexLine(a: Cell, b: Cell, options: HexOptions = {}): [row: number, col: number][] {
  const shiftOf = readShift("hexLine", options);
  const [from, to] = [readAxial("a", a, shiftOf), readAxial("b", b, shiftOf)];
  const steps = stepsBetween(from, to);
  if (steps > MAX_STEPS) {
    fail(
      error("argument.range", { problem: "the line is too long", got: steps, expected: `at most ${MAX_STEPS} steps` }),
    );
  }
  const [rows, cols] = [to[0] - from[0], to[1] - from[1]];
  return Array.from({ length: steps + 1 }, (_, k) => {
    const [row, q] = pointOfLine(k, steps, rows, cols);
    return [from[0] + row, from[1] + q + shiftOf(from[0] + row)];
  });
}

/**
 * Returns the cells at the distance `radius` from a center, clockwise from the cell that lies `radius` steps to the
 * north-west: 6 · radius cells, or the center alone if `radius` is 0. Their coordinates can be outside the 32-bit range
 * by up to `radius`. Cost: O(cells).
 *
 * @param center - a cell with 32-bit coordinates.
 * @param radius - 0 … 131072.
 * @throws RollmillError `argument.type`, `argument.range` for invalid arguments.
 * @example hexRing([0, 0], 2).length; // → 12
 */
export function hexRing(center: Cell, radius: number, options: HexOptions = {}): [row: number, col: number][] {
  const shiftOf = readShift("hexRing", options);
  const [row, q] = readAxial("center", center, shiftOf);
  checkInteger("radius", radius, 0, MAX_STEPS);
  if (radius === 0) return [[row, q + shiftOf(row)]];
  return OFFSETS.flatMap(([rows, cols], corner) => {
    // the side from one corner to the next one runs two directions further clockwise
    const [down, right] = OFFSETS[(corner + 2) % OFFSETS.length];
    return Array.from({ length: radius }, (_, k): [number, number] => {
      const at = row + radius * rows + k * down;
      return [at, q + radius * cols + k * right + shiftOf(at)];
    });
  });
}

/**
 * Returns the centre of a cell with 32-bit coordinates: x = √3 · size · (q + row / 2) to the right, y = 1.5 · size ·
 * row down, as doubles. The centre of the cell [0, 0] is at 0, 0. Cost: O(1).
 *
 * @throws RollmillError `argument.type`, `argument.range` for invalid arguments.
 * @example hexToPixel([2, 1], { size: 10 }); // → { x: 34.64101615137754, y: 30 }
 */
export function hexToPixel(cell: Cell, options: HexPixelOptions): { x: number; y: number } {
  const { size, shiftOf } = readPixelOptions("hexToPixel", options);
  const [row, q] = readAxial("cell", cell, shiftOf);
  return { x: size * SQRT3 * (q + row / 2), y: size * 1.5 * row };
}

/**
 * Returns the cell at a point: the inverse of {@link hexToPixel}. A point on a border belongs to the cell to its right.
 * The result is exact for the decimals that JavaScript prints for x, y and size. Cost: O(1), about ten times as much if
 * doubles cannot decide, because the point is within rounding errors of a border, or of a line from a corner to the
 * opposite corner.
 *
 * @param point - x and y from −2³⁴ · size to 2³⁴ · size, so the cell can have coordinates outside the 32-bit range.
 * @throws RollmillError `argument.type`, `argument.range` for invalid arguments.
 * @example pixelToHex({ x: 40, y: 25 }, { size: 10 }); // → [2, 1]
 */
export function pixelToHex(
  point: { readonly x: number; readonly y: number },
  options: HexPixelOptions,
): [row: number, col: number] {
  const { size, shiftOf } = readPixelOptions("pixelToHex", options);
  const { x, y } = readFields("the point", point, ["x", "y"]);
  checkNumber("x", x, -MAX_SIZES * size, MAX_SIZES * size);
  checkNumber("y", y, -MAX_SIZES * size, MAX_SIZES * size);
  // The lines on which u, v or w is an integer cut each hexagon into six triangles. u, v and w grow to the right, so
  // rounding down takes the triangle on the right. At the centre of a cell, u is q − row, v is q + 2 · row, and w,
  // which is u + v, is 2 · q + row. In its triangles, ⌊u⌋, ⌊v⌋ and ⌊w⌋ are at most 1 less, and ⌊u⌋ + ⌊v⌋ is ⌊w⌋ or ⌊w⌋
  // − 1.
  const [u, v, w] = [floorOf(x, -y, size), floorOf(x, y, size), floorOf(x, 0, size, 2)];
  const row = Math.floor((v - u + 1) / 3);
  return [row, Math.floor((u + w + 2) / 3) + shiftOf(row)];
}

/** Throws `argument.type` if `value` is not the name of a kind of coordinates. */
export function checkCoordinates(name: string, value: unknown): asserts value is Coordinates {
  if (value !== "axial" && value !== "odd-r") refuseArgument(name, value, '"axial" or "odd-r"');
}

function shiftOfOddR(row: number): number {
  return Math.floor(row / 2);
}

function readShift(call: string, options: HexOptions): (row: number) => number {
  return shiftIn(readOptions(call, options, ["coordinates"]).coordinates);
}

/** Returns the function that gives col − q for each row. */
export function shiftIn(coordinates: Coordinates = "axial"): (row: number) => number {
  checkCoordinates("coordinates", coordinates);
  return coordinates === "odd-r" ? shiftOfOddR : () => 0;
}

function readPixelOptions(call: string, options: HexPixelOptions) {
  const { size, coordinates } = readOptions(call, options, ["size", "coordinates"]);
  checkNumber("size", size, MIN_SIZE, MAX_SIZE);
  return { size, shiftOf: shiftIn(coordinates) };
}

function checkNumber(name: string, value: unknown, least: number, most: number): asserts value is number {
  if (typeof value === "number" && value >= least && value <= most) return;
  refuseArgument(name, value, `a number from ${least} to ${most}`, "argument.range");
}

function readAxial(name: string, cell: Cell, shiftOf: (row: number) => number): [row: number, q: number] {
  const [row, col] = readPlace(name, cell, 1);
  return [row, col - shiftOf(row)];
}

function stepsBetween(a: Cell, b: Cell): number {
  return stepsOf(b[0] - a[0], b[1] - a[1]);
}

/** Returns the number of steps that lead so many rows and axial columns away. */
export function stepsOf(rows: number, cols: number): number {
  return Math.max(Math.abs(rows), Math.abs(cols), Math.abs(rows + cols));
}

/**
 * Returns the cell at k / steps of the line from [0, 0] to [rows, cols]. One of row, q and row + q changes by exactly 1
 * a step, and a second one by at most 1, so the cells are neighbours. The second one is rounded. Halves are rounded up,
 * which is to the right. The quotients of integers below 2^34 are more than their rounding errors away from a half.
 */
function pointOfLine(k: number, steps: number, rows: number, cols: number): [row: number, q: number] {
  if (steps === 0) return [0, 0];
  if (Math.abs(cols) === steps) return [Math.round((k * rows) / steps), Math.sign(cols) * k];
  const q = Math.round((k * cols) / steps);
  return [Math.abs(rows) === steps ? Math.sign(rows) * k : Math.sign(rows + cols) * k - q, q];
}

/**
 * Returns ⌊(times · x / √3 + y) / size⌋. The rounding errors of the quotient, and of the decimals x, y and size, are
 * below 2^-50 · (times · |x| + |y|) / size in total. If the quotient is closer to an integer m, exact fractions decide
 * whether times · x ≥ √3 · t, where t = m · size − y.
 */
function floorOf(x: number, y: number, size: number, times = 1): number {
  const about = ((times * x) / SQRT3 + y) / size;
  const m = Math.round(about);
  if (Math.abs(about - m) > (2 ** -50 * (times * Math.abs(x) + Math.abs(y))) / size) return Math.floor(about);
  const t = subtract(multiply(whole(m), exact(size)), exact(y));
  const { numerator } = subtract(signedSquare(multiply(whole(times), exact(x))), multiply(whole(3), signedSquare(t)));
  return numerator >= 0n ? m : m - 1;
}

function whole(value: number): Fraction {
  return fraction(BigInt(value), 1n);
}

/** Returns the decimal that JavaScript prints for a number. */
function exact(value: number): Fraction {
  return value < 0 ? subtract(ZERO, decimalFraction(-value)) : decimalFraction(value);
}

/** Returns a · |a|, which grows with a. */
function signedSquare(a: Fraction): Fraction {
  const square = multiply(a, a);
  return a.numerator < 0n ? subtract(ZERO, square) : square;
}
