import { decimalFraction } from "../decimals.js";
import { error, fail, failOnErrors } from "../errors/index.js";
import { add, divide, type Fraction, fraction, ZERO } from "../fractions.js";
import {
  DIRECTION_KEYS,
  DIRECTIONS,
  type DirectionKey,
  HEADING_KEYS,
  type Heading,
  type HeadingKey,
  OFFSETS,
  RESTING,
} from "./directions.js";
import type { Field, Report } from "./fields.js";
import { readPattern } from "./parseTensor.js";
import type { PresetName } from "./presets.js";
import { compileTensor } from "./tensor.js";
import type { Cell, GridSpec, TensorInput, TensorPlan } from "./types.js";

/** Directions that a step may not take: their names, or six flags in the order NW … W, true for closed. */
export type ClosedDirections = Iterable<DirectionKey> | readonly boolean[];

/**
 * The study's Direction Tensor: twelve weights, and for each heading the chances of the six directions. The parts of its
 * class module are here by their names, exact where that one rounds to Single.
 */
export class DirectionTensor {
  /** The weights as the kernel takes them. */
  readonly plan: TensorPlan;

  /**
   * @param pattern - weights by name, or a preset's name.
   * @throws RollmillError `walk.spec`, `walk.tensor`, `weights.*`, as parseWalk.
   */
  constructor(pattern: TensorInput | PresetName) {
    const key = typeof pattern === "string" ? "preset" : "tensor";
    const to: Report = { issues: [] };
    const spec = readPattern(to, new Map<string, Field>([[key, { path: key, value: pattern }]]));
    failOnErrors(to.issues);
    this.plan = compileTensor(spec as NonNullable<typeof spec>).tensor as TensorPlan;
  }

  /**
   * The direction of the step from `previous` to `current`, or "resting" for any other displacement (GetDirection). On a
   * torus the displacement wraps; where the torus is so narrow that several directions fit, the first of NW … W, and a
   * walker that has not moved rests.
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

  /** The six fractions of CalculateProbabilities, NW … W: six zeros where the heading's combined weights are all 0. */
  calculate(heading: HeadingKey): Fraction[] {
    return shares(this.#weights(headingNumber(heading)));
  }

  /**
   * NormalizeProbabilities: divides by `total`; a total of 0 means the sum of `p`; a sum of 0 gives the resting weights.
   *
   * @param p - six numbers or fractions, NW … W; a number means its shortest decimal form.
   */
  normalize(p: readonly (number | Fraction)[], total: number | Fraction = 0): Fraction[] {
    const parts = p.map(exact);
    const given = exact(total);
    const divisor = given.numerator === 0n ? parts.reduce(add, ZERO) : given;
    return divisor.numerator === 0n ? this.calculate("resting") : parts.map((part) => divide(part, divisor));
  }

  /**
   * The six fractions that a step uses, NW … W: the combined weights over the open directions; where those are all 0, the
   * absolute weights over the open ones; where those are too, six zeros: the walker rests.
   *
   * @param closed - directions that may not be taken; default none.
   */
  probabilities(heading: HeadingKey, closed: ClosedDirections = []): Fraction[] {
    const shut = closedFlags(closed);
    const open = (weights: readonly bigint[]) => weights.map((weight, i) => (shut[i] ? 0n : weight));
    const combined = open(this.#weights(headingNumber(heading)));
    return shares(combined.some((weight) => weight > 0n) ? combined : open(this.#weights(RESTING)));
  }

  #weights(heading: number): bigint[] {
    return Array.from(this.plan.combined.subarray(heading * 6, heading * 6 + 6), BigInt);
  }
}

function shares(weights: readonly bigint[]): Fraction[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  return weights.map((weight) => (total === 0n ? ZERO : fraction(weight, total)));
}

function exact(value: number | Fraction): Fraction {
  if (typeof value !== "number") return value;
  if (value >= 0 && value < Number.POSITIVE_INFINITY) return decimalFraction(value);
  return fail(error("weights.invalid", { problem: "a probability is not usable", got: value, expected: "0 or more" }));
}

function headingNumber(heading: HeadingKey): number {
  const number = HEADING_KEYS.get(heading);
  if (number !== undefined) return number;
  const expected = `one of ${[...HEADING_KEYS.keys()].join(", ")}`;
  return fail(error("argument.range", { problem: "unknown heading", got: heading, expected }));
}

function closedFlags(closed: ClosedDirections): boolean[] {
  const flags: boolean[] = new Array(6).fill(false);
  let index = 0;
  for (const entry of closed) {
    const i = typeof entry === "boolean" ? index++ : DIRECTION_KEYS.get(entry);
    if (i === undefined || i > 5) {
      const expected = `names of ${[...DIRECTION_KEYS.keys()].join(", ")}, or six flags`;
      fail(error("argument.range", { problem: "unknown direction", got: entry, expected }));
    } else flags[i] = entry !== false;
  }
  return flags;
}
