import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SEED_TABLE } from "../tables/seedTable.js";
import { folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({
  "loot.2da": SEED_TABLE,
  "walk.json": '{"steps": 100}',
});

describe("usage", () => {
  test("--version is the package's", async () => {
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")) as {
      version: string;
    };
    expect(await rollmill(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
  });

  test.each([
    [["--help"], ["table", "walk", "random"]],
    [
      ["pick", "--help"],
      ["--seed", "--name", "--odds", "--json", "-n", "--from", "--fork"],
    ],
    [
      ["table", "--help"],
      ["roll", "odds", "check"],
    ],
    [
      ["walk", "--help"],
      ["run", "ends", "odds"],
    ],
    [
      ["random", "--help"],
      ["words", "dump"],
    ],
    [
      ["table", "roll", "--help"],
      ["--start", "--seed", "--name", "--script", "--script-arg", "--weight", "--json", "-n", "--from", "--count"],
    ],
    [
      ["table", "odds", "--help"],
      ["--start", "--seed", "--name", "--script", "--script-arg", "--weight", "--json"],
    ],
    [
      ["table", "check", "--help"],
      ["--start", "--json"],
    ],
    [
      ["walk", "run", "--help"],
      ["--seed", "--output", "--json"],
    ],
    [
      ["walk", "ends", "--help"],
      ["--seed", "--walkers", "--steps", "--layer"],
    ],
    [
      ["walk", "odds", "--help"],
      ["--heading", "--closed", "--layer", "--json"],
    ],
    [
      ["random", "words", "--help"],
      ["--seed", "--name", "--plane", "--from", "-n"],
    ],
    [
      ["random", "dump", "--help"],
      ["--seed", "--name", "--planes", "--bytes"],
    ],
  ])("rollmill %j lists %j", async (args, names) => {
    const { code, stdout, stderr } = await rollmill(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    for (const name of names) expect(stdout).toMatch(new RegExp(`^ {2}(?:-\\w, )?${name}\\b`, "m"));
  });

  test.each([
    [["tabel"], /unknown command 'tabel'\n?.*\[cli\.usage\]/],
    [["table", "rol"], /unknown command 'rol'/],
    [["table", "roll"], /missing required argument 'file' \[cli\.usage\]\n/],
    [["table", "roll", "a", "b"], /too many arguments.*\[cli\.usage\]\n/],
    [["table", "roll", "a", "--sed", "x"], /unknown option '--sed'.*\n?.*Did you mean --seed/],
    [["table", "roll", "a", "-n", "1e-3"], /'1e-3'.* an integer from 0 to 4398046511104, .*\. \[cli\.usage\]\n/],
    [["table", "roll", "a", "-n", "-1"], /\[cli\.usage\]\n/],
    [["table", "roll", "a", "-n", "0.5"], /an integer/],
    [["table", "roll", "a", "-n", ""], /an integer/],
    [["table", "roll", "a", "-n", "1.25e1"], /an integer/],
    [["table", "roll", "a", "-n", "1__0"], /an integer/],
    [["table", "roll", "a", "-n", "1e3k"], /an integer/],
    [["table", "roll", "a", "-n", "1e13"], /an integer/],
    [["table", "roll", "a", "-n", "4398046511105"], /an integer/],
    [["table", "roll", "a", "--from", "4398046511104"], /an integer from 0 to 4398046511103/],
    [["table", "roll", "a", "--start", "-1"], /\[cli\.usage\]\n/],
    [["walk", "odds", "a", "--heading", "N"], /argument 'N' is invalid\. Allowed choices are NW, NE, E/],
    [["random", "words", "--plane", "18446744073709551616"], /an integer from 0 to 18446744073709551615/],
    [["random", "words", "--plane"], /argument missing \[cli\.usage\]\n/],
    [["random", "dump", "--planes", "0"], /an integer from 1/],
  ])("rollmill %j is refused", async (args, message) => {
    const { code, stdout, stderr } = await rollmill(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test.each([
    ["1e3", 1000],
    ["1.5e1", 15],
    ["1_000", 1000],
    ["0.25k", 250],
    ["1k", 1000],
    ["+7", 7],
    ["0e5", 0],
  ])("a count of %s is %i", async (text, n) => {
    const { stdout } = await rollmill(["random", "words", "--seed", "a", "-n", text]);
    expect(stdout.split("\n")).toHaveLength(n + 1);
  });

  test("an index is written as a count", async () => {
    const words = async (from: string) => (await rollmill(["random", "words", "--seed", "a", "--from", from])).stdout;
    expect(await words("2M")).toBe(await words("2000000"));
    expect(await words("1G")).toBe(await words("1000000000"));
  });

  test.each([[[]], [["table"]], [["walk"]], [["random"]]])("rollmill %j shows the help on stderr", async (args) => {
    const { code, stdout, stderr } = await rollmill(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^Usage: rollmill /);
  });

  test("a range past the last index is refused before anything is printed", async () => {
    for (const args of [
      ["table", "roll", "loot.2da", "--weight=1=1", "--weight=2=1"],
      ["random", "words"],
    ]) {
      const run = await rollmill([...args, "--seed", "a", "--from", "3", "-n", String(2 ** 42)], { cwd });
      expect(run).toMatchObject({ code: 2, stdout: "" });
      expect(run.stderr).toMatch(
        /got 4398046511104, expected an integer from 0 to 4398046511101 \[argument\.range\]\n$/,
      );
    }
  });
});

describe("stdout", () => {
  test("a reader that closes the pipe ends an endless command with 0", async () => {
    const weights = ["--weight", "1=1", "--weight", "2=1"];
    for (const args of [
      ["random", "words", "-n", "4398046511104"],
      ["random", "dump"],
      ["table", "roll", "loot.2da", "-n", "4398046511104", ...weights],
      ["table", "roll", "loot.2da", "-n", "4398046511104", "--json", ...weights],
      ["walk", "ends", "walk.json", "--walkers", "2000000", "--steps", "0"],
    ]) {
      const run = await rollmill([...args, "--seed", "a"], { cwd, stdoutError: "EPIPE" });
      expect(run, args.join(" ")).toMatchObject({ code: 0, stderr: "" });
    }
  });

  test("any other error of stdout is a failure", async () => {
    for (const args of [["random", "words", "--seed", "a"], ["--help"]]) {
      const { code, stderr } = await rollmill(args, { stdoutError: "ENOSPC" });
      expect(code).toBe(1);
      expect(stderr).toMatch(/\[file\.write\]\n$/);
    }
  });
});

test("on a terminal, a long job shows its progress and clears it", async () => {
  const args = ["table", "roll", "loot.2da", "--count", "--seed", "a", "-n", "40000000"];
  const weights = ["--weight", "1=1", "--weight", "2=1"];
  const { code, stdout, stderr } = await rollmill([...args, ...weights], { cwd, terminal: true });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^\d+\t6$/m);
  expect(stderr).toMatch(/rolling .*%.* rolls\/s {2}ETA /);
  // the bar hides neither the cursor nor the line wrap: a killed process leaves the terminal as it was
  expect(stderr).not.toContain("\u001b[?25l");
  expect(stderr).not.toContain("\u001b[?7l");
});
