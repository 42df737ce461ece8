import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { nodeSqlite } from "../../src/wordstores/driver.js";

/** Whether this machine can run the tests of SQLite, and a title for them, which says why it cannot. */
export const SQLITE_STATE = stateOf(lackOfSqlite());

function stateOf(lack: string | undefined): { readonly title: string; readonly isMissing: boolean } {
  const isLater = process.env.ROLLMILL_TEST_SQLITE_LATER !== undefined;
  // under CI a lack fails the tests, unless a later run of them has SQLite
  const isMissing = lack !== undefined && (process.env.CI === undefined || isLater);
  return { title: isMissing ? `SQLite (skipped: ${lack})` : "SQLite", isMissing };
}

/** Says why this machine cannot test SQLite; undefined if it can. */
function lackOfSqlite(): string | undefined {
  if (nodeSqlite() === undefined && !hasBetterSqlite()) return `Node ${process.versions.node} has no node:sqlite`;
  const program = ["sqlite3", "python3"].find((name) => spawnSync(name, ["--version"]).error !== undefined);
  return program === undefined ? undefined : `the program ${program} is not installed`;
}

function hasBetterSqlite(): boolean {
  try {
    createRequire(import.meta.url).resolve("better-sqlite3");
    return true;
  } catch {
    return false;
  }
}
