import { decimalFraction } from "../decimals.js";
import { error, fail } from "../errors/index.js";
import { add, divide, type Fraction, ZERO } from "../fractions.js";
import { specOf } from "../spec/index.js";
import { compileTensor } from "../walks/compile.js";
import { directionNumber, headingNumber, OFFSETS } from "../walks/directions.js";
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
import type { TensorPlan } from "../walks/types.js";

/** Closed directions: their names, or six flags in the order NW … W, true for closed. */
export type ClosedDirections = Iterable<DirectionKey> | readonly boolean[];

/**
 * The class module of the drunken-walk study, by its names, in exact fractions instead of Single. In new code use
 * `walk.odds`.
 *
 * Source: the drunken-walk study of 2016 (docs/formats.md).
 */
export class DirectionTensor {
  readonly #plan: TensorPlan;

  /**
   * @param pattern - weights by name, or the name of a preset.
   * @throws RollmillError `walk.spec`, `walk.tensor`, `weights.*`, as parseWalk.
   */
  constructor(pattern: TensorInput | PresetName) {
    this.#plan = compileTensor(specOf(parseTensor(pattern)));
  }

  /**
   * The direction of the step from `previous` to `current`, or "resting" for any other displacement (GetDirection). On a
   * torus the displacement wraps. If several directions fit a narrow torus, the first of NW … W wins; a walker that has not
   * moved rests.
   */
  static direction(previous: Cell, current: Cell, grid: GridSpec = { kind: "unbounded" }): Heading {
    const rows = current[0] - previous[0];
    const cols = current[1] - previous[1];
    if (rows === 0 && cols === 0) return "resting";
    const same = (a: number, b: number, side: number) => (grid.kind === "torus" ? (a - b) % side === 0 : a === b);
    const [height, width] = grid.kind === "unbounded" ? [0, 0] : [grid.rows, grid.cols];
    return (
      DIRECTIONS.find((_, i) => same(rows, OFFSETS[i][0], height) && same(cols, OFFSETS[i][1], width)) ?? "resting"
    );
  }

  /** CalculateProbabilities: six fractions, NW … W; six zeros if the heading's combined weights are all 0. */
  calculate(heading: HeadingKey): Fraction[] {
    return combinedShares(this.#plan, headingNumber(heading));
  }

  /**
   * NormalizeProbabilities: divides by `total`. If `total` is 0, divides by the sum of `p`; if that is 0 too, returns the
   * fractions of a resting walker.
   *
   * @param p - six numbers or fractions, NW … W; a number means its shortest decimal form.
   * @throws RollmillError `weights.invalid` for a number that is negative or not finite.
   */
  normalize(p: readonly (number | Fraction)[], total: number | Fraction = 0): Fraction[] {
    const parts = p.map(exact);
    const given = exact(total);
    const divisor = given.numerator === 0n ? parts.reduce(add, ZERO) : given;
    return divisor.numerator === 0n ? this.calculate("resting") : parts.map((part) => divide(part, divisor));
  }

  /**
   * The six fractions that a step uses, NW … W; six zeros if the walker rests. The rule is that of `walk.odds`.
   *
   * @throws RollmillError `argument.range` for an unknown name.
   */
  probabilities(heading: HeadingKey, closed: ClosedDirections = []): Fraction[] {
    const state = { heading: headingNumber(heading), closed: closedNumbers(closed) };
    return stepOdds(this.#plan, state).odds.map(({ probability }) => probability);
  }
}

function exact(value: number | Fraction): Fraction {
  if (typeof value !== "number") return value;
  if (value >= 0 && value < Number.POSITIVE_INFINITY) return decimalFraction(value);
  return fail(error("weights.invalid", { problem: "a probability is not usable", got: value, expected: "0 or more" }));
}

function closedNumbers(closed: ClosedDirections): ReadonlySet<number> {
  const numbers = new Set<number>();
  let flags = 0;
  for (const entry of closed) {
    if (typeof entry !== "boolean") numbers.add(directionNumber(entry));
    else if (flags++ < DIRECTIONS.length && entry) numbers.add(flags - 1);
  }
  if (flags <= DIRECTIONS.length) return numbers;
  return fail(error("argument.range", { problem: "too many flags", got: flags, expected: "six flags, or names" }));
}
