import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const ENTRIES = [
  { result: "gold", weight: 70, quantity: "2d6+1" },
  { result: "gem, red", weight: "1/3" },
  { result: null, weight: 20.5 },
];
const cwd = folderWith({
  "loot.json": JSON.stringify(ENTRIES),
  "plain.json": '{"gold": 70, "gem": 5}',
  "loot.csv": '\ufeffweight,result,quantity\r\n70,gold,2d6+1\r\n1/3,"gem, red",\r\n20.5,,\r\n',
  "header.csv": "result,wieght\ngold,1\n",
  "quote.csv": 'result,weight\ngold,1\n"gem,1\n',
  "cell.csv": "result,weight\ngold,1\ngem,many\n",
});
const pick = (...args: string[]) => rollmill(["pick", ...args], { cwd });
const mill = () => createMill({ seed: "moria" });

describe("pick prints one pick per line", () => {
  test("of labels with weights", async () => {
    const { code, stdout, stderr } = await pick("gold=70", "gem=1/3", "a=b=0.5", "--seed", "moria", "-n", "50");
    const list = mill().weighted("pick", { gold: 70, gem: "1/3", "a=b": 0.5 });
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: [...list.pickMany(50)].map((p) => `${p}\n`).join(""),
      stderr: "",
    });
  });

  test.each(["loot.json", "loot.csv"])("of %s: a tab before the quantity, an empty line for nothing", async (file) => {
    const { stdout } = await pick(file, "--seed", "moria", "-n", "60", "--from", "1000", "--fork", "p");
    const picks = mill().weighted("loot", ENTRIES).fork("p").pickMany(60, { from: 1000 });
    const lines = Array.from(picks, (one) =>
      one === null ? "\n" : typeof one === "string" ? one : `${one.result}\t${one.quantity}\n`,
    );
    expect(stdout).toBe(lines.join(""));
    expect(stdout).toMatch(/^\n/m);
  });

  test("as JSON, with the seed", async () => {
    const { stdout } = await pick("plain.json", "--seed", "moria", "-n", "5", "--json");
    const results = [...mill().weighted("plain", { gold: 70, gem: 5 }).pickMany(5)];
    const document = { stream: 2, command: "pick", seed: "moria", name: "plain", from: 0, data: results };
    expect(JSON.parse(stdout)).toEqual(document);
    expect(dataOf((await pick("plain.json", "--seed", "a", "-n", "0", "--json")).stdout)).toEqual([]);
  });

  test("a run without --seed prints the seed that repeats it; entries from stdin", async () => {
    const first = await rollmill(["pick", "-", "-n", "9"], { input: '{"gold": 2, "gem": 1}' });
    const seed = String(/^seed: (\S+)\n$/.exec(first.stderr)?.[1]);
    expect((await pick("gold=2", "gem=1", "-n", "9", "--seed", seed)).stdout).toBe(first.stdout);
  });

  test("more picks than one batch", async () => {
    const { stdout } = await pick("plain.json", "--seed", "moria", "-n", "300000");
    expect(stdout).toBe(
      [...mill().weighted("plain", { gold: 70, gem: 5 }).pickMany(300_000)].map((p) => `${p}\n`).join(""),
    );
  });
});

describe("pick --odds prints exact fractions", () => {
  test("as text and as JSON", async () => {
    expect((await pick("gold=70", "gem=5", "--odds")).stdout).toBe("gold\t14/15\t0.933333\ngem\t1/15\t0.0666667\n");
    const { stdout } = await pick("loot.csv", "--odds", "--json");
    expect(dataOf(stdout)).toMatchObject({
      odds: [{ result: "gold", numerator: "84", denominator: "109" }, { result: "gem, red" }],
      none: { numerator: "123", denominator: "545" },
    });
    expect((await pick("loot.csv", "--odds")).stdout).toMatch(/^\(none\)\t123\/545\t/m);
  });
});

describe("pick refuses", () => {
  test.each([
    [["gold"], "file.read"],
    [["gold=1", "gem"], "cli.usage"],
    [["=1"], "cli.usage"],
    [["gold=x"], "weights.invalid"],
    [["gold=0"], "weights.empty"],
    [["gold=3.14159265358979", "gem=1"], "weights.decimals"],
    [["header.csv"], "weights.invalid"],
    [["quote.csv"], "weights.invalid"],
    [["cell.csv"], "weights.invalid"],
    [[], "missing required argument"],
  ])("%j", async (args, code) => {
    const { code: exit, stdout, stderr } = await pick(...args, "--seed", "a");
    expect({ exit, stdout }).toEqual({ exit: 2, stdout: "" });
    expect(stderr).toContain(code);
  });
});
