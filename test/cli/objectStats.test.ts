import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const DUNGEON = fileURLToPath(new URL("../../data/dungeon", import.meta.url));
const cwd = folderWith({});
const stats = (...args: string[]) => rollmill(["object", "stats", DUNGEON, "--seed", "moria", ...args], { cwd });

describe("object stats", () => {
  test("is CSV, with a row for each thing made at a level", async () => {
    const { code, stdout } = await stats("--levels", "1,28-30", "-n", "300", "--good");
    expect(code).toBe(0);
    const rows = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(Object.keys(rows[0])).toEqual(["level", "type", "number", "name", "count", "share"]);
    expect([...new Set(rows.map(({ level }) => level))]).toEqual(["1", "28", "29", "30"]);
    for (const { count, share } of rows) expect(Number(share)).toBe(Number(count) / 300);
    const types = new Set(rows.map(({ type }) => type));
    for (const type of ["objects", "kind", "affix", "theme", "affixes"]) expect(types).toContain(type);
  });

  test("--properties counts properties, with their bands and the first level", async () => {
    const { code, stdout } = await stats("--levels", "5,40", "-n", "200", "--great", "--properties");
    expect(code).toBe(0);
    const rows = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(rows.filter(({ group }) => group === "objects").map(({ band, level }) => [level, band])).toEqual(
      ["5", "40"].flatMap((level) => ["", "good", "bad"].map((band) => [level, band])),
    );
    for (const { level, first_level: first, least, mean, most } of rows.filter(({ group }) => group !== "objects")) {
      expect(Number(first)).toBeLessThanOrEqual(Number(level));
      expect([Number(least) <= Number(mean), Number(mean) <= Number(most)]).toEqual([true, true]);
    }
    const { data } = JSON.parse((await stats("--levels", "5", "-n", "20", "--properties", "--json")).stdout);
    expect(data.levels[0]).toMatchObject({ level: 5, objects: 20 });
    expect(data.first.every((one: { level: number }) => one.level === 5)).toBe(true);
    const file = join(cwd, "properties.json");
    await stats("--levels", "5", "-n", "20", "--properties", "-o", file);
    expect(JSON.parse(readFileSync(file, "utf8")).data).toEqual(data);
    const refused = await stats("--levels", "5", "--properties", "-o", join(cwd, "properties.svg"));
    expect(refused).toMatchObject({ code: 2, stdout: "" });
  });

  test("--json has the first level of each record", async () => {
    const { data } = JSON.parse((await stats("--levels", "10,30", "-n", "100", "--json")).stdout);
    for (const { type, number, level } of data.first) {
      const own = data.rows.filter(
        (row: { type: string; number: number }) => row.type === type && row.number === number,
      );
      expect(level).toBe(own[0].level);
    }
  });

  test("--limit counts objects within the limit", async () => {
    writeFileSync(join(cwd, "none.json"), '{ "most": -1000000, "scores": {} }');
    const { stdout } = await stats("--levels", "30", "-n", "50", "--great", "--limit", "none.json");
    expect(stdout).toContain("30,affixes,,0,50,1\n");
    expect(await stats("--levels", "30", "--limit", "s.none")).toMatchObject({ code: 2, stdout: "" });
  });

  test("--json has the kinds that can get no affix, which stderr lists too", async () => {
    const { stdout, stderr } = await stats("--levels", "30", "-n", "100", "--json");
    const { rows, withoutAffixes } = dataOf(stdout);
    expect(rows[0]).toEqual({ level: 30, type: "objects", number: null, name: "all", count: 100, share: 1 });
    for (const { name, tval } of withoutAffixes) expect(stderr).toMatch(new RegExp(`of type ${tval} .*: .*${name}`));
    expect(stderr.trimEnd().split("\n").length).toBe(
      new Set(withoutAffixes.map((kind: { tval: string }) => kind.tval)).size || 1,
    );
  });

  test("--exact has the odds of each level in place of counts, as CSV, JSON and a picture", async () => {
    const args = ["object", "stats", DUNGEON, "--levels", "1,30", "--tval", "light", "--exact"];
    const exact = (...more: string[]) => rollmill([...args, ...more], { cwd });
    const { code, stdout, stderr } = await exact();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const rows = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(Object.keys(rows[0])).toEqual(["level", "type", "number", "name", "share", "most"]);
    for (const { share, most } of rows) expect(most).toBe(share);
    const counted = parse((await stats("--levels", "30", "-n", "20000", "--tval", "light")).stdout, { columns: true });
    for (const { type, name, share } of counted as Record<string, string>[]) {
      if (type !== "affix" && type !== "affixes" && type !== "theme") continue;
      const odds = rows.find((row) => row.level === "30" && row.type === type && row.name === name);
      // 5 standard deviations of a share of 20,000 objects
      expect(Math.abs(Number(share) - Number(odds?.share))).toBeLessThan(5 * Math.sqrt(0.25 / 20_000));
    }
    const { rows: data, unexplored } = dataOf((await exact("--json")).stdout);
    expect(data).toHaveLength(rows.length);
    expect(data[1].share).toMatchObject({ numerator: expect.any(String), probability: Number(rows[1].share) });
    expect(unexplored.map(({ level }: { level: number }) => level)).toEqual([1, 30]);
    await exact("-o", "exact.svg");
    expect(readFileSync(join(cwd, "exact.svg"), "utf8")).toContain("light only (exact odds)</title>");
  });

  test("--exact with few states says how far the bounds are apart", async () => {
    const args = ["--levels", "30", "--kind", "Cudgel", "--great", "--exact", "--states", "9"];
    const { stdout, stderr } = await rollmill(["object", "stats", DUNGEON, ...args], { cwd });
    expect(stderr).toMatch(/^level 30: the odds are lower bounds/);
    const rows = parse(stdout, { columns: true }) as Record<string, string>[];
    expect(rows.every(({ share, most }) => Number(share) < Number(most))).toBe(true);
  });

  test.each(["-n", "--seed", "--name"])("--exact refuses %s", async (flag) => {
    const { code, stderr } = await rollmill(["object", "stats", DUNGEON, "--levels", "1", "--exact", flag, "9"], {
      cwd,
    });
    expect(code).toBe(2);
    expect(stderr).toContain("cannot be used with option");
  });

  test("-o writes the table, and a picture of the same objects", async () => {
    const args = ["--levels", "1-40", "-n", "200", "--great"];
    const written = await stats(...args, "-o", "s.csv", "-o", "s.svg");
    expect(written).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(join(cwd, "s.csv"), "utf8")).toBe((await stats(...args)).stdout);
    const picture = readFileSync(join(cwd, "s.svg"), "utf8");
    expect(picture).toContain('<title id="title">Properties of great objects of dungeon (200 at each level)</title>');
    for (const title of ["Number of affixes", "Themes and artifacts", "The most frequent affixes"]) {
      expect(picture).toContain(`>${title}</text>`);
    }
  });

  test.each<[readonly string[], number, RegExp]>([
    [["--levels", "5-1"], 2, /such as 1-100 or 1,5,10-20\. \[cli\.usage\]/],
    [["--levels", "0-300"], 2, /an integer from 0 to 255/],
    [["--levels", "deep"], 2, /\[cli\.usage\]/],
    [["--levels", "1", "-n", "0"], 2, /\[cli\.usage\]/],
    [["--levels", "1", "--kind", "Longswrd"], 2, /Did you mean "Longsword"\? \[object\.name\]/],
    [["--levels", "1", "-o", "s.csv2"], 2, /Did you mean \.csv\? \[cli\.usage\]/],
    [["--levels", "1", "-o", "none/x.csv"], 1, /\[file\.write\]/],
    [[], 2, /required option '--levels/],
  ])("%j is refused, and nothing is printed", async (args, wanted, message) => {
    const { code, stdout, stderr } = await stats(...args);
    expect([code, stdout]).toEqual([wanted, ""]);
    expect(stderr).toMatch(message);
    expect(existsSync(join(cwd, "s.csv2"))).toBe(false);
  });
});
