import { describe, expect, test } from "vitest";
import { loadTables, saveTables } from "../../src/wordstores/index.js";
import { errorOf, newPath, SPEC, SQLITE, TABLES } from "./databases.js";
import { holdLock } from "./otherProgram.js";

// examples of messages that need a database; those of other codes are in test/messages
describe.skipIf(SQLITE.isMissing)(`messages, ${SQLITE.title}`, () => {
  const options = { recipe: "weapon", spec: SPEC };

  test("a table that is missing", async () => {
    const path = newPath(".sqlite");
    await saveTables(path, TABLES, options);
    const { message } = await errorOf(loadTables(path, { ...options, recipe: "armor" }));
    expect(message).toBe(
      `${path} armor_element: the table armor_element is missing. Import the recipe's tables into the database first. [sql.schema]`,
    );
  });

  test("a table that has rows", async () => {
    const path = newPath(".sqlite");
    await saveTables(path, TABLES, options);
    const { message } = await errorOf(saveTables(path, TABLES, options));
    expect(message).toBe(
      `${path} weapon_element: the table weapon_element already has rows. To replace the existing words, use --replace, or { replace: true } in code. [sql.query]`,
    );
  });

  test("a file that another program locks", async () => {
    const path = newPath(".sqlite");
    await saveTables(path, TABLES, options);
    const other = await holdLock(path, "exclusive");
    const { message } = await errorOf(loadTables(path, { ...options, timeoutMs: 200 }));
    await other.commit();
    expect(message).toBe(
      `${path}: another program kept the database busy for 100 ms. Try again, end the other program's transaction, or set a greater timeoutMs. [sql.busy]`,
    );
  });
});
