import { existsSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { LONG } from "../../vitest.config.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
  .map((path) => `test/${path.replaceAll("\\", "/")}`);
const folderOf = (file: string) => file.split("/").slice(0, 2).join("/");
const quick = files.filter((file) => !LONG.includes(file));

describe("npm test", () => {
  test("leaves out only files that exist", () => {
    expect(LONG.filter((file) => !existsSync(`${root}${file}`))).toEqual([]);
  });

  test("runs tests of every folder", () => {
    const left = new Set(quick.map(folderOf));
    expect([...new Set(files.map(folderOf))].filter((folder) => !left.has(folder))).toEqual([]);
  });

  test.each(["laws", "golden", "independent", "hostile"])("runs all of %s, which have every system", (folder) => {
    expect(LONG.filter((file) => folderOf(file) === `test/${folder}`)).toEqual([]);
  });
});
