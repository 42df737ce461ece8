import { existsSync, readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { toCsv } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";
import type { Naming, ObjectTexts } from "../../src/objects/index.js";
import { EMPTY, Sequences } from "../../src/objects/show/columns.js";
import { DUNGEON } from "./dungeon.js";

const REAL = new URL("../../../shared/data/angband-v4/", import.meta.url);
const real = (): ObjectTexts => {
  const read = (name: string) => readFileSync(new URL(name, REAL), "utf8");
  return {
    object: read("object.txt"),
    objectBase: read("object_base.txt"),
    egoItem: read("ego_item.txt"),
    egoThemes: read("ego_themes.txt"),
    artifact: read("artifact.txt"),
    flags: read("flags.csv"),
  };
};

const SOURCES = [
  ["the project's own files", () => DUNGEON],
  ...(existsSync(REAL) ? [["the files of a game", real] as const] : []),
] as const;

const NAMINGS: readonly Naming[] = [
  {},
  { affixes: "all" },
  { affixes: "all", repeats: "count", hideAc: true },
  { hideDice: true, number: 3 },
  { affixes: "best", number: 0 },
];

describe.each(SOURCES)("%s: the column of names", (_, texts) => {
  const maker = createMill({ seed: "names" }).objects("drops", texts());
  const made = [
    maker.makeMany(300, { level: 5 }),
    maker.makeMany(700, { level: 40, good: true }),
    maker.makeMany(700, { level: 90, great: true }),
  ];
  const [first, second] = maker.files.affixes;
  const synthetic: Naming = {
    affixes: "synthetic",
    synthetic: [
      { affixes: [first.name], name: "Odd", kind: first.kind },
      { affixes: [second.name], name: "of Oddity, they say", kind: second.kind },
    ],
  };

  test.each([...NAMINGS, synthetic].map((naming) => [JSON.stringify(naming).slice(0, 60), naming] as const))(
    "has the name of every object: %s",
    (_naming, naming) => {
      for (const objects of made) {
        const csv = toCsv(objects.columns(naming), { rawCells: true });
        const rows: { name: string; colour: string; flags: string }[] = parse(csv, { columns: true });
        const wanted = Array.from({ length: objects.length }, (_row, k) => ({
          name: objects.name(k, naming),
          colour: objects.colour(k) ?? "",
          flags: objects.flagsOf(k).join("|"),
        }));
        expect(rows.map(({ name, colour, flags }) => ({ name, colour, flags }))).toEqual(wanted);
      }
    },
  );
});

test("equal sequences have equal numbers, and different ones different numbers", () => {
  const sequences = new Sequences();
  const known = new Map<string, number>([["", EMPTY]]);
  for (let i = 0; i < 5000; i++) {
    const elements = Array.from({ length: i % 4 }, (_, place) => Math.imul(i % 1700, 0x9e3779b1) >> (31 - 8 * place));
    const number = elements.reduce((before, element) => sequences.add(before, element), EMPTY);
    expect(known.get(elements.join()) ?? number).toBe(number);
    known.set(elements.join(), number);
  }
  expect(new Set(known.values()).size).toBe(known.size);
});
