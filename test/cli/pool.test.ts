import { describe, expect, test } from "vitest";
import { createMill, type PoolsInput } from "../../src/index.js";
import { ITEMS } from "../pools/build.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

/** Ids, masses and subpools of every form. */
const BOTH = {
  roots: {
    i: {
      kind: "finite",
      records: [[1, 1.5, 2], "1"],
      subpools: [{ records: [{ id: 1, mass: 2.5 }], subpools: [{}] }],
    },
    e: { kind: "infinite", records: [{ id: "bat", mass: 3 }] },
  },
} as const satisfies PoolsInput;
const cwd = folderWith({
  "items.json": JSON.stringify(ITEMS),
  "both.json": JSON.stringify(BOTH),
  "bad.json": '{"roots": {"i": {"kind": "endless"}}}',
});
const run = (...args: string[]) => rollmill(["pool", ...args], { cwd });

describe("rollmill pool", () => {
  test("draw prints the library's ids, one per line; the name is the file's stem", async () => {
    const { stdout, code } = await run("draw", "items.json", "i", "-n", "12", "--seed", "moria");
    const ids = [...createMill({ seed: "moria" }).pools("items", ITEMS).pool("i").drawMany(12)];
    expect([code, stdout.trimEnd().split("\n")]).toEqual([0, ids]);
  });

  test("draw --json counts the refreshes; --active sets the pool of ~", async () => {
    const { stdout } = await run(
      "draw",
      "items.json",
      "i.~.~",
      "--active",
      "i=rare,weapon",
      "-n",
      "5",
      "--seed",
      "1",
      "--json",
    );
    expect(JSON.parse(stdout)).toMatchObject({ data: new Array(5).fill("sword"), refreshed: 2 });
  });

  test("odds are exact without a seed", async () => {
    const { stdout, stderr } = await run("odds", "items.json", "i.rare", "--json");
    const half = { numerator: "1", denominator: "2", probability: 0.5 };
    expect([dataOf(stdout), stderr]).toEqual([
      [
        { id: "ring", ...half },
        { id: "crown", ...half },
      ],
      "",
    ]);
    expect((await run("odds", "items.json", "i.2")).stdout).toBe("ring\t1/2\t0.500000\ncrown\t1/2\t0.500000\n");
  });

  test("show prints the tree with masses, quantities and totals", async () => {
    const { stdout } = await run("show", "items.json");
    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining(["i (finite): total 14", '│ "axe": mass 2, quantity 3', "├ common: total 21"]),
    );
  });

  test("show --json is the library's tree, infinite pools without quantities", async () => {
    const { code, stdout, stderr } = await run("show", "both.json", "--json");
    expect([code, stderr]).toEqual([0, ""]);
    expect(dataOf(stdout)).toEqual([
      {
        name: "i",
        kind: "finite",
        total: 4,
        records: [
          { id: 1, mass: 1.5, quantity: 2 },
          { id: "1", mass: 1, quantity: 1 },
        ],
        subpools: [
          {
            name: "1",
            kind: "finite",
            total: 5,
            records: [{ id: 1, mass: 2.5, quantity: 2 }],
            subpools: [{ name: "1", kind: "finite", total: 0, records: [], subpools: [] }],
          },
        ],
      },
      { name: "e", kind: "infinite", total: 3, records: [{ id: "bat", mass: 3 }], subpools: [] },
    ]);
  });

  test.each([
    [[], ["draw", "odds", "show", "check"]],
    [["draw"], ["-n", "--from", "--active", "--seed", "--name", "--state", "--json"]],
    [["odds"], ["--active", "--json"]],
    [["show"], ["--json"]],
    [["check"], ["--json"]],
  ])("%j --help tells of %j", async (args, names) => {
    const { code, stdout, stderr } = await run(...args, "--help");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}(?:-\\w, )?${name}\\b`, "m"));
  });

  test("without a verb, the help goes to stderr", async () => {
    const { code, stdout, stderr } = await run();
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^Usage: rollmill pool /);
  });

  test.each([
    [["draw", "items.json", "i.comon", "--seed", "1"], /Did you mean "common"\? \[pool\.unknown\]/],
    [["draw", "items.json", "*", "--seed", "1"], /\[pool\.star\]/],
    [["draw", "items.json", "i.~", "--seed", "1"], /\[pool\.active\]/],
    [["draw", "items.json", "i", "--active", "rare"], /\[cli\.usage\]/],
    [["odds", "items.json", "i.common.trinket"], /\[pool\.empty\]/],
    [["odds", "items.json", "i.rare", "--active"], /argument missing \[cli\.usage\]/],
    [["odds", "items.json", "i.rare", "--seed", "1"], /unknown option '--seed'/],
    [["odds", "absent.json", "i"], /^absent\.json: .*\[file\.read\]/],
    [["show", "absent.json", "--json"], /^absent\.json: .*\[file\.read\]/],
    [["show", "items.json", "i"], /too many arguments.*\[cli\.usage\]/],
    [["show", "bad.json", "--json"], /^bad\.json roots\.i\.kind: .*\[pool\.spec\]/],
    [["show", "bad.json"], /^bad\.json roots\.i\.kind: .*\[pool\.spec\]/],
  ])("%j exits 2 and says why", async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});
