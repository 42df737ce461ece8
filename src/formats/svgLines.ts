import { error, fail } from "../errors/index.js";
import { COLORS, escaped, type Frame, heightAxis, opening, valueAxis } from "./svgFrame.js";
import { axisLabel, linearScale, short } from "./svgScale.js";

/** One line of a chart: heights ≥ 0 by value. */
export interface LineSeries {
  readonly name: string;
  readonly points: ReadonlyMap<number, number>;
}

/** A chart with its own axes and legend. All charts of a picture have the same values. */
export interface LinePanel {
  readonly title: string;
  /** The name of the heights, such as "share of objects". */
  readonly heights: string;
  /** At most 12 lines. */
  readonly series: readonly LineSeries[];
}

/** Options of {@link svgLines}. */
export interface LinesOptions {
  readonly title: string;
  /** The description for screen readers. Default: the title, and each chart's lines with their highest points. */
  readonly description?: string;
  /** The name of the values, below each axis. */
  readonly values: string;
  /** Pixels, 400 … 4096. Default 1080. */
  readonly width?: number;
  /** Pixels of each chart, 200 … 1024. Default 340. */
  readonly panelHeight?: number;
}

/** Pixels around each chart; the legend is at its right. */
const MARGIN = { top: 44, right: 250, bottom: 60, left: 84 } as const;
const TITLE_HEIGHT = 40;
const LEGEND_STEP = 20;
const MAX_POINTS = 4096;
/**
 * Colours that colour-blind readers can distinguish, after Okabe and Ito. Each is used for a solid, then a dashed line.
 */
const HUES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#444444"] as const;
const DASHES = ["", ` stroke-dasharray="6 4"`] as const;
const MAX_SERIES = HUES.length * DASHES.length;

/**
 * Draws lines by integer value, each chart below the previous one, in a complete SVG: with a title and a description
 * for screen readers, axes, a legend, and a tooltip for each line. A line has a gap at a value that it lacks and
 * another line has. The same input gives the same bytes on every machine.
 *
 * Cost: about 15 bytes for each point.
 *
 * @throws RollmillError `argument.range` for no chart, more than 12 lines in one, no point or more than 4096 values, a
 * value that is not a 32-bit integer, a height that is negative or not finite, or a size out of range.
 */
export function svgLines(panels: readonly LinePanel[], options: LinesOptions): string {
  const { title, values, width = 1080, panelHeight = 340 } = options;
  checkSide("width", width, 400, 4096);
  checkSide("panelHeight", panelHeight, 200, 1024);
  const all = [...new Set(panels.flatMap(({ series }) => series.flatMap(({ points }) => [...points.keys()])))];
  all.sort((a, b) => a - b);
  checkPanels(panels, all);
  const parts = panels.flatMap((panel, i) => {
    const frame = frameOf(panel, { values: all, width, from: TITLE_HEIGHT + i * panelHeight, height: panelHeight });
    return [
      `<text x="${frame.left}" y="${frame.top - 16}" font-size="15" fill="${COLORS.ink}">${escaped(panel.title)}</text>`,
      ...heightAxis(frame, panel.heights),
      ...panel.series.flatMap((series, place) => lineOf(frame, { series, place, values: all })),
      ...valueAxis(frame, values),
    ];
  });
  const height = TITLE_HEIGHT + panels.length * panelHeight;
  const description = options.description ?? describe(panels, options);
  const head = opening({ title, description, width, height, left: MARGIN.left });
  return `${[...head, ...parts, "</svg>"].join("\n")}\n`;
}

function checkSide(name: string, got: number, least: number, most: number): void {
  if (Number.isInteger(got) && got >= least && got <= most) return;
  const expected = `an integer from ${least} to ${most}`;
  fail(error("argument.range", { problem: `the ${name} of the picture is not usable`, got, expected }));
}

function checkPanels(panels: readonly LinePanel[], values: readonly number[]): void {
  if (values.length === 0 || values.length > MAX_POINTS) {
    const expected = `1 to ${MAX_POINTS} values, and a height for one of them`;
    fail(error("argument.range", { problem: "the values cannot be drawn", got: values.length, expected }));
  }
  for (const { title, series } of panels) {
    if (series.length > MAX_SERIES) {
      const expected = `at most ${MAX_SERIES}`;
      fail(error("argument.range", { problem: `too many lines in ${title}`, got: series.length, expected }));
    }
    for (const { name, points } of series) for (const point of points) checkPoint(name, point);
  }
}

function checkPoint(name: string, [value, size]: readonly [number, number]): void {
  if (value === (value | 0) && size >= 0 && size < Number.POSITIVE_INFINITY) return;
  const expected = "a 32-bit integer and a finite height of 0 or more";
  fail(error("argument.range", { problem: `a point of ${name} cannot be drawn`, got: `${value}: ${size}`, expected }));
}

function frameOf(
  { series }: LinePanel,
  { values, width, from, height }: { readonly values: readonly number[]; width: number; from: number; height: number },
): Frame {
  const sizes = series.flatMap(({ points }) => [...points.values()]);
  const { ticks, at } = linearScale(sizes.reduce((most, size) => Math.max(most, size), 0));
  const [left, right] = [MARGIN.left, width - MARGIN.right];
  const [top, base] = [from + MARGIN.top, from + height - MARGIN.bottom];
  const [least, most] = [values[0], values[values.length - 1]];
  const x = (value: number) => left + (most === least ? 0.5 : (value - least) / (most - least)) * (right - left);
  const y = (size: number) => base - (at(size) ?? 0) * (base - top);
  return { least, most, ticks, left, right, top, base, x, y };
}

interface PlacedSeries {
  readonly series: LineSeries;
  /** Position of the line in its chart, from 0. */
  readonly place: number;
  readonly values: readonly number[];
}

/** A line and its entry in the legend. A point without a neighbour is a stroke of length 0 with round ends: a dot. */
function lineOf({ x, y, top, right }: Frame, { series: { name, points }, place, values }: PlacedSeries): string[] {
  const hue = HUES[place % HUES.length];
  const stroke = `stroke="${hue}"${DASHES[Math.floor(place / HUES.length)]}`;
  let path = "";
  let isOpen = false;
  for (const value of values) {
    const size = points.get(value);
    if (size !== undefined) path += `${isOpen ? "L" : "M"}${short(x(value))} ${short(y(size))}${isOpen ? "" : "h0"}`;
    isOpen = size !== undefined;
  }
  const row = top + place * LEGEND_STEP;
  return [
    `<path d="${path}" fill="none" ${stroke} stroke-width="2" stroke-linecap="round" stroke-linejoin="round">` +
      `<title>${escaped(name)}</title></path>`,
    `<path d="M${right + 16} ${row}h26" ${stroke} stroke-width="2"/>`,
    `<text x="${right + 50}" y="${row + 4}" fill="${COLORS.ink}">${escaped(shortened(name))}</text>`,
  ];
}

/** The name, cut to fit into the legend. */
function shortened(name: string): string {
  const characters = [...name];
  return characters.length <= 28 ? name : `${characters.slice(0, 27).join("")}…`;
}

function describe(panels: readonly LinePanel[], { title, values }: LinesOptions): string {
  const said = panels.map(({ title: chart, series }) => {
    const highest = series.map(({ name, points }) => {
      if (points.size === 0) return `${name} nowhere`;
      const [value, size] = [...points].reduce((best, point) => (point[1] > best[1] ? point : best));
      return `${name} up to ${axisLabel(size)} at ${axisLabel(value)}`;
    });
    return `${chart}: ${highest.length === 0 ? "nothing" : highest.join(", ")}.`;
  });
  return [`${title}, by ${values}.`, ...said].join(" ");
}
