import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { acceptWord, listProposals, loadTables, proposeWord, saveTables } from "../../src/wordstores/index.js";
import { errorOf, newPath, PROPOSED, SPEC, TABLES } from "./databases.js";

const tables = { recipe: "weapon", spec: SPEC };

describe("a folder of CSV files", () => {
  test("is made, has a file a table, and nothing else", async () => {
    const folder = newPath("/deep/inside");
    await saveTables(folder, TABLES, tables);
    expect(readdirSync(folder).sort()).toEqual(["element.csv", "type.csv"]);
    expect(readFileSync(join(folder, "type.csv"), "utf8")).toMatch(
      /^id,word,active,status,tier,attack,holy,crit\n1,club,1,/,
    );
    expect(await loadTables(pathToFileURL(folder), tables)).toEqual(await loadTables(folder, tables));
  });

  test("that lacks a table, or has one that is malformed, is told by its file", async () => {
    const folder = newPath("");
    mkdirSync(folder);
    writeFileSync(join(folder, "element.csv"), "id,word\n1,fire\n");
    const missing = await errorOf(loadTables(folder, tables));
    expect([missing.code, missing.issues[0].where.file]).toEqual(["file.read", join(folder, "type.csv")]);
    writeFileSync(join(folder, "type.csv"), "id,word\none,club\n");
    const { code, issues } = await errorOf(loadTables(folder, tables));
    expect(code).toBe("recipe.tables");
    expect(issues[0].where).toMatchObject({ file: join(folder, "type.csv"), line: 2 });
    // the rest of this text is unknown
    writeFileSync(join(folder, "type.csv"), 'id,word\n1,"club\n');
    expect((await errorOf(proposeWord(folder, { ...tables, table: "type", word: "a", proposed: PROPOSED }))).code).toBe(
      "recipe.tables",
    );
    expect(readFileSync(join(folder, "type.csv"), "utf8")).toBe('id,word\n1,"club\n');
  });

  test("keeps its files, unless they are to be replaced", async () => {
    const folder = newPath("");
    await saveTables(folder, TABLES, tables);
    const before = await loadTables(folder, tables);
    const fewer = { element: [], type: [{ id: 1, word: "stick" }] };
    const { code, message } = await errorOf(saveTables(folder, fewer, tables));
    expect([code, message.includes("--replace")]).toEqual(["file.write", true]);
    expect(await loadTables(folder, tables)).toEqual(before);
    await saveTables(folder, fewer, { ...tables, replace: true });
    expect((await loadTables(folder, tables)).type).toEqual([{ id: 1, word: "stick", active: true }]);
  });
});

describe("a JSON file", () => {
  test.runIf(process.platform !== "win32")(
    "is whole after a change is killed, and the next one cleans up",
    async () => {
      const before = { element: [{ id: 1, word: "fire" }], type: [{ id: 1, word: "club" }] };
      for (let step = 1; step < 100; step++) {
        const folder = newPath("");
        mkdirSync(folder);
        const path = join(folder, "words.json");
        await saveTables(path, before, tables);
        writeFileSync(join(folder, "recipe.json"), JSON.stringify(SPEC));
        const killer = join(import.meta.dirname, "../files/killAt.mjs");
        const bin = join(import.meta.dirname, "../../dist/cli/bin.js");
        const change = ["recipe", "word", "propose", "recipe.json", "type", "pike", "--tables", "words.json"];
        const { signal, status } = spawnSync(process.execPath, ["--import", killer, bin, ...change], {
          cwd: folder,
          env: { ...process.env, KILL_AT: String(step) },
        });
        const words = (await loadTables(path, tables)).type.map(({ word }) => word);
        expect(signal === "SIGKILL" || words.includes("pike"), `step ${step}`).toBe(true);
        // a lock without an owner is stale after 10 minutes only
        const left = readdirSync(folder).filter((name) => name.endsWith(".lock"));
        for (const name of left) utimesSync(join(folder, name), 0, 0);
        await proposeWord(path, { ...tables, table: "type", word: "spork", proposed: PROPOSED });
        expect(readdirSync(folder).sort(), `step ${step}`).toEqual(["recipe.json", "words.json"]);
        if (status === 0) return;
      }
      expect.unreachable();
    },
  );

  test("that is not there, no JSON, or of another form is told", async () => {
    const path = newPath(".json");
    expect((await errorOf(loadTables(path, tables))).code).toBe("file.read");
    writeFileSync(path, '{ "element": [');
    expect((await errorOf(loadTables(path, tables))).code).toBe("file.json");
    for (const text of ["[]", "null", "7"]) {
      writeFileSync(path, text);
      expect((await errorOf(loadTables(path, tables))).code).toBe("recipe.tables");
    }
    writeFileSync(path, '{ "element": [{ "id": 1, "word": 7 }] }');
    expect((await errorOf(listProposals(path, tables))).code).toBe("recipe.tables");
    const wrong = { ...tables, table: "element", word: "a" };
    writeFileSync(path, '{ "element": 7 }');
    expect((await errorOf(proposeWord(path, { ...wrong, proposed: PROPOSED }))).code).toBe("recipe.tables");
    expect((await errorOf(acceptWord(path, wrong))).code).toBe("recipe.tables");
  });

  test("is given as it is, tables that the recipe lacks too", async () => {
    const path = newPath(".json");
    writeFileSync(path, '\uFEFF{ "other": [{ "id": 1, "word": "a", "note": true }] }');
    expect(await loadTables(path, tables)).toEqual({ other: [{ id: 1, word: "a", note: true }] });
  });

  test("that cannot be written is told, and leaves nothing behind", async () => {
    const folder = newPath("");
    mkdirSync(join(folder, "taken.json"), { recursive: true });
    const path = join(folder, "taken.json");
    const { code } = await errorOf(saveTables(path, TABLES, { ...tables, replace: true }));
    expect(code).toBe("file.write");
    expect(readdirSync(folder)).toEqual(["taken.json"]);
    expect((await errorOf(saveTables(newPath("/no/folder.json"), TABLES, tables))).code).toBe("file.write");
  });
});
