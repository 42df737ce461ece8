import { afterAll, describe, expect, test } from "vitest";
import { copyTables, loadTables, saveTables } from "../../src/wordstores/index.js";
import { DATABASES, errorOf, HARD_WORDS, newPath, newRecipe, run, SPEC, TABLES } from "./databases.js";

const EXPECTED = {
  element: HARD_WORDS.map((word, i) => ({
    id: HARD_WORDS.length - i,
    word,
    active: true,
    attack: 123456789.125 * (i % 3),
    holy: (i - 7) / 10,
  })).reverse(),
  type: [
    { id: 1, word: "club", active: true, tier: 1, attack: 2, holy: 0, crit: 0 },
    { id: 2, word: "spork", active: false, status: "proposed", tier: 0, attack: 1, holy: 0, crit: 0 },
    { id: 3, word: "sword", active: true, tier: 2, attack: 4, holy: 0, crit: 0.1 },
    { id: 40, word: "wand", active: false, tier: 6, attack: -3, holy: 1e-7, crit: 0 },
  ],
};

describe.each(DATABASES.map((database) => [database.title, database] as const))(
  "%s",
  (_title, { isMissing, url, kind }) => {
    const used: [url: string, recipe: string][] = [];
    const place = () => {
      const at: [string, string] = [url(), newRecipe()];
      used.push(at);
      return at;
    };
    afterAll(async () => {
      for (const [address, recipe] of used) {
        for (const table of ["element", "type"]) await run(address, `drop table if exists ${recipe}_${table}`);
      }
    });

    test.skipIf(isMissing)("gives the tables back, the very bytes", async () => {
      const [address, recipe] = place();
      await saveTables(address, TABLES, { recipe, spec: SPEC });
      const loaded = await loadTables(address, { recipe, spec: SPEC });
      expect(loaded).toEqual(EXPECTED);
      expect(JSON.stringify(loaded)).toBe(JSON.stringify(EXPECTED));
    });

    test.skipIf(isMissing)("gives them by way of files too", async () => {
      const [address, recipe] = place();
      const options = { recipe, spec: SPEC };
      const [json, csv] = [newPath(".json"), newPath("")];
      await saveTables(json, TABLES, options);
      await copyTables(json, address, options);
      await copyTables(address, csv, options);
      for (const source of [json, csv]) {
        expect(JSON.stringify(await loadTables(source, options)), source).toBe(JSON.stringify(EXPECTED));
      }
    });

    test.skipIf(isMissing)("keeps rows that are there, unless they are to be replaced", async () => {
      const [address, recipe] = place();
      const options = { recipe, spec: SPEC };
      await saveTables(address, TABLES, options);
      const fewer = { element: [{ id: 7, word: "ice" }], type: [{ id: 1, word: "stick", tier: 1 }] };
      const { code, message } = await errorOf(saveTables(address, fewer, options));
      expect(code).toBe("sql.query");
      expect(message).toContain("--replace");
      expect(await loadTables(address, options)).toEqual(EXPECTED);
      await saveTables(address, fewer, { ...options, replace: true });
      expect(await loadTables(address, options)).toEqual({
        element: [{ id: 7, word: "ice", active: true }],
        type: [{ id: 1, word: "stick", active: true, tier: 1 }],
      });
    });

    test.skipIf(isMissing)("is left as it was when a table cannot be written", async () => {
      const [address, recipe] = place();
      const options = { recipe, spec: SPEC };
      // a column that cannot hold 0.1, in the table written last
      const number = kind === "SQLite" ? "integer check (crit = cast(crit as integer))" : "decimal(9, 0)";
      await run(
        address,
        `create table ${recipe}_type (id integer, word varchar(99), active smallint, status varchar(9), tier integer,
       attack decimal(20, 3), holy decimal(20, 9), crit ${number}, str integer)`,
      );
      const { code, message } = await errorOf(saveTables(address, TABLES, options));
      expect(["sql.schema", "sql.query"]).toContain(code);
      if (code === "sql.schema") expect(message).toContain(`${recipe}_type.crit`);
      expect(await run(address, `select * from ${recipe}_type`)).toEqual([]);
      const { message: next } = await errorOf(loadTables(address, options));
      expect(next).toContain(`the table ${recipe}_element is missing`);
    });

    test.skipIf(isMissing)("takes thousands of words", async () => {
      const [address, recipe] = place();
      const options = { recipe, spec: SPEC };
      const element = Array.from({ length: 9000 }, (_, i) => ({
        id: i + 1,
        word: `word ${i}`,
        active: true,
        holy: i / 100,
      }));
      await saveTables(address, { element, type: [] }, options);
      expect(await loadTables(address, options)).toEqual({ element, type: [] });
    });

    test.skipIf(isMissing)("is asked by any program as the article's is", async () => {
      const [address, recipe] = place();
      await saveTables(address, TABLES, { recipe, spec: SPEC });
      const rows = await run(
        address,
        `select word from ${recipe}_type where active = 1 and status = 'accepted' and tier >= 1 and tier <= 2 order by id`,
      );
      expect(rows).toEqual([{ word: "club" }, { word: "sword" }]);
    });
  },
);
