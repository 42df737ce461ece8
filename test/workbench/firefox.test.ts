// Every view in Firefox. Playwright drives a Firefox of its own only; puppeteer-core drives that of the system.
import { existsSync, readFileSync } from "node:fs";
import type { Server } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { LONGEST_WAIT } from "../browser/chromium.js";
import { folder as readers, VARIABLE } from "../readers/folder.js";
import { isMissing, serveStatic } from "./page.js";

/** What the test uses of puppeteer-core, which is no dependency of the project. */
interface Firefox {
  newPage(): Promise<Page>;
  close(): Promise<void>;
}
interface Page {
  on(event: "pageerror", heard: (problem: Error) => void): void;
  setDefaultTimeout(milliseconds: number): void;
  goto(url: string): Promise<unknown>;
  select(selector: string, value: string): Promise<unknown>;
  waitForSelector(selector: string): Promise<unknown>;
  $$eval<T>(selector: string, read: (all: Element[]) => T): Promise<T>;
}

const executablePath = ["/usr/bin/firefox-esr", "/usr/bin/firefox"].find((path) => existsSync(path));
const isAbsent = process.env.CI === undefined && (executablePath === undefined || readers === undefined);
const why = isAbsent ? ` (skipped: needs Firefox, and puppeteer-core in ${VARIABLE})` : "";
const VIEWS = ["Table", "Drops", "Pools", "Pools", "Recipe", "Objects", "Walk", "World"];

describe.skipIf(isMissing || isAbsent)(`Firefox${why}`, () => {
  const problems: string[] = [];
  let firefox: Firefox;
  let page: Page;
  let server: Server;

  beforeAll(async () => {
    const require = createRequire(join(readers ?? "", "package.json"));
    const { default: puppeteer } = await import(pathToFileURL(require.resolve("puppeteer-core")).href);
    const served = await serveStatic();
    server = served.server;
    firefox = await puppeteer.launch({
      browser: "firefox",
      executablePath,
      headless: true,
      protocolTimeout: LONGEST_WAIT,
    });
    page = await firefox.newPage();
    page.setDefaultTimeout(LONGEST_WAIT);
    page.on("pageerror", ({ message }) => problems.push(message));
    await page.goto(served.url);
    await page.waitForSelector(".view h2");
  });
  afterAll(async () => {
    await firefox?.close();
    server?.close();
  });

  test.each(VIEWS.map((view, i) => [i, view] as const))("shows example %i: %s", async (i, view) => {
    await page.select("header select", String(i));
    await page.waitForSelector('.view[data-state="current"] h2');
    expect(await page.$$eval(".view h2", (all) => all.map((one) => one.textContent))).toEqual([view]);
    expect(problems).toEqual([]);
  });

  test("draws the whole map", async () => {
    await page.waitForSelector('.world canvas[data-state="whole"]');
  });

  test("shows the results of the library", async () => {
    await page.select("header select", "0");
    await page.waitForSelector(".samples li");
    const text = (name: string) => readFileSync(new URL(`../../examples/${name}`, import.meta.url), "utf8");
    const files = { "gems.csv": text("gems.csv") };
    const loot = createMill({ seed: "moria" }).table("loot", text("loot.csv"), { file: "loot.csv", files });
    const shown = await page.$$eval(".samples li", (all) => all.map((one) => one.textContent ?? ""));
    for (const [at, one] of shown.entries()) {
      const rolled = loot.roll({ at });
      expect(one).toContain(typeof rolled === "object" ? (rolled?.result ?? "nothing") : rolled);
    }
  });
});
