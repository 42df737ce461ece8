import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createMill, type Script } from "../../src/index.js";
import { SEED_TABLE } from "../tables/seedTable.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

/** Two one-shots of the caller's, and what is left when they are spent. */
const SHOTS = `2DA V2.0

  Random0 Random0Weight Random1 Random1Weight Random2 Random2Weight
0 ra      s1600         rb      s1601         rc      s1010
`;
/** One weight that a script answers, and one that is fixed. */
const ASKED = "  Random0 Random0Weight Random1 Random1Weight\n0 ra s7 rb 100\n";
const cwd = folderWith({
  "loot.2da": SEED_TABLE,
  "shots.2da": SHOTS,
  "asked.2da": ASKED,
  "even.mjs": "export const script = (id) => (id % 2 === 0 ? 100 : 0);",
  "default.mjs": "export default () => 7;",
  "common.cjs": "module.exports = { script: () => 7, chosen: () => {} };",
  "detected.js": "export const script = () => 7;",
  "args.mjs": "export const script = (id, args) => Number(args.weight);",
  "stock.mjs": "let left = 9; export const script = () => left; export const chosen = () => { left--; };",
  "throws.mjs": "export const script = (id) => { throw new RangeError('no ' + id); };",
  "choosy.mjs": "export const script = () => 1e9; export const chosen = (id) => { throw new Error('no ' + id); };",
  "promise.mjs": "export const script = async () => { throw new Error('late'); };",
  ...Object.fromEntries(
    ["NaN", "-1", "Infinity", "1e300", "0.5", "'5'", "undefined", "null", "2 ** 32"].map((answer, i) => [
      `answer${i}.mjs`,
      `export const script = () => (${answer});`,
    ]),
  ),
  "broken.mjs": "export const script = (;",
  "crash.mjs": "throw new Error('at the top');",
  "nothing.mjs": "export const weigh = () => 1;",
  "deaf.mjs": "export const script = () => 1; export const chosen = 3;",
});
const rolls = (file: string, ...args: string[]) =>
  rollmill(["table", "roll", file, "--seed", "moria", ...args], { cwd });
const textOf = (text: string, count: number, options: object) => {
  const { ids, results } = createMill({ seed: "moria" }).table("loot", text).rollMany(count, options);
  return Array.from(ids, (id) => `${results[id] ?? ""}\n`).join("");
};

describe("the weights of scripts", () => {
  test("--weight sets the constant weight of an id, repeatable", async () => {
    const { stdout, stderr } = await rolls("loot.2da", "-n", "300", "--weight", "1=100", "--weight", "2=7");
    expect(stdout).toBe(textOf(SEED_TABLE, 300, { weights: { 1: 100, 2: 7 } }));
    expect(stderr).toBe("");
  });

  test("the last --weight of an id counts, however it is spelled", async () => {
    const { stdout } = await rolls("loot.2da", "-n", "300", "--weight", "1=3", "--weight", "2=7", "--weight", "01=100");
    expect(stdout).toBe(textOf(SEED_TABLE, 300, { weights: { 1: 100, 2: 7 } }));
  });

  test("a built-in set takes its arguments by name", async () => {
    const at = ["--script", "nwangband", "--script-arg", "level=12", "--script-arg", "spent=1600,1601"];
    const { stdout } = await rolls("shots.2da", "-n", "50", "--count", ...at);
    expect(stdout).toBe("0\ta\n0\tb\n50\tc\n");
  });

  test.each(["even.mjs", "detected.js", "default.mjs", "common.cjs"])(
    "%s is a usable script module",
    async (module) => {
      const script: Script = module === "even.mjs" ? (id) => (id % 2 === 0 ? 100 : 0) : () => 7;
      const { code, stdout } = await rolls("loot.2da", "-n", "300", "--script", `./${module}`);
      expect({ code, stdout }).toEqual({ code: 0, stdout: textOf(SEED_TABLE, 300, { script }) });
    },
  );

  test("it gets the script arguments", async () => {
    const none = await rolls("asked.2da", "-n", "30", "--count", "--script", "args.mjs", "--script-arg", "weight=0");
    expect(none.stdout).toBe("0\ta\n30\tb\n");
    const most = await rolls(
      "asked.2da",
      "-n",
      "30",
      "--count",
      "--script",
      "args.mjs",
      "--script-arg=weight=4000000000",
    );
    expect(most.stdout).toBe("30\ta\n0\tb\n");
  });
});

describe("--from replays rolls that depend on earlier rolls", () => {
  test("one-shots of nwangband", async () => {
    const script = ["--script", "nwangband", "--script-arg", "level=10"];
    const { stdout: all } = await rolls("shots.2da", "-n", "30", ...script);
    expect(all.match(/^[ab]$/gm)?.sort()).toEqual(["a", "b"]);
    for (const from of [1, 7, 29]) {
      const { stdout } = await rolls("shots.2da", "-n", String(30 - from), "--from", String(from), ...script);
      expect(stdout).toBe(all.split("\n").slice(from).join("\n"));
    }
  });

  test("the function chosen of a module", async () => {
    const { stdout: all } = await rolls("asked.2da", "-n", "400", "--script", "stock.mjs");
    expect(all.match(/^a$/gm)).toHaveLength(8);
    const { stdout } = await rolls("asked.2da", "-n", "100", "--from", "300", "--script", "stock.mjs");
    expect(stdout).toBe(all.split("\n").slice(300).join("\n"));
    const { stdout: counted } = await rolls("asked.2da", "-n", "400", "--script", "stock.mjs", "--count", "--json");
    expect(dataOf(counted)).toMatchObject({ counts: [{ result: "a", count: 8 }, { count: 392 }] });
  });
});

describe("a script that fails is reported with table, row, column and id, and its place in the file", () => {
  const place = /^asked\.2da:2:6: script 7 in table asked, row 0, column 0/;

  test("it throws", async () => {
    const { code, stdout, stderr } = await rolls("asked.2da", "--script", "throws.mjs");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(place);
    expect(stderr).toMatch(/it threw RangeError: no 7.*\[table\.script\]\n$/);
  });

  test("Hostile: a callback that throws names table, row and id, and prints no stack", async () => {
    for (const [script, code] of [
      ["throws.mjs", "table.script"],
      ["choosy.mjs", "argument.callback"],
    ]) {
      const { stderr } = await rolls("asked.2da", "-n", "5", "--script", script);
      expect(stderr).toMatch(/script 7 in table asked, row 0, column 0/);
      expect(stderr).toContain(`[${code}]`);
      expect(stderr).not.toMatch(/^\s+at /m);
    }
  });

  test("it returns a Promise", async () => {
    const { code, stderr } = await rolls("asked.2da", "-n", "5", "--script", "promise.mjs");
    expect(code).toBe(2);
    expect(stderr).toMatch(place);
    expect(stderr).toMatch(/got a Promise, expected an integer from 0 to 4294967295 \[table\.script\]\n$/);
  });

  test.each([
    [0, "NaN"],
    [1, "-1"],
    [2, "Infinity"],
    [3, "1e+300"],
    [4, "0.5"],
    [5, '"5"'],
    [6, "nothing"],
    [7, "null"],
    [8, "4294967296"],
  ])("answer%d.mjs returns %s", async (number, shown) => {
    const { code, stderr } = await rolls("asked.2da", "--script", `answer${number}.mjs`);
    expect(code).toBe(2);
    expect(stderr).toMatch(place);
    expect(stderr).toContain(`got ${shown}, expected`);
  });

  test("a set that lacks its argument, or does not know the id", async () => {
    const { code, stderr } = await rolls("shots.2da", "-n", "9", "--script", "nwangband");
    expect(code).toBe(2);
    expect(stderr).toMatch(/^shots\.2da:4:.*\[table\.script\]\n$/);
    const unknown = await rolls("asked.2da", "--script", "nwangband");
    expect(unknown.stderr).toMatch(/^asked\.2da:2:6: .*got 7.*\[table\.unknown-script\]\n$/);
  });
});

describe("a script that cannot be loaded or used is refused before a roll", () => {
  test.each([
    ["absent.mjs", /^absent\.mjs: .*random_default, nwangband.*\[table\.unknown-script\]\n$/],
    ["broken.mjs", /^broken\.mjs: .*\(Unexpected token ';'\)/],
    ["crash.mjs", /^crash\.mjs: .*\(at the top\)/],
    ["nothing.mjs", /^nothing\.mjs: .*"weigh".*\[table\.unknown-script\]\n$/],
    ["deaf.mjs", /^deaf\.mjs: .*\[table\.unknown-script\]\n$/],
  ])("%s", async (module, message) => {
    const { code, stdout, stderr } = await rolls("loot.2da", "--script", module);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });

  test.each([
    [["--script-arg", "level=3"], /script-arg level: .*"level", only now \[argument\.range\]/],
    [["--script-arg", "now=yesterday"], /"now": got "yesterday", expected a date or a local time/],
    [["--script", "nwangband", "--script-arg", "level=-1"], /"level": got "-1", expected an integer from 0/],
    [["--script", "nwangband", "--script-arg", "spent=1,2"], /"spent": got/],
    [["--script-arg", "__proto__=1"], /random_default has no argument "__proto__"/],
    [["--script-arg", "=1"], /\[cli\.usage\]\n/],
    [["--weight", "a=1"], /loot\.2da: .*"a", expected 1, 2 \[table\.unknown-script\]\n/],
    [["--weight", "2=1", "--weight", "99=1"], /"99".*\[table\.unknown-script\]\n/],
    [["--weight", "a.b=1"], /\[cli\.usage\]\n/],
    [["--weight", "1=4294967296"], /\[cli\.usage\]\n/],
    [["--weight", "1=-1"], /\[cli\.usage\]\n/],
    [["--weight", "1=0.5"], /\[cli\.usage\]\n/],
    [["--weight", "__proto__=1"], /"__proto__".*\[table\.unknown-script\]\n/],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await rolls("loot.2da", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
  });
});

// Real tables stand beside the project and are never part of it: without them these tests are skipped, except under CI.
const real = fileURLToPath(new URL("../../../shared/data/drdt/", import.meta.url));
const missing = !existsSync(real) && process.env.CI === undefined;

describe.skipIf(missing)("the seven real tables (skipped where ../shared/data is absent)", () => {
  test.each(["reg_r", "rig_root_r", "rig_affix_r", "rig_a_r", "rig_armor_r", "rig_color_r", "rad_stone_base"])(
    "%s rolls, gives odds and is checked at several levels",
    async (name) => {
      const file = join(real, `${name}.2da`);
      expect(await rollmill(["table", "check", file])).toMatchObject({ code: 0 });
      for (const level of ["0", "15", "40"]) {
        const script = ["--script", "nwangband", "--script-arg", `level=${level}`, "--script-arg", "type=3", "--json"];
        const rolled = await rolls(file, "-n", "1000", "--count", ...script);
        expect(rolled).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(?:.*: warning: .*\n)*$/) });
        const { counts, none } = dataOf(rolled.stdout) as { counts: { count: number }[]; none: number };
        expect(counts.reduce((sum, { count }) => sum + count, none)).toBe(1000);
        const told = await rollmill(["table", "odds", file, ...script]);
        expect(told).toMatchObject({ code: 0, stderr: expect.stringMatching(/^(?:.*: warning: .*\n)*$/) });
        const { odds } = dataOf(told.stdout) as { odds: { result: string }[] };
        expect(new Set(odds.map(({ result }) => result)).size).toBe(odds.length);
      }
    },
  );
});
