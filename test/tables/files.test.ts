import { describe, expect, test } from "vitest";
import { createMill, type TableObject } from "../../src/index.js";
import { checkTable, loadTable, parseTable } from "../../src/tables/index.js";
import { resultsOf } from "./cases.js";

const mill = () => createMill({ seed: "moria" });
const places = (issues: ReturnType<typeof checkTable>) =>
  issues.map(({ code, severity, where: { file, line, column, path } }) =>
    [severity, code, file ?? "", line === undefined ? (path ?? "") : `${line}:${column}`].join(" "),
  );
const flawsOf = (csv: string) => places(parseTable(csv, { file: "loot.csv" }).issues);

const CSV = [
  "Table,Result,Weight,Quantity",
  "Chest,gold,70,2d6+1",
  ",arrow,20,2-5",
  ',"-> Gems",5,',
  ",,4.5,",
  ",,,",
  "Gems,ruby,1/3,",
  ',"opal, pale",1,',
  "Chest,crown,0.5,",
  "",
].join("\r\n");

const OBJECT = {
  rows: {
    Chest: [
      { result: "gold", weight: 70, quantity: "2d6+1" },
      { result: "arrow", weight: 20, quantity: "2-5" },
      { jump: "Gems", weight: 5 },
      { result: null, weight: 4.5 },
      { result: "crown", weight: 0.5 },
    ],
    Gems: [
      { result: "ruby", weight: "1/3" },
      { result: "opal, pale", weight: 1 },
    ],
  },
} as const;

describe("a table has the same rolls from CSV, JSON, 2DA and an object", () => {
  test("with named rows, jumps by label, nothing and quantities", () => {
    const wanted = [...mill().table("loot", OBJECT).rollMany(3000)];
    expect([...mill().table("loot", CSV).rollMany(3000)]).toEqual(wanted);
    expect([
      ...mill()
        .table("loot", `\ufeff${CSV.replaceAll("\r\n", "\n")}`, { file: "a.csv" })
        .rollMany(3000),
    ]).toEqual(wanted);
    expect([...mill().table("loot", JSON.stringify(OBJECT)).rollMany(3000)]).toEqual(wanted);
    expect([...mill().table("loot", JSON.stringify(OBJECT), { file: "a.json" }).rollMany(3000)]).toEqual(wanted);
    const { spec } = parseTable(OBJECT);
    if (spec === undefined) throw new Error("refused");
    expect([...mill().table("loot", spec).rollMany(3000)]).toEqual(wanted);
  });

  test("with a column of jumps, where a result may begin with an arrow; without weights, all entries weigh 1", () => {
    const { spec } = parseTable("result,jump,table\n-> east,,Start\n,End,\ncoin,,End\n");
    expect(spec?.rows.map(({ label, columns }) => [label, columns])).toEqual([
      [
        "Start",
        [
          { result: "-> east", weight: 1 },
          { jump: 1, weight: 1 },
        ],
      ],
      ["End", [{ result: "coin", weight: 1 }]],
    ]);
  });

  test("in a 2DA, a jump can name a label", () => {
    const text = '2DA V2.0\n\n Label Random0 Random0Weight Random1 Random1Weight\n0 a ra 1 ->b 2\n1 b rb 1 "-> a" 1\n';
    const { spec } = parseTable(text);
    expect(spec?.rows.map(({ columns }) => columns.map((column) => ("jump" in column ? column.jump : "")))).toEqual([
      ["", 1],
      ["", 0],
    ]);
    const flawed = text.replace("->b", "->c").replace("-> a", "->");
    expect(places(parseTable(flawed).issues)).toEqual(["error table.jump  5:10", "error table.jump  4:10"]);
  });

  test("a name in place of a table is not the columns of a 2DA", () => {
    const [{ message }] = parseTable("loot").issues;
    expect(message).toContain("A text is read as the content of a table, not as its name or path");
  });

  test("scripts have integer weights beside them", () => {
    const table = mill().table("loot", "result,weight\ngold,s5\ngem,2\n", { script: () => 1 });
    expect(table.scriptIds).toEqual([5]);
    expect(flawsOf("result,weight\ngold,s5\ngem,2.5\n")).toEqual(["error table.weight loot.csv 3:5"]);
  });
});

describe("a CSV that is wrong has every issue with its place", () => {
  test.each<[string, string[]]>([
    ["", ["error table.columns loot.csv 1:1"]],
    ["treasure,weight\ngold,1\n", ["error table.columns loot.csv 1:1"]],
    ["result,chance\ngold,1\n", ["error table.columns loot.csv 1:8"]],
    ["result,Drop Chance\ngold,1\n", ["error table.columns loot.csv 1:8"]],
    ["result,drop %\ngold,1\n", ["error table.columns loot.csv 1:8"]],
    ["result,mass\ngold,1\n", ["error table.columns loot.csv 1:8"]],
    ["result,weight,chance\ngold,1,1\n", ["warning table.columns loot.csv 1:15"]],
    ["item,result\ngold,1\n", ["error table.columns loot.csv 1:6"]],
    ["item,quantity,min\ngold,1,1\n", ["error table.columns loot.csv 1:6"]],
    ["item,min,max\ngold,1d4,5\ngem,1,-5\n", ["error table.columns loot.csv 2:6", "error table.columns loot.csv 3:7"]],
    ["item;min;max\ngold;5;1\n", ["error amount.invalid loot.csv 2:6"]],
    ["result,wieght\ngold,1\n", ["error table.columns loot.csv 1:8"]],
    ["result,notes\ngold,rare\n", ["warning table.columns loot.csv 1:8"]],
    ["result,weight,weight\ngold,1,1\n", ["error table.columns loot.csv 1:15"]],
    ["result,weight\ngold,1,2\n", ["error table.columns loot.csv 2:8"]],
    ['result,weight\n"gold,1\n', ["error table.columns loot.csv 2:1"]],
    [
      "result,weight\ngold,many\n gem , -1\nruby,\n",
      ["error table.weight loot.csv 4:1", "error table.weight loot.csv 2:6", "error table.weight loot.csv 3:7"],
    ],
    ["result,weight\ngold,1/0\n", ["error table.weight loot.csv 2:6"]],
    ["result,weight\ngold,1e999\n", ["error table.weight loot.csv 2:6"]],
    ["result,weight\ngold,1e9\ngem,1e-9\n", ["error weights.decimals loot.csv 2:6"]],
    [
      "result,weight,quantity\ngold,1,2d\n,1,3\ngem,1,1d2-5\n-> x,1,2\n",
      [
        "error amount.invalid loot.csv 2:8",
        "error amount.invalid loot.csv 3:4",
        "error amount.invalid loot.csv 4:7",
        "error amount.invalid loot.csv 5:8",
        "error table.jump loot.csv 5:1",
      ],
    ],
    ["result,jump\ngold,Gems\n", ["error table.result loot.csv 2:1", "error table.jump loot.csv 2:6"]],
    [
      "result\n-> ../gems.csv\n-> /etc/gems.csv\n-> gems.csv\n",
      ["error table.jump loot.csv 2:1", "error table.jump loot.csv 3:1", "error table.jump loot.csv 4:1"],
    ],
  ])("%j", (csv, wanted) => {
    expect(flawsOf(csv)).toEqual(wanted);
  });

  test("an endless row and a total that is too large have places too", () => {
    const endless = "table,result,weight\na,gold,1\n,-> b,1\nb,-> b,1\n";
    expect(places(checkTable(endless, { file: "a.csv" }))).toContain("error table.endless a.csv 4:1");
    const large = "result,weight\ngold,4294967295\ngem,1\n";
    expect(places(checkTable(large, { file: "a.csv" }))).toEqual(["error weights.overflow a.csv 2:6"]);
  });

  test("JSON has the place of its first error, and then paths", () => {
    expect(places(parseTable('{"rows": [}', { file: "a.json" }).issues)).toEqual(["error file.json a.json 1:11"]);
    expect(places(parseTable("[1]", { file: "a.json" }).issues)).toEqual(["error argument.type a.json "]);
    const label = {
      rows: {
        a: [
          { jump: "b", weight: 1 },
          { result: 5, weight: 1 },
        ],
      },
    };
    expect(places(parseTable(JSON.stringify(label), { file: "a.json" }).issues)).toEqual([
      "error table.result a.json rows.a[1].result",
      "error table.jump a.json rows.a[0].jump",
    ]);
  });
});

/** Three files that lead to each other in a circle. */
const FILES = {
  "data/loot.csv": "table,result,weight\nChest,gold,3\n,-> sub/gems.json,1\n,-> Rare,1\nRare,-> sub/gems.json#Best,1\n",
  "data/sub/gems.json": JSON.stringify({
    rows: {
      All: [
        { result: "ruby", weight: 1 },
        { jump: "Best", weight: 1 },
        { jump: "loot.csv#Rare", weight: 1 },
      ],
      Best: [
        { jump: "more.2da#1", weight: 1 },
        { jump: "loot.csv", weight: 1 },
      ],
    },
  }),
  "data/more.2da": "2DA V2.0\n\n Random0 Random0Weight\n0 rnever 1\n1 ropal 1\n",
};

/** The same table in one object. */
const JOINED: TableObject = {
  rows: [
    {
      columns: [
        { result: "gold", weight: 3 },
        { jump: 2, weight: 1 },
        { jump: 1, weight: 1 },
      ],
    },
    { columns: [{ jump: 3, weight: 1 }] },
    {
      columns: [
        { result: "ruby", weight: 1 },
        { jump: 3, weight: 1 },
        { jump: 1, weight: 1 },
      ],
    },
    {
      columns: [
        { jump: 5, weight: 1 },
        { jump: 0, weight: 1 },
      ],
    },
    { columns: [{ result: "never", weight: 1 }] },
    { columns: [{ result: "opal", weight: 1 }] },
  ],
};

describe("tables of several files", () => {
  const content = (path: string) => FILES[path as keyof typeof FILES];

  test("are one table: each file is read once, and files may lead to each other in circles", async () => {
    const read: string[] = [];
    const { spec, issues } = await loadTable("data/loot.csv", (path) => {
      read.push(path);
      return Promise.resolve(content(path));
    });
    expect(issues).toEqual([]);
    expect(read).toEqual(["data/loot.csv", "data/sub/gems.json", "data/more.2da"]);
    if (spec === undefined) throw new Error("refused");
    const wanted = resultsOf(mill().table("loot", JOINED).rollMany(2000));
    const table = mill().table("loot", spec);
    expect([...table.rollMany(2000)]).toEqual(wanted);
    expect(table.odds().odds.map(({ probability }) => probability)).toEqual(
      ["gold", "ruby", "never", "opal"].map(
        (name) =>
          mill()
            .table("loot", JOINED)
            .odds()
            .odds.find(({ result }) => result === name)?.probability,
      ),
    );
    expect(spec.linked).toEqual([
      { file: "data/sub/gems.json", first: 2 },
      { file: "data/more.2da", first: 4 },
    ]);
    expect(table.roll({ start: "Best", at: 3 })).toBe(mill().table("loot", JOINED).roll({ start: 3, at: 3 }));
  });

  test("take the contents of files as an option, for a browser", () => {
    const files = {
      "sub/gems.json": JSON.parse(content("data/sub/gems.json")) as TableObject,
      "more.2da": content("data/more.2da"),
    };
    const table = mill().table("loot", content("data/loot.csv"), { file: "data/loot.csv", files });
    expect([...table.rollMany(500)]).toEqual(resultsOf(mill().table("loot", JOINED).rollMany(500)));
  });

  test("report issues in the file that has them", async () => {
    const broken = { ...FILES, "data/more.2da": "2DA V2.0\n\n Random0 Random0Weight\n0 rnever 1\n1 ropal x\n" };
    const load = (files: Record<string, string>) =>
      loadTable("data/loot.csv", (path) => files[path] ?? Promise.reject(new Error("absent")));
    expect(places((await load(broken)).issues)).toEqual(["error table.weight data/more.2da 5:9"]);
    const { "data/more.2da": _, ...absent } = FILES;
    const { spec, issues } = await load(absent);
    expect(spec).toBeUndefined();
    expect(places(issues)).toEqual(["error table.jump data/sub/gems.json rows.Best[0].jump"]);
    const unlabelled = { ...FILES, "data/more.2da": FILES["data/more.2da"].replace("1 ropal 1\n", "") };
    expect(places((await load(unlabelled)).issues)).toEqual(["error table.jump data/sub/gems.json rows.Best[0].jump"]);
    const endless = { ...FILES, "data/more.2da": FILES["data/more.2da"].replace("ropal", "1") };
    const parsed = await load(endless);
    expect(places(checkTable(parsed.spec))).toContain("error table.endless data/more.2da 5:1");
    await expect(loadTable("absent.csv", () => Promise.reject(new Error("absent")))).rejects.toThrow("absent");
    const overflow = {
      ...FILES,
      "data/sub/gems.json": content("data/sub/gems.json").replace('"weight":1', '"weight":4294967295'),
    };
    expect(places(checkTable((await load(overflow)).spec))).toContain(
      "error weights.overflow data/sub/gems.json rows[0].columns[1].weight",
    );
  });

  test("take no more than 1,000 files", async () => {
    const { issues } = await loadTable("f0.csv", (path) => {
      const k = Number(/\d+/.exec(path)?.[0]);
      return `result\ngold\n-> f${k + 1}.csv\n`;
    });
    expect(places(issues)).toEqual(["error table.jump f999.csv 3:1"]);
  });
});
