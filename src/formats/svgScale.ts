/** How heights become places between the axis, 0, and the top, 1. */
export interface Scale {
  /** Heights that the axis names, ascending. */
  readonly ticks: readonly number[];
  /** Undefined for what is too low to be seen. */
  readonly at: (height: number) => number | undefined;
}

/** From 0 to the highest, or a tick above it. */
export function linearScale(highest: number): Scale {
  const ticks = niceTicks(0, highest === 0 ? 1 : highest, 5);
  const top = Math.max(highest, ticks[ticks.length - 1]);
  return { ticks, at: (height) => height / top };
}

/** Powers of ten: from half of the one below `least`, above 0, so that the least is seen too, to the highest. */
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
 * Round numbers for an axis, ascending: multiples of the least 1, 2 or 5 times a power of ten that makes at most `most` steps,
 * within [from, to].
 */
export function niceTicks(from: number, to: number, most: number): number[] {
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
  // as multiples, not as sums: 3 · 0.1 is then a label of its own, not 0.30000000000000004
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * unit).toPrecision(12)));
}

function exponentOf(value: number): number {
  return Number(value.toExponential().split("e")[1]);
}

// read from text: Math.pow need not be the same everywhere
function power(exponent: number): number {
  return Number(`1e${exponent}`);
}

/** A number of an axis: thousands apart, at most six significant digits behind the point, a real minus. */
export function axisLabel(value: number): string {
  const text = Number.isInteger(value) ? String(Math.abs(value)) : String(Number(Math.abs(value).toPrecision(6)));
  const [whole, tail] = text.split(".");
  const grouped = /e/.test(text)
    ? text
    : whole.replace(/\B(?=(\d{3})+$)/g, ",") + (tail === undefined ? "" : `.${tail}`);
  return value < 0 ? `−${grouped}` : grouped;
}

/** A coordinate in at most two decimals. */
export function short(coordinate: number): string {
  return String(Number(coordinate.toFixed(2)));
}
