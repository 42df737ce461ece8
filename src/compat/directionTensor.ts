import { decimalFraction } from "../decimals.js";
import { error, fail, readFields } from "../errors/index.js";
import { add, divide, type Fraction, toNumber, ZERO } from "../fractions.js";
import { checkInteger, readEntries, readList, refuseArgument, specOf } from "../spec/index.js";
import { compileTensor } from "../walks/compile.js";
import { directionNumber, headingNumber } from "../walks/directions.js";
import { checkCoordinates, hexNeighbours } from "../walks/hexes.js";
import {
  type Cell,
  DIRECTIONS,
  type DirectionKey,
  type GridSpec,
  type Heading,
  type HeadingKey,
  type PresetName,
  type TensorInput,
} from "../walks/index.js";
import { combinedShares, stepOdds } from "../walks/odds.js";
import { parseTensor } from "../walks/parse.js";
import { readPlace } from "../walks/rectangles.js";
import type { TensorPlan } from "../walks/types.js";

/** Closed directions: their names, or six flags in the order NW … W. A flag is true if the direction is closed. */
export type ClosedDirections = Iterable<DirectionKey> | readonly boolean[];

/**
 * Works like the class module of the drunken-walk study of 2016 (docs/formats/walks.md), but with exact fractions in
 * place of single-precision numbers. New code should use `walk.odds`.
 */
export class DirectionTensor {
  readonly #plan: TensorPlan;

  /**
   * @param pattern - weights by name, or the name of a preset.
   * @throws RollmillError `walk.spec`, `walk.tensor`, `weights.*`, in the same cases as parseWalk.
   */
  constructor(pattern: TensorInput | PresetName) {
    this.#plan = compileTensor(specOf(parseTensor(pattern)));
  }

  /**
   * Returns the direction of the step from `previous` to `current`: the first of NW … W that leads there. On a torus,
   * steps wrap around. Returns "resting" if the cells are equal or not neighbours. The study calls this GetDirection.
   */
  static direction(previous: Cell, current: Cell, grid: GridSpec = { kind: "unbounded" }): Heading {
    const [row, col] = readPlace("previous", previous, 1);
    const [toRow, toCol] = readPlace("current", current, 1);
    const { kind, height, width, coordinates } = readGrid(grid);
    if (row === toRow && col === toCol) return "resting";
    const same = (a: number, b: number, side: number) => (kind === "torus" ? (a - b) % side === 0 : a === b);
    const found = hexNeighbours([row, col], { coordinates }).findIndex(
      ([nextRow, nextCol]) => same(toRow, nextRow, height) && same(toCol, nextCol, width),
    );
    return DIRECTIONS[found] ?? "resting";
  }

  /**
   * Returns the probabilities of the six directions, NW … W, as fractions. If the combined weights for this heading are
   * all 0, returns six zeros. The study calls this CalculateProbabilities.
   */
  calculate(heading: HeadingKey): Fraction[] {
    return combinedShares(this.#plan, headingNumber(heading));
  }

  /**
   * Divides the numbers of `p` by `total`. If `total` is 0, divides them by their sum. If the sum is 0 too, returns the
   * fractions for a walker that rests. The study calls this NormalizeProbabilities.
   *
   * @param p - six numbers or fractions, NW … W. A number means exactly the decimal fraction that JavaScript prints for
   * it: 0.1 is 1/10.
   * @throws RollmillError `weights.invalid` for a number that is negative or not finite.
   */
  normalize(p: readonly (number | Fraction)[], total: number | Fraction = 0): Fraction[] {
    const list = readList("p", p, { of: "probabilities", most: DIRECTIONS.length });
    const parts = list.map((part) => exact(part as number));
    const given = exact(total);
    const divisor = given.numerator === 0n ? parts.reduce(add, ZERO) : given;
    return divisor.numerator === 0n ? this.calculate("resting") : parts.map((part) => divide(part, divisor));
  }

  /**
   * For a step with closed directions, returns the probabilities of the six directions, NW … W. If the walker must
   * rest, all six probabilities are 0. `walk.odds` returns the same probabilities.
   *
   * @throws RollmillError `argument.range` for an unknown name.
   */
  probabilities(heading: HeadingKey, closed: ClosedDirections = []): Fraction[] {
    const { odds } = stepOdds(this.#plan, headingNumber(heading), closedNumbers(closed));
    return odds.map(({ probability }) => probability);
  }
}

/** Returns the size and the layout of a grid. The height and the width of an unbounded grid are 0. */
function readGrid(grid: GridSpec) {
  const given = grid as GridSpec & { rows?: unknown; cols?: unknown; coordinates?: unknown };
  const read = readFields("the grid", given, ["kind", "rows", "cols", "coordinates"]);
  const { kind, rows, cols, coordinates = "axial" } = read;
  if (kind === "unbounded") return { kind, height: 0, width: 0, coordinates: "axial" } as const;
  if (kind !== "bounded" && kind !== "torus") refuseArgument("grid.kind", kind, "the kind of a grid");
  checkCoordinates("grid.coordinates", coordinates);
  checkInteger("grid.rows", rows, 1, 2 ** 31 - 1);
  checkInteger("grid.cols", cols, 1, 2 ** 31 - 1);
  return { kind, height: rows, width: cols, coordinates };
}

function exact(given: number | Fraction): Fraction {
  if (typeof given !== "number") {
    const value = readFields("the fraction", given, ["numerator", "denominator"]);
    // throws for anything but a fraction
    toNumber(value);
    return value;
  }
  if (given >= 0 && given < Number.POSITIVE_INFINITY) return decimalFraction(given);
  const expected = "a finite number that is 0 or more";
  return fail(error("weights.invalid", { problem: "invalid probability", got: given, expected }));
}

/** Maximum length of a list of closed directions. A list may contain one of the six directions more than once. */
const MAX_CLOSED = 1000;

function closedNumbers(closed: ClosedDirections): ReadonlySet<number> {
  const numbers = new Set<number>();
  let flags = 0;
  const given = closed as Iterable<DirectionKey | boolean>;
  for (const entry of readEntries("closed", given, { of: "directions", most: MAX_CLOSED })) {
    if (typeof entry !== "boolean") numbers.add(directionNumber(entry));
    else if (flags++ < DIRECTIONS.length && entry) numbers.add(flags - 1);
  }
  if (flags <= DIRECTIONS.length) return numbers;
  const [problem, expected] = ["too many flags for closed directions", "at most six flags, or names of directions"];
  return fail(error("argument.range", { problem, got: flags, expected }));
}
