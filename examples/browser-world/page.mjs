// Shows a land without end: drag it, use the arrow keys or the wheel, and click a ruin to enter the vault below. A Web
// Worker makes the world and its pictures, so that the page is free to draw 60 frames a second. Serve the folder of the
// package, for example with `npx vite .`, and open examples/browser-world/index.html in a browser. The address can have
// a seed and a cell: index.html?seed=moria&row=480&col=740

import { drawNames } from "./names.mjs";
import { cellAt, middleOf, SCALES, Tiles } from "./tiles.mjs";

/** Speed of a walk with the arrow keys, in pixels a second. */
const SPEED = 900;
/** The page asks for tiles that the walk reaches in so many seconds. */
const SECONDS_AHEAD = 1.5;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const BACKGROUNDS = { atlas: "#f3ecd9", parchment: "#e9d7ae", night: "#090d1a" };

const find = (id) => document.getElementById(id);
const canvas = find("map");
const context = canvas.getContext("2d", { alpha: false });
const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
const tiles = new Tiles(worker);
const address = new URL(location.href).searchParams;
/** (x, y) is the pixel of the plane in the top left corner. `below` has a ruin and a level if the view shows a vault. */
let view = { x: 0, y: 0, scale: 1, theme: "atlas", below: undefined };
/** The view of the land, while the view shows a vault. */
let above;
const held = new Set();
/** Pixels a second. */
let speed = [0, 0];
let pointer = { x: 0, y: 0 };
let [isAsked, asked, lastFrame] = [false, "", 0];

worker.onmessage = ({ data: { ask, ...answer } }) => HEARD[ask](answer);
worker.onerror = ({ message }) => say("realm", message);
const HEARD = {
  open: () => {},
  tile(made) {
    tiles.keep(made);
    say("times", `${tiles.made} tiles, ${Math.round(tiles.time / tiles.made)} ms each.`);
    drawSoon();
  },
  cell({ text, realm }) {
    isAsked = false;
    say("cell", text);
    if (view.below === undefined) say("realm", realm === undefined ? "No man's land" : `Realm of ${realm}`);
    drawSoon();
  },
  door: goDown,
};

worker.postMessage({ ask: "open", seed: address.get("seed") ?? "moria" });
resize();
centre({ row: Number(address.get("row") ?? 480), col: Number(address.get("col") ?? 740) });

addEventListener("resize", resize);
addEventListener("blur", () => held.clear());
addEventListener("keydown", ({ key }) => {
  if (!Object.hasOwn(KEYS, key)) return;
  held.add(key);
  drawSoon();
});
addEventListener("keyup", ({ key }) => held.delete(key));
canvas.addEventListener("pointermove", ({ x, y, buttons, movementX, movementY }) => {
  pointer = { x, y };
  if (buttons === 1) move(-movementX, -movementY);
  drawSoon();
});
canvas.addEventListener("wheel", ({ deltaY }) => zoom(deltaY < 0 ? 1 : -1), { passive: true });
canvas.addEventListener("click", () => {
  if (view.below === undefined) worker.postMessage({ ask: "door", ...underPointer(), level: 1 });
});
find("theme").addEventListener("change", ({ target }) => {
  view.theme = target.value;
  target.blur();
  drawSoon();
});
find("names").addEventListener("change", drawSoon);
find("up").addEventListener("click", goUp);
find("down").addEventListener("click", () => {
  worker.postMessage({ ask: "door", ...view.below, level: view.below.level + 1 });
});

/** Draws in the next frame of the screen. While nothing moves, nothing is drawn. */
function drawSoon() {
  if (lastFrame !== 0) return;
  lastFrame = performance.now();
  requestAnimationFrame(frame);
}

function frame(now) {
  const seconds = Math.min(0.1, Math.max(0, now - lastFrame) / 1000);
  lastFrame = 0;
  walk(seconds);
  draw();
  tiles.ask(view, canvas, speed.map((pixels) => pixels * SECONDS_AHEAD));
  askCell();
  if (held.size === 0) return;
  drawSoon();
  lastFrame = now;
}

/** Moves the view by the keys that are held. */
function walk(seconds) {
  const sum = [...held].reduce(([x, y], key) => [x + KEYS[key][0], y + KEYS[key][1]], [0, 0]);
  speed = sum.map((direction) => direction * SPEED);
  move(speed[0] * seconds, speed[1] * seconds);
}

function move(x, y) {
  view.x += x;
  view.y += y;
}

function draw() {
  context.fillStyle = BACKGROUNDS[view.theme];
  context.fillRect(0, 0, canvas.width, canvas.height);
  // whole pixels: a tile that begins between two pixels is blurred
  const shown = { ...view, x: Math.round(view.x), y: Math.round(view.y) };
  const names = tiles.draw(context, shown);
  if (find("names").checked) drawNames(context, names, shown);
}

/** Asks what is under the pointer, if this is another cell than before. */
function askCell() {
  const cell = underPointer();
  const key = [cell.row, cell.col, view.below?.level].join();
  if (isAsked || key === asked) return;
  [isAsked, asked] = [true, key];
  worker.postMessage({ ask: "cell", below: view.below, ...cell });
}

function underPointer() {
  return cellAt(view.x + pointer.x, view.y + pointer.y, SCALES[view.scale]);
}

/** Shows a cell in the middle of the screen. */
function centre(cell) {
  const [x, y] = middleOf(cell, SCALES[view.scale]);
  [view.x, view.y] = [x - canvas.width / 2, y - canvas.height / 2];
  drawSoon();
}

/** Makes cells larger or smaller. The cell under the pointer stays there. */
function zoom(by) {
  const cell = underPointer();
  view.scale = Math.max(0, Math.min(SCALES.length - 1, view.scale + by));
  const [x, y] = middleOf(cell, SCALES[view.scale]);
  [view.x, view.y] = [x - pointer.x, y - pointer.y];
  drawSoon();
}

/** Shows a vault, if the worker found one. */
function goDown({ below, levels, middle }) {
  if (below === undefined) return;
  above ??= view;
  view = { ...view, scale: 2, below };
  find("below").hidden = false;
  find("down").disabled = below.level === levels;
  say("realm", `Vault, level ${below.level} of ${levels}`);
  centre(middle);
}

function goUp() {
  view = { ...above, theme: view.theme };
  above = undefined;
  find("below").hidden = true;
  drawSoon();
}

function resize() {
  [canvas.width, canvas.height] = [innerWidth, innerHeight];
  drawSoon();
}

function say(id, text) {
  find(id).textContent = text;
}
