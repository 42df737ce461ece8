import { error, fail } from "../../errors/index.js";
import { checkInteger, checkText, readOptions, refuseArgument } from "../../spec/index.js";
import {
  axisLabel,
  COLORS,
  escaped,
  heightAxis,
  highestOf,
  linearScale,
  logScale,
  opening,
  readHeights,
  type Scale,
  short,
  valueAxis,
} from "./chart.js";

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
  /**
   * Default "linear". A "log" scale, which shows rare values, starts at half of the power of ten below the lowest bar.
   */
  readonly scale?: "linear" | "log";
  /** Width in pixels, 200 … 4096. Default 960. */
  readonly width?: number;
  /** Height in pixels, 200 … 4096. Default 480. */
  readonly height?: number;
}

const OPTIONS = ["title", "description", "values", "heights", "marks", "legend", "scale", "width", "height"];
const MAX_VALUES = 4096;
const MARGIN = { top: 56, right: 24, bottom: 56, left: 84 } as const;
const BAR = "#4c8bb8";
const MARK = "#c2410c";

/**
 * Draws a histogram of integer values as a complete SVG, with a title and a description for screen readers, axes, and a
 * tooltip for each bar. The same input gives the same bytes on every machine.
 *
 * Cost: about 120 bytes for each bar.
 *
 * @param given - the bars: maps values to heights ≥ 0. A value without an entry has no bar.
 * @throws RollmillError `argument.type` for wrong types; `argument.range` if there is no value, a value is not a 32-bit
 * integer, a height is negative or not finite, the values span more than 4096 integers, or a size is out of range.
 */
export function svgHistogram(given: ReadonlyMap<number, number>, settings: HistogramOptions): string {
  const options = readOptions("svgHistogram", settings, OPTIONS);
  for (const name of ["title", "values", "heights"] as const) checkText(name, options[name]);
  const { title, scale = "linear", width = 960, height = 480 } = options;
  const legend = readLegend(options.legend ?? { bars: options.heights, marks: "marks" });
  const bars = readHeights("bar", "bars", given);
  const marks = readHeights("mark", "marks", options.marks ?? new Map());
  checkInteger("width", width, 200, 4096);
  checkInteger("height", height, 200, 4096);
  const range = rangeOf([...bars.keys(), ...marks.keys()]);
  const frame = frameOf(range, { scale: scaleOf(scale, bars, marks), width, height });
  const description = options.description ?? describe(bars, options);
  checkText("description", description);
  const parts = [
    ...opening(title, description, { width, height, left: MARGIN.left }),
    ...heightAxis(frame, options.heights),
    ...barsOf(frame, bars),
    ...valueAxis(frame, options.values),
    ...marksOf(frame, marks),
    ...(marks.size > 0 ? legendOf(frame, legend) : []),
    "</svg>",
  ];
  return `${parts.join("\n")}\n`;
}

type BarFrame = ReturnType<typeof frameOf>;

function readLegend(given: NonNullable<HistogramOptions["legend"]>): NonNullable<HistogramOptions["legend"]> {
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
  if (most - least < MAX_VALUES) return [least, most];
  const expected = `at most ${MAX_VALUES} integers from the least value to the greatest`;
  const problem = "the values cover too wide a range";
  return fail(error("argument.range", { problem, got: most - least + 1, expected }));
}

function scaleOf(scale: unknown, bars: ReadonlyMap<number, number>, marks: ReadonlyMap<number, number>): Scale {
  if (scale !== "linear" && scale !== "log") refuseArgument("scale", scale, '"linear" or "log"');
  const highest = [...bars.values(), ...marks.values()].reduce((most, size) => Math.max(most, size), 0);
  if (scale === "linear" || highest === 0) return linearScale(highest);
  const lowest = [...bars.values()].reduce((least, size) => (size > 0 ? Math.min(least, size) : least), highest);
  return logScale(lowest, highest);
}

function frameOf(
  [least, most]: readonly [number, number],
  { scale: { ticks, at }, width, height }: { readonly scale: Scale; readonly width: number; readonly height: number },
) {
  const [right, base] = [width - MARGIN.right, height - MARGIN.bottom];
  const step = (right - MARGIN.left) / (most - least + 1);
  const x = (value: number) => MARGIN.left + (value - least + 0.5) * step;
  const y = (size: number) => base - (at(size) ?? 0) * (base - MARGIN.top);
  const { left, top } = MARGIN;
  return {
    least,
    most,
    step,
    ticks,
    left,
    right,
    top,
    base,
    x,
    y,
    isVisible: (size: number) => at(size) !== undefined,
  };
}

function barsOf({ x, y, step, base }: BarFrame, bars: ReadonlyMap<number, number>): string[] {
  const wide = step * 0.84;
  const rects = [...bars].flatMap(([value, size]) => {
    if (size === 0) return [];
    const place = `x="${short(x(value) - wide / 2)}" y="${short(y(size))}" width="${short(wide)}"`;
    const title = `<title>${axisLabel(value)}: ${axisLabel(size)}</title>`;
    return [`<rect ${place} height="${short(base - y(size))}">${title}</rect>`];
  });
  return [`<g fill="${BAR}">`, ...rects, "</g>"];
}

function marksOf({ x, y, step, isVisible }: BarFrame, marks: ReadonlyMap<number, number>): string[] {
  if (marks.size === 0) return [];
  const seen = [...marks].filter(([, size]) => isVisible(size));
  const path = seen.map(([value, size]) => `M${short(x(value) - step / 2)} ${short(y(size))}h${short(step)}`).join("");
  return [`<path d="${path}" fill="none" stroke="${MARK}" stroke-width="2"/>`];
}

function legendOf({ right }: BarFrame, { bars, marks }: NonNullable<HistogramOptions["legend"]>): string[] {
  return [
    `<text x="${right}" y="26" text-anchor="end" fill="${COLORS.ink}"><tspan fill="${BAR}">■</tspan> ${escaped(bars)}` +
      ` <tspan fill="${MARK}" dx="12">━</tspan> ${escaped(marks)}</text>`,
  ];
}

function describe(bars: ReadonlyMap<number, number>, { title, values, heights }: HistogramOptions): string {
  const all = [...bars.keys()];
  if (all.length === 0) return title;
  const range = `${values} from ${axisLabel(all[0])} to ${axisLabel(all[all.length - 1])}`;
  return `Bars of ${heights} by ${range}; the highest is ${highestOf(bars)}.`;
}
