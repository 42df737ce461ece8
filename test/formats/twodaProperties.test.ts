import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTwoDa, type TwoDa } from "../../src/formats/read/twoda.js";

const HEADER = "2DA V2.0\n\n";
const textsOf = (twoDa: TwoDa) => twoDa.rows.map((row) => row.texts);
const read = (text: string) => parseTwoDa(text, { file: "a.2da" });

describe("property", () => {
  const word = fc.constantFrom("r0", "1", "s1", "****", '"a b"', '"', '""', "x", "10", "\t", "  ", "😀", "__proto__");
  const line = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  const file = fc.tuple(
    fc.constantFrom("2DA V2.0\n\n", "2DA V2.0\nDEFAULT: r0\n", "", "\ufeff", "2DA V1.0\n"),
    fc.constantFrom("Label Random0 Random0Weight", "A B", "A A", ""),
    fc.array(line, { maxLength: 8 }),
    fc.constantFrom("\n", "\r\n"),
  );

  test("no text throws, and every issue has its file, line and column", () => {
    const texts = fc.oneof(
      file.map(([head, names, lines, end]) => (head + [names, ...lines].join("\n")).replaceAll("\n", end)),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const lines = text.replace(/^\ufeff/, "").split("\n");
        for (const { where } of read(text).issues) {
          expect(where.file).toBe("a.2da");
          expect(where.line).toBeGreaterThanOrEqual(1);
          expect(where.line).toBeLessThanOrEqual(lines.length);
          expect(where.column).toBeGreaterThanOrEqual(1);
          expect(where.column).toBeLessThanOrEqual([...lines[(where.line ?? 0) - 1]].length + 1);
        }
      }),
      { seed: 20262, numRuns: 400 },
    );
  });

  test("rows written with padding and quotes come back as they were", () => {
    const cell = fc.oneof(fc.constant(null), fc.stringMatching(/^[^"\0\r\n]*$/));
    const gap = fc.constantFrom(" ", "\t", "   ", " \t ");
    const table = fc.array(fc.tuple(fc.array(cell, { minLength: 3, maxLength: 3 }), gap), {
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(table, (rows) => {
        const quoted = (text: string | null) => (text === null ? "****" : `"${text}"`);
        const lines = rows.map(([cells, space], i) => [i, ...cells.map(quoted)].join(space));
        const twoDa = read(`${HEADER}A B C\n${lines.join("\n")}`);
        expect(twoDa.issues).toEqual([]);
        expect(textsOf(twoDa)).toEqual(rows.map(([cells]) => cells));
        // the place of each cell is the place of its text in the line
        twoDa.rows.forEach((row, i) => {
          const characters = [...lines[i]];
          row.texts.forEach((text, j) => {
            const found = characters.slice(row.columns[j] - 1).join("");
            expect(found.startsWith(quoted(text))).toBe(true);
          });
        });
      }),
      { seed: 20263 },
    );
  });
});
