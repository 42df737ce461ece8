import { describe, expect, test } from "vitest";
import { SEED_TABLE } from "../tables/seedTable.js";
import { folderWith, rollmill } from "./rollmill.js";

const FLAWED = `2DA V2.0

  Label Random0 Random0Weight Random1 Random1Weight
0 a     r1      10            9       5
7 b     r2      x             "r3     1
2 c     r4      1             ****    9
3 d     3       1
`;
const cwd = folderWith({
  "loot.2da": SEED_TABLE,
  "flawed.2da": FLAWED,
  "doubtful.2da": SEED_TABLE.replace("\n1 ", "\n5 "),
  "endless.2da": "  Random0 Random0Weight\n0 0 1\n1 rx 1\n",
});
const check = (...args: string[]) => rollmill(["table", "check", ...args], { cwd });

describe("table check lists every error and warning", () => {
  test("each as file:line:column: message [code], in the order of the file, and exit 2", async () => {
    const { code, stdout, stderr } = await check("flawed.2da");
    const places = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.replace(/: .*\[/, " ["));
    expect(places).toEqual([
      "flawed.2da:4:31 [table.jump]",
      "flawed.2da:5:1 [twoda.row-number]",
      "flawed.2da:5:17 [table.weight]",
      "flawed.2da:5:31 [twoda.quote]",
      "flawed.2da:5:31 [table.gap]",
      "flawed.2da:6:39 [table.gap]",
    ]);
    expect(stdout).toMatch(/^flawed\.2da:5:1: warning: .*got "7".*\[twoda\.row-number\]$/m);
    expect(stdout).toContain(
      'flawed.2da:4:31: a jump leads to a row that does not exist: got "9", expected a row from 0 to 3',
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: "errors: 2, warnings: 4\n" });
  });

  test("--json is {issues}, each {code, severity, message, where}", async () => {
    const { code, stdout } = await check("flawed.2da", "--json");
    const { issues } = JSON.parse(stdout) as { issues: object[] };
    expect(code).toBe(2);
    expect(issues).toHaveLength(6);
    expect(issues[1]).toEqual({
      code: "twoda.row-number",
      severity: "warning",
      message: expect.stringContaining('got "7"'),
      where: { file: "flawed.2da", line: 5, column: 1 },
    });
  });

  test("a table with only warnings, or without issues, exits with 0", async () => {
    expect(await check("doubtful.2da")).toMatchObject({ code: 0, stderr: "errors: 0, warnings: 1\n" });
    expect(await check("loot.2da")).toEqual(
      expect.objectContaining({ code: 0, stdout: "", stderr: "errors: 0, warnings: 0\n" }),
    );
    expect((await check("loot.2da", "--json")).stdout).toBe('{"issues":[]}\n');
  });

  test("a row that rolls can never leave, for the given start row", async () => {
    const { code, stdout } = await check("endless.2da");
    expect(code).toBe(2);
    expect(stdout).toMatch(/^endless\.2da:2:\d+: .*\[table\.endless\]\n$/);
    expect(await check("endless.2da", "--start", "1")).toMatchObject({ code: 0, stdout: "" });
    expect((await check("endless.2da", "--start", "2")).stdout).toMatch(/\[table\.start\]\n$/);
  });

  test("a table with errors does not roll, and each error is printed to stderr", async () => {
    const { code, stdout, stderr } = await rollmill(["table", "roll", "flawed.2da", "--seed", "a"], { cwd });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr.match(/^flawed\.2da:\d+:\d+: .*\[table\.(?:jump|weight)\]$/gm)).toHaveLength(2);
    expect(stderr).not.toContain("warning");
  });

  test("an unreadable file", async () => {
    expect(await check("absent.2da")).toMatchObject({ code: 2, stdout: "" });
    expect((await check("absent.2da")).stderr).toMatch(/^absent\.2da: .*\(ENOENT.*\[file\.read\]\n$/);
    expect((await check(".")).stderr).toMatch(/^\.: .*\(EISDIR.*\[file\.read\]\n$/);
  });
});
