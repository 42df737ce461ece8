import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMill, type WalkInput } from "../../src/index.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const WORLD: WalkInput = {
  name: "world",
  layers: [
    { name: "land", walkers: 3, steps: 900 },
    { name: "rivers", walkers: 20, steps: 700, start: { layer: "land" }, until: { outside: "land" }, firstVisit: true },
  ],
};
const cwd = folderWith({ "world.json": JSON.stringify(WORLD), "note.walk": "hello", "dot.json": '{"steps": 9}' });
const run = (...args: string[]) => rollmill(["walk", "run", "world.json", "--seed", "moria", ...args], { cwd });
const merge = (...args: string[]) => rollmill(["walk", "merge", ...args], { cwd });
const rivers = createMill({ seed: "moria" }).walk("world", WORLD).run().layers[1];

describe("walk run of a part, and walk merge", () => {
  test("parts merge to the layer; the ranges are on stderr", async () => {
    for (const [i, range] of ["0-6", "7", "8-19"].entries()) {
      const flags = i === 0 ? ["-o", `part${i}.walk`] : ["--save", `part${i}.walk`];
      const { code, stderr } = await run("--layer", "rivers", "--walkers", range, ...flags);
      expect([code, stderr]).toEqual([0, expect.stringMatching(/^\d.*steps a second\n$/)]);
    }
    const merged = await merge(
      "part2.walk",
      "part0.walk",
      "part1.walk",
      "-o",
      "rivers.csv",
      "--first-visits",
      "--json",
    );
    expect(merged.stderr).toBe("layer rivers, walkers 0-19\n");
    const { layers, ...summary } = dataOf(merged.stdout) as { layers: object[] };
    expect(summary).toMatchObject({ digest: rivers.map.digest(), steps: rivers.steps, ended: rivers.ended });
    expect(layers).toHaveLength(1);
    await run("--layer", "rivers", "-o", "whole.csv", "--first-visits");
    expect(readFileSync(join(cwd, "rivers.csv"), "utf8")).toBe(readFileSync(join(cwd, "whole.csv"), "utf8"));
    expect((await merge("part2.walk", "part0.walk")).stderr).toBe("layer rivers, walkers 0-6, 8-19\n");
  });

  test("a run is saved after some steps and goes on later, to the layer's last step or to --steps", async () => {
    const of = ["--layer", "rivers"];
    expect((await run(...of, "--steps", "50", "--save", "early.walk")).code).toBe(0);
    expect((await run("--resume", "early.walk", "--steps", "300", "-o", "later.walk")).code).toBe(0);
    const { stdout } = await run("--resume", "later.walk", "--json", "-o", "resumed.png");
    expect(dataOf(stdout)).toMatchObject({ digest: rivers.map.digest(), ended: rivers.ended });
    const shorter = dataOf((await run(...of, "--steps", "50", "--json")).stdout);
    expect(shorter).toMatchObject({ visits: (shorter as { steps: number }).steps + 20 });
  });

  test("a walk of one layer needs no --layer", async () => {
    const dot = ["walk", "run", "dot.json", "--seed", "a"];
    expect((await rollmill([...dot, "--steps", "4", "--save", "dot.walk"], { cwd })).code).toBe(0);
    const { stdout } = await rollmill([...dot, "--resume", "dot.walk", "--json"], { cwd });
    const digest = createMill({ seed: "a" }).walk("dot", { steps: 9 }).run().total.digest();
    expect(dataOf(stdout)).toMatchObject({ steps: 9, digest });
  });

  test.each<[string, string[], RegExp]>([
    ["a part without its layer", ["--walkers", "0-3"], /several layers.*\[cli\.usage\]/],
    [
      "walkers beyond the layer",
      ["--layer", "land", "--walkers", "0-3"],
      /got 3, expected walkers from 0 to 2.*\[cli\.usage\]/,
    ],
    ["walkers in the wrong order", ["--layer", "land", "--walkers", "3-1"], /Expected the numbers of the first and/],
    ["walkers that are no numbers", ["--layer", "land", "--walkers", "all"], /Expected the numbers of the first and/],
    ["a run of another layer", ["--layer", "land", "--resume", "early.walk"], /got "land".*\[cli\.usage\]/],
    ["walkers of a saved run", ["--resume", "early.walk", "--walkers", "0-3"], /--walkers.*\[cli\.usage\]/],
    ["steps before those of the run", ["--resume", "early.walk", "--steps", "49"], /got 49.*\[cli\.usage\]/],
    ["a file that is no run", ["--resume", "note.walk"], /\[snapshot\.invalid\]/],
    ["a file that is missing", ["--resume", "none.walk"], /none\.walk.*\[file\.read\]/],
  ])("%s is refused", async (_, args, message) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
  });

  test("a run needs its seed and its spec", async () => {
    const other = await rollmill(["walk", "run", "world.json", "--seed", "a", "--resume", "early.walk"], { cwd });
    expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/\[snapshot\.invalid\]/)]);
    const none = await rollmill(["walk", "run", "world.json", "--resume", "early.walk"], { cwd });
    expect([none.code, none.stderr]).toEqual([2, expect.stringMatching(/--seed.*\[cli\.usage\]/)]);
  });

  test("merge refuses damaged runs and runs that do not fit, each by its file, and unknown types of files (first hour 18)", async () => {
    const bytes = readFileSync(join(cwd, "part0.walk"));
    bytes[100] ^= 1;
    writeFileSync(join(cwd, "damaged.walk"), bytes);
    for (const [args, message] of [
      [["part0.walk", "damaged.walk"], /^damaged\.walk: .*\[snapshot\.invalid\]\n$/],
      [["part0.walk", "part0.walk"], /^part0\.walk: .*\[walk\.mismatch\]\n$/],
      [["part0.walk", "early.walk"], /^early\.walk: .*\[walk\.mismatch\]\n$/],
      [["part0.walk", "-o", "all.walk"], /\[cli\.usage\]/],
      [["part0.walk", "--first-visits"], /\[cli\.usage\]/],
    ] as const) {
      const { code, stdout, stderr } = await merge(...args);
      expect([code, stdout, stderr]).toEqual([2, "", expect.stringMatching(message)]);
    }
  });
});
