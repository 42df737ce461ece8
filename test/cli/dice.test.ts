import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { folderWith, rollmill } from "./rollmill.js";

const mill = () => createMill({ seed: "moria" });
const cwd = folderWith({
  "cards.txt": "\ufefface\r\nking\r\n\r\nqueen of hearts\n",
  "cards.json": '["ace", 7, {"suit": "hearts"}]',
  "none.txt": "\n",
  "flawed.json": '{"ace": 1}',
});
const run = (...args: string[]) => rollmill([...args, "--seed", "moria"], { cwd });

describe("dice", () => {
  test("prints a value on each line, of any fork and from any index", async () => {
    const { code, stdout, stderr } = await run(
      "dice",
      "2d6+1",
      "-n",
      "300",
      "--from",
      "1k",
      "--fork",
      "p",
      "--name",
      "hp",
    );
    const rolls = mill().dice("hp", "2d6+1").fork("p").rollMany(300, { from: 1000 });
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: `${rolls.join("\n")}\n`, stderr: "" });
  });

  test("prints more rolls than one batch, as JSON too", async () => {
    const rolls = [...mill().dice("dice", "1-100").rollMany(300_000)];
    expect(JSON.parse((await run("dice", "1-100", "-n", "3e5", "--json")).stdout)).toEqual({
      stream: 2,
      command: "dice",
      seed: "moria",
      name: "dice",
      from: 0,
      data: rolls,
    });
  });

  test("counts", async () => {
    const { stdout } = await run("dice", "2d2", "-n", "4000", "--count");
    const { counts } = mill().dice("dice", "2d2").count(4000);
    expect(stdout).toBe([2, 3, 4].map((value) => `${counts.get(value)}\t${value}\n`).join(""));
    const document = JSON.parse((await run("dice", "2d2", "-n", "4000", "--count", "--json")).stdout) as object;
    expect(document).toMatchObject({
      data: { total: 4000, none: 0, counts: [{ result: 2 }, { result: 3 }, { result: 4 }] },
    });
  });

  test("prints exact odds, without a seed", async () => {
    const { stdout, stderr } = await rollmill(["dice", "2d2-1", "--odds"]);
    expect({ stdout, stderr }).toEqual({
      stdout: "1\t1/4\t0.250000\n2\t1/2\t0.500000\n3\t1/4\t0.250000\n",
      stderr: "",
    });
    const document = JSON.parse((await rollmill(["dice", "d2", "--odds", "--json"])).stdout) as object;
    const half = { numerator: "1", denominator: "2", probability: 0.5 };
    expect(document).toMatchObject({
      data: {
        odds: [
          { result: 1, ...half },
          { result: 2, ...half },
        ],
      },
    });
  });

  test.each([["2d"], ["6-1"], ["loot.2da"]])("%s is refused", async (input) => {
    const { code, stdout, stderr } = await run("dice", input);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain("[amount.invalid]");
  });
});

describe("shuffle and sample", () => {
  test("print a result on each line, with tabs between the items", async () => {
    const { stdout } = await run("shuffle", "ann", "bob", "cid", "-n", "50");
    const drawn = mill().shuffle("shuffle", ["ann", "bob", "cid"]).drawMany(50);
    expect(stdout).toBe([...drawn].map((one) => `${one.join("\t")}\n`).join(""));
    const some = await run("sample", "--size", "2", "ann", "bob", "cid", "-n", "9", "--from", "7", "--fork", "5");
    const sampled = mill().sample("sample", ["ann", "bob", "cid"], { size: 2 }).fork(5).drawMany(9, { from: 7 });
    expect(some.stdout).toBe([...sampled].map((one) => `${one.join("\t")}\n`).join(""));
  });

  test("read the items of a text or of a JSON list, whose name is the name of the results", async () => {
    const { stdout } = await run("shuffle", "cards.txt", "-n", "4");
    const drawn = mill().shuffle("cards", ["ace", "king", "queen of hearts"]).drawMany(4);
    expect(stdout).toBe([...drawn].map((one) => `${one.join("\t")}\n`).join(""));
    const items = ["ace", 7, { suit: "hearts" }];
    const document = JSON.parse((await run("shuffle", "cards.json", "-n", "3", "--json")).stdout) as object;
    const data = [...mill().shuffle("cards", items).drawMany(3)];
    expect(document).toEqual({ stream: 2, command: "shuffle", seed: "moria", name: "cards", from: 0, data });
    expect((await run("shuffle", "cards.json")).stdout).toContain('{"suit":"hearts"}');
    const piped = await rollmill(["shuffle", "-", "--seed", "a"], { input: "one\n" });
    expect(piped.stdout).toBe("one\n");
  });

  test.each([
    [["shuffle", "none.txt"], "argument.range"],
    [["shuffle", "flawed.json"], "argument.type"],
    [["shuffle", "absent.txt"], "file.read"],
    [["sample", "a", "b"], "cli.usage"],
    [["sample", "--size", "3", "a", "b"], "argument.range"],
    [["shuffle"], "cli.usage"],
  ])("%j is refused", async (args, code) => {
    const { stdout, stderr } = await run(...args);
    expect(stdout).toBe("");
    expect(stderr).toContain(`[${code}]`);
  });
});
