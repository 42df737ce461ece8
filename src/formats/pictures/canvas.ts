import type { Rgb } from "./colors.js";

const MAX_COLORS = 256;
/** The share of a colour on a pixel, in eighths. */
export const FULL = 8;

/** A palette of at most 256 colours. Mixed colours are replaced by the nearest colour of the palette. */
export class Palette {
  readonly colors: (readonly number[])[];
  /** For two colours and a share: 1 + the index of the mixed colour; 0 if it is not known yet. */
  readonly #mixed = new Uint16Array(MAX_COLORS * MAX_COLORS * FULL);
  readonly #isClear: boolean;

  constructor(background: readonly number[]) {
    this.colors = [[...background]];
    this.#isClear = background.length === 4;
  }

  get room(): number {
    return MAX_COLORS - this.colors.length;
  }

  /** Returns the index of a colour: a new one, or the nearest if the palette is full. */
  add(color: Rgb): number {
    if (this.room === 0) return this.#nearest(color);
    return this.colors.push(this.#isClear ? [...color, 255] : [...color]) - 1;
  }

  /** Returns the index of a colour, which is new only if the palette does not have it. */
  find(color: Rgb): number {
    const nearest = this.colors.length > 1 ? this.#nearest(color) : 0;
    return color.every((part, i) => part === this.colors[nearest][i]) ? nearest : this.add(color);
  }

  /** Returns the colour of a pixel `under` of which `share` eighths, 1 … 7, are covered by `over`. */
  mix(under: number, over: number, share: number): number {
    const at = (under * MAX_COLORS + over) * FULL + share;
    const known = this.#mixed[at];
    if (known > 0) return known - 1;
    const index = this.#mix(under, over, share);
    this.#mixed[at] = index + 1;
    return index;
  }

  #mix(under: number, over: number, share: number): number {
    if (this.#isClear && under === 0) return 2 * share >= FULL ? over : under;
    const [from, to] = [this.colors[under], this.colors[over]];
    const part = (i: 0 | 1 | 2) => (from[i] * (FULL - share) + to[i] * share) / FULL;
    return this.#nearest([part(0), part(1), part(2)]);
  }

  #nearest([red, green, blue]: Rgb): number {
    let [index, least] = [0, Number.POSITIVE_INFINITY];
    // a transparent background cannot replace a colour
    for (let i = this.#isClear ? 1 : 0; i < this.colors.length; i++) {
      const [r, g, b] = this.colors[i];
      // weights of the eye's sensitivity
      const distance = 3 * (r - red) ** 2 + 6 * (g - green) ** 2 + (b - blue) ** 2;
      if (distance < least) [index, least] = [i, distance];
    }
    return index;
  }
}

/** Pixels to draw on. Everything outside is cut off. */
export class Canvas {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  readonly palette: Palette;

  constructor(width: number, height: number, pixels: Uint8Array, palette: Palette) {
    this.width = width;
    this.height = height;
    this.pixels = pixels;
    this.palette = palette;
  }

  /** Covers `share` eighths of a pixel with a colour. */
  cover(x: number, y: number, color: number, share: number): void {
    if (share <= 0 || x < 0 || y < 0 || x >= this.width || y >= this.height) return;
    const at = y * this.width + x;
    this.pixels[at] = share >= FULL ? color : this.palette.mix(this.pixels[at], color, share);
  }

  /** Draws a stamp with its middle on (x, y). `colors` has a colour for each layer of the stamp. */
  stamp({ left, top, width, layers }: Stamp, x: number, y: number, colors: readonly number[]): void {
    for (let layer = 0; layer < layers.length; layer++) {
      const shares = layers[layer];
      const color = colors[layer];
      for (let i = 0, row = y + top; i < shares.length; row++) {
        for (let col = x + left; col < x + left + width; col++, i++) {
          if (shares[i] > 0) this.cover(col, row, color, shares[i]);
        }
      }
    }
  }

  /** Draws a line with round ends. Coordinates and width are in eighths of a pixel, from the pixel (0, 0). */
  line(from: readonly [number, number], to: readonly [number, number], width: number, color: number): void {
    const [[x0, y0], [x1, y1]] = [from, to];
    const reach = width / 2 + EIGHTHS;
    const [left, right] = [Math.min(x0, x1) - reach, Math.max(x0, x1) + reach];
    const [top, bottom] = [Math.min(y0, y1) - reach, Math.max(y0, y1) + reach];
    for (let y = Math.floor(top / EIGHTHS); y <= bottom / EIGHTHS; y++) {
      for (let x = Math.floor(left / EIGHTHS); x <= right / EIGHTHS; x++) {
        const distance = distanceTo(from, to, x * EIGHTHS + EIGHTHS / 2, y * EIGHTHS + EIGHTHS / 2);
        // a pixel is covered by as many eighths as the line reaches over its middle, plus half a pixel
        this.cover(x, y, color, Math.min(FULL, Math.floor(width / 2 + EIGHTHS / 2 - distance)));
      }
    }
  }
}

const EIGHTHS = 8;

/** Returns the distance of a point from a line. Square roots are exact on every platform. */
function distanceTo(from: readonly [number, number], to: readonly [number, number], x: number, y: number): number {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const [px, py] = [x - from[0], y - from[1]];
  const length = dx * dx + dy * dy;
  const along = length === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / length));
  return Math.sqrt((px - along * dx) ** 2 + (py - along * dy) ** 2);
}

/** A small drawing: for each layer, the share of each pixel in eighths, row by row. */
export interface Stamp {
  /** The place of the first pixel, relative to the place of the stamp. */
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly layers: readonly Uint8Array[];
}

const MOST_KEPT = 64;
const MOST_KEPT_WIDTH = 64;

/** Keeps small stamps, because the tiles of a map draw the same stamps in each of them. */
export class KeptStamps {
  readonly #kept = new Map<string, Stamp>();

  /** Returns the stamp with this key, which `make` makes the same each time. */
  get(key: string, make: () => Stamp): Stamp {
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const stamp = make();
    if (this.#kept.size === MOST_KEPT) this.#kept.clear();
    if (stamp.width <= MOST_KEPT_WIDTH) this.#kept.set(key, stamp);
    return stamp;
  }
}

/** Whether an area covers a point. */
export type Area = (x: number, y: number) => boolean;

/** Points of a pixel in each direction. */
const SAMPLES = 4;

/** A rectangle of pixels. The middle of the first pixel is (left, top). */
type Rectangle = Readonly<Record<"left" | "top" | "width" | "height", number>>;

/** Returns whether an area covers the points of each pixel: SAMPLES × SAMPLES points a pixel, in rows of points. */
export function samplesOf(area: Area, { left, top, width, height }: Rectangle): Uint8Array {
  const across = width * SAMPLES;
  const place = (first: number, k: number) => first + (k - (SAMPLES - 1) / 2) / SAMPLES;
  return Uint8Array.from({ length: across * height * SAMPLES }, (_, i) =>
    area(place(left, i % across), place(top, Math.floor(i / across))) ? 1 : 0,
  );
}

/** Widens an area by `border` pixels on all sides, in eight directions. A margin must be free. */
export function widenedSamples(samples: Uint8Array, width: number, border: number): Uint8Array {
  const [far, near] = [border * SAMPLES, Math.floor(border * SAMPLES * 0.75)];
  const across = width * SAMPLES;
  const steps = [0, far, -far, far * across, -far * across];
  for (const dy of [near, -near]) steps.push(dy * across + near, dy * across - near);
  return samples.map((_, i) => (steps.some((step) => samples[i + step] === 1) ? 1 : 0));
}

/** Returns the share of each pixel that the points cover, in eighths. */
export function sharesOf(samples: Uint8Array, width: number): Uint8Array {
  const across = width * SAMPLES;
  return Uint8Array.from({ length: samples.length / SAMPLES ** 2 }, (_, i) => {
    const first = Math.floor(i / width) * SAMPLES * across + (i % width) * SAMPLES;
    let count = 0;
    for (let s = 0; s < SAMPLES * SAMPLES; s++)
      count += samples[first + Math.floor(s / SAMPLES) * across + (s % SAMPLES)];
    return Math.round((count * FULL) / SAMPLES ** 2);
  });
}

/** Returns a stamp of the pixels in `frame`, with a layer for each area. */
export function stampOf(frame: Rectangle, areas: readonly Area[]): Stamp {
  return { ...frame, layers: areas.map((area) => sharesOf(samplesOf(area, frame), frame.width)) };
}

/** Reads polygons such as "0,0 8,0 4,8; …". A point is inside if it is inside an odd number of polygons. */
export function polygons(text: string): Area {
  const edges = Float64Array.from(text.split(";").flatMap(edgesOf));
  return (x, y) => {
    let inside = false;
    for (let e = 0; e < edges.length; e += 4) {
      const [y0, y1] = [edges[e + 1], edges[e + 3]];
      if (y0 > y === y1 > y) continue;
      if (x < edges[e] + ((edges[e + 2] - edges[e]) * (y - y0)) / (y1 - y0)) inside = !inside;
    }
    return inside;
  };
}

function edgesOf(polygon: string): number[] {
  const points = polygon
    .trim()
    .split(" ")
    .map((point) => point.split(",").map(Number));
  return points.flatMap((point, i) => [...point, ...points[(i + 1) % points.length]]);
}

export function circle(x0: number, y0: number, radius: number): Area {
  return (x, y) => (x - x0) ** 2 + (y - y0) ** 2 <= radius * radius;
}
