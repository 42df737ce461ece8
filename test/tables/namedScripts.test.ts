import { describe, expect, test } from "vitest";
import { fraction } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { checkTable, parseTable, type TableSource } from "../../src/tables/index.js";
import { refusalOf } from "../refusal.js";
import { TwinTable } from "./cases.js";

const mill = () => createMill({ seed: "moria" });
const ROWS = {
  rows: [
    {
      columns: [
        { result: "rat", weight: 5 },
        { result: "ghost", weight: { script: "isNight" } },
        { result: "imp", weight: { script: 7 } },
      ],
    },
  ],
};
const CSV = "result,weight,script\nrat,5,\nghost,,isNight\nimp,,7\n";
const SHORT_CSV = "result,weight\nrat,5\nghost,sisNight\nimp,s7\n";
const TWODA =
  "2DA V2.0\n\n  Random0 Random0Weight Random1 Random1Weight Random2 Random2Weight\n0 rrat 5 rghost sisNight rimp s7\n";
const SOURCES: readonly (readonly [string, TableSource])[] = [
  ["JSON", ROWS],
  ["a column of CSV", CSV],
  ["a weight of CSV", SHORT_CSV],
  ["2DA", TWODA],
];
const script = (id: number) => id - 5;

describe("scripts with names (first hour 18)", () => {
  test.each(SOURCES)("from %s, beside numbers", (_, source) => {
    const table = mill().table("night", source, { script, scripts: { isNight: () => 3 } });
    expect(table.scriptIds).toEqual(["isNight", 7]);
    expect(table.odds().odds).toEqual([
      { result: "rat", probability: fraction(5n, 10n) },
      { result: "ghost", probability: fraction(3n, 10n) },
      { result: "imp", probability: fraction(2n, 10n) },
    ]);
    expect([...table.rollMany(500)]).toEqual([
      ...mill()
        .table("night", ROWS, { script, weights: { isNight: 3 } })
        .rollMany(500),
    ]);
  });

  test("live and frozen rolls agree with the twin; chosen gets the name", () => {
    const context = { night: 4 };
    const scripts = { isNight: (given: unknown) => (given as typeof context).night };
    const seen: unknown[] = [];
    const wanted: unknown[] = [];
    const options = { script, scripts, context };
    const table = mill().table("night", ROWS, { ...options, chosen: (id) => seen.push(id) });
    const twin = new TwinTable(ROWS, { seed: "moria", name: "night" });
    const twinOptions = { ...options, chosen: (id: unknown) => wanted.push(id) };
    const results = twin.rolls(0, 200, twinOptions);
    expect([...table.rollMany(200)]).toEqual(results);
    expect(seen).toEqual(wanted);
    expect(new Set(seen)).toEqual(new Set(["isNight", 7]));
    expect([...mill().table("night", ROWS, options).rollMany(200, { mode: "frozen" })]).toEqual(results);
  });

  test("the options of a call override those of the table; a Map of weights has names too", () => {
    const table = mill().table("night", ROWS, { script, scripts: { isNight: () => 3 } });
    const ghost = (odds: ReturnType<typeof table.odds>) => odds.odds[1].probability;
    expect(ghost(table.odds({ scripts: { isNight: () => 13 } }))).toEqual(fraction(13n, 20n));
    expect(ghost(table.odds({ weights: new Map<number | string, number>([["isNight", 0]]) }))).toEqual(
      fraction(0n, 1n),
    );
    expect(table.count(10, { weights: { isNight: 0, 7: 0 } }).counts.get("rat")).toBe(10);
  });

  test("names alone read no clock", () => {
    const rows = [{ columns: [{ result: "ghost", weight: { script: "isNight" } }] }];
    const table = createMill({ seed: 1 }).table("night", { rows }, { scripts: { isNight: () => 1 } });
    expect(table.roll()).toBe("ghost");
  });

  test("a name that is not given is refused: at once, or at the first roll that can reach it", () => {
    const given = { script, scripts: { isNigth: () => 1 } };
    const refused = refusalOf(() => mill().table("night", ROWS, given));
    expect([refused.code, refused.issues[0].where.path]).toEqual(["table.unknown-script", "rows[0].columns[1].weight"]);
    expect(refusalOf(() => mill().table("night", ROWS, { script }).roll()).code).toBe("table.unknown-script");
    expect(checkTable(ROWS, given).map(({ code }) => code)).toEqual(["table.unknown-script"]);
    expect(checkTable(ROWS, { script, scripts: { isNight: () => -1 } }).map(({ code }) => code)).toEqual([
      "table.script",
    ]);
    expect(checkTable(ROWS)).toEqual([]);
  });

  test("scripts are functions, and what they return is checked", () => {
    const wrong = (scripts: unknown) => () => mill().table("night", ROWS, { script, scripts } as object);
    expect(refusalOf(wrong({ isNight: 3 })).code).toBe("argument.type");
    expect(refusalOf(wrong(3)).code).toBe("argument.type");
    expect(
      refusalOf(() =>
        mill()
          .table("night", ROWS, { script, scripts: { isNight: () => 0.5 } })
          .roll(),
      ).code,
    ).toBe("table.script");
  });

  test.each(["9lives", "a b", "a-b", ""])("%j is not a name", (name) => {
    const rows = [{ columns: [{ result: "a", weight: { script: name } }] }];
    expect(parseTable({ rows }).issues.map(({ code, where }) => `${where.path} ${code}`)).toEqual([
      "rows[0].columns[0].weight.script table.weight",
    ]);
    if (name === "") return;
    expect(parseTable(`result,script\na,${name}\n`).issues.map(({ code }) => code)).toEqual(["table.weight"]);
  });
});

describe("messages about weights, jumps and labels (first hour 18)", () => {
  const flawsOf = (source: unknown, file?: string) =>
    parseTable(source, { file }).issues.map(
      ({ code, severity, where: { line, column, path } }) => `${severity} ${code} ${path ?? `${line}:${column}`}`,
    );

  test.each([{ n: 1, d: 0 }, { n: 1 }, { n: -1, d: 2 }, { n: 1.5, d: 2 }, "1/0", "many"])("the weight %j", (weight) => {
    const rows = [
      {
        columns: [
          { result: "a", weight },
          { result: "b", weight: 1 },
        ],
      },
    ];
    expect(flawsOf({ rows })).toEqual(["error table.weight rows[0].columns[0].weight"]);
  });

  test("a fraction over 0 in CSV", () => {
    expect(flawsOf("result,weight\na,1/0\nb,2 / 00\n")).toEqual(["error table.weight 2:3", "error table.weight 3:3"]);
  });

  test("a weight and a script exclude each other", () => {
    expect(flawsOf("result,weight,script\na,1,isNight\n")).toEqual(["error table.weight 2:5"]);
  });

  test("-> 1 leads to the row with the label 1, and without it to row 1", () => {
    const numbered = "table,result\nStart,-> 1\nNext,gold\n";
    expect(mill().table("a", numbered).roll()).toBe("gold");
    expect(mill().table("b", `${numbered}1,gem\n`).roll()).toBe("gem");
    const twoDa = "2DA V2.0\n\n  Random0 Random0Weight\n0 ->1 1\n1 rgold 1\n";
    expect(mill().table("c", twoDa).roll()).toBe("gold");
    expect(flawsOf("table,result\nStart,-> 2\nNext,gold\n")).toEqual(["error table.jump 2:7"]);
  });

  test("an arrow without a label", () => {
    expect(flawsOf("result\n->\n", "a.csv")).toEqual(["error table.jump 2:1"]);
    expect(flawsOf("2DA V2.0\n\n  Random0 Random0Weight\n0 -> 1 1\n")).toEqual([
      "error table.jump 4:3",
      "warning twoda.cells 4:8",
    ]);
    expect(flawsOf({ rows: [{ columns: [{ jump: "", weight: 1 }] }] })).toEqual([
      "error table.jump rows[0].columns[0].jump",
    ]);
  });

  test("a label twice: a key of JSON is an error, a row of a list a warning", () => {
    const json = '{ "rows": {\n  "A": [{ "result": "a", "weight": 1 }],\n  "A": [] } }';
    expect(flawsOf(json, "a.json")).toEqual(["error file.json 3:3"]);
    const row = { label: "A", columns: [{ result: "a", weight: 1 }] };
    expect(flawsOf({ rows: [row, row] })).toEqual(["warning table.jump rows"]);
  });
});
