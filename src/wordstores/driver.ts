import process from "node:process";
import { error, fail, messageOf } from "../errors/index.js";

const DRIVERS = { postgres: "pg", mysql: "mysql2" } as const;

/** Says `@12`, because a plain `npm install better-sqlite3` would install a version that an older Node cannot run. */
export const SQLITE_REMEDY =
  "Use Node 22.13 or later, which has SQLite. In an older Node, run: npm install better-sqlite3@12 (npm may have to compile it)";

/** Returns undefined if Node lacks the module: Node 22 has it since 22.13, and Node 23 since 23.4. */
export function nodeSqlite(): unknown {
  const { emitWarning } = process;
  // when it is loaded, the module warns that it is experimental
  process.emitWarning = () => undefined;
  try {
    return process.getBuiltinModule("node:sqlite");
  } finally {
    process.emitWarning = emitWarning;
  }
}

export async function loadDatabaseCode<T>(kind: "sqlite" | keyof typeof DRIVERS, load: () => Promise<T>): Promise<T> {
  const sqlite = nodeSqlite() === undefined ? " better-sqlite3@12" : "";
  return loadPackage("kysely", load, `Run: npm install kysely${kind === "sqlite" ? sqlite : ` ${DRIVERS[kind]}`}`);
}

export async function loadPackage<T>(
  name: string,
  load: () => Promise<T>,
  remedy = `Run: npm install ${name}`,
): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    const problem = isMissing ? `the package ${name} is not installed` : `the package ${name} cannot be loaded`;
    return fail(error("sql.connect", { problem, ...(!isMissing && { got: messageOf(cause) }), remedy }), cause);
  }
}
