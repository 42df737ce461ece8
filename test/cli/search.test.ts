import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { BIN, dataOf, folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({ "loot.csv": "result,weight\ncrown,1\ngold,999\n" });
const inThreads = (...args: string[]) =>
  execFileSync(process.execPath, [BIN, "search", ...args], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });

test("finds the same in several threads", async () => {
  const asked = ["loot.csv", "crown", "--seed", "moria", "--to", "1e6", "-n", "500", "--json"];
  const { code, stdout } = await rollmill(["search", ...asked, "--threads", "1"], { cwd });
  expect(code).toBe(0);
  const { found, next } = dataOf(stdout);
  expect([found.length, next]).toEqual([500, found[499] + 1]);
  expect(inThreads(...asked, "--threads", "3")).toBe(stdout);
});

test("seeds, in several threads, and the expected number of them", async () => {
  const asked = ["loot.csv", "crown", "--seeds", "--first", "10", "--to", "3000", "-n", "20", "--csv"];
  const { code, stdout, stderr } = await rollmill(["search", ...asked, "--threads", "1"], { cwd });
  expect([code, stdout.split("\n")[0], stdout.split("\n").length]).toEqual([0, "seed,index", 22]);
  expect(stderr).toContain("expected number of seeds for one match: 100\n");
  const [seed, index] = stdout.split("\n")[1].split(",");
  const one = ["search", "loot.csv", "crown", "--seed", seed, "-n", "1", "--csv"];
  expect((await rollmill(one, { cwd })).stdout).toBe(`index\n${index}\n`);
  expect(inThreads(...asked, "--threads", "2")).toBe(stdout);
});

test("bad input, also in threads", async () => {
  const first = await rollmill(["search", "loot.csv", "crown", "--first", "3"], { cwd });
  expect([first.code, first.stderr]).toEqual([2, expect.stringContaining("--first needs --seeds")]);
  const unknown = await rollmill(["search", "loot.csv", "crwn", "--seeds", "--threads", "1"], { cwd });
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean "crown"')]);
  expect(() => inThreads("loot.csv", "crwn", "--seed", "a", "--threads", "2")).toThrow();
});
