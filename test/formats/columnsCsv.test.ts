import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Column, csvChunks, toCsv } from "../../src/formats/index.js";
import { csvField, safeText } from "../../src/formats/read/csv.js";

const ROWS: readonly Column[] = [
  { kind: "text", name: "name", values: ["Rusty Sword", 'a "b", c', "two\nlines"] },
  { kind: "word", name: "prefix, if any", words: [null, "rusty", "a,b"], indices: Uint16Array.of(1, 0, 2) },
  { kind: "integer", name: "attack", values: Int16Array.of(-3, 0, 12) },
  { kind: "decimal", name: "crit", decimals: 1, values: Int16Array.of(3, -7, 20) },
  { kind: "decimal", name: "fine", decimals: 9, values: Int32Array.of(1, -1_500_000_000, 0) },
];

describe("toCsv", () => {
  test("quotes what needs it, leaves nothing empty and writes decimals as they are", () => {
    expect(toCsv(ROWS)).toBe(
      'name,"prefix, if any",attack,crit,fine\n' +
        "Rusty Sword,rusty,-3,0.3,0.000000001\n" +
        '"a ""b"", c",,0,-0.7,-1.5\n' +
        '"two\nlines","a,b",12,2,0\n',
    );
  });

  test("writes a decimal exactly: its digits with a point in them", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 50 }),
        fc.integer({ min: 1, max: 18 }),
        (list, decimals) => {
          const values = Int32Array.from(list);
          const fields = toCsv([{ kind: "decimal", name: "d", decimals, values }])
            .trimEnd()
            .split("\n")
            .slice(1);
          const scaled = fields.map((field) => {
            const [whole, tail = ""] = field.split(".");
            expect(tail).not.toMatch(/0$/);
            return Number(BigInt(whole + tail.padEnd(decimals, "0")));
          });
          expect(scaled).toEqual(list.map((value) => value + 0));
        },
      ),
    );
  });

  test("is read back by an ordinary reader", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" }), { maxLength: 30 }), (values) => {
        const indices = Uint8Array.from(values, (_, i) => i % 2);
        const columns: readonly Column[] = [
          { kind: "text", name: "t", values },
          { kind: "word", name: "w", words: [null, "x"], indices },
        ];
        const csv = toCsv(columns, { rawCells: true });
        const wanted = values.map((t, i) => ({ t, w: i % 2 === 0 ? "" : "x" }));
        expect(parse(csv, { columns: true, record_delimiter: "\n" })).toEqual(wanted);
      }),
    );
  });
});

describe("phrases", () => {
  const blanks = fc.stringMatching(/^[ \t\n\u00a0\u3000]{0,3}$/);
  const text = fc.oneof(
    blanks,
    fc.string({ unit: "grapheme", maxLength: 6 }),
    fc.constantFrom("=", "'=", 'a"b', ", ", "-5"),
  );
  const parts = fc.array(fc.array(text, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 });

  test("have the fields that the same texts have, composed one by one", () => {
    fc.assert(
      fc.property(parts, fc.array(fc.nat(), { maxLength: 40 }), fc.boolean(), (lists, seeds, rawCells) => {
        const indexOf = (seed: number, part: number) => (seed >>> part) % lists[part].length;
        const phrase: Column = {
          kind: "phrase",
          name: "p",
          segments: lists.map((texts, part) => ({
            texts,
            indices: Uint16Array.from(seeds, (seed) => indexOf(seed, part)),
          })),
        };
        const values = seeds.map((seed) =>
          lists
            .map((texts, part) => texts[indexOf(seed, part)])
            .join("")
            .trim(),
        );
        expect(toCsv([phrase], { rawCells })).toBe(toCsv([{ kind: "text", name: "p", values }], { rawCells }));
        const word: Column = { kind: "word", name: "p", words: values, indices: Uint8Array.from(values.keys()) };
        expect(toCsv([phrase], { rawCells })).toBe(toCsv([word], { rawCells }));
      }),
    );
  });
});

describe("fields", () => {
  test("are those of the function for single texts", () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: "grapheme" }), fc.stringMatching(/^[-=+@'",\t\r\n.e\d]{0,6}$/))),
        (values) => {
          for (const rawCells of [false, true]) {
            const wanted = values.map((value) => `${csvField(rawCells ? value : safeText(value))}\n`);
            expect(toCsv([{ kind: "text", name: "t", values }], { rawCells })).toBe(["t\n", ...wanted].join(""));
          }
        },
      ),
    );
  });

  test("of integers are their digits, in every kind of array", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 32 - 1 })), (list) => {
        for (const type of [Int8Array, Uint8Array, Int16Array, Uint16Array, Int32Array, Uint32Array]) {
          const values = type.from(list);
          expect(toCsv([{ kind: "integer", name: "n", values }])).toBe(
            `n\n${[...values].map((n) => `${n}\n`).join("")}`,
          );
        }
      }),
    );
  });

  test("of long integers are their digits (first hour 17)", () => {
    fc.assert(
      fc.property(fc.array(fc.maxSafeInteger()), (list) => {
        const values = Float64Array.from(list);
        expect(toCsv([{ kind: "integer", name: "n", values }])).toBe(`n\n${list.map((n) => `${n}\n`).join("")}`);
      }),
    );
  });

  test("long texts are written whole", () => {
    const long = `"${"é,".repeat(200_000)}`;
    const csv = toCsv([{ kind: "text", name: "t", values: ["a", long, "b"] }]);
    expect(csv === `t\na\n"${long.replaceAll('"', '""')}"\nb\n`).toBe(true);
  });
});

describe("cells that a spreadsheet would run", () => {
  const texts = ["=1+1", "+a", "-a", "@a", "\ta", "\ra", "'=a", "-5", "+1.5", "-", "a=b", ""];

  test("are written as text, and numbers stay numbers", () => {
    const columns: readonly Column[] = [
      { kind: "text", name: "=t", values: texts },
      { kind: "word", name: "w", words: [null, "@x"], indices: Uint8Array.from(texts, (_, i) => i % 2) },
    ];
    const rows = (csv: string) => parse(csv, { record_delimiter: "\n" }) as string[][];
    const safe = ["'=1+1", "'+a", "'-a", "'@a", "'\ta", "'\ra", "''=a", "-5", "+1.5", "-", "a=b", ""];
    expect(rows(toCsv(columns))).toEqual([["'=t", "w"], ...safe.map((cell, i) => [cell, i % 2 === 0 ? "" : "'@x"])]);
    const raw = rows(toCsv(columns, { rawCells: true }));
    expect(raw).toEqual([["=t", "w"], ...texts.map((cell, i) => [cell, i % 2 === 0 ? "" : "@x"])]);
    const flag = "no" as unknown as boolean;
    expect(() => toCsv(columns, { rawCells: flag })).toThrow(expect.objectContaining({ code: "argument.type" }));
  });
});

test("a CSV that is longer than a text can be is refused", () => {
  const columns: Column[] = [{ kind: "word", name: "w", words: ["x".repeat(2 ** 20)], indices: new Uint8Array(512) }];
  expect(() => toCsv(columns)).toThrow(expect.objectContaining({ code: "argument.range" }));
});

describe("csvChunks", () => {
  const part = (from: number, rows: number): Column[] => [
    { kind: "integer", name: "k", values: Int32Array.from({ length: rows }, (_, i) => from + i) },
  ];

  test("writes the names once, and batches as they come, in pieces", () => {
    const chunks = [...csvChunks([part(0, 40_000), part(40_000, 0), part(40_000, 3)])];
    expect(chunks.length).toBeGreaterThan(3);
    expect(Buffer.concat(chunks).toString()).toBe(`k\n${Array.from({ length: 40_003 }, (_, k) => `${k}\n`).join("")}`);
  });

  test("refuses columns that do not go together", () => {
    const other: Column[] = [{ kind: "integer", name: "j", values: Int32Array.of(1) }];
    expect(() => [...csvChunks([part(0, 1), other])]).toThrow(expect.objectContaining({ code: "argument.range" }));
    expect(() => toCsv([...part(0, 1), ...part(0, 1)])).toThrow(expect.objectContaining({ code: "argument.range" }));
  });
});
