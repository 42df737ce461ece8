import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { ITEMS } from "../pools/build.js";
import { folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({ "items.json": JSON.stringify(ITEMS), "bad.json": '{"roots": {"i": {"kind": "endless"}}}' });
const run = (...args: string[]) => rollmill(["pool", ...args], { cwd });

describe("rollmill pool", () => {
  test("draw prints the ids that the library draws under the file's stem, one a line", async () => {
    const { stdout, code } = await run("draw", "items.json", "i", "-n", "12", "--seed", "moria");
    const ids = createMill({ seed: "moria" }).pools("items", ITEMS).drawMany("i", 12);
    expect([code, stdout.trimEnd().split("\n")]).toEqual([0, ids]);
  });

  test("draw --json tells the refreshes, and --active what ~ stands for", async () => {
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
    expect(JSON.parse(stdout)).toEqual({ draws: new Array(5).fill("sword"), refreshed: 2 });
  });

  test("odds are exact, and need no seed", async () => {
    const { stdout, stderr } = await run("odds", "items.json", "i.rare", "--json");
    const half = { numerator: "1", denominator: "2", probability: 0.5 };
    expect([JSON.parse(stdout), stderr]).toEqual([
      [
        { id: "ring", ...half },
        { id: "crown", ...half },
      ],
      "",
    ]);
    expect((await run("odds", "items.json", "i.2")).stdout).toBe("ring\t1/2\t0.500000\ncrown\t1/2\t0.500000\n");
  });

  test("show draws the tree with masses, quantities and totals", async () => {
    const { stdout } = await run("show", "items.json");
    expect(stdout.split("\n")).toEqual(
      expect.arrayContaining(["i (finite): total 14", '│ "axe": mass 2, quantity 3', "├ common: total 21"]),
    );
  });

  test.each([
    [["draw", "items.json", "i.comon", "--seed", "1"], /Did you mean "common"\? \[pool\.unknown\]/],
    [["draw", "items.json", "i.*", "--seed", "1"], /\[pool\.star\]/],
    [["draw", "items.json", "i.~", "--seed", "1"], /\[pool\.active\]/],
    [["draw", "items.json", "i", "--active", "rare"], /\[cli\.usage\]/],
    [["odds", "items.json", "i.common.trinket"], /\[pool\.empty\]/],
    [["show", "bad.json"], /^bad\.json roots\.i\.kind: .*\[pool\.spec\]/],
  ])("%j exits 2 and says why", async (args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});
