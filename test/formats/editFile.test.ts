import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readEditFile, splitFields } from "../../src/formats/read/editFile.js";

describe("edit files", () => {
  test("records begin at N; comments, blank lines and versions are skipped", () => {
    const text = "\ufeff# head\n\nV:3.1\r\nD:B:10\nN:1:one\n  # a note\nF: A | B \n \t\nN:2:two\nD:a: b";
    const { version, before, records } = readEditFile(text);
    expect(version).toBe("3.1");
    expect(before.map(({ line, type, rest }) => [line, type, rest])).toEqual([[4, "D", "B:10"]]);
    expect(records.map(({ head, lines }) => [head.line, head.rest, lines.map(({ rest }) => rest)])).toEqual([
      [5, "1:one", [" A | B "]],
      [9, "2:two", ["a: b"]],
    ]);
  });

  test("fields have their text without blanks, and the column where it begins, in characters", () => {
    const [{ head, lines }] = readEditFile("N: 1 :\u{1f5e1}: x\n  W:: 7").records;
    expect(head.fields).toEqual([
      { text: "1", column: 4 },
      { text: "\u{1f5e1}", column: 7 },
      { text: "x", column: 10 },
    ]);
    expect(lines[0]).toMatchObject({ type: "W", column: 3, line: 2 });
    expect(lines[0].fields).toEqual([
      { text: "", column: 5 },
      { text: "7", column: 7 },
    ]);
  });

  test("a line without a colon is a type without fields, even N and V", () => {
    const { version, before, records } = readEditFile("N\nV\n");
    expect({ version, records }).toEqual({ version: undefined, records: [] });
    expect(before.map(({ type, fields, rest }) => [type, fields, rest])).toEqual([
      ["N", [], ""],
      ["V", [], ""],
    ]);
  });

  test("a list's parts have their columns in the line", () => {
    expect(splitFields("A |  B|", "|", 3)).toEqual([
      { text: "A", column: 3 },
      { text: "B", column: 8 },
      { text: "", column: 10 },
    ]);
  });

  test("any text is read, and every field stands where its column says", () => {
    const text = fc.array(fc.string({ unit: fc.constantFrom("N", "V", ":", " ", "\t", "#", "x", "\u{1f5e1}") }));
    fc.assert(
      fc.property(text, (lines) => {
        const { before, records } = readEditFile(lines.join("\n"));
        for (const { line, fields } of [...before, ...records.flatMap(({ head, lines }) => [head, ...lines])]) {
          const characters = [...lines[line - 1]];
          for (const field of fields)
            expect(characters.slice(field.column - 1, field.column - 1 + [...field.text].length).join("")).toBe(
              field.text,
            );
        }
      }),
      { seed: 2 },
    );
  });
});
