import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { createMill, shippedRecipe, toNumber } from "../../src/index.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const cwd = folderWith({});
const recipe = (...args: string[]) => rollmill(["recipe", ...args], { cwd });
const weapon = createMill({ seed: "" }).recipe("weapon");
const chance = (numerator: number, denominator: number) => ({
  numerator: String(numerator),
  denominator: String(denominator),
  probability: numerator / denominator,
});

describe("recipe odds", () => {
  test("--json has the chance of each slot, condition and bonus, by the rules of the source", async () => {
    const { code, stdout, stderr } = await recipe("odds", "weapon", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(dataOf(stdout)).toMatchObject({
      element: chance(6, 101),
      crippling: chance(2, 101),
      secondElement: chance(3, 101),
      prefix: chance(26, 101),
      abstract: chance(36, 101),
      adjective: chance(41, 101),
      doubled: chance(3, 101),
      conditionUp: chance(62, 101),
      bonus: {
        "+1": chance(69, 100),
        "+2": chance(3, 20),
        "+3": chance(7, 100),
        "+4": chance(3, 50),
        "+5": chance(3, 100),
      },
    });
  });

  test("prints one line each: name, fraction, probability", async () => {
    const { stdout } = await recipe("odds", "weapon");
    const lines = stdout.trimEnd().split("\n");
    expect(lines[0]).toBe("element\t6/101\t0.0594059");
    expect(lines).toContain("bonus +2\t3/20\t0.150000");
    expect(lines).toHaveLength(Object.keys(weapon.chances()).length - 1 + 5);
  });

  test("--of has the chance of each result of a part in a whole item", async () => {
    const { odds, none } = weapon.odds({ of: "prefix", tier: 3 });
    const { stdout } = await recipe("odds", "weapon", "--of", "prefix", "--tier", "3");
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(odds.length + 1);
    expect(lines).toContain("runed\t13/1212\t0.0107261");
    expect(lines.at(-1)).toBe(`(none)\t${none.numerator}/${none.denominator}\t${toNumber(none).toPrecision(6)}`);
    expect(dataOf((await recipe("odds", "weapon", "--of", "condition", "--json")).stdout)).toMatchObject({
      of: "condition",
      odds: [{ result: "doubled", ...chance(3, 101) }, { result: "up" }, { result: "down" }],
      none: chance(0, 1),
    });
  });

  test("depend on --power, exactly", async () => {
    const at = async (power: string) => dataOf((await recipe("odds", "weapon", "--power", power, "--json")).stdout);
    // k · 1.7 ≥ 95 from 56 on, k · 0.6 never; k · 0.95 ≥ 95 at 100 alone
    expect((await at("1.7")).element).toEqual(chance(45, 101));
    expect((await at("0.6")).element).toEqual(chance(0, 1));
    expect((await at("0.95")).element).toEqual(chance(1, 101));
    expect((await at("0")).anyBonus).toEqual(chance(0, 1));
  });

  test("depend on requests", async () => {
    const word = shippedWord("adjective");
    const { stdout } = await recipe("odds", "weapon", "--request", `adjective=${word}`, "--json");
    expect(dataOf(stdout)).toMatchObject({
      adjective: chance(1, 1),
      abstract: chance(1, 1),
      prefix: chance(26, 101),
    });
  });
});

describe("recipe strength", () => {
  const exact = (options = {}) => {
    const { odds } = weapon.odds({ ...options, of: "strength" });
    return odds.map(({ result, probability: { numerator, denominator } }) => ({
      value: result,
      numerator: String(numerator),
      denominator: String(denominator),
      probability: toNumber({ numerator, denominator }),
    }));
  };

  test("--json is the exact chance of each value, and they add up to 1", async () => {
    const { stdout } = await recipe("strength", "weapon", "--json");
    expect(dataOf(stdout)).toEqual(exact());
    expect(
      dataOf(stdout).reduce((sum: number, { probability }: { probability: number }) => sum + probability, 0),
    ).toBeCloseTo(1, 12);
    const asked = await recipe("strength", "weapon", "--json", "--power", "1.7", "--tier", "3");
    expect(dataOf(asked.stdout)).toEqual(exact({ power: 1.7, tier: 3 }));
  });

  test("prints one line per value", async () => {
    const { stdout } = await recipe("strength", "weapon");
    const lines = exact().map(
      ({ value, numerator, denominator, probability }) =>
        `${value}\t${numerator}/${denominator}\t${probability.toPrecision(6)}\n`,
    );
    expect(stdout).toBe(lines.join(""));
  });

  test("--svg draws one bar per value", async () => {
    const { code, stdout } = await recipe("strength", "weapon", "--svg", "s.svg");
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    const svg = readFileSync(join(cwd, "s.svg"), "utf8");
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg".*<\/svg>\n$/s);
    expect(svg.match(/<rect [^>]*><title>/g)).toHaveLength(exact().length);
    expect(svg).toContain('<title id="title">Strength of a weapon</title>');
  });

  test("uses the words of --tables", async () => {
    const { tables } = shippedRecipe("weapon") as { tables: Record<string, readonly object[]> };
    const heavy = { ...tables, type: tables.type.map((row) => ({ ...row, str: 0.5 })) };
    writeFileSync(join(cwd, "heavy.json"), JSON.stringify(heavy));
    const { stdout } = await recipe("strength", "weapon", "--tables", "heavy.json", "--json");
    const values = dataOf(stdout).map(({ value }: { value: number }) => value);
    expect(values).toEqual(exact().map(({ value }) => value + 0.5));
    await recipe("strength", "weapon", "--tables", "heavy.json", "--svg", "heavy.svg");
    expect(readFileSync(join(cwd, "heavy.svg"), "utf8")).toContain("str, in units of 0.1");
  });
});

describe("recipe show", () => {
  test("--json is the recipe with the sizes of its tables", async () => {
    const { recipe: spec, tables } = shippedRecipe("weapon") as {
      recipe: object;
      tables: Record<string, readonly { active: boolean; tier?: number }[]>;
    };
    const document = dataOf((await recipe("show", "weapon", "--json")).stdout);
    expect(document).toMatchObject({ recipe: spec });
    const sizes = new Map(document.tables.map((sized: { table: string }) => [sized.table, sized]));
    expect([...sizes.keys()].sort()).toEqual(Object.keys(tables).sort());
    for (const [table, rows] of Object.entries(tables)) {
      const active = rows.filter((row) => row.active);
      expect(sizes.get(table)).toMatchObject({ words: rows.length, active: active.length });
    }
    const types = tables.type.filter((row) => row.active && row.tier === 3).length;
    expect(sizes.get("type")).toMatchObject({ tiers: { 3: types } });
    expect(sizes.get("prefix")).not.toHaveProperty("tiers");
  });

  test("prints stats, steps with their chances, and tables", async () => {
    const { stdout } = await recipe("show", "weapon");
    for (const line of [
      "weapon: 6 steps; strength is str",
      "  element: a word of element, if roll ≥ 95 (6/101), strength 6",
      "    or crippling: if another roll ≥ 99 (2/101), strength 12",
      '  secondElement: a word of element, if roll ≥ 98 (3/101), after element, other than element, "& ", strength 11',
      "  type: a word of type, always, by tier, ±2 from 80, ±1 from 50, strength 1",
      "condition: attack is doubled if roll ≥ 98 (3/101); " +
        "otherwise it rises by 0 to 0.4 of itself if roll > 38 (62/101), and falls by as much if not",
      'attribute: if roll ≥ 65 (36/101), "of ", 2 slots',
      "  from 92 of 100: +4 (multiplier +0.8, str +9)",
    ])
      expect(stdout.split("\n")).toContain(line);
    expect(stdout).toMatch(/^ {2}type: \d+ words, \d+ active; by tier 1: \d+, 2: \d+/m);
    expect(stdout).toMatch(/^stats: hands \(1 to 2\), multiplier, attack,/m);
  });
});

describe("errors are reported, and nothing is printed", () => {
  test.each<[readonly string[], number, RegExp]>([
    [["odds", "weapno"], 2, /Did you mean "weapon"\? \[recipe\.unknown\]/],
    [["odds", "weapon", "--request", "typ=x"], 2, /Did you mean "type"\? \[recipe\.request\]/],
    [["odds", "weapon", "--on-unknown", "throw", "--request", "type=x"], 2, /\[recipe\.request\]/],
    [["odds", "weapon", "--of", "prefx"], 2, /Did you mean "prefix"\? \[recipe\.request\]/],
    [["odds", "weapon", "--seed", "a"], 2, /unknown option '--seed'/],
    [["strength", "weapon", "--json", "--svg", "x.svg"], 2, /cannot be used with option/],
    [["strength", "weapon", "--svg", "none/x.svg"], 1, /none\/x\.svg: .*\[file\.write\]/],
    [["show", "weapon", "--recipe", "bad.json"], 2, /^bad\.json stats: .*\[recipe\.spec\]/],
    [["show", "weapon", "--recipe", "torn.json"], 2, /^torn\.json:1:2: .*\[file\.json\]/],
    [["show", "weapon", "--tables", "bad.json"], 2, /bad\.json .*\[recipe\.tables\]/],
    [["recipes"], 2, /unknown command 'recipes'/],
  ])("%j", async (args, exit, message) => {
    writeFileSync(join(cwd, "bad.json"), '{"steps": []}');
    writeFileSync(join(cwd, "torn.json"), "{");
    const { code, stdout, stderr } = await recipe(...args);
    expect([code, stdout]).toEqual([exit, ""]);
    expect(stderr).toMatch(message);
  });
});

function shippedWord(table: string): string {
  const { tables } = shippedRecipe("weapon") as { tables: Record<string, readonly { word: string }[]> };
  return tables[table][0].word;
}
