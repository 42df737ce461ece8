import { signal } from "@preact/signals";
import { MapCanvas, type MapPiece, type MapView, type Point, range } from "../../../src/formats/maps/page/mapCanvas.js";
import { remember, shown, source } from "../state.js";
import { ask } from "../work/ask.js";
import type { Legend, Place, Shown, Work } from "../work/protocol.js";
import { drawCells } from "./cells.js";

export type WorldShown = Extract<Shown, { view: "world" }>;
type World = Omit<WorldShown, "view">;

interface Region extends MapPiece {
  readonly placements: Work["region"]["answer"]["placements"];
}

const SIDE = 256;
/** The height of a row of hexagons, as a part of their width, which is the unit of the map. */
const ROW = Math.sqrt(3) / 2;
const SEEN_SCALE = 4;
/** The more visits, the stronger: a colour that is rare on maps. The index is the logarithm of the visits. */
export const SHADES = Array.from({ length: 32 }, (_, k) => [255, 40, 150, Math.min(240, 110 + 15 * k)] as const);

/** The edges of a thing, from the widest. */
const EDGES = [
  ["#000b", 5],
  ["#fff", 3],
] as const;

/** What is under the pointer. */
export const cell = signal<readonly string[]>([]);

/** The name by which the view remembers that a terrain or a kind is hidden. */
export function hiddenKey(of: "terrain" | "kind", name: string): string {
  return `hide ${of} ${name}`;
}

/** Returns the colours of the legend: undefined for what is hidden. */
function colorsOf(of: "terrain" | "kind", legend: readonly Legend[]) {
  return legend.map(({ name, color }) => (shown.value.view[hiddenKey(of, name)] === 1 ? undefined : color));
}

/** Shows a world without an end, and the visits of a layer above its terrain. */
export function showWorld(box: HTMLElement, world: World, explain: (cell: Place) => void) {
  const given = source.value;
  const layer = layerIn(world.layers);
  const { pointOf, cellAt } = rowsOf(world);
  const map = new MapCanvas(box, "The map. Enter explains the cell in the middle", {
    leastScale: 0.5,
    mostScale: 16,
    mostLoading: 1,
    piecesIn: (view) => regionsIn(view, cellAt),
    load: async (i, j) => regionOf(await ask("region", { source: given, i, j, layer }), world),
    drawAbove(pen, view, { placements }: Region) {
      if (view.scale < devicePixelRatio) return;
      const colors = colorsOf("kind", world.kinds);
      for (const [row, col, kind] of placements) {
        const color = colors[kind];
        if (color !== undefined) drawThing(pen, view, pointOf({ row, col }), color);
      }
    },
    async point(at) {
      if (at === undefined) return;
      const answer = await ask("cell", { source: given, place: cellAt(at) }).catch(() => undefined);
      if (answer !== undefined) cell.value = answer.lines;
    },
    choose: (at) => explain(cellAt(at)),
    moved: ({ scale, ...at }) => remember({ ...cellAt(at), scale }),
  });
  // a link can have any values
  const { row, col, scale } = shown.value.view;
  map.goTo({ ...pointOf({ row: Number(row) || 0, col: Number(col) || 0 }), scale: Number(scale) || 2 });
  return {
    goTo: (at: Place) => map.goTo({ ...pointOf(at), scale: Math.max(map.place.scale, SEEN_SCALE) }),
    redraw: () => map.redraw(),
  };
}

/** The layer whose visits are shown. */
export function layerIn(layers: readonly string[]): string | undefined {
  return layers.find((name) => name === shown.value.view.visits);
}

function rowsOf({ isOddR }: World) {
  /** How far a row is shifted to the right, in cells. */
  const shiftOf = (row: number) => (isOddR ? (row & 1) / 2 : row / 2);
  return {
    /** Returns the middle of a cell. */
    pointOf: ({ row, col }: Place): Point => ({ x: col + shiftOf(row) + 0.5, y: (row + 0.5) * ROW }),
    cellAt({ x, y }: Point): Place {
      const row = Math.floor(y / ROW);
      return { row, col: Math.floor(x - shiftOf(row)) };
    },
  };
}

/** Returns the regions in view, those near the middle first. */
function regionsIn({ left, top, width, height, scale }: MapView, cellAt: (at: Point) => Place) {
  const [right, bottom] = [left + width / scale, top + height / scale];
  const corners = [left, right].flatMap((x) => [top, bottom].map((y) => cellAt({ x, y })));
  const numbers = (name: keyof Place) => {
    const all = corners.map((corner) => Math.floor(corner[name] / SIDE));
    return range(Math.min(...all), Math.max(...all));
  };
  const middle = cellAt({ x: (left + right) / 2, y: (top + bottom) / 2 });
  const distance = ([i, j]: readonly number[]) =>
    Math.hypot((i + 0.5) * SIDE - middle.row, (j + 0.5) * SIDE - middle.col);
  const found = numbers("row").flatMap((i) => numbers("col").map((j) => [i, j]));
  return found.sort((a, b) => distance(a) - distance(b));
}

function regionOf(made: Work["region"]["answer"] | undefined, { isOddR, terrains }: World): Region | undefined {
  if (made === undefined) return undefined;
  const { row0, col0, rows, placements, visits } = made;
  const [picture, shades] = [new OffscreenCanvas(1, 1), new OffscreenCanvas(1, 1)];
  if (visits !== undefined) drawCells(shades, { ...made, cells: visits, isOddR, colors: SHADES });
  let drawn = "";
  const draw = () => {
    const colors = colorsOf("terrain", terrains);
    if (drawn === colors.join()) return picture;
    drawn = colors.join();
    drawCells(picture, { ...made, isOddR, colors });
    picture.getContext("2d")?.drawImage(shades, 0, 0);
    return picture;
  };
  const place = { x: col0 + (isOddR ? 0 : row0 / 2), y: row0 * ROW, width: draw().width / 2, height: rows * ROW };
  // draws the terrains anew when one is switched on or off
  return {
    ...place,
    placements,
    get picture() {
      return draw();
    },
  };
}

function drawThing(
  pen: CanvasRenderingContext2D,
  { left, top, scale }: MapView,
  { x, y }: Point,
  color: Legend["color"],
): void {
  const radius = devicePixelRatio * Math.max(4, Math.min(8, (0.6 * scale) / devicePixelRatio));
  pen.beginPath();
  pen.arc((x - left) * scale, (y - top) * scale, radius, 0, 2 * Math.PI);
  // one of the two edges is seen on any terrain
  for (const [edge, width] of EDGES) {
    pen.strokeStyle = edge;
    pen.lineWidth = width * devicePixelRatio;
    pen.stroke();
  }
  pen.fillStyle = `rgb(${color})`;
  pen.fill();
}
