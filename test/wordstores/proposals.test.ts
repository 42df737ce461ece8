import { readFileSync } from "node:fs";
import { afterAll, describe, expect, test } from "vitest";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import { specOf } from "../../src/spec/index.js";
import { acceptWord, listProposals, loadTables, proposeWord, saveTables } from "../../src/wordstores/index.js";
import { DATABASES, errorOf, HARD_WORDS, newPath, newRecipe, PROPOSED, run, SPEC, TABLES } from "./databases.js";

const FILES = [
  { kind: "JSON", title: "JSON", isMissing: false, url: () => newPath(".json") },
  { kind: "CSV", title: "CSV", isMissing: false, url: () => newPath("") },
];

describe.each([...DATABASES, ...FILES].map((place) => [place.title, place] as const))("%s", (_title, place) => {
  const { kind, isMissing, url } = place;
  const used: [url: string, recipe: string][] = [];
  afterAll(async () => {
    for (const [address, recipe] of kind === "JSON" || kind === "CSV" ? [] : used) {
      for (const table of ["element", "type"]) await run(address, `drop table if exists ${recipe}_${table}`);
    }
  });

  async function saved() {
    const [address, recipe] = [url(), newRecipe()];
    used.push([address, recipe]);
    const tables = { recipe, spec: SPEC };
    await saveTables(address, TABLES, tables);
    return { address, tables, typeWord: { ...tables, table: "type", proposed: PROPOSED } };
  }

  test.skipIf(isMissing)("proposals have proposer and time; an accepted one is a word like any other", async () => {
    const { address, tables, typeWord } = await saved();
    const [old] = await listProposals(address, tables);
    expect([old.table, old.row.word, old.row.status]).toEqual(["type", "spork", "proposed"]);

    const { row: added } = await proposeWord(address, {
      ...typeWord,
      word: "halberd",
      tier: 4,
      stats: { attack: 5, crit: 0.25 },
      proposer: "Olórin",
      proposed: new Date("2026-11-22T07:00:00+01:00"),
    });
    expect(added).toEqual({
      id: 41,
      word: "halberd",
      active: false,
      status: "proposed",
      proposer: "Olórin",
      proposed: "2026-11-22T06:00:00.000Z",
      tier: 4,
      attack: 5,
      holy: 0,
      crit: 0.25,
    });
    expect((await listProposals(address, typeWord)).map(({ row }) => row.word)).toEqual(["spork", "halberd"]);
    expect(await listProposals(address, { ...tables, table: "element" })).toEqual([]);

    const { row: accepted } = await acceptWord(address, { ...typeWord, word: "halberd" });
    expect(accepted).toMatchObject({ id: 41, word: "halberd", active: true, tier: 4, attack: 5, crit: 0.25 });
    expect(accepted).not.toHaveProperty("status");
    const { type } = await loadTables(address, tables);
    const origin = { proposer: "Olórin", proposed: "2026-11-22T06:00:00.000Z" };
    expect(type.find((row) => row.id === 41)).toMatchObject({
      active: true,
      tier: 4,
      attack: 5,
      crit: 0.25,
      ...origin,
    });
    expect(type.filter((row) => row.status === "proposed").map((row) => row.word)).toEqual(["spork"]);
  });

  test.skipIf(isMissing)(
    "words that look like SQL, or nearly alike, are words",
    async () => {
      const { address, tables, typeWord } = await saved();
      for (const word of HARD_WORDS) await proposeWord(address, { ...typeWord, word });
      for (const word of HARD_WORDS) await acceptWord(address, { ...typeWord, word });
      const { type, element } = await loadTables(address, tables);
      expect(type.filter((row) => row.id > 40).map((row) => row.word)).toEqual(HARD_WORDS);
      expect(element).toHaveLength(HARD_WORDS.length);
    },
    20_000,
  );

  test.skipIf(isMissing)("a word that is there is refused, accepted or proposed", async () => {
    const { address, tables, typeWord } = await saved();
    const before = await loadTables(address, tables);
    for (const word of ["club", "spork", "wand"]) {
      const { code, message } = await errorOf(proposeWord(address, { ...typeWord, word }));
      expect([code, message.includes(word === "spork" ? "proposed" : "accepted")]).toEqual(["recipe.duplicate", true]);
    }
    expect((await errorOf(acceptWord(address, { ...typeWord, word: "club" }))).code).toBe("recipe.duplicate");
    expect((await errorOf(acceptWord(address, { ...typeWord, word: "Spork" }))).code).toBe("recipe.word");
    expect(await loadTables(address, tables)).toEqual(before);
  });

  test.skipIf(isMissing)("what is no word, no stat or no table is refused", async () => {
    const { address, typeWord } = await saved();
    const bad = [
      { ...typeWord, word: "" },
      { ...typeWord, word: "a\nb" },
      { ...typeWord, word: "a".repeat(257) },
      { ...typeWord, word: "a", tier: 256 },
      { ...typeWord, word: "a", tier: -1 },
      { ...typeWord, word: "a", stats: { atack: 1 } },
      { ...typeWord, word: "a", stats: { attack: Number.NaN } },
      { ...typeWord, table: "type; drop table type", word: "a" },
    ];
    for (const proposal of bad) expect((await errorOf(proposeWord(address, proposal))).code).toBe("recipe.tables");
  });

  test.skipIf(isMissing || kind === "JSON" || kind === "CSV")(
    "a word that another program proposed is accepted only where recipes can read it",
    async () => {
      const { address, tables, typeWord } = await saved();
      const word = "a".repeat(300);
      await run(address, `update ${tables.recipe}_type set word = '${word}' where word = 'spork'`);
      const before = await loadTables(address, tables);
      expect(parseTables(before, { spec: specOf(parseRecipe(SPEC)) }).issues).toEqual([]);
      expect((await errorOf(acceptWord(address, { ...typeWord, word }))).code).toBe("recipe.tables");
      expect(await loadTables(address, tables)).toEqual(before);
    },
  );

  test.skipIf(isMissing)(
    "proposals made at once get ids of their own, and one word is taken once",
    async () => {
      const { address, tables, typeWord } = await saved();
      const words = ["pike", "glaive", "pike", "mace", "flail", "pike"];
      const found = await Promise.allSettled(words.map((word) => proposeWord(address, { ...typeWord, word })));
      const refused = found.filter((one) => one.status === "rejected").map((one) => one.reason.code as string);
      expect(refused).toEqual(["recipe.duplicate", "recipe.duplicate"]);
      const { type } = await loadTables(address, tables);
      const added = type.filter((row) => row.id > 40);
      expect(added.map((row) => row.id)).toEqual([41, 42, 43, 44]);
      expect(added.map((row) => row.word).sort()).toEqual(["flail", "glaive", "mace", "pike"]);
    },
    20_000,
  );
});

describe.each(DATABASES.map((database) => [database.title, database] as const))(
  "%s, with a table of the user's own",
  (_title, { isMissing, url, kind }) => {
    test.skipIf(isMissing)("takes a proposal only where a word can be one", async () => {
      const [address, recipe] = [url(), newRecipe()];
      const stats = ["attack", "holy", "crit"].map((stat) => `${stat} decimal(9, 1)`).join();
      const proposal = { recipe, spec: SPEC, table: "type", word: "pike", proposed: PROPOSED };
      await run(
        address,
        `create table ${recipe}_type (id integer, word varchar(20), active smallint, tier integer, ${stats})`,
      );
      try {
        const { code, message } = await errorOf(proposeWord(address, proposal));
        expect([code, message.includes("column status is missing")]).toEqual(["sql.schema", true]);
        await run(address, `alter table ${recipe}_type add column status varchar(20) default 'accepted'`);
        // a table that was made before proposals had a proposer and a time
        for (const column of ["proposed", "proposer"]) {
          const missing = await errorOf(proposeWord(address, { ...proposal, proposer: "me" }));
          expect(missing.code).toBe("sql.schema");
          expect(missing.issues[0].where.path).toMatch(/_type\.propose[dr]$/);
          await run(address, /ALTER TABLE .*?DEFAULT \S*(?=\.)/.exec(missing.message)?.[0] ?? column);
        }
        if (kind !== "SQLite") {
          const rounded = await errorOf(proposeWord(address, { ...proposal, stats: { crit: 0.25 } }));
          expect([rounded.code, rounded.message.includes(`${recipe}_type.crit`)]).toEqual(["sql.schema", true]);
          expect(await run(address, `select * from ${recipe}_type`)).toEqual([]);
        }
        const { row } = await proposeWord(address, { ...proposal, stats: { crit: 0.5 } });
        expect(row).toMatchObject({ id: 1, crit: 0.5 });
      } finally {
        await run(address, `drop table ${recipe}_type`);
      }
    });
  },
);

test("a change of a JSON file leaves the other tables and rows as they were written", async () => {
  const path = newPath(".json");
  const tables = { recipe: "weapon", spec: SPEC };
  await saveTables(path, TABLES, tables);
  const before = readFileSync(path, "utf8").split("\n");
  await proposeWord(path, { ...tables, table: "type", word: "pike", tier: 3, proposed: PROPOSED });
  const after = readFileSync(path, "utf8").split("\n");
  const added = after.filter((line) => !before.includes(line));
  // the row before it has a comma now
  expect(added).toHaveLength(2);
  expect(after).toHaveLength(before.length + 1);
});
