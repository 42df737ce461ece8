// What a designer of items does in the workbench: requests, the odds of each part, and the numbers of the items.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMill, type Fraction, type Recipe, toNumber } from "../../src/index.js";
import { explain, explainText } from "../../src/instruments/index.js";
import { FILE_NAMES, type ObjectMaker, type ObjectTexts } from "../../src/objects/index.js";
import { type ItemOptions, parseWordCsv } from "../../src/recipes/index.js";
import type { Document, Files } from "../../workbench/src/document.js";
import { linkOf } from "../../workbench/src/link.js";
import { BIN } from "../cli/rollmill.js";
import { isMissing, LONG, settled, textIn, type, Workbench } from "./page.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// inside the package, so that the programs find it by its name
const OUT = fileURLToPath(new URL("../../out", import.meta.url));
const HOSTILE = "<img src=x onerror='document.title=1'>";
const SEED = "moria";
const soon = <T>(read: () => T) => expect.poll(read, LONG);

const CHARM = recipeFiles("charm", "../../examples/armory/charm");
const DUNGEON = Object.fromEntries(textsIn("../../data/dungeon/").map(([name, text]) => [`dungeon/${name}`, text]));

function recipeFiles(name: string, path: string): Files {
  const words = textsIn(`${path}/`).map(([file, text]) => [`${name}/${file}`, text]);
  const recipe = readFileSync(new URL(`${path}.json`, import.meta.url), "utf8");
  return { [`${name}.json`]: recipe, ...Object.fromEntries(words) };
}

function textsIn(folder: string): [name: string, text: string][] {
  const url = new URL(folder, import.meta.url);
  return readdirSync(url).map((name) => [name, readFileSync(new URL(name, url), "utf8")]);
}

function charm(text = CHARM["charm.json"]): Recipe {
  const csv = Object.entries(CHARM).filter(([file]) => file.endsWith(".csv"));
  const tables = csv.map(([file, words]) => [file.slice("charm/".length, -4), parseWordCsv(words).rows]);
  return createMill({ seed: SEED }).recipe("charm", JSON.parse(text), { tables: Object.fromEntries(tables) });
}

function dungeon(): ObjectMaker {
  const texts = Object.entries(FILE_NAMES).map(([key, name]) => [key, DUNGEON[`dungeon/${name}`]]);
  return createMill({ seed: SEED }).objects("dungeon", Object.fromEntries(texts) as ObjectTexts);
}

function namesOf(made: { readonly length: number; name(k: number): string }): string[] {
  return Array.from({ length: made.length }, (_, k) => made.name(k));
}

function fractionsOf(odds: readonly { readonly result: unknown; readonly probability: Fraction }[]) {
  return Object.fromEntries(
    odds.map(({ result, probability }) => [String(result), `${probability.numerator}/${probability.denominator}`]),
  );
}

describe.skipIf(isMissing)("recipes and objects in the workbench", () => {
  const bench = new Workbench();
  let folder: string;
  beforeAll(() => {
    mkdirSync(OUT, { recursive: true });
    folder = mkdtempSync(join(OUT, "items-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const open = async (files: Files, view: Document["view"] = {}, file = Object.keys(files)[0]) => {
    await bench.page.goto("about:blank");
    await bench.page.goto(`${bench.url}${await linkOf({ files, file, seed: SEED, view })}`);
    await bench.page.waitForSelector(".requests");
  };
  const field = (label: string) =>
    bench.page.getByRole("form", { name: "Requests" }).getByLabel(label, { exact: true });
  const depth = () => bench.page.getByLabel(/^depth/);
  const names = () => bench.texts(".shelf li > h3");
  const problems = () => bench.texts(".requests .problem");
  const choosePart = (label: string) => bench.page.locator(".part select").selectOption(label);
  /** Runs the command and the program that the page offers, in a folder with the files. */
  const printed = async (files: Files) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    if (!(await bench.page.locator(".command pre").isVisible())) await bench.page.click("text=Take it away");
    const line = await textIn(bench.page, ".command code");
    const own = line.replace(/^npx rollmill /, `"${process.execPath}" "${BIN}" `);
    writeFileSync(join(folder, "made.mjs"), await textIn(bench.page, ".command pre"));
    const run = (command: string, args: readonly string[]) => {
      const lines = execFileSync(command, args, { cwd: folder, encoding: "utf8" }).trimEnd().split("\n");
      return lines.map((one) => one.split("\t")[0]);
    };
    return [run("sh", ["-c", own]), run(process.execPath, ["made.mjs"])];
  };
  const axe = async () => {
    await bench.page.evaluate(AXE);
    const { violations } = (await bench.page.evaluate("axe.run()")) as {
      violations: { id: string; nodes: object[] }[];
    };
    return violations.map(({ id, nodes }) => [id, JSON.stringify(nodes[0]).slice(0, 300)]);
  };

  test("the requests for a recipe are those of the library, the command and the program", async () => {
    await open(CHARM);
    expect(await names()).toEqual(namesOf(charm().makeMany(24)));
    await field("gem").selectOption("star");
    await field("tier").selectOption("2");
    await field("nearby tiers").selectOption("too");
    await field("power").fill("1.5");
    const own = namesOf(charm().makeMany(24, { request: { gem: "star" }, tier: 2, tierVariance: 1, power: 1.5 }));
    await soon(names).toEqual(own);
    expect(await printed(CHARM)).toEqual([own, own]);
    // a link and the history have them
    await bench.page.waitForTimeout(800);
    const link = bench.page.url();
    await bench.page.click("text=Clear");
    await soon(names).toEqual(namesOf(charm().makeMany(24)));
    await bench.page.click("text=Undo");
    await soon(names).toEqual(own);
    await bench.page.goto("about:blank");
    await bench.page.goto(link);
    await soon(names).toEqual(own);
    expect(await field("gem").inputValue()).toBe("star");
  });

  test("the requests for objects are those of the library, the command and the program", async () => {
    await open(DUNGEON, { "with level": 20 }, "dungeon/object.txt");
    const objects = (options: object) => namesOf(dungeon().makeMany(24, { level: 20, ...options }));
    expect(await names()).toEqual(objects({}));
    await field("quality").selectOption("great");
    await field("type").selectOption("sword");
    await field("affix").selectOption("Honed");
    await field("allow artifacts").selectOption("no");
    const own = objects({ great: true, tval: "sword", with: ["Honed"], artifacts: false });
    await soon(names).toEqual(own);
    expect(await field("affix 2").count()).toBe(1);
    expect(await printed(DUNGEON)).toEqual([own, own]);
    await bench.page.locator(".shelf button").nth(3).click();
    await bench.page.waitForSelector("dialog pre");
    expect(await textIn(bench.page, "dialog pre")).toContain("Honed");
    await bench.page.click("text=Clear");
    await soon(names).toEqual(objects({}));
    expect(await depth().inputValue()).toBe("20");
    const [{ name }] = dungeon().files.artifacts;
    await field("this artifact").selectOption(name);
    await soon(async () => (await names()).length).toBe(1);
    expect(await printed(DUNGEON)).toEqual([await names(), await names()]);
  });

  test("an open explanation follows the requests, and leaves the focus where it is", async () => {
    await open(CHARM);
    const told = (options: ItemOptions) => explainText(explain(charm(), { at: 0, with: options }));
    const shown = () => bench.page.locator("dialog pre").textContent();
    await bench.page.locator(".shelf button").first().click();
    await soon(shown).toBe(told({}));
    await field("gem").focus();
    await bench.page.keyboard.press("j");
    await soon(shown).toBe(told({ request: { gem: "jade" } }));
    expect(await field("gem").evaluate((one) => one === document.activeElement)).toBe(true);
    await bench.page.locator(".shelf button").nth(1).press("Enter");
    await soon(() => bench.texts("dialog h3")).toEqual(["Why result 1"]);
    await bench.page.keyboard.press("Escape");
    expect(await bench.page.locator("dialog").count()).toBe(0);
  });

  test("the odds of a part are exact, and follow the requests and the text", async () => {
    await open(CHARM);
    await soon(bench.chances).toMatchObject(fractionsOf(charm().odds({ of: "gem" }).odds));
    await choosePart("wear");
    await soon(bench.chances).toEqual(fractionsOf(charm().odds({ of: "wear" }).odds));
    await field("power").fill("1.25");
    await soon(bench.chances).toEqual(fractionsOf(charm().odds({ of: "wear", power: 1.25 }).odds));
    const text = CHARM["charm.json"].replace('"up": { "above": 40 }', '"up": { "above": 90 }');
    await type(bench.page, text);
    await soon(bench.chances).toEqual(fractionsOf(charm(text).odds({ of: "wear", power: 1.25 }).odds));
    expect(await textIn(bench.page, ".part p")).toMatch(/^The chances of \d+ results, exactly\.$/);
  });

  test("the odds of objects are exact, unless an affix or a theme is requested", async () => {
    await open(DUNGEON, { "with level": 20 }, "dungeon/object.txt");
    const { affixes } = dungeon().odds({ of: "object", level: 20 });
    await choosePart("affix");
    const own = [...affixes.odds.map(({ result }) => result.name), "nothing"];
    await soon(async () => Object.keys(await bench.chances())).toEqual(own);
    const percents = await bench.texts(".part .percent");
    expect(Number.parseFloat(percents[0])).toBeCloseTo(100 * toNumber(affixes.odds[0].probability), 1);
    expect(await textIn(bench.page, ".part p")).toContain("exactly");
    await field("affix").selectOption("Honed");
    await soon(async () => (await bench.chances()).Honed).toBe("1/1");
    const { counts } = dungeon().count(4096, { of: "affix", level: 20, with: ["Honed"], from: 0 });
    const seen = [...counts].filter(([, count]) => count > 0).map(([{ name }]) => name);
    expect(Object.keys(await bench.chances())).toEqual(seen);
    expect(await textIn(bench.page, ".part p")).toContain("about: counted in 4,096 items");
  });

  test("the histograms have the exact strength, and the counts of other numbers", async () => {
    await open(CHARM);
    const bars = bench.page.getByRole("img", { name: /^luck/ }).locator("rect");
    await soon(() => bars.count()).toBe(21);
    const made = charm().makeMany(4096, { from: 0 });
    const luck = [...made.stats.luck].map((units) => Math.floor(units / 10 ** made.decimals.luck));
    const shares = Array.from({ length: 21 }, (_, i) => luck.filter((one) => one === i).length / luck.length);
    const heights = await bars.evaluateAll((all) => all.map((bar) => Number(bar.getAttribute("height"))));
    for (const [i, share] of shares.entries()) expect(heights[i]).toBeCloseTo((80 * share) / Math.max(...shares), 6);
    const { odds } = charm().odds({ of: "strength" });
    const mean = odds.reduce((sum, { result, probability }) => sum + result * toNumber(probability), 0);
    const strength = bench.page.locator(".histogram:has(b:text-is('str'))");
    expect(await strength.textContent()).toContain(`exactly ${mean.toPrecision(4)} on average`);
    await field("power").fill("2");
    await soon(() => strength.textContent()).not.toContain(mean.toPrecision(4));
  });

  test("the histograms of objects count those that have the number", async () => {
    await open(DUNGEON, { "with level": 20 }, "dungeon/object.txt");
    const made = [...dungeon().makeMany(4096, { level: 20 })];
    const damages = made.map(({ dice, sides }) => (dice * (sides + 1)) / 2).filter((mean) => mean > 0);
    const mean = damages.reduce((sum, one) => sum + one, 0) / damages.length;
    const text = `about ${mean.toPrecision(4)} on average, of the ${damages.length.toLocaleString("en")} items that have it`;
    await soon(() => bench.texts(".histogram")).toContainEqual(expect.stringContaining(text));
    // values from 1 to 48,000 have bars of 1, 2, 5, 10, …
    const values = bench.page.getByRole("img", { name: /^value/ }).locator("title");
    expect((await values.allTextContents()).slice(0, 4).map((one) => one.split(":")[0])).toEqual([
      "1",
      "2 to 4",
      "5 to 9",
      "10 to 19",
    ]);
  });

  test("a request that cannot be met has the error of the library at its field", async () => {
    await open(DUNGEON, { "with level": 20, "with affix 1": "Honed", "with kind": "Excalibur" }, "dungeon/object.txt");
    await soon(problems).toEqual([expect.stringContaining('unknown kind: got "Excalibur"')]);
    expect(await field("kind").getAttribute("aria-invalid")).toBe("true");
    const described = await field("kind").evaluate((kind) => {
      return document.getElementById(kind.getAttribute("aria-describedby") ?? "")?.textContent;
    });
    expect(described).toContain("Excalibur");
    expect(await field("affix").getAttribute("aria-invalid")).toBe("false");
    expect(await names()).toEqual([]);
    await field("kind").selectOption("Storm Lamp");
    await soon(problems).toEqual([expect.stringContaining("Honed")]);
    await bench.page.click("text=Clear");
    await soon(async () => (await names()).length).toBe(24);
    await open(CHARM, { "with slot gem": "pebbles" });
    await soon(problems).toEqual([expect.stringContaining('no such word: got "pebbles"')]);
  });

  test.each([
    [CHARM, "charm.json", { "with slot gem": HOSTILE, "with tier": "1e999", "with power": -1, part: HOSTILE }, 3],
    [CHARM, "charm.json", { "with tierVariance": "NaN", "with slot __proto__": "x", "with constructor": "x" }, 1],
    [DUNGEON, "dungeon/object.txt", { "with level": HOSTILE, "with quality": "level", "with kind": "__proto__" }, 3],
    [DUNGEON, "dungeon/object.txt", { "with level": 1e300, "with affix 1": "-1", "with attempts": 1e9, part: 7 }, 2],
  ])("a hostile link cannot break the page: %#", async (files, file, view, wrong) => {
    await open(files, view, file);
    await soon(async () => (await problems()).length).toBe(wrong);
    expect(await bench.page.locator(".results img").count()).toBe(0);
    await bench.page.click("text=Clear");
    if ("with level" in view) await depth().fill("20");
    await soon(async () => (await names()).length).toBe(24);
    await soon(async () => Object.keys(await bench.chances()).length).toBeGreaterThan(1);
  });

  test("words of strangers are text, also on the command line", async () => {
    const slots = [{ slot: "all", table: "t", strength: 1 }];
    const recipe = { stats: [{ name: "age" }], strength: "age", steps: [{ kind: "slots", name: "a", slots }] };
    const words = `id,word\n1,"${HOSTILE}"\n2,"'; touch evil; '"\n`;
    const files = { "x y.json": JSON.stringify(recipe), "x y/t.csv": words };
    await open(files);
    await soon(async () => Object.keys(await bench.chances())).toContain(HOSTILE);
    await field("all").selectOption("'; touch evil; '");
    await soon(async () => new Set(await names()).size).toBe(1);
    expect(await printed(files)).toEqual([await names(), await names()]);
    expect(readdirSync(folder)).not.toContain("evil");
  });

  test.each([
    ["a recipe", CHARM, "charm.json", { "with power": 2 }],
    ["objects", DUNGEON, "dungeon/object.txt", { "with level": 20 }],
    ["a request that cannot be met", DUNGEON, "dungeon/object.txt", { "with kind": "Excalibur" }],
  ])("is accessible with %s", async (_, files, file, view) => {
    await open(files, view, file);
    await settled(bench.page);
    await soon(() => bench.page.locator(".histogram, .requests .problem").count()).toBeGreaterThan(0);
    await soon(() => bench.page.locator(".part .odds, .requests .problem").count()).toBeGreaterThan(0);
    expect(await axe()).toEqual([]);
  });

  test("needs no mouse", async () => {
    await open(CHARM);
    await field("gem").focus();
    await bench.page.keyboard.press("j");
    await soon(bench.chances).toEqual({ jade: "1/1", amber: "0/1", onyx: "0/1", star: "0/1" });
    // past the other fields and the button: the part whose odds are shown
    for (let i = 0; i < 7; i++) await bench.page.keyboard.press("Tab");
    await bench.page.keyboard.press("v");
    const { odds, none } = charm().odds({ of: "virtue", request: { gem: "jade" } });
    const own = [...odds, { result: "nothing", probability: none }];
    await soon(bench.chances).toEqual(fractionsOf(own));
    await bench.page.keyboard.press("Tab");
    expect(await bench.page.evaluate(() => document.activeElement?.className)).toBe("scroll");
  });
});
