import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shippedRecipe } from "../../src/index.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const { recipe, tables } = shippedRecipe("trinket");
const [table] = Object.keys(tables);
const cwd = folderWith({
  "broken.json": JSON.stringify({ ...recipe, strength: "srt" }),
  "rare.json": JSON.stringify({
    ...recipe,
    steps: [{ ...recipe.steps[0], chance: { atLeast: 200 } }, ...recipe.steps.slice(1)],
  }),
  "words.json": JSON.stringify({ ...tables, other: [] }),
  "few.json": JSON.stringify({ ...tables, [table]: [{ id: 1, word: "axe", active: false }] }),
  "bad.json": JSON.stringify({ ...tables, [table]: [...tables[table], { id: 99, word: "\t" }] }),
});
const check = (...args: string[]) => rollmill(["recipe", "check", ...args], { cwd });

describe("recipe check (first hour 17)", () => {
  test("finds nothing in a shipped recipe", async () => {
    expect(await check("trinket")).toEqual(expect.objectContaining({ code: 0, stdout: "" }));
    expect((await check("trinket")).stderr).toBe("errors: 0, warnings: 0\n");
  });

  test("prints errors to stdout, and ends with 2", async () => {
    const { code, stdout, stderr } = await check("trinket", "--recipe", "broken.json");
    expect({ code, stderr }).toEqual({ code: 2, stderr: "errors: 1, warnings: 0\n" });
    expect(stdout).toMatch(/^broken\.json strength: .*"srt".*\[recipe\.spec\]\n$/);
    const few = await check("trinket", "--tables", "few.json", "--json");
    expect(few.code).toBe(2);
    expect(dataOf(few.stdout)).toMatchObject([{ code: "recipe.candidates", severity: "error" }]);
  });

  test("prints warnings of the recipe, of its tables and of skipped rows, and ends with 0", async () => {
    const rare = await check("trinket", "--recipe", "rare.json", "--tables", "words.json", "--json");
    expect(rare.code).toBe(0);
    expect(dataOf(rare.stdout).map(({ where }: { where: object }) => where)).toEqual([
      { file: "words.json", path: "other" },
      { file: "rare.json", path: "steps[0].chance" },
    ]);
    const { code, stdout } = await check("trinket", "--tables", "bad.json");
    expect(code).toBe(0);
    expect(stdout).toMatch(/warning: .*id 99.*\[recipe\.tables\]\n$/);
  });

  test("a file that cannot be read is no finding", async () => {
    expect(await check("none.json", "--tables", "words.json")).toMatchObject({
      stdout: "",
      stderr: expect.stringMatching(/\[file\.read\]\n$/),
    });
  });
});

describe("words as of a date (first hour 17)", () => {
  const old = { ...tables, [table]: tables[table].map((row) => ({ ...row, active: row.id === 1 })) };
  mkdirSync(join(cwd, "words"));
  writeFileSync(join(cwd, "words/2026-11-22.json"), JSON.stringify(old));
  writeFileSync(join(cwd, "words/2026-12-01.json"), JSON.stringify(tables));
  const make = (...args: string[]) =>
    rollmill(["recipe", "make", "trinket", "-n", "40", "--seed", "moria", ...args], { cwd });

  test("make the items of that date", async () => {
    const { stdout: now } = await make();
    const { stdout: before } = await make("--tables", "words/2026-11-22.json");
    expect(before).not.toBe(now);
    for (const date of ["2026-11-22", "2026-11-30"]) {
      expect((await make("--tables", "words", "--as-of", date)).stdout).toBe(before);
    }
    for (const date of ["2026-12-01", "2027-01-01"]) {
      expect((await make("--tables", "words", "--as-of", date)).stdout).toBe(now);
    }
  });

  test.each([
    [["--tables", "words", "--as-of", "2026-11-21"], "recipe.tables"],
    [["--tables", "words", "--as-of", "2026-11-31"], "argument.range"],
    [["--tables", "words", "--as-of", "yesterday"], "argument.range"],
    [["--tables", "words.json", "--as-of", "2026-11-22"], "recipe.tables"],
    [["--tables", "nowhere", "--as-of", "2026-11-22"], "file.read"],
    [["--as-of", "2026-11-22"], "cli.usage"],
  ])("%j fail with %s", async (args, code) => {
    expect(await make(...args)).toMatchObject({ stdout: "", stderr: expect.stringContaining(`[${code}]`) });
  });
});

test("a line break in a proposal is escaped (first hour 17)", async () => {
  const proposal = {
    id: 900,
    word: "a\nb\tc",
    active: false,
    status: "proposed",
    proposer: "Ann\nBob",
    proposed: "2026",
  };
  writeFileSync(join(cwd, "forged.json"), JSON.stringify({ ...tables, [table]: [...tables[table], proposal] }));
  const { stdout } = await rollmill(["recipe", "word", "list", "trinket", "--tables", "forged.json"], { cwd });
  expect(stdout).toBe(`${table}\ta\\u000ab\\u0009c\tproposed\t\t2026\tAnn\\u000aBob\n`);
});

test("a word has 256 characters, not 256 code units (first hour 17)", async () => {
  writeFileSync(join(cwd, "long.json"), readFileSync(join(cwd, "words.json")));
  const propose = (word: string) =>
    rollmill(["recipe", "word", "propose", "trinket", table, word, "--tables", "long.json"], { cwd });
  expect((await propose("🗡".repeat(256))).code).toBe(0);
  expect(await propose("🗡".repeat(257))).toMatchObject({ code: 2, stderr: expect.stringContaining("[recipe.tables]") });
});
