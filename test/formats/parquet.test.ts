import fc from "fast-check";
import { type FileMetaData, parquetMetadata, parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { type Column, parquetChunks, toParquet } from "../../src/formats/index.js";

/** The rows as an ordinary reader gives them. */
function rowsOf(file: Uint8Array): Promise<Record<string, unknown>[]> {
  return parquetReadObjects({ file: file.slice().buffer });
}

/** The integers that decimals are held as: the reader is not told that they are scaled, for it would scale them in floating point. */
function integersOf(file: Uint8Array): Promise<Record<string, unknown>[]> {
  const buffer = file.slice().buffer;
  const metadata = parquetMetadata(buffer);
  const schema = metadata.schema.map(({ converted_type: _, logical_type: __, ...element }) => element);
  const plain: FileMetaData = { ...metadata, schema };
  return parquetReadObjects({ file: buffer, metadata: plain, utf8: false });
}

const elementsOf = (file: Uint8Array) => parquetMetadata(file.slice().buffer).schema.slice(1);

const SWORDS: readonly Column[] = [
  { kind: "text", name: "name", values: ["Rusty Sword", 'Épée, "longue"', ""] },
  { kind: "word", name: "prefix", words: [null, "rusty"], indices: Uint16Array.of(1, 0, 1) },
  { kind: "word", name: "type", words: ["sword", "épée"], indices: Uint8Array.of(0, 1, 1) },
  { kind: "integer", name: "attack", values: Int16Array.of(-3, 0, 32767) },
  { kind: "decimal", name: "crit", decimals: 1, values: Int16Array.of(3, -7, 0) },
  { kind: "decimal", name: "weight", decimals: 2, values: Int32Array.of(2147483647, -2147483648, 5) },
];

describe("toParquet", () => {
  test("writes texts, words, integers and decimals that a reader gives back", async () => {
    expect(await rowsOf(toParquet(SWORDS))).toEqual([
      {
        name: "Rusty Sword",
        prefix: "rusty",
        type: "sword",
        attack: -3,
        crit: expect.closeTo(0.3),
        weight: 21474836.47,
      },
      {
        name: 'Épée, "longue"',
        prefix: null,
        type: "épée",
        attack: 0,
        crit: expect.closeTo(-0.7),
        weight: -21474836.48,
      },
      { name: "", prefix: "rusty", type: "épée", attack: 32767, crit: 0, weight: 0.05 },
    ]);
  });

  test("types the columns: DECIMAL of as many digits as the integers can have", () => {
    const text = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } };
    const decimal = (scale: number, precision: number) => ({
      converted_type: "DECIMAL",
      logical_type: { type: "DECIMAL", scale, precision },
      scale,
      precision,
    });
    expect(elementsOf(toParquet(SWORDS))).toMatchObject([
      { name: "name", repetition_type: "REQUIRED", ...text },
      { name: "prefix", repetition_type: "OPTIONAL", ...text },
      { name: "type", repetition_type: "REQUIRED", ...text },
      { name: "attack", repetition_type: "REQUIRED", type: "INT32" },
      { name: "crit", repetition_type: "REQUIRED", type: "INT32", ...decimal(1, 5) },
      { name: "weight", repetition_type: "REQUIRED", type: "INT64", ...decimal(2, 10) },
    ]);
  });

  test("keeps every integer of a decimal as it is, whatever its scale and the row groups", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 300 }),
        fc.integer({ min: 1, max: 18 }),
        fc.integer({ min: 1, max: 40 }),
        async (list, decimals, rowGroup) => {
          for (const values of [Int8Array.from(list), Int16Array.from(list), Int32Array.from(list)]) {
            const file = toParquet([{ kind: "decimal", name: "d", decimals, values }], { rowGroup });
            const [{ type, precision = 0, scale }] = elementsOf(file);
            expect((await integersOf(file)).map(({ d }) => Number(d))).toEqual([...values]);
            expect(scale).toBe(decimals);
            expect(precision).toBeGreaterThanOrEqual(
              Math.max(decimals, String(2 ** (8 * values.BYTES_PER_ELEMENT - 1)).length),
            );
            expect(type).toBe(precision <= 9 ? "INT32" : "INT64");
          }
        },
      ),
    ));

  test("gives any text back", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.string({ unit: "grapheme" }), { maxLength: 200 }),
        fc.integer({ min: 1, max: 50 }),
        async (values, rowGroup) => {
          const file = toParquet([{ kind: "text", name: "t", values }], { rowGroup });
          expect((await rowsOf(file)).map(({ t }) => t)).toEqual(values);
        },
      ),
    ));

  const cells = fc.array(fc.string({ unit: "grapheme", maxLength: 3 }), { minLength: 1, maxLength: 6 });

  test("composes phrases: every row, with the least and the greatest text of each row group", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(cells, { minLength: 1, maxLength: 3 }),
        fc.array(fc.nat(), { maxLength: 300 }),
        async (lists, seeds) => {
          const parts = lists.map((texts, part) => ({
            texts,
            indices: Uint32Array.from(seeds, (seed) => (seed >>> part) % texts.length),
          }));
          const values = seeds.map((_, row) =>
            parts
              .map(({ texts, indices }) => texts[indices[row]])
              .join("")
              .trim(),
          );
          const file = toParquet([{ kind: "phrase", name: "p", segments: parts }], { rowGroup: 100 });
          expect((await rowsOf(file)).map(({ p }) => p)).toEqual(values);
          const groups = parquetMetadata(file.slice().buffer).row_groups;
          const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
          for (const [i, { columns }] of groups.entries()) {
            const sorted = values.slice(100 * i, 100 * (i + 1)).sort(byBytes);
            const { min_value: least = "", max_value: most = "" } = columns[0].meta_data?.statistics ?? {};
            // long bounds are shortened: the lower one is a lesser text then, and the upper one a greater
            expect(byBytes(String(least), sorted[0])).toBeLessThanOrEqual(0);
            expect(byBytes(String(most), sorted[sorted.length - 1])).toBeGreaterThanOrEqual(0);
            expect(sorted[0].startsWith(String(least))).toBe(true);
          }
        },
      ),
    ));

  test("a text that comes often is stored once in a row group, whatever kind of column it is in", () => {
    const indices = Uint16Array.from({ length: 3000 }, (_, row) => (row * 7919) % 300);
    const words = Array.from({ length: 300 }, (_, i) => `a name of some length ${i % 150}`);
    const values = Array.from(indices, (index) => words[index]);
    const files = [
      toParquet([{ kind: "word", name: "t", words, indices }]),
      toParquet([{ kind: "text", name: "t", values }]),
      toParquet([{ kind: "phrase", name: "t", segments: [{ texts: words, indices }] }]),
    ];
    expect(files.map((file) => Buffer.compare(file, files[0]))).toEqual([0, 0, 0]);
    expect(files[0].length).toBeLessThan(12_000);
  });

  test("tells the least and the most of a decimal as integers", () => {
    const { row_groups: groups } = parquetMetadata(toParquet(SWORDS).slice().buffer);
    const file = toParquet([{ kind: "decimal", name: "d", decimals: 1, values: Int16Array.of(3, -7, 6) }]);
    const statistics = parquetMetadata(file.slice().buffer).row_groups[0].columns[0].meta_data?.statistics;
    expect([statistics?.min_value, statistics?.max_value]).toEqual([expect.closeTo(-0.7), expect.closeTo(0.6)]);
    expect(groups).toHaveLength(1);
  });
});

describe("parquetChunks", () => {
  const part = (from: number, rows: number): Column[] => [
    { kind: "integer", name: "k", values: Int32Array.from({ length: rows }, (_, i) => from + i) },
    {
      kind: "word",
      name: "w",
      words: [null, "a", "b"],
      indices: Uint8Array.from({ length: rows }, (_, i) => (from + i) % 3),
    },
  ];

  const phraseOf = (texts: string[], index: number, more: number[] = [0]): Column => ({
    kind: "phrase",
    name: "p",
    segments: [
      { texts, indices: Uint8Array.of(index) },
      { texts, indices: Uint8Array.from(more) },
    ],
  });

  test("writes batches as they come: a batch is one row group, or several of at most rowGroup", async () => {
    const file = joined(parquetChunks([part(0, 10), part(10, 25), part(35, 0), part(35, 5)], { rowGroup: 10 }));
    const groups = parquetMetadata(file.slice().buffer).row_groups.map((group) => Number(group.num_rows));
    expect(groups).toEqual([10, 10, 10, 5, 5]);
    const wanted = Array.from({ length: 40 }, (_, k) => ({ k, w: [null, "a", "b"][k % 3] }));
    expect(await rowsOf(file)).toEqual(wanted);
  });

  test("asks for the next batch only when what came of the last has been taken", () => {
    let asked = 0;
    const batches = (function* () {
      for (; asked < 100; ) yield part(10 * asked++, 10);
    })();
    const chunks = parquetChunks(batches);
    for (let taken = 1; taken <= 5; taken++) {
      expect(chunks.next().value?.length).toBeGreaterThan(0);
      expect(asked).toBe(taken);
    }
  });

  test("writes a whole file where there is no row", async () => {
    const file = toParquet(part(0, 0));
    expect(await rowsOf(file)).toEqual([]);
    expect(elementsOf(file).map(({ name }) => name)).toEqual(["k", "w"]);
  });

  test("is the same in every byte", () => {
    expect(toParquet(SWORDS)).toEqual(toParquet(SWORDS));
  });

  test.each([
    ["few", [2 ** 42 - 1, -(2 ** 53) + 1, 2 ** 53 - 1, -1, -(2 ** 32), 0]],
    ["near", Array.from({ length: 5000 }, (_, i) => 2 ** 40 + (i % 3))],
  ])("has %s long integers as INT64 (first hour 17)", async (_, list) => {
    const file = toParquet([{ kind: "integer", name: "i", values: Float64Array.from(list) }]);
    const rows = await parquetReadObjects({ file: Uint8Array.from(file).buffer });
    expect(rows.map(({ i }) => i)).toEqual(list.map(BigInt));
  });

  test.each<[what: string, batches: Column[][], rowGroup: number | undefined]>([
    ["no batch", [], undefined],
    ["no column", [[]], undefined],
    ["a name twice", [[part(0, 1)[0], part(0, 1)[0]]], undefined],
    ["columns of other lengths", [[part(0, 1)[0], part(0, 2)[1]]], undefined],
    ["other columns later", [part(0, 1), part(1, 1).reverse()], undefined],
    ["a phrase without segments", [[{ kind: "phrase", name: "p", segments: [] }]], undefined],
    ["a phrase with an index that its segment lacks", [[phraseOf(["a"], 1)]], undefined],
    ["a phrase whose segments differ in length", [[phraseOf(["a"], 0, [0, 0])]], undefined],
    ["a word with an index that its list lacks", [[{ ...part(0, 2)[1], words: ["a"] } as Column]], undefined],
    ["decimals of 0", [[{ kind: "decimal", name: "d", decimals: 0, values: Int8Array.of(1) }]], undefined],
    ["decimals of 19", [[{ kind: "decimal", name: "d", decimals: 19, values: Int8Array.of(1) }]], undefined],
    ["a fraction as an integer", [[{ kind: "integer", name: "i", values: Float64Array.of(0.5) }]], undefined],
    ["an integer above 2^53 − 1", [[{ kind: "integer", name: "i", values: Float64Array.of(2 ** 53) }]], undefined],
    ["a row group of 0", [part(0, 1)], 0],
    ["a row group of 1.5", [part(0, 1)], 1.5],
  ])("refuses %s", (_, batches, rowGroup) => {
    const options = rowGroup === undefined ? {} : { rowGroup };
    expect(() => joined(parquetChunks(batches, options))).toThrow(expect.objectContaining({ code: "argument.range" }));
  });
});

function joined(chunks: Iterable<Uint8Array>): Uint8Array {
  return Uint8Array.from([...chunks].flatMap((chunk) => [...chunk]));
}
