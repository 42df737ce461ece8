import { existsSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { decode } from "fast-png";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { Cell } from "../../src/walks/index.js";
import {
  type CellRectangle,
  loadWorld,
  type Placement,
  type World,
  type WorldPictureOptions,
} from "../../src/worlds/index.js";
import { IS_SOAK } from "../soak.js";
import { hasNoChromium, launchChromium } from "./chromium.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const TYPES: Readonly<Record<string, string>> = { html: "text/html", js: "text/javascript", mjs: "text/javascript" };
const [WIDTH, HEIGHT] = IS_SOAK ? [1280, 800] : [768, 480];
/** A frame is on time at most so many milliseconds after the one before. With SOAK=1, nothing else may run. */
const ON_TIME = 17.5;
const LEAST_ON_TIME = IS_SOAK ? 0.95 : 0.75;
/** Greatest median of the page's own work in a frame, in milliseconds. */
const MOST_WORK = 4;
/** Milliseconds of each part of the walk. */
const WALK = IS_SOAK ? 4000 : 1200;
/** How far the walk comes at least: it slows down where new land takes long. */
const LEAST_CELLS = IS_SOAK ? 2000 : 250;

/** Notes the time of each frame, the time of the page's own work in it, and the names that the page writes. */
const NOTING = `{
  const noted = (globalThis.noted = { frames: [], work: [], names: [] });
  const request = requestAnimationFrame.bind(globalThis);
  globalThis.requestAnimationFrame = (draw) => request((now) => {
    const from = performance.now();
    draw(now);
    noted.work.push(performance.now() - from);
    noted.frames.push(now);
  });
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
    noted.names.push(text);
    return write.call(this, text, ...place);
  };
}`;

interface Noted {
  readonly frames: readonly number[];
  readonly work: readonly number[];
  readonly names: readonly string[];
}

describe.skipIf(hasNoChromium)("examples/browser-world", () => {
  let server: Server;
  let browser: Browser;
  let page: Page;
  let world: World;
  const errors: string[] = [];

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = `${ROOT}${new URL(request.url ?? "", "http://localhost").pathname}`;
      const type = TYPES[path.slice(path.lastIndexOf(".") + 1)] ?? "text/plain";
      if (!existsSync(path)) response.writeHead(404).end();
      else response.writeHead(200, { "content-type": type }).end(readFileSync(path));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: WIDTH, height: HEIGHT } });
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.addInitScript(NOTING);
    const { port } = server.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/examples/browser-world/index.html?theme=night`);
    const read = (file: string) => (existsSync(file) ? readFileSync(file, "utf8") : undefined);
    const { spec } = await loadWorld(`${ROOT}examples/highlands.json`, read);
    if (spec === undefined) throw new Error("the example has errors");
    world = createMill({ seed: "moria" }).world("highlands", spec);
    await isWhole();
  });
  afterAll(async () => {
    expect(errors).toEqual([]);
    await browser?.close();
    server?.close();
  });

  /** Waits until no tile in view is missing. */
  async function isWhole(): Promise<void> {
    // a change is drawn in the next frame
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    await page.waitForSelector('body[data-state="whole"]', { timeout: 300_000 });
  }

  /** Returns what was noted since the last call. */
  async function noted(): Promise<Noted> {
    return page.evaluate("Object.fromEntries(Object.entries(noted).map(([name, all]) => [name, all.splice(0)]))");
  }

  /** The place of the view: the pixel of the plane in its top left corner, and the width of a cell. */
  function place(): Readonly<Record<"x" | "y" | "cell" | "row", number>> {
    const { searchParams } = new URL(page.url());
    const [x, y, scale] = ["x", "y", "scale"].map((name) => Number(searchParams.get(name)));
    const cell = 2 ** (scale + 1);
    return { x: x - WIDTH / 2, y: y - HEIGHT / 2, cell, row: Math.round((cell * 433) / 500) };
  }

  /** The cells in view, and those beside it that have pixels in view. */
  function cellsInView(): CellRectangle {
    const { x, y, cell, row } = place();
    const [row0, col0] = [Math.floor(y / row) - 1, Math.floor(x / cell) - 1];
    return { row0, col0, rows: Math.ceil(HEIGHT / row) + 3, cols: Math.ceil(WIDTH / cell) + 3 };
  }

  /** Expects that the map without names is a cut of one picture, which Node draws of all cells in view. */
  async function expectPicture(theme: WorldPictureOptions["theme"]): Promise<void> {
    const cells = cellsInView();
    const { x, y, cell, row } = place();
    const options = {
      theme,
      light: "height",
      realms: "realm",
      pixelsPerCell: cell,
      background: "transparent",
    } as const;
    await expectPixels(world.picture(cells, options), { x: x - cells.col0 * cell, y: y - cells.row0 * row });
  }

  /** Expects that the map without names shows a picture whose pixel (x, y) is in the top left corner of the screen. */
  async function expectPixels(png: Uint8Array, { x, y }: Readonly<Record<"x" | "y", number>>): Promise<void> {
    await page.uncheck("#names");
    const shown = decode(await page.locator("#map").screenshot({ style: "aside { display: none }" }));
    await page.check("#names");
    const { data, width, height, palette = [] } = decode(png);
    const differing: string[] = [];
    for (let v = Math.max(0, -y); v < Math.min(HEIGHT, height - y); v++) {
      for (let u = Math.max(0, -x); u < Math.min(WIDTH, width - x); u++) {
        const [red, green, blue, alpha] = palette[data[(v + y) * width + u + x]];
        const at = (v * WIDTH + u) * shown.channels;
        const isSame = shown.data[at] === red && shown.data[at + 1] === green && shown.data[at + 2] === blue;
        if (alpha === 255 && !isSame) differing.push(`${u},${v}`);
      }
    }
    expect(differing.slice(0, 9), `${differing.length} pixels`).toEqual([]);
  }

  /** Moves the mouse to a cell. */
  async function pointAt(row: number, col: number): Promise<void> {
    const { x, y, cell, row: rowPixels } = place();
    await page.mouse.move(col * cell + ((1 + (row & 1)) * cell) / 2 - x, row * rowPixels + (rowPixels >> 1) - y);
  }

  async function expectText(id: string, text: unknown): Promise<void> {
    await expect.poll(() => page.textContent(`#${id}`), { interval: 20, timeout: 120_000 }).toEqual(text);
  }

  async function walk(key: string): Promise<void> {
    await page.keyboard.down(key);
    await page.waitForTimeout(WALK);
    await page.keyboard.up(key);
  }

  test("shows a cut of one picture, the names of its places, and what is in a cell", async () => {
    const cells = cellsInView();
    const window = world.window(cells, { realms: ["realm"] });
    await expectPicture("night");
    const { names } = await noted();
    const inner = { row0: cells.row0 + Math.floor(cells.rows / 3), col0: cells.col0 + 5 };
    // a cell of each terrain that is not below the panel, nor beside the screen
    const found = new Map<string, Cell>();
    for (let row = inner.row0; row < cells.row0 + cells.rows - 5; row++) {
      for (let col = inner.col0; col < cells.col0 + cells.cols - 5; col++) {
        found.set(window.terrainAt(row, col)?.name ?? "", [row, col]);
      }
    }
    expect([...found.keys()]).toEqual(expect.arrayContaining(["deep sea", "forest", "road", "river", "lake", "hills"]));
    for (const [terrain, [row, col]] of found) {
      await pointAt(row, col);
      await expectText("cell", expect.stringMatching(`^${terrain} at ${row}, ${col}`));
      const seat = window.realmAt("realm", row, col);
      await expectText("realm", seat === undefined ? "No man's land" : `Realm of ${nameOf(seat)}`);
    }
    const castles = [...window.placements].filter(({ kind, row }) => kind === "castle" && row > inner.row0);
    expect(castles.length).toBeGreaterThan(0);
    for (const castle of castles) {
      expect(names).toContain(nameOf(castle));
      await pointAt(castle.row, castle.col);
      await expectText("cell", expect.stringContaining(`castle: ${nameOf(castle)}, `));
    }
  });

  test("a click on a ruin shows the vault below it", async () => {
    const ruin = [...world.placements(cellsInView())].findLast(({ kind }) => kind === "ruin");
    if (ruin === undefined) throw new Error("no ruin is in view");
    using vault = world.enter(ruin.row, ruin.col);
    await pointAt(ruin.row, ruin.col);
    await page.mouse.down();
    await page.mouse.up();
    await expectText("realm", `Vault, level 1 of ${vault.entered?.levels}`);
    await isWhole();
    const options = { theme: "night", kinds: ["chest", "altar", "beast"], pixelsPerCell: 8 } as const;
    const picture = vault.picture({ row0: 0, col0: 0, rows: 60, cols: 90 }, { ...options, background: "transparent" });
    // the middle of cell (30, 45)
    await expectPixels(picture, { x: 45 * 8 + 4 - WIDTH / 2, y: 30 * 7 + 3 - HEIGHT / 2 });
    await page.click("#up");
  });

  test("draws 60 frames a second while a walk makes new land, and leaves no tile blank", async () => {
    await page.selectOption("#theme", "atlas");
    await page.mouse.move(WIDTH / 2, HEIGHT / 2);
    await page.mouse.wheel(0, 100);
    await isWhole();
    const from = place();
    await noted();
    for (const key of ["ArrowRight", "ArrowDown", "ArrowRight"]) await walk(key);
    const { frames, work } = await noted();
    const to = place();
    expect((to.x - from.x + to.y - from.y) / to.cell).toBeGreaterThan(LEAST_CELLS);
    const times = frames.slice(1).map((time, k) => time - frames[k]);
    expect(times.filter((time) => time <= ON_TIME).length / times.length).toBeGreaterThan(LEAST_ON_TIME);
    expect(work.toSorted((a, b) => a - b)[work.length >> 1]).toBeLessThan(MOST_WORK);
    await isWhole();
    await expectPicture("atlas");
  });
});

function nameOf({ content }: Placement): string {
  return (content as { name: { name: string } }).name.name;
}
