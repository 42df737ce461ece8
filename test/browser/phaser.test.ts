import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exportJob } from "../../src/jobs/index.js";
import { type FinishedJob, finishedJob, leavesOf, valuesIn, WINDOW, windowOf } from "../jobs/exportedJob.js";
import { isMissing, folder as readers, SKIPPED } from "../readers/folder.js";
import { hasNoChromium, launchChromium } from "./chromium.js";

// Needs Phaser beside DuckDB
const missing = hasNoChromium || isMissing;

const PHASER = join(readers ?? "", "node_modules/phaser/dist/phaser.min.js");

const ENCODINGS = ["csv", "base64"] as const;

/** Loads maps as a game does, and returns what Phaser has read of each. */
const GAME = `new Promise((resolve, reject) => {
  const names = ${JSON.stringify(ENCODINGS)};
  function preload() {
    this.load.on("loaderror", ({ key }) => reject(new Error(key)));
    for (const name of names) this.load.tilemapTiledJSON(name, "/" + name + ".tmj");
    this.load.image("tiles", "/csv-tiles.png");
  }
  function create() {
    resolve(names.map((key) => {
      const map = this.make.tilemap({ key });
      const tileset = map.addTilesetImage("terrain", "tiles");
      const layers = map.layers.map(({ name }) => map.createLayer(name, tileset));
      const points = map.objects.flatMap(({ name, objects }) => objects.map(({ x, y, type, properties }) => {
        const tile = layers[0].getTileAtWorldXY(x, y);
        return { layer: name, type, properties, tile: tile && [tile.x, tile.y] };
      }));
      return {
        tiles: layers.map(({ layer }) => layer.data.map((row) => row.map(({ index }) => index))),
        names: map.layers.map(({ name }) => name),
        points,
        total: tileset.total,
        properties: map.properties,
      };
    }));
  }
  new Phaser.Game({ type: Phaser.CANVAS, width: 64, height: 64, audio: { noAudio: true }, scene: { preload, create } });
})`;

interface Found {
  readonly tiles: readonly (readonly (readonly number[])[])[];
  readonly names: readonly string[];
  readonly points: readonly {
    readonly layer: string;
    readonly type: string;
    readonly properties: unknown;
    readonly tile: readonly [x: number, y: number] | null;
  }[];
  readonly total: number;
  readonly properties: unknown;
}

describe.skipIf(missing)(`Phaser reads exported maps (skipped without Chromium)${SKIPPED}`, () => {
  let made: FinishedJob;
  let browser: Browser;
  beforeAll(async () => {
    made = await finishedJob();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await made?.remove();
  });

  async function read(): Promise<readonly Found[]> {
    for (const encoding of ENCODINGS) {
      const to = join(made.folder, `${encoding}.tmj`);
      await exportJob(made.job, "tiled", { to, window: WINDOW, encoding });
    }
    const page = await browser.newPage();
    await page.route("http://localhost/*", async (route) => {
      const name = basename(new URL(route.request().url()).pathname);
      if (name === "") await route.fulfill({ contentType: "text/html", body: "<!doctype html><title>game</title>" });
      else await route.fulfill({ body: await readFile(join(made.folder, name)) });
    });
    await page.goto("http://localhost/");
    await page.addScriptTag({ path: PHASER });
    return (await page.evaluate(GAME)) as readonly Found[];
  }

  test("with their tiles, and the properties of placements in their tiles", async () => {
    const own = windowOf(WINDOW);
    const { terrain, terrains, placements } = own;
    const land = own.visits("land");
    const [found, ...others] = await read();
    for (const other of others) expect(other).toEqual(found);
    const { tiles, names, points, total, properties } = found;
    expect(names).toEqual(["terrain", "land", "woods"]);
    // Phaser counts all places of the picture, which has 16 tiles in a row
    expect(total).toBe(16);
    const { x0, y0 } = valuesIn(properties) as Record<string, number>;
    const tileOf = (row: number, col: number) => [col + Math.floor(row / 2) - x0, row - y0] as const;
    const shown: (readonly number[])[] = [];
    const wanted: (readonly number[])[] = [];
    for (let i = 0; i < WINDOW.rows * WINDOW.cols; i++) {
      const [x, y] = tileOf(WINDOW.row0 + Math.floor(i / WINDOW.cols), WINDOW.col0 + (i % WINDOW.cols));
      const shade = land[i] === 0 ? -1 : 1 + terrains.length + Math.min(7, Math.floor(Math.log2(land[i]) / 2));
      shown.push([tiles[0][y][x], tiles[1][y][x]]);
      wanted.push([1 + terrain[i], shade]);
    }
    expect(shown).toEqual(wanted);
    expect(points).toHaveLength(placements.length);
    const byPlace = new Map(points.map((point) => [`${point.tile} ${point.layer}`, point]));
    for (const { row, col, kind, content } of placements) {
      const point = byPlace.get(`${tileOf(row, col)} ${kind}`);
      expect(point?.type).toBe(kind);
      // only a job draws relics
      const { content: _, "content.relic": __, ...values } = valuesIn(point?.properties);
      const { content: ___, ...known } = leavesOf("content", content);
      expect(values).toEqual({ row, col, ...known });
    }
  });
});
