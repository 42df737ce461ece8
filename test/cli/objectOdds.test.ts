import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ObjectTexts } from "../../src/objects/types.js";
import { SMALL, smallWith } from "../objects/small.js";
import { writeObjectFolder } from "./objectFolder.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({});
const folder = (name: string, texts: Partial<ObjectTexts>) => writeObjectFolder(join(cwd, name), texts);
const RESISTS = ["Acid", "Fire", "Cold", "Shock", "Reinforced", "Durable"];
folder("whole", SMALL);
folder(
  "resistance",
  smallWith({
    object: "N:7:Jerkin~\nI:36:2\nN:8:& Kris~\nI:23:4\nN:9:Helm of Two\nI:32:1\nN:10:Helm of Two\nI:33:1\n",
    egoItem: RESISTS.map((name, i) => `N:${i + 1}:prefix:${name}\nT:soft armour:0:9:good:${i + 1}:1 to 99\n`).join(""),
    egoThemes: `N:3:suffix:of Resistance
T:soft armour:0:99:25 to 100
${RESISTS.map((name, i) => `A:${name}:${[7, 7, 7, 7, 2, 4][i]}\n`).join("")}`,
    artifact: "N:1:'Oar'\nI:sword:4\n",
  }),
);
folder("flawed", smallWith({ object: SMALL.object.replace("I:23:4", "I:23:four") }));
const odds = (...args: string[]) => rollmill(["object", "odds", ...args], { cwd });
const chance = (numerator: number, denominator: number) => ({
  numerator: String(numerator),
  denominator: String(denominator),
  probability: numerator / denominator,
});

test.each(["--good", "--great"])("object odds with --has refuses %s, which changes no theme", async (quality) => {
  const { code, stderr } = await odds("resistance", "--kind", "Jerkin", "--level", "30", "--has", "Acid", quality);
  expect(code).toBe(2);
  expect(stderr).toContain("--has <affix>' cannot be used with option");
});

describe("object odds with --has prints the odds of themes", () => {
  test.each<[readonly string[], number, number, number]>([
    [["Acid", "Cold"], 46, 23, 100],
    [["Acid", "Fire", "Shock"], 103, 103, 200],
    [["Acid", "Fire", "Cold", "Shock"], 184, 23, 25],
    [["Reinforced", "Durable"], 8, 1, 25],
    [["Fire", "Reinforced", "Durable"], 39, 39, 200],
  ])("%j of Resistance: %i half-percents", async (names, halfPercents, numerator, denominator) => {
    const has = names.flatMap((name) => ["--has", name]);
    const { code, stdout, stderr } = await odds("resistance", "--kind", "Jerkin", "--level", "30", ...has, "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const rest = expect.objectContaining({ probability: expect.closeTo(1 - numerator / denominator, 12) });
    expect(dataOf(stdout)).toEqual({
      kind: { number: 7, name: "Jerkin" },
      level: 30,
      has: names,
      themes: [{ theme: "of Resistance", number: 3, halfPercents, chance: chance(numerator, denominator) }],
      none: rest,
    });
  });

  test("as lines: theme, fraction, probability, half-percents; names in any case, or numbers", async () => {
    const { stdout } = await odds("resistance", "--kind", "7", "--level", "30", "--has", "acid", "--has", "3");
    expect(stdout).toBe("of Resistance\t23/100\t0.230000\t46\n(none)\t77/100\t0.770000\n");
  });

  test("a theme has no chance for other kinds and depths", async () => {
    const has = ["--has", "Acid", "--has", "Cold"];
    for (const [kind, level] of [
      ["Kris", "30"],
      ["Jerkin", "24"],
    ]) {
      const { stdout } = await odds("resistance", "--kind", kind, "--level", level, ...has);
      expect(stdout).toBe("(none)\t1/1\t1.00000\n");
    }
  });
});

describe("object odds prints the odds of each affix for a slot", () => {
  test("by affix level, as fractions, with none", async () => {
    const { code, stdout, stderr } = await odds("whole", "--kind", "kris", "--level", "0", "--great", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(dataOf(stdout)).toEqual({
      kind: { number: 1, name: "Kris" },
      level: 0,
      quality: "great",
      affixLevels: [
        { affixLevel: "great", chance: chance(9, 10), affixes: [], none: chance(1, 1) },
        { affixLevel: "uber", chance: chance(1, 10), affixes: [], none: chance(1, 1) },
      ],
    });
  });

  test("as lines, over the depths that a boost can reach", async () => {
    const { stdout } = await odds("whole", "--kind", "Kris", "--level", "60", "--good");
    // Hewn at 51 to 127 is for great ones, its earlier line ends at 50; of Rust is for uber ones
    expect(stdout.split("\n")).toEqual([
      "good\t(level)\t9/40\t0.225000",
      "good\t(none)\t1/1\t1.00000",
      "great\t(level)\t3/5\t0.600000",
      "great\tHewn\t1/1\t1.00000",
      "great\t(none)\t0/1\t0.00000",
      "uber\t(level)\t7/40\t0.175000",
      "uber\tHewn\t5/6\t0.833333",
      "uber\tof Rust\t1/6\t0.166667",
      "uber\t(none)\t0/1\t0.00000",
      "",
    ]);
  });

  test("a better quality has higher affix levels", async () => {
    const levels = async (...flags: string[]) => {
      const { stdout } = await odds("whole", "--kind", "Kris", "--level", "30", "--json", ...flags);
      return dataOf(stdout).affixLevels.map(({ affixLevel }: { affixLevel: string }) => affixLevel);
    };
    expect(await levels()).toEqual(["good", "great"]);
    expect(await levels("--good")).toEqual(["good", "great", "uber"]);
    expect(await levels("--great")).toEqual(["great", "uber"]);
  });
});

describe("errors are reported, and nothing is printed", () => {
  const at = ["--kind", "Jerkin", "--level", "30"];
  test.each<[readonly string[], RegExp]>([
    [["resistance", "--kind", "Jerkn", "--level", "3"], /"Jerkn".* Did you mean "Jerkin"\? \[object\.name\]/],
    [["resistance", "--kind", "helm of two", "--level", "3"], / 9 \(helm\), 10 \(crown\)\. \[object\.name\]/],
    [["resistance", ...at, "--has", "Acis"], /"Acis".* Did you mean "Acid"\? \[object\.name\]/],
    [["resistance", ...at, "--has", "99"], /"99".* \[object\.name\]/],
    [["resistance", "--kind", "Jerkin", "--level", "256"], /an integer from 0 to 255/],
    [["resistance", "--kind", "Jerkin"], /'--level <depth>' not specified/],
    [["resistance", "--level", "3"], /'--kind <name>' not specified/],
    [["resistance", ...at, "--good", "--great"], /cannot be used with option/],
    [["resistance", ...at, "--seed", "a"], /unknown option '--seed'/],
    [["flawed", ...at], /^flawed\/object\.txt:5:6: .*\[object\.number\]/],
    [["nowhere", ...at], /^nowhere\/object\.txt: .*\[object\.files\]/],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await odds(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});

describe("object odds --whole prints the odds of a whole object", () => {
  const jerkin = ["resistance", "--level", "30", "--kind", "Jerkin", "--whole"];

  test("as lines: type, name, probability; they add up to 1", async () => {
    const { code, stdout, stderr } = await odds(...jerkin, "--great");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t"));
    expect(lines[0].slice(0, 2)).toEqual(["objects", "affixes"]);
    for (const type of ["theme", "affixes"]) {
      const chances = lines.filter(([own]) => own === type).map(([, , chance]) => Number(chance));
      expect(chances.reduce((a, b) => a + b)).toBeCloseTo(1, 6);
    }
    expect(lines.filter(([type]) => type === "affix").map(([, name]) => name)).toEqual(RESISTS);
  });

  test("as JSON with fractions: a normal object with two slots at most", async () => {
    const { stdout } = await odds(...jerkin, "--affix-level", "good", "--json");
    const { affixCounts, themes, none, unexplored } = dataOf(stdout);
    const third = { numerator: "1", denominator: "3", probability: 1 / 3 };
    expect(affixCounts).toEqual([0, 1, 2].map((affixes) => ({ affixes, ...third })));
    expect(themes).toHaveLength(1);
    expect(themes[0].probability + none.theme.probability).toBeCloseTo(1, 12);
    expect(unexplored).toEqual(chance(0, 1));
  });

  test("with few states, an upper bound follows each probability", async () => {
    const { stdout } = await odds(...jerkin, "--great", "--states", "2");
    const [, , least, most] = stdout.split("\n")[2].split("\t").map(Number);
    expect(most).toBeGreaterThan(least);
  });

  test("for any kind of a type, without --kind", async () => {
    const { code, stdout } = await odds("whole", "--level", "30", "--whole", "--tval", "sword", "--no-artifacts");
    expect(code).toBe(0);
    expect(stdout).toContain("artifact\t(none)\t1.00000000\n");
  });

  test.each([
    [["whole", "--level", "30"], "--kind"],
    [["whole", "--level", "30", "--kind", "Longsword", "--tval", "sword"], "--tval needs --whole"],
    [["whole", "--level", "30", "--kind", "Longsword", "--states", "9"], "--states needs --whole"],
    [["whole", "--level", "30", "--kind", "Longsword", "--no-artifacts"], "--no-artifacts needs --whole"],
    [["whole", "--level", "30", "--kind", "Longsword", "--whole", "--has", "x"], "--has"],
    [["whole", "--level", "30", "--whole", "--states", "0"], "--states"],
  ])("%j is refused", async (args, named) => {
    const { code, stdout, stderr } = await odds(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(named);
    expect(stderr).toContain("[cli.usage]");
  });
});
