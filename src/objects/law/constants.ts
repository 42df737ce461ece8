import { readJsonText } from "../../formats/read/json.js";
import { DEPTHS } from "../../kernel/layout.js";
import {
  Field,
  integer,
  optional,
  type Parsed,
  record,
  type Shape,
  type SpecOf,
  SpecReader,
} from "../../spec/index.js";

/** The largest depth, and the largest level of a kind or an artifact. */
export const MAX_DEPTH = DEPTHS - 1;
const ONE_IN = 65_535;

function readerOf(file: string): SpecReader {
  return new SpecReader({ noun: "constants of objects", code: "object.number", file, isDocument: true });
}

function number(usual: number, least: number, most: number) {
  return optional(integer({ least, most }), usual);
}

/** If a part is missing, all its numbers have their usual values. */
function part<const F extends Readonly<Record<string, Shape>>>(fields: F) {
  const all = record(fields);
  return optional(all, all.read(readerOf("constants.json"), new Field({})));
}

function range(least: number, most: number) {
  const both = part({ least: number(least, 0, 8), most: number(most, 0, 8) });
  const read: typeof both.read = (reader, at) => {
    const found = both.read(reader, at);
    const finding = { problem: '"least" is greater than "most"', got: found.least, expected: `at most ${found.most}` };
    if (found.least > found.most) reader.report(at, finding);
    return found;
  };
  const ordered: typeof both = { ...both, read };
  return ordered;
}

/** The shape of constants.json. docs/formats/objects.md and schemas/constants.json list the same bounds. */
const SHAPE = part({
  artifacts: part({
    /** On average, one of this many objects tries to become an artifact. Usually 400, 50 and 15. */
    oneIn: part({ normal: number(400, 1, ONE_IN), good: number(50, 1, ONE_IN), great: number(15, 1, ONE_IN) }),
    /**
     * If the level is k less than the least depth of an `A` line, it passes with the chance 1 / (`outOfDepth` · k).
     * Usually 2.
     */
    outOfDepth: number(2, 1, 255),
  }),
  kinds: part({
    /** The kind of a good or great object is drawn this many levels deeper. Usually 5 and 10. */
    deeper: part({ good: number(5, 0, MAX_DEPTH), great: number(10, 0, MAX_DEPTH) }),
    /** The greatest random bonus to the depth at which the kind of a good or great object is drawn. Usually 5. */
    bonus: number(5, 0, MAX_DEPTH),
  }),
  affixLevel: part({
    /** The affix level rises by one in (`percent` + `percentPerLevel` · level) % of the objects. Usually 10 and 1. */
    percent: number(10, 0, 100),
    percentPerLevel: number(1, 0, 100),
    /** On average, the affix level of one of this many good objects rises by one more. Usually 4. */
    goodOneIn: number(4, 1, ONE_IN),
  }),
  slots: part({
    /** An object has 0 to `most` + ⌊level / `levelsPerSlot`⌋ slots. Usually 1 and 25. */
    most: number(1, 0, 8),
    levelsPerSlot: number(25, 1, 255),
    /** The slots that good and great objects have in addition, at random. Usually 1 to 2, and 3 to 4. */
    good: range(1, 2),
    great: range(3, 4),
    /** A kind with the flag GOOD has this many slots fewer. Usually 1. */
    fewerIfGood: number(1, 0, 8),
    /** The maximum number of slots, 0 … 8. Usually 8. */
    limit: number(8, 0, 8),
    /** On average, one of this many slots has a boosted depth. Usually 20. */
    boostOneIn: number(20, 1, ONE_IN),
  }),
  themes: part({
    /**
     * If the affixes of an object have the weight w in a theme, and all affixes of the theme the weight t, the theme's
     * chance is ⌊`factor` · w² / t⌋ · 0.5 %. Usually 8.
     */
    factor: number(8, 0, 1000),
    /** The minimum number of different affixes with a weight above 0 in a theme: 2 … 8. Usually 2. */
    leastAffixes: number(2, 2, 8),
  }),
});

/** The numbers of the rules that a game of version 4 can change, in constants.json. Each has a usual value. */
export interface ObjectConstants extends SpecOf<typeof SHAPE> {}

/** The usual constants. Objects of Angband 4.2 are always made with them, but only `slots.boostOneIn` has an effect. */
export const CONSTANTS: ObjectConstants = SHAPE.read(readerOf("constants.json"), new Field(undefined));

export function parseConstants(text: string, file: string): Parsed<ObjectConstants> {
  const json = readJsonText(text, { file });
  if ("issue" in json) return { spec: undefined, issues: [json.issue] };
  const reader = readerOf(file);
  return reader.run(json.value, (root) => SHAPE.read(reader, root));
}

type Constant = { readonly path: string; readonly value: number; readonly usual: number };

export function listConstants({ constants }: { readonly constants: ObjectConstants }): readonly Constant[] {
  const list = (value: unknown, usual: unknown, path: string): readonly Constant[] =>
    typeof value === "number"
      ? [{ path, value, usual: usual as number }]
      : Object.entries(value as object).flatMap(([key, part]) =>
          list(part, (usual as Readonly<Record<string, unknown>>)[key], path === "" ? key : `${path}.${key}`),
        );
  return list(constants, CONSTANTS, "");
}
