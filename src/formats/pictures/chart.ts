import { error, fail, show } from "../../errors/index.js";
import { readEntries, refuseArgument } from "../../spec/index.js";

/** No picture is that many pixels wide. */
const MAX_VALUES = 2 ** 16;

/** Reads the heights of a line or of bars, which `what` names in messages. Returns them in the order of values. */
export function readHeights(
  what: string,
  name: string,
  given: Iterable<readonly [number, number]>,
): ReadonlyMap<number, number> {
  const pairs = readEntries(name, given, { of: "pairs of a value and a height", most: MAX_VALUES });
  for (const pair of pairs) checkPair(what, name, pair);
  return new Map([...pairs].sort(([a], [b]) => a - b));
}

/** Returns a description such as "12 at 3". Of equally high values, takes the lowest. */
export function highestOf(heights: ReadonlyMap<number, number>): string {
  const [value, height] = [...heights].reduce((best, point) => (point[1] > best[1] ? point : best));
  return `${axisLabel(height)} at ${axisLabel(value)}`;
}

function checkPair(what: string, name: string, pair: unknown): void {
  const [value, height] = Array.isArray(pair) ? (pair as unknown[]) : [];
  if (typeof value !== "number" || typeof height !== "number") refuseArgument(name, pair, "pairs of numbers");
  if (value === (value | 0) && height >= 0 && height < Number.POSITIVE_INFINITY) return;
  const expected = "a 32-bit integer as the value, and a finite height of 0 or more";
  fail(
    error("argument.range", { problem: `invalid ${what} (value ${show(value)}, height ${show(height)})`, expected }),
  );
}

/** Maps heights to positions: 0 at the axis, 1 at the top. */
export interface Scale {
  readonly ticks: readonly number[];
  /** Undefined if the height is too low to be visible. */
  readonly at: (height: number) => number | undefined;
}

export function linearScale(highest: number): Scale {
  const ticks = niceTicks(0, highest === 0 ? 1 : highest, 5);
  const top = Math.max(highest, ticks[ticks.length - 1]);
  return { ticks, at: (height) => height / top };
}

/**
 * The scale starts at half of the greatest power of ten that is at most `least`, so that a bar of this height is
 * visible.
 */
export function logScale(least: number, highest: number): Scale {
  const [first, last] = [exponentOf(least), exponentOf(highest)];
  const every = Math.ceil((last - first + 1) / 8);
  const exponents = Array.from({ length: Math.floor((last - first) / every) + 1 }, (_, i) => first + i * every);
  const [bottom, top] = [Math.log10(power(first) / 2), Math.log10(highest)];
  return {
    ticks: exponents.map(power),
    at: (height) => {
      const place = (Math.log10(height) - bottom) / (top - bottom);
      return place >= 0 ? place : undefined;
    },
  };
}

/**
 * Returns the multiples of a unit from `from` to `to`. The unit is 1, 2 or 5 times a power of ten: the smallest that
 * divides the range into at most `most` parts.
 */
function niceTicks(from: number, to: number, most: number): number[] {
  const rough = (to - from) / most;
  if (rough === 0) return [from];
  let exponent = exponentOf(rough);
  let factor = 1;
  while (factor * power(exponent) < rough) {
    if (factor === 5) exponent++;
    factor = factor === 1 ? 2 : factor === 2 ? 5 : 1;
  }
  const unit = factor * power(exponent);
  const [first, last] = [Math.ceil(from / unit), Math.floor(to / unit)];
  // rounds multiples to 12 digits: floating-point errors would give labels such as 0.30000000000000004
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * unit).toPrecision(12)));
}

function exponentOf(value: number): number {
  return Number(value.toExponential().split("e")[1]);
}

// reads the power from a text, because Math.pow may give different results in different engines
function power(exponent: number): number {
  return Number(`1e${exponent}`);
}

/** Separates thousands, and writes decimals with at most six significant digits. */
export function axisLabel(value: number): string {
  const text = Number.isInteger(value) ? String(Math.abs(value)) : String(Number(Math.abs(value).toPrecision(6)));
  const [whole, tail] = text.split(".");
  const grouped = /e/.test(text)
    ? text
    : whole.replace(/\d(?=(?:\d{3}){1,99}$)/g, "$&,") + (tail === undefined ? "" : `.${tail}`);
  return value < 0 ? `−${grouped}` : grouped;
}

export function short(coordinate: number): string {
  return String(Number(coordinate.toFixed(2)));
}

export const COLORS = { paper: "#ffffff", ink: "#24292f", faint: "#d8dee4" } as const;

export interface Frame {
  readonly least: number;
  readonly most: number;
  readonly ticks: readonly number[];
  /** Edges of the area between the axes. `base` is the y coordinate of height 0. */
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly base: number;
  readonly x: (value: number) => number;
  readonly y: (height: number) => number;
}

export function opening(
  title: string,
  description: string,
  { width, height, left }: { readonly width: number; readonly height: number; readonly left: number },
): string[] {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"` +
      ` role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${COLORS.paper}"/>`,
    `<text x="${left}" y="26" font-size="17" font-weight="600" fill="${COLORS.ink}">${escaped(title)}</text>`,
  ];
}

export function heightAxis({ ticks, left, right, top, y, base }: Frame, name: string): string[] {
  const lines = ticks.map(
    (tick) =>
      `<path d="M${left} ${short(y(tick))}H${right}" stroke="${COLORS.faint}"/>` +
      `<text x="${left - 8}" y="${short(y(tick) + 4)}" text-anchor="end" fill="${COLORS.ink}">${axisLabel(tick)}</text>`,
  );
  const middle = short((top + base) / 2);
  const turned = `transform="rotate(-90 18 ${middle})" x="18" y="${middle}"`;
  return [...lines, `<text ${turned} text-anchor="middle" fill="${COLORS.ink}">${escaped(name)}</text>`];
}

export function valueAxis({ least, most, left, right, base, x }: Frame, name: string): string[] {
  const ticks = niceTicks(least, most, 20).filter((tick) => Number.isInteger(tick));
  const labels = ticks.map(
    (tick) =>
      `<text x="${short(x(tick))}" y="${base + 18}" text-anchor="middle" fill="${COLORS.ink}">${axisLabel(tick)}</text>`,
  );
  const middle = short((left + right) / 2);
  return [
    `<path d="M${left} ${base}H${right}" stroke="${COLORS.ink}"/>`,
    ...labels,
    `<text x="${middle}" y="${base + 40}" text-anchor="middle" fill="${COLORS.ink}">${escaped(name)}</text>`,
  ];
}

/** Characters that XML forbids become U+FFFD. */
export function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text
    .replace(/[&<>"]/g, (character) => entities[character])
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\uffff]|[\ufffe\uffff]/gu, (character) =>
      (character.codePointAt(0) ?? 0) > 0xffff ? character : "\ufffd",
    );
}
