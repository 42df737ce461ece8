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

  test("runs tests of every folder but those in a browser and of schemas", () => {
    const left = new Set(quick.map(folderOf));
    const folders = new Set(files.map(folderOf).filter((folder) => !folder.endsWith(".ts")));
    expect([...folders].filter((folder) => !left.has(folder)).sort()).toEqual(["test/browser", "test/schemas"]);
  });

  test.each(["test/golden/golden.test.ts", "test/laws/laws.test.ts"])("runs %s, which has every system", (file) => {
    expect(quick).toContain(file);
  });
});
