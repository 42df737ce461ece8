import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { acceptWord, loadTables, proposeWord, saveTables } from "../../src/wordstores/index.js";
import { IS_SOAK } from "../soak.js";
import { errorOf, newPath, run, SPEC, SQLITE, TABLES } from "./databases.js";
import { holdLock, OtherProgram, startWriter } from "./otherProgram.js";

// the line "An SQLite file that another program uses is corrupted" of the audits
const tables = { recipe: "weapon", spec: SPEC };
const typeWord = { ...tables, table: "type", proposed: new Date(0) };
/** Rounds of three killed writers. CI runs them in both modes with two drivers. */
const ROUNDS = IS_SOAK ? 10 : 4;
/** Number of words that the writers of a round have stored, on a machine of any speed, when they are killed. */
const STORED_BEFORE_KILL = 3;
const PROPOSER = fileURLToPath(new URL("proposer.mjs", import.meta.url));

/** A word and its id, which a proposer printed after its call had returned. */
interface Stored {
  readonly word: string;
  readonly id: number;
}

describe.skipIf(SQLITE.isMissing).each(["delete", "wal"])(`${SQLITE.title} and another program, mode %s`, (mode) => {
  /** A file with the tables, in the mode that another program has set. */
  async function saved(): Promise<string> {
    const path = newPath(".sqlite");
    await saveTables(path, TABLES, tables);
    expect(await run(path, `pragma journal_mode = ${mode}`)).toEqual([{ journal_mode: mode }]);
    return path;
  }

  async function expectSound(path: string) {
    expect(await run(path, "pragma integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(await run(path, "pragma journal_mode")).toEqual([{ journal_mode: mode }]);
  }

  const insert = (id: number) => `insert into weapon_type (id, word, tier) values (${id}, 'of another program', 1)`;

  test("a busy file waits, then is a typed error; the transaction of the other program can commit", async () => {
    const path = await saved();
    const { other, commit } = await holdLock(path, "immediate");
    await other.run(insert(70));
    for (const work of [
      () => proposeWord(path, { ...typeWord, word: "pike", timeoutMs: 400 }),
      () => acceptWord(path, { ...typeWord, word: "spork", timeoutMs: 400 }),
      () => saveTables(path, TABLES, { ...tables, replace: true, timeoutMs: 400 }),
    ]) {
      const { code, issues, message } = await errorOf(work());
      expect([code, issues[0].where.file, message.includes("Try again")]).toEqual(["sql.busy", path, true]);
    }
    await commit();
    await expectSound(path);
    expect((await loadTables(path, tables)).type.map((row) => row.word)).toContain("of another program");
    expect((await proposeWord(path, { ...typeWord, word: "pike" })).row.id).toBe(71);
  });

  test("a busy file waits: a change is made when the other program has committed", async () => {
    const path = await saved();
    const { other, commit } = await holdLock(path, "exclusive");
    await other.run(insert(70));
    const proposed = proposeWord(path, { ...typeWord, word: "pike" });
    await delay(100);
    await commit();
    expect((await proposed).row.id).toBe(71);
    await expectSound(path);
  });

  test("a busy file waits: a change is made when the other program has read", async () => {
    const path = await saved();
    const other = new OtherProgram(path);
    await other.run("begin");
    const before = await other.run("select count(*) from weapon_type");
    const proposed = proposeWord(path, { ...typeWord, word: "pike" });
    await delay(100);
    expect(await other.run("select count(*) from weapon_type")).toEqual(before);
    await other.run("commit");
    expect((await proposed).row.word).toBe("pike");
    await other.close();
    await expectSound(path);
  });

  test("a file that is locked for writing can be read, if the lock of a rollback journal is not exclusive", async () => {
    const path = await saved();
    const before = await loadTables(path, tables);
    const writer = await holdLock(path, "immediate");
    await writer.other.run(insert(70));
    expect(await loadTables(path, tables)).toEqual(before);
    await writer.commit();
    const exclusive = await holdLock(path, "exclusive");
    const reading = loadTables(path, { ...tables, timeoutMs: 200 });
    if (mode === "delete") expect((await errorOf(reading)).code).toBe("sql.busy");
    else expect((await reading).type).toHaveLength(before.type.length + 1);
    await exclusive.commit();
  });

  test("reads are in one transaction: none mixes two transactions of another program", async () => {
    const path = await saved();
    const writer = await startWriter(path);
    const states = new Set<unknown>();
    for (let reads = 0; reads < 100 || states.size < 5; reads++) {
      const { element, type } = await loadTables(path, { ...tables, timeoutMs: 60_000 });
      const values = new Set([...element.map((row) => row.holy), ...type.map((row) => row.attack)]);
      expect([...values]).toHaveLength(1);
      states.add(element[0].holy);
    }
    await writer.stop();
    await expectSound(path);
  });

  test("a read does not release the locks that this process holds by another connection", async () => {
    const path = await saved();
    const own = openHere(path);
    own.exec("begin immediate");
    own.exec(insert(70));
    await loadTables(path, tables);
    const other = new OtherProgram(path);
    await other.run("pragma busy_timeout = 50");
    await expect(other.run(insert(71))).rejects.toThrow("locked");
    own.exec("commit");
    own.close();
    await other.close();
    await expectSound(path);
  });

  test("8 processes × 25 proposals: all are stored, with distinct ids", async () => {
    const path = await saved();
    const stored = (await Promise.all(Array.from({ length: 8 }, (_, i) => proposed(path, `word ${i}`, 25)))).flat();
    expect(stored).toHaveLength(200);
    expect(new Set(stored.map(({ id }) => id)).size).toBe(200);
    await expectStored(path, stored);
    await expectSound(path);
  });

  test("kill −9 at random moments: integrity_check is ok and nothing acknowledged is lost", async () => {
    const path = await saved();
    const acknowledged: Stored[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const writers = Array.from({ length: 3 }, (_, i) => startProposer(path, `round ${round} writer ${i}`, 10_000));
      const outputs = writers.map(outputOf);
      await wroteOften(writers, STORED_BEFORE_KILL);
      await delay((round * 37) % 101);
      for (const writer of writers) writer.kill("SIGKILL");
      acknowledged.push(...(await Promise.all(outputs)).flat());
      // in turn, this library and another program undo what a killed writer left unfinished
      if (round % 2 === 0) await expectStored(path, acknowledged);
      await expectSound(path);
    }
    await expectStored(path, acknowledged);
    expect(acknowledged.length).toBeGreaterThanOrEqual(ROUNDS * STORED_BEFORE_KILL);
  });
});

/** Opens a file in this process, with the driver that the library uses. */
function openHere(path: string): { exec(statement: string): void; close(): void } {
  const builtIn = process.getBuiltinModule("node:sqlite") as { DatabaseSync: new (path: string) => never } | undefined;
  if (builtIn !== undefined) return new builtIn.DatabaseSync(path);
  return new (createRequire(import.meta.url)("better-sqlite3"))(path);
}

async function expectStored(path: string, stored: readonly Stored[]) {
  const { type } = await loadTables(path, tables);
  const ids = new Map(type.map((row) => [row.word, row.id]));
  expect(ids.size).toBe(type.length);
  expect(stored.filter(({ word, id }) => ids.get(word) !== id)).toEqual([]);
}

function startProposer(path: string, prefix: string, count: number): ChildProcess {
  return spawn(process.execPath, [PROPOSER, path, JSON.stringify(tables), prefix, String(count)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

async function proposed(path: string, prefix: string, count: number): Promise<readonly Stored[]> {
  return outputOf(startProposer(path, prefix, count));
}

/** Waits until some proposers together have written `count` times. They write a line for each word that they stored. */
function wroteOften(proposers: readonly ChildProcess[], count: number): Promise<void> {
  return new Promise((resolve) => {
    let left = count;
    const wrote = () => {
      left--;
      if (left === 0) resolve();
    };
    for (const { stdout } of proposers) stdout?.on("data", wrote);
  });
}

/** The words that a proposer stored, after its end. A line that a kill cut is not one of them. */
async function outputOf(proposer: ChildProcess): Promise<readonly Stored[]> {
  let text = "";
  proposer.stdout?.on("data", (part: Buffer) => {
    text += part;
  });
  await once(proposer, "close");
  return text
    .slice(0, text.lastIndexOf("\n") + 1)
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
