// The Web Worker of page.mjs: makes the tiles of the world that the page asks for.

import { createMillAsync } from "../../dist/index.js";
import { loadWorld } from "../../dist/worlds/index.js";

const examples = new URL("../", import.meta.url);
// promises: a message that came while the worker still waits for its files would be lost
const loaded = loadWorld("endless.json", readExample);
let world;

addEventListener("message", async ({ data: { seed, y, x, side } }) => {
  if (seed !== undefined) {
    world = openWorld(seed);
    const digest = (await world).digest({ row0: -128, col0: -128, rows: 256, cols: 256 });
    return postMessage({ digest });
  }
  const opened = await world;
  const startedAt = performance.now();
  const pixels = draw(opened, { row0: y * side, x0: x * side, side });
  const time = performance.now() - startedAt;
  return postMessage({ y, x, pixels, time }, [pixels.buffer]); // the buffer moves to the page: nothing is copied
});

async function openWorld(seed) {
  const { spec, issues } = await loaded;
  if (spec === undefined) throw new Error(issues[0].message);
  return (await createMillAsync({ seed })).world("endless", spec);
}

/** Returns the text of a file; undefined if there is no such file. */
async function readExample(path) {
  const response = await fetch(new URL(path, examples));
  return response.ok ? response.text() : undefined;
}

/**
 * Returns the colours of a square of pixels, one pixel for each cell. A row lies half a cell to the right of the row
 * above it: cell (row, col) has the horizontal position col + ⌊row / 2⌋.
 */
function draw(world, { row0, x0, side }) {
  const last = row0 + side - 1;
  const col0 = x0 - (last >> 1);
  const cols = side + (last >> 1) - (row0 >> 1);
  const { terrain, terrains, placements } = world.window({ row0, col0, rows: side, cols }, { contents: false });
  const pixels = new Uint8ClampedArray(4 * side * side).fill(255);
  const paint = (r, x, color) => {
    if (r >= 0 && r < side && x >= 0 && x < side) pixels.set(color, 4 * (r * side + x));
  };
  for (let r = 0; r < side; r++) {
    const first = r * cols + x0 - ((row0 + r) >> 1) - col0;
    for (let x = 0; x < side; x++) paint(r, x, terrains[terrain[first + x]].color);
  }
  for (const [k, kind] of placements.kinds.entries()) {
    const r = placements.rows[k] - row0;
    const x = placements.cols[k] + (placements.rows[k] >> 1) - x0;
    for (let i = 0; i < 9; i++) paint(r + Math.floor(i / 3) - 1, x + (i % 3) - 1, world.kinds[kind].color);
  }
  return pixels;
}
