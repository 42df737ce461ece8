/**
 * Returns the name of a typed array's type, such as "Uint8Array"; "" for anything else. Also accepts arrays of another
 * realm, such as a test runner's sandbox: they have other classes with the same names.
 */
export function arrayType(value: unknown): string {
  // `isView` is false for a proxy, so this line runs no code of the caller
  return ArrayBuffer.isView(value) ? Object.prototype.toString.call(value).slice(8, -1) : "";
}
