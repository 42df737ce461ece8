// The map of a world: its switches, its keys and its picture.
import { readFileSync } from "node:fs";
import { decode } from "fast-png";
import type { Page } from "playwright-core";
import { beforeEach, describe, expect, test } from "vitest";
import { linkOf } from "../../workbench/src/link.js";
import { isMissing, LONG, openPage, textIn, Workbench } from "./page.js";

const HOSTILE = '<img src=x onerror="document.title=1">';
const soon = <T>(read: () => T) => expect.poll(read, LONG);

describe.skipIf(isMissing)("the map of a world", () => {
  const bench = new Workbench();
  const { show } = bench;
  let page: Page;
  beforeEach(() => {
    page = bench.page;
  });

  const LAYER = "label:has-text('Visits') select";
  /** The colour of a pixel of the map, counted from its middle. */
  const colorAt = (dx: number, dy: number) =>
    page.locator(".world canvas").evaluate(
      (canvas: HTMLCanvasElement, [x, y]) => {
        const pen = canvas.getContext("2d") as CanvasRenderingContext2D;
        return [...pen.getImageData(canvas.width / 2 + x, canvas.height / 2 + y, 1, 1).data];
      },
      [dx, dy],
    );

  test("turns terrains and kinds of a world off, shows a layer, and a link keeps both", async () => {
    await show("A world without end");
    await page.waitForSelector('.world canvas[data-state="whole"]');
    const box = await page.locator(".world canvas").boundingBox();
    if (box !== null) await page.mouse.move(box.x + box.width / 2 + 60, box.y + box.height / 2);
    await soon(() => textIn(page, ".world .cell")).toMatch(/at -?\d+, -?\d+/);
    const terrain = (await textIn(page, ".world .cell")).split(" at ")[0];
    const shown = await colorAt(60, 0);
    expect(shown[3]).toBe(255);
    await page.getByRole("checkbox", { name: terrain, exact: true }).uncheck();
    await soon(() => colorAt(60, 0)).toEqual([0, 0, 0, 0]);
    const layers = await page.locator(`${LAYER} option`).allInnerTexts();
    await page.selectOption(LAYER, layers[1]);
    await page.click("text=Share");
    await page.waitForSelector("text=Link copied");
    const other = await openPage(bench.browser, page.url());
    await other.page.waitForSelector('.world canvas[data-state="whole"]');
    expect(await other.page.getByRole("checkbox", { name: terrain, exact: true }).isChecked()).toBe(false);
    expect(await other.page.inputValue(LAYER)).toBe(layers[1]);
    await other.page.close();
    other.check();
    await page.getByRole("checkbox", { name: terrain, exact: true }).check();
    await page.selectOption(LAYER, "");
    await page.waitForSelector('.world canvas[data-state="whole"]');
    await soon(() => colorAt(60, 0)).toEqual(shown);
  });

  test("turns the things of a kind off", async () => {
    await show("A world without end");
    await page.selectOption('select[name="kind"]', "hoard");
    await page.click('form button[type="submit"]');
    await page.waitForSelector("text=steps away");
    await page.waitForSelector('.world canvas[data-state="whole"]');
    const color = await page.locator('.legend li:has-text("hoard") .swatch').evaluate((one: HTMLElement) => {
      return [...(one.style.background.match(/\d+/g) ?? []).map(Number), 255];
    });
    await soon(() => colorAt(0, 0)).toEqual(color);
    await page.getByRole("checkbox", { name: "hoard" }).uncheck();
    await soon(() => colorAt(0, 0)).not.toEqual(color);
  });

  test("saves the picture of a world's map", async () => {
    await show("A world without end");
    await page.waitForSelector('.world canvas[data-state="whole"]');
    const [saved] = await Promise.all([page.waitForEvent("download"), page.click("text=Save picture")]);
    expect(saved.suggestedFilename()).toBe("endless-map.png");
    const { width, height, data, channels } = decode(readFileSync(await saved.path()));
    const size = await page.locator(".world canvas").evaluate((one: HTMLCanvasElement) => [one.width, one.height]);
    expect([width, height]).toEqual(size);
    const at = (Math.floor(height / 2) * width + Math.floor(width / 2)) * channels;
    expect([...data.slice(at, at + channels)]).toEqual((await colorAt(0, 0)).slice(0, channels));
  });

  test("the keys move the map of a world, and Enter explains the cell in the middle", async () => {
    await show("A world without end");
    await page.waitForSelector('.world canvas[data-state="whole"]');
    await page.fill('input[name="cell"]', "100, -40");
    await page.click('form button[type="submit"]');
    await page.focus(".world canvas");
    await page.keyboard.press("Enter");
    await soon(() => textIn(page, "dialog")).toMatch(/100\D+-40/);
    await page.keyboard.press("Escape");
    await page.focus(".world canvas");
    // 80 pixels at 4 pixels a cell
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("Enter");
    await soon(() => textIn(page, "dialog")).toMatch(/100\D+-20/);
  });

  test.each([
    { row: 1e300, col: -1e300 },
    { visits: HOSTILE, scale: 1e-300, row: "x" },
  ])("no view of a link holds up the page: %j", async (view) => {
    const layers = [{ name: "land", preset: "uniform", steps: 9, scatter: { walkers: 1 } }];
    const world = { name: "w", layers, terrain: [{ terrain: "sea", color: "#2f6c9e" }] };
    const link = await linkOf({ files: { "w.json": JSON.stringify(world) }, file: "w.json", seed: "moria", view });
    const other = await openPage(bench.browser, `${bench.url}${link}`);
    await other.page.waitForSelector('.world canvas[data-state="whole"]');
    await other.page.close();
    other.check();
  });
});
