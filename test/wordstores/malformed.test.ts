import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Issue } from "../../src/errors/index.js";
import { toWordCsv } from "../../src/recipes/index.js";
import {
  acceptWord,
  copyTables,
  deactivateWord,
  editWord,
  listProposals,
  loadTables,
  proposeWord,
  rejectWord,
  saveTables,
} from "../../src/wordstores/index.js";
import { DATABASES, errorOf, newPath, newRecipe, PROPOSED, run, SPEC, SQLITE, TABLES } from "./databases.js";

// the line "One malformed row is reported and blocks nobody" of the audits

/** Collects issues as their place, severity and whether they name the row with an id. */
function collector() {
  const issues: Issue[] = [];
  return { issues, onIssue: (issue: Issue) => void issues.push(issue) };
}

describe.each(DATABASES.map((database) => [database.title, database] as const))("%s", (_title, database) => {
  const { isMissing, url, kind } = database;
  let drop: () => Promise<unknown> = async () => undefined;
  afterEach(() => drop());

  /** Saved tables, of which another program then changes rows. */
  async function spoiled(...statements: string[]) {
    const [address, recipe] = [url(), newRecipe()];
    drop = () => run(address, ...["element", "type"].map((table) => `drop table ${recipe}_${table}`));
    await saveTables(address, TABLES, { recipe, spec: SPEC });
    if (kind === "MariaDB") await run(address, `alter table ${recipe}_type modify active tinyint null`);
    else if (kind === "PostgreSQL") await run(address, `alter table ${recipe}_type alter active drop not null`);
    await run(address, ...statements.map((text) => text.replaceAll("$type", `${recipe}_type`)));
    return { address, tables: { recipe, spec: SPEC }, typeWord: { recipe, spec: SPEC, table: "type" } };
  }
  /** Makes a cell unreadable: 7 is no truth value, and SQLite's columns take any text. */
  const unreadable = (id: number) =>
    kind === "SQLite"
      ? `update $type set attack = 'much' where id = ${id}`
      : `update $type set active = 7 where id = ${id}`;
  const others = ["club", "spork", "wand"];

  test.skipIf(isMissing)("one malformed row is an error, or is reported and left out", async () => {
    const { address, tables } = await spoiled(unreadable(3));
    const { code, issues } = await errorOf(loadTables(address, tables));
    const path = `${tables.recipe}_type.${kind === "SQLite" ? "attack" : "active"}`;
    expect([code, issues.map(({ where }) => where.path)]).toEqual(["sql.schema", [path]]);
    expect(issues[0].message).toContain("id 3");
    const seen = collector();
    const { type } = await loadTables(address, { ...tables, onIssue: seen.onIssue });
    expect(type.map((row) => row.word)).toEqual(others);
    expect(seen.issues.map(({ severity, where }) => [severity, where.path])).toEqual([["warning", path]]);
  });

  test.skipIf(isMissing)("a blank word is reported and left out", async () => {
    const { address, tables } = await spoiled("update $type set word = '' where id = 3");
    const seen = collector();
    const { type } = await loadTables(address, { ...tables, onIssue: seen.onIssue });
    expect(type.map((row) => row.word)).toEqual(others);
    expect(seen.issues.map(({ message }) => message.includes("id 3"))).toEqual([true]);
  });

  test.skipIf(isMissing)("one malformed row blocks nobody: other proposals are made, listed and accepted", async () => {
    const { address, tables, typeWord } = await spoiled(unreadable(3), unreadable(40));
    // the ids of unreadable rows stay taken
    expect((await proposeWord(address, { ...typeWord, proposed: PROPOSED, word: "pike" })).row.id).toBe(41);
    const { code } = await errorOf(proposeWord(address, { ...typeWord, proposed: PROPOSED, word: "wand" }));
    expect(code).toBe("recipe.duplicate");
    const seen = collector();
    const proposals = await listProposals(address, { ...tables, onIssue: seen.onIssue });
    expect(proposals.map(({ row }) => row.word)).toEqual(["spork", "pike"]);
    expect(seen.issues).toHaveLength(2);
    expect((await acceptWord(address, { ...typeWord, word: "pike" })).row).toMatchObject({ id: 41, active: true });
  });

  test.skipIf(isMissing)("a malformed proposal stops no load, and is not copied", async () => {
    const { address, tables } = await spoiled(unreadable(2), "update $type set word = '' where id = 40");
    await run(address, `update ${tables.recipe}_type set status = 'proposed' where id = 40`);
    expect((await loadTables(address, tables)).type.map((row) => row.word)).toEqual(["club", "sword", ""]);
    const seen = collector();
    const copy = newPath(".json");
    await copyTables(address, copy, { ...tables, onIssue: seen.onIssue });
    expect((await loadTables(copy, tables)).type.map((row) => row.word)).toEqual(["club", "sword"]);
    expect(seen.issues.map(({ message }) => /id (\d+)/.exec(message)?.[1])).toEqual(["2", "40"]);
  });
});

describe("files", () => {
  const tables = { recipe: "weapon", spec: SPEC };

  test("a malformed line of CSV is an error, or is reported with its line and left out", async () => {
    const folder = newPath("");
    mkdirSync(folder);
    writeFileSync(join(folder, "element.csv"), "id,word\n1,fire\n");
    writeFileSync(join(folder, "type.csv"), "id,word,tier\n1,club,1\nx,sword,1\n3,wand,2\n");
    expect((await errorOf(loadTables(folder, tables))).code).toBe("recipe.tables");
    const seen = collector();
    const { type } = await loadTables(folder, { ...tables, onIssue: seen.onIssue });
    expect(type.map((row) => row.word)).toEqual(["club", "wand"]);
    expect(seen.issues.map(({ severity, where }) => [severity, where.line])).toEqual([["warning", 3]]);
  });

  test("a malformed row of JSON is reported and left out", async () => {
    const path = newPath(".json");
    const type = [{ id: 1, word: "club" }, { id: 2, word: 7 }, null, { id: 4, word: "wand" }];
    writeFileSync(path, JSON.stringify({ element: [], type }));
    const seen = collector();
    const loaded = await loadTables(path, { ...tables, onIssue: seen.onIssue });
    expect(loaded.type.map((row) => row.word)).toEqual(["club", "wand"]);
    expect(seen.issues.map(({ where }) => where.path)).toEqual(["type[1].word", "type[2]"]);
  });

  test("one malformed line of CSV blocks no change of another row, and stays as it is", async () => {
    const folder = newPath("");
    mkdirSync(folder);
    const element = join(folder, "element.csv");
    const type = join(folder, "type.csv");
    writeFileSync(element, "id,word\n1,fire\n");
    const lines = ["\uFEFFword,id,tier", "club,1,1", " sword ,x,1", "wand,3,2", '"a ""b""",4,2,9', "\u00a0,5,1", ""];
    writeFileSync(type, lines.join("\r\n"));
    const typeWord = { ...tables, table: "type", onIssue: collector().onIssue };
    const seen = collector();
    const proposed = { ...typeWord, word: "pike", tier: 2, proposed: PROPOSED, onIssue: seen.onIssue };
    // the ids of the malformed rows stay taken
    expect((await proposeWord(folder, proposed)).row.id).toBe(6);
    expect(seen.issues.map(({ severity, where }) => [severity, where.line])).toEqual([
      ["warning", 3],
      ["warning", 5],
      ["warning", 6],
    ]);
    await acceptWord(folder, { ...typeWord, word: "pike" });
    await editWord(folder, { ...typeWord, word: "club", change: { stats: { holy: -1 } } });
    expect(readFileSync(type, "utf8").split("\r\n")).toEqual([
      "\uFEFFword,id,tier,active,status,proposed,holy",
      "club,1,1,1,,,-1",
      " sword ,x,1,1,,,",
      "wand,3,2,1,,,",
      '"a ""b""",4,2,9,1,,,',
      "\u00a0,5,1,1,,,",
      `pike,6,2,1,,${PROPOSED.toISOString()},`,
      "",
    ]);
    const { code } = await errorOf(rejectWord(folder, { ...typeWord, word: " sword " }));
    expect(code).toBe("recipe.duplicate");
    expect(readFileSync(element, "utf8")).toBe("id,word\n1,fire\n");
  });

  test("one malformed row of JSON blocks no change of another row, and stays as it is", async () => {
    const path = newPath(".json");
    const type = [{ id: 1, word: "club" }, { id: 2, word: 7 }, null, { id: 9, word: "", status: "proposed" }];
    writeFileSync(path, JSON.stringify({ element: [{ id: 1, word: "fire" }], type, other: { note: [1] } }));
    const seen = collector();
    const typeWord = { ...tables, table: "type", onIssue: seen.onIssue };
    expect((await proposeWord(path, { ...typeWord, word: "pike", proposed: PROPOSED })).row.id).toBe(10);
    expect(seen.issues.map(({ where }) => where.path)).toEqual(["type[1].word", "type[2]", "type[3].word"]);
    await acceptWord(path, { ...typeWord, word: "pike" });
    const stored = JSON.parse(readFileSync(path, "utf8"));
    expect(stored.type.slice(0, 4)).toEqual(type);
    expect(stored.type[4]).toMatchObject({ id: 10, word: "pike", active: true });
    expect(stored.other).toEqual({ note: [1] });
  });
});

describe.each(["folder", ".json", "SQLite"])("two rows with the same id, in %s", (kind) => {
  test.skipIf(kind === "SQLite" && SQLITE.isMissing)(
    "a change of one is refused, since it would change both",
    async () => {
      const tables = { recipe: "weapon", spec: SPEC };
      const place = kind === "SQLite" ? SQLITE.url() : newPath(kind === "folder" ? "" : kind);
      await saveTables(place, TABLES, tables);
      const rows = [...TABLES.type.filter(({ id }) => id !== 1), { ...TABLES.type[0], id: 2, word: "club" }];
      if (kind === "folder") writeFileSync(join(place, "type.csv"), toWordCsv(rows));
      else if (kind === ".json") writeFileSync(place, JSON.stringify({ ...TABLES, type: rows }));
      else {
        const copy = "create table copied as select * from weapon_type";
        const renamed = ["drop table weapon_type", "alter table copied rename to weapon_type"];
        await run(place, copy, "update copied set id = 2 where id = 1", ...renamed);
      }
      const word = { ...tables, table: "type", word: "club" };
      expect((await errorOf(deactivateWord(place, word))).code).toBe("recipe.duplicate");
      expect((await loadTables(place, tables)).type.filter(({ id }) => id === 2)).toHaveLength(2);
    },
  );
});
