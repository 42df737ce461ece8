import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { decode } from "fast-png";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type FourTiles, parentTile, tilePng, tilePyramid, tileViewer } from "../../src/formats/index.js";

// Needs a Chromium of the system's: without one these tests are skipped, except under CI.
const CANDIDATES = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];
const executablePath = process.env.CHROMIUM ?? CANDIDATES.find((path) => existsSync(path));
const missing = executablePath === undefined && process.env.CI === undefined;

const TERRAINS = [
  { name: "sea", color: [20, 60, 120] },
  { name: "land", color: [100, 160, 90] },
  { name: "peak", color: [250, 250, 250] },
] as const;
const [ROWS, COLS] = [700, 1000];
/** Squares of 50 cells, each of one terrain. */
const terrainAt = (row: number, col: number) => (Math.floor(row / 50) + 2 * Math.floor(col / 50)) % 3;

/** Writes all tiles of the map below a folder. */
function writeTiles(folder: string): void {
  const { deepest, side, levels } = tilePyramid({ rows: ROWS, cols: COLS });
  let below = new Map<string, Uint8Array>();
  for (const { z, rows, cols } of levels) {
    const tiles = new Map<string, Uint8Array>();
    for (let y = 0; y < rows; y++) {
      for (let x = 0; x < cols; x++) {
        const at = (dx: number, dy: number) => below.get(`${2 * x + dx}/${2 * y + dy}`) ?? null;
        const four: FourTiles = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
        const cells = z === deepest ? deepestTile(x, y, side) : parentTile(four);
        tiles.set(`${x}/${y}`, cells);
        mkdirSync(join(folder, `${z}/${x}`), { recursive: true });
        const colors = TERRAINS.map(({ color }) => color);
        writeFileSync(join(folder, `${z}/${x}/${y}.png`), tilePng(cells, { colors }));
      }
    }
    below = tiles;
  }
}

function deepestTile(x: number, y: number, side: number): Uint8Array {
  return Uint8Array.from({ length: side ** 2 }, (_, i) => {
    const [row, col] = [y * side + Math.floor(i / side), x * side + (i % side)];
    return row < ROWS && col < COLS ? terrainAt(row, col) : 255;
  });
}

describe.skipIf(missing)("the page of tiles, opened from a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-tiles-"));
  const url = pathToFileURL(join(folder, "index.html")).href;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    writeTiles(folder);
    const terrains = [...TERRAINS];
    writeFileSync(join(folder, "index.html"), tileViewer({ rows: ROWS, cols: COLS, row0: -350, col0: 7, terrains }));
    browser = await chromium.launch({
      ...(executablePath !== undefined && { executablePath }),
      args: ["--no-sandbox"],
    });
    page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    await page.goto(url);
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The colour of a pixel of the window. */
  async function colorAt(x: number, y: number): Promise<number[]> {
    const { data, width, channels } = decode(await page.screenshot());
    return [...data.slice((y * width + x) * channels, (y * width + x) * channels + 3)];
  }

  test("shows the whole map first, then one cell a pixel", async () => {
    for (const [x, y] of [
      [25, 25],
      [475, 325],
      [775, 675],
    ]) {
      await expect.poll(() => colorAt(x, y)).toEqual([...TERRAINS[terrainAt(y, x)].color]);
    }
  });

  test("names the cell under the mouse", async () => {
    await page.mouse.move(400, 350);
    expect(await page.textContent("#cell")).toBe("row 0, col 407");
    expect(await page.textContent("#legend")).toBe("sealandpeak");
  });

  test("the wheel zooms about the mouse, and dragging moves the map", async () => {
    await page.mouse.move(410, 310);
    await page.mouse.wheel(0, -800);
    // four pixels a cell: 100 pixels are 25 cells
    await expect.poll(() => colorAt(510, 310)).toEqual([...TERRAINS[terrainAt(310, 435)].color]);
    expect(await page.textContent("#cell")).toBe("row -40, col 417");
    await page.mouse.down();
    await page.mouse.move(210, 310);
    await page.mouse.up();
    await expect.poll(() => colorAt(350, 310)).toEqual([...TERRAINS[terrainAt(310, 445)].color]);
    await page.mouse.wheel(0, 2000);
    await page.mouse.move(215, 310);
    expect(await page.textContent("#cell")).toMatch(/^row -?\d+, col \d+$/);
  });
});
