import { nearest } from "../errors/index.js";
import { DIRECTION_KEYS, DIRECTIONS, HEADING_KEYS, RESTING, TURN_KEYS, TURNS } from "./directions.js";
import { type Field, type Fields, type Report, readFields, report } from "./fields.js";
import { PRESET_NAMES, PRESETS, type PresetName } from "./presets.js";
import { compileTensor } from "./tensor.js";
import type { TensorSpec } from "./types.js";

/** Reads a layer's `preset` or `tensor`; neither means `uniform`. Undefined where an issue was found. */
export function readPattern(to: Report, layer: Fields): TensorSpec | undefined {
  const preset = layer.get("preset");
  const tensor = layer.get("tensor");
  if (preset !== undefined && tensor !== undefined) {
    const problem = "a layer has both preset and tensor";
    report(to, "walk.tensor", preset.path, { problem, expected: "one of them", remedy: "Remove one" });
    return undefined;
  }
  if (tensor !== undefined) return readTensor(to, tensor);
  if (preset === undefined) return PRESETS.uniform;
  if (typeof preset.value === "string" && Object.hasOwn(PRESETS, preset.value)) {
    return PRESETS[preset.value as PresetName];
  }
  const near = typeof preset.value === "string" ? nearest(preset.value, PRESET_NAMES) : undefined;
  report(to, "walk.tensor", preset.path, {
    problem: "unknown preset",
    got: preset.value,
    expected: `one of ${PRESET_NAMES.join(", ")}`,
    ...(near === undefined ? {} : { remedy: `Did you mean ${JSON.stringify(near)}?` }),
  });
  return undefined;
}

/** Reads twelve weights by name, and checks that they compile. Undefined where an issue was found. */
export function readTensor(to: Report, field: Field): TensorSpec | undefined {
  const before = to.issues.length;
  const fields = readFields(to, field, ["absolute", "relative"]);
  if (fields === undefined) return undefined;
  const absolute = readPart(to, fields.get("absolute"), DIRECTION_KEYS);
  const relative = readPart(to, fields.get("relative"), TURN_KEYS);
  if (to.issues.length > before) return undefined;

  // entries are numbers by name only for TypeScript's sake: compileTensor refuses what is none
  const spec = { absolute: absolute.weights as number[], relative: relative.weights as number[] };
  const { issues } = compileTensor(spec, {
    file: to.file,
    tensor: field.path,
    absolute: (i) => absolute.paths[i] ?? `${field.path}.absolute.${DIRECTIONS[i]}`,
    relative: (i) => relative.paths[i] ?? `${field.path}.relative.${TURNS[i]}`,
  });
  to.issues.push(...issues);
  return issues.length === 0 ? spec : undefined;
}

/** Reads a heading by name; resting where it is absent or wrong. */
export function readHeading(to: Report, field: Field | undefined): number {
  if (field === undefined) return RESTING;
  const heading = typeof field.value === "string" ? HEADING_KEYS.get(field.value) : undefined;
  if (heading !== undefined) return heading;
  const expected = `one of ${[...HEADING_KEYS.keys()].join(", ")}`;
  report(to, "walk.spec", field.path, { problem: "unknown heading", got: field.value, expected });
  return RESTING;
}

interface Part {
  readonly weights: unknown[];
  readonly paths: (string | undefined)[];
}

// Six weights in order, from whichever spellings were used; absent altogether, six equal ones.
function readPart(to: Report, field: Field | undefined, keys: ReadonlyMap<string, number>): Part {
  const part: Part = { weights: new Array(6).fill(field === undefined ? 1 : 0), paths: [] };
  if (field === undefined) return part;
  for (const [key, { path, value }] of readFields(to, field, [...keys.keys()]) ?? []) {
    const i = keys.get(key) ?? 0;
    if (part.paths[i] !== undefined) {
      const problem = `${path} repeats ${part.paths[i]}`;
      report(to, "walk.tensor", path, {
        problem,
        got: key,
        expected: "one spelling",
        remedy: "Remove one of the two",
      });
    }
    part.weights[i] = value;
    part.paths[i] = path;
  }
  return part;
}
