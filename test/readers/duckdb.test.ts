import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Column, csvChunks, parquetChunks } from "../../src/formats/index.js";
import { createMill, type ItemRow } from "../../src/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { type Cells, DuckDbReader, writePieces } from "./duckdb.js";
import { isMissing, SKIPPED } from "./folder.js";

/** Rows of a batch, fewer than the file has; and of a row group, fewer than a batch has. */
const BATCH = 5000;
const ROW_GROUP = 2000;
const ROWS = 12_000;

const mill = createMill({ seed: "readers" });

/** A table of which every cell is known: its batches of columns, and its cells as Parquet's types say them. */
interface Sample {
  batches(): Iterable<readonly Column[]>;
  cells(): Cells;
}

function* ranges(): Generator<{ readonly from: number; readonly count: number }> {
  for (let from = 0; from < ROWS; from += BATCH) yield { from, count: Math.min(BATCH, ROWS - from) };
}

/** The cells of rows with the same fields, by column. */
function byColumn(rows: readonly Readonly<Record<string, string | number | null>>[]): Cells {
  return Object.fromEntries(Object.keys(rows[0]).map((name) => [name, rows.map((row) => row[name])]));
}

const decimal = (value: number, decimals: number) => (decimals === 0 ? value : value.toFixed(decimals));

function originOf({ words, ids, outcomes, index, seed }: ItemRow) {
  const rows = Object.entries(ids).map(([slot, id]) => [`${slot}_id`, id === null ? null : String(id)] as const);
  return { ...words, ...outcomes, ...Object.fromEntries(rows), index: String(index), seed };
}

const weapons = (): Sample => {
  const recipe = mill.recipe("weapon");
  const batches = [...ranges()].map(({ from, count }) => recipe.makeMany(count, { from }));
  return {
    *batches() {
      for (const items of batches) yield items.columns();
    },
    cells: () =>
      byColumn(
        batches.flatMap((items) =>
          Array.from({ length: items.length }, (_, k) => ({
            name: items.name(k),
            ...Object.fromEntries(
              Object.keys(items.stats).map((stat) => [stat, decimal(items.stat(stat, k), items.decimals[stat])]),
            ),
            ...originOf(items.at(k)),
          })),
        ),
      ),
  };
};

const objects = (): Sample => {
  const maker = mill.objects("drops", DUNGEON);
  const batches = [...ranges()].map(({ count }) => maker.makeMany(count, { level: 40, good: true }));
  return {
    *batches() {
      for (const made of batches) yield made.columns();
    },
    cells: () =>
      byColumn(
        batches.flatMap((made) =>
          Array.from({ length: made.length }, (_, k) => {
            const { index, name, kind, tval, colour, artifact, theme, affixLevel, ...row } = made.row(k);
            const affixes = Array.from({ length: 8 }, (__, i) => [`affix_${i + 1}`, row.affixes[i] ?? null]);
            return {
              ...{ index: String(index), name, kind, tval, colour, artifact, theme, ...Object.fromEntries(affixes) },
              ...{ affix_level: affixLevel, slots: made.slots[k], to_hit: row.toHit, to_dam: row.toDam },
              ...{ to_ac: row.toAc, ac: row.ac, dice: row.dice, sides: row.sides, weight: row.weight },
              flags: row.flags.join("|"),
              ...Object.fromEntries(made.pvalNames.map((flag) => [flag, row.pvals[flag] ?? 0])),
            };
          }),
        ),
      ),
  };
};

/** Row 2 has no columns: a jump to it ends a roll without a result. */
const LOOT = `2DA V2.0

Random0 Random0Weight Random1 Random1Weight Random2 Random2Weight
0 rgold 5 "ra gem, cut" 2 1 3
1 rcrown 1 2 4 **** ****
2 **** **** **** **** **** ****
`;

/** Rolls of a table, some of them without a result. */
const rolls = (): Sample => {
  const table = mill.table("loot", LOOT);
  const batches = [...ranges()].map(({ from, count }) => table.rollMany(count, { from }));
  return {
    *batches() {
      for (const { from, length, ids, results } of batches) {
        const index = Int32Array.from({ length }, (_, k) => from + k);
        yield [
          { kind: "integer", name: "index", values: index },
          { kind: "word", name: "result", words: [...results, null], indices: ids },
        ];
      }
    },
    cells: () => ({
      index: Array.from({ length: ROWS }, (_, k) => k),
      result: batches.flatMap(({ ids, results }) => Array.from(ids, (id) => results[id] ?? null)),
    }),
  };
};

/** Texts and numbers that are hard to write. */
const odd = (): Sample => {
  const texts = ["plain", "a,b", 'say "no"', "two\nlines", "Épée", "剣 🗡", "'", "tab\there", "x".repeat(5000), "-"];
  const ends = [" ", " x ", ", ", '"', "\u00a0"];
  const [ids, tails] = [Uint8Array.from({ length: ROWS }, (_, k) => k % texts.length), new Uint16Array(ROWS)];
  for (let k = 0; k < ROWS; k++) tails[k] = (k >>> 3) % ends.length;
  const bits = Int32Array.from({ length: ROWS }, (_, k) => Math.imul(k, 0x9e3779b1));
  const batches = [...ranges()].map(({ from, count }): readonly Column[] => [
    { kind: "text", name: "a text", values: Array.from(ids.subarray(from, from + count), (id) => texts[id]) },
    {
      kind: "phrase",
      name: "phrase",
      segments: [
        { texts, indices: ids.subarray(from, from + count) },
        { texts: ends, indices: tails.subarray(from, from + count) },
      ],
    },
    { kind: "integer", name: "u32", values: new Uint32Array(bits.buffer, 4 * from, count) },
    { kind: "integer", name: "i32", values: bits.subarray(from, from + count) },
    { kind: "decimal", name: "cents", decimals: 2, values: bits.subarray(from, from + count) },
  ]);
  return {
    batches: () => batches,
    cells: () => ({
      "a text": Array.from(ids, (id) => texts[id]),
      phrase: Array.from(ids, (id, k) => `${texts[id]}${ends[tails[k]]}`.trim()),
      u32: Array.from(bits, (n) => String(n >>> 0)),
      i32: [...bits],
      cents: Array.from(bits, (n) => (n / 100).toFixed(2)),
    }),
  };
};

const SAMPLES = [
  ["weapons", weapons],
  ["objects", objects],
  ["rolls of a table", rolls],
  ["odd texts and numbers", odd],
] as const;

describe.skipIf(isMissing)(`DuckDB reads back every cell${SKIPPED}`, () => {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-readers-"));
  let reader: DuckDbReader;

  beforeAll(async () => {
    reader = await DuckDbReader.open();
  });
  afterAll(() => {
    reader?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(SAMPLES)("%s in Parquet", async (name, make) => {
    const sample = make();
    const path = writePieces(join(folder, `${name}.parquet`), parquetChunks(sample.batches(), { rowGroup: ROW_GROUP }));
    const [found, wanted] = [await reader.parquet(path), sample.cells()];
    expect(Object.keys(found)).toEqual(Object.keys(wanted));
    for (const [column, cells] of Object.entries(wanted)) expect(found[column], column).toEqual(cells);
  });

  test.each(SAMPLES)("%s in CSV", async (name, make) => {
    const sample = make();
    const path = writePieces(join(folder, `${name}.csv`), csvChunks(sample.batches(), { rawCells: true }));
    const wanted = sample.cells();
    const found = await reader.csv(path, Object.keys(wanted));
    for (const [column, cells] of Object.entries(wanted)) {
      expect(found[column].map(fromCsv), column).toEqual(cells.map((cell) => fromCsv(cell)));
    }
  });
});

/** A cell as CSV can say it: an empty text and null are the same, and decimals have no zeros at the end. */
function fromCsv(cell: string | number | null): string | null {
  const text = cell === null ? "" : String(cell);
  if (text === "") return null;
  return /^-?\d+\.\d+$/.test(text) ? String(Number(text)) : text;
}
