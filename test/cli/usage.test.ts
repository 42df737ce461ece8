import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { SEED_TABLE } from "../tables/seedTable.js";
import { folderWith, MAIN, rollmill, shell } from "./rollmill.js";

const cwd = folderWith({
  "loot.2da": SEED_TABLE,
  "walk.json": '{"steps": 100}',
  // fails after its first batches, while a bar is up
  "late.mjs":
    "let asked = 0; export const script = () => { if (asked++ > 3e6) throw new Error('late'); return 1; }; export const chosen = () => {};",
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
      ["table", "--help"],
      ["roll", "odds", "check"],
    ],
    [
      ["walk", "--help"],
      ["run", "ends", "probabilities"],
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
      ["walk", "probabilities", "--help"],
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
  ])("rollmill %j tells of %j", async (args, names) => {
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
    [
      ["table", "roll", "a", "-n", "1e3"],
      /argument '1e3' is invalid\. It must be an integer from 0 to 4398046511104\. \[cli\.usage\]\n/,
    ],
    [["table", "roll", "a", "-n", "-1"], /\[cli\.usage\]\n/],
    [["table", "roll", "a", "-n", "0.5"], /It must be an integer/],
    [["table", "roll", "a", "-n", ""], /It must be an integer/],
    [["table", "roll", "a", "-n", "4398046511105"], /It must be an integer/],
    [["table", "roll", "a", "--from", "4398046511104"], /It must be an integer from 0 to 4398046511103/],
    [["table", "roll", "a", "--start", "-1"], /\[cli\.usage\]\n/],
    [["walk", "probabilities", "a", "--heading", "N"], /argument 'N' is invalid\. Allowed choices are NW, NE, E/],
    [["random", "words", "--plane", "4294967296"], /It must be an integer from 0 to 4294967295/],
    [["random", "words", "--plane"], /argument missing \[cli\.usage\]\n/],
    [["random", "dump", "--planes", "0"], /It must be an integer from 1/],
  ])("rollmill %j is refused", async (args, message) => {
    const { code, stdout, stderr } = await rollmill(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
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

describe("where the results go", () => {
  test("a reader that has seen enough is no failure", async () => {
    for (const command of [
      "random words --seed a -n 4398046511104",
      "random dump --seed a",
      "table roll loot.2da --seed a -n 4398046511104 --weight 1=1 --weight 2=1",
      "table roll loot.2da --seed a -n 4398046511104 --weight 1=1 --weight 2=1 --json",
      "walk ends walk.json --seed a --walkers 2000000 --steps 0",
    ]) {
      const { stdout, stderr } = await shell(`rollmill ${command} | head -c 9; echo " \${PIPESTATUS[0]}"`, { cwd });
      expect(stdout, command).toMatch(/ 0\n$/);
      expect(stderr, command).toBe("");
    }
  });

  test("one that reads no errors is none either", async () => {
    const { stdout } = await shell(
      "{ rollmill table roll absent.2da >&2; echo $? >&3; } 3>&1 2>&1 >/dev/null | tail -1",
      { cwd },
    );
    expect(stdout).toBe("2\n");
  });

  test.skipIf(process.platform !== "linux")("a full disk is a failure", async () => {
    const { code, stderr } = await shell("rollmill random words --seed a -n 100000 > /dev/full", { cwd });
    expect(code).toBe(1);
    expect(stderr).toBe("the results cannot be written: ENOSPC: no space left on device, write [file.write]\n");
  });
});

// util-linux's script gives a process a terminal; elsewhere it takes other options
describe.skipIf(process.platform !== "linux")("on a terminal (skipped but on Linux)", () => {
  const onTerminal = (args: string) =>
    shell(`script -qec "'${process.execPath}' '${MAIN}' ${args}" /dev/null`, { cwd });

  test("a long job shows how far it is, at what rate, and is wiped away", async () => {
    const { code, stdout } = await onTerminal(
      "table roll loot.2da --count --seed a -n 40000000 --weight 1=1 --weight 2=1",
    );
    expect(code).toBe(0);
    expect(stdout).toMatch(/rolling .*%.* rolls\/s {2}ETA /);
    expect(stdout).toMatch(/\d+\t6\r\n/);
    // neither the cursor nor the line wrap is switched off: nothing is left to undo when the job is stopped
    expect(stdout).not.toContain("\u001b[?25l");
    expect(stdout).not.toContain("\u001b[?7l");
  });

  test("a job that fails with its bar up ends", async () => {
    const { code, stdout } = await onTerminal(
      "table roll loot.2da --start 1 --count --seed a -n 40000000 --script late.mjs",
    );
    expect(stdout).toMatch(/failed: it threw Error: late/);
    expect(code).toBe(2);
  });
});
