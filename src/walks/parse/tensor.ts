import { MAX_TOTAL, scaleToIntegers } from "../../decimals.js";
import { Field, type InputOf, type OptionalShape, record, type SpecReader, shape } from "../../spec/index.js";
import { combine } from "../compile.js";
import { DIRECTION_KEYS, DIRECTIONS, TURN_KEYS, TURNS } from "../directions.js";
import type { TensorSpec } from "../types.js";

const WEIGHTS = record({
  /** A weight for each direction, by any of its names; 0 if not listed. Default: six equal weights. */
  absolute: weights(DIRECTION_KEYS, DIRECTIONS),
  /** A weight for each turn from the heading, by any of its names; 0 if not listed. Default: six equal weights. */
  relative: weights(TURN_KEYS, TURNS),
});
/**
 * The weights of a step, as users write them (the Direction Tensor of the drunken-walk study). Each weight is ≥ 0 and
 * may have decimals.
 * A direction or a turn has a short name and a name from the study. A turn can also be an hour of a clock. You can mix
 * these names, but list each direction or turn only once.
 */
export interface TensorInput extends InputOf<typeof WEIGHTS> {}
export const TENSOR = shape<TensorInput, TensorSpec>(readTensor, WEIGHTS);

function readTensor(reader: SpecReader, at: Field): TensorSpec {
  const before = reader.errors;
  if (changes(at)) {
    const problem = "a tensor cannot change during a walk: one tensor applies to all cells and steps of a layer";
    const remedy =
      "For other weights at other places or later steps, use several layers: a later layer can start on the cells of " +
      "an earlier layer (start), stay on these cells (open), avoid them (closed) or end on them (until)";
    const finding = { problem, got: at.value, expected: 'one object with "absolute" and "relative"', remedy };
    reader.report(at, finding, "walk.tensor");
    return PRESETS.uniform;
  }
  const { absolute, relative } = WEIGHTS.read(reader, at);
  if (reader.errors > before) return PRESETS.uniform;

  const spec = {
    absolute: scaled(reader, absolute, MAX_TOTAL),
    // for some heading, a relative weight is multiplied by an absolute weight ≥ 1, so none of the six exceeds MAX_TOTAL
    relative: scaled(reader, relative, 6 * MAX_TOTAL),
  };
  if (reader.errors === before && spec.absolute.every((weight) => weight === 0)) {
    const expected = "at least one weight above 0";
    const remedy = "Give a direction a weight above 0, or omit `absolute` to use six equal weights";
    const finding = { problem: "every absolute weight is 0", expected, remedy };
    reader.report(new Field(undefined, at, "absolute"), finding, "weights.empty");
  }
  if (reader.errors === before) refuseOverflow(reader, at, spec);
  return spec;
}

/** Whether a tensor is written as if it could change: a list, a function, or an object with a key such as `step`. */
function changes({ value }: Field): boolean {
  if (Array.isArray(value) || typeof value === "function") return true;
  return Object.keys(Object(value)).some((key) => CHANGING.test(key));
}

const CHANGING = /layer|row|col|cell|step|time|region|from/i;

/** Six weights before they are scaled to integers. Each path ends with the name that the user wrote. */
type Part = Readonly<{ weights: readonly unknown[]; paths: readonly string[] }>;

/** The shape of an object with weights by name. It is read as six weights, in the order of `names`. */
/* @__NO_SIDE_EFFECTS__ */
function weights<Key extends string>(
  keys: ReadonlyMap<Key, number>,
  names: readonly string[],
): OptionalShape<{ readonly [name in Key]?: number }, Part> {
  const read = (reader: SpecReader, at: Field) => readPart(reader, at, keys, names);
  const properties = Object.fromEntries([...keys.keys()].map((key) => [key, { type: "number", minimum: 0 }]));
  return { ...shape(read, { type: "object", additionalProperties: false, properties }), isOptional: true };
}

function readPart(reader: SpecReader, at: Field, keys: ReadonlyMap<string, number>, names: readonly string[]): Part {
  const weights: unknown[] = names.map(() => (at.value === undefined ? 1 : 0));
  const paths = names.map((name) => `${at.path}.${name}`);
  if (at.value === undefined) return { weights, paths };
  const fields = reader.fields(at, [...keys.keys()]);
  const seen = new Set<number>();
  for (const key of fields.keys) {
    const i = keys.get(key);
    if (i === undefined) continue;
    const field = fields.get(key);
    if (seen.has(i)) {
      const [problem, expected] = [`this name has the same meaning as ${paths[i]}`, "each direction or turn once"];
      reader.report(field, { problem, got: key, expected, remedy: "Remove one of the two" }, "walk.tensor");
    }
    seen.add(i);
    weights[i] = field.value;
    paths[i] = field.path;
  }
  return { weights, paths };
}

function scaled(reader: SpecReader, { weights, paths }: Part, maxTotal: number): readonly number[] {
  const { scaled: result, issues } = scaleToIntegers(weights, { path: (i) => paths[i], file: reader.file, maxTotal });
  for (const issue of issues) reader.add(issue);
  return result?.integers ?? [];
}

function refuseOverflow(reader: SpecReader, at: Field, spec: TensorSpec): void {
  const heading = DIRECTIONS.find((_, d) => combine(spec, d).reduce((sum, weight) => sum + weight, 0) > MAX_TOTAL);
  if (heading === undefined) return;
  const problem = `the products of absolute and relative weights are too large for heading ${heading}`;
  const expected = `a sum of at most ${MAX_TOTAL} after scaling to integers`;
  const remedy = "Use fewer digits, or divide all weights of absolute or relative by a common factor";
  reader.report(at, { problem, expected, remedy }, "weights.overflow");
}

const EQUAL = [1, 1, 1, 1, 1, 1] as const;

/**
 * The patterns of the drunken-walk study. Their absolute weights are equal. A name such as `rb50-lb50` lists turns,
 * each with its share in percent: RB right backward, LB left backward, SF straight forward, RF right forward, LF left
 * forward.
 */
export const PRESETS = {
  /** The map is compact but elongated. */
  "rb50-lb50": relative(0, 0, 1, 0, 1, 0),
  "rb66-lb33": relative(0, 0, 2, 0, 1, 0),
  /** The map is less compact, because straight runs bend to the right and close large loops. */
  "sf66-rf33": relative(2, 1, 0, 0, 0, 0),
  /** The map has regular holes, because one cell in three is never visited. */
  "rf50-lf50": relative(0, 1, 0, 0, 0, 1),
  /** 20 % for each turn except straight backward. */
  "five-ways": relative(1, 1, 1, 0, 1, 1),
  /** The plain drunken walk. Not in the study. */
  uniform: relative(1, 1, 1, 1, 1, 1),
} as const;

/** The name of a pattern in {@link PRESETS}. */
export type PresetName = keyof typeof PRESETS;

function relative(...weights: readonly number[]): { absolute: readonly number[]; relative: readonly number[] } {
  return { absolute: EQUAL, relative: weights };
}
