import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { formatIssue } from "../../src/errors/index.js";
import { type CsvRow, parseCsvTable, toCsvTable } from "../../src/formats/index.js";

/** Each issue as file:line:column and its problem. */
function flawsOf(text: string): string[] {
  const { issues } = parseCsvTable(text, { file: "t.csv" });
  return issues.map((issue) => {
    expect(issue.code).toBe("recipe.tables");
    expect(issue.severity).toBe("error");
    return formatIssue(issue).replace(/( \(|: got|: expected|\. |, got| \[).*$/, "");
  });
}

describe("a CSV table of words", () => {
  test("becomes rows of numbers, words and flags", () => {
    const text = "id,word,active,tier,attack,sneak\n3,half-moon,1,2,-4,0.2\n7,Déjà vu,false,0,+1.50,.5\n";
    expect(parseCsvTable(text)).toEqual({
      rows: [
        { id: 3, word: "half-moon", active: true, tier: 2, attack: -4, sneak: 0.2 },
        { id: 7, word: "Déjà vu", active: false, tier: 0, attack: 1.5, sneak: 0.5 },
      ],
      issues: [],
    });
  });

  test("takes a byte order mark, CRLF, lone CR, blank lines and no end of line at the end", () => {
    const expected = [
      { id: 1, word: "a", active: true },
      { id: 2, word: "b", active: false },
    ];
    for (const end of ["\n", "\r\n", "\r"]) {
      const text = ["\uFEFFid,word,active", "", "1,a,TRUE", "", "2,b,0"].join(end);
      expect(parseCsvTable(text)).toEqual({ rows: expected, issues: [] });
      expect(parseCsvTable(`${text}${end}${end}`)).toEqual({ rows: expected, issues: [] });
    }
    expect(parseCsvTable("id,word,active\n1,a,1\r\n2,b,0\n").rows).toEqual(expected);
  });

  test("has only what stands in it: an empty stat, and columns that are not there, are absent", () => {
    expect(parseCsvTable("word,id,status,attack\nx,1,,\ny,2, proposed , 3 \n").rows).toEqual([
      { id: 1, word: "x" },
      { id: 2, word: "y", status: "proposed", attack: 3 },
    ]);
  });

  test("may hold commas, quotes and line breaks in quotes, and anything else as it is", () => {
    const words = ['say "hi", twice', "two\r\nlines", " padded ", "🗡 blade", "' OR 1=1; --", "__proto__"];
    const rows = words.map((word, i) => ({ id: i + 1, word, active: true }));
    expect(parseCsvTable(toCsvTable(rows))).toEqual({ rows, issues: [] });
  });

  test("takes minus zero as zero, and a column named like a property of objects", () => {
    const { rows } = parseCsvTable("id,word,x,__proto__,constructor\n1,a,-0,2,3\n");
    expect(Object.is(rows[0]?.x, 0)).toBe(true);
    expect(Object.entries(rows[0] ?? {})).toEqual([
      ["id", 1],
      ["word", "a"],
      ["x", 0],
      ["__proto__", 2],
      ["constructor", 3],
    ]);
  });

  test("may have a cell of a million characters", () => {
    const word = "x".repeat(1_000_000);
    expect(parseCsvTable(`id,word\n1,${word}\n`).rows).toEqual([{ id: 1, word }]);
  });
});

describe("what is wrong with a CSV table is said with its place", () => {
  test.each([
    ["nothing at all", "", ["t.csv:1:1: the table has no header"]],
    ["blank lines only", "\n\r\n\n", ["t.csv:1:1: the table has no header"]],
    ["a column that is missing", "id,active\n1,1\n", ["t.csv:1:1: the column word is missing"]],
    [
      "semicolons",
      "\nid;word;active\n1;a;1\n",
      ["t.csv:2:1: the column id is missing", "t.csv:2:1: the column word is missing"],
    ],
    ["a column named twice", "id,word,attack, attack\n", ["t.csv:1:16: a column is there twice"]],
    ["a column without a name", "id,word,,x\n", ["t.csv:1:9: a column has no name"]],
    ["too few cells", "id,word,x\n1,a,2\n2,b\n", ["t.csv:3:3: a row has a wrong number of cells"]],
    ["too many cells", "id,word,x\r\n1,a,2\r\n2,b,3,4,5\r\n", ["t.csv:3:7: a row has a wrong number of cells"]],
    ["an empty word", "id,word,x\n1,,2\n2, ,2\n", ["t.csv:2:3: a word is empty", "t.csv:3:3: a word is empty"]],
    ["an id of zero", "id,word\n0,a\n", ["t.csv:2:1: an id is no positive integer"]],
    ["an id that is no integer", "word,id\na,1.5\n", ["t.csv:2:3: an id is no positive integer"]],
    ["an id past 2^53", "id,word\n9007199254740992,a\n", ["t.csv:2:1: an id is no positive integer"]],
    ["an empty id", "id,word\n,a\n", ["t.csv:2:1: an id is no positive integer"]],
    ["a flag that is none", "id,word,active\n1,a,yes\n2,b,\n", ["t.csv:2:5", "t.csv:3:5"]],
    ["a status that is none", "id,word,status\n1,a,new\n", ["t.csv:2:5: a row has an unknown status"]],
    [
      "a tier that is no integer",
      "id,word,tier\n1,a,2.5\n2,b,-1\n3,c,\n4,d,256\n",
      ["t.csv:2:5", "t.csv:3:5", "t.csv:4:5", "t.csv:5:5"],
    ],
    ["a stat that is no number", "id,word,x\n1,a,lots\n", ["t.csv:2:5: a stat is no number"]],
    ["a stat in hexadecimal", "id,word,x\n1,a,0x10\n", ["t.csv:2:5: a stat is no number"]],
    ["a stat that is infinite", "id,word,x\n1,a,1e999\n", ["t.csv:2:5: a stat is no number"]],
    ["a quote that never closes", 'id,word\n1,a\n2,"b\n3,c\n', ["t.csv:3:3: a quote opens and never closes"]],
    ["more after a quote", 'id,word\n1,"a"b\n', ["t.csv:2:3: a quoted cell goes on after its closing quote"]],
    ["a quote within a cell", 'id,word\n1,a"b\n', ["t.csv:2:3: a quote stands within a cell that is not quoted"]],
    ["a quote in the header", 'id,"word\n', ["t.csv:1:4: a quote opens and never closes"]],
  ])("%s", (_, text, expected) => {
    const found = flawsOf(text);
    expect(found).toHaveLength(expected.length);
    for (const [i, start] of expected.entries()) expect(found[i]).toContain(start);
  });

  test("places count lines and cells that quotes run over", () => {
    const text = '\uFEFFid,word,x\r\n1,"two\r\nlines, ""one"" comma",!\r\n\r\n2,"a,b",?\r\n';
    expect(flawsOf(text)).toEqual(["t.csv:3:23: a stat is no number", "t.csv:5:9: a stat is no number"]);
  });

  test.each(["\n", "\r\n", "\r"])("places are right far down a text with lines that end in %j", (end) => {
    const rows = Array.from({ length: 50 }, (_, i) => `${i === 48 ? "x" : i + 1},w${i}`);
    expect(flawsOf(["id,word", ...rows, ""].join(end))).toEqual(["t.csv:50:1: an id is no positive integer"]);
  });

  test("all is listed that is wrong, also before a quote that does not close; good rows are kept", () => {
    const { rows, issues } = parseCsvTable('id,word,x\n1,a,1\n0,b,y\n2,c,2\n3,"d');
    expect(rows.map(({ id }) => id)).toEqual([1, 2]);
    expect(issues.map(({ where }) => [where.line, where.column])).toEqual([
      [3, 1],
      [3, 5],
      [5, 3],
    ]);
  });

  test("a message says what came, what was expected and what to do", () => {
    const [first] = parseCsvTable("id,wort\n").issues;
    expect(first?.message).toBe('the column word is missing: got "id,wort". Is it "wort"?');
    const [second] = parseCsvTable("id,word,attack\n1,a,many\n").issues;
    expect(second?.message).toMatch(/^a stat is no number \(column attack\): got "many", expected a decimal number/);
  });

  test("a hostile table fills no memory with messages", () => {
    const { issues } = parseCsvTable(`id,word\n${"0,\n".repeat(5000)}`);
    expect(issues).toHaveLength(101);
    expect(issues[100]?.message).toMatch(/not listed/);
  });
});

describe("rows written as CSV", () => {
  test("have id, word and active first, then status and tier where a row has them, then the stats", () => {
    const rows: CsvRow[] = [
      { id: 2, word: "b", attack: 0.2 },
      { magic: -3, id: 1, word: "a,c", active: 0, status: "proposed", tier: 4 },
    ];
    expect(toCsvTable(rows)).toBe('id,word,active,status,tier,attack,magic\n2,b,1,,0,0.2,\n1,"a,c",0,proposed,4,,-3\n');
    expect(toCsvTable([])).toBe("id,word,active\n");
  });

  const stat = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
  const row = fc
    .record(
      {
        id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
        word: fc.string({ unit: "binary" }).filter((word) => word.trim() !== ""),
        active: fc.boolean(),
        status: fc.constantFrom("accepted" as const, "proposed" as const),
        tier: fc.nat(255),
        attack: stat,
        "critical, at most": stat,
      },
      { requiredKeys: ["id", "word", "active", "tier"] },
    )
    .map((record): CsvRow => record);

  property.prop([fc.array(row, { maxLength: 20 })], { seed: 20421 })("come back the same", (rows) => {
    expect(parseCsvTable(toCsvTable(rows))).toEqual({ rows, issues: [] });
  });

  const noise = [
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom("id", "word", '"', ",", "\n", "\r", "1")),
  ] as const;

  property.prop([...noise], { seed: 20422 })(
    "nothing that is read throws, and every place is in the text",
    (text, parts) => {
      for (const csv of [text, parts.join(""), `id,word\n${parts.join("")}`]) {
        const lines = csv.split(/\r\n|\n|\r/);
        for (const { where } of parseCsvTable(csv).issues) {
          const line = lines[(where.line ?? 0) - 1];
          expect(line).toBeDefined();
          expect(where.column).toBeLessThanOrEqual((line ?? "").length + 1);
        }
      }
    },
  );
});
