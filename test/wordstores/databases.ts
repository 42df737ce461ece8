import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import mysql from "mysql2/promise";
import pg from "pg";
import { RollmillError } from "../../src/errors/index.js";
import { parseRecipe } from "../../src/recipes/index.js";
import type { RecipeSpec, TablesInput, WordInput } from "../../src/recipes/types.js";
import { specOf } from "../../src/spec/index.js";
import { SQLITE_STATE } from "./sqliteState.js";

/** A kind of database that tests run against. */
export interface TestDatabase {
  readonly kind: "SQLite" | "PostgreSQL" | "MariaDB";
  /** Says why its tests are skipped, where they are. */
  readonly title: string;
  readonly isMissing: boolean;
  /** Its address; of SQLite a new file's, each time. */
  url(): string;
}

const folder = mkdtempSync(join(tmpdir(), "rollmill-sql-"));

let names = 0;

/** A path that nothing is at. */
export function newPath(extension: string): string {
  names++;
  return join(folder, `place${names}${extension}`);
}

/** A recipe's name that nothing in any database has: of this process, and of this call. */
export function newRecipe(): string {
  names++;
  return `t${process.pid}_${names}`;
}

function server(kind: TestDatabase["kind"], variable: string): TestDatabase {
  const address = process.env[variable];
  // under CI a server that is not there fails its tests
  const isMissing = address === undefined && process.env.CI === undefined;
  const url = () => {
    if (address === undefined) throw new Error(`${variable} is not set: .ci/databases starts the servers`);
    return address;
  };
  return { kind, title: isMissing ? `${kind} (skipped: ${variable} is not set)` : kind, isMissing, url };
}

/** A new SQLite file each time. */
export const SQLITE: TestDatabase = { kind: "SQLite", ...SQLITE_STATE, url: () => newPath(".sqlite") };

/** All three kinds. */
export const DATABASES: readonly TestDatabase[] = [
  SQLITE,
  server("PostgreSQL", "ROLLMILL_TEST_POSTGRES"),
  server("MariaDB", "ROLLMILL_TEST_MYSQL"),
];

/** Runs statements in another program, and returns the rows of the last one. */
export async function run(url: string, ...statements: string[]): Promise<readonly unknown[]> {
  if (url.startsWith("postgres")) return runPostgres(url, statements);
  if (url.startsWith("mysql")) return runMysql(url, statements);
  let rows: readonly unknown[] = [];
  for (const statement of statements) {
    const { stdout } = await promisify(execFile)("sqlite3", ["-json", "-bail", url, statement]);
    rows = stdout.trim() === "" ? [] : JSON.parse(stdout);
  }
  return rows;
}

async function runPostgres(url: string, statements: readonly string[]): Promise<readonly unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: readonly unknown[] = [];
    for (const statement of statements) rows = (await client.query(statement)).rows;
    return rows;
  } finally {
    await client.end();
  }
}

async function runMysql(url: string, statements: readonly string[]): Promise<readonly unknown[]> {
  const connection = await mysql.createConnection(url);
  try {
    let rows: unknown = [];
    for (const statement of statements) [rows] = await connection.query(statement);
    return Array.isArray(rows) ? rows : [];
  } finally {
    await connection.end();
  }
}

/** The error that something asynchronous throws. */
export async function errorOf(work: Promise<unknown>): Promise<RollmillError> {
  try {
    await work;
  } catch (cause) {
    if (cause instanceof RollmillError) return cause;
    throw cause;
  }
  throw new Error("nothing was thrown");
}

/** The time of proposals. */
export const PROPOSED = new Date("2026-11-22T06:00:00Z");

/** A recipe of two tables, one with tiers. */
export const SPEC: RecipeSpec = specOf(
  parseRecipe({
    // no word has the last stat, whose name every object inherits
    stats: [{ name: "attack" }, { name: "holy" }, { name: "crit" }, { name: "str" }, { name: "constructor" }],
    strength: "str",
    steps: [
      {
        kind: "slots",
        name: "element",
        slots: [
          { slot: "element", table: "element", chance: { atLeast: 95 }, strength: 6 },
          { slot: "second", table: "element", chance: { atLeast: 98 }, strength: 11, differentFrom: "element" },
        ],
      },
      { kind: "slots", name: "type", slots: [{ slot: "type", table: "type", strength: 1, tiers: [] }] },
    ],
  }),
);

/** Words that collations, quotes, encodings and paddings would spoil. */
export const HARD_WORDS = [
  "' OR 1=1; --",
  "Robert'); DROP TABLE weapon_type;--",
  "Fire",
  "fire",
  "FIRE",
  "fire ",
  " fire",
  "résumé",
  "resume",
  "re\u0301sume\u0301",
  "ß",
  "ss",
  "İstanbul",
  "istanbul",
  "火の剣",
  "🗡️ of 𝕊words",
  'back\\slash "quoted" `ticked` %_',
  "$1 ? :name @x",
  "NULL",
  "x".repeat(256),
  "🗡".repeat(128),
];

/** Tables whose rows stand in no order, with each kind of number. */
export const TABLES: TablesInput = {
  type: [
    { id: 3, word: "sword", tier: 2, attack: 4, crit: 0.1 },
    { id: 1, word: "club", tier: 1, attack: 2, active: true },
    { id: 40, word: "wand", tier: 6, attack: -3, active: 0, holy: 1e-7 },
    { id: 2, word: "spork", tier: 0, attack: 1, status: "proposed", active: false },
  ],
  element: HARD_WORDS.map(
    (word, i): WordInput => ({ id: HARD_WORDS.length - i, word, holy: (i - 7) / 10, attack: 123456789.125 * (i % 3) }),
  ),
};
