import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMill, type PoolsInput } from "../../src/index.js";
import { ENTITIES, ITEMS } from "../pools/build.js";
import { folderWith, rollmill } from "./rollmill.js";

/** All that a draw can be refused for but its path: nothing to give, or nothing there. */
const BARE = {
  roots: { w: { kind: "finite", records: [{ id: "air", mass: 0 }] }, v: { kind: "infinite" } },
} as const satisfies PoolsInput;
const cwd = folderWith({
  "items.json": JSON.stringify(ITEMS),
  "entities.json": JSON.stringify(ENTITIES),
  "bare.json": JSON.stringify(BARE),
});
const draw = (...args: string[]) => rollmill(["pool", "draw", "--seed", "moria", ...args], { cwd });
const pools = (name: string, input: PoolsInput) => createMill({ seed: "moria" }).pools(name, input);
const lines = (ids: Iterable<unknown>) => Array.from(ids, (id) => `${id}\n`).join("");

describe("pool draw --from", () => {
  test("prints the draws of a longer run from this index on, and -n counts the printed ones", async () => {
    const all = [...pools("items", ITEMS).pool("i.rare").drawMany(30)];
    for (const from of [0, 1, 13, 29]) {
      const { stdout } = await draw("items.json", "i.rare", "--from", String(from), "-n", String(30 - from));
      expect(stdout, `from ${from}`).toBe(lines(all.slice(from)));
    }
    expect((await draw("items.json", "i.rare", "--from", "13")).stdout).toBe(lines([all[13]]));
  });

  test("counts only the refreshes of the printed draws", async () => {
    // two records, one of each: a refresh before the draws of index 2, 4, 6 and 8
    for (const [from, n, refreshed] of [
      [0, 9, 4],
      [2, 1, 1],
      [3, 1, 0],
      [5, 4, 2],
      [6, 0, 0],
    ]) {
      const { stdout } = await draw("items.json", "i.rare", "--from", `${from}`, "-n", `${n}`, "--json");
      const draws = [
        ...pools("items", ITEMS)
          .pool("i.rare")
          .drawMany(from + n),
      ].slice(from);
      expect(JSON.parse(stdout), `from ${from}`).toMatchObject({ from, data: draws, refreshed });
    }
  });

  test("moves directly to any draw from an infinite pool", async () => {
    const from = 2 ** 42 - 5;
    const family = pools("entities", ENTITIES);
    family.next = from;
    const { stdout } = await draw("entities.json", "e", "--from", String(from), "-n", "5");
    expect(stdout).toBe(lines(family.pool("e").drawMany(5)));
    const near = await draw("entities.json", "e", "--from", "7", "-n", "5");
    expect(near.stdout).toBe(lines([...pools("entities", ENTITIES).pool("e").drawMany(12)].slice(7)));
  });
});

describe("pool draw --name", () => {
  test("names the family instead of the file's stem", async () => {
    const args = ["i.common", "-n", "40"] as const;
    const ids = (name: string) => lines(pools(name, ITEMS).pool("i.common").drawMany(40));
    expect(ids("loot/x")).not.toBe(ids("items"));
    expect((await draw("items.json", ...args)).stdout).toBe(ids("items"));
    expect((await draw("items.json", ...args, "--name", "loot/x")).stdout).toBe(ids("loot/x"));
  });

  test("is 'pools' by default for a spec from stdin", async () => {
    const input = JSON.stringify(ITEMS);
    const { stdout } = await rollmill(["pool", "draw", "-", "i", "-n", "40", "--seed", "moria"], { input });
    expect(stdout).toBe(lines(pools("pools", ITEMS).pool("i").drawMany(40)));
  });
});

describe("an id that would break its line", () => {
  const odd = ["two\nlines", "a\ttab", "next\u0085line", "\u2028", "\ud800", "\u001b[2J"];
  const printed = ['"two\\nlines"', '"a\\ttab"', '"next\\u0085line"', '"\\u2028"', '"\\ud800"', '"\\u001b[2J"'];

  test("is printed as JSON by draw and odds, and every other id unchanged", async () => {
    const plain = ['"so called"', "back\\slash", "épée", "📜", "7"];
    const records = [...odd, ...plain];
    const spec: PoolsInput = { roots: { i: { kind: "finite", records } } };
    const input = JSON.stringify(spec);
    const n = String(records.length);
    const drawn = await rollmill(["pool", "draw", "-", "i", "-n", n, "--seed", "a"], { input });
    const listed = drawn.stdout.trimEnd().split("\n");
    expect([...listed].sort()).toEqual([...printed, ...plain].sort());
    const ids = [...createMill({ seed: "a" }).pools("pools", spec).pool("i").drawMany(records.length)];
    expect(listed.map((line) => (printed.includes(line) ? JSON.parse(line) : line))).toEqual(ids);
    const odds = await rollmill(["pool", "odds", "-", "i"], { input });
    expect(odds.stdout.trimEnd().split("\n")).toEqual(
      [...printed, ...plain].map((id) => `${id}\t1/${n}\t${(1 / records.length).toPrecision(6)}`),
    );
  });
});

describe("pool draw, of many", () => {
  test("300,000 draws, in text and as JSON, are those of one call", async () => {
    const drawn = pools("items", ITEMS).pool("i").drawMany(300_000);
    const [draws, { refreshed }] = [[...drawn], drawn];
    const [text, document] = await Promise.all([
      draw("items.json", "i", "-n", "300000"),
      draw("items.json", "i", "-n", "300000", "--json"),
    ]);
    expect(sha256(text.stdout)).toBe(sha256(lines(draws)));
    const head = { stream: 2, command: "pool draw", seed: "moria", name: "items", from: 0 };
    expect(sha256(document.stdout)).toBe(sha256(`${JSON.stringify({ ...head, data: draws, refreshed })}\n`));
  });

  test("no draws are an empty text and a valid document", async () => {
    expect(await draw("items.json", "i", "-n", "0")).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const { stdout } = await draw("items.json", "i", "-n", "0", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ data: [], refreshed: 0 });
  });

  test("without --seed, the printed random seed repeats the run", async () => {
    const first = await rollmill(["pool", "draw", "items.json", "i", "-n", "50"], { cwd });
    const [line, seed] = /^seed: ([0-9a-f]{12})\n/.exec(first.stderr) ?? [""];
    const again = await rollmill(["pool", "draw", "items.json", "i", "-n", "50", "--seed", String(seed)], { cwd });
    expect(again).toMatchObject({ code: 0, stdout: first.stdout, stderr: first.stderr.slice(line.length) });
    expect(again.stderr).toMatch(/^the pool was empty and refilled/);
  });

  test("a reader that closes the pipe ends an endless command with 0", async () => {
    for (const format of [[], ["--json"]]) {
      const args = ["pool", "draw", "items.json", "i", "--seed", "a", "-n", "4398046511104", ...format];
      expect(await rollmill(args, { cwd, stdoutError: "EPIPE" })).toMatchObject({ code: 0, stderr: "" });
    }
  });

  test("a terminal shows the progress of the draws before --from", async () => {
    const args = ["pool", "draw", "items.json", "i.rare.weapon", "--seed", "a", "--from", "3000000"];
    const { code, stdout, stderr } = await rollmill(args, { cwd, terminal: true });
    expect(code).toBe(0);
    expect(stdout).toMatch(/sword\n$/);
    expect(stderr).toMatch(/drawing .*%.* draws\/s {2}ETA /);
  });
});

describe("pool draw is refused before anything is printed", () => {
  test.each([
    [["items.json", "i", "-n", "1e-3"], /'1e-3'.* an integer from 0 to 4398046511104,/],
    [["items.json", "i", "-n", "-1"], /\[cli\.usage\]/],
    [["items.json", "i", "--from", "-1"], /'-1'.* an integer from 0 to 4398046511103,/],
    [["items.json", "i", "--from", "4398046511104"], /an integer from 0 to 4398046511103, .* \[cli\.usage\]/],
    [["items.json", "i", "--from", "0.5"], /\[cli\.usage\]/],
    [
      ["items.json", "i", "--from", "3", "-n", "4398046511104"],
      /got 4398046511104, expected an integer from 0 to 4398046511101 \[argument\.range\]/,
    ],
    [["items.json", "i", "--name"], /argument missing \[cli\.usage\]/],
    [["items.json", "i", "--name", ""], /\[argument\.type\]/],
    [["items.json", "i", "--frm", "3"], /unknown option '--frm'.*\n?.*Did you mean --from/],
    [["bare.json"], /\[cli\.usage\]/],
    [["items.json", "i", "extra"], /too many arguments.*\[cli\.usage\]/],
    [["items.json", "i.~", "--active", "i"], /\[cli\.usage\]\n/],
    [["items.json", "i.~", "--active", "i=rare,wepon"], /Did you mean "weapon"\? \[pool\.unknown\]/],
    [["items.json", "i.~", "--active", "j=rare"], /\[pool\.unknown\]/],
    [["items.json", "i.rare.wepon", "--from", "9"], /Did you mean "weapon"\? \[pool\.unknown\]/],
    [["items.json", "j", "--json"], /\[pool\.unknown\]/],
    [["items.json", "*", "--json"], /\[pool\.star\]/],
    [["items.json", "*.weapon", "-n", "0"], /\[pool\.star\]/],
    [["items.json", "i..rare"], /\[pool\.path\]/],
    [["items.json", "i.common.trinket", "-n", "0", "--json"], /\[pool\.empty\]/],
    [["bare.json", "w", "--json"], /\[pool\.weightless\]/],
    [["bare.json", "v", "--from", "9", "-n", "0"], /\[pool\.empty\]/],
    [["absent.json", "i"], /^absent\.json: .*ENOENT.*\[file\.read\]/],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await draw(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
