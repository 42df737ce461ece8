import { checkInteger, checkText, readOptions } from "../../spec/index.js";
import { readKinds, type TerrainKind } from "./terrainMap.js";
import { type TileGrid, tilePyramid } from "./tilePyramid.js";

/** Options of {@link tileViewer}. */
export interface TileViewerOptions extends TileGrid {
  /** The title of the page. Default: Map. */
  readonly title?: string | undefined;
  /** The row and the column of the map's first cell. Default 0. The page shows those of the cell under the mouse. */
  readonly row0?: number | undefined;
  readonly col0?: number | undefined;
  /** The terrains. The legend has an entry for each terrain with a name. */
  readonly terrains?: readonly TerrainKind[] | undefined;
  /** The path of a tile, relative to the page. Default `{z}/{x}/{y}.png`. */
  readonly path?: string | undefined;
}

const OPTIONS = ["rows", "cols", "side", "title", "row0", "col0", "terrains", "path"] as const;
const LIMIT = 2 ** 31;
const MAX_TERRAINS = 256;

/**
 * Returns the text of a page that shows the tiles of a map: drag to move, and turn the wheel to zoom. The page is a
 * single file, needs no network and works from a folder on a disk. A tile without a file is empty.
 *
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed options.
 */
export function tileViewer(options: TileViewerOptions): string {
  const given = readOptions("tileViewer", options, OPTIONS);
  const { rows, cols, title = "Map", row0 = 0, col0 = 0, terrains = [], path = "{z}/{x}/{y}.png" } = given;
  const { deepest, side } = tilePyramid({ rows, cols, side: given.side });
  checkText("title", title);
  checkText("path", path);
  checkInteger("row0", row0, -LIMIT, LIMIT - 1);
  checkInteger("col0", col0, -LIMIT, LIMIT - 1);
  const legend = readKinds(terrains, MAX_TERRAINS)
    .filter(({ name }) => name !== "")
    .map(({ name, color }) => ({ name, color: `rgb(${color.join()})` }));
  const map = { rows, cols, side, deepest, row0, col0, path, legend };
  // replaces only the first TITLE, which is before the script
  return PAGE.replace("{}", () => inScript(map)).replace("TITLE", () => escaped(title));
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}

/** Without "<", JSON cannot end the script or begin a comment. It has "<" only in texts. */
function inScript(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

/** `scale` is the width of a cell in pixels. The page begins at the point (`left`, `top`) of the map, in cells. */
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>TITLE</title>
<style>
html, body { margin: 0; height: 100%; overflow: hidden; background: #0d0e14; color: #e6e6eb; font: 14px sans-serif; }
canvas { display: block; width: 100%; height: 100%; cursor: grab; touch-action: none; }
#cell, #legend { position: fixed; right: 8px; padding: 4px 8px; background: #0d0e14cc; border-radius: 4px; }
#cell { top: 8px; }
#legend { bottom: 8px; max-height: 80%; overflow: auto; }
#legend span { display: inline-block; width: 12px; height: 12px; margin-right: 6px; }
#cell:empty, #legend:empty { display: none; }
</style>
<canvas></canvas>
<div id="cell"></div>
<div id="legend"></div>
<script>
const map = {};
const canvas = document.querySelector("canvas");
const pen = canvas.getContext("2d");
const tiles = new Map();
let scale, left, top_, dragged = null;

for (const { name, color } of map.legend) {
  const line = document.createElement("div");
  const box = document.createElement("span");
  box.style.background = color;
  line.append(box, name);
  document.getElementById("legend").append(line);
}

function tile(z, x, y) {
  const path = map.path.replace("{z}", z).replace("{x}", x).replace("{y}", y);
  let image = tiles.get(path);
  if (image === undefined) {
    image = new Image();
    image.onload = redraw;
    image.src = path;
  }
  // the tile used last is the last one in the map, so the first one is dropped
  tiles.delete(path);
  tiles.set(path, image);
  if (tiles.size > 600) tiles.delete(tiles.keys().next().value);
  return image.complete && image.naturalWidth > 0 ? image : null;
}

function draw() {
  const [width, height] = [canvas.width, canvas.height];
  pen.clearRect(0, 0, width, height);
  pen.imageSmoothingEnabled = scale < 1;
  const best = Math.max(0, Math.min(map.deepest, Math.ceil(map.deepest + Math.log2(scale))));
  // the zooms above are shown until the best tiles are loaded
  for (const z of new Set([0, Math.max(0, best - 2), best])) {
    const cells = map.side * 2 ** (map.deepest - z);
    const last = (count, end) => Math.min(Math.ceil(count / cells) - 1, Math.floor(end / cells));
    for (let y = Math.max(0, Math.floor(top_ / cells)); y <= last(map.rows, top_ + height / scale); y++) {
      for (let x = Math.max(0, Math.floor(left / cells)); x <= last(map.cols, left + width / scale); x++) {
        const image = tile(z, x, y);
        if (image === null) continue;
        const at = (cell, corner) => Math.round((cell * cells - corner) * scale);
        const [px, py] = [at(x, left), at(y, top_)];
        const [w, h] = [at(x + 1, left) - px, at(y + 1, top_) - py];
        pen.clearRect(px, py, w, h);
        pen.drawImage(image, px, py, w, h);
      }
    }
  }
}

let isAsked = false;
function redraw() {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    draw();
  });
}

function zoom(factor, x, y) {
  const next = Math.max(2 ** -map.deepest / 4, Math.min(64, scale * factor));
  left += x / scale - x / next;
  top_ += y / scale - y / next;
  scale = next;
  redraw();
}

function resize() {
  const ratio = devicePixelRatio;
  canvas.width = Math.round(innerWidth * ratio);
  canvas.height = Math.round(innerHeight * ratio);
  if (scale === undefined) {
    scale = Math.min(canvas.width / map.cols, canvas.height / map.rows, 16);
    left = (map.cols - canvas.width / scale) / 2;
    top_ = (map.rows - canvas.height / scale) / 2;
  }
  redraw();
}

const pointOf = (event) => [event.clientX * devicePixelRatio, event.clientY * devicePixelRatio];
canvas.onpointerdown = (event) => {
  dragged = pointOf(event);
  canvas.setPointerCapture(event.pointerId);
};
canvas.onpointerup = canvas.onpointercancel = () => {
  dragged = null;
};
canvas.onpointermove = (event) => {
  const [x, y] = pointOf(event);
  if (dragged !== null) {
    left -= (x - dragged[0]) / scale;
    top_ -= (y - dragged[1]) / scale;
    dragged = [x, y];
    redraw();
  }
  const [row, col] = [Math.floor(top_ + y / scale), Math.floor(left + x / scale)];
  const isInside = row >= 0 && row < map.rows && col >= 0 && col < map.cols;
  document.getElementById("cell").textContent = isInside ? "row " + (map.row0 + row) + ", col " + (map.col0 + col) : "";
};
canvas.onwheel = (event) => {
  event.preventDefault();
  zoom(2 ** (-event.deltaY / 400), ...pointOf(event));
};
onkeydown = ({ key }) => {
  const step = 100 / scale;
  if (key === "+" || key === "=") zoom(1.5, canvas.width / 2, canvas.height / 2);
  if (key === "-") zoom(1 / 1.5, canvas.width / 2, canvas.height / 2);
  left += { ArrowLeft: -step, ArrowRight: step }[key] ?? 0;
  top_ += { ArrowUp: -step, ArrowDown: step }[key] ?? 0;
  redraw();
};
onresize = resize;
resize();
</script>
</html>
`;
