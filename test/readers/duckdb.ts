import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { folder, VARIABLE } from "./folder.js";

/** The cells of a file by column. Numbers of more than 32 bits and decimals are texts. */
export type Cells = Readonly<Record<string, readonly (string | number | null)[]>>;

/** The part of @duckdb/node-api that the tests use. */
interface DuckDb {
  readonly DuckDBInstance: {
    create(path: string): Promise<{ connect(): Promise<Connection> }>;
  };
}

interface Connection {
  runAndReadAll(sql: string): Promise<{ getColumnsObjectJson(): Cells }>;
  closeSync(): void;
}

/** Reads files with DuckDB. */
export class DuckDbReader {
  readonly #connection: Connection;

  private constructor(connection: Connection) {
    this.#connection = connection;
  }

  static async open(): Promise<DuckDbReader> {
    if (folder === undefined) throw new Error(`${VARIABLE} is not set: install @duckdb/node-api into a folder`);
    const { DuckDBInstance }: DuckDb = createRequire(join(folder, "package.json"))("@duckdb/node-api");
    const database = await DuckDBInstance.create(":memory:");
    return new DuckDbReader(await database.connect());
  }

  async parquet(path: string): Promise<Cells> {
    return this.#read(`read_parquet('${path}')`);
  }

  /** Reads every field as a text; an empty one as null. */
  async csv(path: string, names: readonly string[]): Promise<Cells> {
    const columns = names.map((name) => `'${name.replaceAll("'", "''")}': 'VARCHAR'`).join(", ");
    const format = `delim = ',', quote = '"', escape = '"', header = true, auto_detect = false, new_line = '\\n'`;
    return this.#read(`read_csv('${path}', columns = {${columns}}, ${format})`);
  }

  async #read(source: string): Promise<Cells> {
    const result = await this.#connection.runAndReadAll(`select * from ${source}`);
    return result.getColumnsObjectJson();
  }

  close(): void {
    this.#connection.closeSync();
  }
}

/** Writes the pieces of a file. */
export function writePieces(path: string, pieces: Iterable<Uint8Array>): string {
  writeFileSync(path, Buffer.concat([...pieces]));
  return path;
}
