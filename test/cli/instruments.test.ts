import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
// @ts-expect-error: the example has no types
import { check } from "../../examples/check-receipt.mjs";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const OLD = "result,weight\ngold,60\narrow,30\ncrown,10\n";
const NEW = "result,weight\ngold,60\narrow,25\ncrown,15\n";
const cwd = folderWith({
  "old.csv": OLD,
  "new.csv": NEW,
  "table.csv": "table,result,jump,weight\nChest,gold,,9\n,,Relics,1\nRelics,crown,,1\n",
  "drops.json": JSON.stringify({
    rolls: 2,
    table: {
      rows: {
        Orc: [
          { result: "arrow", weight: 1 },
          { result: "gold", weight: 1 },
        ],
      },
    },
  }),
  "pools.json": JSON.stringify({ roots: { i: { kind: "finite", records: ["a", { id: "b", quantity: 3 }] } } }),
  "walk.json": JSON.stringify({ steps: 9, walkers: 2 }),
  "world.json": JSON.stringify({
    layers: [{ name: "road", steps: 9 }],
    terrain: [{ terrain: "road", when: { road: { visits: [1, null] } } }, { terrain: "grass" }],
    placements: [{ name: "tree", on: ["grass"], density: "2/5", distance: 1 }],
  }),
});
const run = (...args: string[]) => rollmill(args, { cwd });
const lines = async (...args: string[]) => {
  const { code, stdout, stderr } = await run(...args);
  expect(code, stderr).toBe(0);
  return stdout.trimEnd().split("\n");
};

describe("the same words for every noun", () => {
  // the chance of the result in one attempt is the last entry
  const NOUNS = [
    ["old.csv", "crown", "1/10"],
    ["gold=9,crown=1", "crown", "1/10"],
    ["table.csv", "crown", "1/10"],
    ["drops.json", "arrow", "3/4"],
    ["pools.json", "a", "1/4"],
    ["2d6", "7", "1/6"],
  ] as const;

  test.each(NOUNS)("%s", async (file, result, once) => {
    expect((await lines("chance", file, result, "--in", "1"))[0].split("\t").slice(0, 2)).toEqual([result, once]);
    const [, mean, ...numbers] = (await lines("wait", file, result))[0].split("\t");
    expect(Number(mean)).toBeGreaterThanOrEqual(1);
    expect(numbers.map(Number)).toEqual([...numbers.map(Number)].sort((a, b) => a - b));
    const shares = await lines("luck", file, `${result}=1`, "--in", "2");
    expect(shares.map((line) => line.split("\t").slice(0, 2))).toEqual(
      ["fewer", "equal", "more"].map((players) => [result, players]),
    );
    expect(await lines("collect", file, result)).toHaveLength(1);
  });

  test("a recipe and a folder of edit files take PART=RESULT", async () => {
    const [item] = await lines("chance", "weapon", "prefix=burnished", "--in", "10");
    expect(item).toBe("prefix=burnished\t≈ 0.102229\t10.2229 %\t1 in 9.78197");
    const folder = join(process.cwd(), "data", "dungeon");
    expect((await lines("wait", folder, "affix=Steady", "--level", "10"))[0]).toBe(
      "affix=Steady\t31.6754\t22\t72\t144",
    );
    expect(await lines("luck", "weapon", "prefix=burnished=1", "--in", "10")).toHaveLength(3);
    const { code, stderr } = await run("chance", "weapon", "--in", "10");
    expect([code, stderr]).toEqual([2, expect.stringContaining("[cli.usage]")]);
  });

  test("odds that are known only within bounds: text, CSV and JSON", async () => {
    const object = [
      join(process.cwd(), "data", "dungeon"),
      "--level",
      "40",
      "--good",
      "--kind",
      "Cudgel",
      "--states",
      "3",
    ];
    const [folder, ...options] = object;
    expect((await lines("chance", folder, "affixes=1", "--in", "2", ...options))[0]).toMatch(
      /^affixes=1\t0\.\d+ … 0\.\d+\t[\d.]+ … [\d.]+ %\t1 in [\d.]+ … 1 in [\d.]+$/,
    );
    const [head, row] = await lines("chance", folder, "affixes=1", "--in", "2", "--csv", ...options);
    expect(head).toBe("result,exact,least,most");
    const [, , least, most] = row.split(",").map(Number);
    expect(least).toBeLessThan(most);
    const { stdout } = await run("wait", folder, "affixes=1", "--json", ...options);
    const [{ mean, quantiles }] = dataOf(stdout);
    expect([Object.keys(mean), mean.least.value < mean.most.value]).toEqual([["least", "most"], true]);
    expect(quantiles[2].least).toBeLessThan(quantiles[2].n);
    const compared = await run("compare", folder, folder, ...options);
    expect(compared.stderr).toMatch(/changed: 0, unchanged: 0, unknown: \d+/);
  });

  test("without a result, a line for each result", async () => {
    const all = await lines("chance", "table.csv", "--in", "1");
    expect(all).toEqual(["gold\t9/10\t90 %\t1 in 1.11111", "crown\t1/10\t10 %\t1 in 10"]);
    expect(await lines("collect", "d6")).toEqual(["all 6\t14.7\t13\t23\t36"]);
  });

  test("an option of another noun is refused", async () => {
    const { code, stderr } = await run("chance", "old.csv", "crown", "--in", "2", "--level", "3");
    expect(code).toBe(2);
    expect(stderr).toMatch(/--level .*objects.*\[cli\.usage\]/);
  });
});

describe("rollmill chance", () => {
  test("ranges, several results, and bounds of how often", async () => {
    expect((await lines("chance", "2d6", "9..", "--in", "1"))[0]).toContain("5/18");
    expect((await lines("chance", "old.csv", "crown", "arrow", "--in", "1"))[0]).toContain("2/5");
    expect((await lines("chance", "old.csv", "crown", "--in", "3", "--exactly", "0"))[0]).toContain("729/1000");
    expect((await lines("chance", "old.csv", "crown", "--in", "3", "--at-most", "1"))[0]).toContain("243/250");
  });

  test("CSV, JSON, and bounds where a fraction is too long", async () => {
    expect((await lines("chance", "old.csv", "crown", "--in", "1", "--csv"))[1]).toBe("crown,1/10,0.1");
    const long = dataOf(
      (await run("chance", "old.csv", "crown", "--in", "1000000", "--at-least", "100000", "--json")).stdout,
    );
    const [{ least, most, value }] = long.results;
    expect(least.value).toBeCloseTo(value, 10);
    expect(most.value).toBeCloseTo(value, 10);
    expect(value).toBeCloseTo(0.5, 2);
  });

  test("an unknown result: a hint", async () => {
    const { code, stderr } = await run("chance", "old.csv", "crwon", "--in", "2");
    expect([code, stderr]).toEqual([2, expect.stringMatching(/"crown".*\[argument\.range\]/)]);
  });
});

describe("rollmill wait", () => {
  test("other quantiles, and a picture", async () => {
    expect(
      await lines("wait", "old.csv", "crown", "--quantile", "95%", "--quantile", "1/3", "--svg", "wait.svg"),
    ).toEqual(["crown\t10\t29\t4"]);
    expect(readFileSync(join(cwd, "wait.svg"), "utf8")).toMatch(/^<svg(?:.|\n)*Waiting time of old/);
  });

  test("a result that never comes", async () => {
    const { code, stderr } = await run("wait", "gold=1,crown=0", "crown");
    expect([code, stderr]).toEqual([2, expect.stringContaining("[odds.never]")]);
  });
});

describe("rollmill compare", () => {
  test("the changes, the largest first", async () => {
    expect(await lines("compare", "old.csv", "new.csv")).toEqual([
      "crown\t1/10\t10 %\t+5\t3/20\t15 %\t1 in 6.66667",
      "arrow\t3/10\t30 %\t−5\t1/4\t25 %\t1 in 4",
    ]);
  });

  test("a picture of the changes, with the names of the results", async () => {
    await lines("compare", "old.csv", "new.csv", "--svg", "changes.svg");
    const picture = readFileSync(join(cwd, "changes.svg"), "utf8");
    expect(picture.match(/rotate\(-45[^>]*>(\w+)</g)?.map((text) => /(\w+)<$/.exec(text)?.[1])).toEqual([
      "crown",
      "arrow",
    ]);
    expect(picture).toContain("before");
  });

  test("a gate: exit 1 only above the limit", async () => {
    const codes = [
      ["--fail-above", "5%"],
      ["--fail-above", "1/25"],
      ["--fail-ratio", "1.5"],
      ["--fail-ratio", "1.49"],
    ].map(async (gate) => (await run("compare", "old.csv", "new.csv", "--markdown", ...gate)).code);
    expect(await Promise.all(codes)).toEqual([0, 1, 0, 1]);
  });

  test("Markdown escapes what would be markup", async () => {
    const [, , row] = await lines("compare", "a|b=1,c=1", "a|b=1,c=3", "--markdown");
    expect(row).toContain("a\\|b");
  });
});

describe("rollmill balance", () => {
  const files = folderWith({
    "loot.csv": 'weight;result;note\r\n"70";gold;"a;b"\r\n 20 ;arrow;\r\n10;crown;rare\r\n',
    "list.json": `{\n  "$schema": "x",\n  "gold": 70.0, "arrow": 2e1,\n  "crown": 10\n}\n`,
    "entries.json": `[{ "result": "gold", "weight": "7/10" },\n { "weight": "3/10", "result": "crown" }]`,
    "bare.csv": "result\ngold\ncrown\n",
  });
  const balanced = async (file: string, ...args: string[]) => {
    const { code, stderr } = await rollmill(["balance", file, "-o", "new", ...args], { cwd: files });
    expect(code, stderr).toBe(0);
    return readFileSync(join(files, "new"), "utf8");
  };

  test("edits the weights in place, and nothing else", async () => {
    expect(await balanced("loot.csv", "--set", "crown=1/400")).toBe(
      'weight;result;note\r\n"931";gold;"a;b"\r\n 266 ;arrow;\r\n3;crown;rare\r\n',
    );
    expect(await balanced("list.json", "--set", "crown=1/4", "--set", "gold=50%")).toBe(
      `{\n  "$schema": "x",\n  "gold": 2, "arrow": 1,\n  "crown": 1\n}\n`,
    );
    expect(await balanced("entries.json", "--set", "crown=95% in 100", "--total", "1000")).toBe(
      `[{ "result": "gold", "weight": 97 },\n { "weight": 3, "result": "crown" }]`,
    );
  });

  test("prints the new weights and what they reach", async () => {
    const { code, stdout, stderr } = await rollmill([
      "balance",
      "gold=99,crown=1",
      "--set",
      "crown=1/3",
      "--total",
      "100",
    ]);
    expect([code, stdout]).toEqual([0, "gold\t99\t2\n"]);
    expect(stderr).toContain("crown: wanted 1/3, reached 1/3");
  });

  test("refuses what cannot be met, and a file without weights", async () => {
    const codes = [
      ["gold=1,crown=1", "--set", "crown=1"],
      ["gold=1,crown=1", "--set", "crwn=1/2"],
      ["gold=1,crown=1", "--set", "crown"],
      ["gold=1,crown=1", "--set", "crown=1/2", "-o", "new"],
      ["bare.csv", "--set", "crown=1/3", "-o", "new"],
    ].map(async (args) => (await rollmill(["balance", ...args], { cwd: files })).code);
    expect(await Promise.all(codes)).toEqual([2, 2, 2, 2, 2]);
  });
});

describe("rollmill search and selfcheck", () => {
  test("the indices are those of the rolls", async () => {
    const rolls = await lines("table", "roll", "table.csv", "-n", "100", "--seed", "moria");
    const crowns = [...rolls.keys()].filter((k) => rolls[k] === "crown").map(String);
    expect(await lines("search", "table.csv", "crown", "--to", "100", "--seed", "moria")).toEqual(crowns);
    const [first, second] = crowns;
    const later = await lines(
      "search",
      "table.csv",
      "crown",
      "--from",
      String(Number(first) + 1),
      "-n",
      "1",
      "--seed",
      "moria",
    );
    expect(later).toEqual([second]);
  });

  test("the counts agree with the odds", async () => {
    const [, degrees, p] = (await lines("selfcheck", "old.csv", "-n", "1e5", "--seed", "moria"))[0]
      .split("\t")
      .map(Number);
    expect(degrees).toBe(2);
    expect(p).toBeGreaterThan(0.001);
  });
});

describe("rollmill explain", () => {
  test("every noun: the tree ends with the result of the noun's own command", async () => {
    const [first] = await lines("explain", "table.csv", "--at", "3", "--seed", "moria");
    const [roll] = await lines("table", "roll", "table.csv", "--from", "3", "--seed", "moria");
    expect(first).toBe(`table table, index 3: ${JSON.stringify(roll)}`);
    for (const file of ["old.csv", "drops.json", "pools.json", "2d6", "weapon"]) {
      expect((await lines("explain", file, "--seed", "moria")).length, file).toBeGreaterThan(1);
    }
  });

  test("a receipt passes the checker, and a changed one does not", async () => {
    const { stdout } = await run("explain", "table.csv", "--at", "3", "--seed", "moria", "--receipt");
    expect(() => check(JSON.parse(stdout), readFileSync(join(cwd, "table.csv")))).not.toThrow();
    expect(() => check(JSON.parse(stdout.replace('"weight":9', '"weight":8')))).toThrow("digest");
  });

  test("steps of walkers and cells of worlds", async () => {
    const [step] = await lines("explain", "walk.json", "--walker", "1", "--step", "3", "--seed", "moria");
    expect(step).toMatch(/^walk walk, walker 1, step 3: /);
    const cell = await lines("explain", "world.json", "--cell", "0,0", "--seed", "moria");
    expect(cell.slice(0, 2)).toEqual([expect.stringMatching(/^world world, cell 0, 0: /), "  rule 1, road"]);
    const { stdout } = await run("explain", "world.json", "--cell=-3,7", "--seed", "moria", "--receipt");
    expect(() => check(JSON.parse(stdout), readFileSync(join(cwd, "world.json")))).not.toThrow();
    for (const [file, message, ...args] of [
      ["walk.json", "a walk has no results with an index"],
      ["world.json", "a world has no results with an index", "--at", "3"],
      ["old.csv", "only worlds have cells", "--cell", "0,0"],
      ["old.csv", "only walks and worlds have walkers", "--walker", "0"],
    ]) {
      const { code, stderr } = await run("explain", file, "--seed", "moria", ...args);
      expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
    }
    const { code, stderr } = await run("chance", "walk.json", "NW", "--in", "3");
    expect([code, stderr]).toEqual([2, expect.stringContaining("a walk has no odds of results")]);
  });

  test("the first decision in which two versions part", async () => {
    const differ = [...Array(40).keys()].map(async (at) => {
      const args = ["explain", "old.csv", "--at", String(at), "--name", "loot", "--seed", "moria", "--diff", "new.csv"];
      const { stdout, stderr } = await run(...args);
      return stdout === "" ? stderr.includes("all decisions led to the same") : stdout.split("\n").length > 4;
    });
    expect(await Promise.all(differ)).not.toContain(false);
  });
});

describe("rollmill sensitivity", () => {
  test("the weights that matter most come first", async () => {
    expect(await lines("sensitivity", "gold=99,crown=1", "crown")).toEqual([
      "1\t1\t0.0099\t2/101\t1.9802 %\t1 in 50.5",
      "0\t99\t-0.0001\t1/101\t0.990099 %\t1 in 101",
    ]);
    const [first] = await lines("sensitivity", "table.csv", "crown", "--top", "1");
    expect(first).toBe("Chest\t1\t1\t0.09\t2/11\t18.1818 %\t1 in 5.5");
    const [drops] = await lines("sensitivity", "drops.json", "arrow");
    expect(drops).toBe("Orc\t0\t1\t0.25\t8/9\t88.8889 %\t1 in 1.125");
    expect((await lines("sensitivity", "pools.json", "a"))[0]).toBe("0\t1\t0.1875\t2/5\t40 %\t1 in 2.5");
    expect((await run("sensitivity", "2d6", "7")).code).toBe(2);
  });
});

describe("rollmill pity", () => {
  test("the oracles", async () => {
    expect((await lines("pity", "--base", "0.6%", "--hard", "90"))[0]).toMatch(/^hit\t69\.6998\t/);
    const [hit, featured] = await lines(
      "pity",
      "--base",
      "0.6%",
      "--soft",
      "74:6%",
      "--hard",
      "90",
      "--featured",
      "1/2",
    );
    expect(hit).toMatch(/^hit\t62\.2973\t.*\t1\.60521 %/);
    expect(featured).toMatch(/^featured\t93\.446\t/);
  });

  test("over the odds of a file", async () => {
    const rule = ["--soft", "3:10%", "--hard", "6"];
    const ofFile = await lines("pity", "table.csv", "--of", "crown", ...rule);
    expect(ofFile).toEqual(await lines("pity", "--base", "1/10", ...rule));
    const two = ["--of", "crown", "--of", "arrow", "--featured-result", "crown"];
    expect(await lines("pity", "old.csv", ...two, ...rule)).toEqual(
      await lines("pity", "--base", "2/5", "--featured", "1/4", ...rule),
    );
    const refused = [
      ["pity", "--hard", "6"],
      ["pity", "table.csv", "--hard", "6"],
      ["pity", "table.csv", "--of", "crown", "--featured-result", "gold", "--hard", "6"],
      ["pity", "--base", "1/10", "--featured-result", "gold", "--hard", "6"],
      ["pity", "pools.json", "--of", "a", "--hard", "6"],
      ["pity", "table.csv", "--of", "crown", "--base", "1/10", "--hard", "6"],
    ];
    for (const args of refused) expect((await run(...args)).stderr, args.join(" ")).toContain("[cli.usage]");
  });

  test("a rule without a sure hit is refused", async () => {
    const { code, stderr } = await run("pity", "--base", "0.6%");
    expect([code, stderr]).toEqual([2, expect.stringContaining("[argument.range]")]);
  });
});

test("on a terminal, a bar follows each probability", async () => {
  const { stdout } = await rollmill(["chance", "old.csv", "--in", "1"], { cwd, screen: true });
  expect(stdout.split("\n")[0]).toBe(`gold\t3/5\t60 %\t1 in 1.66667\t${"█".repeat(12)}`);
});

test("walk analyse", async () => {
  const spec = join(process.cwd(), "examples", "walk.json");
  const { classes, meanSquare } = dataOf((await run("walk", "analyse", spec, "--layer", "land", "--json")).stdout);
  expect(classes[0].headings.E).toEqual({ numerator: "1", denominator: "6", probability: 1 / 6 });
  expect(meanSquare.value).toBeCloseTo(149.375, 3);
});
