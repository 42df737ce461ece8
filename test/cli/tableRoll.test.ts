import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { SEED_TABLE } from "../tables/seedTable.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

/** Row 1 is dead: it has no weight. */
const DEAD = `2DA V2.0

  Random0 Random0Weight Random1 Random1Weight Random2 Random2Weight
0 rb      2             ra      1             1       1
1 rc      0             ****    ****          ****    ****
2 rb      1             ra      5             rb      4
`;
const cwd = folderWith({ "loot.2da": SEED_TABLE, "dead.2da": DEAD });
const now = "--script-arg=now=2026-01-05T08:30";
const MONDAY = { script: { set: "random_default", now: "2026-01-05T08:30" } } as const;
const table = (name: string, text: string) => createMill({ seed: "moria" }).table(name, text);
const rolls = (file: string, ...args: string[]) =>
  rollmill(["table", "roll", file, "--seed", "moria", ...args], { cwd });

describe("table roll prints one result per line", () => {
  test("the library's rolls of the file's stem", async () => {
    const { code, stdout, stderr } = await rolls("loot.2da", "-n", "500", now);
    const { ids, results } = table("loot", SEED_TABLE).rollMany(500, MONDAY);
    expect(stdout).toBe(Array.from(ids, (id) => `${results[id]}\n`).join(""));
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  });

  test("an empty line for a roll without a result", async () => {
    const { stdout } = await rolls("dead.2da", "-n", "100");
    const { ids, results, none } = table("dead", DEAD).rollMany(100);
    expect(none).toBeGreaterThan(0);
    expect(stdout).toBe(Array.from(ids, (id) => `${results[id] ?? ""}\n`).join(""));
    expect(stdout.split("\n").filter((line) => line === "")).toHaveLength(none + 1);
  });

  test("one roll by default, no roll with -n 0", async () => {
    expect((await rolls("dead.2da")).stdout).toMatch(/^[ab]?\n$/);
    expect(await rolls("dead.2da", "-n", "0")).toMatchObject({ code: 0, stdout: "" });
  });

  test("--from and --start, and --name in place of the stem", async () => {
    const { stdout: all } = await rolls("loot.2da", "-n", "40", now);
    const { stdout: some } = await rolls("loot.2da", "-n", "10", "--from", "30", now);
    expect(some).toBe(all.split("\n").slice(30).join("\n"));
    const far = await rolls("dead.2da", "-n", "3", "--from", String(2 ** 42 - 3), "--start", "2", "--name", "loot/x");
    const { ids, results } = table("loot/x", DEAD).rollMany(3, { from: 2 ** 42 - 3, start: 2 });
    expect(far.stdout).toBe(Array.from(ids, (id) => `${results[id]}\n`).join(""));
  });

  test("--start is the number or the label of a row", async () => {
    const labelled = `2DA V2.0\n\n Label Random0 Random0Weight\n0 top rfirst 1\n1 5 rsecond 1\n2 twice rx 1\n3 twice rx 1\n`;
    const from = (start: string) =>
      rollmill(["table", "roll", "-", "--seed", "a", "--start", start], { input: labelled });
    expect((await from("top")).stdout).toBe("first\n");
    expect((await from("1")).stdout).toBe("second\n");
    expect((await from("label:5")).stdout).toBe("second\n");
    for (const start of ["5", "twice", "tpo"]) expect((await from(start)).stderr).toContain("[table.start]");
  });

  test("a table from stdin has the name 'table'", async () => {
    const { stdout } = await rollmill(["table", "roll", "-", "--seed", "moria", "-n", "9"], { input: DEAD });
    const { ids, results } = table("table", DEAD).rollMany(9);
    expect(stdout).toBe(Array.from(ids, (id) => `${results[id] ?? ""}\n`).join(""));
  });

  test("300,000 rolls, in text and as JSON, are those of one call", async () => {
    const { ids, results } = table("dead", DEAD).rollMany(300_000);
    const [text, document] = await Promise.all([
      rolls("dead.2da", "-n", "300000"),
      rolls("dead.2da", "-n", "300000", "--json"),
    ]);
    const list = Array.from(ids, (id) => results[id] ?? null);
    expect(sha256(text.stdout)).toBe(sha256(list.map((result) => `${result ?? ""}\n`).join("")));
    const head = { stream: 2, command: "table roll", seed: "moria", name: "dead", from: 0 };
    const data = list.map((result) => JSON.stringify(result)).join(",\n");
    expect(sha256(document.stdout)).toBe(sha256(`${JSON.stringify(head).slice(0, -1)},"data":[${data}]}\n`));
  });
});

describe("table roll --json", () => {
  test("is the document of a list, null for a roll without a result", async () => {
    const { stdout } = await rolls("dead.2da", "-n", "60", "--json");
    const document = JSON.parse(stdout) as object;
    const { ids, results } = table("dead", DEAD).rollMany(60);
    const list = Array.from(ids, (id) => results[id] ?? null);
    expect(list).toContain(null);
    expect(Object.entries(document)).toEqual([
      ["stream", 2],
      ["command", "table roll"],
      ["seed", "moria"],
      ["name", "dead"],
      ["from", 0],
      ["data", list],
    ]);
  });

  test("is valid JSON for no rolls", async () => {
    const { stdout } = await rolls("dead.2da", "-n", "0", "--json", "--name", "x");
    expect(dataOf(stdout)).toEqual([]);
  });
});

describe("table roll --count", () => {
  test("--json is {total, counts, none}: equal results merged, in order of first appearance", async () => {
    const { stdout } = await rolls("dead.2da", "-n", "10000", "--count", "--json");
    const { counts, none } = table("dead", DEAD).count(10_000);
    expect([...counts.keys()]).toEqual(["b", "a", "c"].filter((result) => counts.has(result)));
    expect(Object.entries(dataOf(stdout) as object)).toEqual([
      ["total", 10_000],
      ["counts", [...counts].map(([result, count]) => ({ result, count }))],
      ["none", none],
    ]);
  });

  test("text has a count, a tab and a result per line, rolls without a result last", async () => {
    const { stdout } = await rolls("dead.2da", "-n", "10000", "--count", "--from", "5");
    const { counts, none } = table("dead", DEAD).count(10_000, { from: 5 });
    const lines = [...[...counts].map(([result, count]) => `${count}\t${result}`), `${none}\t(none)`];
    expect(stdout).toBe(lines.map((line) => `${line}\n`).join(""));
  });

  test("equal results of different rows are counted together", async () => {
    const { stdout } = await rolls("dead.2da", "-n", "1000", "--count", "--start", "2");
    expect(stdout).toMatch(/^\d+\tb\n\d+\ta\n0\tc\n$/);
  });
});

describe("a run prints what is needed to repeat it", () => {
  test("without --seed, each run prints another random seed, which repeats the run", async () => {
    const [first, second] = await Promise.all(
      [1, 2].map(() => rollmill(["table", "roll", "dead.2da", "-n", "50"], { cwd })),
    );
    const seed = /^seed: ([0-9a-f]{12})\n$/.exec(first.stderr)?.[1];
    expect(second.stderr).not.toBe(first.stderr);
    const again = await rollmill(["table", "roll", "dead.2da", "-n", "50", "--seed", String(seed)], { cwd });
    expect(again).toMatchObject({ code: 0, stdout: first.stdout, stderr: "" });
  });

  test("the time is printed if a script reads the clock, and repeats the run", async () => {
    const first = await rolls("loot.2da", "-n", "200");
    const time = /^now: (\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\n$/.exec(first.stderr)?.[1];
    const again = await rolls("loot.2da", "-n", "200", "--script-arg", `now=${time}`);
    expect(again).toMatchObject({ code: 0, stdout: first.stdout, stderr: "" });
  });

  test("no time is printed if no script needs it", async () => {
    expect((await rolls("dead.2da")).stderr).toBe("");
    expect((await rolls("loot.2da", "--weight", "1=1", "--weight", "2=0")).stderr).toBe("");
  });
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
