/** Returns the length of an array, and −1 for any other value. */
export function arrayLength(value: unknown): number {
  return Array.isArray(value) ? value.length : -1;
}
