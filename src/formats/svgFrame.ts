import { axisLabel, niceTicks, short } from "./svgScale.js";

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

interface Opening {
  readonly title: string;
  readonly description: string;
  readonly width: number;
  readonly height: number;
  readonly left: number;
}

export function opening({ title, description, width, height, left }: Opening): string[] {
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
