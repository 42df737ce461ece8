import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { searchSeeds } from "../../src/instruments/index.js";
import { child, dataOf, folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({ "loot.csv": "result,weight\ncrown,1\ngold,999\n" });
const inThreads = (...args: string[]) => child(["search", ...args], { cwd });

test("finds the same in several threads", async () => {
  const asked = ["loot.csv", "crown", "--seed", "moria", "--to", "1e6", "-n", "500", "--json"];
  const { code, stdout } = await rollmill(["search", ...asked, "--threads", "1"], { cwd });
  expect(code).toBe(0);
  const { found, next } = dataOf(stdout);
  expect([found.length, next]).toEqual([500, found[499] + 1]);
  expect(await inThreads(...asked, "--threads", "3")).toMatchObject({ code: 0, stdout });
});

test("many matches in a segment, and a limit inside a segment", async () => {
  const asked = ["d1", "1", "--seed", "moria", "--to", "5e5", "-n", "4e5", "--json"];
  const { stdout } = await rollmill(["search", ...asked, "--threads", "1"]);
  expect(dataOf(stdout).next).toBe(400_000);
  for (const threads of ["2", "3"]) {
    expect((await inThreads(...asked, "--threads", threads)).stdout === stdout).toBe(true);
  }
});

test("the search ends when the matches are enough, however long its range is", async () => {
  const asked = ["loot.csv", "crown", "--seeds", "--to", "4e12", "-n", "3", "--json"];
  const { stdout } = await rollmill(["search", ...asked, "--threads", "1"], { cwd });
  expect(dataOf(stdout).found.length).toBe(3);
  expect(await inThreads(...asked, "--threads", "2")).toMatchObject({ code: 0, stdout });
});

test("seeds, in several threads, and the expected number of them", async () => {
  const asked = ["loot.csv", "crown", "--seeds", "--first", "10", "--to", "3000", "-n", "20", "--csv"];
  const { code, stdout, stderr } = await rollmill(["search", ...asked, "--threads", "1"], { cwd });
  expect([code, stdout.split("\n")[0], stdout.split("\n").length]).toEqual([0, "seed,index", 22]);
  expect(stderr).toContain("expected number of seeds for one match: 100\n");
  const [seed, index] = stdout.split("\n")[1].split(",");
  const one = ["search", "loot.csv", "crown", "--seed", seed, "-n", "1", "--csv"];
  expect((await rollmill(one, { cwd })).stdout).toBe(`index\n${index}\n`);
  expect(await inThreads(...asked, "--threads", "2")).toMatchObject({ code: 0, stdout });
});

test("bad input, also in threads", async () => {
  const first = await rollmill(["search", "loot.csv", "crown", "--first", "3"], { cwd });
  expect([first.code, first.stderr]).toEqual([2, expect.stringContaining("--first needs --seeds")]);
  const unknown = await rollmill(["search", "loot.csv", "crwn", "--seeds", "--threads", "1"], { cwd });
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean "crown"')]);
  const inThread = await inThreads("loot.csv", "crwn", "--seed", "a", "--threads", "2");
  expect([inThread.code, inThread.stderr]).toEqual([2, expect.stringContaining('Did you mean "crown"')]);
});

const ISLE = {
  layers: [{ name: "sea", preset: "five-ways", scatter: { side: 64, walkers: 2 }, steps: 60 }],
  terrain: [{ terrain: "sea", when: { sea: { visits: [1, null] } } }, { terrain: "land" }],
  placements: [{ name: "village", on: ["land"], density: "1/100", distance: 3 }],
};

test("worlds, in several threads, as the library finds them", async () => {
  const folder = folderWith({ "isle.json": JSON.stringify(ISLE) });
  const near = ["--near", "3,-4", "--within", "5", "--kind", "village", "--count-at-most", "2"];
  const share = ["--window=-8,-8,7,7", "--terrain", "sea", "--at-least", "2%"];
  const asked = ["search", "isle.json", ...near, ...share, "--to", "40", "--json"];
  const { code, stdout } = await rollmill([...asked, "--threads", "1"], { cwd: folder });
  const condition = [
    { kind: "village", near: [3, -4], within: 5, atMost: 2 },
    { terrain: "sea", window: { row0: -8, col0: -8, rows: 16, cols: 16 }, atLeast: "2/100" },
  ] as const;
  const { found } = searchSeeds(createMill({ seed: "" }).world("isle", ISLE as never), condition, { to: 40 });
  expect(found.length).toBeGreaterThan(0);
  expect([code, dataOf(stdout).found]).toEqual([0, found.map(({ seed, index }) => ({ seed, index }))]);
  expect((await child([...asked, "--threads", "2"], { cwd: folder })).stdout).toBe(stdout);
  for (const [message, ...args] of [
    ["--near needs --kind", "--near", "0,0"],
    ["--terrain needs --window", "--terrain", "sea"],
    ["given by options", "village"],
    ["no such kind of placement", "--near", "0,0", "--kind", "vilage"],
  ]) {
    const { code, stderr } = await rollmill(["search", "isle.json", ...args, "--threads", "1"], { cwd: folder });
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  }
});
