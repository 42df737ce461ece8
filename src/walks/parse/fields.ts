import { FIELD_MOST } from "../../kernel/layout.js";
import {
  choice,
  type Field,
  type InputOf,
  integer,
  lookUp,
  optional,
  REFERENCE,
  record,
  type SpecReader,
  type Values,
} from "../../spec/index.js";
import { combine } from "../compile.js";
import { RESTING } from "../directions.js";
import type { FieldRange, SlopeSpec, TensorSpec } from "../types.js";

const MOST_FACTOR = 65_535;
/** The weights of a step, with their factors, sum to at most this number. */
const MOST_TOTAL = 2 ** 32 - 1;
const VALUE = integer({ least: 0, most: FIELD_MOST });
const FACTOR = integer({ least: 0, most: MOST_FACTOR });

export const FIELD_RANGE = record(
  {
    /** The name of a field of the world. */
    field: REFERENCE,
    /** The least value, 0 to 65,535. Default 0. A range has `from` or `to`, or both. */
    from: optional(VALUE),
    /** The greatest value, inclusive, 0 to 65,535. Default 65,535. */
    to: optional(VALUE),
  },
  { anyOf: [{ required: ["from"] }, { required: ["to"] }] },
);
/** The cells where a field has a value from `from` to `to`, both inclusive. */
export interface FieldRangeInput extends InputOf<typeof FIELD_RANGE> {}
type Range = Values<typeof FIELD_RANGE.fields>;

export const SLOPE = record({
  /** The name of a field of the world. */
  field: REFERENCE,
  /** The factor of a neighbour with a lower value than the walker's cell, 0 to 65,535. Default 1. */
  down: optional(FACTOR, 1),
  /** The factor of a neighbour with the same value, 0 to 65,535. Default 0. */
  level: optional(FACTOR, 0),
  /** The factor of a neighbour with a higher value, 0 to 65,535. Default 0. */
  up: optional(FACTOR, 0),
  /**
   * Makes steep ways down likelier, 0 to 65,535: the factor of a lower neighbour is `down` + ⌊difference of the values
   * · `steepness` / 256⌋. Default 0.
   */
  steepness: optional(FACTOR, 0),
  /**
   * What a walker does if no open neighbour has a weight above 0. `"end"`: it ends on its cell, and a layer with
   * `stuck` can count it. `"rest"`: it stays there, and each step adds a visit. Default "end".
   */
  stuck: optional(choice(["end", "rest"]), "end"),
});
/** How walkers feel a field: the weight of each direction is multiplied by a factor of the neighbour there. */
export interface SlopeInput extends InputOf<typeof SLOPE> {}

/** The fields of a world, and the ranges of them that layers have named so far. */
export interface FieldScope {
  readonly fields: ReadonlyMap<string, number>;
  readonly ranges: FieldRange[];
  /** The number of the first field as a source. */
  readonly first: number;
}

/** Returns the number of a field. Reports an error if the layer cannot read a field of this name. */
function fieldOf(
  reader: SpecReader,
  at: Field,
  { known, isScattered }: { readonly known: FieldScope | undefined; readonly isScattered: boolean },
): number | undefined {
  if (known === undefined) {
    const remedy = "Open the layers as a world with fields, with mill.world, or remove the field here";
    reader.report(at, { problem: "a walk has no fields: only a layer of a world can read one", got: at.value, remedy });
    return undefined;
  }
  if (!isScattered) {
    const problem = "only a scattered layer can read a field";
    reader.report(at, { problem, got: at.value, remedy: 'Add "scatter" to the layer' }, "walk.scattered");
    return undefined;
  }
  const none = "no name, because the world has no fields";
  return lookUp(reader, at, { known: known.fields, problem: "no field of the world has this name", none });
}

/** Returns the number of a range as a source. */
export function rangeSource(
  reader: SpecReader,
  { field: at, from, to }: Range,
  scope: { readonly known: FieldScope | undefined; readonly isScattered: boolean },
): number | undefined {
  const field = fieldOf(reader, at, scope);
  const place = at.parent ?? at;
  if (from === undefined && to === undefined) {
    reader.report(place, {
      problem: 'a range of a field has neither "from" nor "to"',
      expected: "one of the two, or both",
    });
  }
  const [least, most] = [from ?? 0, to ?? FIELD_MOST];
  if (least > most)
    reader.report(place.part("to"), { problem: "an empty range", got: to, expected: `at least ${least}` });
  if (field === undefined || scope.known === undefined) return undefined;
  const { ranges, first, fields } = scope.known;
  const isSame = (one: FieldRange) => one.field === field && one.least === least && one.most === most;
  let index = ranges.findIndex(isSame);
  if (index < 0) index = ranges.push({ field, least, most }) - 1;
  return first + fields.size + index;
}

export function readSlope(
  reader: SpecReader,
  at: Field,
  {
    slope,
    tensor,
    ...scope
  }: {
    readonly slope: Values<typeof SLOPE.fields>;
    readonly tensor: TensorSpec;
    readonly known: FieldScope | undefined;
    readonly isScattered: boolean;
  },
): SlopeSpec | undefined {
  const { field: name, down, level, up, steepness, stuck } = slope;
  const field = fieldOf(reader, name, scope);
  const most = Math.max(down + Math.floor((FIELD_MOST * steepness) / 256), level, up);
  if (most === 0) {
    const problem = "every factor of the slope is 0, so no walker could take a step";
    reader.report(at, { problem, expected: 'a number above 0 in "down", "level", "up" or "steepness"' });
  }
  const headings = Array.from({ length: RESTING }, (_, heading) => combine(tensor, heading));
  const sums = [...headings, tensor.absolute].map((weights) => weights.reduce((sum, weight) => sum + weight, 0));
  const total = Math.max(...sums) * most;
  if (total > MOST_TOTAL) {
    const problem = "the weights of the tensor, times the factors of the slope, are too large";
    const expected = `a sum of at most ${MOST_TOTAL}`;
    reader.report(at, { problem, got: total, expected, remedy: "Use smaller weights or factors" }, "weights.overflow");
  }
  if (field === undefined || scope.known === undefined) return undefined;
  return { source: scope.known.first + field, down, level, up, steepness, stuck };
}
