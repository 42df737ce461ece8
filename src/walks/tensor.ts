import { MAX_TOTAL, scaleToIntegers } from "../decimals.js";
import { error, type Issue } from "../errors/index.js";
import { DIRECTIONS, RESTING, TURNS } from "./directions.js";
import type { TensorPlan, TensorSpec } from "./types.js";

/** Paths of the two parts and of each entry as the user spelled it, for messages. */
export interface TensorPaths {
  readonly file?: string | undefined;
  /** Path of the tensor itself. */
  readonly tensor: string;
  /** Path of absolute weight i. */
  readonly absolute: (i: number) => string;
  /** Path of relative weight i. */
  readonly relative: (i: number) => string;
}

/** The paths of a tensor that stands at `path`, spelled with the short names. */
export function tensorPaths(path: string, file?: string): TensorPaths {
  return {
    file,
    tensor: path,
    absolute: (i) => `${path}.absolute.${DIRECTIONS[i]}`,
    relative: (i) => `${path}.relative.${TURNS[i]}`,
  };
}

/**
 * Compiles twelve weights to exact integers. Absolute and relative weights are each scaled by their own power of ten;
 * with heading d, `combined[d·6 + c] = absolute[c] · relative[(c − d) mod 6]`. A heading whose combined weights are all 0
 * keeps its zeros: there the step uses the absolute weights.
 *
 * Error cases: `weights.invalid`, `weights.decimals`, `weights.overflow` (a heading's sum above 2³² − 1), `weights.empty`
 * (every absolute weight is 0).
 *
 * @returns `tensor` where there are no issues.
 */
export function compileTensor(
  spec: TensorSpec,
  paths: TensorPaths = tensorPaths("tensor"),
): { tensor?: TensorPlan; issues: readonly Issue[] } {
  const { file } = paths;
  const absolute = scaleToIntegers(spec.absolute, { path: paths.absolute, file });
  // each relative weight meets some absolute weight ≥ 1, so a legal one is ≤ MAX_TOTAL
  const relative = scaleToIntegers(spec.relative, { path: paths.relative, file, maxTotal: 6 * MAX_TOTAL });
  const issues = [...absolute.issues, ...relative.issues];
  if (absolute.scaled?.total === 0) issues.push(allZero(paths));
  if (absolute.scaled === undefined || relative.scaled === undefined || issues.length > 0) return { issues };

  const combined = combine(absolute.scaled.integers, relative.scaled.integers);
  for (let heading = 0; heading < RESTING; heading++) {
    const sum = combined.slice(heading * 6, heading * 6 + 6).reduce((total, weight) => total + weight, 0);
    if (sum > MAX_TOTAL) return { issues: [overflow(paths, heading)] };
  }
  return {
    tensor: { absolute: Uint32Array.from(absolute.scaled.integers), combined: Uint32Array.from(combined) },
    issues,
  };
}

// Products are doubles: exact below 2⁵³, and above it still far above MAX_TOTAL.
function combine(absolute: readonly number[], relative: readonly number[]): number[] {
  const combined: number[] = [];
  for (let heading = 0; heading < RESTING; heading++) {
    for (let c = 0; c < 6; c++) combined.push(absolute[c] * relative[(c - heading + 6) % 6]);
  }
  return combined.concat(absolute);
}

function allZero({ tensor, file }: TensorPaths): Issue {
  return error("weights.empty", {
    problem: "every absolute weight is 0",
    expected: "at least one direction above 0",
    remedy: "Give a direction a weight, or leave `absolute` out for six equal ones",
    where: { path: `${tensor}.absolute`, file },
  });
}

function overflow({ tensor, file }: TensorPaths, heading: number): Issue {
  return error("weights.overflow", {
    problem: `the products of absolute and relative weights are too large for heading ${DIRECTIONS[heading]}`,
    expected: `a sum of at most ${MAX_TOTAL} after scaling to integers`,
    remedy: "Give fewer digits, or divide one part by a common factor",
    where: { path: tensor, file },
  });
}
