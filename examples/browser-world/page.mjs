// Shows a land without end: drag it, use the arrow keys or the wheel, and click a ruin to enter the vault below. A Web
// Worker makes the world and its pictures, so that the page can draw 60 frames a second. Serve the folder of the
// package, for example with `npx vite .`, and open examples/browser-world/index.html in a browser. The address can have
// a seed: index.html?seed=moria. The page adds the place that it shows, so that a link leads to it.

import { drawNames } from "./names.mjs";
import { cellAt, middleOf, SCALES, Tiles } from "./tiles.mjs";

/** Pixels that a walk with the arrow keys takes in a second: fewer while the worker has not made what is in view. */
const SPEED = 1000;
const LEAST_PACE = 0.15;
/** The page asks for tiles that a walk reaches in so many seconds. */
const SECONDS_AHEAD = 1.5;
/** Seconds that a walk takes at most in a frame: a page in the background has no frames. */
const LONGEST_STEP = 0.1;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const BACKGROUNDS = { atlas: "#f3ecd9", parchment: "#e9d7ae", night: "#090d1a" };
/** A press is a click if the mouse moves by at most this many pixels before it is released. */
const CLICK_PIXELS = 4;
/** Least time between two zooms. */
const ZOOM_MILLISECONDS = 200;

const find = (id) => document.getElementById(id);
const address = new URL(location.href);
const given = (name, usual) => address.searchParams.get(name) ?? usual;
const canvas = find("map");
const context = canvas.getContext("2d", { alpha: false });
const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
const tiles = new Tiles(worker);
/** (x, y) is the pixel of the plane in the top left corner. `below` is set in a vault: its ruin, and its level. */
let view = { x: 0, y: 0, scale: Number(given("scale", 1)), theme: given("theme", "atlas"), below: undefined };
/** The view of the land, while the page shows a vault. */
let land;
const held = new Set();
let pointer = [innerWidth / 2, innerHeight / 2];
let [speed, lastFrame, isWaiting] = [[0, 0], undefined, false];
/** The share of SPEED, and whether all tiles in view are drawn. */
let [pace, isWhole] = [1, false];
let [pressed, lastZoom] = [0, 0];
/** The cell about which the page asked last, and whether the worker has not answered yet. */
let [asked, isAsked] = ["", false];

worker.onmessage = ({ data: { ask, ...answer } }) => HEARD[ask](answer);
worker.onerror = ({ message }) => say("realm", message);
const HEARD = { tile: (made) => tiles.keep(made), cell: showCell, door: goDown };
worker.addEventListener("message", drawSoon);
worker.postMessage({ ask: "open", seed: given("seed", "moria") });

addEventListener("resize", resize);
addEventListener("blur", () => held.clear());
addEventListener("keydown", ({ key }) => {
  if (Object.hasOwn(KEYS, key)) held.add(key);
  drawSoon();
});
addEventListener("keyup", ({ key }) => {
  if (held.delete(key)) remember();
});
canvas.addEventListener("pointerdown", () => {
  pressed = 0;
});
canvas.addEventListener("pointermove", ({ x, y, buttons }) => {
  if (buttons === 1) move(pointer[0] - x, pointer[1] - y);
  pressed += Math.hypot(pointer[0] - x, pointer[1] - y);
  pointer = [x, y];
  drawSoon();
});
canvas.addEventListener("click", () => {
  if (pressed > CLICK_PIXELS) remember();
  else if (view.below === undefined) worker.postMessage({ ask: "door", ...cellAt(atPointer(), view.scale), level: 1 });
});
canvas.addEventListener("wheel", ({ deltaY, timeStamp }) => {
  if (timeStamp - lastZoom < ZOOM_MILLISECONDS) return;
  lastZoom = timeStamp;
  zoom(deltaY < 0 ? 1 : -1);
});
find("theme").value = view.theme;
find("theme").addEventListener("change", ({ target }) => {
  view.theme = target.value;
  // the arrow keys move the map again
  target.blur();
  remember();
});
find("names").addEventListener("change", drawSoon);
find("up").addEventListener("click", goUp);
find("down").addEventListener("click", () => {
  worker.postMessage({ ask: "door", ...view.below, level: view.below.level + 1 });
});

resize();
centre([Number(given("x", 4402)), Number(given("y", 781))]);
remember();

/** Draws in the next frame. While nothing changes, the page draws nothing. */
function drawSoon() {
  if (isWaiting) return;
  isWaiting = true;
  requestAnimationFrame(frame);
}

function frame(now) {
  isWaiting = false;
  walk(now);
  draw();
  const size = [canvas.width, canvas.height];
  tiles.ask(
    view,
    size,
    speed.map((pixels) => pixels * SECONDS_AHEAD),
  );
  askCell();
  if (held.size > 0) drawSoon();
}

/** Moves the view by the keys that are held, as far as a walk comes since the last frame of the walk. */
function walk(now) {
  const seconds = lastFrame === undefined ? 0 : Math.min(LONGEST_STEP, (now - lastFrame) / 1000);
  const sum = [...held].reduce(([x, y], key) => [x + KEYS[key][0], y + KEYS[key][1]], [0, 0]);
  pace = isWhole ? Math.min(1, pace + seconds / 2) : Math.max(LEAST_PACE, pace - 2 * seconds);
  speed = sum.map((direction) => direction * SPEED * pace);
  lastFrame = held.size > 0 ? now : undefined;
  move(speed[0] * seconds, speed[1] * seconds);
}

function move(x, y) {
  view.x += x;
  view.y += y;
}

function draw() {
  context.fillStyle = BACKGROUNDS[view.theme];
  context.fillRect(0, 0, canvas.width, canvas.height);
  // whole pixels: a tile that begins between two pixels would be blurred
  const shown = { ...view, x: Math.round(view.x), y: Math.round(view.y) };
  const drawn = tiles.draw(context, shown);
  isWhole = drawn.isWhole;
  if (find("names").checked) drawNames(context, drawn.names, shown);
  document.body.dataset.state = isWhole ? "whole" : "partial";
}

/** Returns the pixel of the plane under the pointer. */
function atPointer() {
  return [Math.round(view.x) + pointer[0], Math.round(view.y) + pointer[1]];
}

/** Asks what is under the pointer, if this is another cell than before. */
function askCell() {
  const cell = cellAt(atPointer(), view.scale);
  const key = [cell.row, cell.col, view.below?.level].join();
  if (isAsked || key === asked) return;
  [asked, isAsked] = [key, true];
  worker.postMessage({ ask: "cell", below: view.below, ...cell });
}

function showCell({ text, realm }) {
  isAsked = false;
  say("cell", text);
  if (view.below === undefined) say("realm", realm === undefined ? "No man's land" : `Realm of ${realm}`);
}

/** Shows a pixel of the plane in the middle of the screen. */
function centre([x, y]) {
  [view.x, view.y] = [x - Math.floor(canvas.width / 2), y - Math.floor(canvas.height / 2)];
  drawSoon();
}

/** Makes cells larger or smaller. The cell under the pointer stays there. */
function zoom(by) {
  const cell = cellAt(atPointer(), view.scale);
  view.scale = Math.max(0, Math.min(SCALES.length - 1, view.scale + by));
  const [x, y] = middleOf(cell, view.scale);
  [view.x, view.y] = [x - pointer[0], y - pointer[1]];
  remember();
}

/** Shows the vault that the worker found below a ruin. */
function goDown({ below, levels, middle }) {
  if (below === undefined) return;
  land ??= view;
  view = { ...view, scale: 2, below };
  find("below").hidden = false;
  find("down").disabled = below.level === levels;
  say("realm", `Vault, level ${below.level} of ${levels}`);
  centre(middleOf(middle, view.scale));
}

function goUp() {
  const { below } = view;
  if (below.level > 1) {
    worker.postMessage({ ask: "door", ...below, level: below.level - 1 });
    return;
  }
  view = { ...land, theme: view.theme };
  land = undefined;
  find("below").hidden = true;
  drawSoon();
}

/** Writes the place into the address, so that it can be a link. */
function remember() {
  drawSoon();
  const { x, y, scale } = land ?? view;
  const middle = { x: Math.round(x) + Math.floor(canvas.width / 2), y: Math.round(y) + Math.floor(canvas.height / 2) };
  for (const [name, value] of Object.entries({ ...middle, scale, theme: view.theme })) {
    address.searchParams.set(name, value);
  }
  history.replaceState(null, "", address);
}

function resize() {
  [canvas.width, canvas.height] = [innerWidth, innerHeight];
  drawSoon();
}

function say(id, text) {
  find(id).textContent = text;
}
