import { error, fail, readFields, show } from "../../errors/index.js";
import { checkInteger, checkText, readEntries, readList, readOptions, refuseArgument } from "../../spec/index.js";

/** Maximum number of heights. Every picture has fewer columns of pixels. */
const MAX_HEIGHTS = 2 ** 16;

/** Reads the heights of a line or of bars, and sorts them by value. `what` is the word for one of them in messages. */
function readHeights(what: string, name: string, given: Iterable<readonly [number, number]>) {
  const pairs = readEntries(name, given, { of: "pairs of a value and a height", most: MAX_HEIGHTS });
  for (const pair of pairs as readonly unknown[]) {
    const [value, height]: unknown[] = Array.isArray(pair) ? pair : [];
    if (typeof value !== "number" || typeof height !== "number") refuseArgument(name, pair, "pairs of numbers");
    if (value === (value | 0) && height >= 0 && height < Number.POSITIVE_INFINITY) continue;
    const problem = `invalid ${what} (value ${show(value)}, height ${show(height)})`;
    const expected = "a 32-bit integer as the value, and a finite height of 0 or more";
    fail(error("argument.range", { problem, expected }));
  }
  return new Map([...pairs].sort(([a], [b]) => a - b));
}

/** Describes the greatest height and its value, such as "12 at 3". Of equal heights, chooses the lowest value. */
function highestOf(heights: ReadonlyMap<number, number>): string {
  const [value, height] = [...heights].reduce((best, point) => (point[1] > best[1] ? point : best));
  return `${axisLabel(height)} at ${axisLabel(value)}`;
}

/** Like `Math.max(...heights)`, but also for lists that are too long for the arguments of a call. */
function mostOf(heights: readonly number[]): number {
  return heights.reduce((most, height) => Math.max(most, height), 0);
}

/** Maps heights to positions: 0 at the axis, 1 at the top. */
interface Scale {
  readonly ticks: readonly number[];
  /** Returns the position of a height. Returns undefined if the height is too low to be visible. */
  readonly at: (height: number) => number | undefined;
}

function linearScale(highest: number): Scale {
  const ticks = niceTicks(0, highest === 0 ? 1 : highest, 5);
  const top = Math.max(highest, ticks[ticks.length - 1]);
  return { ticks, at: (height) => height / top };
}

/** The scale begins at half of the greatest power of ten ≤ `least`, so that a bar of the height `least` is visible. */
function logScale(least: number, highest: number): Scale {
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
 * Returns the multiples of a unit in a range. The unit is 1, 2 or 5 times a power of ten. Chooses the smallest such
 * unit that divides the range into at most `most` parts.
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

/** Separates thousands with commas, and writes decimals with at most six significant digits. */
function axisLabel(value: number): string {
  const text = Number.isInteger(value) ? String(Math.abs(value)) : String(Number(Math.abs(value).toPrecision(6)));
  const [whole, tail] = text.split(".");
  const grouped = /e/.test(text)
    ? text
    : whole.replace(/\d(?=(?:\d{3}){1,99}$)/g, "$&,") + (tail === undefined ? "" : `.${tail}`);
  return value < 0 ? `−${grouped}` : grouped;
}

function short(coordinate: number): string {
  return String(Number(coordinate.toFixed(2)));
}

/** The x coordinate of the axis of heights. */
const LEFT = 84;
const COLORS = { paper: "#ffffff", ink: "#24292f", faint: "#d8dee4" } as const;

/** The area between the axes. `least` and `most` are the values at its left and right edge, `base` its lower edge. */
interface Area {
  readonly least: number;
  readonly most: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly base: number;
}

function frameOf(area: Area, { ticks, at }: Scale, x: (value: number) => number) {
  return { ...area, ticks, x, y: (height: number) => area.base - (at(height) ?? 0) * (area.base - area.top) };
}

type Frame = ReturnType<typeof frameOf>;

function opening(title: string, description: string, width: number, height: number): string[] {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"` +
      ` role="img" aria-labelledby="title description" font-family="system-ui, sans-serif" font-size="13">`,
    `<title id="title">${escaped(title)}</title>`,
    `<desc id="description">${escaped(description)}</desc>`,
    `<rect width="${width}" height="${height}" fill="${COLORS.paper}"/>`,
    textAt(`x="${LEFT}" y="26" font-size="17" font-weight="600"`, escaped(title)),
  ];
}

function textAt(place: string, text: string): string {
  return `<text ${place} fill="${COLORS.ink}">${text}</text>`;
}

function heightAxis({ ticks, left, right, top, y, base }: Frame, name: string): string[] {
  const lines = ticks.map(
    (tick) =>
      `<path d="M${left} ${short(y(tick))}H${right}" stroke="${COLORS.faint}"/>` +
      textAt(`x="${left - 8}" y="${short(y(tick) + 4)}" text-anchor="end"`, axisLabel(tick)),
  );
  const middle = short((top + base) / 2);
  const turned = `transform="rotate(-90 18 ${middle})" x="18" y="${middle}" text-anchor="middle"`;
  return [...lines, textAt(turned, escaped(name))];
}

/** @param labels - The texts below the axis. Default: numbers. */
function valueAxis({ least, most, left, right, base, x }: Frame, name: string, labels?: readonly Label[]): string[] {
  const centred = (at: number, y: number, text: string) =>
    textAt(`x="${short(at)}" y="${y}" text-anchor="middle"`, text);
  const ticks = niceTicks(least, most, 20).filter((tick) => Number.isInteger(tick));
  return [
    `<path d="M${left} ${base}H${right}" stroke="${COLORS.ink}"/>`,
    ...(labels?.map(([value, text]) => slanted(x(value), base + 14, text)) ??
      ticks.map((tick) => centred(x(tick), base + 18, axisLabel(tick)))),
    centred((left + right) / 2, base + (labels === undefined ? 40 : labelRoom(labels) - 16), escaped(name)),
  ];
}

type Label = readonly [value: number, text: string];

/** Maximum number of characters of a label. */
const MAX_LABEL = 18;

/** Returns the height of slanted labels in pixels, with the name of the axis below them. */
function labelRoom(labels: readonly Label[]): number {
  return 52 + 5 * Math.min(MAX_LABEL, Math.max(0, ...labels.map(([, text]) => text.length)));
}

function slanted(x: number, y: number, text: string): string {
  const characters = [...text];
  const shown = characters.length > MAX_LABEL ? `${characters.slice(0, MAX_LABEL - 1).join("")}…` : text;
  const place = `x="${short(x)}" y="${y}" text-anchor="end" transform="rotate(-45 ${short(x)} ${y})"`;
  return textAt(place, escaped(shown));
}

function readLabels(given: Iterable<Label>): readonly Label[] {
  const pairs = readEntries("labels", given, {
    of: "pairs of a value and a text",
    most: MAX_BARS,
  }) as readonly unknown[];
  return pairs.map((pair): Label => {
    const [value, text]: unknown[] = Array.isArray(pair) ? pair : [];
    if (typeof value === "number" && typeof text === "string") return [value, text];
    return refuseArgument("labels", pair, "pairs of a number and a text");
  });
}

/** Escapes a text for XML. Characters that XML forbids become U+FFFD. */
function escaped(text: string): string {
  const entities: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return text
    .replace(/[&<>"]/g, (character) => entities[character])
    .replace(/[^\t\n\r\u0020-\ud7ff\ue000-\uffff]|[\ufffe\uffff]/gu, (character) =>
      (character.codePointAt(0) ?? 0) > 0xffff ? character : "\ufffd",
    );
}

/** Options of {@link svgHistogram}. */
export interface HistogramOptions {
  readonly title: string;
  /** The description for screen readers. Default: the title, the range and the highest bar. */
  readonly description?: string;
  /** Name of the values. It is written below the horizontal axis. */
  readonly values: string;
  /** Name of the heights, such as "weapons". It is written beside the vertical axis. */
  readonly heights: string;
  /** A height for each value, for comparison with the value's bar. It is drawn as a line across the bar. */
  readonly marks?: ReadonlyMap<number, number>;
  /** The names of bars and marks in the legend. Default: `heights` and "marks". */
  readonly legend?: { readonly bars: string; readonly marks: string };
  /** Texts below the bars, by value, in place of numbers. A text of more than 18 characters is cut. */
  readonly labels?: ReadonlyMap<number, string>;
  /**
   * Default "linear". A "log" scale makes low bars visible: it starts at half of the power of ten below the lowest bar.
   */
  readonly scale?: "linear" | "log";
  /** Width in pixels, 200 … 4096. Default 960. */
  readonly width?: number;
  /** Height in pixels, 200 … 4096. Default 480. */
  readonly height?: number;
}

const HISTOGRAM_OPTIONS = [
  "title",
  "description",
  "values",
  "heights",
  "marks",
  "legend",
  "labels",
  "scale",
  "width",
  "height",
];
const MAX_BARS = 4096;
const BAR_MARGIN = { top: 56, right: 24, bottom: 56 } as const;
const BAR = "#4c8bb8";
const MARK = "#c2410c";

/**
 * Draws a histogram of integer values as a complete SVG, with a title and a description for screen readers, axes, and a
 * tooltip for each bar. The same input gives the same bytes on every machine.
 *
 * Cost: about 120 bytes for each bar.
 *
 * @param given - the bars: maps values to heights ≥ 0. A value without an entry has no bar.
 * @throws RollmillError `argument.type` for wrong types; `argument.range` if bars and marks are empty, a value is not a
 * 32-bit integer, a height is negative or not finite, the values span more than 4096 integers, or a size is out of
 * range.
 */
export function svgHistogram(given: ReadonlyMap<number, number>, settings: HistogramOptions): string {
  const options = readOptions("svgHistogram", settings, HISTOGRAM_OPTIONS);
  for (const name of ["title", "values", "heights"] as const) checkText(name, options[name]);
  const { title, scale = "linear", width = 960, height = 480 } = options;
  const legend = readLegend(options.legend ?? { bars: options.heights, marks: "marks" });
  const bars = readHeights("bar", "bars", given);
  const marks = readHeights("mark", "marks", options.marks ?? new Map());
  checkInteger("width", width, 200, 4096);
  checkInteger("height", height, 200, 4096);
  const [least, most] = rangeOf([...bars.keys(), ...marks.keys()]);
  const labels = options.labels && readLabels(options.labels);
  const bottom = labels === undefined ? BAR_MARGIN.bottom : labelRoom(labels);
  const [right, base] = [width - BAR_MARGIN.right, height - bottom];
  const step = (right - LEFT) / (most - least + 1);
  const heightScale = scaleOf(scale, bars, marks);
  const area = { least, most, left: LEFT, right, top: BAR_MARGIN.top, base };
  const frame = frameOf(area, heightScale, (value) => LEFT + (value - least + 0.5) * step);
  const description = options.description ?? describeBars(bars, options);
  checkText("description", description);
  const isVisible = (size: number) => heightScale.at(size) !== undefined;
  const parts = [
    ...opening(title, description, width, height),
    ...heightAxis(frame, options.heights),
    ...barsOf(frame, step, bars),
    ...valueAxis(frame, options.values, labels),
    ...(marks.size > 0
      ? [
          marksOf(
            frame,
            step,
            [...marks].filter(([, size]) => isVisible(size)),
          ),
        ]
      : []),
    ...(marks.size > 0 ? [legendOf(right, legend)] : []),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;
}

type Legend = NonNullable<HistogramOptions["legend"]>;

function readLegend(given: Legend): Legend {
  const legend = readOptions('the option "legend"', given, ["bars", "marks"]);
  checkText("legend.bars", legend.bars);
  checkText("legend.marks", legend.marks);
  return legend;
}

function rangeOf(values: readonly number[]): readonly [least: number, most: number] {
  if (values.length === 0)
    fail(error("argument.range", { problem: "the histogram has no bars", expected: "at least one bar" }));
  const least = values.reduce((a, b) => Math.min(a, b));
  const most = values.reduce((a, b) => Math.max(a, b));
  if (most - least < MAX_BARS) return [least, most];
  const expected = `at most ${MAX_BARS} integers from the least value to the greatest`;
  const problem = "the values cover too wide a range";
  return fail(error("argument.range", { problem, got: most - least + 1, expected }));
}

function scaleOf(scale: unknown, bars: ReadonlyMap<number, number>, marks: ReadonlyMap<number, number>): Scale {
  if (scale !== "linear" && scale !== "log") refuseArgument("scale", scale, '"linear" or "log"');
  const highest = mostOf([...bars.values(), ...marks.values()]);
  if (scale === "linear" || highest === 0) return linearScale(highest);
  const lowest = [...bars.values()].reduce((least, size) => (size > 0 ? Math.min(least, size) : least), highest);
  return logScale(lowest, highest);
}

function barsOf({ x, y, base }: Frame, step: number, bars: ReadonlyMap<number, number>): string[] {
  const wide = step * 0.84;
  const rects = [...bars].flatMap(([value, size]) => {
    if (size === 0) return [];
    const place = `x="${short(x(value) - wide / 2)}" y="${short(y(size))}" width="${short(wide)}"`;
    const title = `<title>${axisLabel(value)}: ${axisLabel(size)}</title>`;
    return [`<rect ${place} height="${short(base - y(size))}">${title}</rect>`];
  });
  return [`<g fill="${BAR}">`, ...rects, "</g>"];
}

function marksOf({ x, y }: Frame, step: number, marks: readonly (readonly [number, number])[]): string {
  const path = marks.map(([value, size]) => `M${short(x(value) - step / 2)} ${short(y(size))}h${short(step)}`).join("");
  return `<path d="${path}" fill="none" stroke="${MARK}" stroke-width="2"/>`;
}

function legendOf(right: number, { bars, marks }: Legend): string {
  const ofBars = `<tspan fill="${BAR}">■</tspan> ${escaped(bars)}`;
  const ofMarks = `<tspan fill="${MARK}" dx="12">━</tspan> ${escaped(marks)}`;
  return textAt(`x="${right}" y="26" text-anchor="end"`, `${ofBars} ${ofMarks}`);
}

function describeBars(bars: ReadonlyMap<number, number>, { title, values, heights }: HistogramOptions): string {
  const all = [...bars.keys()];
  if (all.length === 0) return title;
  const range = `${values} from ${axisLabel(all[0])} to ${axisLabel(all[all.length - 1])}`;
  return `Bars of ${heights} by ${range}; the highest is ${highestOf(bars)}.`;
}

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

const PANEL_MARGIN = { top: 44, right: 250, bottom: 60 } as const;
const TITLE_HEIGHT = 40;
const LEGEND_STEP = 20;
const MAX_POINTS = 4096;
const MAX_PANELS = 1000;
/** Maximum number of points plus characters. In the SVG, a point needs about 15 bytes, a character up to 6 bytes. */
const MAX_SIZE = 2 ** 22;
/** Colours that colour-blind readers can distinguish, after Okabe and Ito. Lines after the sixth are dashed. */
const HUES = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#8a6d00", "#444444"] as const;
const DASHES = ["", ` stroke-dasharray="6 4"`] as const;
const MAX_SERIES = HUES.length * DASHES.length;

/**
 * Draws line charts over integer values, one below the other, as a complete SVG, with a title and a description for
 * screen readers, axes, a legend, and a tooltip for each line. A line has a gap at values where only other lines
 * have points. The same input gives the same bytes on every machine.
 *
 * Cost: about 15 bytes for each point.
 *
 * @throws RollmillError `argument.type` for wrong types; `argument.range` if the charts or all their lines are empty, a
 * chart has more than 12 lines, the charts have more than 4096 values, a value is not a 32-bit integer, a height is
 * negative or not finite, the number of points plus the number of characters in names exceeds 4,194,304, or a size is
 * out of range.
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
    fail(error("argument.range", { problem: "too few or too many values", got: all.length, expected }));
  }
  const parts = panels.flatMap((panel, i) => {
    const from = TITLE_HEIGHT + i * panelHeight;
    const frame = panelFrame(panel, all, width - PANEL_MARGIN.right, from, from + panelHeight);
    return [
      textAt(`x="${LEFT}" y="${frame.top - 16}" font-size="15"`, escaped(panel.title)),
      ...heightAxis(frame, panel.heights),
      ...panel.series.flatMap((series, place) => lineOf(frame, series, place, all)),
      ...valueAxis(frame, values),
    ];
  });
  const height = TITLE_HEIGHT + panels.length * panelHeight;
  const description = options.description ?? describePanels(panels, options);
  checkText("description", description);
  const head = opening(title, description, width, height);
  return `${[...head, ...parts, "</svg>"].join("\n")}\n`;
}

/** Reads the charts. For MAX_SIZE, a text in several charts counts several times, because each chart draws it. */
function readPanels(given: readonly LinePanel[], values: string): LinePanel[] {
  let size = 0;
  return readList("panels", given, { of: "charts", most: MAX_PANELS }).map((panel, i) => {
    const read = readPanel(panel, i);
    const lines = read.series.map(({ name, points }) => name.length + points.size);
    size += lines.reduce((sum, line) => sum + line, read.title.length + read.heights.length + values.length);
    if (size <= MAX_SIZE) return read;
    const expected = `at most ${MAX_SIZE} points plus characters of names in all charts`;
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

function panelFrame({ series }: LinePanel, values: readonly number[], right: number, from: number, to: number): Frame {
  const scale = linearScale(mostOf(series.flatMap(({ points }) => [...points.values()])));
  const [least, most] = [values[0], values[values.length - 1]];
  const area = { least, most, left: LEFT, right, top: from + PANEL_MARGIN.top, base: to - PANEL_MARGIN.bottom };
  const shareOf = (value: number) => (most === least ? 0.5 : (value - least) / (most - least));
  return frameOf(area, scale, (value) => LEFT + shareOf(value) * (right - LEFT));
}

/** Draws a line. A point without neighbours becomes a stroke of length 0 with round ends: a dot. */
function lineOf({ x, y, top, right }: Frame, { name, points }: LineSeries, place: number, values: readonly number[]) {
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
  const characters = [...name];
  const shortened = characters.length <= 28 ? name : `${characters.slice(0, 27).join("")}…`;
  return [
    `<path d="${path}" fill="none" ${stroke} stroke-width="2" stroke-linecap="round" stroke-linejoin="round">` +
      `<title>${escaped(name)}</title></path>`,
    `<path d="M${right + 16} ${row}h26" ${stroke} stroke-width="2"/>`,
    textAt(`x="${right + 50}" y="${row + 4}"`, escaped(shortened)),
  ];
}

function describePanels(panels: readonly LinePanel[], { title, values }: LinesOptions): string {
  const ofLine = ({ name, points }: LineSeries) =>
    points.size === 0 ? `${name} has no points` : `${name} up to ${highestOf(points)}`;
  const said = panels.map(({ title: chart, series }) => `${chart}: ${series.map(ofLine).join(", ") || "no lines"}.`);
  return [`${title}, by ${values}.`, ...said].join(" ");
}
