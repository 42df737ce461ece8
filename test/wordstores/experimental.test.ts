import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { newPath, SPEC, TABLES } from "./databases.js";
import { SQLITE_STATE } from "./sqliteState.js";

const PROGRAM = `
  const [library, path, recipe, tables] = process.argv.slice(1);
  const { loadTables, saveTables } = await import(library);
  const options = { recipe: "r", spec: JSON.parse(recipe) };
  await saveTables(path, JSON.parse(tables), options);
  await loadTables(path, options);
  process.emitWarning("a warning of the program");
`;

test.skipIf(SQLITE_STATE.isMissing)(
  `${SQLITE_STATE.title} prints no warning of Node's, and hides no other (first hour 17)`,
  async () => {
    const library = new URL("../../dist/wordstores/index.js", import.meta.url).href;
    const data = [newPath(".sqlite"), JSON.stringify(SPEC), JSON.stringify(TABLES)];
    const args = ["--input-type=module", "-e", PROGRAM, library, ...data];
    const { stderr } = await promisify(execFile)(process.execPath, args);
    expect(stderr).not.toContain("ExperimentalWarning");
    expect(stderr).toContain("a warning of the program");
  },
);
