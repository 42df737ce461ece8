import { createHash } from "node:crypto";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { toParquet } from "../../src/formats/index.js";
import { createMill, toNumber } from "../../src/index.js";
import { JobFolder } from "./jobFolder.js";

const COUNT = 20_000;

const job = new JobFolder("armory/armory.mjs");

describe("an armory of 20,000 weapons", () => {
  const weapon = createMill({ seed: "hall" }).recipe("weapon");
  const weapons = weapon.makeMany(COUNT, { from: 0 });

  test("is the library's weapons in Parquet, and prints the file's sha256", async () => {
    const { code, stdout, stderr } = await job.run("--count", String(COUNT), "--seed", "hall", "--out", "hall");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect((await readdir(join(job.path, "hall"))).sort()).toEqual(["armory.parquet", "strength.svg"]);
    const file = await job.output("hall", "armory.parquet");
    expect(file.equals(toParquet(weapons.columns()))).toBe(true);
    expect(stdout).toContain(createHash("sha256").update(file).digest("hex"));
    expect(stdout).toContain(`${weapons.name(0)}, strength ${weapons.stat("str", 0)}\n`);
    const rows = await parquetReadObjects({ file: Uint8Array.from(file).buffer, rowStart: COUNT - 1, rowEnd: COUNT });
    expect(rows).toMatchObject([{ name: weapons.name(COUNT - 1), str: weapons.stat("str", COUNT - 1) }]);
  });

  test("shows each strength that came up as a bar, and the exact chance of each as a mark", async () => {
    const svg = (await job.output("hall", "strength.svg")).toString();
    const counts = new Map<number, number>();
    for (const strength of weapons.stats.str) counts.set(strength, (counts.get(strength) ?? 0) + 1);
    const bars = [...svg.matchAll(/<rect [^>]*><title>(\d+): ([\d,]+)<\/title>/g)];
    const shown = bars.map(([, strength, count]) => [Number(strength), Number(count.replaceAll(",", ""))]);
    expect(shown).toEqual([...counts].sort(([a], [b]) => a - b));
    const { odds } = weapon.odds({ of: "strength" });
    const marks = odds.filter(({ probability }) => COUNT * toNumber(probability) >= 0.5);
    expect(svg.match(/<path d="([^"]+)" fill="none"/)?.[1].match(/M/g)).toHaveLength(marks.length);
  });

  test("is near its exact chances, and says how near", async () => {
    const { stdout } = await job.run("--count", String(COUNT), "--seed", "hall", "--out", "again");
    const [, sigmas] = /off its exact chance by ([\d.]+) standard deviations/.exec(stdout) ?? [];
    // of some twenty values none is further off than this but once in 50,000
    expect(Number(sigmas)).toBeLessThan(5);
    expect(await job.output("again", "armory.parquet")).toEqual(await job.output("hall", "armory.parquet"));
    expect(await job.output("again", "strength.svg")).toEqual(await job.output("hall", "strength.svg"));
  });

  test("is another with another seed", async () => {
    await job.run("--count", "100", "--seed", "cellar", "--out", "cellar");
    await job.run("--count", "100", "--seed", "hall", "--out", "small");
    expect(await job.output("cellar", "armory.parquet")).not.toEqual(await job.output("small", "armory.parquet"));
  });
});

describe("what is wrong is said before anything is made", () => {
  test.each([
    [["--count", "0"], "invalid --count"],
    [["--count", "1e6"], "invalid --count"],
    [["--colour"], "Unknown option '--colour'"],
    [["hall"], "Unexpected argument 'hall'"],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await job.run(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/\[cli\.usage\]\n$/);
    expect(await readdir(job.path)).not.toContain("out");
  });

  test("a folder that cannot be written to is a failure, not bad input", async () => {
    await writeFile(join(job.path, "taken"), "");
    const { code, stderr } = await job.run("--out", "taken");
    expect({ code, said: stderr.includes("[file.write]") }).toEqual({ code: 1, said: true });
  });
});
