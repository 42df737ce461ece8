import { parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { parquetChunks, toCsv, toParquet } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";

/** A kind with a colour and one without, and an affix that lends one. */
const TEXTS = {
  object: `N:1:& Kris~
G:|:w
I:23:4
P:0:2d3:0:0:0
A:30:0 to 255
L:2:STR | SPEED
N:2:& Cloak & Hood~
I:35:1
P:3:0d0:0:0:0
A:30:0 to 255
F:FREE_ACT
`,
  objectBase: "N:sword:Blade~\nN:cloak:Cloak~\n",
  egoItem: "N:1:prefix:Hewn\nC:1:0:0\nG:r\nT:sword:0:9:good:20:0 to 255\n",
  egoThemes: "N:1:suffix:of Nothing\nT:sword:0:9:0 to 255\n",
  artifact: "N:1:of the Idol\nI:sword:4\nA:100:0 to 255\n",
  flags: "STR,STAT\nSPEED,PVAL\nFREE_ACT,MISC\n",
};
const TEXT = ["name", "kind", "tval", "colour", "artifact", "theme", ...affixes(), "affix_level", "flags"];
const NAMES = ["index", "name", "kind", "tval", "colour", "artifact", "theme", ...affixes(), "affix_level"];
const NUMBERS = ["slots", "to_hit", "to_dam", "to_ac", "ac", "dice", "sides", "weight"];

const objects = createMill({ seed: "columns" }).objects("drops", TEXTS).makeMany(300, { level: 40 });
const columns = objects.columns();

function affixes(): string[] {
  return Array.from({ length: 8 }, (_, place) => `affix_${place + 1}`);
}

/** What the columns are to say of an object, by its row. */
function expected(k: number): Record<string, unknown> {
  const { index, name, kind, tval, colour, artifact, theme, affixLevel, flags, pvals, ...row } = objects.row(k);
  const own = affixes().map((column, place) => [column, row.affixes[place] ?? null]);
  return {
    ...{ index: BigInt(index), name, kind, tval, colour, artifact, theme, ...Object.fromEntries(own) },
    ...{ affix_level: affixLevel, slots: objects.slots[k], to_hit: row.toHit, to_dam: row.toDam, to_ac: row.toAc },
    ...{ ac: row.ac, dice: row.dice, sides: row.sides, weight: row.weight, flags: flags.join("|") },
    ...{ STR: pvals.STR ?? 0, SPEED: pvals.SPEED ?? 0 },
  };
}

describe("objectColumns", () => {
  test("names the columns, and says which are text", () => {
    expect(columns.map(({ name }) => name)).toEqual([...NAMES, ...NUMBERS, "flags", "STR", "SPEED"]);
    expect(
      columns
        .filter(({ kind }) => kind !== "integer")
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...TEXT].sort());
  });

  test("gives Parquet that a reader reads back as the rows say", async () => {
    const read = await parquetReadObjects({ file: toParquet(columns).slice().buffer });
    const rows = Array.from({ length: objects.length }, (_, k) => expected(k));
    expect(read).toEqual(rows);
    const colours = new Set(rows.map(({ colour }) => colour));
    expect(colours).toEqual(new Set([null, "w", "r"]));
  });

  test("of a batch are those of its objects", async () => {
    const chunks = [...parquetChunks([columns, columns])];
    const read = await parquetReadObjects({ file: Buffer.concat(chunks).buffer.slice(0) as ArrayBuffer });
    expect(read.length).toBe(600);
  });

  test("of no objects are there, and empty", () => {
    const none = createMill({ seed: "columns" }).objects("drops", TEXTS).makeMany(0, { level: 40 }).columns();
    expect(toCsv(none)).toBe(`${columns.map(({ name }) => name).join(",")}\n`);
  });
});
