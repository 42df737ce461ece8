import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { WordInput } from "../../src/recipes/types.js";
import { parseWordCsv, toWordCsv } from "../../src/recipes/wordCsv.js";
import { isBlank } from "../../src/spec/index.js";
import { codeOf } from "../refusal.js";

/** Each issue as line:column. */
function flawsOf(text: string): string[] {
  const { issues } = parseWordCsv(text, { file: "t.csv" });
  return issues.map((issue) => {
    expect(issue.code).toBe("recipe.tables");
    expect(issue.severity).toBe("error");
    expect(issue.where.file).toBe("t.csv");
    return `${issue.where.line}:${issue.where.column}`;
  });
}

describe("a CSV table of words", () => {
  test("becomes rows of numbers, words and flags", () => {
    const text = "id,word,active,tier,attack,sneak\n3,half-moon,1,2,-4,0.2\n7,Déjà vu,false,0,+1.50,.5\n";
    expect(parseWordCsv(text)).toEqual({
      rows: [
        { id: 3, word: "half-moon", active: true, tier: 2, attack: -4, sneak: 0.2 },
        { id: 7, word: "Déjà vu", active: false, tier: 0, attack: 1.5, sneak: 0.5 },
      ],
      isWhole: true,
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
      expect(parseWordCsv(text)).toEqual({ rows: expected, isWhole: true, issues: [] });
      expect(parseWordCsv(`${text}${end}${end}`)).toEqual({ rows: expected, isWhole: true, issues: [] });
    }
    expect(parseWordCsv("id,word,active\n1,a,1\r\n2,b,0\n").rows).toEqual(expected);
  });

  test("has only what stands in it: an empty stat, and columns that are not there, are absent", () => {
    expect(parseWordCsv("word,id,status,attack\nx,1,,\ny,2, proposed , 3 \n").rows).toEqual([
      { id: 1, word: "x" },
      { id: 2, word: "y", status: "proposed", attack: 3 },
    ]);
  });

  test("may hold commas, quotes and line breaks in quotes, and anything else as it is", () => {
    const words = ['say "hi", twice', "two\r\nlines", " padded ", "🗡 blade", "' OR 1=1; --", "__proto__"];
    const rows = words.map((word, i) => ({ id: i + 1, word, active: true }));
    expect(parseWordCsv(toWordCsv(rows))).toEqual({ rows, isWhole: true, issues: [] });
  });

  test("takes minus zero as zero, and a column named like a property of objects", () => {
    const { rows } = parseWordCsv("id,word,x,__proto__,constructor\n1,a,-0,2,3\n");
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
    expect(parseWordCsv(`id,word\n1,${word}\n`).rows).toEqual([{ id: 1, word }]);
  });
});

describe("every flaw of a CSV table is an issue at its place", () => {
  test.each([
    ["nothing at all", "", ["1:1"]],
    ["blank lines only", "\n\r\n\n", ["1:1"]],
    ["a column that is missing", "id,active\n1,1\n", ["1:1"]],
    ["semicolons", "\nid;word;active\n1;a;1\n", ["2:1", "2:1"]],
    ["a column named twice", "id,word,attack, attack\n", ["1:16"]],
    ["a column without a name", "id,word,,x\n", ["1:9"]],
    ["too few cells", "id,word,x\n1,a,2\n2,b\n", ["3:3"]],
    ["too many cells", "id,word,x\r\n1,a,2\r\n2,b,3,4,5\r\n", ["3:7"]],
    ["an empty word", "id,word,x\n1,,2\n2, ,2\n", ["2:3", "3:3"]],
    ["an id of zero", "id,word\n0,a\n", ["2:1"]],
    ["an id that is no integer", "word,id\na,1.5\n", ["2:3"]],
    ["an id past 2^53", "id,word\n9007199254740992,a\n", ["2:1"]],
    ["an empty id", "id,word\n,a\n", ["2:1"]],
    ["a flag that is none", "id,word,active\n1,a,yes\n2,b,\n", ["2:5", "3:5"]],
    ["a status that is none", "id,word,status\n1,a,new\n", ["2:5"]],
    ["a tier that is no integer", "id,word,tier\n1,a,2.5\n2,b,-1\n3,c,\n4,d,256\n", ["2:5", "3:5", "4:5", "5:5"]],
    ["a stat that is no number", "id,word,x\n1,a,lots\n", ["2:5"]],
    ["a stat in hexadecimal", "id,word,x\n1,a,0x10\n", ["2:5"]],
    ["a stat that is infinite", "id,word,x\n1,a,1e999\n", ["2:5"]],
    ["a quote that never closes", 'id,word\n1,a\n2,"b\n3,c\n', ["3:3"]],
    ["more after a quote", 'id,word\n1,"a"b\n', ["2:3"]],
    ["a quote within a cell", 'id,word\n1,a"b\n', ["2:3"]],
    ["a quote in the header", 'id,"word\n', ["1:4"]],
  ])("%s", (_, text, expected) => {
    expect(flawsOf(text)).toEqual(expected);
  });

  test("places count lines and cells that quotes run over", () => {
    const text = '\uFEFFid,word,x\r\n1,"two\r\nlines, ""one"" comma",!\r\n\r\n2,"a,b",?\r\n';
    expect(flawsOf(text)).toEqual(["3:23", "5:9"]);
  });

  test.each(["\n", "\r\n", "\r"])("places are right far down a text with lines that end in %j", (end) => {
    const rows = Array.from({ length: 50 }, (_, i) => `${i === 48 ? "x" : i + 1},w${i}`);
    expect(flawsOf(["id,word", ...rows, ""].join(end))).toEqual(["50:1"]);
  });

  test("all is listed that is wrong, also before a quote that does not close; good rows are kept", () => {
    const { rows, issues } = parseWordCsv('id,word,x\n1,a,1\n0,b,y\n2,c,2\n3,"d');
    expect(rows.map(({ id }) => id)).toEqual([1, 2]);
    expect(issues.map(({ where }) => [where.line, where.column])).toEqual([
      [3, 1],
      [3, 5],
      [5, 3],
    ]);
  });

  test("a missing column and a malformed stat are each at their place", () => {
    const places = ["id,wort\n", "id,word,attack\n1,a,many\n"].map((text) => parseWordCsv(text).issues);
    expect(places.map(([{ code, where }]) => [code, where.line, where.column])).toEqual([
      ["recipe.tables", 1, 1],
      ["recipe.tables", 2, 5],
    ]);
  });

  test("a hostile table fills no memory with messages", () => {
    const { issues } = parseWordCsv(`id,word\n${"0,\n".repeat(5000)}`);
    expect(issues).toHaveLength(101);
    expect(issues[100].where.line).toBe(52);
  });
});

describe("rows written as CSV", () => {
  test("have id, word and active first, then status and tier where a row has them, then the stats", () => {
    const rows: WordInput[] = [
      { id: 2, word: "b", attack: 0.2 },
      { magic: -3, id: 1, word: "a,c", active: 0, status: "proposed", tier: 4 },
    ];
    expect(toWordCsv(rows)).toBe('id,word,active,status,tier,attack,magic\n2,b,1,,0,0.2,\n1,"a,c",0,proposed,4,,-3\n');
    expect(toWordCsv([])).toBe("id,word,active\n");
  });

  test("a row that is a text is refused, and its characters are not read as cells", () => {
    expect(codeOf(() => toWordCsv(["sword" as never]))).toBe("argument.type");
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
    .map((record): WordInput => record);

  test("come back the same", () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
        expect(parseWordCsv(toWordCsv(rows))).toEqual({ rows, isWhole: true, issues: [] });
      }),
      { seed: 20421 },
    );
  });

  const noise = [
    fc.string({ unit: "binary" }),
    fc.array(fc.constantFrom("id", "word", '"', ",", "\n", "\r", "1")),
  ] as const;

  test("nothing that is read throws, and every place is in the text", () => {
    fc.assert(
      fc.property(...noise, (text, parts) => {
        for (const csv of [text, parts.join(""), `id,word\n${parts.join("")}`]) {
          const lines = csv.split(/\r\n|\n|\r/);
          for (const { where } of parseWordCsv(csv).issues) {
            const line = lines[(where.line ?? 0) - 1];
            expect(line).toBeDefined();
            expect(where.column).toBeLessThanOrEqual((line ?? "").length + 1);
          }
        }
      }),
      { seed: 20422 },
    );
  });
});

describe("parseWordCsv is linear and bounded", () => {
  // quadratic code would need minutes or hours for these; each is a few megabytes
  test("a header of 65,000 columns, without names, with one name, and with different names", () => {
    const names = Array.from({ length: 65_000 }, (_, i) => `c${i}`).join(",");
    expect(flawsOf(`id,word${",".repeat(65_000)}\n`)).toHaveLength(101);
    expect(flawsOf(`id,word${",id".repeat(65_000)}\n`)).toHaveLength(101);
    expect(flawsOf(`${names}\n`)).toEqual(["1:1", "1:1"]);
    expect(parseWordCsv(`id,word,${names}\n1,a${",7".repeat(65_000)}\n`).rows).toHaveLength(1);
    expect(flawsOf(`id,word,${names}\n${`1,a${",x".repeat(65_000)}\n`.repeat(20)}`)).toHaveLength(101);
  });

  test("errors at the end of a long text, and in every line of it", () => {
    const rows = Array.from({ length: 400_000 }, (_, i) => `${i + 1},word ${i}`).join("\n");
    const text = `id,word\n${rows}\n${"x,bad\n".repeat(100)}`;
    expect(flawsOf(text)).toEqual(Array.from({ length: 100 }, (_, i) => `${400_002 + i}:1`));
    expect(flawsOf(`id,word\n${"x,bad\n".repeat(700_000)}`)).toHaveLength(101);
  });

  test("a row with many wrong cells has the right columns", () => {
    const stats = Array.from({ length: 300 }, (_, i) => `s${i}`).join(",");
    const cells = Array.from({ length: 300 }, () => '"a,b"').join(",");
    const columns = Array.from({ length: 100 }, (_, i) => `2:${5 + 6 * i}`);
    expect(flawsOf(`id,word,${stats}\n1,a,${cells}\n`).slice(0, 100)).toEqual(columns);
  });

  test("a text, a row and a table that are too long are refused with both figures", () => {
    const wordOf = (text: string) =>
      parseWordCsv(text)
        .issues.map(({ message }) => message)
        .join();
    expect(flawsOf("x".repeat(2 ** 26 + 1))).toEqual(["1:1"]);
    expect(wordOf("x".repeat(2 ** 26 + 1))).toMatch(/67108865.*67108864/);
    expect(flawsOf(`id,word\n1${",".repeat(5_000_000)}\n`)).toEqual(["2:1"]);
    expect(wordOf(`id,word\n1${",".repeat(5_000_000)}\n`)).toMatch(/5000001.*65536/);
    expect(flawsOf(`id,word\n${"1,a\n".repeat(1_000_001)}`)).toEqual(["1000002:1"]);
  });
});

test("a text that is not read to its end says so", () => {
  const rows = "1,a\n".repeat(3);
  for (const text of [`id,word\n${rows}"`, `id,word\n${"x,a\n".repeat(102)}${rows}`, `id,wrd\n${rows}`])
    expect(parseWordCsv(text).isWhole).toBe(false);
  expect(parseWordCsv(`id,word\n${rows}x,b\n`)).toMatchObject({ isWhole: true, issues: [{ code: "recipe.tables" }] });
});

describe("cells that a spreadsheet would run", () => {
  const text = fc.tuple(
    fc.constantFrom("", "'", "''"),
    fc.constantFrom("=", "+", "-", "@", "a", "-5", "+1.5e3"),
    fc.string(),
  );
  const words = fc.uniqueArray(text.map((parts) => parts.join("")).filter((one) => !isBlank(one)));

  test("are text, and come back as they were", () => {
    fc.assert(
      fc.property(words, fc.boolean(), (list, rawCells) => {
        const rows = list.map((word, i) => ({ id: i + 1, word, active: true, "=stat": -1.5 }));
        const csv = toWordCsv(rows, { rawCells });
        expect(parseWordCsv(csv)).toEqual({ rows, isWhole: true, issues: [] });
        const cells = parse(csv, { record_delimiter: "\n" }).flat();
        const run = cells.filter((cell) => /^[=+\-@\t\r]./s.test(cell) && Number.isNaN(Number(cell)));
        if (!rawCells) expect(run).toEqual([]);
      }),
      { seed: 20433 },
    );
  });

  test("numbers stay numbers", () => {
    expect(toWordCsv([{ id: 1, word: "-5", active: true, x: -2 }])).toBe("id,word,active,x\n1,-5,1,-2\n");
    expect(toWordCsv([{ id: 1, word: "-5a", active: true }])).toBe("id,word,active\n1,'-5a,1\n");
    expect(toWordCsv([{ id: 1, word: "-5a", active: true }], { rawCells: true })).toBe("id,word,active\n1,-5a,1\n");
  });
});

describe("columns whose names are nearly known (audit 21)", () => {
  const KNOWN = ["id", "word", "active", "status", "tier", "proposer", "proposed", "x"];
  const end = fc.constantFrom(
    "",
    "",
    "'",
    "''",
    "=",
    "-",
    " ",
    "\t",
    "\r",
    "\n",
    "'\t",
    "'\n ",
    "\u00a0",
    "\ufeff",
    "1",
  );
  const name = fc.tuple(end, end, fc.constantFrom(...KNOWN), end).map((parts) => parts.join(""));
  const names = fc.uniqueArray(name, { maxLength: 4 });
  const stat = fc.constantFrom("", "1", "-1e5");
  const quoted = (cells: readonly string[]) => cells.map((cell) => `"${cell}"`).join(",");

  test("are read as they were written", () => {
    fc.assert(
      fc.property(names, fc.array(stat, { minLength: 4, maxLength: 4 }), fc.boolean(), (columns, stats, rawCells) => {
        const line = ["1", "fire", ...stats.slice(0, columns.length)];
        const { rows, issues } = parseWordCsv(`${quoted(["id", "word", ...columns])}\n${quoted(line)}\n`);
        if (issues.length > 0) return;
        const written = rows.map((row) => ({ active: true, ...row }));
        expect(parseWordCsv(toWordCsv(rows, { rawCells }))).toEqual({ rows: written, isWhole: true, issues: [] });
      }),
      { seed: 20434, numRuns: 2000 },
    );
  });

  test("are written, or refused", () => {
    fc.assert(
      fc.property(name, fc.boolean(), (key, rawCells) => {
        const rows = [{ id: 1, word: "fire", active: true, ...(KNOWN.includes(key) ? {} : { [key]: 2.5 }) }];
        if (key.trim() !== key) expect(codeOf(() => toWordCsv(rows, { rawCells }))).toBe("argument.range");
        else expect(parseWordCsv(toWordCsv(rows, { rawCells }))).toEqual({ rows, isWhole: true, issues: [] });
      }),
      { seed: 20435, numRuns: 2000 },
    );
  });

  test("a key without a character is refused", () => {
    expect(codeOf(() => toWordCsv([{ id: 1, word: "fire", "": 1 }]))).toBe("argument.range");
  });
});

test("toWordCsv refuses rows whose CSV would be longer than parseWordCsv reads", () => {
  const row = { id: 1, word: "x".repeat(2 ** 20) };
  expect(codeOf(() => toWordCsv(new Array(65).fill(row)))).toBe("argument.range");
  expect(toWordCsv(new Array(60).fill(row)).length).toBeGreaterThan(60 * 2 ** 20);
});
