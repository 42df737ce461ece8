import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseObjects } from "../../src/objects/index.js";
import type { ObjectTexts } from "../../src/objects/types.js";
import { SMALL, smallWith } from "./small.js";

const FILES = ["object", "objectBase", "egoItem", "egoThemes", "artifact"] as const satisfies (keyof ObjectTexts)[];

/** Lines whose fields are read: not comments, blank lines, versions and text. */
const READ = FILES.flatMap((file) =>
  SMALL[file].split("\n").flatMap((line, i) => (/^(?:[ABFILNPQRTWXZ]2?|C:.+):/.test(line) ? [{ file, line, i }] : [])),
).filter(({ file, line }) => !(file === "object" && /^[CE]:/.test(line)));

/** Changes after which no line of any type is sound. */
const BREAKS: readonly ((line: string, field: number) => string)[] = [
  (line) => `Y${line}`,
  (line) => line.slice(line.indexOf(":") + 1).replaceAll(":", " "),
  (line) => line.slice(0, line.indexOf(":")),
  (line) => `${line}:1:1:1:1:1:1:1`,
  (line) => `${line.slice(0, line.indexOf(":"))}:`,
  (line, field) => withField(line, field, "\u0007§"),
  (line, field) => withField(line, field, ""),
];

function withField(line: string, field: number, text: string): string {
  const parts = line.split(":");
  parts[1 + (field % (parts.length - 1))] = text;
  return parts.join(":");
}

describe("files that are broken", () => {
  test("each malformed line gives an error on its line, and nothing throws", () => {
    const flaw = fc.record({ at: fc.constantFrom(...READ), make: fc.constantFrom(...BREAKS), field: fc.nat(9) });
    fc.assert(
      fc.property(flaw, ({ at, make, field }) => {
        const lines = SMALL[at.file].split("\n");
        lines[at.i] = make(at.line, field);
        const { spec: files, issues } = parseObjects(smallWith({ [at.file]: lines.join("\n") }), {
          files: { [at.file]: "broken" },
        });
        expect(files).toBeUndefined();
        const here = issues.filter(({ where }) => where.file === "broken" && where.line === at.i + 1);
        expect(here.length, lines[at.i]).toBeGreaterThan(0);
        for (const { where } of here) expect(where.column).toBeLessThanOrEqual(lines[at.i].length + 1);
      }),
      { seed: 5, numRuns: 1500 },
    );
  });

  test("any text at all is read without a throw, and every issue has its place", () => {
    const piece = fc.oneof(
      fc.constantFrom(...READ.map(({ line }) => line)),
      fc.constantFrom(
        "N",
        "N:",
        ":",
        "::",
        "T:::::",
        "N:__proto__:x",
        "constructor:1",
        "D:B",
        "V",
        "\u0000",
        "\ud800:1",
      ),
      fc.string({ unit: "binary", maxLength: 20 }),
    );
    const text = fc.array(piece, { maxLength: 12 }).map((lines) => lines.join("\n"));
    const texts = fc.record({ object: text, objectBase: text, egoItem: text, egoThemes: text, artifact: text });
    fc.assert(
      fc.property(texts, fc.option(text, { nil: undefined }), (some, flags) => {
        const { spec: files, issues } = parseObjects({ ...some, flags });
        expect(files === undefined).toBe(issues.some(({ severity }) => severity === "error"));
        for (const { where } of issues) {
          expect(where.line).toBeGreaterThanOrEqual(1);
          expect(where.column).toBeGreaterThanOrEqual(1);
        }
      }),
      { seed: 6, numRuns: 300 },
    );
  });
});
