// The tiles of page.mjs: which ones the page has, which one the worker makes next, and where they are on the screen.

/** Sizes of a cell in pixels, from far to near: its width, and the distance of two rows, which is about √3/2 of it. */
export const SCALES = [
  { cell: 2, row: 2 },
  { cell: 4, row: 3 },
  { cell: 8, row: 7 },
  { cell: 16, row: 14 },
];
/** Width of a tile in pixels. TILE / cell, its number of rows and columns, must be even: odd rows are half a cell later. */
const TILE = 512;
/** Tiles that the page keeps, in view or not. */
const MOST = 240;
/** Tiles that the worker is asked for at a time: it never waits, and a tile that comes into view is soon next. */
const MOST_ASKED = 2;
/** The page asks for tiles so many pixels beside the view. */
const BESIDE = 256;

export class Tiles {
  #worker;
  /** The made tiles by key. Those that were drawn last are at the end. */
  #made = new Map();
  /** The keys of the tiles that the worker is making. */
  #asked = new Set();

  constructor(worker) {
    this.#worker = worker;
  }

  /** Draws the tiles in view. Returns the names in them and beside them, and whether a tile is missing. */
  draw(context, view) {
    const { width, height } = context.canvas;
    const names = [];
    let isWhole = true;
    for (const { key, x, y, isInView } of tilesIn(
      view,
      [width, height],
      [-BESIDE, -BESIDE, width + BESIDE, height + BESIDE],
    )) {
      const made = this.#made.get(key);
      if (made === undefined) isWhole &&= !isInView;
      if (made === undefined) continue;
      names.push(...made.names);
      if (!isInView) continue;
      this.#made.delete(key);
      this.#made.set(key, made);
      if (made.bitmap !== undefined) context.drawImage(made.bitmap, x, y);
    }
    return { names, isWhole };
  }

  /** Asks the worker for missing tiles: first those in view, from the middle, and then those beside it and ahead. */
  ask(view, [width, height], [aheadX, aheadY]) {
    const [left, top] = [Math.min(0, aheadX) - BESIDE, Math.min(0, aheadY) - BESIDE];
    const [right, bottom] = [Math.max(0, aheadX) + width + BESIDE, Math.max(0, aheadY) + height + BESIDE];
    const missing = tilesIn(view, [width, height], [left, top, right, bottom])
      .filter(({ key }) => !this.#made.has(key) && !this.#asked.has(key))
      .sort((a, b) => b.isInView - a.isInView || a.distance - b.distance);
    for (const { key, cells } of missing.slice(0, MOST_ASKED - this.#asked.size)) {
      this.#asked.add(key);
      const { below, theme, scale } = view;
      this.#worker.postMessage({ ask: "tile", key, below, cells, cellPixels: SCALES[scale].cell, theme });
    }
  }

  keep({ key, bitmap, names }) {
    this.#asked.delete(key);
    this.#made.set(key, { bitmap, names });
    if (this.#made.size <= MOST) return;
    const [oldest, { bitmap: unused }] = this.#made.entries().next().value;
    this.#made.delete(oldest);
    unused?.close();
  }
}

/** Returns the tiles that touch a rectangle of the screen. (view.x, view.y) is the pixel of the plane at its corner. */
function tilesIn({ x: viewX, y: viewY, scale, theme, below }, [width, height], [left, top, right, bottom]) {
  const { cell, row } = SCALES[scale];
  const side = TILE / cell;
  const tall = side * row;
  // the odd rows of a tile, and the tips of its last row, reach into the next tile: at most half a cell
  const over = cell / 2;
  const place = below === undefined ? "land" : [below.row, below.col, below.level].join();
  const tiles = [];
  for (let i = Math.floor((viewY + top - over) / tall); i * tall < viewY + bottom; i++) {
    for (let j = Math.floor((viewX + left - over) / TILE); j * TILE < viewX + right; j++) {
      const [x, y] = [j * TILE - viewX, i * tall - viewY];
      const isInView = x < width && x + TILE + over > 0 && y < height && y + tall + over > 0;
      const distance = Math.hypot(x + (TILE - width) / 2, y + (tall - height) / 2);
      const cells = { row0: i * side, col0: j * side, rows: side, cols: side };
      tiles.push({ key: [place, theme, scale, i, j].join(), cells, x, y, isInView, distance });
    }
  }
  return tiles;
}

/** Returns the cell at a pixel of the plane. */
export function cellAt([x, y], scale) {
  const { cell, row: rowPixels } = SCALES[scale];
  const row = Math.floor(y / rowPixels);
  return { row, col: Math.floor((x - ((row & 1) * cell) / 2) / cell) };
}

/** Returns the pixel of the plane in the middle of a cell. */
export function middleOf({ row, col }, scale) {
  const { cell, row: rowPixels } = SCALES[scale];
  return [col * cell + ((1 + (row & 1)) * cell) / 2, Math.floor((row + 0.5) * rowPixels)];
}
