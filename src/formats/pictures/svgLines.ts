import { error, fail, readFields } from "../../errors/index.js";
import { checkInteger, checkText, readList, readOptions } from "../../spec/index.js";
import {
  COLORS,
  escaped,
  type Frame,
  heightAxis,
  highestOf,
  linearScale,
  opening,
  readHeights,
  short,
  valueAxis,
} from "./chart.js";

/** One line of a chart. `points` maps values to heights ≥ 0. */
export interface LineSeries {
  readonly name: string;
  readonly points: ReadonlyMap<number, number>;
}

/** A chart with axes and a legend. All charts of a picture have the same horizontal axis. */
export interface LinePanel {
  readonly title: string;
  /** Name of the heights, such as "share of objects". */
  readonly heights: string;
  /** The lines, at most 12. */
  readonly series: readonly LineSeries[];
}

/** Options of {@link svgLines}. */
export interface LinesOptions {
  readonly title: string;
  /** Description for screen readers. Default: the title, and the lines of each chart with their highest points. */
  readonly description?: string;
  /** Name of the values. It is written below each horizontal axis. */
  readonly values: string;
  /** Width in pixels, 400 … 4096. Default 1080. */
  readonly width?: number;
  /** Height of each chart in pixels, 200 … 1024. Default 340. */
  readonly panelHeight?: number;
}

const MARGIN = { top: 44, right: 250, bottom: 60, left: 84 } as const;
const TITLE_HEIGHT = 40;
const LEGEND_STEP = 20;
const MAX_POINTS = 4096;
const MAX_PANELS = 1000;
/** The number of points plus the number of characters. A point takes about 15 bytes, a character up to 6. */
const MAX_SIZE = 2 ** 22;
/** Colours that colour-blind readers can distinguish, after Okabe and Ito. Lines after the sixth are dashed. */
const HUES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#444444"] as const;
const DASHES = ["", ` stroke-dasharray="6 4"`] as const;
const MAX_SERIES = HUES.length * DASHES.length;

/**
 * Draws line charts over integer values, one below the other, as a complete SVG, with a title and a description for
 * screen readers, axes, a legend, and a tooltip for each line. A line has a gap at a value where only another line has
 * a point. The same input gives the same bytes on every machine.
 *
 * Cost: about 15 bytes for each point.
 *
 * @throws RollmillError `argument.type` for wrong types; `argument.range` if there is no chart or no point, a chart has
 * more than 12 lines, the charts have more than 4096 values, a value is not a 32-bit integer, a height is negative or
 * not finite, the number of points plus the number of characters in names exceeds 4,194,304, or a size is out of range.
 */
export function svgLines(given: readonly LinePanel[], settings: LinesOptions): string {
  const options = readOptions("svgLines", settings, ["title", "description", "values", "width", "panelHeight"]);
  const { title, values, width = 1080, panelHeight = 340 } = options;
  checkText("title", title);
  checkText("values", values);
  const panels = readPanels(given, values);
  checkInteger("width", width, 400, 4096);
  checkInteger("panelHeight", panelHeight, 200, 1024);
  const all = [...new Set(panels.flatMap(({ series }) => series.flatMap(({ points }) => [...points.keys()])))];
  all.sort((a, b) => a - b);
  if (all.length === 0 || all.length > MAX_POINTS) {
    const expected = `1 to ${MAX_POINTS} values`;
    fail(error("argument.range", { problem: "wrong number of values", got: all.length, expected }));
  }
  const parts = panels.flatMap((panel, i) => {
    const frame = frameOf(panel, { values: all, width, from: TITLE_HEIGHT + i * panelHeight, height: panelHeight });
    return [
      `<text x="${frame.left}" y="${frame.top - 16}" font-size="15" fill="${COLORS.ink}">${escaped(panel.title)}</text>`,
      ...heightAxis(frame, panel.heights),
      ...panel.series.flatMap((series, place) => lineOf(frame, series, { place, values: all })),
      ...valueAxis(frame, values),
    ];
  });
  const height = TITLE_HEIGHT + panels.length * panelHeight;
  const description = options.description ?? describe(panels, options);
  checkText("description", description);
  const head = opening(title, description, { width, height, left: MARGIN.left });
  return `${[...head, ...parts, "</svg>"].join("\n")}\n`;
}

/** A text that is in several charts counts several times, because each chart draws it. */
function readPanels(given: readonly LinePanel[], values: string): LinePanel[] {
  let size = 0;
  return readList("panels", given, { of: "charts", most: MAX_PANELS }).map((panel, i) => {
    const read = readPanel(panel, i);
    const lines = read.series.map(({ name, points }) => name.length + points.size);
    size += lines.reduce((sum, line) => sum + line, read.title.length + read.heights.length + values.length);
    if (size <= MAX_SIZE) return read;
    const expected = `at most ${MAX_SIZE} points and characters of names in all charts`;
    return fail(error("argument.range", { problem: "the charts are too large", got: size, expected }));
  });
}

function readPanel(panel: unknown, i: number): LinePanel {
  const { title, heights, series } = readFields(`chart ${i}`, panel as LinePanel, ["title", "heights", "series"]);
  checkText(`panels[${i}].title`, title);
  checkText(`panels[${i}].heights`, heights);
  const lines = readList("series", series, { of: "lines", most: MAX_SERIES }).map((line, k) => {
    const { name, points } = readFields(`line ${k}`, line as LineSeries, ["name", "points"]);
    checkText(`series[${k}].name`, name);
    return { name, points: readHeights(`point of the line ${JSON.stringify(name)}`, "points", points) };
  });
  return { title, heights, series: lines };
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

/** A point without neighbours becomes a stroke of length 0 with round ends: a dot. */
function lineOf(
  { x, y, top, right }: Frame,
  { name, points }: LineSeries,
  { place, values }: { readonly place: number; readonly values: readonly number[] },
): string[] {
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

function shortened(name: string): string {
  const characters = [...name];
  return characters.length <= 28 ? name : `${characters.slice(0, 27).join("")}…`;
}

function describe(panels: readonly LinePanel[], { title, values }: LinesOptions): string {
  const ofLine = ({ name, points }: LineSeries) =>
    points.size === 0 ? `${name} has no points` : `${name} up to ${highestOf(points)}`;
  const said = panels.map(({ title: chart, series }) => `${chart}: ${series.map(ofLine).join(", ") || "no lines"}.`);
  return [`${title}, by ${values}.`, ...said].join(" ");
}
