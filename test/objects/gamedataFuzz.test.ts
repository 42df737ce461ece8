import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseObjects } from "../../src/objects/index.js";
import { LIGHTHOUSE } from "./lighthouse.js";

const FILES = ["object", "objectBase", "egoItem", "artifact", "slay", "brand"] as const;

/** Lines whose fields are checked: not comments, text, and lines without an effect. */
const READ = FILES.flatMap((file) =>
  LIGHTHOUSE[file].split("\n").flatMap((line, i) => {
    const isRead = /^(?:type|alloc|item|attack|armor|combat|min-combat|values|min-values|slay|brand|break|multiplier):/;
    return isRead.test(line) ? [{ file, line, i }] : [];
  }),
);

/** Changes after which no line of any of these types is sound. */
const BREAKS: readonly ((line: string) => string)[] = [
  (line) => `y${line}`,
  (line) => line.replace(":", " "),
  (line) => `${line.slice(0, line.indexOf(":"))}:\u0007\u00a7[`,
  (line) => line.replace(/:([^:]*)$/, ":\u00a7$1\u00a7"),
];

describe("gamedata files that are broken", () => {
  test("each malformed line gives an error on its line or on its record, and nothing throws", () => {
    const flaw = fc.record({ at: fc.constantFrom(...READ), make: fc.constantFrom(...BREAKS) });
    fc.assert(
      fc.property(flaw, ({ at, make }) => {
        const lines = LIGHTHOUSE[at.file].split("\n");
        lines[at.i] = make(at.line);
        const { spec, issues } = parseObjects(
          { ...LIGHTHOUSE, [at.file]: lines.join("\n") },
          { files: { [at.file]: "x" } },
        );
        expect(spec).toBeUndefined();
        const errors = issues.filter(({ severity, where }) => severity === "error" && where.file === "x");
        expect(errors.map(({ where }) => where.line)).toContain(at.i + 1);
      }),
      { numRuns: 400, seed: 42 },
    );
  });

  test("any text ends in issues", () => {
    const word = fc.constantFrom(
      "name",
      "type",
      "alloc",
      "values",
      "flags",
      "base-object",
      "item",
      "default",
      "code",
      "#",
      "",
    );
    const line = fc.tuple(word, fc.string({ maxLength: 12 })).map(([type, rest]) => `${type}:${rest}`);
    const text = fc.array(line, { maxLength: 12 }).map((lines) => `name:x\n${lines.join("\n")}`);
    fc.assert(
      fc.property(fc.record({ object: text, objectBase: text, egoItem: text, artifact: text }), (texts) => {
        expect(parseObjects(texts).issues.length).toBeGreaterThan(0);
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});
