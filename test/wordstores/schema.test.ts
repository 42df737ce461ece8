import { afterEach, describe, expect, test } from "vitest";
import { loadTables, proposeWord, saveTables } from "../../src/wordstores/index.js";
import { DATABASES, errorOf, newPath, newRecipe, PROPOSED, run, SPEC, TABLES } from "./databases.js";

const options = { recipe: "weapon", spec: SPEC };

describe.each(DATABASES.map((database) => [database.title, database] as const))(
  "%s",
  (_title, { isMissing, url, kind }) => {
    let drop: () => Promise<unknown> = async () => undefined;
    afterEach(() => drop());

    /** The tables, saved, and then changed by other programs. */
    async function changed(...statements: string[]) {
      const [address, recipe] = [url(), newRecipe()];
      drop = () => run(address, ...["element", "type"].map((table) => `drop table if exists ${recipe}_${table}`));
      await saveTables(address, TABLES, { recipe, spec: SPEC });
      if (statements.length > 0) await run(address, ...statements.map((text) => text.replaceAll("$", `${recipe}_`)));
      return { address, recipe, load: () => loadTables(address, { recipe, spec: SPEC }) };
    }

    /** A table `type` in place of the one that was saved. */
    const typeTable = (columns: string, values: string) => [
      "drop table $type",
      `create table $type (${columns})`,
      `insert into $type values (${values})`,
    ];
    const GOOD =
      "id integer, word varchar(20), active smallint, tier integer, attack decimal(9, 3), holy decimal(9, 3)";

    test.skipIf(isMissing || kind === "SQLite")("a wrong password is told without it", async () => {
      const address = new URL(url());
      address.password = "wr0ng";
      const { code, message } = await errorOf(loadTables(address, options));
      expect(code).toBe("sql.connect");
      expect(message).toContain(`${address.protocol}//rollmill@${address.host}`);
      expect(message).not.toContain("wr0ng");
    });

    test.skipIf(isMissing || kind === "SQLite")("a database that is not there is told", async () => {
      const address = new URL(url());
      address.pathname = "/nowhere";
      const { code, message } = await errorOf(loadTables(address, options));
      expect([code, message.includes("nowhere")]).toEqual(["sql.connect", true]);
    });

    test.skipIf(isMissing)("a missing table is named", async () => {
      const { load, recipe } = await changed("drop table $element");
      const { code, message } = await errorOf(load());
      expect(code).toBe("sql.schema");
      expect(message).toContain(`the table ${recipe}_element is missing`);
    });

    test.skipIf(isMissing)("a missing column is named, with who needs it and the statement that adds it", async () => {
      const columns = "id integer, word varchar(20), active smallint, attack decimal(9, 3)";
      const { load, recipe, address } = await changed(...typeTable(columns, "1, 'a', 1, 1"));
      const { code, message } = await errorOf(load());
      expect(code).toBe("sql.schema");
      expect(message).toContain(`${recipe}_type.tier`);
      expect(message).toContain("the tiers of slot type");
      const [, statement] = /Add the column with (ALTER TABLE .*?)\. \[/.exec(message) ?? [];
      await run(address, statement);
      expect((await load()).type).toEqual([{ id: 1, word: "a", active: true, attack: 1 }]);
    });

    test.skipIf(isMissing)("Tables need only the stat columns that they use", async () => {
      const columns = "id integer, word varchar(20), active smallint, tier integer, note varchar(9)";
      const { load, address, recipe } = await changed(...typeTable(columns, "1, 'a', 1, 2, 'mine'"));
      expect((await load()).type).toEqual([{ id: 1, word: "a", active: true, tier: 2 }]);
      const table = { recipe, spec: SPEC, table: "type", proposed: PROPOSED };
      await run(address, `alter table ${recipe}_type add column status varchar(9) default 'accepted'`);
      await run(address, `alter table ${recipe}_type add column proposed varchar(64) default ''`);
      const { code, message } = await errorOf(proposeWord(address, { ...table, word: "pike", stats: { holy: 1 } }));
      expect([code, message.includes(`${recipe}_type.holy`), message.includes('"pike"')]).toEqual([
        "sql.schema",
        true,
        true,
      ]);
      expect((await proposeWord(address, { ...table, word: "pike", tier: 3 })).row).toMatchObject({ id: 2, tier: 3 });
    });

    test.skipIf(isMissing)("a column of another type is named", async () => {
      const { load, recipe } = await changed(...typeTable(`${GOOD}, crit varchar(9)`, "1, 'a', 1, 1, 1, 1, 'much'"));
      const { code, message } = await errorOf(load());
      expect(code).toBe("sql.schema");
      expect(message).toContain(`${recipe}_type.crit`);
      expect(message).toContain("a decimal number");
    });

    test.skipIf(isMissing).each([
      ["a word", "word", "7, null, 1, 1, 1, 1, 1"],
      ["an id", "id", "null, 'a', 1, 1, 1, 1, 1"],
      ["a flag", "active", "7, 'a', null, 1, 1, 1, 1"],
      ["a flag", "active", "7, 'a', 2, 1, 1, 1, 1"],
    ])("%s that is not usable is named, with its row", async (_, column, values) => {
      const { load, recipe } = await changed(...typeTable(`${GOOD}, crit decimal(9, 3)`, values));
      const { code, message } = await errorOf(load());
      expect(code).toBe("sql.schema");
      expect(message).toContain(`${recipe}_type.${column}`);
      if (column !== "id") expect(message).toContain("id 7");
    });

    test.skipIf(isMissing)("a number with more digits than a number has is refused", async () => {
      const type = kind === "SQLite" ? "integer" : "decimal(30, 20)";
      const value = kind === "SQLite" ? "9007199254740993" : "0.12345678901234567891";
      const { load, recipe } = await changed(...typeTable(`${GOOD}, crit ${type}`, `1, 'a', 1, 1, 1, 1, ${value}`));
      const { code, message } = await errorOf(load());
      expect([code, message.includes(`${recipe}_type.crit`)]).toEqual(["sql.schema", true]);
    });

    test.skipIf(isMissing)("floats are their shortest decimals, and nothing is 0", async () => {
      const stats =
        "id bigint, word text, active smallint, tier smallint, attack float, holy double precision, crit real";
      const { load } = await changed(
        ...typeTable(stats, "1, 'a', 1, null, 16777216, 0.1, 0.2"),
        "insert into $type values (2, 'b', 0, 3, null, -1e-3, 1.1)",
      );
      expect((await load()).type).toEqual([
        { id: 1, word: "a", active: true, tier: 0, attack: 16777216, holy: 0.1, crit: 0.2 },
        { id: 2, word: "b", active: false, tier: 3, attack: 0, holy: -0.001, crit: 1.1 },
      ]);
    });

    test.skipIf(isMissing)("booleans are told from numbers", async () => {
      const flag = kind === "MariaDB" ? "bit(1)" : "boolean";
      const columns = GOOD.replace("active smallint", `active ${flag}`);
      const bits = kind === "MariaDB" ? ["b'1'", "b'0'"] : ["true", "false"];
      const { load } = await changed(
        ...typeTable(`${columns}, crit integer, note text`, `1, 'a', ${bits[0]}, 1, 1, 1, 1, 'mine'`),
        `insert into $type values (2, 'b', ${bits[1]}, 1, 1, 1, 1, 'mine')`,
      );
      const { type } = await load();
      expect(type.map((row) => row.active)).toEqual([true, false]);
      expect(type[0]).not.toHaveProperty("note");
    });

    test.skipIf(isMissing)("duplicates of a table without an index reach parseTables", async () => {
      const { load } = await changed(
        ...typeTable(`${GOOD}, crit integer`, "2, 'a', 1, 1, 1, 1, 1"),
        "insert into $type values (1, 'a', 1, 1, 1, 1, 1)",
        "insert into $type values (1, 'a', 1, 1, 1, 1, 1)",
      );
      expect((await load()).type.map(({ id, word }) => [id, word])).toEqual([
        [1, "a"],
        [1, "a"],
        [2, "a"],
      ]);
    });

    test.skipIf(isMissing)("names that would need quoting never reach a statement", async () => {
      for (const recipe of ["Weapon", "w; drop table x", 'w"', "w`", "", "1w", "w".repeat(64)]) {
        const { code } = await errorOf(loadTables(url(), { recipe, spec: SPEC }));
        expect([recipe, code]).toEqual([recipe, "sql.schema"]);
      }
      for (const name of ["Word", 'a" numeric)', "Attack"]) {
        const spec = { ...SPEC, stats: [...SPEC.stats, { name }] };
        const { code } = await errorOf(saveTables(url(), TABLES, { recipe: newRecipe(), spec }));
        expect([name, code]).toEqual([name, "sql.schema"]);
      }
    });

    test.skipIf(isMissing || kind !== "MariaDB")("a table that has no transactions is not written to", async () => {
      const { address, recipe } = await changed("alter table $element engine = MyISAM");
      const { code, message } = await errorOf(saveTables(address, TABLES, { recipe, spec: SPEC, replace: true }));
      expect([code, message.includes(`ALTER TABLE ${recipe}_element ENGINE = InnoDB`)]).toEqual(["sql.schema", true]);
    });

    test.skipIf(isMissing || kind === "SQLite")("an index that ignores case refuses words as duplicates", async () => {
      const [address, recipe] = [url(), newRecipe()];
      drop = () => run(address, ...["element", "type"].map((table) => `drop table if exists ${recipe}_${table}`));
      const columns = "id integer, word varchar(20) character set utf8mb4 collate utf8mb4_general_ci unique";
      const rest = "active smallint, tier integer, attack decimal(9), holy decimal(9), crit decimal(9), str integer";
      if (kind === "MariaDB") await run(address, `create table ${recipe}_type (${columns}, ${rest})`);
      else {
        const plain = "id integer, word varchar(20)";
        await run(address, `create table ${recipe}_type (${plain}, ${rest})`);
        await run(address, `create unique index on ${recipe}_type (lower(word))`);
      }
      const type = [
        { id: 1, word: "Club", tier: 1 },
        { id: 2, word: "club", tier: 1 },
      ];
      const { code, message } = await errorOf(saveTables(address, { element: [], type }, { recipe, spec: SPEC }));
      expect([code, message.includes("collation")]).toEqual(["recipe.duplicate", true]);
    });
  },
);

describe("rows that cannot be kept", () => {
  test.each([
    ["recipe.tables", "element[0].id", { id: 0, word: "a" }],
    ["recipe.tables", "element[0].id", { id: 1.5, word: "a" }],
    ["recipe.tables", "element[0].word", { id: 1, word: "" }],
    ["recipe.tables", "element[0].word", { id: 1, word: "a\0b" }],
    ["recipe.tables", "element[0].word", { id: 1, word: "\ud800" }],
    ["recipe.tables", "element[0].word", { id: 1, word: "a\tb" }],
    ["recipe.tables", "element[0].word", { id: 1, word: "x".repeat(257) }],
    ["recipe.tables", "element[0].word", { id: 1, word: "x".repeat(257), status: "proposed" as const }],
    ["recipe.tables", "element[0].holly", { id: 1, word: "a", holly: 1 }],
    ["recipe.tables", "element[0].holy", { id: 1, word: "a", holy: Number.NaN }],
    ["recipe.tables", "element[0].tier", { id: 1, word: "a", tier: -1 }],
    ["recipe.tables", "element[0].tier", { id: 1, word: "a", tier: 256 }],
    ["recipe.tables", "element[0].status", { id: 1, word: "a", status: "maybe" as "proposed" }],
    ["recipe.tables", "element[0].active", { id: 1, word: "a", active: 2 as 1 }],
  ])("%s at %s", async (code, path, row) => {
    const found = await errorOf(saveTables(newPath(".sqlite"), { element: [row], type: [] }, options));
    expect(found.code).toBe(code);
    expect(found.issues.map((issue) => issue.where.path)).toEqual([path]);
  });

  test("two of one word, or of one id", async () => {
    const element = [
      { id: 1, word: "a" },
      { id: 2, word: "a" },
      { id: 2, word: "b" },
    ];
    const { issues } = await errorOf(saveTables(newPath(".json"), { element, type: [] }, options));
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([
      ["recipe.duplicate", "element[1].word"],
      ["recipe.duplicate", "element[2].id"],
    ]);
  });

  test("a table that is missing, and one that the recipe has not", async () => {
    const { issues } = await errorOf(saveTables(newPath(""), { element: [], typo: [] }, options));
    expect(issues.map(({ code, where }) => [code, where.path])).toEqual([
      ["recipe.tables", "typo"],
      ["recipe.tables", "type"],
    ]);
  });
});
