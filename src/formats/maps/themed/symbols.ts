import { type Area, type Canvas, circle, KeptStamps, polygons, type Stamp, stampOf } from "../../pictures/canvas.js";
import type { Form } from "../../pictures/themes.js";
import { hash } from "./coasts.js";
import type { ThemedColors } from "./ground.js";

/** The layers of a symbol from the bottom. A layer has the ink, or a level of the terrain from 0 (dark) to 1. */
type Layers = readonly (readonly [level: number | "ink", area: Area])[];

interface Symbols {
  /** Mean distance between symbols in pixels, if cells are small. */
  readonly spacing: number;
  /** Size of a symbol in pixels. Areas are drawn in units of 1/16 of it; (8, 16) is its foot. */
  readonly size: number;
  readonly kinds: readonly Layers[];
  /** Drawn only without light, unless the theme is drawn by hand. */
  readonly isRelief: boolean;
}

const mirrored =
  (area: Area): Area =>
  (x, y) =>
    area(16 - x, y);

const crown = (x: number, y: number, radius: number): Layers => [
  ["ink", polygons("7.2,9 8.8,9 8.8,16 7.2,16")],
  [0.06, circle(x, y, radius)],
  [0.3, circle(x - radius / 6, y - radius / 6, radius * 0.78)],
  [0.52, circle(x - radius / 3, y - radius / 3, radius * 0.36)],
];
const FIR: Layers = [
  ["ink", polygons("7.2,13 8.8,13 8.8,16 7.2,16")],
  [0.06, polygons("8,0 13.5,14 2.5,14")],
  [0.36, polygons("8,0 8.4,14 2.5,14")],
];

const RIDGE = "0,16 2.2,13 3.6,10 5.4,7.6 6.6,4.6 8.2,3 9.6,4.8 11,8 13.2,10.6 14.4,13.4 16,16";
const peak = (turn: (area: Area) => Area): Layers => [
  ["ink", turn(polygons(RIDGE))],
  [0.9, turn(polygons("1.4,16 3,13.4 4.4,10.5 6.2,8 7.4,5 8.2,4.2 7.8,7.4 9,9.4 7.6,12 8.8,14 8,16"))],
  [0.22, turn(polygons("8.2,4.2 9,5.2 10.4,8.4 12.5,11.2 13.7,13.9 14.7,16 8,16 8.8,14 7.6,12 9,9.4 7.8,7.4"))],
];
const moved =
  (x0: number, y0: number, size: number) =>
  (area: Area): Area =>
  (x, y) =>
    area(x0 + x / size, y0 + y / size);
const TWIN: Layers = [...peak(moved(-6, -4.6, 0.8)), ...peak(moved(1.2, -1.8, 0.9))];

const dome: Area = (x, y) => ((x - 8) / 8) ** 2 + ((y - 16) / 8) ** 2 <= 1 && y <= 16;
const inner: Area = (x, y) => ((x - 8) / 7) ** 2 + ((y - 16.2) / 6.9) ** 2 <= 1 && y <= 16;
const HILL: Layers = [
  ["ink", (x, y) => dome(x, y) && !inner(x, y)],
  [0.82, inner],
  [0.2, (x, y) => inner(x, y) && x > 9 + (16 - y) / 3],
];

const REEDS: Layers = [
  [
    "ink",
    polygons(
      "1,16 1,14.8 15,14.8 15,16;7.4,15 7.4,8 8.6,8 8.6,15;4,15 2.6,10 3.8,9.6 5.2,15;12,15 13.4,10 12.2,9.6 10.8,15",
    ),
  ],
];

const SYMBOLS: Partial<Readonly<Record<Form, Symbols>>> = {
  forest: { spacing: 8, size: 10, kinds: [crown(8, 6, 5.6), crown(8, 6.5, 5), FIR], isRelief: false },
  mountain: { spacing: 20, size: 20, kinds: [peak((area) => area), peak(mirrored), TWIN], isRelief: true },
  snow: { spacing: 22, size: 20, kinds: [peak((area) => area), peak(mirrored)], isRelief: true },
  hills: { spacing: 18, size: 11, kinds: [HILL], isRelief: true },
  swamp: { spacing: 11, size: 8, kinds: [REEDS], isRelief: false },
};

const kept = new KeptStamps();

/** Draws trees, hills and peaks on their terrains, from the north to the south. */
export function drawSymbols(
  canvas: Canvas,
  ground: Uint8Array,
  { formAt, ramps, ink }: ThemedColors,
  { x0, y0, zoom, hasRelief }: Readonly<Record<"x0" | "y0" | "zoom", number> & { hasRelief: boolean }>,
): void {
  const found: {
    readonly x: number;
    readonly y: number;
    readonly color: number;
    readonly stamp: Stamp;
    readonly layers: Layers;
  }[] = [];
  for (const [form, { spacing, size, kinds, isRelief }] of Object.entries(SYMBOLS)) {
    if (isRelief && hasRelief) continue;
    if (!formAt.includes(form as Form)) continue;
    const side = Math.round(size * zoom);
    const stamps = kinds.map((layers, k) => kept.get(`${form},${k},${side}`, () => symbolStamp(layers, side)));
    const reach = Math.floor(side / 3);
    const isForm = (x: number, y: number) =>
      x >= 0 && y >= 0 && x < canvas.width && y < canvas.height && formAt[ground[y * canvas.width + x]] === form;
    for (const { x, y, bits } of places(canvas, x0, y0, Math.round(spacing * zoom))) {
      if (!(isForm(x, y) && isForm(x - reach, y) && isForm(x + reach, y) && isForm(x, y - reach))) continue;
      const kind = (bits >>> 24) % kinds.length;
      found.push({ x, y, color: ground[y * canvas.width + x], stamp: stamps[kind], layers: kinds[kind] });
    }
  }
  found.sort((a, b) => a.y - b.y || a.x - b.x);
  for (const { x, y, color, stamp, layers } of found) {
    const { first, levels } = rampAt(ramps, color);
    canvas.stamp(
      stamp,
      x,
      y,
      layers.map(([level]) => (level === "ink" ? ink : first + Math.round(level * (levels - 1)))),
    );
  }
}

function rampAt(ramps: ThemedColors["ramps"], color: number) {
  return ramps.find(({ first, levels }) => color >= first && color < first + levels) ?? ramps[0];
}

function symbolStamp(layers: Layers, side: number): Stamp {
  const frame = { left: -(side >> 1) - 1, top: -side - 1, width: side + 3, height: side + 3 };
  const unit = 16 / side;
  const areas = layers.map(([, area]): Area => {
    return (x, y) => area(8 + x * unit, 16 + y * unit);
  });
  return stampOf(frame, areas);
}

/** Yields a place in each square of the plane, shifted at random. Every second row of squares is shifted by a half. */
function* places({ width, height }: Canvas, x0: number, y0: number, side: number) {
  const free = Math.max(1, Math.floor(side * 0.6));
  for (let row = Math.floor(y0 / side) - 1; row * side < y0 + height; row++) {
    const shift = (row & 1) * (side >> 1);
    for (let column = Math.floor((x0 - shift) / side) - 1; column * side + shift < x0 + width; column++) {
      const bits = hash(column * 31 + side, row);
      const x = column * side + shift + ((bits & 0xff) % free) - x0;
      const y = row * side + (((bits >>> 8) & 0xff) % free) - y0;
      yield { x, y, bits };
    }
  }
}
