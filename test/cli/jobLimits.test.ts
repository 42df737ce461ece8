import { describe, expect, test } from "vitest";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const SPEC = { name: "isle", world: { layers: [{ name: "land", preset: "five-ways", walkers: 10, steps: 30 }] } };

describe("limits of a job", () => {
  test("are set by start, set and resume, and printed by status", async () => {
    const cwd = folderWith({ "job.json": JSON.stringify(SPEC) });
    const run = (line: string) => rollmill(["job", ...line.split(" ")], { cwd });
    expect((await run("start job.json out --seed moria --no-run --load 50%")).code).toBe(0);
    const set = await run("set out --between 22:00-06:00 --pause-above 2.5 --load 12.5%");
    expect(set.stdout).toBe("load\t12.5%\nbetween\t22:00-06:00\npause-above\t2.5\n");
    expect((await run("status out")).stdout).toContain(`state\tstopped\n${set.stdout}`);
    expect(dataOf((await run("status out --json")).stdout)).toMatchObject({
      limits: { load: 0.125, between: "22:00-06:00", pauseAbove: 2.5 },
      waits: null,
    });
    const done = await run("resume out --threads 1 --between off --pause-above off --load 99%");
    expect(done.code, done.stderr).toBe(0);
    expect(done.stderr).toContain("pauses: at most 99% of the cores\n");
    const off = await run("set out --load off");
    expect([off.stdout, off.stderr]).toEqual(["", "the job has no limits now\n"]);
  });

  test.each([
    ["set out", "nothing to set"],
    ["set out --load 0%", "from 1% to 100%, or off"],
    ["set out --load 0.5", "from 1% to 100%, or off"],
    ["set out --between 22-6", "such as 22:00-06:00, or off"],
    ["set out --pause-above many", "at least 0.01"],
  ])("%s is refused", async (line, message) => {
    const cwd = folderWith({});
    const { code, stderr } = await rollmill(["job", ...line.split(" ")], { cwd });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
