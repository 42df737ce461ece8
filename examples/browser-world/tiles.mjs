// The tiles of page.mjs: which ones it has, which one the worker makes next, and where they are on the screen.

/** Sides of a cell in pixels, from far to near. Rows of hexagons are about √3/2 of this apart. */
export const SCALES = [
  { cell: 2, row: 2 },
  { cell: 4, row: 3 },
  { cell: 8, row: 7 },
  { cell: 16, row: 14 },
];
/** Width of a tile in pixels. Its number of rows and columns, TILE / cell, is even, so that no tile begins half a cell later. */
const TILE = 512;
/** Tiles that the page keeps, in view or not. */
const MOST = 240;
/** Tiles that the worker has to make at a time: it never waits, and a tile that is needed more is soon next. */
const MOST_ASKED = 2;

export class Tiles {
  #worker;
  /** The tiles by key, those drawn last at the end. A tile that the worker is still making is not in the map. */
  #made = new Map();
  #asked = new Set();
  made = 0;
  time = 0;

  constructor(worker) {
    this.#worker = worker;
  }

  /** Draws the tiles in view. Returns their names, and those of the tiles beside them. */
  draw(context, view) {
    const { width, height } = context.canvas;
    const names = [];
    for (const tile of tilesIn(view, { left: -TILE, top: -TILE, right: width + TILE, bottom: height + TILE })) {
      const made = this.#made.get(tile.key);
      if (made === undefined) continue;
      this.#made.delete(tile.key);
      this.#made.set(tile.key, made);
      names.push(...made.names);
      if (made.bitmap !== undefined) context.drawImage(made.bitmap, tile.x, tile.y);
    }
    return names;
  }

  /** Whether all tiles in view are drawn. */
  isWhole(view, { width, height }) {
    return tilesIn(view, { left: 0, top: 0, right: width, bottom: height }).every(({ key }) => this.#made.has(key));
  }

  /** Asks the worker for missing tiles: those in view from the middle outwards, then those ahead of the walk. */
  ask(view, { width, height }, [aheadX, aheadY]) {
    const ahead = {
      left: Math.min(0, aheadX),
      top: Math.min(0, aheadY),
      right: width + Math.max(0, aheadX),
      bottom: height + Math.max(0, aheadY),
    };
    const missing = tilesIn(view, ahead).filter(({ key }) => !this.#made.has(key) && !this.#asked.has(key));
    const isAhead = ({ x, y, height: tall }) => x >= width || y >= height || x + TILE <= 0 || y + tall <= 0;
    const far = (tile) => (isAhead(tile) ? 1e6 : 0) + Math.hypot(tile.x + TILE / 2 - width / 2, tile.y + tile.height / 2 - height / 2);
    missing.sort((a, b) => far(a) - far(b));
    for (const { key, cells } of missing.slice(0, MOST_ASKED - this.#asked.size)) {
      this.#asked.add(key);
      const { below, theme, scale } = view;
      this.#worker.postMessage({ ask: "tile", key, below, cells, cellPixels: SCALES[scale].cell, theme });
    }
  }

  keep({ key, bitmap, names, time }) {
    this.#asked.delete(key);
    this.#made.set(key, { bitmap, names });
    this.made++;
    this.time += time;
    if (this.#made.size <= MOST) return;
    const [oldest, { bitmap: unused }] = this.#made.entries().next().value;
    this.#made.delete(oldest);
    unused?.close();
  }
}

/** Returns the tiles of a rectangle of the screen. The view has the pixel of the plane in its top left corner. */
function tilesIn({ x: viewX, y: viewY, scale, theme, below }, { left, top, right, bottom }) {
  const side = TILE / SCALES[scale].cell;
  const height = side * SCALES[scale].row;
  const place = below === undefined ? "" : `${below.row},${below.col},${below.level}`;
  const tiles = [];
  for (let i = Math.floor((viewY + top) / height); i * height < viewY + bottom; i++) {
    for (let j = Math.floor((viewX + left) / TILE); j * TILE < viewX + right; j++) {
      const cells = { row0: i * side, col0: j * side, rows: side, cols: side };
      tiles.push({ key: [place, theme, scale, i, j].join(), cells, x: j * TILE - viewX, y: i * height - viewY, height });
    }
  }
  return tiles;
}

/** Returns the cell at a pixel of the plane. */
export function cellAt(x, y, { cell, row: rowPixels }) {
  const row = Math.floor(y / rowPixels);
  return { row, col: Math.floor((x - ((row & 1) * cell) / 2) / cell) };
}

/** Returns the pixel of the plane in the middle of a cell. */
export function middleOf({ row, col }, { cell, row: rowPixels }) {
  return [col * cell + ((1 + (row & 1)) * cell) / 2, (row + 0.5) * rowPixels];
}
