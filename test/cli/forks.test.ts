import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createMill, type ForkId, type PoolsInput, type WalkInput } from "../../src/index.js";
import { tallyObjects, tallyRows } from "../../src/objects/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { writeObjectFolder } from "./objectFolder.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const LOOT = readFileSync(fileURLToPath(new URL("../../data/loot.2da", import.meta.url)), "utf8");
const POOLS: PoolsInput = {
  roots: { i: { kind: "finite", records: ["a", "b", "c", "d"].map((id) => ({ id, mass: 1, quantity: 9 })) } },
};
const LAND: WalkInput = { walkers: 3, steps: 500, preset: "five-ways" };
const cwd = folderWith({ "loot.2da": LOOT, "items.json": JSON.stringify(POOLS), "land.json": JSON.stringify(LAND) });
writeObjectFolder(join(cwd, "dungeon"), DUNGEON);

const mill = () => createMill({ seed: "moria" });
const run = async (...args: string[]) => {
  const { code, bytes, stdout, stderr } = await rollmill([...args, "--seed", "moria"], { cwd });
  expect({ args, code, errors: code === 0 ? "" : stderr }).toEqual({ args, code: 0, errors: "" });
  return { bytes, stdout };
};
const lines = (list: Iterable<unknown>) => Array.from(list, (line) => `${line ?? ""}\n`).join("");
const FORKS = ["--fork", "player/7", "--fork=-2,5"];
const forked = <N extends { fork(id: ForkId): N }>(noun: N): N => noun.fork("player/7").fork([-2, 5]);

describe("--fork makes the results of the fork in the library", () => {
  test("table roll; --json also prints the forks", async () => {
    const rolls = [...forked(mill().table("loot", LOOT, { start: 5, script: () => 3 })).rollMany(40)];
    const roll = ["table", "roll", "loot.2da", "--start", "5", "-n", "40", ...weights(LOOT), ...FORKS];
    expect((await run(...roll)).stdout).toBe(lines(rolls));
    const head = {
      stream: 2,
      command: "table roll",
      seed: "moria",
      name: "loot",
      forks: ["player/7", [-2, 5]],
      from: 0,
    };
    expect(JSON.parse((await run(...roll, "--json")).stdout)).toEqual({ ...head, data: rolls });
    const big = await run(
      "table",
      "roll",
      "loot.2da",
      "--start",
      "5",
      "--json",
      "--fork",
      "9007199254740993",
      "--fork",
      "-0",
    );
    expect(JSON.parse(big.stdout).forks).toEqual([{ integer: "9007199254740993" }, 0]);
    const plain = await run("table", "roll", "loot.2da", "--start", "5", "--json");
    const fields = ["stream", "command", "seed", "name", "from", "now", "data"];
    expect(Object.keys(JSON.parse(plain.stdout))).toEqual(fields);
  });

  test("pool draw, also after the draws before --from", async () => {
    const draws = [...forked(mill().pools("items", POOLS)).pool("i").drawMany(30)];
    expect((await run("pool", "draw", "items.json", "i", "-n", "30", ...FORKS)).stdout).toBe(lines(draws));
    const later = await run("pool", "draw", "items.json", "i", "-n", "10", "--from", "20", ...FORKS);
    expect(later.stdout).toBe(lines(draws.slice(20)));
  });

  test("walk run and walk ends", async () => {
    const walk = forked(mill().walk("land", LAND));
    expect(dataOf((await run("walk", "run", "land.json", "--json", ...FORKS)).stdout)).toEqual(walk.run().summary());
    using walked = walk.start();
    walked.advance(500);
    const ends = Array.from(walked.positions(), ({ row, col }) => `${row},${col}`);
    expect((await run("walk", "ends", "land.json", ...FORKS)).stdout).toBe(lines(ends));
  });

  test("recipe make", async () => {
    const { stdout } = await run("recipe", "make", "weapon", "-n", "20", "--json", ...FORKS);
    expect(dataOf(stdout)).toEqual(JSON.parse(JSON.stringify([...forked(mill().recipe("weapon")).makeMany(20)])));
  });

  test("object make and object stats", async () => {
    const maker = () => forked(mill().objects("dungeon", DUNGEON));
    const made = maker().makeMany(30, { level: 30, great: true });
    const make = await run("object", "make", "dungeon", "--level", "30", "--great", "-n", "30", ...FORKS);
    expect(make.stdout).toBe(lines(Array.from(made, (_, k) => made.name(k))));
    const stats = await run("object", "stats", "dungeon", "--levels", "29,30", "-n", "50", "--json", ...FORKS);
    expect(dataOf(stats.stdout).rows).toEqual([...tallyRows(tallyObjects(maker(), { levels: [29, 30], n: 50 }))]);
  });

  test("random words, in planes up to 2^64 − 1, and random dump", async () => {
    const stream = forked(mill().stream("loot"));
    const plane = 2n ** 64n - 1n;
    const words = await run("random", "words", "--name", "loot", "-n", "5", "--plane", String(plane), ...FORKS);
    expect(words.stdout).toBe(lines(stream.words(5, { plane })));
    const { bytes } = await run("random", "dump", "--name", "loot", "--bytes", "40", ...FORKS);
    expect(Array.from({ length: 10 }, (_, i) => bytes.readUInt32LE(4 * i))).toEqual([...stream.words(10)]);
  });
});

/** The options that give every script of a 2DA text the weight 3. */
function weights(text: string): string[] {
  const { scriptIds } = mill().table("it", text, { start: 5, script: () => 3 });
  return scriptIds.flatMap((id) => ["--weight", `${id}=3`]);
}

describe("the ids of --fork", () => {
  const wordsOf = async (...args: string[]) =>
    (await run("random", "words", "--name", "loot", "-n", "3", ...args)).stdout;
  const stream = () => mill().stream("loot");

  test.each<[string, ForkId]>([
    ["7", 7],
    ["007", 7],
    ["-5", -5],
    ["-0", 0],
    ["9007199254740991", 2 ** 53 - 1],
    ["9007199254740993", 2n ** 53n + 1n],
    ["9223372036854775807", 2n ** 63n - 1n],
    ["-9223372036854775808", -(2n ** 63n)],
    ["-2147483648,2147483647", [-(2 ** 31), 2 ** 31 - 1]],
    ["1,2,3", "1,2,3"],
    ["1, 2", "1, 2"],
    ["+5", "+5"],
    ["5.0", "5.0"],
    ["", ""],
    ["save 1", "save 1"],
    ["text:7", "7"],
    ["text:1,2", "1,2"],
    ["text:text:a", "text:a"],
    ["text:", ""],
  ])("%j", async (text, id) => {
    expect(await wordsOf("--fork", text)).toBe(lines(stream().fork(id).words(3)));
  });

  test("several fork in order", async () => {
    const [there, back] = [await wordsOf("--fork", "a", "--fork", "7"), await wordsOf("--fork", "7", "--fork", "a")];
    expect([there, back]).toEqual(
      [stream().fork("a").fork(7), stream().fork(7).fork("a")].map((fork) => lines(fork.words(3))),
    );
    expect(there).not.toBe(back);
  });

  test.each(["9223372036854775808", "-9223372036854775809", "2147483648,0", "0,-2147483649"])(
    "%s is out of range, and the remedy works",
    async (text) => {
      const refused = await rollmill(["random", "words", "--seed", "moria", "--fork", text], { cwd });
      expect([refused.code, refused.stdout]).toEqual([2, ""]);
      expect(refused.stderr).toContain(JSON.stringify(text));
      expect(refused.stderr).toMatch(/"text:".*\[argument\.range\]\n$/);
      expect(await wordsOf("--fork", `text:${text}`)).toBe(lines(stream().fork(text).words(3)));
    },
  );
});

test("every command that makes results explains --fork in the same words", async () => {
  const texts = new Set<string>();
  for (const command of [
    "table roll",
    "pool draw",
    "walk run",
    "walk ends",
    "recipe make",
    "object make",
    "object stats",
    "random words",
    "random dump",
  ]) {
    const { stdout } = await rollmill([...command.split(" "), "--help"]);
    const text = /--fork <id>([\s\S]*?)\n {2}-/.exec(stdout)?.[1].replace(/\s+/g, " ");
    expect([command, text]).toEqual([command, expect.stringContaining("repeatable")]);
    texts.add(String(text));
  }
  expect(texts.size).toBe(1);
});
