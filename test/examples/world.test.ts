import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { decode } from "fast-png";
import { describe, expect, test } from "vitest";
import { openJob, startJob } from "../../src/jobs/index.js";
import { JobFolder, type Outcome } from "./jobFolder.js";

const WORLD = {
  name: "puddle",
  layers: [
    { name: "land", preset: "five-ways", walkers: 12, steps: 1500 },
    { name: "rivers", preset: "rf50-lf50", walkers: 3, steps: 90, start: { layer: "land" } },
  ],
  terrain: [
    { terrain: "river", when: { rivers: { visits: [1, null] } }, color: "#58a6d6" },
    { terrain: "land", when: { land: { visits: [1, null] } }, color: "#8fb56a" },
    { terrain: "sea", color: "#2f6c9e" },
  ],
  placements: [{ name: "chest", on: ["land"], density: "1/40", content: { table: "loot" } }],
  tables: {
    loot: {
      rows: {
        loot: [
          { result: "gold", weight: 3 },
          { result: "gem", weight: 1 },
        ],
      },
    },
  },
} as const;
const SMALL = {
  name: "puddle",
  world: WORLD,
  seed: "puddle",
  bulk: [{ name: "loot", table: "loot", count: 60_000 }],
  exports: ["png", "report"],
} as const;

const job = new JobFolder("world.mjs");

async function runJob(name: string, spec: unknown, ...args: readonly string[]): Promise<Outcome> {
  await writeFile(join(job.path, `${name}.json`), JSON.stringify(spec));
  return job.run(`${name}.json`, "--out", name, "--threads", "1", ...args);
}

const digests = ({ stdout }: Outcome) => stdout.match(/[0-9a-f]{64}/g);

describe("a small job", () => {
  test("has the digest of the library, a picture and a report", async () => {
    const made = await runJob("small", SMALL);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    const own = await startJob(join(job.path, "own"), { ...SMALL, exports: [] }, { threads: 1 });
    expect(digests(made)).toEqual([own?.digest]);
    const { width, height } = decode(await job.output("small", "exports", "preview.png"));
    expect(Math.min(width, height)).toBeGreaterThan(10);
    expect(await readFile(join(job.path, "small", "exports", "report.html"), "utf8")).toContain("loot: table loot");
    for (const file of ["preview.png", "report.html"]) expect(made.stdout).toContain(join("small", "exports", file));
    expect(made.stdout).toContain("rollmill job export small --tiles");
  });

  test("is the same twice and with two threads, and another with another seed", async () => {
    const [first, again, other] = [
      await runJob("first", SMALL),
      await runJob("again", SMALL, "--threads", "2"),
      await runJob("other", SMALL, "--seed", "pond"),
    ];
    expect(digests(first)).toHaveLength(1);
    expect(digests(again)).toEqual(digests(first));
    expect(digests(other)).not.toEqual(digests(first));
    expect(other.stdout).toContain('seed "pond"');
  });

  test("goes on where it stopped, and is not made twice", async () => {
    const first = await runJob("stopped", SMALL);
    await rm(join(job.path, "stopped", "result.json"));
    await rm(join(job.path, "stopped", "exports", "preview.png"));
    const second = await runJob("stopped", SMALL);
    expect(digests(second)).toEqual(digests(first));
    expect((await openJob(join(job.path, "stopped"))).status().exports.every(({ done }) => done)).toBe(true);
    expect((await runJob("stopped", SMALL)).stdout).toContain("made before");
    const other = await runJob("stopped", SMALL, "--seed", "pond");
    expect(other).toMatchObject({ code: 2, stdout: "" });
    expect(other.stderr).toContain("[job.exists]");
  });
});

test.skipIf(process.platform === "win32")(
  "Ctrl+C pauses a job, and the same command goes on",
  async () => {
    const large = { ...SMALL, bulk: [{ name: "loot", table: "loot", count: 200_000_000 }] };
    await writeFile(join(job.path, "large.json"), JSON.stringify(large));
    const running = job.start("large.json", "--out", "large", "--threads", "1");
    while (!(await exists(join(job.path, "large", "parts")))) await delay(20);
    running.kill("SIGINT");
    const code = await new Promise((ended) => running.once("exit", ended));
    expect(code).toBe(130);
    const { state } = (await openJob(join(job.path, "large"))).status();
    expect(state).toBe("paused");
  },
  60_000,
);

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

describe("a wrong job is refused before anything is made", () => {
  test.each([
    ["no object", 3, "[job.spec]"],
    ["an unknown key", { ...SMALL, sed: 1 }, "[job.spec]"],
    ["a bad walk", { ...SMALL, world: { ...WORLD, layers: [{ name: "land", steps: -1 }] } }, "[walk.spec]"],
    ["a table that is not there", { ...SMALL, bulk: [{ name: "a", table: "b", count: 1 }] }, "[job.spec]"],
  ])("%s", async (_, spec, code) => {
    const { stdout, stderr, ...outcome } = await runJob("w", spec);
    expect({ ...outcome, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(code);
    await expect(readFile(join(job.path, "w", "manifest.json"))).rejects.toThrow("ENOENT");
  });

  test("a job that is not there, an unknown option, a bad count and two jobs exit 2", async () => {
    for (const args of [["none.json"], ["--colour"], ["--threads", "many"], ["a.json", "b.json"]]) {
      const { code, stderr } = await job.run(...args);
      expect(code, stderr).toBe(2);
      expect(stderr).toMatch(/\[(file\.read|cli\.usage)\]\n$/);
    }
  });

  test("a folder that cannot be written to is a failure, not bad input", async () => {
    await writeFile(join(job.path, "taken"), "");
    await writeFile(join(job.path, "good.json"), JSON.stringify(SMALL));
    const { code, stderr } = await job.run("good.json", "--out", "taken/job");
    expect({ code, said: stderr.includes("[file.write]") }).toEqual({ code: 1, said: true });
  });
});

test("names in a job do not control the terminal", async () => {
  const evil = "a\u001b]0;b\u0007c\u202ed";
  const done = await runJob("evil", { ...SMALL, name: evil });
  const failed = await runJob("evil2", { ...SMALL, [evil]: 1 });
  for (const { stdout, stderr } of [done, failed]) {
    expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Control}\u202e]/u);
    expect(stdout + stderr).toContain("\\u202e");
  }
});
