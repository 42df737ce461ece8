import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { benchModule } from "./modules.js";

const { readOptions, UsageError } = await benchModule("options");
const MAIN = fileURLToPath(new URL("../../bench/main.mjs", import.meta.url));
const execute = promisify(execFile);

describe("options", () => {
  test("everything has a default", () => {
    expect(readOptions([])).toMatchObject({ only: [], text: "", rounds: 7, seconds: 0.1, json: false });
  });

  test("subjects and cases are chosen by name", () => {
    expect(readOptions(["--only", "picks", "--case", "n=8", "--json"])).toMatchObject({
      only: ["picks"],
      text: "n=8",
      json: true,
    });
  });

  test.each([
    [["--only", "dice"], /Unknown subject "dice"\. Known: picks, rolls, steps, pools, recipes, objects, fill\./],
    [["--fast"], /'--fast'.*Known options: --only, --case/],
    [["picks"], /'picks'.*Known options/],
    [["--only", "fill", "--case", "n=8"], /No case contains "n=8"\. Known: fill u32\./],
    [["--rounds", "2.5"], /--rounds 2\.5: expected a whole number above 0/],
    [["--seconds", "0"], /--seconds 0: expected a number above 0/],
  ])("%j is refused, naming what is known", (args, message) => {
    expect(() => readOptions(args)).toThrow(UsageError);
    expect(() => readOptions(args)).toThrow(message);
  });
});

describe("the program", () => {
  test("--json prints the results and nothing else on stdout", { timeout: 60_000 }, async () => {
    const args = [MAIN, "--only", "fill", "--rounds", "1", "--seconds", "0.005", "--json"];
    const { stdout, stderr } = await execute(process.execPath, args);
    const [result, ...others] = JSON.parse(stdout);
    expect(others).toEqual([]);
    expect(result).toMatchObject({ subject: "fill", case: "u32", ns: expect.any(Number) });
    expect(result.rivals).toMatchObject({ js: expect.any(Number), "pure-rand": expect.any(Number) });
    expect(stderr).toContain(`Node ${process.versions.node}`);
    expect(stderr).toContain("ns/word");
  });

  test("a mistake on the command line ends it with 2 and a line on stderr", async () => {
    const failed = execute(process.execPath, [MAIN, "--only", "dice"]);
    await expect(failed).rejects.toMatchObject({ code: 2, stdout: "", stderr: expect.stringMatching(/^Unknown.*\n$/) });
  });
});
