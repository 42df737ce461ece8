import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { decode } from "fast-png";
import type { Browser, Page } from "playwright-core";
import { build, type PreviewServer, preview } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { checkWorld, loadWorld, type World } from "../../src/worlds/index.js";
import { BIN } from "../cli/rollmill.js";
import { isMissing, folder as readers, SKIPPED } from "../readers/folder.js";
import { hasNoChromium, launchChromium } from "./chromium.js";
import { PageFolder, ROOT } from "./pageFolder.js";

const PAGES = ["docs/guide/engines-js.md", "docs/guide/server.md"];
const TEXT = PAGES.map((page) => readFileSync(join(ROOT, page), "utf8")).join("\n");
/** The packages of the pages, beside DuckDB: `phaser@4.2.1` and so on. */
const PACKAGES = [...TEXT.matchAll(/ ([@\w./-]+)@(\d[\w.-]*)/g)].map(([, name, version]) => ({ name, version }));
const SCRIPTS = ["phaser", "tiled", "pixi", "excalibur", "client", "colyseus"];
const SEED = "hollow hills";
/** The colour of chests and of other placements. */
const MARK = "6b2f1e";

/** The cell at the corner of the canvas, and how many pixels of it are cut off. The row is even. */
interface View {
  readonly world: World;
  readonly row: number;
  readonly col: number;
  readonly x: number;
  readonly y: number;
  readonly marks?: boolean;
}

/** What a dishonest server does, whose seed is "kept": the seed whose hash it shows, and its answers to a word. */
const CHEATS: Readonly<Record<string, readonly [hashed: string, answers: (word: string) => readonly object[]]>> = {
  nothing: ["kept", (word) => [...rollsOf("kept", word), { seed: "kept" }]],
  "another seed": ["kept", (word) => [...rollsOf("other", word), { seed: "other" }]],
  "a second hash, after the word": ["kept", (word) => [hashOf("other"), ...rollsOf("other", word), { seed: "other" }]],
  "rolls of another seed": ["other", (word) => [...rollsOf("kept", word), { seed: "other" }]],
  "a roll left out": ["kept", (word) => [...rollsOf("kept", word).slice(1), { seed: "kept" }]],
  "a changed roll": ["kept", (word) => [...rollsOf("kept", word).with(1, { roll: "ring" }), { seed: "kept" }]],
};
const hashOf = (seed: string) => ({ hash: createHash("sha256").update(seed).digest("hex") });
const lootOf = (seed: string, player: string, word: string) =>
  createMill({ seed }).weighted("loot", { gold: 70, gem: 25, crown: 5 }).fork(player).fork(word);
const rollsOf = (seed: string, word: string): { roll: string }[] =>
  Array.from(lootOf(seed, "ann", word).pickMany(30), (roll) => ({ roll }));

const TITLE = `the guide's pages for engines and servers (skipped without Chromium)${SKIPPED}`;

describe.skipIf(hasNoChromium || isMissing)(TITLE, () => {
  let folder: PageFolder;
  let server: PreviewServer;
  let browser: Browser;
  const children: ChildProcess[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    folder = new PageFolder(
      PAGES,
      PACKAGES.map(({ name }) => name),
    );
    const html = folder.read("index.html");
    expect(html).toContain("/phaser.js");
    for (const name of SCRIPTS) writeFileSync(folder.at(`${name}.html`), html.replace("/phaser.js", `/${name}.js`));
    exportTiled();
    const input = SCRIPTS.map((name) => folder.at(`${name}.html`));
    await build({ ...folder.vite, build: { minify: false, rolldownOptions: { input } } });
    server = await preview(folder.vite);
    browser = await launchChromium(["--use-angle=swiftshader"]);
  });
  afterAll(async () => {
    for (const child of children) child.kill();
    await browser?.close();
    await server?.close();
    folder?.remove();
    expect(errors).toEqual([]);
  });

  /** Runs the commands that export the map, and calls the program as npx calls it. */
  function exportTiled(): void {
    const [, commands] = /^```sh vite\n(cp -r .*?)^```$/ms.exec(TEXT) ?? [];
    const npx = `npx() { shift; "${process.execPath}" "${BIN}" "$@"; }`;
    execFileSync("sh", ["-ec", `${npx}\n${commands}`], { cwd: folder.path, stdio: "pipe" });
  }

  async function open(name: string, query = ""): Promise<Page> {
    const page = await browser.newPage({ viewport: { width: 660, height: 540 } });
    page.on("pageerror", ({ message }) => errors.push(message));
    await page.goto(`${server.resolvedUrls?.local[0]}${name}.html${query}`);
    return page;
  }

  const land = () => createMill({ seed: SEED }).world("land", JSON.parse(folder.read("land.json")));
  const output = (page: Page) => page.locator("output").textContent();

  /** Waits until the canvas shows each cell in its terrain's colour, or as a placement. */
  async function expectCells(page: Page, view: View): Promise<void> {
    const wanted = cellsOf(view)
      .flatMap(({ left, top, color, ground }) => [
        { left, top, color },
        // near the sides and the corners of the hexagon
        ...[-13, 13].map((x) => ({ left: left + x, top, color: ground })),
        ...[-14, 14].map((y) => ({ left, top: top + y, color: ground })),
      ])
      .filter(({ left, top }) => left >= 0 && left < 640 && top >= 0 && top < 480);
    expect(new Set(wanted.map(({ color }) => color)).size).toBeGreaterThan(2);
    const wrong = async () => {
      const { data, width, channels } = decode(await page.screenshot({ clip: await canvasOf(page) }));
      return wanted.filter(({ left, top, color }) => {
        const from = (top * width + left) * channels;
        return Buffer.from(data.subarray(from, from + 3)).toString("hex") !== color;
      });
    };
    await expect.poll(wrong, { interval: 100 }).toEqual([]);
  }

  test("the versions of the pages are those that are installed, and the world has no error", () => {
    expect(PACKAGES.length).toBe(8);
    for (const { name, version } of PACKAGES) {
      const { version: installed } = JSON.parse(
        readFileSync(join(readers ?? "", "node_modules", name, "package.json"), "utf8"),
      );
      expect(`${name}@${version}`).toBe(`${name}@${installed}`);
    }
    expect(checkWorld(JSON.parse(folder.read("land.json")))).toEqual([]);
  });

  test.each(["phaser", "pixi", "excalibur"])(
    "%s shows the cells of Node, far away, and where they are dragged",
    async (name) => {
      const marks = name === "excalibur";
      const page = await open(name, "?row=1000361");
      const world = land();
      const view = { world, row: 1_000_360, col: 0, x: 0, y: 0, marks };
      await expectCells(page, view);
      if (marks) await expectChests(page, view);
      await drag(page, [100, 100], [500, 400]);
      // −400 = 28 · −15 + 20 pixels, −300 = 48 · −7 + 36
      await expectCells(page, { world, row: 1_000_346, col: -15, x: 20, y: 36, marks });
      await page.close();
    },
  );

  /** Opens chests. Each has the content and the guard of its cell, and a relic while there are some. */
  async function expectChests(page: Page, view: View): Promise<void> {
    const mill = createMill({ seed: SEED });
    const guards = mill.weighted("guards", { nobody: 6, bats: 3, ogre: 1 });
    const relics = { kind: "finite", refill: false, records: ["ring", "horn", "lamp"] } as const;
    const relic = mill.pools("relics", { roots: { relics } }).pool("relics");
    const chests = cellsOf(view).filter(({ color }) => color === MARK);
    expect(chests.length).toBeGreaterThan(3);
    const lines: string[] = [];
    for (const { row, col, left, top, content } of chests) {
      const { result, quantity } = content as { result: string; quantity: number };
      const found = [`${quantity} ${result}`, ...relic.drawMany(1)].join(" and ");
      lines.push(`guard: ${guards.fork([row, col]).pick({ at: 0 })}, found: ${found}`);
      await click(page, left, top);
      await expect.poll(() => output(page), { interval: 50 }).toBe(lines.at(-1));
    }
    await click(page, chests[0].left, chests[0].top); // it is open already
    await page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
    expect(await output(page)).toBe(lines.at(-1));
    expect(new Set(lines).size).toBe(lines.length);
  }

  test("phaser loads the exported map, and shows its terrain and its placements", async () => {
    const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);
    const { spec } = await loadWorld(join(ROOT, "examples/highlands.json"), read);
    if (spec === undefined) throw new Error("the example has errors");
    const world = createMill({ seed: "moria" }).world("highlands", spec);
    const page = await open("tiled");
    const view = { world, row: 80, col: 1230, x: 0, y: 0, marks: true };
    await expectCells(page, view);
    const [{ left, top, row, col }] = cellsOf(view).filter(({ color }) => color === MARK);
    await click(page, left, top);
    await expect
      .poll(() => output(page))
      .toMatch(new RegExp(`^village: (?=.*row ${row}\\b)(?=.*col ${col}\\b).*Scarrow`));
    await page.close();
  });

  test.each([
    ["ws", "server.mjs", "client"],
    ["Colyseus", "colyseus.mjs", "colyseus"],
  ])("players of the server with %s check their rolls, which are those of Node", async (_, program, script) => {
    const port = await freePort();
    const env = { ...process.env, PORT: `${port}` };
    const child = spawn(process.execPath, [folder.at(program)], { cwd: folder.path, env });
    children.push(child);
    let printed = "";
    child.stderr.on("data", (text) => (printed += text));
    await expect.poll(() => accepts(port), { interval: 50 }).toBe(true);
    const players = ["ann", "bob"];
    const pages: Page[] = [];
    for (const player of players) {
      const page = await open(script, `?player=${player}&server=localhost:${port}`);
      await page.waitForFunction("document.onclick !== null");
      pages.push(page);
    }
    if (program === "server.mjs") await strangers(pages[0], port);
    for (let chest = 0; chest < 6; chest++) {
      const page = pages[chest % 2];
      await click(page, 5, 5);
      const hasRolls = async () => JSON.parse((await output(page)) || '{"rolls":[]}').rolls.length === (chest >> 1) + 1;
      await expect.poll(hasRolls, { interval: 50 }).toBe(true);
    }
    for (const [i, page] of pages.entries()) {
      await expect.poll(() => output(page)).toContain("isFair");
      const { id, word, rolls, hash, seed, isFair } = JSON.parse((await output(page)) ?? "");
      expect([id, { hash }, isFair]).toEqual([players[i], hashOf(seed), true]);
      expect(rolls).toEqual([...lootOf(seed, id, word).pickMany(3)]);
      await page.close();
    }
    // the next round has another seed
    const page = await open(script, `?player=ann&server=localhost:${port}`);
    await page.waitForFunction("document.onclick !== null");
    await page.close();
    expect(child.exitCode, printed).toBe(null);
  });

  test("a client sees what a dishonest server does", async () => {
    const found = Object.entries(CHEATS).map(async ([name, [hashed, answers]]) => {
      const page = await browser.newPage();
      await page.routeWebSocket(/localhost:8080/, (socket) => {
        socket.send(JSON.stringify(hashOf(hashed)));
        let isFirst = true;
        socket.onMessage((word) => {
          if (isFirst) for (const answer of answers(`${word}`)) socket.send(JSON.stringify(answer));
          isFirst = false;
        });
      });
      await page.goto(`${server.resolvedUrls?.local[0]}client.html`);
      await expect.poll(() => output(page)).toContain("isFair");
      const { isFair } = JSON.parse((await output(page)) ?? "");
      await page.close();
      return [name, isFair];
    });
    const wanted = Object.keys(CHEATS).map((name) => [name, name === "nothing"]);
    expect(await Promise.all(found)).toEqual(wanted);
  });
});

/** The cells whose centre is on the canvas, each with its place on the canvas, its colour there and around it. */
function cellsOf({ world, row, col, x, y, marks = false }: View) {
  const { terrain, terrains, placements } = world.window({ row0: row, col0: col, rows: 22, cols: 25 });
  const contents = new Map([...placements].map((one) => [`${one.row} ${one.col}`, one.content]));
  return Array.from(terrain, (one, i) => {
    const [down, right] = [Math.floor(i / 25), i % 25];
    const [left, top] = [(right + (down % 2) / 2) * 28 + 14 - x, down * 24 + 16 - y];
    const cell = { row: row + down, col: col + right, left, top };
    const place = `${cell.row} ${cell.col}`;
    const ground = Buffer.from(terrains[one].color).toString("hex");
    return { ...cell, ground, color: marks && contents.has(place) ? MARK : ground, content: contents.get(place) };
  }).filter(({ left, top }) => left >= 0 && left < 640 && top >= 0 && top < 480);
}

async function drag(page: Page, [fromX, fromY]: readonly number[], [toX, toY]: readonly number[]): Promise<void> {
  const { x, y } = await canvasOf(page);
  await page.mouse.move(x + fromX, y + fromY);
  await page.mouse.down();
  await page.mouse.move(x + toX, y + toY, { steps: 3 });
  await page.mouse.up();
}

async function click(page: Page, left: number, top: number): Promise<void> {
  const { x, y } = await canvasOf(page);
  await page.mouse.click(x + left, y + top);
}

async function canvasOf(page: Page) {
  return (await page.locator("canvas").boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
}

/** Connects as strangers do: with strange addresses, and with a message that is too long. */
async function strangers(page: Page, port: number): Promise<void> {
  await page.evaluate(`Promise.all(["", "//", "/?player=%00"].map((path) => new Promise((done) => {
    const socket = new WebSocket("ws://localhost:${port}" + path);
    socket.onopen = () => socket.send("x".repeat(2000));
    socket.onclose = done;
  })))`);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "localhost");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
