// npm run gallery:workbench [-- FOLDER]: pictures of every view, in light and dark, as a desk and a phone show them, into
// docs/gallery. Beside them is workbench.png, the picture of the README.

import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { decode, encode } from "fast-png";
import { openBrowser, settled } from "./workbench-browser.mjs";

const FOLDER = process.argv[2] ?? "docs/gallery";
const WIDTHS = [1440, 390];
/** Each view: its example, and what is done before the picture is taken. */
const VIEWS = {
  odds: ["Loot of a chest", async (page) => page.locator(".odds tbody button").nth(1).click()],
  drops: ["What an orc drops"],
  pools: ["Bags that run empty"],
  deck: ["A deck of cards"],
  recipe: ["Names of places"],
  objects: ["Treasure with affixes"],
  walk: ["A drunken walk"],
  world: ["A world without end"],
};

async function picture(page, title, prepare) {
  const menu = page.locator(".menu");
  if (await menu.isVisible()) await menu.click();
  await page.selectOption("header select", { label: title });
  await settled(page);
  await prepare?.(page);
  await page.mouse.move(0, 0);
  // maps and curves come after the first results
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
  await page.waitForTimeout(1000);
}

mkdirSync(FOLDER, { recursive: true });
const { browser, url, close } = await openBrowser();
for (const colorScheme of ["light", "dark"]) {
  for (const width of WIDTHS) {
    const page = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
    await page.goto(url);
    await settled(page);
    for (const [view, [title, prepare]] of Object.entries(VIEWS)) {
      await picture(page, title, prepare);
      // the browser compresses fast: a fifth of its bytes can go
      const png = encode(decode(await page.screenshot()), { zlib: { level: 9 } });
      writeFileSync(join(FOLDER, `workbench-${view}-${colorScheme}-${width}.png`), png);
    }
    await page.close();
  }
}
await close();
