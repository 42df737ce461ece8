import { error, fail } from "../errors/index.js";

/** Timeout of a connection, in milliseconds. */
export const CONNECT_MS = 5_000;

/** Timeout of a query, in milliseconds. */
export const QUERY_MS = 60_000;

/** The driver of each kind of database. Drivers are optional packages. */
const DRIVERS = { sqlite: "node-sqlite3-wasm", postgres: "pg", mysql: "mysql2" } as const;

/**
 * Loads the code for databases, which needs the optional package kysely.
 *
 * @throws RollmillError `sql.connect` if the package is missing; the message says how to install it and the driver.
 */
export async function loadDatabaseCode<T>(kind: keyof typeof DRIVERS, load: () => Promise<T>): Promise<T> {
  return loadPackage("kysely", load, `kysely ${DRIVERS[kind]}`);
}

/**
 * Loads a database driver from an optional package.
 *
 * @throws RollmillError `sql.connect` if the package is missing; the message says how to install it.
 */
export async function loadDriver<T>(name: string, load: () => Promise<T>): Promise<T> {
  return loadPackage(name, load, name);
}

async function loadPackage<T>(name: string, load: () => Promise<T>, toInstall: string): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    const problem = isMissing ? `the package ${name} is not installed` : `the package ${name} cannot be loaded`;
    const remedy = `Run: npm install ${toInstall}`;
    return fail(error("sql.connect", { problem, ...(!isMissing && { got: messageOf(cause) }), remedy }), cause);
  }
}

/** Returns the message of an error. After failed connections to several addresses, returns all their messages. */
export function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === "") return cause.errors.map(messageOf).join("; ");
  if (cause instanceof Error && cause.message !== "") return cause.message;
  return String((cause as NodeJS.ErrnoException).code ?? cause);
}
