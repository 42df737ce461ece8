import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const OWN = "item\tweight\tmin\tmax\ngold\t70\t2\t12\nsword\t5\t1\t1\n\t25\t\t\n";
const ENTRIES = [
  { result: "gold", weight: 70, quantity: "2-12" },
  { result: "sword", weight: 5, quantity: 1 },
  { result: null, weight: 25 },
];
const DROPS = {
  always: [{ result: "bones" }],
  rolls: "0-2",
  table: {
    rows: {
      A: [
        { result: "gem", weight: 1 },
        { result: null, weight: 1 },
      ],
    },
  },
};
const cwd = folderWith({
  "loot.csv": OWN,
  "loot.tsv": OWN,
  "comma.csv": OWN.replaceAll("\t", ","),
  "semicolon.csv": OWN.replaceAll("\t", ";"),
  "orc.json": JSON.stringify(DROPS),
  "prices.csv": "item,price\ngold,1\nsword,30\n",
  "items.json": '["a", 2, "=c"]',
  "table.csv": "table,result\nA,-> B\nB,gold\n",
  "arrow.csv": "result\n-> B\n",
  "nameless.csv": "gold,70\ngem,5\n",
  "deck.csv": "name;quantity\nelm;2\noak;\n",
  "plain.csv": "elm\noak\n",
  "half.csv": "id,quantity\nelm,1.5\n",
});
const run = (...args: string[]) => rollmill([...args, "--seed", "moria"], { cwd });
const fileOf = (name: string) => readFileSync(join(cwd, name), "utf8");
const mill = () => createMill({ seed: "moria" });
const csv = (rows: readonly (readonly unknown[])[]) => `${rows.map((row) => row.join(",")).join("\n")}\n`;
type Cells = readonly (string | number | null)[];
const stack = (one: unknown): Cells => {
  const { result = null, quantity = 0 } = (one ?? {}) as { result?: string; quantity?: number };
  return [result ?? "", quantity];
};

describe("one's own CSV, with item, weight, min and max (first hour 9)", () => {
  test.each(["loot.csv", "loot.tsv", "comma.csv", "semicolon.csv"])("pick %s -o", async (file) => {
    const { code, stdout, stderr } = await run("pick", file, "-n", "300", "--name", "loot", "-o", "out.csv");
    expect([code, stdout]).toEqual([0, ""]);
    expect(stderr).toMatch(/^out\.csv: 300 picks in /);
    const rows = [...mill().weighted("loot", ENTRIES).pickMany(300)].map(stack);
    expect(fileOf("out.csv")).toBe(csv([["result", "quantity"], ...rows]));
  });

  test("table roll -o", async () => {
    expect((await run("table", "roll", "loot.tsv", "-n", "300", "-o", "rolls.csv")).code).toBe(0);
    const rows = [
      ...mill()
        .table("loot", { rows: { A: ENTRIES } })
        .rollMany(300),
    ].map(stack);
    expect(fileOf("rolls.csv")).toBe(csv([["result", "quantity"], ...rows]));
  });

  test.each([
    [["pick", "table.csv"], /^table\.csv:2:3: .*table roll table\.csv.*\[weights\.invalid\]/],
    [["pick", "arrow.csv"], /^arrow\.csv:2:1: .*\[weights\.invalid\]/],
    [["pick", "nameless.csv"], /^nameless\.csv:1:1: .*"result,weight,quantity".*\[weights\.invalid\]/],
  ])("%j is refused with a remedy", async (args, message) => {
    const { code, stderr } = await run(...args);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test("shuffle deals the items of a CSV with a header, as often as their quantity says", async () => {
    const dealt = async (file: string) => (await run("shuffle", file)).stdout.trimEnd().split("\t").sort();
    expect(await dealt("deck.csv")).toEqual(["elm", "elm", "oak"]);
    expect(await dealt("plain.csv")).toEqual(["elm", "oak"]);
    expect((await run("shuffle", "half.csv")).stderr).toContain("half.csv:2:5");
  });

  test("a header without the items is one error, which names the columns", async () => {
    const { code, stderr } = await run("pool", "draw", "nameless.csv");
    expect([code, stderr.match(/nameless\.csv:/g)?.length]).toEqual([2, 1]);
    expect(stderr).toContain("id,quantity");
  });

  test("mill.table reads tabs and semicolons without the name of a file", () => {
    const open = (text: string) => mill().table("loot", text).rollMany(20).results;
    expect(open(OWN)).toEqual(open(OWN.replaceAll("\t", ",")));
    expect(open(OWN.replaceAll("\t", ";"))).toEqual(open(OWN));
  });

  test("a note says that a single entry always wins", async () => {
    expect((await run("pick", "crown=1/50")).stderr).toContain("always wins");
    expect((await run("pick", "crown=1", "nothing=49")).stderr).not.toContain("always wins");
  });

  test("CSV from stdin", async () => {
    const piped = await rollmill(["pick", "-", "--seed", "moria", "--name", "loot", "-n", "5"], { input: OWN });
    expect(piped.stdout).toBe((await run("pick", "loot.csv", "-n", "5")).stdout);
  });
});

describe("-o FILE of commands that print results (first hour 9)", () => {
  const TOO_MANY = "300000";
  test.each<[string[], readonly Cells[]]>([
    [
      ["dice", "2d6", "-n", TOO_MANY],
      [["value"], ...Array.from(mill().dice("dice", "2d6").rollMany(300_000), (value) => [value])],
    ],
    [
      ["pick", "a=1", "b=2"],
      [["result"], [mill().weighted("pick", { a: 1, b: 2 }).pick()]],
    ],
    [
      ["sample", "--size", "2", "a", "b", "c", "-n", "9"],
      [["item1", "item2"], ...mill().sample("sample", ["a", "b", "c"], { size: 2 }).drawMany(9)],
    ],
    [
      ["shuffle", "items.json", "--raw-cells", "-n", "9"],
      [["item1", "item2", "item3"], ...mill().shuffle("items", ["a", 2, "=c"]).drawMany(9)],
    ],
    [
      ["drops", "orc.json", "-n", "50", "--from", "7"],
      [
        ["drop", "result"],
        ...[...mill().drops("orc", DROPS).rollMany(50, { from: 7 })].flatMap((drop, k) =>
          drop.map((one) => [k + 7, `${one}`]),
        ),
      ],
    ],
  ])("%j as CSV", async (args, rows) => {
    expect((await run(...args, "-o", "some.csv")).code).toBe(0);
    expect(fileOf("some.csv")).toBe(csv(rows));
  });

  test.each([
    ["pick", "loot.csv"],
    ["table", "roll", "loot.csv"],
    ["drops", "orc.json"],
    ["dice", "2d6"],
    ["sample", "--size", "2", "a", "b", "c"],
    ["shuffle", "a", "b", "c"],
  ])(
    "%s %s %s: -o .json is --json, -o .ndjson its data, .parquet a file; no result gives a header",
    async (...args) => {
      const { stdout } = await run(...args, "-n", "20", "--json");
      for (const type of ["json", "ndjson", "parquet"]) await run(...args, "-n", "20", "-o", `out.${type}`);
      expect(JSON.parse(fileOf("out.json"))).toEqual(JSON.parse(stdout));
      const lines = fileOf("out.ndjson").trimEnd().split("\n");
      expect(lines.map((line) => JSON.parse(line))).toEqual(dataOf(stdout));
      expect(fileOf("out.parquet")).toMatch(/^PAR1.*PAR1$/s);
      await run(...args, "-n", "0", "-o", "out.csv");
      expect(parse(fileOf("out.csv"))).toHaveLength(1);
    },
  );

  test("cells that a spreadsheet would run get an apostrophe", async () => {
    await run("pick", "=c=1", "-o", "safe.csv");
    expect(fileOf("safe.csv")).toBe("result\n'=c\n");
  });

  test.each([
    [["pick", "a=1", "-o", "x.txt"]],
    [["pick", "a=1", "-o", "x.csv", "--json"]],
    [["pick", "a=1", "-o", "x.csv", "--odds"]],
    [["pick", "a=1", "--from", "3", "--odds"]],
    [["dice", "2d6", "--count", "--odds"]],
    [["dice", "2d6", "--count", "-o", "x.csv"]],
    [["table", "roll", "loot.csv", "--count", "-o", "x.csv"]],
    [["drops", "orc.json", "--odds", "-n", "5"]],
    [["table", "odds", "loot.csv", "-o", "x.csv"]],
  ])("%j is refused", async (args) => {
    const { code, stdout, stderr } = await run(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/\[cli\.usage\]/);
  });

  test("a file that cannot be written", async () => {
    const { code, stderr } = await run("pick", "a=1", "-o", "nowhere/x.csv");
    expect([code, stderr]).toEqual([1, expect.stringMatching(/\[file\.write\]/)]);
  });
});

describe("pick --odds -n and dice --odds -n: at least one in n (first hour 9)", () => {
  test("as the drops of n rolls", async () => {
    const drops = mill().drops("a", {
      rolls: 50,
      table: {
        rows: {
          A: [
            { result: "crown", weight: 1 },
            { result: null, weight: 49 },
          ],
        },
      },
    });
    const { odds, none } = drops.odds();
    const list = folderWith({ "crown.csv": "result,weight\ncrown,1\n,49\n" });
    const { stdout } = await rollmill(["pick", "crown.csv", "--odds", "-n", "50", "--json"], { cwd: list });
    const data = dataOf(stdout);
    const shown = ({ numerator, denominator }: { numerator: bigint; denominator: bigint }) => ({
      numerator: `${numerator}`,
      denominator: `${denominator}`,
    });
    expect(data).toMatchObject({
      n: 50,
      odds: odds.map(({ result, atLeastOne, expected }) => ({
        result,
        atLeastOne: shown(atLeastOne),
        expected: shown(expected),
      })),
      none: shown(none),
    });
    const text = await rollmill(["pick", "crown.csv", "--odds", "-n", "50"], { cwd: list });
    expect(text.stdout).toMatch(/^crown\t\d+\/\d+\t0\.635830\t1\/1\t1\.00000\n\(none\)\t\d+\/\d+\t0\.364170\n$/);
    const dice = await run("dice", "2d2", "--odds", "-n", "2");
    expect(dice.stdout.split("\n")[0]).toBe("2\t7/16\t0.437500\t1/2\t0.500000");
  });

  test("table odds -n prints the same, and names the columns on stderr", async () => {
    const list = folderWith({ "crown.csv": "result,weight\ncrown,1\n,49\n" });
    const pick = await rollmill(["pick", "crown.csv", "--odds", "-n", "50"], { cwd: list });
    const table = await rollmill(["table", "odds", "crown.csv", "-n", "50"], { cwd: list });
    expect([table.code, table.stdout]).toEqual([0, pick.stdout]);
    expect(table.stderr).toMatch(/^columns: result, /);
    expect(pick.stderr).toBe(table.stderr);
  });

  test.each<[string[], string]>([
    [["live.csv", "-n", "2", "--script", "nwangband"], "cli.usage"],
    [["loop.csv", "-n", "2", "--script-arg", "now=2026-11-24T12:00"], "cli.usage"],
    [["plain.csv", "-n", "2", "--rows"], "cli.usage"],
    [["plain.csv", "-n", "0"], "argument.range"],
  ])("table odds %j is refused", async (args, code) => {
    const cwd = folderWith({
      "live.csv": "result,weight\ngold,s1700\ngem,2\n",
      "loop.csv": "table,result,jump,weight\nA,gold,,1\nA,,B,1\nB,,B,1\nB,gem,,s1\n",
      "plain.csv": "result,weight\ngold,1\ngem,1\n",
    });
    const { code: exit, stderr } = await rollmill(["table", "odds", ...args], { cwd });
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
  });

  test("table odds -n takes scripts with a constant weight", async () => {
    const cwd = folderWith({ "live.csv": "result,weight\ngold,s1700\ngem,2\n" });
    const { stdout } = await rollmill(
      ["table", "odds", "live.csv", "-n", "2", "--script", "nwangband", "--weight", "1700=2"],
      { cwd },
    );
    expect(stdout).toBe("gold\t3/4\t0.750000\t1/1\t1.00000\ngem\t3/4\t0.750000\t1/1\t1.00000\n");
  });

  test.each(["0", "1001"])("-n %s is refused", async (n) => {
    expect((await run("pick", "a=1", "--odds", "-n", n)).stderr).toMatch(/\[argument\.range\]/);
  });
});

describe("table roll --payload (first hour 18)", () => {
  test("adds the cells of the payload's row to lines, JSON and columns", async () => {
    const args = ["table", "roll", "comma.csv", "--payload", "prices.csv", "-n", "60"];
    const table = mill().table("comma", { rows: { A: ENTRIES } });
    const rolls = [...table.rollMany(60)];
    const prices: Readonly<Record<string, number>> = { gold: 1, sword: 30 };
    const lines = rolls.map((roll) => {
      const [result, quantity] = stack(roll);
      return roll === null ? "\t\t" : `${result}\t${quantity}\t${result}\t${prices[`${result}`]}`;
    });
    const { stdout } = await run(...args);
    expect(stdout.trimEnd().split("\n")).toEqual(lines.join("\n").trimEnd().split("\n"));
    const data = dataOf((await run(...args, "--json")).stdout);
    const joined = rolls.map((roll) => {
      const [item] = stack(roll);
      return roll === null ? null : { ...(roll as object), payload: { item, price: `${prices[`${item}`]}` } };
    });
    expect(data).toEqual(joined);
    await run(...args, "-o", "joined.csv");
    const rows = rolls.map((roll) => [
      ...stack(roll),
      ...(roll === null ? ["", ""] : [stack(roll)[0], prices[`${stack(roll)[0]}`]]),
    ]);
    expect(fileOf("joined.csv")).toBe(csv([["result", "quantity", "item", "price"], ...rows]));
  });
});

describe("help (first hour 9)", () => {
  test.each([["table roll"], ["table"], ["pick"], ["recipe tables import"], [""]])(
    "help %s is its --help",
    async (words) => {
      const names = words.split(" ").filter((word) => word !== "");
      const wanted = await rollmill([...names, "--help"]);
      expect(await rollmill(["help", ...names])).toEqual(wanted);
      expect(wanted).toMatchObject({ code: 0, stderr: "" });
    },
  );

  test.each([["tabel"], ["table rol"]])("help %s is an unknown command", async (words) => {
    const { code, stdout, stderr } = await rollmill(["help", ...words.split(" ")]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/unknown command/);
  });

  test("arguments after the name do not matter", async () => {
    expect((await rollmill(["help", "pick", "gold=1"])).stdout).toMatch(/^Usage: rollmill pick/);
  });

  test("README's table of commands has every command, and no other", async () => {
    const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8");
    const { stdout } = await rollmill(["completion", "bash"]);
    const paths = [...stdout.matchAll(/^ {4}' ([a-z ]+)'\) words=/gm)].map(([, path]) => path);
    const leaves = paths.filter((path) => !paths.some((other) => other.startsWith(`${path} `)));
    expect(leaves.length).toBeGreaterThan(40);
    const cells = [...readme.matchAll(/^\| (`rollmill [^|]*) \|/gm)].map(([, cell]) => cell);
    const named = cells.flatMap((cell) => {
      let last = "";
      return [...cell.matchAll(/`(?:rollmill )?([^`]+)`/g)].map(([, text]) => {
        const words = text.replace("…", last.split(" ").slice(0, -1).join(" "));
        last = leaves.find((leaf) => `${words} `.startsWith(`${leaf} `)) ?? words;
        return last;
      });
    });
    expect(new Set(named)).toEqual(new Set(leaves));
  });
});
