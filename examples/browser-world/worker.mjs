// The Web Worker of page.mjs: makes the worlds, draws their tiles, and says what is in a cell.

import { createMillAsync } from "../../dist/index.js";
import { loadWorld } from "../../dist/worlds/index.js";

const examples = new URL("../", import.meta.url);
/** What pictures show, and the kinds of placements with names: their letters are of size 1 or 2. */
const LAND = { picture: { light: "height", realms: "realm" }, named: { castle: 2, village: 1 } };
const VAULT = { picture: { kinds: ["chest", "altar", "beast"] }, named: {} };
/** Placements so many cells away from the pointer are under it too: their icons are larger than a cell. */
const NEAR = 2;

/** The promise of the land: a message that came while the worker still waits for files would be lost. */
let land;
/** The vault that was entered last. */
let vault;

// the page hears of an error that is thrown, but not of a promise that fails
addEventListener("unhandledrejection", ({ reason }) => {
  throw reason;
});
const ANSWERS = { tile, cell, door };
addEventListener("message", async ({ data: { ask, seed, ...question } }) => {
  if (ask === "open") {
    land = openLand(seed);
    return;
  }
  const answer = await ANSWERS[ask](question);
  // the bitmap of a tile moves to the page: nothing is copied
  postMessage({ ask, ...answer }, answer.bitmap ? [answer.bitmap] : []);
});

async function openLand(seed) {
  const { spec, issues } = await loadWorld("highlands.json", readExample);
  if (spec === undefined) throw new Error(issues[0].message);
  const mill = await createMillAsync({ seed });
  const { rows, cols } = spec.worlds.get("vault").grid;
  return { ...LAND, world: mill.world("highlands", spec), inside: { row0: 0, col0: 0, rows, cols } };
}

/** Returns the text of a file; undefined if there is no such file. */
async function readExample(path) {
  const response = await fetch(new URL(path, examples));
  return response.ok ? response.text() : undefined;
}

/** Returns the land; or, with the cell of a ruin and a level, the vault below it. */
async function placeOf(below) {
  const { world, inside } = await land;
  if (below === undefined) return await land;
  const { row, col, level } = below;
  const key = `${row},${col},${level}`;
  if (vault?.key === key) return vault;
  vault?.world.dispose();
  vault = { ...VAULT, key, world: world.enter(row, col, { level }), bounds: inside };
  return vault;
}

/** Draws a tile, and finds the names in it. Pixels outside its hexagons are transparent, so that tiles fit together. */
async function tile({ key, below, cells, cellPixels, theme }) {
  const { world, bounds, picture, named } = await placeOf(below);
  const shown = overlap(cells, bounds);
  if (shown === undefined) return { key, names: [] };
  const png = world.picture(shown, { ...picture, theme, pixelsPerCell: cellPixels, background: "transparent" });
  const names = Array.from(world.placements(shown), ({ kind, row, col, content }) => {
    return { row, col, size: named[kind], text: content?.name?.name };
  }).filter(({ size }) => size !== undefined);
  const bitmap = await createImageBitmap(new Blob([png]));
  return { key, bitmap, names };
}

/** Says what is in a cell, and to which realm it belongs. */
async function cell({ below, row, col }) {
  const { world, bounds } = await placeOf(below);
  const side = 2 * NEAR + 1;
  const around = overlap({ row0: row - NEAR, col0: col - NEAR, rows: side, cols: side }, bounds);
  if (overlap({ row0: row, col0: col, rows: 1, cols: 1 }, bounds) === undefined) return { text: "" };
  const realms = world.realms.map(({ name }) => name);
  const window = world.window(around, { realms });
  const things = Array.from(window.placements, ({ kind, size, content }) =>
    listed([size ?? kind, told(content)], ": "),
  );
  const seats = realms.map((name) => window.realmAt(name, row, col)?.content.name.name);
  const text = [`${window.terrainAt(row, col).name} at ${row}, ${col}`, ...things].join("\n");
  return { text, realm: seats[0] };
}

/** Returns a content as a text. */
function told(content) {
  if (content === null || typeof content !== "object") return `${content ?? ""}`;
  if (content.result !== undefined) return listed([content.quantity, content.result], " ");
  return content.name?.length > 0 ? content.name : listed(Object.values(content).map(told), ", ");
}

function listed(parts, between) {
  return parts.filter(Boolean).join(between);
}

/** Finds the ruin near a cell, and the vault below it. */
async function door({ row, col, level }) {
  const { world, inside } = await land;
  const ruin = world.nearest("ruin", row, col, { within: NEAR })?.placement;
  if (ruin === undefined) return {};
  const below = { row: ruin.row, col: ruin.col, level };
  const { entered } = (await placeOf(below)).world;
  return { below, levels: entered.levels, middle: { row: inside.rows / 2, col: inside.cols / 2 } };
}

/** Returns the part of a rectangle that is within the bounds; undefined if they do not meet. No bounds: all of it. */
function overlap(cells, bounds = cells) {
  const [row0, col0] = [Math.max(cells.row0, bounds.row0), Math.max(cells.col0, bounds.col0)];
  const rows = Math.min(cells.row0 + cells.rows, bounds.row0 + bounds.rows) - row0;
  const cols = Math.min(cells.col0 + cells.cols, bounds.col0 + bounds.cols) - col0;
  return rows > 0 && cols > 0 ? { row0, col0, rows, cols } : undefined;
}
