import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { error, fail } from "../errors/index.js";
import { failToRead } from "../files/problem.js";
import { parseLocalTime } from "../localTime.js";
import { isDecodable, refuseArgument } from "../spec/index.js";

/** `shown` is the name of the place in messages, without a password. */
export type Place = FilesPlace | DatabasePlace;

export interface FilesPlace {
  readonly kind: "folder" | "json";
  readonly path: string;
  readonly shown: string;
}

/** `address` is the path of an SQLite file, or the URL of a server, which may contain a password. */
export interface DatabasePlace {
  readonly kind: "sqlite" | "postgres" | "mysql";
  readonly address: string;
  readonly shown: string;
}

const SERVERS = new Map<string, "postgres" | "mysql">([
  ["postgres", "postgres"],
  ["postgresql", "postgres"],
  ["mysql", "mysql"],
  ["mariadb", "mysql"],
]);

/** Parses the place of word tables, as `loadTables` describes it, or a `file:` URL. */
export function placeOf(source: string | URL): Place {
  const text: unknown = source instanceof URL ? source.href : source;
  if (typeof text !== "string" || text.includes("\0")) {
    return refuseArgument("place of the tables", source, "a path without NUL characters, or a URL");
  }
  // A scheme has at least two letters. A single letter before the colon is a Windows drive.
  const scheme = /^([a-z][a-z0-9+.-]+):/i.exec(text)?.[1].toLowerCase();
  if (scheme === undefined) return placeOfPath(text);
  if (scheme === "file") return placeOfPath(pathOf(text));
  if (scheme === "sqlite") return sqlitePlace(text.slice("sqlite:".length).replace(/^\/\/(?=.)/, ""));
  const kind = SERVERS.get(scheme);
  if (kind === undefined) {
    const expected = "postgres:, mysql:, mariadb:, sqlite:, or a path";
    return fail(error("sql.connect", { problem: "the scheme of the address is unknown", got: `${scheme}:`, expected }));
  }
  return { kind, address: text, shown: withoutPassword(text, scheme) };
}

function pathOf(url: string): string {
  try {
    return fileURLToPath(url);
  } catch (cause) {
    const problem = "the URL does not name a file of this machine";
    return fail(error("sql.connect", { problem, got: url, expected: "file:///PATH" }), cause);
  }
}

function placeOfPath(path: string): Place {
  if (/\.(?:sqlite3?|db)$/i.test(path)) return sqlitePlace(path);
  return { kind: /\.json$/i.test(path) ? "json" : "folder", path, shown: path };
}

function sqlitePlace(path: string): Place {
  if (path !== "" && path !== ":memory:") return { kind: "sqlite", address: path, shown: path };
  const problem = "the address does not name an SQLite file";
  return fail(error("sql.connect", { problem, got: path, expected: "the path of a file" }));
}

// Leaves out the query, too, which may contain a password. The error has no cause: a cause would show the whole URL.
function withoutPassword(text: string, scheme: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isReadable = url !== undefined && [url.username, url.password, url.pathname].every(isDecodable);
  if (!isReadable) {
    const expected = `${scheme}://user:password@host:port/database`;
    const remedy = "Write characters such as @, / and % of a password as %40, %2F and %25";
    return fail(error("sql.connect", { problem: "the address of the database is malformed", expected, remedy }));
  }
  const user = url.username === "" ? "" : `${url.username}@`;
  return `${scheme}://${user}${url.host}${url.pathname}`;
}

const VERSION = /^(\d{4}-\d\d-\d\d)(?:\.json|\.sqlite)?$/;

/** Returns the last version of the words that is not newer than a date, such as 2026-11-22. */
export async function versionAsOf(place: Place, asOf: string): Promise<Place> {
  if (typeof asOf !== "string" || !/^\d{4}-\d\d-\d\d$/.test(asOf) || parseLocalTime(asOf) === undefined) {
    refuseArgument("asOf", asOf, "a date such as 2026-11-22", "argument.range");
  }
  const where = { file: place.shown };
  if (place.kind !== "folder") {
    const problem = "only a folder can contain dated versions of the words";
    return fail(
      error("recipe.tables", { problem, got: place.kind, remedy: "Leave out the date, or pass such a folder", where }),
    );
  }
  const names = await readdir(place.path).catch((cause: unknown) => failToRead(place.path, cause));
  const versions = names.filter((name) => VERSION.test(name)).sort();
  const found = versions.filter((name) => name.slice(0, asOf.length) <= asOf).at(-1);
  if (found !== undefined) return placeOf(join(place.path, found));
  const problem = `the folder has no version of the words from ${asOf} or earlier`;
  const examples = "folders or files with names such as 2026-11-22 or 2026-11-22.json";
  const expected = versions.length === 0 ? examples : `${versions[0]} or later`;
  return fail(error("recipe.tables", { problem, expected, where }));
}
