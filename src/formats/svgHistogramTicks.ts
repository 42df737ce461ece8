/**
 * Round numbers for an axis, ascending: multiples of the least 1, 2 or 5 times a power of ten that makes at most `most` steps,
 * within [from, to].
 */
export function niceTicks(from: number, to: number, most: number): number[] {
  const rough = (to - from) / most;
  if (rough === 0) return [from];
  let exponent = Number(rough.toExponential().split("e")[1]);
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
