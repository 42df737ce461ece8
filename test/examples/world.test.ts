import { createHash } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decode } from "fast-png";
import { describe, expect, test } from "vitest";
import { createMill, toNumber } from "../../src/index.js";
import { JobFolder, type Outcome } from "./jobFolder.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const table = join(root, "data/loot.2da");
const NOW = "2026-01-05T08:30";
const SMALL = {
  seed: "puddle",
  walk: {
    layers: [
      { name: "land", preset: "five-ways", walkers: 12, steps: 1500 },
      { name: "rivers", preset: "rf50-lf50", walkers: 3, steps: 90, start: { layer: "land" } },
    ],
  },
  picture: { maxSide: 300, background: [1, 2, 3], colors: { land: "greens", rivers: "blues" } },
  loot: { table, rolls: 60_000, now: NOW },
};

const job = new JobFolder("world.mjs");

async function runWorld(name: string, world: unknown, ...args: readonly string[]): Promise<Outcome> {
  await writeFile(join(job.path, `${name}.json`), JSON.stringify(world));
  return job.run(`${name}.json`, "--out", name, ...args);
}

describe("a small world", () => {
  test("has the map of its walk: the library's digest, a picture of the size asked for, its colours", async () => {
    const { code, stdout } = await runWorld("small", SMALL);
    expect(code).toBe(0);
    const map = createMill({ seed: "puddle" })
      .walk("world", SMALL.walk as never)
      .run();
    expect(stdout).toContain(map.summary().digest);
    const picture = decode(await job.output("small", "map.png"));
    expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(300);
    expect(stdout).toContain(`small/map.png, ${picture.width} × ${picture.height} pixels`);
    expect(picture.palette?.[0]).toEqual([1, 2, 3]);
  });

  test("has the loot of its table: the library's counts beside the library's exact odds", async () => {
    await runWorld("loot", SMALL);
    const loot = createMill({ seed: "puddle", now: NOW }).table("loot", await readFile(table, "utf8"));
    const { counts, none } = loot.count(60_000);
    const odds = loot.odds();
    const all = [...odds.odds, { result: "(none)", probability: odds.none }];
    const rows = all.map(({ result, probability }) => {
      const { numerator, denominator } = probability;
      const chance = toNumber(probability);
      const times = result === "(none)" ? none : counts.get(result);
      return `${result},${times},${chance},${numerator},${denominator},${(60_000 * chance).toFixed(3)}\n`;
    });
    const csv = (await job.output("loot", "loot.csv")).toString();
    expect(csv).toBe(`result,count,probability,numerator,denominator,expected\n${rows.join("")}`);
  });

  test("prints the sha256 of the loot's file, and leaves nothing else behind", async () => {
    const { stdout } = await runWorld("digest", SMALL);
    const digest = createHash("sha256")
      .update(await job.output("digest", "loot.csv"))
      .digest("hex");
    expect(stdout).toContain(digest);
    expect((await readdir(join(job.path, "digest"))).sort()).toEqual(["loot.csv", "map.png"]);
  });

  test("is the same twice, and another with another seed", async () => {
    const [first, again, other] = [
      await runWorld("first", SMALL),
      await runWorld("again", SMALL),
      await runWorld("other", SMALL, "--seed", "pond"),
    ];
    const digests = ({ stdout }: Outcome) => stdout.match(/[0-9a-f]{64}/g);
    expect(digests(first)).toHaveLength(2);
    expect(digests(again)).toEqual(digests(first));
    expect(digests(other)).not.toEqual(digests(first));
    expect(await job.output("again", "map.png")).toEqual(await job.output("first", "map.png"));
    expect(other.stdout).toContain('seed "pond"');
  });
});

describe("what is wrong with a world is said before anything is made", () => {
  const changed = (part: object) => ({ ...SMALL, ...part });
  const loot = (part: object) => changed({ loot: { ...SMALL.loot, ...part } });
  const cases: [name: string, world: unknown, messages: readonly string[]][] = [
    ["no object", 3, ["w.json: ", "[file.json]"]],
    [
      "every field at once",
      { sed: 1, picture: [], loot: { rolls: -1 } },
      [
        'w.json: unknown key: got "sed", expected one of seed, walk, picture, loot [file.json]',
        "w.json seed: ",
        "w.json walk: ",
        "w.json picture: ",
        "w.json loot.table: ",
        "w.json loot.rolls: ",
        "w.json loot.now: ",
      ],
    ],
    ["a key of another object", changed({ loot: { ...SMALL.loot, toString: 1 } }), ['unknown key: got "toString"']],
    ["a bad walk", changed({ walk: { steps: -1 } }), ["w.json walk.steps: ", "[walk.spec]"]],
    [
      "a layer that is not there",
      changed({ picture: { colors: { sea: "blues" } } }),
      ["w.json picture.colors: ", "[file.json]"],
    ],
    [
      "a colour map that is not there",
      changed({ picture: { colors: { land: "mud" } } }),
      ["w.json picture: ", "[argument.range]"],
    ],
    [
      "a bad background",
      changed({ picture: { background: [1] } }),
      ["w.json picture: ", "got an array of 1", "[argument.range]"],
    ],
    ["a table that is not there", loot({ table: "none.2da" }), ["w.json loot.table: ", "[file.read]"]],
    ["a table that is none", loot({ table: "w.json" }), ["w.json loot.table.rows: ", "[argument.type]"]],
    ["a row that is not there", loot({ start: 99 }), ["w.json loot: ", "[table.start]"]],
    ["a time that is none", loot({ now: "soon" }), ["w.json loot.now: "]],
  ];
  test.each(cases)("%s", async (_, world, messages) => {
    const { code, stdout, stderr } = await runWorld("w", world);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    for (const message of messages) expect(stderr).toContain(message);
    await expect(stat(join(job.path, "w"))).rejects.toThrow("ENOENT");
  });

  test("a world that is not there, an unknown option and two worlds exit 2", async () => {
    for (const args of [["none.json"], ["--colour"], ["a.json", "b.json"]]) {
      const { code, stderr } = await job.run(...args);
      expect(code, stderr).toBe(2);
      expect(stderr).toMatch(/\[(file\.read|cli\.usage)\]\n$/);
    }
  });

  test("a folder that cannot be written to is a failure, not bad input", async () => {
    await writeFile(join(job.path, "taken"), "");
    await writeFile(join(job.path, "good.json"), JSON.stringify(SMALL));
    const { code, stderr } = await job.run("good.json", "--out", "taken");
    expect({ code, said: stderr.includes("[file.write]") }).toEqual({ code: 1, said: true });
  });
});

test("names in a world file do not control the terminal", async () => {
  const evil = "a\u001b]0;b\u0007c\u202ed";
  const [layer] = SMALL.walk.layers;
  const { picture: _, ...world } = SMALL;
  const walk = { layers: [{ ...layer, name: evil }] };
  const done = await runWorld("evil.json", { ...world, walk });
  const failed = await runWorld("evil.json", { ...world, walk, [evil]: 1 });
  for (const { stdout, stderr } of [done, failed]) {
    expect(stdout + stderr).not.toMatch(/(?!\n)[\p{Control}\u202e]/u);
    expect(stdout + stderr).toContain("\\u202e");
  }
});
