import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { folderWith, rollmill } from "./rollmill.js";

const LOOT = "table,result,weight,quantity\nChest,gold,70,2d6+1\n,-> gems.json#Rare,20\n,,10\n";
const GEMS = {
  rows: {
    All: [{ result: "opal", weight: 1 }],
    Rare: [
      { result: "ruby", weight: 2 },
      { jump: "loot.csv", weight: 1 },
    ],
  },
};
const cwd = folderWith({ "outside.csv": "result\nsecret\n" });
const tables = join(cwd, "tables");
mkdirSync(tables);
const put = (name: string, text: string) => writeFileSync(join(tables, name), text);
put("loot.csv", LOOT);
put("gems.json", JSON.stringify(GEMS));
put("flawed.csv", "result,weight\n-> gems.json,1\n-> gems.csv,1\n-> ../outside.csv,1\n");
put("sly.csv", "result\n-> link.csv\n");
put("notes.csv", "result,notes\ngold,common\n");
symlinkSync(join(cwd, "outside.csv"), join(tables, "link.csv"));

const table = (...args: string[]) => rollmill(["table", ...args], { cwd });
const loot = () =>
  createMill({ seed: "moria" }).table("loot", LOOT, { file: "loot.csv", files: { "gems.json": JSON.stringify(GEMS) } });

describe("tables of several files", () => {
  test("roll: a tab before the quantity", async () => {
    const { code, stdout, stderr } = await table("roll", "tables/loot.csv", "--seed", "moria", "-n", "1k");
    const lines = Array.from(loot().rollMany(1000), (roll) => {
      if (roll === null || typeof roll === "string") return `${roll ?? ""}\n`;
      return `${roll.result}\t${roll.quantity}\n`;
    });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: lines.join(""), stderr: "" });
    const document = JSON.parse(
      (await table("roll", "tables/loot.csv", "--seed", "moria", "-n", "9", "--json")).stdout,
    );
    expect(document).toMatchObject({ seed: "moria", name: "loot", data: [...loot().rollMany(9)] });
    const counted = await table("roll", "tables/loot.csv", "--seed", "moria", "-n", "100", "--count");
    const { counts, none } = loot().count(100);
    const wanted = [...counts].map(([result, count]) => `${count}\t${result}\n`);
    expect(counted.stdout).toBe(`${wanted.join("")}${none}\t(none)\n`);
  });

  test("start on a row of another file, odds and check", async () => {
    const { stdout } = await table("odds", "tables/loot.csv", "--start", "Rare");
    const odds = loot().odds({ start: "Rare" });
    const [gold] = odds.odds;
    expect(stdout).toContain(`gold\t${gold.probability.numerator}/${gold.probability.denominator}\t`);
    const rows = await table("odds", "tables/loot.csv", "--rows");
    expect(rows.stdout.split("\n").map((line) => line.split("\t").slice(0, 2).join(" "))).toEqual([
      "0 Chest",
      "2 Rare",
      "",
    ]);
    const checked = await table("check", "tables/loot.csv");
    expect(checked.code).toBe(0);
    expect(checked.stdout).toMatch(/^tables\/gems\.json rows\[0\]: warning: .*\[table\.orphan\]\n$/);
  });

  test("errors have their places; links stay inside the folder", async () => {
    const { code, stdout, stderr } = await table("roll", "tables/flawed.csv");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/tables\/flawed\.csv:3:1: .*gems\.csv.*\[table\.jump\]\n/);
    expect(stderr).toMatch(/tables\/flawed\.csv:4:1: .*\[table\.jump\]\n/);
    const checked = await table("check", "tables/flawed.csv");
    expect(checked.code).toBe(2);
    expect(checked.stdout.match(/\[table\.jump\]/g)).toHaveLength(2);
    const sly = await table("roll", "tables/sly.csv");
    expect(sly.code).toBe(2);
    expect(sly.stderr).toMatch(/sly\.csv:2:1: .*\[table\.jump\]\n/);
    expect(sly.stdout).toBe("");
  });

  test("warnings go to stderr; a table from stdin is a CSV if its first line has a comma", async () => {
    const { stdout, stderr } = await table("roll", "tables/notes.csv", "--seed", "a");
    expect(stdout).toBe("gold\n");
    expect(stderr).toMatch(/notes\.csv:1:8: warning: .*\[table\.columns\]\n/);
    const piped = await rollmill(["table", "roll", "-", "--seed", "a"], { input: "result,weight\ngem,1\n" });
    expect(piped.stdout).toBe("gem\n");
  });
});
