import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { places, recipe, WEAPON_WORDS, weaponInput } from "./small.js";

const spec = recipe(weaponInput());

function found(rows: unknown, { named = false } = {}): string[] {
  const input = named ? { ...WEAPON_WORDS, type: rows } : { type: rows };
  const { spec: tables, issues } = parseTables(input, named ? { spec } : {});
  expect(tables === undefined).toBe(issues.length > 0);
  return places(issues);
}

describe("rows", () => {
  test("accepted rows are in id order, with their defaults; proposals are left out", () => {
    const { spec: tables } = parseTables({
      t: [
        { id: 9, word: "b", active: 0, tier: 2, attack: 1.5 },
        { id: 8, word: "proposed", status: "proposed" },
        { id: 2, word: "a", status: "accepted", attack: undefined },
      ],
    });
    expect(tables?.get("t")).toEqual({
      name: "t",
      rows: [
        { id: 2, word: "a", active: true, tier: 0, stats: {} },
        { id: 9, word: "b", active: false, tier: 2, stats: { attack: 1.5 } },
      ],
    });
  });

  test.each<[unknown, string[]]>([
    [7, ["recipe.tables type"]],
    [[7], ["recipe.tables type[0]"]],
    [[{ word: "a" }], ["recipe.tables type[0].id"]],
    [[{ id: 1 }], ["recipe.tables type[0].word"]],
    [[{ id: "1", word: "a" }], ["recipe.tables type[0].id"]],
    [[{ id: 0, word: "a" }], ["recipe.tables type[0].id"]],
    [[{ id: 1.5, word: "" }], ["recipe.tables type[0].id", "recipe.tables type[0].word"]],
    [[{ id: 1, word: "a\0" }], ["recipe.tables type[0].word"]],
    [[{ id: 1, word: "\ud800" }], ["recipe.tables type[0].word"]],
    [[{ id: 1, word: "a", active: "1" }], ["recipe.tables type[0].active"]],
    [[{ id: 1, word: "a", active: 2 }], ["recipe.tables type[0].active"]],
    [[{ id: 1, word: "a", status: "new" }], ["recipe.tables type[0].status"]],
    [[{ id: 1, word: "a", tier: 256 }], ["recipe.tables type[0].tier"]],
    [[{ id: 1, word: "a", tier: null }], ["recipe.tables type[0].tier"]],
    [[{ id: 1, word: "a", attack: "3" }], ["recipe.tables type[0].attack"]],
    [[{ id: 1, word: "a", attack: Number.NaN }], ["recipe.tables type[0].attack"]],
  ])("%j", (rows, expected) => {
    expect(found(rows)).toEqual(expected);
    expect(found(rows, { named: true })).toEqual(expected);
  });

  test("a proposal is skipped unread", () => {
    const proposals = [
      { word: "a".repeat(300) },
      { word: "a\nb" },
      { word: 7 },
      { id: "x" },
      { id: 1 },
      { tier: 256 },
      { active: 2 },
      { attack: "3" },
      { typo: 1 },
    ];
    for (const proposal of proposals) {
      const rows = [
        { id: 1, word: "a" },
        { id: 2, word: "b", status: "proposed", ...proposal },
      ];
      expect(found(rows, { named: true })).toEqual([]);
      expect(parseTables({ type: rows }).spec?.get("type")?.rows).toHaveLength(1);
    }
  });

  test("two rows cannot have one id or one word; words are compared exactly, and proposals do not count", () => {
    const row = (id: number, word: string, more = {}) => ({ id, word, ...more });
    expect(found([row(1, "a"), row(1, "b")])).toEqual(["recipe.duplicate type[1].id"]);
    expect(found([row(1, "a"), row(2, "a")])).toEqual(["recipe.duplicate type[1].word"]);
    expect(found([row(1, "a"), row(2, "A"), row(3, "a ")])).toEqual([]);
    expect(found([row(1, "a"), row(2, "a", { status: "proposed" })])).toEqual([]);
  });

  test("a table may have 65,533 words, and any number of them is refused in one go", () => {
    const rows = Array.from({ length: 65_533 }, (_, i) => ({ id: i + 1, word: `w${i}` }));
    expect(found(rows)).toEqual([]);
    expect(found([...rows, { id: 70_000, word: "one more" }])).toEqual(["recipe.tables type"]);
    expect(found(new Array(2 ** 32 - 1))).toEqual(["recipe.tables type"]);
    expect(found(Array.from({ length: 500 }, () => 0))).toHaveLength(20);
  });

  test("names of inherited properties are words and columns like others", () => {
    const { spec: tables } = parseTables(
      JSON.parse('{"__proto__": [{"id": 1, "word": "constructor", "__proto__": 2}]}'),
    );
    const [row] = tables?.get("__proto__")?.rows ?? [];
    expect([row.word, Object.entries(row.stats), row.stats.constructor]).toEqual([
      "constructor",
      [["__proto__", 2]],
      undefined,
    ]);
  });
});

describe("with a recipe", () => {
  test("its tables must be present; another one is a warning", () => {
    const { type, ...others } = WEAPON_WORDS;
    expect(places(parseTables(others, { spec }).issues)).toEqual(["recipe.tables type"]);
    const { spec: tables, issues } = parseTables({ ...WEAPON_WORDS, typ: type }, { spec, file: "words.json" });
    expect(tables?.size).toBe(5);
    expect(issues).toMatchObject([{ severity: "warning", where: { path: "typ", file: "words.json" } }]);
  });

  test("a column without a stat is reported once", () => {
    const rows = [
      { id: 1, word: "a", atack: 1 },
      { id: 2, word: "b", atack: 1 },
    ];
    expect(found(rows, { named: true })).toEqual(["recipe.tables type[0].atack"]);
    expect(found(rows)).toEqual([]);
  });
});

test("anything at all gives issues or tables, never an exception", () => {
  const row = fc.oneof(
    fc.anything(),
    fc.record({ id: fc.oneof(fc.nat(5), fc.anything()), word: fc.oneof(fc.string(), fc.anything()) }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.array(row))), fc.boolean(), (input, named) => {
      const { spec: tables, issues } = parseTables(input, named ? { spec } : {});
      expect(tables === undefined).toBe(issues.some(({ severity }) => severity === "error"));
    }),
    { numRuns: 1000 },
  );
});
