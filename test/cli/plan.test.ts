import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { bake } from "../../src/plans/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { folderWith, rollmill } from "./rollmill.js";

const POOLS = { roots: { i: { kind: "finite", records: [["axe", 2, 3]] } } };
const ORC = { rolls: "1-2", table: { rows: { a: [{ weight: 1, result: "axe" }] } } };
const WALK = { preset: "five-ways", walkers: 3, steps: 50 } as const;
const WORLD = { layers: [{ name: "sea", ...WALK }], terrain: [{ terrain: "land" }] } as const;
const cwd = folderWith({
  "orc.json": JSON.stringify(ORC),
  "loot.csv": "result,weight\ngold,70\n,30\n",
  "scripted.json": '{"rows": {"a": [{"weight": {"script": 1}, "result": "x"}, {"weight": 1, "result": "y"}]}}',
  "bag.json": JSON.stringify(POOLS),
  "walk.json": JSON.stringify(WALK),
  "world.json": JSON.stringify({ name: "isles", ...WORLD }),
  "damaged.plan": "not a plan file at all, but long enough for one",
});
const bytesOf = (name: string) => readFileSync(join(cwd, name));

describe("bake", () => {
  test("writes lists, tables, pools, dice, walks and worlds", async () => {
    const files = ["loot.csv", "scripted.json", "bag.json", "2d6", "walk.json", "world.json"];
    const { code, stderr } = await rollmill(["bake", ...files, "--weight", "1=5", "-o", "all.plan"], { cwd });
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("loot (list), scripted (table), bag (pools), 2d6 (dice), walk (walk), isles (world)"),
    ]);
    const mill = createMill({ seed: 1 });
    const scripted = JSON.parse(String(bytesOf("scripted.json")));
    const nouns = [
      mill.weighted("loot", [
        { result: "gold", weight: 70 },
        { result: null, weight: 30 },
      ]),
      mill.table("scripted", scripted, { weights: { 1: 5 } }),
      mill.pools("bag", POOLS as never),
      mill.dice("2d6", "2d6"),
      mill.walk("walk", WALK),
      mill.world("isles", WORLD),
    ];
    expect(new Uint8Array(bytesOf("all.plan"))).toEqual(bake(nouns as never));
  });

  test("writes drops, and recipes with the options of their items", async () => {
    const args = ["orc.json", "weapon", "--tier", "3", "--request", "type=axe", "-o", "items.plan"];
    expect(await rollmill(["bake", ...args], { cwd })).toMatchObject({ code: 0 });
    const mill = createMill({ seed: 1 });
    const weapon = { noun: mill.recipe("weapon"), options: { tier: 3, request: { type: "axe" } } };
    expect(new Uint8Array(bytesOf("items.plan"))).toEqual(bake([mill.drops("orc", ORC) as never, weapon]));
  });

  test("writes objects with their options", async () => {
    const folder = fileURLToPath(new URL("../../data/dungeon", import.meta.url));
    const args = ["bake", folder, "--level", "30", "--great", "--no-artifacts", "-o", "objects.plan"];
    expect(await rollmill(args, { cwd })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("dungeon (objects)"),
    });
    const noun = createMill({ seed: 1 }).objects("dungeon", DUNGEON);
    const options = { level: 30, great: true, artifacts: false };
    expect(new Uint8Array(bytesOf("objects.plan"))).toEqual(bake([{ noun, options }]));
    const refused = await rollmill([...args, "--tval", "sword"], { cwd });
    expect(refused.stderr).toContain("has the option tval");
  });

  test.each([
    [["scripted.json"], "plan.noun"],
    [["loot.csv", "./loot.csv", "-o", "x.plan"], "plan.noun"],
    [["missing.csv"], "file.read"],
  ])("%j is refused with %s, and writes nothing", async (args, code) => {
    const found = await rollmill(["bake", ...args, "-o", "none.plan"], { cwd });
    expect([found.code, found.stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
    expect(() => bytesOf("none.plan")).toThrow();
  });
});

describe("plan", () => {
  test("show prints kind, name and labels", async () => {
    await rollmill(["bake", "loot.csv", "-o", "one.plan"], { cwd });
    const { stdout } = await rollmill(["plan", "show", "one.plan"], { cwd });
    expect(stdout).toBe('list\tloot\t{"labels":["gold",null]}\n');
    const { stdout: document } = await rollmill(["plan", "show", "one.plan", "--json"], { cwd });
    expect(JSON.parse(document).data).toEqual([{ kind: "list", name: "loot", labels: { labels: ["gold", null] } }]);
  });

  test("check accepts a plan file, and refuses any other", async () => {
    await rollmill(["bake", "loot.csv", "-o", "good.plan"], { cwd });
    expect(await rollmill(["plan", "check", "good.plan"], { cwd })).toMatchObject({ code: 0, stdout: "" });
    for (const verb of ["check", "show"]) {
      const { code, stderr } = await rollmill(["plan", verb, "damaged.plan"], { cwd });
      expect([code, stderr]).toEqual([2, expect.stringMatching(/^damaged\.plan: .* \[plan\.invalid\]\n$/)]);
    }
    writeFileSync(join(cwd, "good.plan"), bytesOf("good.plan").fill(9, 8, 9));
    const { stderr } = await rollmill(["plan", "check", "good.plan"], { cwd });
    expect(stderr).toContain("[plan.version]");
  });
});
