import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface, type Interface } from "node:readline";

/** Runs each line of stdin as a statement, and prints its rows or its error as a line of JSON. */
const PROGRAM = `
import json, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=10)
for line in sys.stdin:
    try:
        answer = {"rows": database.execute(json.loads(line)).fetchall()}
    except sqlite3.Error as error:
        answer = {"error": str(error)}
    print(json.dumps(answer), flush=True)
`;

/** A Python program that has an SQLite file open, and uses it as any program of another author would. */
export class OtherProgram {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #lines: Interface;

  constructor(path: string) {
    this.#process = spawn("python3", ["-c", PROGRAM, path]);
    this.#lines = createInterface(this.#process.stdout);
  }

  /** Runs a statement and returns its rows. */
  async run(statement: string): Promise<readonly (readonly unknown[])[]> {
    this.#process.stdin.write(`${JSON.stringify(statement)}\n`);
    const [line] = await once(this.#lines, "line");
    const { rows, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(`${statement}: ${error}`);
    return rows;
  }

  async close(): Promise<void> {
    const closed = once(this.#process, "close");
    this.#process.stdin.end();
    await closed;
  }
}

/** Begins a transaction in another program, which holds its locks until `commit`. */
export async function holdLock(
  path: string,
  kind: "immediate" | "exclusive",
): Promise<{ readonly other: OtherProgram; commit(): Promise<void> }> {
  const other = new OtherProgram(path);
  await other.run(`begin ${kind}`);
  const commit = async () => {
    await other.run("commit");
    await other.close();
  };
  return { other, commit };
}

/** A program without end: sets a number of all rows of two tables to 1, 2, …, each in one transaction. */
const WRITER = `
import sqlite3, sys, time
database = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=60)
i = 0
while True:
    i += 1
    database.execute("begin immediate")
    database.execute("update weapon_element set holy = ?", (i,))
    database.execute("update weapon_type set attack = ?", (i,))
    database.execute("commit")
    if i == 1:
        print("begun", flush=True)
    time.sleep(0.003)
`;

/** Starts a program that changes two tables over and over, and returns once it has changed them. */
export async function startWriter(path: string): Promise<{ stop(): Promise<void> }> {
  const writer = spawn("python3", ["-c", WRITER, path]);
  await once(writer.stdout, "data");
  return {
    async stop() {
      const closed = once(writer, "close");
      writer.kill("SIGKILL");
      await closed;
    },
  };
}
