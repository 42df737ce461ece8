/**
 * Whether two values of a spec or of options are equal. Compares plain data by content, and all other values by
 * identity. A value that contains itself, or that throws when it is read, equals only itself.
 */
export function isSame(a: unknown, b: unknown): boolean {
  try {
    return hasSameContent(a, b);
  } catch {
    return false;
  }
}

function hasSameContent(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Object.getPrototypeOf(a) !== Object.getPrototypeOf(b)) return false;
  if (a instanceof Map && b instanceof Map) return hasSameContent([...a], [...b]);
  if (a instanceof Set && b instanceof Set) return hasSameContent([...a], [...b]);
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, i) => hasSameContent(item, b[i]));
  if (ArrayBuffer.isView(a) && ArrayBuffer.isView(b)) return hasSameContent(bytesOf(a), bytesOf(b));
  if (Object.getPrototypeOf(a) !== Object.prototype && Object.getPrototypeOf(a) !== null) return false;
  const [one, other] = [definedIn(a), definedIn(b)];
  return (
    one.length === other.length &&
    one.every(([key, value]) => hasSameContent(value, (b as Record<string, unknown>)[key]))
  );
}

/** The entries of an object without undefined values, because an undefined option counts as missing. */
function definedIn(record: object): [string, unknown][] {
  return Object.entries(record).filter(([, value]) => value !== undefined);
}

function bytesOf(view: ArrayBufferView): number[] {
  return [...new Uint8Array(view.buffer, view.byteOffset, view.byteLength)];
}
