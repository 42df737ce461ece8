/**
 * Converts a decimal text such as "1.50" or "-2e-3" to a number that prints as the same decimal value. Returns
 * undefined for any other text. Also returns undefined if the text has more digits than a number can represent, such as
 * "9007199254740993".
 */
export function exactNumber(text: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || digitsOf(text) !== digitsOf(String(value))) return undefined;
  return value === 0 ? 0 : value;
}

/** `value` is a 32-bit float, given as a double. Returns the shortest decimal that rounds to this float. */
export function shortestOf32(value: number): number {
  for (let precision = 1; precision < 9; precision++) {
    const shorter = Number(value.toPrecision(precision));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number(value.toPrecision(9));
}

// Returns the sign, the digits and the exponent of the last digit. Equal values give equal results: "-1.50" and "-1.5",
// or "100" and "1e2".
function digitsOf(text: string): string {
  const [mantissa, exponent = "0"] = text.toLowerCase().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole, tail = ""] = mantissa.replace(/^[+-]/, "").split(".");
  const digits = (whole + tail).replace(/^0+/, "");
  const significant = digits.match(/^\d*[1-9]/)?.[0] ?? "";
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - tail.length + digits.length - significant.length}`;
}
