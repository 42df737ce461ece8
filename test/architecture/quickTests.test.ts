import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { APART, LONG } from "../../vitest.config.js";
import { setup } from "../temporaryFolder.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const files = readdirSync(`${root}test`, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".test.ts") && !path.includes("node_modules"))
  .map((path) => `test/${path.replaceAll("\\", "/")}`);
const folderOf = (file: string) => file.split("/").slice(0, 2).join("/");
/** A shorter limit could end a test on a busy machine. */
const LEAST_LIMIT_MS = 120_000;
const quick = files.filter((file) => ![...LONG, ...APART].includes(file));

describe("npm test (audit 19)", () => {
  test("leaves out only files that exist", () => {
    expect([...LONG, ...APART].filter((file) => !existsSync(`${root}${file}`))).toEqual([]);
  });

  test("runs tests of every folder but those in a browser, of schemas and of the site", () => {
    const left = new Set(quick.map(folderOf));
    const folders = new Set(files.map(folderOf).filter((folder) => !folder.endsWith(".ts")));
    expect([...folders].filter((folder) => !left.has(folder)).sort()).toEqual([
      "test/browser",
      "test/schemas",
      "test/site",
    ]);
  });

  test.each(["test/golden/golden.test.ts", "test/laws/laws.test.ts"])("runs %s, which has every system", (file) => {
    expect(quick).toContain(file);
  });

  test("has only generous limits of time, so a busy machine fails no test", () => {
    const limits = files.flatMap((file) => {
      const text = readFileSync(`${root}${file}`, "utf8");
      return [...text.matchAll(/\btimeout: ([\d_]+)|^ {0,2}\}, ([\d_]+)\);$/gm)].map(([line, option, argument]) => ({
        place: `${file}: ${line.trim()}`,
        milliseconds: Number((option ?? argument).replaceAll("_", "")),
      }));
    });
    expect(limits.filter(({ milliseconds }) => milliseconds < LEAST_LIMIT_MS).map(({ place }) => place)).toEqual([]);
  });
});

test("tests, and the programs that they start, leave nothing in the temporary folder (audit 22)", () => {
  // the folder of this run, which is deleted after the last test
  expect(tmpdir()).toMatch(/[\\/]rmtest-\w+$/);
  const outer = mkdtempSync(join(tmpdir(), "outer-"));
  onTestFinished(() => void vi.unstubAllEnvs());
  for (const name of ["TMPDIR", "TEMP"]) vi.stubEnv(name, outer);
  const tearDown = setup();
  const program = "require('fs').writeFileSync(require('os').tmpdir() + '/left', '')";
  execFileSync(process.execPath, ["-e", program]);
  const [inner] = readdirSync(outer);
  expect(readdirSync(join(outer, inner))).toEqual(["left"]);
  tearDown();
  expect(readdirSync(outer)).toEqual([]);
});
