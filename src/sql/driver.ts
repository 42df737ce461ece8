import { error, fail } from "../errors/index.js";

/** The most time for a connection. */
export const CONNECT_MS = 5_000;

/** The most time for a query. */
export const QUERY_MS = 60_000;

/**
 * Loads a driver from an optional package.
 *
 * @throws RollmillError `sql.connect` if the package is missing; the message says how to install it.
 */
export async function loadDriver<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const isMissing = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
    const problem = isMissing ? `the driver ${name} is not installed` : `the driver ${name} does not load`;
    const remedy = `Run: npm install ${name}`;
    return fail(error("sql.connect", { problem, ...(!isMissing && { got: messageOf(cause) }), remedy }), cause);
  }
}

/** The message of an error; of a failed connection to several addresses, the messages of its parts. */
export function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === "") return cause.errors.map(messageOf).join("; ");
  if (cause instanceof Error && cause.message !== "") return cause.message;
  return String((cause as NodeJS.ErrnoException).code ?? cause);
}
