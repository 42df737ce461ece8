import { expect, test } from "vitest";
import { JobFolder } from "./jobFolder.js";

const job = new JobFolder("explorer.mjs");

/** Replaces the times, which differ from run to run. */
const withoutTimes = (text: string) => text.replace(/\d+\.\d ms/g, "… ms");

test("walks from village to village, counts the new regions, and draws the last view", async () => {
  const { code, stdout, stderr } = await job.run("--frames", "21");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const [frames, picture, legend] = withoutTimes(stdout).split("\n\n");
  const lines = frames.split("\n");
  expect(lines).toHaveLength(21);
  expect(lines[0]).toMatch(/^frame {3}1 {2}\S.* at 0, 0 +\d new regions {2}… ms$/);
  const added = lines.map((line) => Number(/(\d) new region/.exec(line)?.[1]));
  expect(added[0]).toBeGreaterThanOrEqual(2);
  expect(added.filter((count) => count === 0).length).toBeGreaterThan(10);
  expect(lines.filter((line) => / {2}village: \S/.test(line)).length).toBeGreaterThanOrEqual(2);
  const rows = picture.split("\n");
  expect(rows.map((row) => row.length)).toEqual(Array.from({ length: 26 }, () => 76));
  expect(rows[13][38]).toBe("@");
  expect(legend).toMatch(/^V village/);
});

test("is the same in every run, in colour too, and another world for another seed", async () => {
  const runs = await Promise.all([
    job.run("--frames", "3"),
    job.run("--frames", "3"),
    job.run("--frames", "3", "--color"),
    job.run("--frames", "3", "--seed", "moria"),
  ]);
  const [first, second, colored, other] = runs.map(({ stdout }) => withoutTimes(stdout));
  expect(second).toBe(first);
  expect(colored).toContain("\x1b[48;2;");
  expect(colored.split("\n").slice(0, 3)).toEqual(first.split("\n").slice(0, 3));
  expect(other).not.toBe(first);
});

test.each([["--frames=0"], ["--frames=many"], ["--speed"]])("%s is refused", async (argument) => {
  expect(await job.run(argument)).toMatchObject({ code: 2, stdout: "" });
});
