import {
  type Field,
  type InputOf,
  integer,
  isObject,
  list,
  lookUp,
  optional,
  REFERENCE,
  record,
  type Shape,
  type SpecReader,
  shape,
  TEXT,
  variants,
} from "../../spec/index.js";
import type { LayerSpec } from "../../walks/index.js";
import { CELL } from "../../walks/parse/cells.js";
import { FIELD_MOST, type FieldForm, type FieldSpec, MAX_DISTANCE } from "../types.js";

const MAX_FIELDS = 64;
const MAX_TERMS = 16;
const MAX_FACTOR = 1000;
const MAX_POINTS = 256;
const [LEAST_SCALE, MOST_SCALE] = [4, 4096];
const MAX_OCTAVES = 8;

const VALUE = integer({ least: 0, most: FIELD_MOST });
/** A point of a curve: the value of the field, and the value of the curve. */
const POINT = shape<readonly [from: number, to: number], [number, number]>(readPoint, {
  type: "array",
  items: [VALUE, VALUE],
  minItems: 2,
  maxItems: 2,
});
const COUNT = integer({ least: 1, most: FIELD_MOST });
const NAME = {
  /** The name of the field: 1 to 256 characters. No layer and no other field has it. It selects the random words. */
  name: TEXT,
};
const TERM = record({
  /** The name of an earlier field. */
  field: REFERENCE,
  /** The factor, −1,000 to 1,000. Default 1. */
  factor: optional(integer({ least: -MAX_FACTOR, most: MAX_FACTOR }), 1),
});
const NAMES = list(REFERENCE, { least: 1, most: MAX_TERMS, of: "names of fields" });

export const FIELD = variants("a field", "kind", {
  noise: record({
    ...NAME,
    /** Distance of the points of the lattice, in cells: a power of two, 4 to 4,096. */
    scale: shape<number, number>(readScale, { enum: [4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096] }),
    /**
     * Number of octaves, 1 to 8. Each has half the scale and half the height of the octave before it. The last scale is
     * at least 4. Default 1.
     */
    octaves: optional(integer({ least: 1, most: MAX_OCTAVES }), 1),
  }),
  distance: record({
    ...NAME,
    /** The layer to whose nearest visited cell the distance is measured. */
    layer: REFERENCE,
    /** The distance with the value 65,535, in steps: 1 to 64. Default 64. */
    most: optional(integer({ least: 1, most: MAX_DISTANCE }), MAX_DISTANCE),
  }),
  visits: record({
    ...NAME,
    /** The layer whose visits count. */
    layer: REFERENCE,
    /** The number of visits with the value 65,535, 1 to 65,535. Default 255. */
    most: optional(COUNT, 255),
  }),
  firstVisit: record({
    ...NAME,
    /** The layer, with `"firstVisit": true`. */
    layer: REFERENCE,
    /** The step of the first visit with the value 65,535, 1 to 65,535. Cells without visits have this value too. */
    most: COUNT,
  }),
  position: record({
    ...NAME,
    /** The cell from which the distance is measured. Default [0, 0]. */
    from: optional(CELL, [0, 0]),
    /** The distance with the value 65,535, in steps: 1 to 65,535. */
    most: COUNT,
  }),
  rows: record({
    ...NAME,
    /** The row from which the rows are counted, in both directions. Default 0. */
    from: optional(integer({ least: -(2 ** 31), most: 2 ** 31 - 1 }), 0),
    /** The number of rows with the value 65,535, 1 to 65,535. */
    most: COUNT,
  }),
  sum: record({
    ...NAME,
    /** 1 to 16 earlier fields with their factors. */
    of: list(TERM, { least: 1, most: MAX_TERMS, of: "terms" }),
    /** Added to the sum, −100,000,000 to 100,000,000. Default 0. */
    plus: optional(integer({ least: -(10 ** 8), most: 10 ** 8 }), 0),
    /** Divides the sum, which is rounded down, 1 to 100,000. Default 1. */
    over: optional(integer({ least: 1, most: 100_000 }), 1),
  }),
  least: record({
    ...NAME,
    /** 1 to 16 earlier fields, of which the least value counts. */
    of: NAMES,
  }),
  most: record({
    ...NAME,
    /** 1 to 16 earlier fields, of which the greatest value counts. */
    of: NAMES,
  }),
  curve: record({
    ...NAME,
    /** The name of an earlier field. */
    of: REFERENCE,
    /**
     * 1 to 256 points [value of `of`, value of the curve], in ascending order. Between two points, the curve is a line,
     * rounded down. Before the first and after the last point, it keeps their values.
     */
    points: list(POINT, { least: 1, most: MAX_POINTS, of: "points" }),
  }),
});
/**
 * A field: an integer 0 … 65,535 for each cell. Conditions of rules can ask for a range of its values.
 *
 * - `noise`: smooth hills and valleys around 32,768.
 * - `distance`: the steps to the nearest cell that a layer visited.
 * - `visits`, `firstVisit`: the visits of a layer, and the step of the first of them.
 * - `position`: the steps to a cell. `rows`: the rows between a row and the cell.
 * - `sum`: (`plus` + the sum of factor · value) / `over`, between 0 and 65,535.
 * - `least`, `most`: the least or the greatest of several values.
 * - `curve`: a function of another field's value.
 */
export type FieldInput = InputOf<typeof FIELD>;
export const FIELDS = list(FIELD, { most: MAX_FIELDS, of: "fields" });

/** Returns the names of fields before they are read, because layers refer to them. */
export function fieldNames(at: Field): string[] {
  const entries: readonly unknown[] = Array.isArray(at.value) ? at.value.slice(0, MAX_FIELDS) : [];
  return entries.map((entry) => (isObject(entry) && typeof entry.name === "string" ? entry.name : ""));
}

interface FieldScope {
  readonly layers: readonly LayerSpec[];
  /** Names that a condition uses for something else. */
  readonly reserved: readonly string[];
}

type Read = typeof FIELD extends Shape<unknown, infer Spec> ? NonNullable<Spec> : never;

export function readFields(reader: SpecReader, at: Field, { layers, reserved }: FieldScope): FieldSpec[] {
  const entries = optional(FIELDS, []).read(reader, at);
  const taken = new Set([...reserved, ...layers.map(({ name }) => name)]);
  const earlier = new Map<string, number>();
  const layerOf = new Map(layers.map(({ name }, l) => [name, l]));
  const fields: FieldSpec[] = [];
  for (const [i, entry] of entries.entries()) {
    if (entry === undefined) continue;
    const { name } = entry;
    if (taken.has(name)) {
      const problem = "a layer, another field or a condition has this name";
      reader.report(at.part(i, "name"), { problem, got: name, expected: "another name" });
    }
    taken.add(name);
    fields.push({ name, ...formOf(reader, at.part(i), entry, { earlier, layerOf, layers }) });
    earlier.set(name, fields.length - 1);
  }
  return fields;
}

interface Known {
  readonly earlier: ReadonlyMap<string, number>;
  readonly layerOf: ReadonlyMap<string, number>;
  readonly layers: readonly LayerSpec[];
}

function formOf(reader: SpecReader, at: Field, field: Read, { earlier, layerOf, layers }: Known): FieldForm {
  const indexOf = (reference: Field) =>
    lookUp(reader, reference, {
      known: earlier,
      problem: "no earlier field has this name",
      none: "an earlier field",
    }) ?? 0;
  switch (field.kind) {
    case "noise": {
      const { kind, scale, octaves } = field;
      if (scale >> (octaves - 1) < LEAST_SCALE) {
        const expected = `at most ${Math.log2(scale) - Math.log2(LEAST_SCALE) + 1} octaves for this scale`;
        reader.report(at.part("octaves"), { problem: "too many octaves", got: octaves, expected });
      }
      return { kind, scale, octaves };
    }
    case "distance":
    case "visits":
    case "firstVisit": {
      const { kind, most } = field;
      const layer = lookUp(reader, field.layer, { known: layerOf, problem: "no layer has this name" }) ?? 0;
      if (kind === "firstVisit" && !layers[layer].firstVisit) {
        const problem = `the layer ${JSON.stringify(layers[layer].name)} keeps no first visits`;
        reader.report(field.layer, { problem, remedy: 'Set "firstVisit": true in the layer' });
      }
      return { kind, layer, most };
    }
    case "position": {
      const { kind, from, most } = field;
      return { kind, from, most };
    }
    case "rows": {
      const { kind, from, most } = field;
      return { kind, from, most };
    }
    case "sum": {
      const { kind, plus, over } = field;
      const of = field.of.map((term) => ({ field: indexOf(term.field), factor: term.factor }));
      return { kind, of, plus, over };
    }
    case "least":
    case "most":
      return { kind: field.kind, of: field.of.map(indexOf) };
    case "curve": {
      const { kind, points } = field;
      const wrong = points.findIndex(([from], i) => i > 0 && from <= points[i - 1][0]);
      if (wrong > 0) {
        const expected = `a value above ${points[wrong - 1][0]}: the points ascend`;
        reader.report(at.part("points").part(wrong, 0), {
          problem: "the points do not ascend",
          got: points[wrong][0],
          expected,
        });
      }
      return { kind, of: indexOf(field.of), points };
    }
  }
}

function readPoint(reader: SpecReader, at: Field): [number, number] {
  const [from, to] = reader.list(at, { least: 2, most: 2, of: "values" });
  return [from === undefined ? 0 : VALUE.read(reader, from), to === undefined ? 0 : VALUE.read(reader, to)];
}

function readScale(reader: SpecReader, at: Field): number {
  const scale = reader.integer(at, { least: LEAST_SCALE, most: MOST_SCALE });
  if (Number.isInteger(Math.log2(scale))) return scale;
  if (!Number.isNaN(scale)) reader.report(at, { problem: "invalid scale", got: scale, expected: "a power of two" });
  return LEAST_SCALE;
}
