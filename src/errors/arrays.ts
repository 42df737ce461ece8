/**
 * Returns the length of an array, and −1 for any other value. The length of a proxy may be any value, and some values
 * take a minute to convert to a number. So a proxy counts as an array only if its length is an integer ≥ 0.
 */
export function arrayLength(value: unknown): number {
  if (!Array.isArray(value)) return -1;
  const { length }: { readonly length: unknown } = value;
  return typeof length === "number" && Number.isInteger(length) && length >= 0 ? length : -1;
}
