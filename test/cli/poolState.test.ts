import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMill, type PoolsInput } from "../../src/index.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const DECK = {
  roots: { deck: { kind: "finite", refill: false, records: [["ace"], ["king"], ["queen"], ["jack", 1, 2]] } },
} satisfies PoolsInput;
const ITEMS = {
  roots: {
    i: {
      kind: "finite",
      records: [["sword", 1, 3], ["axe", 2, 2], "ring"],
      subpools: {
        common: { subpools: { weapon: { records: ["sword", ["axe", "1/2"]] } } },
        rare: { subpools: { weapon: { records: [["sword", 4]] } } },
      },
    },
  },
} satisfies PoolsInput;
const CSV = `id,pool,mass,quantity
sword,i.common.weapon,3,2
axe,i.common.weapon,1/2,
crown,i.rare.trinket,,1
sword,i.rare.weapon,4,
`;
const cwd = folderWith({
  "deck.json": JSON.stringify(DECK),
  "items.json": JSON.stringify(ITEMS),
  "items.csv": CSV,
  "cards.csv": "id,quantity\nace,\nking,2\n",
  "bad.csv": "id,pool,mass,quantity\nsword,i,x,1.5\n,i,,\naxe,i.~,1,\nsword,i,1,2\n",
  "idle.json": JSON.stringify({
    roots: { i: { kind: "finite", records: [["air", 0]], subpools: { none: {} } } },
    rules: [{ path: "i.*.*.x" }],
  }),
});
const pool = (...args: string[]) => rollmill(["pool", ...args], { cwd });
const state = (file: string) => join(cwd, file);

describe("pool draw --state (first hour 15)", () => {
  test("goes on from the saved stock, as one run would", async () => {
    const deck = createMill({ seed: "moria" }).pools("deck", DECK).pool("deck");
    const all = [...deck.drawMany(5)].map((id) => `${id}\n`);
    const first = await pool("draw", "deck.json", "-n", "2", "--seed", "moria", "--state", "deck.state");
    const second = await pool("draw", "deck.json", "deck", "-n", "2", "--state", "deck.state", "--json");
    const third = await pool("draw", "deck.json", "-n", "5", "--state", "deck.state");
    expect(first.stdout).toBe(all.slice(0, 2).join(""));
    expect(JSON.parse(second.stdout)).toMatchObject({
      from: 2,
      seed: "moria",
      data: all.slice(2, 4).map((id) => id.trim()),
    });
    expect([third.code, third.stdout]).toEqual([0, all[4]]);
    expect(third.stderr).toMatch(/exhausted after 1 draws/);
    expect(readdirSync(cwd).filter((file) => file.startsWith("deck.state"))).toEqual(["deck.state"]);
  });

  test("a file of another seed, name or spec is refused and stays as it was", async () => {
    await pool("draw", "items.json", "i", "--seed", "moria", "--state", "kept.state");
    const before = readFileSync(state("kept.state"), "utf8");
    for (const args of [
      ["items.json", "i", "--seed", "bree"],
      ["items.json", "i", "--name", "other"],
      ["deck.json", "deck", "--name", "items"],
    ]) {
      const { code, stdout, stderr } = await pool("draw", ...args, "--state", "kept.state");
      expect([code, stdout], args.join(" ")).toEqual([2, ""]);
      expect(stderr).toMatch(/\[snapshot\.invalid\]/);
    }
    expect(readFileSync(state("kept.state"), "utf8")).toBe(before);
    expect((await pool("draw", "items.json", "i", "--state", "kept.state")).code).toBe(0);
  });

  test.each([
    ["text", "no JSON", /\[file\.json\]/],
    ["null", "null", /\[snapshot\.invalid\]/],
    ["a snapshot", '{"format":"rollmill-snapshot","version":2}', /\[snapshot\.invalid\]/],
  ])("a damaged file is refused: %s", async (_, content, message) => {
    writeFileSync(state("damaged.state"), content);
    const { code, stdout, stderr } = await pool("draw", "items.json", "i", "--state", "damaged.state");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
    expect(readFileSync(state("damaged.state"), "utf8")).toBe(content);
  });

  test("damaged quantities are refused", async () => {
    await pool("draw", "deck.json", "-n", "3", "--seed", "moria", "--state", "many.state");
    const saved = readFileSync(state("many.state"), "utf8");
    writeFileSync(state("many.state"), saved.replace(/\["(\w+)",0,1\]/, '["$1",7,1]'));
    const { code, stderr } = await pool("draw", "deck.json", "--state", "many.state");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/\[snapshot\.invalid\]/)]);
  });

  test("a refused draw writes no file, and --from is refused with it", async () => {
    expect((await pool("draw", "items.json", "i.x", "--seed", "a", "--state", "none.state")).code).toBe(2);
    const both = await pool("draw", "items.json", "i", "--seed", "a", "--from", "2", "--state", "none.state");
    expect([both.code, both.stderr]).toEqual([2, expect.stringMatching(/\[cli\.usage\]/)]);
    expect(existsSync(state("none.state"))).toBe(false);
  });

  test("forks of one file have stocks of their own", async () => {
    const draws = async (fork: string) =>
      (await pool("draw", "items.json", "i", "-n", "3", "--seed", "m", "--fork", fork, "--state", "forks.state"))
        .stdout;
    const [a, b, again] = [await draws("a"), await draws("b"), await draws("a")];
    const family = createMill({ seed: "m" }).pools("items", ITEMS);
    const expected = (fork: string, n: number) => [...family.fork(fork).pool("i").drawMany(n)].join("\n");
    expect([a, b, again].map((text) => text.trim())).toEqual([expected("a", 3), expected("b", 3), expected("a", 3)]);
  });
});

describe("pool draw and odds over stars (first hour 15)", () => {
  test("draw and odds of weapons of any rarity", async () => {
    const { stdout } = await pool("odds", "items.json", "i.*.weapon");
    // sword: 3 · (1 + 4), axe: 2 · 1/2
    expect(stdout).toBe("sword\t15/16\t0.937500\naxe\t1/16\t0.0625000\n");
    const drawn = await pool("draw", "items.json", "i.*.weapon", "-n", "5", "--seed", "moria");
    expect(drawn.stdout.trim().split("\n").toSorted()).toEqual(["axe", "axe", "sword", "sword", "sword"]);
  });
});

describe("pools from CSV (first hour 15)", () => {
  test("a line is a record of a pool and of its root; all rarities have the same subpools", async () => {
    const { stdout, stderr } = await pool("show", "items.csv", "--json");
    expect(stderr).toBe("");
    const [root] = dataOf(stdout);
    expect(root.records).toEqual([
      { id: "sword", mass: 3, quantity: 2 },
      { id: "axe", mass: "1/2", quantity: 1 },
      { id: "crown", mass: 1, quantity: 1 },
    ]);
    const [common, rare] = root.subpools;
    expect([common, rare].map(({ subpools }) => subpools.map(({ name }: { name: string }) => name))).toEqual([
      ["weapon", "trinket"],
      ["trinket", "weapon"],
    ]);
    expect(rare.subpools[1].records).toEqual([{ id: "sword", mass: 4, quantity: 2 }]);
    expect((await pool("odds", "items.csv", "i.*.weapon")).stdout).toBe(
      "sword\t28/29\t0.965517\naxe\t1/29\t0.0344828\n",
    );
  });

  test("without a column pool, there is one root, which needs no path; also in the library and from stdin", async () => {
    const cards = "id,quantity\nace,\nking,2\n";
    const { stdout } = await pool("draw", "cards.csv", "-n", "3", "--seed", "moria");
    expect([...createMill({ seed: "moria" }).pools("cards", cards).pool("pool").drawMany(3)].join("\n")).toBe(
      stdout.trim(),
    );
    const piped = await rollmill(["pool", "draw", "-", "-n", "3", "--seed", "moria", "--name", "cards"], {
      input: cards,
    });
    expect(piped.stdout).toBe(stdout);
  });

  test("errors have line and column", async () => {
    const { code, stdout } = await pool("check", "bad.csv", "--json");
    const issues = dataOf(stdout) as { code: string; where: { line: number; column: number } }[];
    expect([code, issues.map((issue) => [issue.code, issue.where.line, issue.where.column])]).toEqual([
      2,
      [
        ["pool.mass", 2, 9],
        ["pool.quantity", 2, 11],
        ["pool.record", 3, undefined],
        ["pool.path", 4, 5],
        ["pool.duplicate", 5, 1],
        ["pool.quantity", 5, 11],
      ],
    ]);
  });
});

describe("pool check (first hour 15)", () => {
  test("lists pools that can give nothing, and rules without pools", async () => {
    const { code, stdout } = await pool("check", "idle.json", "--json");
    const issues = dataOf(stdout) as { code: string; severity: string; where: { path: string } }[];
    expect([code, issues.map((issue) => [issue.severity, issue.code, issue.where.path])]).toEqual([
      0,
      [
        ["warning", "pool.spec", "i"],
        ["warning", "pool.spec", "i.none"],
        ["warning", "pool.spec", "i.*.*.x"],
      ],
    ]);
  });

  test("exits 0 without a word about a sound spec, and 2 for an error", async () => {
    expect(await pool("check", "deck.json")).toMatchObject({ code: 0, stdout: "", stderr: "errors: 0, warnings: 0\n" });
    const { code, stdout } = await rollmill(["pool", "check", "-"], { input: '{"roots": {"i": {"kind": "endless"}}}' });
    expect([code, stdout]).toEqual([2, expect.stringMatching(/\[pool\.spec\]/)]);
  });
});
