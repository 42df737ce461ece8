// The built site in a browser of the system's: what a reader does, from the first page to the workbench and the API.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { flawsOf } from "../../site/check.mjs";
import { documentOf } from "../../workbench/src/link.js";
import { open } from "../../workbench/src/work/open.js";
import { hasNoChromium, launchChromium } from "../browser/chromium.js";
import { serveStatic } from "../workbench/page.js";

const BUILT = fileURLToPath(new URL("../../out/site", import.meta.url));
// also under CI, which builds the site after most tests, and then runs these
const isMissing = hasNoChromium || !existsSync(join(BUILT, "404.html"));

/** Axe counts the keys on the search button as its text, although they are hidden from screen readers. */
const RULES = { "label-content-name-mismatch": { enabled: false } };
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe.skipIf(isMissing)("the site", () => {
  let browser: Browser;
  let server: Server;
  let url: string;
  let page: Page;
  let problems: string[];

  beforeAll(async () => {
    const [, base] = /href="([^"]*)assets\//.exec(readFileSync(join(BUILT, "index.html"), "utf8")) ?? [];
    browser = await launchChromium();
    ({ url, server } = await serveStatic(BUILT, base));
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });
  beforeEach(async () => {
    problems = [];
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("404 (Not Found)")) problems.push(message.text());
    });
    page.on("request", (request) => {
      if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(url)) problems.push(request.url());
    });
  });
  /** No page has an error, or asks another server for anything. */
  afterEach(async () => {
    await page.close();
    expect(problems).toEqual([]);
  });

  test("begins with a picture, and leads to the guide and to the workbench", async () => {
    await page.goto(url);
    expect(await page.locator("main img").evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(
      500,
    );
    await page.click('main a:text("Start")');
    await page.waitForURL(`${url}guide/`);
    await page.goBack();
    await page.click('main a:text("Open the workbench")');
    await page.waitForSelector(".view h2");
  });

  test("finds a page by its words", async () => {
    await page.goto(url);
    await page.click(".VPNavBarSearch button");
    await page.fill("#localsearch-input", "pity");
    await page.click('.results a:has-text("Lists with pity")');
    await page.waitForURL(/formats\/lists\.html#lists-with-pity$/);
  });

  test("opens a snippet in the workbench", async () => {
    await page.goto(`${url}guide/table.html`);
    expect(await page.title()).toBe("A loot table | Rollmill");
    await page.click(".opener a");
    await page.waitForSelector('.view[data-state="current"]');
    expect(await page.locator(".view h2").textContent()).toBe("Table");
    expect(await page.locator(".issues").count()).toBe(0);
    expect(await page.locator(".cm-content").textContent()).toContain("Gems,ruby,1/3");
  });

  test("leads from a name to the API, and back", async () => {
    await page.goto(`${url}guide/api.html`);
    await page.click('a:has(code:text-is("loadTable"))');
    await page.waitForURL(`${url}api/functions/tables.loadTable.html`);
    await page.click('#tsd-toolbar-links a:text("Formats")');
    await page.waitForURL(`${url}formats/index.html`);
  });

  test("says so if a page is missing", async () => {
    expect((await page.goto(`${url}guide/nowhere.html`))?.status()).toBe(404);
    await page.click('a:text("Go to the first page")');
    await page.waitForSelector('main a:text("Start")');
  });

  test("opened as a file, it says what to do", async () => {
    await page.goto(pathToFileURL(join(BUILT, "index.html")).href);
    expect(await page.locator("body > p").first().textContent()).toContain("Serve its folder");
    problems = [];
  });

  test.each([
    ["", "light", 1440],
    ["gallery.html", "light", 390],
    ["guide/table.html", "dark", 390],
  ] as const)("axe finds nothing on /%s, which is %s and fits into %i pixels", async (path, colorScheme, width) => {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.goto(url + path);
    await page.waitForSelector(".VPNavBarSearch button");
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await page.evaluate(AXE);
    const { violations } = (await page.evaluate(`axe.run({ rules: ${JSON.stringify(RULES)} })`)) as {
      violations: { id: string; nodes: object[] }[];
    };
    expect(violations.map(({ id, nodes }) => [id, JSON.stringify(nodes[0]).slice(0, 300)])).toEqual([]);
  });

  test("every link to the workbench opens without an issue", async () => {
    const files = readdirSync(BUILT, { recursive: true, encoding: "utf8" });
    const links = files
      .filter((file) => /^(?!api)[^.]*\.html$/.test(file))
      .flatMap((file) =>
        Array.from(
          readFileSync(join(BUILT, file), "utf8").matchAll(/workbench\/(#a2\.[\w-]+)"/g),
          ([, hash]) => [file, hash] as const,
        ),
      );
    expect(links.length).toBeGreaterThan(20);
    for (const [file, hash] of links) {
      const document = await documentOf(hash);
      if ("problem" in document) expect.fail(document.problem);
      using noun = await open(document).catch((cause: Error) => expect.fail(`${file}: ${cause.message}`));
      expect(noun.look(undefined).view).toMatch(/odds|pools|walk|world/);
      expect(noun.issues, file).toEqual([]);
    }
  });
});

test("the check of the site finds dead links and parts of other servers", () => {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-site-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const links = ["b.html", "b.html#here", "/below/#top", "b.html#nowhere", "c.html", "/b.html", "https://example.com/"];
  const outside = '<script src="https://example.com/a.js"></script><img src="//example.com/a.png">';
  const write = (file: string, text: string) => writeFileSync(join(folder, file), text);
  write("index.html", `<p id="top">${links.map((href) => `<a href="${href}">`).join("")}${outside}`);
  write("b.html", '<p id="here">');
  write("a.css", '@import "https://example.com/a.css"; p { background: url(//example.com/b.png) }');
  expect(flawsOf(folder, "/below/").sort()).toEqual([
    "a.css: loads //example.com/b.png",
    "a.css: loads https://example.com/a.css",
    "index.html: http://site/b.html is outside the base path",
    "index.html: http://site/below/b.html#nowhere has no such heading",
    "index.html: http://site/below/c.html has no file",
    "index.html: loads //example.com/a.png",
    "index.html: loads https://example.com/a.js",
  ]);
});
