import { describe, expect, test } from "vitest";
import { MAX_ISSUES } from "../../src/errors/index.js";
import {
  columnIndex,
  MAX_CELLS,
  MAX_COLUMNS,
  MAX_LINE,
  MAX_ROWS,
  MAX_TEXT,
  parseTwoDa,
  type TwoDa,
} from "../../src/formats/read/twoda.js";

const HEADER = "2DA V2.0\n\n";
const textsOf = (twoDa: TwoDa) => twoDa.rows.map((row) => row.texts);
/** Issues as `line:column code`, with `!` before an error. */
const issuesOf = (twoDa: TwoDa) =>
  twoDa.issues.map(({ code, severity, where }) => {
    return `${where.line}:${where.column} ${severity === "error" ? "!" : ""}${code}`;
  });
const read = (text: string) => parseTwoDa(text, { file: "a.2da" });

describe("the header", () => {
  const plain = read(`${HEADER}Label Random0\n0 Start r0\n1 Set1 r4\n`);

  test("a plain file has columns and rows, and no issues", () => {
    expect(plain.columns.map((column) => column.name)).toEqual(["Label", "Random0"]);
    expect(plain.columnLine).toBe(3);
    expect(textsOf(plain)).toEqual([
      ["Start", "r0"],
      ["Set1", "r4"],
    ]);
    expect(plain.rows[1]).toMatchObject({ line: 5, printedNumber: "1", columns: [3, 8] });
    expect(plain).toMatchObject({ issues: [], complete: true });
    expect(plain.default).toBeUndefined();
  });

  test.each([
    ["a byte order mark", "\ufeff2DA V2.0\n\nLabel Random0\n0 Start r0\n1 Set1 r4\n"],
    ["CRLF", "2DA V2.0\r\n\r\nLabel Random0\r\n0 Start r0\r\n1 Set1 r4\r\n"],
    ["no final newline", "2DA V2.0\n\nLabel Random0\n0 Start r0\n1 Set1 r4"],
    ["white space around the header", " \t2DA V2.0 \t \n \t\nLabel Random0\n0 Start r0\n1 Set1 r4\n"],
    ["more blank lines before the columns", "2DA V2.0\n\n\n \n\nLabel Random0\n0 Start r0\n1 Set1 r4\n"],
    ["tabs between cells", "2DA V2.0\n\n\tLabel\t\tRandom0\n0\tStart\t \tr0\t\n1\tSet1\tr4\n"],
    ["neither of its two lines", "Label Random0\n0 Start r0\n1 Set1 r4\n"],
    ["neither of its two lines, after blank ones", "\n  \n      Label Random0\n0     Start r0\n1     Set1  r4\n\t\t"],
  ])("a file with %s reads the same", (_, text) => {
    const twoDa = read(text);
    expect(twoDa.issues).toEqual([]);
    expect(twoDa.columns.map((column) => column.name)).toEqual(["Label", "Random0"]);
    expect(textsOf(twoDa)).toEqual(textsOf(plain));
  });

  test.each([
    "",
    "\n\n",
    "2DA V1.0\n\nA\n",
    "2da v2.0\n\nA\n",
    "2DA\n\nA\n",
    "2DA V2\n\nA\n",
    "#!/bin/sh\n",
    "a **** b\n0 1 2 3",
  ])("%j is no 2DA file", (text) => {
    const twoDa = read(text);
    expect(twoDa.issues.map((issue) => [issue.severity, issue.code])).toEqual([["error", "twoda.header"]]);
    expect(twoDa).toMatchObject({ columns: [], rows: [], columnLine: 0, complete: false });
  });

  test("the name of a file in place of its text gets another remedy (first hour)", () => {
    expect(read("loot.csv").issues[0].message).toMatch("read the file");
    expect(read("#!/bin/sh\n").issues[0].message).not.toMatch("read the file");
  });

  test("a wrong header is an error at its first character", () => {
    expect(issuesOf(read("\n  2DA V1.0\n"))).toEqual(["2:3 !twoda.header"]);
  });

  test("a header out of its place, or columns right below it, are doubtful but read", () => {
    expect(issuesOf(read("\n2DA V2.0\n\nA\n0 x\n"))).toEqual(["2:1 twoda.header"]);
    const close = read("2DA V2.0\n A\n0 x\n");
    expect(issuesOf(close)).toEqual(["2:2 twoda.header"]);
    expect(textsOf(close)).toEqual([["x"]]);
  });

  test("a file that ends after its header has no columns", () => {
    expect(issuesOf(read("2DA V2.0\n\n"))).toEqual(["1:1 !twoda.columns"]);
    expect(issuesOf(read("2DA V2.0\nDEFAULT: 5\n\n"))).toEqual(["1:1 !twoda.columns"]);
  });
});

describe("DEFAULT", () => {
  const twoDa = read("2DA V2.0\nDEFAULT: 7\n\nA B\n0 x ****\n1 y\n");

  test("stands apart from the rows: it fills neither a **** cell nor a short row", () => {
    expect(twoDa.default).toEqual({ text: "7", line: 2, column: 10 });
    expect(twoDa.issues).toEqual([]);
    expect(textsOf(twoDa)).toEqual([["x", null], ["y"]]);
  });

  test("is absent unless the file has one", () => {
    expect(read(`${HEADER}A\n0 x\n`)).not.toHaveProperty("default");
  });

  test.each([
    ["DEFAULT:r5", { text: "r5", line: 2, column: 9 }],
    ['  DEFAULT:  "two words" ', { text: "two words", line: 2, column: 13 }],
    ["DEFAULT: two words ", { text: "two words", line: 2, column: 10 }],
    ['DEFAULT: ""', { text: "", line: 2, column: 10 }],
    ["DEFAULT:", undefined],
    ["DEFAULT: ****", undefined],
  ])("%j", (line, expected) => {
    const read2 = read(`2DA V2.0\n${line}\nA\n`);
    expect(read2.default).toEqual(expected);
    expect(read2.columns).toHaveLength(1);
    expect(read2.issues).toEqual([]);
  });

  test("an unclosed quote in it is doubtful", () => {
    const twoDa = read('2DA V2.0\nDEFAULT: "a b\nA\n');
    expect(twoDa.default?.text).toBe("a b");
    expect(issuesOf(twoDa)).toEqual(["2:10 twoda.quote"]);
  });
});

describe("columns", () => {
  test("are found by name whatever the case", () => {
    const twoDa = read(`${HEADER}Label RANDOM0 random0Weight\n`);
    expect(
      ["label", "Random0", "RANDOM0WEIGHT", "Random1", "toString", "__proto__"].map((name) => columnIndex(twoDa, name)),
    ).toEqual([0, 1, 2, -1, -1, -1]);
  });

  test("may be named like a property of every object", () => {
    const twoDa = read(`${HEADER}__proto__ constructor toString\n0 a b c\n`);
    expect(["__proto__", "constructor", "toString"].map((name) => columnIndex(twoDa, name))).toEqual([0, 1, 2]);
    expect(twoDa.issues).toEqual([]);
  });

  test("without a usable name or with the same name twice are errors, each at its place", () => {
    const twoDa = read(`${HEADER}  A **** b-c a "" A\n0 1 2 3 4 5 6\n`);
    expect(issuesOf(twoDa)).toEqual([
      "3:5 !twoda.columns",
      "3:10 !twoda.columns",
      "3:14 !twoda.columns",
      "3:16 !twoda.columns",
      "3:19 !twoda.columns",
    ]);
    expect(textsOf(twoDa)).toEqual([["1", "2", "3", "4", "5", "6"]]);
  });
});

describe("cells", () => {
  const cells = (line: string) => read(`${HEADER}A B C\n0 ${line}\n`).rows[0].texts;

  test("exactly **** is no value; three or five stars, or quoted ones, are text", () => {
    expect(cells("**** *** *****")).toEqual([null, "***", "*****"]);
    expect(cells('"****" "" ****')).toEqual(["****", "", null]);
  });

  test("quotes keep white space together, without escapes", () => {
    expect(cells('"Long  Sword" "a\\" b')).toEqual(["Long  Sword", "a\\", "b"]);
    expect(cells('x"y z" \'q')).toEqual(['x"y', 'z"', "'q"]);
  });

  test("an unclosed quote runs to the end of the line", () => {
    const twoDa = read(`${HEADER}A B C\n0 x "y z  \n1 a b c\n`);
    expect(textsOf(twoDa)).toEqual([
      ["x", "y z  "],
      ["a", "b", "c"],
    ]);
    expect(issuesOf(twoDa)).toEqual(["4:5 twoda.quote"]);
  });

  test("text that touches a closing quote is a cell of its own, and doubtful", () => {
    const twoDa = read(`${HEADER}A B C\n0 "a"b c\n`);
    expect(textsOf(twoDa)).toEqual([["a", "b", "c"]]);
    expect(issuesOf(twoDa)).toEqual(["4:6 twoda.quote"]);
  });

  test("columns count characters, not code units, tabs as one, a byte order mark as none", () => {
    const twoDa = read('\ufeffA\tB C\n0 é😀\u{1f5e1}x\t"y" ****\n1 \ud800 b "c\n');
    expect(twoDa.columns.map((column) => column.column)).toEqual([1, 3, 5]);
    expect(twoDa.rows[0].columns).toEqual([3, 8, 12]);
    expect(textsOf(twoDa)[1]).toEqual(["\ud800", "b", "c"]);
    expect(issuesOf(twoDa)).toEqual(["3:7 twoda.quote"]);
  });

  test("a NUL character refuses the text, at its place", () => {
    expect(issuesOf(read(`${HEADER}A B\n0 é\0 y\n`))).toEqual(["4:4 !twoda.cells"]);
    expect(issuesOf(read("2\0D\0A\0"))).toEqual(["1:2 !twoda.cells"]);
  });
});

describe("rows", () => {
  test("are numbered by position; a printed number that lies is doubtful", () => {
    const twoDa = read(`${HEADER}A\n0 a\n 7 b\n02 c\n**** d\nx e\n`);
    expect(twoDa.rows.map((row) => row.printedNumber)).toEqual(["0", "7", "02", null, "x"]);
    expect(issuesOf(twoDa)).toEqual(["5:2 twoda.row-number", "7:1 twoda.row-number", "8:1 twoda.row-number"]);
  });

  test("a blank line inside is an all-blank row; trailing ones are dropped", () => {
    const twoDa = read(`${HEADER}A B\n0 a b\n\n \t\n3 c d\n\n5 e f\n\n \n`);
    expect(textsOf(twoDa)).toEqual([["a", "b"], [], [], ["c", "d"], [], ["e", "f"]]);
    expect(twoDa.rows.map((row) => row.line)).toEqual([4, 5, 6, 7, 8, 9]);
    expect(twoDa.issues).toEqual([]);
  });

  test("blank lines between the columns and the first row are rows too", () => {
    expect(textsOf(read(`${HEADER}A\n\n1 a\n`))).toEqual([[], ["a"]]);
  });

  test("too many cells are ignored with a warning, too few are padded with no value", () => {
    const twoDa = read(`${HEADER}A B\n0 a\n1 a b c\n2\n`);
    expect(textsOf(twoDa)).toEqual([["a"], ["a", "b"], []]);
    expect(issuesOf(twoDa)).toEqual(["5:7 twoda.cells"]);
  });
});

describe("limits", () => {
  test("a text over 64 Mi characters is refused unread", () => {
    expect(issuesOf(read(`${HEADER}A\n`.padEnd(MAX_TEXT + 1, "\n")))).toEqual(["1:1 !twoda.limit"]);
  });

  test("a line over 1 Mi characters stops the reading, wherever it stands", () => {
    const long = "x".repeat(MAX_LINE + 1);
    expect(issuesOf(read(`${HEADER}A\n0 a\n${long}\n2 b\n`))).toEqual(["5:1 !twoda.limit"]);
    expect(issuesOf(read(`${HEADER}${long}\n`))).toEqual(["3:1 !twoda.limit"]);
    expect(issuesOf(read(`${long}\n`))).toEqual(["1:1 !twoda.header"]);
    expect(read(`${HEADER}A\n0 ${long.slice(3)}\n`)).toMatchObject({ issues: [], complete: true });
  });

  test("the row after the millionth is an error, and so is the column after the thousandth", () => {
    const rows = "\n".repeat(MAX_ROWS - 1);
    expect(read(`A\n${rows}${MAX_ROWS - 1} x`)).toMatchObject({ issues: [], complete: true });
    const over = read(`A\n${rows}\n${MAX_ROWS} x`);
    expect(issuesOf(over)).toEqual([`${MAX_ROWS + 2}:1 !twoda.limit`]);
    expect(over).toMatchObject({ complete: false });

    const names = Array.from({ length: MAX_COLUMNS + 1 }, (_, i) => `c${i}`);
    expect(read(names.slice(1).join(" ")).columns).toHaveLength(MAX_COLUMNS);
    expect(issuesOf(read(names.join(" ")))).toEqual([`1:${names.slice(1).join(" ").length - 1} !twoda.limit`]);
  });

  test("the row that holds the cell after the 2^24th is an error", () => {
    const cells = " x".repeat(MAX_COLUMNS);
    const names = Array.from({ length: MAX_COLUMNS }, (_, i) => `c${i}`).join(" ");
    const rows = Math.floor(MAX_CELLS / (MAX_COLUMNS + 1));
    const twoDa = read(`${names}\n${Array.from({ length: rows + 2 }, (_, r) => r + cells).join("\n")}`);
    expect(twoDa).toMatchObject({ complete: false });
    expect(twoDa.rows).toHaveLength(rows);
    expect(issuesOf(twoDa)).toEqual([`${rows + 2}:1 !twoda.limit`]);
  });

  test("issues past the ten thousandth are not listed, but an error among them still counts", () => {
    const twoDa = read(`A\n${"x\n".repeat(MAX_ISSUES + 5)}`);
    expect(twoDa.issues).toHaveLength(MAX_ISSUES + 1);
    expect(twoDa.issues.at(-1)).toMatchObject({ code: "twoda.limit", severity: "warning", where: { line: 10_002 } });
    expect(twoDa.rows).toHaveLength(MAX_ISSUES + 5);
    const line = "x".repeat(MAX_LINE + 1);
    const long = read(`A\n${"x\n".repeat(MAX_ISSUES + 5)}${line}`);
    expect(long.issues.at(-1)).toMatchObject({ severity: "error", where: { line: 10_007 } });
  });
});
