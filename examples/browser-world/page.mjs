// Shows the endless world. Drag it, or use the arrow keys: a Web Worker makes the tiles that come into view, and the page
// stays free for the user. Serve the folder of the package, for example with `npx vite .`, and open
// examples/browser-world/index.html in a browser. The address can have a seed: index.html?seed=moria

const TILE = 256;
/** Pixels of the screen for each cell. */
const SCALE = 2;
/** Pixels of the world that an arrow key moves the view. */
const STRIDE = 64;
/** Tiles that the page keeps, in view or not. */
const MOST_TILES = 400;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const canvas = document.querySelector("#map");
const context = canvas.getContext("2d");
const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
/** Pictures of tiles by "y,x". A tile that the worker is still making is undefined. */
const tiles = new Map();
const view = { x: 0, y: 0 };
let [made, milliseconds] = [0, 0];

worker.onmessage = ({ data }) => (data.digest === undefined ? keep(data) : showDigest(data.digest));
worker.onerror = ({ message }) => say("#times", message);
addEventListener("resize", draw);
addEventListener("keydown", ({ key }) => {
  if (Object.hasOwn(KEYS, key)) move(KEYS[key].map((direction) => direction * STRIDE));
});
canvas.addEventListener("pointermove", ({ buttons, movementX, movementY }) => {
  if (buttons === 1) move([-movementX / SCALE, -movementY / SCALE]);
});
worker.postMessage({ seed: new URL(location.href).searchParams.get("seed") ?? "hollow hills" });
draw();

function move([x, y]) {
  view.x += x;
  view.y += y;
  draw();
}

/** Draws the tiles in view, and asks the worker for those that are missing. */
function draw() {
  [canvas.width, canvas.height] = [innerWidth, innerHeight];
  const [left, top] = [Math.floor(view.x - innerWidth / 2 / SCALE), Math.floor(view.y - innerHeight / 2 / SCALE)];
  context.imageSmoothingEnabled = false;
  for (let y = Math.floor(top / TILE); y * TILE < top + innerHeight / SCALE; y++) {
    for (let x = Math.floor(left / TILE); x * TILE < left + innerWidth / SCALE; x++) {
      const bitmap = tileAt(y, x);
      const place = [(x * TILE - left) * SCALE, (y * TILE - top) * SCALE, TILE * SCALE, TILE * SCALE];
      if (bitmap !== undefined) context.drawImage(bitmap, ...place);
    }
  }
  say("#position", `row ${Math.floor(view.y)}, x ${Math.floor(view.x)}`);
}

/** Returns the picture of a tile; undefined if the worker has not made it yet. */
function tileAt(y, x) {
  const key = `${y},${x}`;
  if (!tiles.has(key)) {
    tiles.set(key, undefined);
    worker.postMessage({ y, x, side: TILE });
  }
  return tiles.get(key);
}

async function keep({ y, x, pixels, time }) {
  tiles.set(`${y},${x}`, await createImageBitmap(new ImageData(pixels, TILE, TILE)));
  [made, milliseconds] = [made + 1, milliseconds + time];
  say("#times", `${made} tiles of ${TILE} × ${TILE} cells, ${(milliseconds / made).toFixed(1)} ms each`);
  // the oldest tile; a tile that is needed again is made again, with the same pixels
  if (tiles.size > MOST_TILES) tiles.delete(tiles.keys().next().value);
  draw();
}

function showDigest(digest) {
  say("#digest", `sha256 ${digest}`);
  document.body.dataset.state = "done";
}

function say(where, text) {
  document.querySelector(where).textContent = text;
}
