import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import { whileLocked } from "../../src/files/lock.js";
import { newFolder } from "./folder.js";

/** Returns what the lock says while some work holds it. */
async function ownerOf(lock: string): Promise<Readonly<Record<string, unknown>>> {
  return whileLocked(lock, async () => JSON.parse(readFileSync(join(lock, "owner.json"), "utf8")));
}

function leave(lock: string, owner: object | undefined, ageSeconds = 0): void {
  mkdirSync(lock);
  if (owner !== undefined) writeFileSync(join(lock, "owner.json"), JSON.stringify(owner));
  const at = Date.now() / 1000 - ageSeconds;
  utimesSync(lock, at, at);
}

/** The pid of a process that has ended. */
function deadPid(): number {
  return spawnSync("true").pid;
}

describe("a lock", () => {
  test("carries host, pid and time, and is gone afterwards, also after an error", async () => {
    const folder = newFolder();
    const lock = join(folder, "x.lock");
    const { host, pid, since } = await ownerOf(lock);
    expect([host, pid]).toEqual([hostname(), process.pid]);
    expect(new Date(String(since)).toISOString()).toBe(since);
    await expect(whileLocked(lock, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("keeps works apart", async () => {
    const lock = join(newFolder(), "x.lock");
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((done) => setTimeout(done, 2));
      inside--;
    };
    await Promise.all(Array.from({ length: 30 }, () => whileLocked(lock, work)));
    expect(most).toBe(1);
  });

  test("that another process holds is waited for, then an error names the holder", async () => {
    const folder = newFolder();
    const lock = join(folder, "x.lock");
    const owner = await ownerOf(lock);
    leave(lock, { ...owner, id: "other" });
    const error = await whileLocked(lock, async () => undefined).catch((cause: unknown) => cause);
    if (!(error instanceof RollmillError)) throw error;
    expect([error.code, error.issues[0].where.file]).toEqual(["file.busy", lock]);
    for (const part of [String(process.pid), hostname(), String(owner.since)]) expect(error.message).toContain(part);
    expect(readdirSync(folder)).toEqual(["x.lock"]);
  });
});

describe("a killed writer's lock", () => {
  test("is stale and taken over, by one process at a time", async () => {
    const folder = newFolder();
    const lock = join(folder, "x.lock");
    const owner = await ownerOf(lock);
    for (let round = 0; round < 20; round++) {
      leave(lock, { ...owner, id: `dead ${round}`, pid: deadPid() });
      let inside = 0;
      let most = 0;
      const work = async () => {
        most = Math.max(most, ++inside);
        await new Promise((done) => setImmediate(done));
        inside--;
      };
      await Promise.all(Array.from({ length: 8 }, () => whileLocked(lock, work)));
      expect(most).toBe(1);
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  test.runIf(process.platform === "linux")("is taken over if another process has its pid now", async () => {
    const lock = join(newFolder(), "x.lock");
    leave(lock, { ...(await ownerOf(lock)), id: "other", started: "1" });
    expect(await whileLocked(lock, async () => "done")).toBe("done");
  });

  test("of another host, or without a readable owner, is taken over after 10 minutes and not before", async () => {
    const owner = await ownerOf(join(newFolder(), "x.lock"));
    const elsewhere = { ...owner, id: "other", host: "elsewhere.example", pid: deadPid() };
    await Promise.all(
      [elsewhere, { id: 7 }].map(async (held) => {
        const [old, young] = [join(newFolder(), "x.lock"), join(newFolder(), "x.lock")];
        leave(old, held, 660);
        leave(young, held, 500);
        expect(await whileLocked(old, async () => "done")).toBe("done");
        await expect(whileLocked(young, async () => "done")).rejects.toMatchObject({ code: "file.busy" });
      }),
    );
  });

  test("a takeover whose process was killed is taken over too", async () => {
    const folder = newFolder();
    const lock = join(folder, "x.lock");
    leave(lock, { ...(await ownerOf(lock)), id: "other", pid: deadPid() });
    leave(`${lock}.taking`, undefined, 120);
    expect(await whileLocked(lock, async () => "done")).toBe("done");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("that waited for another lock is removed by the next process, and a living one is not", async () => {
    const folder = newFolder();
    const lock = join(folder, "x.lock");
    const owner = await ownerOf(lock);
    const parent = { ...owner, id: "waits", pid: process.ppid, started: "" };
    const [dead, living] = [randomUUID(), randomUUID()].map((id) => `.rollmill-${id}.lock`);
    leave(join(folder, dead), { ...owner, id: "dead", pid: deadPid() });
    leave(join(folder, living), parent);
    writeFileSync(join(folder, ".rollmill-3.tmp"), "");
    await whileLocked(lock, async () => undefined);
    expect(readdirSync(folder).sort()).toEqual([living, ".rollmill-3.tmp"].sort());
  });
});
