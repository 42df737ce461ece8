import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { decode } from "fast-png";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type FourTiles,
  parentTile,
  pmtilesChunks,
  pmtilesId,
  tilePng,
  tilePyramid,
  tileViewer,
} from "../../src/formats/index.js";
import { hasNoChromium, launchChromium } from "./chromium.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TERRAINS = [
  { name: "sea", color: [20, 60, 120] },
  { name: "land", color: [100, 160, 90] },
  { name: "peak", color: [250, 250, 250] },
] as const;
const [ROWS, COLS] = [700, 1000];
/** Squares of 50 cells, each of one terrain. */
const terrainAt = (row: number, col: number) => (Math.floor(row / 50) + 2 * Math.floor(col / 50)) % 3;

const MAP = { rows: ROWS, cols: COLS, row0: -350, col0: 7, terrains: [...TERRAINS] };

/** Yields all tiles of the map. */
function* tiles(): Generator<{ z: number; x: number; y: number; png: Uint8Array }, void> {
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
        yield { z, x, y, png: tilePng(cells, { colors: TERRAINS.map(({ color }) => color) }) };
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

describe.skipIf(hasNoChromium)("the page of tiles, opened from a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-tiles-"));
  const at = (name: string) => pathToFileURL(join(folder, name)).href;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    for (const { z, x, y, png } of tiles()) {
      mkdirSync(join(folder, `${z}/${x}`), { recursive: true });
      writeFileSync(join(folder, `${z}/${x}/${y}.png`), png);
    }
    writeFileSync(join(folder, "index.html"), tileViewer(MAP));
    writeFileSync(join(folder, "archive.html"), tileViewer({ ...MAP, archive: "map.pmtiles" }));
    writeFileSync(join(folder, "map.pmtiles"), await archive());
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    await page.goto(at("index.html"));
  });
  afterAll(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  async function archive(): Promise<Buffer> {
    const all = [...tiles()];
    const ids = Float64Array.from(all, ({ z, x, y }) => pmtilesId(z, x, y));
    const bytes = Uint32Array.from(all, ({ png }) => png.length);
    const pictures = Uint32Array.from(all, (_, i) => i);
    const pieces: Uint8Array[] = [];
    const chunks = pmtilesChunks({ rows: ROWS, cols: COLS, ids, pictures, bytes }, (i) => all[i].png);
    for await (const piece of chunks) pieces.push(piece);
    return Buffer.concat(pieces);
  }

  /** The colours of some pixels of the window. */
  async function colorsAt(...pixels: readonly (readonly [x: number, y: number])[]): Promise<number[][]> {
    const { data, width, channels } = decode(await page.screenshot());
    return pixels.map(([x, y]) => [...data.slice((y * width + x) * channels, (y * width + x) * channels + 3)]);
  }
  const colorAt = async (x: number, y: number) => (await colorsAt([x, y]))[0];

  /** Expects the colours of the map, one cell a pixel. */
  async function expectMap(): Promise<void> {
    const pixels = [
      [25, 25],
      [475, 325],
      [775, 675],
    ] as const;
    const wanted = pixels.map(([x, y]) => [...TERRAINS[terrainAt(y, x)].color]);
    await expect.poll(() => colorsAt(...pixels)).toEqual(wanted);
  }

  test("shows the whole map first, one cell a pixel", expectMap);

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

  test("the keys, the buttons and two fingers move and zoom it", async () => {
    await page.goto(at("index.html"));
    await expectMap();
    // two pixels a cell: the middle, cell (350, 500) of the map, stays
    for (let k = 0; k < 2; k++) await page.keyboard.press("+");
    for (let k = 0; k < 5; k++) await page.keyboard.press("ArrowRight");
    await page.mouse.move(500, 350);
    // 5 × 80 pixels at a scale of 1.5²
    expect(await page.textContent("#cell")).toBe("row 0, col 684");
    await page.click("text=−");
    await page.click("text=−");
    await page.mouse.move(500, 350);
    expect(await page.textContent("#cell")).toBe("row 0, col 507");
    const fingers = async (type: "touchStart" | "touchMove" | "touchEnd", ...xs: readonly number[]) => {
      await touch.send("Input.dispatchTouchEvent", { type, touchPoints: xs.map((x, id) => ({ x, y: 350, id })) });
    };
    const touch = await page.context().newCDPSession(page);
    await fingers("touchStart", 400, 600);
    for (let k = 1; k <= 10; k++) await fingers("touchMove", 400 - 10 * k, 600 + 10 * k);
    await fingers("touchEnd");
    // twice as large about the middle: 100 pixels are 50 cells
    await page.mouse.move(600, 350);
    expect(await page.textContent("#cell")).toBe("row 0, col 557");
  });

  test("axe finds nothing", async () => {
    await page.evaluate(AXE);
    const { violations } = (await page.evaluate("axe.run()")) as { violations: { id: string; nodes: object[] }[] };
    expect(violations.map(({ id, nodes }) => [id, JSON.stringify(nodes[0]).slice(0, 300)])).toEqual([]);
  });

  test("refuses damaged PMTiles files, and never hangs", async () => {
    const whole = await archive();
    const root = Number(whole.readBigUInt64LE(8));
    const damaged = (...bytes: readonly number[]) => {
      const file = Buffer.from(whole);
      const packed = gzipSync(Uint8Array.from(bytes));
      packed.copy(file, root);
      file.writeBigUInt64LE(BigInt(packed.length), 16);
      return file;
    };
    const files = {
      "short.pmtiles": whole.subarray(0, 60),
      // a billion entries, and a number without an end
      "many.pmtiles": damaged(0x80, 0x80, 0x80, 0x80, 4),
      "endless.pmtiles": damaged(1, 0x80, 0x80),
    };
    await page.goto(at("archive.html"));
    for (const [name, bytes] of Object.entries(files)) {
      writeFileSync(join(folder, name), bytes);
      await page.setInputFiles("label input", join(folder, name));
      // the page asks again
      await expect
        .poll(() => page.locator("label input").evaluate((one: HTMLInputElement) => one.files?.length))
        .toBe(0);
    }
    // an entry that refers to its own directory
    const own = damaged(1, 0, 0, 1, 1);
    own.writeBigUInt64LE(BigInt(root), 40);
    writeFileSync(join(folder, "own.pmtiles"), own);
    await page.setInputFiles("label input", join(folder, "own.pmtiles"));
    await page.waitForSelector("label", { state: "detached" });
    expect(await page.evaluate("1 + 1")).toBe(2);
  });

  test.each([true, false])("reads a PMTiles file from a server; with range requests: %s", async (hasRanges) => {
    const file = await archive();
    const statuses = new Set<number>();
    const server = createServer(({ url, headers: { range } }, response) => {
      if (url === "/")
        return response.setHeader("content-type", "text/html").end(tileViewer({ ...MAP, archive: "m.pmtiles" }));
      const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? "") ?? [];
      response.statusCode = url !== "/m.pmtiles" ? 404 : hasRanges && to !== undefined ? 206 : 200;
      statuses.add(response.statusCode);
      return response.end(response.statusCode === 206 ? file.subarray(Number(from), Number(to) + 1) : file);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    await expectMap();
    expect([...statuses].filter((status) => status !== 404)).toEqual([hasRanges ? 206 : 200]);
    server.close();
  });

  test("asks for the PMTiles file if it cannot read it from the disk", async () => {
    await page.goto(at("archive.html"));
    await page.setInputFiles("label input", join(folder, "index.html"));
    await page.setInputFiles("label input", join(folder, "map.pmtiles"));
    await expectMap();
    expect(await page.locator("label").count()).toBe(0);
  });
});
