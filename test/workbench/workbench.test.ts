// What a designer does in the workbench, from opening to sharing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { serveWorkbench } from "../../src/cli/workbench/serve.js";
import { createMill, toNumber } from "../../src/index.js";
import { loadWorld } from "../../src/worlds/index.js";
import type { Document as Shown } from "../../workbench/src/document.js";
import { documentOf, linkOf } from "../../workbench/src/link.js";
import { launchChromium } from "../browser/chromium.js";
import { rollmill } from "../cli/rollmill.js";
import { IS_SOAK } from "../soak.js";
import { follow } from "./follow.js";
import { isMissing, LONG, openPage, settled, textIn, type, Workbench } from "./page.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
// Real files stand beside the project and are never part of it
const REAL = new URL("../../../shared/data/", import.meta.url);
const noReal = !existsSync(REAL) && process.env.CI === undefined;
const example = (name: string) => readFileSync(new URL(`../../examples/${name}`, import.meta.url), "utf8");

const soon = <T>(read: () => T) => expect.poll(read, LONG);

const HOSTILE = '<img src=x onerror="document.title=1">';
/** Damaged links that the page opens; link.test.ts reads 1,000 of them. */
const LINKS = IS_SOAK ? 1000 : 30;
const VIEWS = ["Table", "Drops", "Pools", "Pools", "Recipe", "Objects", "Walk", "World"];

/** What axe finds. */
async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const { violations } = (await page.evaluate("axe.run()")) as { violations: { id: string; nodes: object[] }[] };
  return violations.map(({ id, nodes }) => `${id} ${JSON.stringify(nodes[0]).slice(0, 300)}`);
}

/** In the page: marks what a pointer can use, and returns how many there are. */
function markControls(): number {
  const found = document.querySelectorAll(
    "button:enabled, select, input, summary, a[href], canvas[tabindex], .cm-content",
  );
  const seen = [...found].filter((one) => one.checkVisibility());
  for (const one of seen) one.setAttribute("data-unreached", "");
  return seen.length;
}

/** In the page: whether it shows a document, or says why a link has none. */
function saysOrShows(found: Shown | { readonly problem: string }): boolean {
  const notice = document.querySelector(".notice")?.textContent ?? "";
  if ("problem" in found) return notice.includes(found.problem);
  return document.querySelector<HTMLInputElement>("header input")?.value === found.seed;
}

describe.skipIf(isMissing)("the workbench", () => {
  const bench = new Workbench();
  const { show, texts, chances } = bench;
  let page: Page;
  beforeEach(() => {
    page = bench.page;
  });

  test.each(VIEWS.map((view, i) => [i, view] as const))("example %i shows a view: %s", async (i, view) => {
    await page.selectOption("header select", String(i));
    await settled(page);
    expect(await textIn(page, ".view h2")).toBe(view);
    expect(await page.locator(".issues").count()).toBe(0);
    expect(await violationsOf(page)).toEqual([]);
  });

  describe("a designer", () => {
    test("1. and 2. writes a list, and reads exact odds and one in N", async () => {
      const list = { gold: 70, gem: 5, crown: 1 };
      await type(page, "result,weight\ngold,70\ngem,5\ncrown,1\n");
      await soon(chances).toEqual({ gold: "35/38", gem: "5/76", crown: "1/76" });
      expect(
        createMill({ seed: 1 })
          .weighted("loot", list)
          .odds()
          .odds.map(({ probability }) => toNumber(probability)),
      ).toEqual([70 / 76, 5 / 76, 1 / 76]);
      const picks = createMill({ seed: "moria" }).weighted("loot", list);
      expect(await texts(".samples li")).toEqual(Array.from({ length: 24 }, (_, at) => picks.pick({ at })));
    });

    test("3. and 4. sees how long players wait for a drop, and raises it to one in 400", async () => {
      await type(page, "result,weight\ngold,70\ngem,29\ncrown,1\n");
      await soon(chances).toMatchObject({ crown: "1/100" });
      await page.click('.odds button:has-text("crown")');
      await page.waitForSelector(".waiting dl");
      expect(await texts(".waiting dd")).toEqual(["100", "69", "230", "459"]);
      await page.fill(".target input", "400");
      await page.click('.target button:has-text("Set")');
      await soon(chances).toMatchObject({ crown: "1/400" });
      const weights = (await textIn(page, ".cm-content")).match(/\d+$/gm)?.map(Number) ?? [];
      expect(weights[2] / weights.reduce((a, b) => a + b)).toBe(1 / 400);
      await soon(() => texts(".waiting dd")).toEqual(["400", "277", "920", "1,840"]);
      // the odds before stand beside them
      expect((await texts(".odds td[data-change]")).at(-1)).toBe("−0.75 %");
    });

    test("5. pins the odds, and compares", async () => {
      await type(page, "result,weight\ngold,3\ncrown,1\n");
      await soon(chances).toEqual({ gold: "3/4", crown: "1/4" });
      await page.click("text=Pin, to compare");
      await type(page, "result,weight\ngold,1\ncrown,1\n");
      await soon(chances).toEqual({ gold: "1/2", crown: "1/2" });
      await soon(() => texts(".odds td[data-change]")).toEqual(["−25.0 %", "+25.0 %"]);
      await page.click("text=Unpin");
      await soon(() => page.locator(".odds td[data-change]").count()).toBe(0);
    });

    test("6. shares the document by a link that opens in another profile", async () => {
      await type(page, "result,weight\ngold,3\ncrown,1\n");
      await page.fill("header input", "raven");
      await soon(chances).toEqual({ gold: "3/4", crown: "1/4" });
      await page.click("text=Share");
      await page.waitForSelector("text=Link copied");
      const other = await openPage(bench.browser, page.url());
      await settled(other.page);
      expect(await other.page.inputValue("header input")).toBe("raven");
      expect(await other.page.locator(".samples li").allInnerTexts()).toEqual(await texts(".samples li"));
      await other.page.close();
      other.check();
    });

    test("7. finds why a roll came, as the command says", async () => {
      await page.locator(".samples button").nth(3).click();
      await page.waitForSelector("dialog pre");
      expect(await textIn(page, "dialog pre")).toMatch(/^table loot, index 3:/);
      await page.keyboard.press("Escape");
      expect(await page.locator("dialog").count()).toBe(0);
    });

    test("8. draws a pool empty", async () => {
      await type(page, "x");
      await show("Bags that run empty");
      const pools = createMill({ seed: "moria" }).pools("bags", example("bags.json"), { file: "bags.json" });
      const pool = pools.pool("treasure.rare.weapons");
      await page.click('.tree button:has-text("weapons") >> nth=1');
      for (let left = 4; left > 0; left--) {
        await page.waitForSelector(`text=/${left} (copy is|copies are) left/`);
        await page.click("button.main:has-text('Draw')");
      }
      await page.waitForSelector("text=0 copies are left");
      expect(await texts(".samples li")).toEqual([...pool.drawMany(4)].map(String));
    });

    test("9. turns the tensor dial, and the file and the map follow", async () => {
      await show("A drunken walk");
      const before = await textIn(page, "figcaption");
      await page.locator('fieldset:has-text("Turns") input').nth(3).fill("9");
      await soon(() => textIn(page, "figcaption")).not.toBe(before);
      expect(await textIn(page, ".cm-content")).toContain('"backward": 9');
      await page.click("text=Undo");
      await soon(() => textIn(page, "figcaption")).toBe(before);
    });

    test("10. finds the nearest hoard, and a seed with a village near the start", async () => {
      await show("A world without end");
      await page.waitForSelector('.world canvas[data-state="whole"]');
      const place = (path: string) => new URL(`../../examples/${path}`, import.meta.url);
      const read = (path: string) => (existsSync(place(path)) ? example(path) : undefined);
      const { spec } = await loadWorld("endless.json", read);
      const world = createMill({ seed: "moria" }).world("endless", spec as NonNullable<typeof spec>);
      const nearest = world.nearest("hoard", 0, 0, { within: 2048 });
      await page.selectOption('select[name="kind"]', "hoard");
      await page.click('form button[type="submit"]');
      const { row, col } = nearest?.placement ?? { row: 0, col: 0 };
      await page.waitForSelector(`text=${nearest?.distance} steps away, at ${row}, ${col}.`);
      await page.waitForSelector('.world canvas[data-state="whole"]');
      // the cell in the middle of the map is that of the hoard
      const box = await page.locator(".world canvas").boundingBox();
      if (box !== null) await page.mouse.move(box.x + box.width / 2 + 1, box.y + box.height / 2 + 1);
      await soon(() => textIn(page, ".world .cell")).toContain(`at ${row}, ${col}`);
      expect(await textIn(page, ".world .cell")).toContain("hoard");
      await page.click("button:has-text('other seeds')");
      expect(await page.locator(".sheet canvas").count()).toBe(24);
      await page.selectOption("label:has-text('From the start') select", "village");
      await soon(async () => (await texts(".sheet button")).every((one) => /steps|far$/.test(one))).toBe(true);
      const sheet = (await texts(".sheet button")).map((one) => one.trim().split(/\s+/));
      const stepsTo = ([, steps]: readonly string[]) => (steps === "too" ? Infinity : Number(steps));
      const [near] = sheet.toSorted((a, b) => stepsTo(a) - stepsTo(b));
      await page.click(`.sheet button:has-text("${near[0]}")`);
      expect(await page.inputValue("header input")).toBe(near[0]);
      const chosen = createMill({ seed: near[0] }).world("endless", spec as NonNullable<typeof spec>);
      expect(chosen.nearest("village", 0, 0, { within: 2048 })?.distance).toBe(stepsTo(near));
    });

    test("11. saves a job file, and reads the digest that the job prints", async () => {
      await show("A world without end");
      await page.selectOption(".waiting select", "256");
      const [saved] = await Promise.all([page.waitForEvent("download"), page.click("text=Job file")]);
      const folder = mkdtempSync(join(tmpdir(), "rollmill-job-"));
      cpSync(new URL("../../examples", import.meta.url), folder, { recursive: true });
      await saved.saveAs(join(folder, saved.suggestedFilename()));
      const { code, stdout } = await rollmill(["job", "start", "endless-job.json", "made", "--threads", "1"], {
        cwd: folder,
      });
      expect(code).toBe(0);
      const [, digest] = /^world\t([0-9a-f]{64})$/m.exec(stdout) ?? [];
      await soon(() => textIn(page, ".digest")).toBe(digest);
      rmSync(folder, { recursive: true });
    });
  });

  test("on a phone, the header has one row, and its menu opens an example", async () => {
    await page.setViewportSize({ width: 390, height: 900 });
    const heights = await page.locator("header > :visible").evaluateAll((all) => all.map((one) => one.clientHeight));
    expect(await page.locator("header").evaluate((one) => one.clientHeight)).toBeLessThan(2 * Math.max(...heights));
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await violationsOf(page)).toEqual([]);
    await show("A drunken walk");
    expect(await page.locator("#tools").isVisible()).toBe(false);
    await page.click("text=Files");
    expect(await textIn(page, ".cm-content")).toContain("isle");
  });

  test("shows errors in their places, and keeps the last results", async () => {
    await type(page, "table,result,weight\nChest,gold,many\n");
    await page.waitForSelector('.issues [data-severity="error"]');
    expect(await textIn(page, ".issues")).toContain("loot.csv:2:12");
    expect(await page.locator(".cm-lintRange-error").count()).toBe(1);
    expect(await page.locator(".odds").count()).toBe(1);
    expect(await violationsOf(page)).toEqual([]);
    await page.keyboard.press("Control+z");
    await settled(page);
    expect(await page.locator(".issues").count()).toBe(0);
  });

  test("keeps documents that were changed, in this browser", async () => {
    await show("A deck of cards");
    await show("Loot of a chest");
    await type(page, "result,weight\ngold,12\n");
    await soon(chances).toEqual({ gold: "1/1" });
    await type(page, "result,weight\ngold,12\nruby,4\n");
    const kept = () => page.locator('optgroup[label="Changed lately"] option').count();
    await soon(kept).toBe(1);
    await page.goto("about:blank");
    await page.goto(bench.url);
    await soon(kept).toBe(1);
    await page.selectOption("header select", "recent 0");
    await soon(chances).toEqual({ gold: "3/4", ruby: "1/4" });
  });

  test("opens a damaged link with a message", async () => {
    const other = await openPage(bench.browser, `${bench.url}#a2.${"AB_-".repeat(40)}`);
    await other.page.waitForSelector(".notice");
    expect(await textIn(other.page, ".notice")).toContain("damaged");
    expect(await textIn(other.page, ".view h2")).toBe("Table");
    await other.page.close();
    other.check();
  });

  test("refuses each of many damaged links with a message", async () => {
    const link = await linkOf({ files: { "a.csv": "result,weight\ngold,1\n" }, file: "a.csv", seed: "1", view: {} });
    const random = createMill({ seed: "links" }).dice("places", `1d${link.length - 4}`);
    for (let i = 0; i < LINKS; i++) {
      const at = 3 + random.roll();
      const hash = `${link.slice(0, at)}${link[at] === "A" ? "B" : "A"}${link.slice(at + 1)}`;
      await page.evaluate((to) => (location.hash = to), hash);
      await page.waitForFunction(saysOrShows, await documentOf(hash), LONG);
    }
  });

  test("ends work that no longer counts, so that no file holds up the page", async () => {
    await show("A drunken walk");
    await type(page, '{ "name": "isle", "walkers": 4000000000, "steps": 4000000 }');
    await page.waitForTimeout(300);
    await type(page, '{ "name": "isle", "walkers": 4, "steps": 40 }');
    await settled(page);
    expect(await textIn(page, "figcaption")).toContain("cells from");
  });

  test.each(VIEWS.map((view, i) => [i, view] as const).filter(([i]) => IS_SOAK || i % 2 === 1))(
    "the keyboard reaches every control of example %i: %s",
    async (i) => {
      await page.selectOption("header select", String(i));
      await settled(page);
      await page.waitForSelector(".cm-content");
      const controls = await page.evaluate(markControls);
      expect(controls).toBeGreaterThan(8);
      await page.locator("h1").click();
      for (let left = 2 * controls + 20; left > 0 && (await page.locator("[data-unreached]").count()) > 0; left--) {
        // the Tab key indents in the editor, until Escape
        if (await page.evaluate(() => document.activeElement?.matches(".cm-content")))
          await page.keyboard.press("Escape");
        await page.keyboard.press("Tab");
        await page.evaluate(() => document.activeElement?.removeAttribute("data-unreached"));
      }
      expect(await page.locator("[data-unreached]").evaluateAll((all) => all.map((one) => one.outerHTML))).toEqual([]);
    },
  );

  test("runs nothing that a file or a link says", async () => {
    await type(page, `result,weight\n"${HOSTILE.replaceAll('"', '""')}",1\n"=cmd()",2\n`);
    await soon(async () => Object.keys(await chances())).toContain(HOSTILE);
    expect(await page.title()).toContain("loot.csv");
    expect(await page.locator(".results img").count()).toBe(0);
  });
});

describe.skipIf(isMissing)("rollmill workbench", () => {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-workbench-"));
  let browser: Browser;
  let served: Awaited<ReturnType<typeof serveWorkbench>>;
  const at = (name: string) => join(folder, name);

  beforeAll(async () => {
    writeFileSync(at("loot.csv"), "result,weight\ngold,3\n");
    writeFileSync(at("other.csv"), "result,weight\ngem,1\n");
    browser = await launchChromium();
    served = await serveWorkbench({ folder, first: "loot.csv", seed: "onyx", port: 0, canSave: true });
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    rmSync(folder, { recursive: true });
  });

  test("shows the files of a folder, saves them, and follows changes on the disk", async () => {
    const { page, check } = await openPage(browser, served.url);
    await soon(() => page.locator(".tabs button").allInnerTexts()).toEqual(["loot.csv", "other.csv", "Remove"]);
    expect(await page.inputValue("header input")).toBe("onyx");
    await type(page, "result,weight\ngold,3\ncrown,1\n");
    await page.click("button:has-text('Save')");
    await soon(() => readFileSync(at("loot.csv"), "utf8")).toBe("result,weight\ngold,3\ncrown,1\n");
    writeFileSync(at("loot.csv"), "result,weight\nruby,1\n");
    await page.waitForSelector(".odds >> text=ruby");
    // the disk changes before the page has the answer to its save
    const changes = await follow(served.url);
    await page.route("**/files", async (route) => {
      const response = await route.fetch();
      const change = { name: "loot.csv", text: "result,weight\npearl,1\n" };
      writeFileSync(at("loot.csv"), change.text);
      await soon(() => changes).toContainEqual(change);
      await route.fulfill({ response });
    });
    await type(page, "result,weight\nruby,2\n");
    await page.click("button:has-text('Save')");
    await page.waitForSelector(".odds >> text=pearl");
    await page.unroute("**/files");
    // a change that the page has not heard of is not overwritten
    await served.close();
    await type(page, "result,weight\nopal,1\n");
    await page.click("button:has-text('Save')");
    await page.waitForSelector(".notice >> text=was not saved");
    await page.close();
    served = await serveWorkbench({ folder, first: "loot.csv", seed: "onyx", port: 0, canSave: true });
    void check;
  });

  test("still serves its page when a new build replaces the files", async () => {
    const copy = mkdtempSync(join(tmpdir(), "rollmill-package-"));
    for (const name of ["dist", "package.json"]) {
      cpSync(new URL(`../../${name}`, import.meta.url), join(copy, name), { recursive: true });
    }
    symlinkSync(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(copy, "node_modules"));
    const command = spawn(process.execPath, [join(copy, "dist/cli/bin.js"), "workbench", folder]);
    const [printed] = await once(command.stderr, "data");
    rmSync(join(copy, "dist/workbench"), { recursive: true });
    const { page, check } = await openPage(browser, /http:\S+/.exec(String(printed))?.[0] ?? "");
    // the page loads the editor later
    await page.waitForSelector(".cm-content");
    await page.close();
    check();
    command.kill();
    rmSync(copy, { recursive: true });
  });

  test.skipIf(noReal)("shows the real files (skipped where ../shared/data is absent)", async () => {
    for (const [real, kind, most] of [
      ["drdt", "Table", 7],
      ["angband-v4", "Objects", 1],
    ] as const) {
      const shared = fileURLToPath(new URL(real, REAL));
      const names = readdirSync(shared).filter((name) => (kind === "Table" ? /_r\.2da$/ : /^object\.txt$/).test(name));
      expect(names.length).toBeGreaterThan(0);
      const own = await serveWorkbench({ folder: shared, first: names[0], seed: "1", port: 0, canSave: false });
      const { page, check } = await openPage(browser, own.url);
      for (const name of names.slice(0, most)) {
        await page.click(`.tabs button:text-is("${name}")`);
        await soon(() => page.locator(".view h2").allInnerTexts()).toEqual([kind]);
        await settled(page);
        expect(await page.locator('.issues [data-severity="error"]').count()).toBe(0);
        expect(await page.locator(".odds tbody tr, .shelf h3").count()).toBeGreaterThan(1);
      }
      await page.close();
      await own.close();
      check();
    }
  });

  test.each([
    ["another host", "GET", "", { host: "evil.example" }, 403],
    ["a file outside", "GET", "../package.json", {}, 404],
    ["saving from another origin", "PUT", "files", { origin: "http://evil.example" }, 403],
    ["saving without an origin", "PUT", "files", {}, 403],
    ["another method", "DELETE", "files", {}, 405],
  ])("refuses %s", async (_, method, path, headers, status) => {
    const { request } = await import("node:http");
    const answer = await new Promise<number | undefined>((done, refuse) => {
      const { port } = new URL(served.url);
      const asked = request({ host: "127.0.0.1", port, method, path: `/${path}`, headers }, (response) => {
        response.resume();
        done(response.statusCode);
      });
      asked.on("error", refuse).end();
    });
    expect(answer).toBe(status);
  });

  test.each([
    ["a file that it does not serve", { name: "../x.csv", text: "", before: "" }, 404],
    ["a file that another program has changed", { name: "other.csv", text: "", before: "older" }, 409],
    ["a text that is none", { name: "other.csv", text: 7, before: "" }, 404],
  ])("does not save %s", async (_, body, status) => {
    await fetch(new URL("files", served.url));
    const origin = new URL(served.url).origin;
    const answer = await fetch(new URL("files", served.url), {
      method: "PUT",
      headers: { origin },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(status);
    expect(readFileSync(at("other.csv"), "utf8")).toContain("gem");
  });
});
