import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parquetReadObjects } from "hyparquet";
import { describe, expect, test } from "vitest";
import { DUNGEON as TEXTS } from "../objects/dungeon.js";
import { folderWith, rollmill } from "./rollmill.js";

const DUNGEON = fileURLToPath(new URL("../../data/dungeon", import.meta.url));
const cwd = folderWith({});
const list = (...args: readonly string[]) => rollmill(["object", "list", DUNGEON, ...args], { cwd });

async function listed(...args: readonly string[]) {
  const { stdout, stderr, code } = await list(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout).data as readonly {
    readonly sort: string;
    readonly number: number;
    readonly name: string;
    readonly types: readonly string[];
    readonly depths: readonly string[];
  }[];
}

describe("object list (first hour 16)", () => {
  test("every record of the files, sort by sort", async () => {
    const all = await listed();
    const records = (text: string | undefined) => text?.match(/^N:/gm)?.length;
    const count = (sort: string) => all.filter((one) => one.sort === sort).length;
    expect(["kind", "affix", "theme", "artifact"].map(count)).toEqual(
      [TEXTS.object, TEXTS.egoItem, TEXTS.egoThemes, TEXTS.artifact].map(records),
    );
    expect(all.find(({ name }) => name === "Cudgel")).toMatchObject({ sort: "kind", types: ["hafted"] });
  });

  test("by sort, type and depth", async () => {
    const swords = await listed("--of", "affix", "--tval", "sword");
    expect(swords.length).toBeGreaterThan(3);
    for (const one of swords) expect([one.sort, one.types]).toEqual(["affix", ["sword"]]);
    const deep = await listed("--of", "kind", "--level", "30");
    expect(deep.length).toBeGreaterThan(3);
    for (const { depths } of deep) {
      const [, least, most] = /^(\d+) to (\d+)$/.exec(depths[0]) ?? [];
      expect(Number(least) <= 30 && 30 <= Number(most), depths[0]).toBe(true);
    }
    expect((await listed("--level", "30")).length).toBeLessThan((await listed()).length);
  });

  test("the same rows as text, CSV, lines of JSON and Parquet", async () => {
    const rows = await listed("--of", "theme");
    const text = (await list("--of", "theme")).stdout;
    expect(text).toBe(
      rows.map((row) => `${Object.values(row).map(String).join("\t").replaceAll(",", ", ")}\n`).join(""),
    );
    const csv = (await list("--of", "theme", "--csv")).stdout.trimEnd().split(/\r?\n/);
    expect(csv[0]).toBe("sort,number,name,types,depths");
    expect(csv).toHaveLength(rows.length + 1);
    const lines = (await list("--of", "theme", "--ndjson")).stdout.trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
    const { code, stderr } = await list("--of", "theme", "-o", "themes.parquet");
    expect([code, stderr]).toEqual([0, expect.stringContaining(`${rows.length} records`)]);
    const bytes = readFileSync(`${cwd}/themes.parquet`);
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    expect((await parquetReadObjects({ file })).map(({ name }) => name)).toEqual(rows.map(({ name }) => name));
  });

  test.each([
    [["--tval", "swrod"], 'Did you mean "sword"?', "object.request"],
    [["--of", "afix"], "affix", "cli.usage"],
    [["--level", "256"], "255", "cli.usage"],
    [["-o", "list.txt"], ".ndjson", "cli.usage"],
  ])("%j is refused with a suggestion", async (args, hint, code) => {
    const refused = await list(...args);
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain(hint);
    expect(refused.stderr).toContain(`[${code}]`);
  });
});
