import { decode } from "fast-png";
import type { Browser } from "playwright-core";
import { build, createServer, preview } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { hasNoChromium, launchChromium } from "./chromium.js";
import { PageFolder } from "./pageFolder.js";

describe.skipIf(hasNoChromium)("the page of docs/guide/browser.md that streams a map", () => {
  let folder: PageFolder;
  let browser: Browser;

  beforeAll(async () => {
    folder = new PageFolder(["docs/guide/browser.md"]);
    expect(folder.names).toEqual(["vite.config.mjs", "index.html", "page.js", "worker.js"]);
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    folder?.remove();
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
    const [, spec] = /^const SPEC = (\{.*?^\});$/ms.exec(folder.read("worker.js")) ?? [];
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
    await build(folder.vite);
    const server = await preview(folder.vite);
    await expectMap(server.resolvedUrls?.local[0]);
    await server.close();
  });

  test("is served by Vite for development, and draws every tile (first hour 8)", async () => {
    const server = await (await createServer(folder.vite)).listen();
    await expectMap(server.resolvedUrls?.local[0]);
    await server.close();
  });
});
