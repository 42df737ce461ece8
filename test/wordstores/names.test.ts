import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import type { RecipeSpec } from "../../src/recipes/types.js";
import { isBlank, specOf, textFlaw } from "../../src/spec/index.js";
import { acceptWord, copyTables, loadTables, proposeWord, saveTables } from "../../src/wordstores/index.js";
import { errorOf, newPath, SPEC, TABLES } from "./databases.js";

/** The recipe of two tables with other names for them. */
function named(element: string, type: string): RecipeSpec {
  const text = JSON.stringify(SPEC);
  return JSON.parse(
    text
      .replaceAll('"table":"element"', `"table":${JSON.stringify(element)}`)
      .replaceAll('"table":"type"', `"table":${JSON.stringify(type)}`),
  );
}

describe("a recipe cannot write outside its folder: one validator for everything that becomes a path", () => {
  test.each([
    "../../evil",
    "/tmp/evil",
    "..",
    "a/b",
    "a\\b",
    "C:a",
    "nul",
    "a\0b",
    ".rollmill-1.new",
    "a ",
    "x".repeat(252),
  ])("%j is refused where the recipe is read, and where paths are made", async (name) => {
    const spec = named("element", name);
    const { issues } = parseRecipe(spec);
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([["recipe.spec", "steps[1].slots[0].table"]]);
    const parent = newPath("");
    const folder = join(parent, "a/b");
    mkdirSync(folder, { recursive: true });
    const options = { recipe: "weapon", spec };
    const tables = { element: TABLES.element, [name]: TABLES.type };
    expect((await errorOf(saveTables(folder, tables, options))).code).toBe("recipe.spec");
    expect((await errorOf(loadTables(folder, options))).code).toBe("recipe.spec");
    const wrong = { ...options, table: name, word: "a", proposed: new Date(0) };
    expect((await errorOf(proposeWord(folder, wrong))).code).toBe("recipe.spec");
    expect((await errorOf(acceptWord(folder, wrong))).code).toBe("recipe.spec");
    expect(readdirSync(parent, { recursive: true }).sort()).toEqual(["a", "a/b"]);
  });

  test("two tables that lead to the same file on some systems are refused", async () => {
    for (const [a, b] of [
      ["Type", "type"],
      ["\u00e9", "e\u0301"],
    ]) {
      const spec = named(a, b);
      expect(parseRecipe(spec).issues.map(({ where }) => where.path)).toEqual(["steps[1].slots[0].table"]);
      const options = { recipe: "weapon", spec };
      const tables = { [a]: TABLES.element, [b]: TABLES.type };
      expect((await errorOf(saveTables(newPath(""), tables, options))).code).toBe("recipe.spec");
    }
  });

  test.runIf(process.platform !== "win32")("links are not followed, not even inside the folder", async () => {
    const options = { recipe: "weapon", spec: SPEC };
    const [folder, outside] = [newPath(""), newPath("")];
    for (const place of [folder, outside]) await saveTables(place, TABLES, options);
    const linked = newPath("");
    mkdirSync(join(linked, "deep"), { recursive: true });
    writeFileSync(join(linked, "deep/real.csv"), readFileSync(join(folder, "element.csv")));
    symlinkSync("deep/real.csv", join(linked, "element.csv"));
    symlinkSync(join(outside, "type.csv"), join(linked, "type.csv"));
    const before = readFileSync(join(outside, "type.csv"), "utf8");
    expect((await errorOf(loadTables(linked, options))).code).toBe("file.read");
    expect((await errorOf(saveTables(linked, TABLES, { ...options, replace: true }))).code).toBe("file.write");
    for (const table of ["type", "element"]) {
      const proposal = proposeWord(linked, { ...options, table, word: "new", proposed: new Date(0) });
      expect((await errorOf(proposal)).code).toBe("file.read");
    }
    expect(readFileSync(join(outside, "type.csv"), "utf8")).toBe(before);
    expect(readFileSync(join(linked, "deep/real.csv"), "utf8")).not.toContain("new");
  });
});

describe("a blank word is refused everywhere before it is written", () => {
  const options = { recipe: "weapon", spec: SPEC };

  test.each(["\u00a0", " ", "\u2003\u3000", "\u200b", "\u2060\u200d", "\ufeff", "\u00ad", "\u3164"])(
    "%j",
    async (word) => {
      const tables = { element: [{ id: 1, word }], type: [{ id: 1, word: "club" }] };
      const json = newPath(".json");
      writeFileSync(json, JSON.stringify(tables));
      for (const place of [newPath(""), newPath(".json")]) {
        expect((await errorOf(saveTables(place, tables, options))).code).toBe("recipe.tables");
        expect((await errorOf(copyTables(json, place, options))).code).toBe("recipe.tables");
        await saveTables(place, TABLES, options);
        const before = await loadTables(place, options);
        expect(
          (await errorOf(proposeWord(place, { ...options, table: "type", word, proposed: new Date(0) }))).code,
        ).toBe("recipe.tables");
        expect(await loadTables(place, options)).toEqual(before);
      }
      const [issue] = parseTables(tables, { spec: specOf(parseRecipe(SPEC)) }).issues;
      expect([issue.code, issue.where.path]).toEqual(["recipe.tables", "element[0].word"]);
    },
  );

  const word = fc.string({ unit: "binary", minLength: 1, maxLength: 6 });
  test("a folder that is written can always be read", () =>
    fc.assert(
      fc.asyncProperty(
        word,
        fc.constantFrom("", "'", "=", "''-", "@"),
        fc.constantFrom("", ".json"),
        async (text, start, extension) => {
          const place = newPath(extension);
          const tables = { element: [{ id: 1, word: `${start}${text}` }], type: [{ id: 1, word: "club" }] };
          const isFine = !isBlank(tables.element[0].word) && textFlaw(tables.element[0].word) === undefined;
          const saved = await saveTables(place, tables, options).then(
            () => true,
            () => false,
          );
          expect(saved).toBe(isFine);
          if (!saved) return;
          const loaded = await loadTables(place, options);
          expect(loaded.element[0].word).toBe(tables.element[0].word);
          expect(
            (
              await errorOf(
                proposeWord(place, {
                  ...options,
                  table: "element",
                  word: loaded.element[0].word,
                  proposed: new Date(0),
                }),
              )
            ).code,
          ).toBe("recipe.duplicate");
          await proposeWord(place, { ...options, table: "type", word: `${start}${text}`, proposed: new Date(0) });
          expect((await loadTables(place, options)).type[1].word).toBe(tables.element[0].word);
        },
      ),
      {
        seed: 20432,
        numRuns: 60,
      },
    ));
});

describe("a killed writer's lock", () => {
  test.each(["", ".json"])("on a store %s does not stay for ever", async (extension) => {
    const place = newPath(extension);
    const options = { recipe: "weapon", spec: SPEC };
    await saveTables(place, TABLES, options);
    const lock = extension === "" ? join(place, "rollmill.lock") : `${place}.lock`;
    mkdirSync(lock);
    const space = process.platform === "linux" ? readlinkSync("/proc/self/ns/pid") : "";
    const dead = { id: "dead", host: hostname(), space, pid: spawnSync("true").pid, started: "", since: "then" };
    writeFileSync(join(lock, "owner.json"), JSON.stringify(dead));
    await proposeWord(place, { ...options, table: "type", word: "pike", proposed: new Date(0) });
    expect((await loadTables(place, options)).type.some(({ word }) => word === "pike")).toBe(true);
    expect(readdirSync(join(place, "..")).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });
});
