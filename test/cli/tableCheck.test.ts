import { describe, expect, test } from "vitest";
import { SEED_TABLE } from "../tables/seedTable.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

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
  "reroll.2da": "  Random0 Random0Weight Random1 Random1Weight\n0 0 1 ra s1\n1 rb 1 rc 0\n",
  "scripts.2da": "  Random0 Random0Weight Random1 Random1Weight\n0 ra s9 1 1\n1 rb s1600 0 1\n",
  "nine.mjs": "export const script = (id, args) => (id === 9 && args.nine === undefined ? 'x' : 7);",
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
      'flawed.2da:4:31: a jump in row 0 (a) leads to a row that does not exist: got "9", expected a row from 0 to 3',
    );
    expect({ code, stderr }).toEqual({ code: 2, stderr: "errors: 2, warnings: 4\n" });
  });

  test("--json is a list, each {code, severity, message, where}", async () => {
    const { code, stdout } = await check("flawed.2da", "--json");
    const issues: object[] = dataOf(stdout);
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
    const proof =
      "for all weights of scripts: rows out of reach: 0, columns that never win: 0, endless rolls: impossible\n";
    expect(await check("doubtful.2da")).toMatchObject({ code: 0, stderr: `${proof}errors: 0, warnings: 1\n` });
    expect(await check("loot.2da")).toEqual(
      expect.objectContaining({ code: 0, stdout: "", stderr: `${proof}errors: 0, warnings: 0\n` }),
    );
    expect((await check("loot.2da", "--json")).stdout).toBe(
      '{"stream":2,"command":"table check","seed":null,"name":"loot","data":[]}\n',
    );
  });

  test("check looks at every row as a start: an endless row is an error from --start, and a warning from another row", async () => {
    const { code, stdout } = await check("endless.2da");
    expect(code).toBe(2);
    expect(stdout).toMatch(/^endless\.2da:2:\d+: rolls .*\[table\.endless\]\n.*:3:.*warning: .*\[table\.orphan\]\n$/);
    const other = await check("endless.2da", "--start", "1");
    expect(other.code).toBe(0);
    expect(other.stdout).toMatch(
      /^endless\.2da:2:\d+: warning: rolls .*\[table\.endless\]\n.*:2:.*\[table\.orphan\]\n$/,
    );
    const absent = await check("endless.2da", "--start", "2");
    expect(absent).toMatchObject({ code: 2 });
    expect(absent.stdout).toMatch(/^endless\.2da: .*\[table\.start\]\n/);
  });

  test("what holds for all weights of scripts: a reroll is endless if the script of the result returns 0", async () => {
    const { code, stdout, stderr } = await check("reroll.2da");
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^reroll\.2da:2:\d+: warning: some weights of scripts .* return 0: 1\. \[table\.endless\]$/m,
    );
    expect(stderr).toBe(
      "for all weights of scripts: rows out of reach: 1, columns that never win: 1, endless rolls: possible\n" +
        "errors: 0, warnings: 3\n",
    );
    expect((await check("reroll.2da", "--weight", "1=1")).stderr).toContain("endless rolls: impossible");
  });

  test("check takes --script: the scripts of a set, of a module, with --weight", async () => {
    const ids = async (...args: string[]) => {
      const { code, stdout } = await check("scripts.2da", ...args);
      return [
        code,
        [...stdout.matchAll(/:(\d+:\d+): .*got (\d+|"x").*\[(table\.[a-z-]+)\]\n/g)].map((found) => found.slice(1)),
      ];
    };
    expect(await ids()).toEqual([0, []]);
    expect(await ids("--script", "random_default")).toEqual([
      2,
      [
        ["2:6", "9", "table.unknown-script"],
        ["3:6", "1600", "table.unknown-script"],
      ],
    ]);
    expect(await ids("--script", "nwangband")).toEqual([2, [["2:6", "9", "table.unknown-script"]]]);
    expect(await ids("--script", "nwangband", "--weight", "9=5")).toEqual([0, []]);
    expect(await ids("--script", "nine.mjs")).toEqual([2, [["2:6", '"x"', "table.script"]]]);
    expect(await ids("--script", "nine.mjs", "--script-arg", "nine=7")).toEqual([0, []]);
  });

  test("roll and odds print the warnings of the file to stderr", async () => {
    for (const [command, ...args] of [["roll", "--seed", "a"], ["odds"]]) {
      const { code, stderr } = await rollmill(
        ["table", command, "doubtful.2da", "--weight", "1=1", "--weight", "2=1", ...args],
        { cwd },
      );
      expect(code).toBe(0);
      expect(stderr).toMatch(/^doubtful\.2da:4:1: warning: .*\[twoda\.row-number\]\n/);
    }
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
