import { readJsonText } from "../../formats/read/json.js";
import { Field, type Parsed, SpecReader } from "../../spec/index.js";
import type { ObjectConstants, ObjectFiles } from "../types.js";

type Bounds = readonly [usual: number, least: number, most: number];
type Shape<T> = { readonly [Key in keyof T]: T[Key] extends number ? Bounds : Shape<T[Key]> };

const ONE_IN = 65_535;
const MOST_DEPTH = 255;
/** docs/formats/objects.md and schemas/constants.json list the same bounds. */
const SHAPE: Shape<ObjectConstants> = {
  artifacts: {
    oneIn: { normal: [400, 1, ONE_IN], good: [50, 1, ONE_IN], great: [15, 1, ONE_IN] },
    outOfDepth: [2, 1, 255],
  },
  kinds: { deeper: { good: [5, 0, MOST_DEPTH], great: [10, 0, MOST_DEPTH] }, bonus: [5, 0, MOST_DEPTH] },
  affixLevel: { percent: [10, 0, 100], percentPerLevel: [1, 0, 100], goodOneIn: [4, 1, ONE_IN] },
  slots: {
    most: [1, 0, 8],
    levelsPerSlot: [25, 1, 255],
    good: { least: [1, 0, 8], most: [2, 0, 8] },
    great: { least: [3, 0, 8], most: [4, 0, 8] },
    fewerIfGood: [1, 0, 8],
    limit: [8, 0, 8],
    boostOneIn: [20, 1, ONE_IN],
  },
  themes: { factor: [8, 0, 1000], leastAffixes: [2, 2, 8] },
};

type Constant = { readonly path: string; readonly value: number; readonly usual: number };

export function listConstants({ constants }: Pick<ObjectFiles, "constants">): readonly Constant[] {
  const list = (value: unknown, usual: unknown, path: string): readonly Constant[] =>
    typeof value === "number"
      ? [{ path, value, usual: usual as number }]
      : Object.entries(value as object).flatMap(([key, part]) =>
          list(part, (usual as Readonly<Record<string, unknown>>)[key], path === "" ? key : `${path}.${key}`),
        );
  return list(constants, CONSTANTS, "");
}

const NOTHING = new Field(undefined);

/** The usual constants. Files of Angband 4.2 always have them, and use only `slots.boostOneIn`. */
export const CONSTANTS: ObjectConstants = readPart(reader("constants.json"), NOTHING, SHAPE);

export function parseConstants(text: string, file: string): Parsed<ObjectConstants> {
  const json = readJsonText(text, { file });
  if ("issue" in json) return { spec: undefined, issues: [json.issue] };
  const own = reader(file);
  return own.run(json.value, (root) => readPart(own, root, SHAPE));
}

function reader(file: string): SpecReader {
  return new SpecReader({ noun: "constants of objects", code: "object.number", file, isDocument: true });
}

function isBounds(part: Bounds | Shape<unknown>): part is Bounds {
  return Array.isArray(part);
}

function readPart<T>(own: SpecReader, at: Field, shape: Shape<T>): T {
  const fields = at === NOTHING ? undefined : own.fields(at, Object.keys(shape));
  const entries = Object.entries<Bounds | Shape<unknown>>(shape).map(([key, part]) => {
    const field = fields?.has(key) === true ? fields.get(key) : NOTHING;
    if (!isBounds(part)) return [key, readPart(own, field, part)];
    const [fallback, least, most] = part;
    return [key, own.integer(field, { least, most, fallback })];
  });
  const read = Object.fromEntries(entries) as { readonly least?: number; readonly most?: number };
  if (read.least !== undefined && read.most !== undefined && read.least > read.most) {
    own.report(at, { problem: '"least" is greater than "most"', got: read.least, expected: `at most ${read.most}` });
  }
  // the cast is safe: a shape has the keys of its constants
  return read as T;
}
