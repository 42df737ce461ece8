import { type Area, type Canvas, FULL, type Stamp, stampOf } from "../../pictures/canvas.js";
import { type Box, type Lettering, lettersOf, meets, textSize, write } from "./overlays.js";

/** Where ornaments go: they hide as little as possible, and no box of `taken`. */
interface Free {
  readonly isLand: (x: number, y: number) => boolean;
  readonly marks: readonly Readonly<Record<"x" | "y", number>>[];
  readonly taken: readonly Box[];
  /** Pixels of a unit of the frame. */
  readonly unit: number;
}

const LEAST_UNIT = 8;
const TITLE_UNIT = 7;

/** Writes a title on a plate at an edge of the map. Returns the box that it takes; none if it has no room. */
export function drawTitle(canvas: Canvas, title: string, lettering: Lettering, free: Free): Box[] {
  const { area, letters, halo } = lettering;
  const text = lettersOf(title);
  const rim = 4 * free.unit;
  let unit = Math.max(LEAST_UNIT, TITLE_UNIT * free.unit);
  const isTooWide = () => textSize(text, unit)[0] + 8 * rim > area.x1 - area.x0;
  while (unit > LEAST_UNIT && isTooWide()) unit--;
  const [width, height] = textSize(text, unit);
  const box = isTooWide() ? undefined : placeOf(area, [width + 4 * rim, height + 2 * rim], free);
  if (text === "" || box === undefined) return [];
  for (let y = box.y0; y < box.y1; y++) {
    for (let x = box.x0; x < box.x1; x++) {
      const depth = Math.floor(Math.min(x - box.x0, box.x1 - 1 - x, y - box.y0, box.y1 - 1 - y) / free.unit);
      canvas.cover(x, y, depth === 0 || depth === 2 ? letters : halo, FULL);
    }
  }
  // the letters have no part below the line at the top, so they are lower than the middle of the plate
  write(canvas, text, { x: box.x0 + 2 * rim, y: box.y0 + rim + (unit >> 3), unit }, lettering);
  return [box];
}

/** Returns the place along the edges that hides the least; of several, the first of: top, bottom, corners, between. */
function placeOf(area: Box, [width, height]: readonly number[], free: Free): Box | undefined {
  const gap = 6 * free.unit;
  const [left, right] = [area.x0 + gap, area.x1 - gap - width];
  const [top, bottom] = [area.y0 + gap, area.y1 - gap - height];
  if (right < left || bottom < top) return undefined;
  const across = PARTS.map((part) => left + Math.floor(((right - left) * part) / 4));
  const down = PARTS.map((part) => top + Math.floor(((bottom - top) * part) / 4));
  const places = across.flatMap((x0) => [[x0, top] as const, [x0, bottom] as const]);
  for (const y0 of down.slice(0, -2)) places.push([right, y0], [left, y0]);
  const boxes = places.map(([x0, y0]) => ({ x0, y0, x1: x0 + width, y1: y0 + height }));
  const open = boxes.filter((box) => !free.taken.some((other) => meets(box, other)));
  const costs = open.map((box) => hidden(box, free));
  return open[costs.indexOf(Math.min(...costs))];
}

/** Quarters of the free length of an edge, in the order in which they are tried. */
const PARTS = [2, 1, 3, 4, 0];
const SAMPLES = [0, 1, 2, 3, 4];

/** Counts what a box hides: each mark as much as land below the whole box. */
function hidden({ x0, y0, x1, y1 }: Box, { marks, isLand }: Free): number {
  const isInside = ({ x, y }: { readonly x: number; readonly y: number }) => x >= x0 && x < x1 && y >= y0 && y < y1;
  const at = (from: number, to: number, part: number) => from + Math.floor(((to - 1 - from) * part) / 4);
  const land = SAMPLES.flatMap((i) => SAMPLES.filter((j) => isLand(at(x0, x1, i), at(y0, y1, j))));
  return marks.filter(isInside).length * SAMPLES.length ** 2 + land.length;
}

const point =
  (long: number, thin: number): Area =>
  (x, y) =>
    Math.abs(x) / thin + Math.abs(y) / long <= 1;
const turned =
  (area: Area): Area =>
  (x, y) =>
    area((x - y) * Math.SQRT1_2, (x + y) * Math.SQRT1_2);

/** The four points of a compass rose and the four between them, from −16 to 16 units. `rim` makes them wider. */
const rose =
  (rim: number): Area =>
  (x, y) => {
    const [main, between] = [point(16 + 2 * rim, 4 + rim), turned(point(10 + 2 * rim, 3 + rim))];
    return main(x, y) || main(y, x) || between(x, y) || between(y, x);
  };
/** The dark halves: the right half of each point, as seen from the middle. */
const halves: Area = (x, y) => {
  const main = point(16, 4);
  if (main(x, y)) return x * y < 0;
  if (main(y, x)) return x * y > 0;
  return rose(0)(x, y) && Math.abs(x) > Math.abs(y) === x * y > 0;
};
const ring: Area = (x, y) => Math.abs(Math.sqrt(x * x + y * y) - 11) < 0.4;

/** Draws a compass rose in a corner. Returns the box that it takes; none if it has no room. */
export function drawCompass(canvas: Canvas, lettering: Lettering, free: Free): Box[] {
  const radius = 10 * free.unit;
  const letter = 8 * free.unit;
  const [width, height] = textSize("N", letter);
  const box = placeOf(lettering.area, [2 * radius + 4, 2 * radius + height + 4], free);
  if (box === undefined) return [];
  const x = (box.x0 + box.x1) >> 1;
  const { letters, halo } = lettering;
  canvas.stamp(roseStamp(radius), x, box.y1 - radius - 2, [halo, letters, letters, halo, letters]);
  write(canvas, "N", { x: x - (width >> 1), y: box.y0, unit: letter }, lettering);
  return [box];
}

function roseStamp(radius: number): Stamp {
  const frame = { left: -radius - 2, top: -radius - 2, width: 2 * radius + 5, height: 2 * radius + 5 };
  const scale = 16 / radius;
  const scaled =
    (area: Area): Area =>
    (x, y) =>
      area(x * scale, y * scale);
  return stampOf(frame, [rose(2), ring, rose(0.8), rose(0), halves].map(scaled));
}
