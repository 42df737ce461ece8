// The built workbench in a browser of the system's.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { hasNoChromium, launchChromium } from "../browser/chromium.js";

const BUILT = fileURLToPath(new URL("../../dist/workbench", import.meta.url));
/** Never false under CI. */
export const isBuilt = existsSync(join(BUILT, "index.html"));
if (!isBuilt && process.env.CI !== undefined) throw new Error("run npm run build:workbench first");
/** Whether the tests must be skipped: without a Chromium, or without the built workbench. Never under CI. */
export const isMissing = hasNoChromium || !isBuilt;

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

/** For `expect.poll`: another test may use the same cores. */
export const LONG = { timeout: 120_000 };

/** Serves a built folder below a path, as any host of static files does: with its page 404.html for what is missing. */
export async function serveStatic(
  folder = BUILT,
  below = "/below/",
): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer(async ({ url = "" }, response) => {
    const path = url.replace(below, "/").replace(/\?.*$/, "").replace(/\/$/, "/index.html");
    const found = await readFile(join(folder, path)).catch(() => undefined);
    const bytes = found ?? (await readFile(join(folder, "404.html")).catch(() => ""));
    const type = TYPES[found ? extname(path) : ".html"] ?? "application/octet-stream";
    response.writeHead(found ? 200 : 404, { "content-type": type }).end(bytes);
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${below}`, server };
}

/** Opens a page in a profile of its own. A page error or a message of the console fails the test that calls `check`. */
export async function openPage(browser: Browser, url: string): Promise<{ readonly page: Page; check(): void }> {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  await page.goto(url);
  await page.waitForSelector(".view h2");
  return { page, check: () => expect(problems).toEqual([]) };
}

/** The workbench with a new page for each test of the suite that calls this. */
export class Workbench {
  browser!: Browser;
  url!: string;
  page!: Page;

  constructor() {
    let server: Server;
    let check: () => void;
    beforeAll(async () => {
      this.browser = await launchChromium();
      ({ url: this.url, server } = await serveStatic());
    });
    afterAll(async () => {
      await this.browser?.close();
      server?.close();
    });
    beforeEach(async () => {
      ({ page: this.page, check } = await openPage(this.browser, this.url));
    });
    afterEach(async () => {
      await this.page.close();
      check();
    });
  }

  /** Opens an example. */
  show = async (title: string): Promise<void> => {
    await this.page.selectOption("header select", { label: title });
    await settled(this.page);
  };

  texts = (selector: string): Promise<string[]> => this.page.locator(selector).allInnerTexts();

  /** The shown chances, as fractions, by result. */
  chances = async (): Promise<Record<string, string>> => {
    const rows = this.page.locator(".odds tbody tr");
    const read = await rows.evaluateAll((all) =>
      all.map((row) => [row.querySelector("th")?.textContent, row.querySelector(".chance")?.getAttribute("title")]),
    );
    return Object.fromEntries(read);
  };
}

/** The text of an element as it is shown, with its lines. */
export async function textIn(page: Page, selector: string): Promise<string> {
  const [text] = await page.locator(selector).allInnerTexts();
  return text;
}

/** Replaces the text of the shown file. */
export async function type(page: Page, text: string): Promise<void> {
  await page.waitForSelector(".cm-content");
  await page.locator(".cm-content").fill(text);
}

/** Waits until the results are those of the present text. */
export async function settled(page: Page): Promise<void> {
  await page.waitForSelector('.view[data-state="current"]');
}
