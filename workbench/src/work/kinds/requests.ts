// What recipes and objects share: the form of requests, and the numbers of the items.

import { RollmillError } from "../../../../src/errors/index.js";
import type { Choice, Field, Histogram } from "../protocol.js";
import type { Source } from "../source.js";

/** Numbers are counted in this many items. */
export const COUNTED = 2 ** 12;
const MOST_BARS = 24;
/** The fields of a form offer this many choices in total, so that the page never waits for them. */
const MOST_CHOICES = 20_000;

/** The requests in a form, by the name of the field. */
export type Asked = Readonly<Record<string, string>>;

export function choicesOf(values: readonly (string | number)[]): Choice[] {
  return values.map((value) => ({ value: String(value), label: String(value) }));
}

/**
 * Makes what the view requests. If this fails, makes it again with one request more each time. Each request with which
 * this fails is left out, and its field gets the error of the library.
 */
export function fillForm<Made>(form: readonly Field[], options: Source["options"], make: (asked: Asked) => Made) {
  const fields = form.map((field) => shortened(field, form.length));
  const given = form.flatMap(({ name }) => {
    const value = String(options?.[`with ${name}`] ?? "");
    return value === "" ? [] : [[name, value] as const];
  });
  const asked: Asked = Object.fromEntries(given);
  try {
    return { asked, fields, made: make(asked) };
  } catch (cause) {
    if (given.length === 0) throw cause;
  }
  // what fails without requests is no problem of a field
  make({});
  const problems = problemsOf(given, make);
  const marked = fields.map((field) => ({ ...field, problem: problems.get(field.name) }));
  return { asked, fields: marked, made: undefined };
}

function problemsOf(given: readonly (readonly [name: string, value: string])[], make: (asked: Asked) => unknown) {
  const problems = new Map<string, string>();
  let met: Asked = {};
  for (const [name, value] of given) {
    try {
      make({ ...met, [name]: value });
      met = { ...met, [name]: value };
    } catch (cause) {
      if (!(cause instanceof RollmillError)) throw cause;
      problems.set(name, cause.issues[0].message);
    }
  }
  return problems;
}

function shortened({ choices, ...field }: Field, fields: number): Field {
  return choices === undefined ? field : { ...field, choices: choices.slice(0, MOST_CHOICES / fields) };
}

interface Numbers {
  readonly label: string;
  /** The chance or the count of each value, in units: the value 3 with 10 units stands for 0.3. */
  readonly weights: ReadonlyMap<number, number>;
  readonly units?: number | undefined;
  readonly isExact?: boolean;
}

/** Puts values into bars. A number that all items share has no histogram. */
export function histogramOf({ label, weights, units = 1, isExact = false }: Numbers): readonly Histogram[] {
  const values = [...weights].sort(([a], [b]) => a - b);
  if (values.length < 2) return [];
  const total = values.reduce((sum, [, weight]) => sum + weight, 0);
  const mean = values.reduce((sum, [value, weight]) => sum + value * weight, 0) / total / units;
  const [least, most] = [values[0][0], values[values.length - 1][0]];
  const starts = startsOf(least, most);
  const bars = starts.map((start, i) => {
    const next = starts[i + 1] ?? most + 1;
    const inside = values.filter(([value]) => value >= start && value < next);
    const share = inside.reduce((sum, [, weight]) => sum + weight, 0) / total;
    return { least: start / units, most: (next - 1) / units, share };
  });
  return [{ label, bars, mean, least: least / units, most: most / units, counted: isExact ? undefined : total }];
}

/** 1, 2, 5, 10, 20, … */
const ROUND = Array.from({ length: 36 }, (_, i) => [1, 2, 5][i % 3] * 10 ** Math.floor(i / 3));

/** The first values of the bars: of equal width, or ROUND numbers if the values differ by more than a factor of 100. */
function startsOf(least: number, most: number): readonly number[] {
  if (least > 0 && most > 100 * least) return ROUND.filter((start, i) => start <= most && ROUND[i + 1] > least);
  const width = ROUND.find((one) => (most - least) / one < MOST_BARS) ?? most - least;
  const first = Math.floor(least / width);
  return Array.from({ length: Math.floor(most / width) - first + 1 }, (_, i) => (first + i) * width);
}

/** How often each value occurs. */
export function countsOf<Value>(values: Iterable<Value>): Map<Value, number> {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
