import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { decode } from "fast-png";
import { type Browser, chromium } from "playwright-core";
import { build, createServer, type InlineConfig, preview } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";

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
    expect(files.map(([, name]) => name)).toEqual(["vite.config.mjs", "index.html", "page.js", "worker.js"]);
    for (const [, name, content] of files) writeFileSync(join(root, name), content);
    mkdirSync(join(root, "node_modules"));
    symlinkSync(ROOT, join(root, "node_modules/rollmill"));
    browser = await chromium.launch({ ...(executablePath && { executablePath }), args: ["--no-sandbox"] });
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(root, { recursive: true, force: true });
  });

  /** The pixels of a picture, three bytes each. */
  function colorsOf(png: Uint8Array): Uint8Array {
    const { data, width, height, channels, palette } = decode(png);
    const colors = new Uint8Array(3 * width * height);
    for (let i = 0; i < width * height; i++) {
      for (let k = 0; k < 3; k++) colors[3 * i + k] = palette ? palette[data[i]][k] : data[i * channels + k];
    }
    return colors;
  }

  /** Opens the page, and waits until it shows the picture that Node draws of the same cells. */
  async function expectMap(url: string | undefined): Promise<void> {
    const [, spec] = /^const SPEC = (\{.*?^\});$/ms.exec(readFileSync(join(root, "worker.js"), "utf8")) ?? [];
    const world = createMill({ seed: "hollow hills" }).world("endless", new Function(`return ${spec}`)());
    const wanted = colorsOf(
      world.picture({ row0: 0, col0: 0, rows: 768, cols: 1024 }, { upright: true, pixelsPerCell: 1 }),
    );
    const page = await browser.newPage({ viewport: { width: 1100, height: 900 } });
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(url ?? "");
    const isDrawn = async () => Buffer.compare(colorsOf(await page.locator("#map").screenshot()), wanted) === 0;
    await expect.poll(isDrawn, { interval: 500 }).toBe(true);
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
