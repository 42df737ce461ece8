// The map of a job's report, opened from a folder.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportJob } from "../../src/jobs/index.js";
import { type FinishedJob, finishedJob } from "../jobs/exportedJob.js";
import { hasNoChromium, launchChromium } from "./chromium.js";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

describe.skipIf(hasNoChromium)("the report of a job", () => {
  const problems: string[] = [];
  let made: FinishedJob;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    made = await finishedJob();
    const file = join(made.folder, "report.html");
    await exportJob(made.job, "report", { to: file });
    browser = await launchChromium();
    page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    page.on("console", (message) => problems.push(message.text()));
    page.on("pageerror", ({ message }) => problems.push(message));
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector(".map canvas");
  });
  afterAll(async () => {
    await browser?.close();
    await made?.remove();
  });

  /** The map as it is drawn, as a data URL. */
  const drawn = () => page.locator(".map canvas").evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
  const changed = async (act: () => Promise<unknown>) => {
    const before = await drawn();
    await act();
    await expect.poll(drawn).not.toBe(before);
  };

  test("its script passes its own policy", () => {
    expect(problems).toEqual([]);
  });

  test("the map has a name, and moves and zooms by buttons, keys, mouse and wheel", async () => {
    const map = page.getByRole("application", { name: "Map of shelf: rows -130 to 169, columns -70 to 149" });
    await expect.poll(() => map.count()).toBe(1);
    const whole = await drawn();
    await changed(() => page.getByRole("button", { name: "Zoom in" }).click());
    await map.focus();
    await changed(() => page.keyboard.press("ArrowDown"));
    await changed(() => page.keyboard.press("+"));
    const box = await map.boundingBox();
    if (box === null) throw new Error("the map is not shown");
    await page.mouse.move(box.x + 300, box.y + 200);
    await changed(async () => {
      await page.mouse.down();
      await page.mouse.move(box.x + 200, box.y + 250);
      await page.mouse.up();
    });
    await changed(() => page.mouse.wheel(0, 200));
    for (let k = 0; k < 4; k++) await page.getByRole("button", { name: "Zoom out" }).click();
    await expect.poll(drawn).toBe(whole);
  });

  test("the wheel scrolls the page where the map cannot become smaller", async () => {
    await page.evaluate("scrollTo(0, 0)");
    await page.hover(".map canvas");
    const before = Number(await page.evaluate("scrollY"));
    await page.mouse.wheel(0, 300);
    await expect.poll(() => page.evaluate("scrollY")).toBeGreaterThan(before);
  });

  test.each(["light", "dark"] as const)("axe finds nothing in %s colours", async (colorScheme) => {
    await page.emulateMedia({ colorScheme });
    const { violations } = (await page.evaluate(`${AXE}; axe.run()`)) as {
      violations: { id: string; nodes: object[] }[];
    };
    expect(violations.map(({ id, nodes }) => [id, JSON.stringify(nodes[0]).slice(0, 300)])).toEqual([]);
  });
});
