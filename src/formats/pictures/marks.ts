import { KeptStamps, type Stamp, samplesOf, sharesOf, widenedSamples } from "./canvas.js";
import { ICONS, type Icon } from "./icons.js";

type PlainShape = "dot" | "diamond" | "square" | "triangle" | "plus" | "wedge" | "cross";

/** The shape of a mark. A wedge is a triangle that points down. The others are pictures of what they are called. */
export type MarkShape = PlainShape | Icon;

type Covers = (x: number, y: number, radius: number) => boolean;

/** Whether a shape covers the point (x, y). The middle pixel of the shape is (0, 0). */
const SHAPES: Readonly<Record<PlainShape, Covers>> = {
  dot: (x, y, radius) => x * x + y * y <= radius * radius + radius,
  diamond: (x, y, radius) => Math.abs(x) + Math.abs(y) <= radius,
  square: (x, y, radius) => Math.max(Math.abs(x), Math.abs(y)) <= radius - Math.floor(radius / 4),
  triangle: (x, y, radius) => Math.abs(y) <= radius && 2 * Math.abs(x) <= y + radius,
  plus: (x, y, radius) =>
    Math.max(Math.abs(x), Math.abs(y)) <= radius && Math.min(Math.abs(x), Math.abs(y)) <= radius / 3,
  wedge: (x, y, radius) => Math.abs(y) <= radius && 2 * Math.abs(x) <= radius - y,
  cross: (x, y, radius) =>
    Math.max(Math.abs(x), Math.abs(y)) <= radius && Math.abs(Math.abs(x) - Math.abs(y)) <= radius / 3,
};

/** Kinds of marks without a given shape get the shapes in this order. */
export const MARK_SHAPES = Object.keys(SHAPES) as readonly MarkShape[];
export const ALL_SHAPES: readonly [MarkShape, ...MarkShape[]] = [
  MARK_SHAPES[0],
  ...MARK_SHAPES.slice(1),
  ...(Object.keys(ICONS) as Icon[]),
];

function coversOf(shape: MarkShape): Covers {
  if (shape in SHAPES) return SHAPES[shape as PlainShape];
  const area = ICONS[shape as Icon];
  return (x, y, radius) => area(8 + (8 * x) / (radius + 0.5), 8 + (8 * y) / (radius + 0.5));
}

const kept = new KeptStamps();

/** Returns a mark with smooth edges. Its layers are the inside with its outline, and the inside. */
export function markStamp(shape: MarkShape, diameter: number): Stamp {
  return kept.get(`${shape},${diameter}`, () => makeStamp(shape, diameter));
}

function makeStamp(shape: MarkShape, diameter: number): Stamp {
  const radius = (diameter - 1) / 2;
  const covers = coversOf(radius < 2 ? "dot" : shape);
  const border = Math.max(1, Math.round(radius / 8));
  const from = -Math.ceil(radius) - border - 1;
  const width = 1 - 2 * from;
  const inside = samplesOf((x, y) => covers(x, y, radius), { left: from, top: from, width, height: width });
  const layers = [widenedSamples(inside, width, border), inside].map((samples) => sharesOf(samples, width));
  return { left: from, top: from, width, layers };
}

/** A mark of `side` × `side` pixels. A pixel is empty (0), outline (1) or inside (2). */
interface MarkPixels {
  readonly side: number;
  readonly pixels: Uint8Array;
}

const OUTLINE = 1;
const INSIDE = 2;

export function markPixels(shape: MarkShape, diameter: number, hasOutline: boolean): MarkPixels {
  const radius = (diameter - 1) / 2;
  // draws a dot below 5 × 5 pixels, where nobody could recognize the other shapes
  const covers = coversOf(radius < 2 ? "dot" : shape);
  const border = hasOutline ? Math.max(1, Math.round(radius / 7)) : 0;
  const middle = radius + border;
  const side = 2 * middle + 1;
  const inside = Uint8Array.from({ length: side * side }, (_, i) =>
    covers((i % side) - middle, Math.floor(i / side) - middle, radius) ? 1 : 0,
  );
  const near = widened(widened(inside, border, 1), border, side);
  const pixels = inside.map((isInside, i) => (isInside === 1 ? INSIDE : near[i] * OUTLINE));
  return { side, pixels };
}

/** Widens a mark on two sides. `step` is 1, or the length of a row. An empty margin prevents a wrap to the next row. */
function widened(pixels: Uint8Array, border: number, step: number): Uint8Array {
  return pixels.map((_, i) => {
    for (let steps = -border; steps <= border; steps++) if (pixels[i + steps * step] === 1) return 1;
    return 0;
  });
}

export interface MarkColors {
  readonly color: number;
  readonly outline: number;
}

export function drawMark(
  { pixels, width, bottom }: { readonly pixels: Uint8Array; readonly width: number; readonly bottom: number },
  mark: MarkPixels,
  { x, y, color, outline }: MarkColors & { readonly x: number; readonly y: number },
): void {
  const { side } = mark;
  const [left, top] = [x - (side - 1) / 2, y - (side - 1) / 2];
  for (let row = Math.max(0, -top); row < Math.min(side, bottom - top); row++) {
    for (let col = Math.max(0, -left); col < Math.min(side, width - left); col++) {
      const part = mark.pixels[row * side + col];
      if (part !== 0) pixels[(top + row) * width + left + col] = part === INSIDE ? color : outline;
    }
  }
}

const DIAMETERS = [7, 5, 3] as const;
/** Marks may be larger than cells if all marks with their outlines cover at most this share of a picture. */
const MAX_COVERED = 1 / 12;
/** Marks have no outlines if marks and outlines would cover more than this share of a picture. */
const MAX_OUTLINED = 1 / 3;

export function markSize(
  { cellPixels, cellsPerPixel }: { readonly cellPixels: number; readonly cellsPerPixel: number },
  count: number,
  pixels: number,
): { readonly diameter: number; readonly hasOutline: boolean } {
  const area = (diameter: number) => count * (diameter + 2) ** 2;
  const ofCell = cellsPerPixel > 1 ? 1 : 2 * Math.floor(cellPixels * 0.3) + 1;
  const free = DIAMETERS.find((diameter) => area(diameter) <= pixels * MAX_COVERED) ?? 1;
  const diameter = Math.max(ofCell, free);
  return { diameter, hasOutline: diameter > 1 && area(diameter) <= pixels * MAX_OUTLINED };
}
