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
