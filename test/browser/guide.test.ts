import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decode } from "fast-png";
import { type Browser, chromium, type Page } from "playwright-core";
import { build, createServer, type InlineConfig, preview } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

// Needs a Chromium of the system's: without one these tests are skipped, except under CI.
const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? CANDIDATES.find((path) => existsSync(path));
const missing = executablePath === undefined && process.env.CI === undefined;
const ROOT = fileURLToPath(new URL("../..", import.meta.url));

describe.skipIf(missing)("the page of docs/guide/browser.md that streams a map", () => {
  const root = mkdtempSync(join(tmpdir(), "rollmill-vite-"));
  const common: InlineConfig = {
    root,
    logLevel: "error",
    server: { port: 0, fs: { strict: false } },
    preview: { port: 0 },
  };
  let browser: Browser;

  beforeAll(async () => {
    const text = readFileSync(join(ROOT, "docs/guide/browser.md"), "utf8");
    const files = [...text.matchAll(/^```(?:js|html) ([\w.]+)\n(.*?)^```$/gms)];
    expect(files.map(([, name]) => name)).toEqual(["vite.config.js", "index.html", "page.js", "worker.js"]);
    for (const [, name, content] of files) writeFileSync(join(root, name), content);
    mkdirSync(join(root, "node_modules"));
    symlinkSync(ROOT, join(root, "node_modules/rollmill"));
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(root, { recursive: true, force: true });
  });

  /** The colours of the middles of the twelve tiles in view, from a screenshot of the page. */
  async function colorsOf(page: Page): Promise<string[]> {
    const { data, width, channels } = decode(await page.locator("#map").screenshot());
    const middles = Array.from({ length: 12 }, (_, i) => [256 * Math.floor(i / 4) + 128, 256 * (i % 4) + 128]);
    const at = (y: number, x: number) => [...data.slice((y * width + x) * channels, (y * width + x) * channels + 3)];
    return middles.map(
      ([y, x]) =>
        `#${at(y, x)
          .map((part) => part.toString(16).padStart(2, "0"))
          .join("")}`,
    );
  }

  /** Opens the page, and waits until all tiles are drawn. */
  async function expectMap(url: string | undefined): Promise<void> {
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(url ?? "");
    const isDrawn = async () =>
      (await colorsOf(page)).every((color) => ["#2f6c9c", "#dccd96", "#a8b062"].includes(color));
    await expect.poll(isDrawn, { timeout: 60_000 }).toBe(true);
    expect(errors).toEqual([]);
    await page.close();
  }

  test("is built by Vite, and draws every tile (first hour 8)", async () => {
    await build(common);
    const server = await preview(common);
    await expectMap(server.resolvedUrls?.local[0]);
    await server.close();
  });

  test("is served by Vite for development, and draws every tile (first hour 8)", async () => {
    const server = await (await createServer(common)).listen();
    await expectMap(server.resolvedUrls?.local[0]);
    await server.close();
  });
});
