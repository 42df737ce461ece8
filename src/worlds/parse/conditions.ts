import { didYouMean } from "../../errors/index.js";
import {
  type Field,
  type InputOf,
  integer,
  list,
  optional,
  record,
  type SpecReader,
  shape,
  unread,
} from "../../spec/index.js";
import type { LayerSpec } from "../../walks/index.js";
import { SHARE } from "../../walks/parse/share.js";
import { type ConditionSpec, type FieldSpec, MAX_DISTANCE } from "../types.js";

const MAX_CONDITIONS = 4096;
const MAX_CONDITION_DEPTH = 16;
const MAX_COUNT = 2 ** 32 - 1;
const ALWAYS: ConditionSpec = { kind: "all", of: [] };

/** A range of counts or steps. Both limits are inclusive. null means "no upper limit". */
export type RangeInput = readonly [least: number, most: number | null];
const COUNT = integer({ least: 0, most: MAX_COUNT });
export const RANGE = shape<RangeInput, ReturnType<typeof readRange>>(readRange, {
  type: "array",
  items: [COUNT, { anyOf: [COUNT, { type: "null" }] }],
  minItems: 2,
  maxItems: 2,
});

export const LAYER_CONDITION = record(
  {
    /** The number of visits. `[1, null]`: the layer visited the cell. */
    visits: optional(RANGE),
    /** The step of the first visit. The layer must keep first visits. Does not hold for a cell without visits. */
    firstVisit: optional(RANGE),
    /** The layer visited some cell that is at most this many steps away, 0 … 64. 0 means the cell itself. */
    within: optional(integer({ least: 0, most: MAX_DISTANCE })),
  },
  { minProperties: 1 },
);
/** A condition on one layer's visits at a cell. All given fields must hold, and at least one field is required. */
export interface LayerCondition extends InputOf<typeof LAYER_CONDITION> {}

/**
 * A condition on a cell: an object whose entries must all hold. A key is the name of a layer or of a field, or
 * `chance`, `all`, `any` or `not`. The condition on a field is the range of its values.
 */
export interface ConditionInput {
  /** Holds with this probability, such as "1/20", 0.05 or 1, independently of all other chances and cells. */
  readonly chance?: string | number;
  /** All of these conditions hold. */
  readonly all?: readonly ConditionInput[];
  /** At least one of these conditions holds. */
  readonly any?: readonly ConditionInput[];
  /** This condition does not hold. */
  readonly not?: ConditionInput;
  readonly [name: string]:
    | LayerCondition
    | RangeInput
    | ConditionInput
    | readonly ConditionInput[]
    | string
    | number
    | undefined;
}
const NESTED = unread<ConditionInput>({ lazy: () => CONDITION });
const CONDITIONS = list(NESTED, { least: 1, most: MAX_CONDITIONS, of: "conditions" });
const PARTS = { chance: optional(SHARE), all: optional(CONDITIONS), any: optional(CONDITIONS), not: optional(NESTED) };
/** The keys of a condition that are not names of layers. */
export const CONDITION_KEYS = Object.keys(PARTS);
/** A condition. {@link conditionReader} reads it, because it refers to layers. */
export const CONDITION = unread<ConditionInput>({
  type: "object",
  fields: PARTS,
  additionalProperties: { anyOf: [LAYER_CONDITION, RANGE] },
  minProperties: 1,
});

export interface ConditionScope {
  readonly layers: readonly LayerSpec[];
  readonly fields: readonly FieldSpec[];
}

/**
 * Returns a function that reads conditions. It numbers the chances from 0, separately for each terrain. The terrain of
 * the condition of a placement is "".
 */
export function conditionReader(reader: SpecReader, { layers, fields: own }: ConditionScope) {
  const chances = new Map<string, number>();
  let count = 0;

  /** Reads a condition. `terrain` is the name of the terrain that the condition's rule gives. */
  function read(at: Field, terrain: string, depth = 1): ConditionSpec {
    count++;
    if (count > MAX_CONDITIONS || depth > MAX_CONDITION_DEPTH) return refuseSize(at, depth);
    const fields = reader.record(at, "an object with conditions");
    if (fields.keys.length === 0) {
      const expected = `a layer, or ${CONDITION_KEYS.join(", ")}`;
      reader.report(at, { problem: "the condition is empty", expected });
    }
    const parts = fields.keys.map((key) => part(fields.get(key), key, terrain, depth));
    return parts.length === 1 ? parts[0] : { kind: "all", of: parts };
  }

  function part(at: Field, key: string, terrain: string, depth: number): ConditionSpec {
    switch (key) {
      case "chance": {
        const number = chances.get(terrain) ?? 0;
        chances.set(terrain, number + 1);
        return { kind: "chance", chance: SHARE.read(reader, at), number };
      }
      case "all":
      case "any": {
        const entries = CONDITIONS.read(reader, at);
        return { kind: key, of: entries.map((entry) => read(entry, terrain, depth + 1)) };
      }
      case "not":
        return { kind: "not", of: read(at, terrain, depth + 1) };
      default:
        return layerPart(at, key);
    }
  }

  function layerPart(at: Field, name: string): ConditionSpec {
    const field = own.findIndex((one) => one.name === name);
    if (field >= 0) return { kind: "field", field, ...RANGE.read(reader, at) };
    const names = layers.map((one) => one.name);
    const layer = names.indexOf(name);
    if (layer < 0) {
      const known = [...names, ...own.map((one) => one.name), ...CONDITION_KEYS];
      const finding = { problem: "no condition has this name", got: name, expected: `one of ${known.join(", ")}` };
      reader.report(at, { ...finding, ...didYouMean(name, known) });
      return ALWAYS;
    }
    const fields = reader.fields(at, LAYER_CONDITION.keys);
    const { visits, firstVisit, within } = LAYER_CONDITION.values(reader, fields);
    if (firstVisit !== undefined && !layers[layer].firstVisit) {
      const problem = `the layer ${JSON.stringify(name)} keeps no first visits`;
      reader.report(fields.get("firstVisit"), { problem, remedy: 'Set "firstVisit": true in the layer' });
    }
    if (fields.keys.length === 0) {
      reader.report(at, { problem: "the condition is empty", expected: '"visits", "firstVisit" or "within"' });
    }
    const parts: Readonly<Record<string, ConditionSpec | undefined>> = {
      visits: visits && { kind: "visits", layer, ...visits },
      firstVisit: firstVisit && { kind: "firstVisit", layer, ...firstVisit },
      within: within === undefined ? undefined : { kind: "within", layer, distance: within },
    };
    // keeps the order of the spec, because the kernel checks the conditions in this order
    const of = fields.keys.flatMap((key) => parts[key] ?? []);
    return of.length === 1 ? of[0] : { kind: "all", of };
  }

  function refuseSize(at: Field, depth: number): ConditionSpec {
    const isDeep = depth > MAX_CONDITION_DEPTH;
    const problem = isDeep ? "the conditions are nested too deeply" : "there are too many conditions";
    const expected = isDeep ? `at most ${MAX_CONDITION_DEPTH} levels` : `at most ${MAX_CONDITIONS} conditions`;
    reader.report(at, { problem, expected });
    return ALWAYS;
  }

  return read;
}

function readRange(reader: SpecReader, at: Field): { readonly least: number; readonly most: number } {
  const [least, most] = reader.list(at, { least: 2, most: 2, of: "bounds" });
  const from = least === undefined ? 0 : COUNT.read(reader, least);
  if (most === undefined || most.value === null) return { least: from, most: Number.POSITIVE_INFINITY };
  return { least: from, most: reader.integer(most, { least: Number.isNaN(from) ? 0 : from, most: MAX_COUNT }) };
}
