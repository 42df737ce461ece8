// npm run bench:workbench [-- --minutes N]: how fast the page answers, in Chromium. Times of a page have no rival, so the
// bars are those of its users: a blink, a frame.

import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { linkTo, openBrowser, settled } from "../scripts/workbench-browser.mjs";
import { oddsTable, SEED_TABLE } from "./inputs/tables.mjs";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "2" } } });
const ROUNDS = 7;
const KEYS = 24;
const WORLD = "A world without end";

const { browser, url, close } = await openBrowser();
const median = (numbers) => numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
const open = async (hash = "") => {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  await page.goto(url + hash);
  await settled(page);
  return page;
};

/** Milliseconds from the beginning of the navigation to the first frame with results, in a new profile. */
async function firstPicture() {
  const page = await open();
  const ms = await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => done(performance.now()))));
  await page.close();
  return ms;
}

/** Bytes, compressed, that the page loads before the editor and until it has the results. */
async function initialLoad() {
  const page = await browser.newPage();
  const files = new Map();
  page.on("response", (response) => files.set(new URL(response.url()).pathname, response.body()));
  await page.goto(url);
  await settled(page);
  const bodies = await Promise.all(Array.from(files, async ([path, body]) => [path, gzipSync(await body).length]));
  await page.close();
  return bodies.filter(([path]) => !/\/code-/.test(path)).reduce((sum, [, bytes]) => sum + bytes, 0);
}

/** The median of milliseconds from a key to the frame with the odds of the new text. */
async function keystrokes(file, text, place) {
  const page = await open(linkTo(file, text));
  await page.waitForSelector(".cm-content");
  const line = page.locator(".cm-line", { hasText: place }).first();
  await line.click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await page.evaluate(timeKeys);
  for (let key = 0; key < KEYS; key++) {
    await page.keyboard.press(key % 2 === 0 ? "1" : "Backspace");
    await page.waitForFunction((most) => globalThis.answers.length > most, key, { polling: 20 });
  }
  const answers = await page.evaluate(() => globalThis.answers);
  await page.close();
  return median(answers);
}

/** In the page: notes the time from each key to the frame with its results. */
function timeKeys() {
  globalThis.answers = [];
  let pressed = 0;
  addEventListener("keydown", () => (pressed = performance.now()), true);
  const view = document.querySelector(".view");
  new MutationObserver(() => {
    if (view.dataset.state !== "current") return;
    requestAnimationFrame(() => globalThis.answers.push(performance.now() - pressed));
  }).observe(view, { attributes: true, attributeFilter: ["data-state"] });
}

/** The world, dragged to and fro; `reach` pixels away at most. */
async function openWorld() {
  const page = await open();
  await page.selectOption("header select", { label: WORLD });
  await settled(page);
  const { x, y, width, height } = await page.locator(".world canvas").first().boundingBox();
  const at = (turn) => [x + width * (0.5 + 0.4 * Math.sin(turn)), y + height * (0.5 + 0.4 * Math.cos(0.7 * turn))];
  const drag = async (milliseconds) => {
    const end = performance.now() + milliseconds;
    for (let turn = 0; performance.now() < end; turn += 0.02) {
      // a new grip now and then, so that the map comes to regions that it has not shown
      if (Math.round(turn / 0.02) % 150 === 0) {
        await page.mouse.up();
        await page.mouse.move(x + width / 2, y + height / 2);
        await page.mouse.down();
      }
      await page.mouse.move(...at(turn));
    }
    await page.mouse.up();
  };
  return { page, drag };
}

/** The intervals of frames while the world is dragged. */
async function frames() {
  const { page, drag } = await openWorld();
  await page.evaluate(() => {
    globalThis.frames = [];
    let last = performance.now();
    const note = (now) => {
      globalThis.frames.push(now - last);
      last = now;
      requestAnimationFrame(note);
    };
    requestAnimationFrame(note);
  });
  await drag(5000);
  const all = await page.evaluate(() => globalThis.frames);
  await page.close();
  return {
    median: median(all),
    longest: Math.max(...all.slice(1)),
    late: all.filter((ms) => ms > 50).length,
    of: all.length,
  };
}

/**
 * The most megabytes of the page in the first and in the second half of some minutes of dragging, measured after each
 * minute. The most, because the map forgets regions only when it has more than it may keep.
 */
async function memory(minutes) {
  const { page, drag } = await openWorld();
  const session = await page.context().newCDPSession(page);
  const used = [];
  for (let minute = 0; minute < minutes; minute++) {
    await drag(60_000);
    await session.send("HeapProfiler.collectGarbage");
    const { usedSize, embedderHeapUsedSize = 0, backingStorageSize = 0 } = await session.send("Runtime.getHeapUsage");
    used.push((usedSize + embedderHeapUsedSize + backingStorageSize) / 2 ** 20);
  }
  await page.close();
  const half = Math.ceil(minutes / 2);
  return { first: Math.max(...used.slice(0, half)), last: Math.max(...used.slice(half)) };
}

const rows = [];
const bar = (name, value, most, unit) => {
  const text = `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`;
  rows.push(
    `${name.padEnd(58)}${text.padStart(12)}${`at most ${most}`.padStart(15)}  ${value <= most ? "met" : "MISSED"}`,
  );
  console.log(rows.at(-1));
};
const repeat = async (measure) => {
  const all = [];
  for (let round = 0; round < ROUNDS; round++) all.push(await measure());
  return median(all);
};

console.log(`Chromium ${browser.version()}`);
bar("first picture", await repeat(firstPicture), 1000, "ms");
bar("first load without the editor", (await initialLoad()) / 1000, 300, "KB");
bar(
  "a key to odds, the table of the format's description",
  await keystrokes("seed.2da", SEED_TABLE, "Start"),
  50,
  "ms",
);
const thousand = JSON.stringify(oddsTable({ loops: false }), null, 1);
bar("a key to odds, 1,000 rows of ten columns", await keystrokes("t.json", thousand, '"weight"'), 300, "ms");
const { median: interval, longest, late, of } = await frames();
bar("a frame while a world is dragged", interval, 17, "ms");
bar(`the longest frame (${late} of ${of} above 50 ms)`, longest, 50, "ms");
const minutes = Math.max(2, Number(values.minutes)); // one for each half
const { first, last } = await memory(minutes);
bar(`memory in the second half of ${minutes} min, of that in the first`, last / first, 1.1, "×");
await close();
