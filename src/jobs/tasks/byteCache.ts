/** Returns a function that makes and caches the value of a key. The cache drops the least recently used values. */
export function byteCache<Value>(maxBytes: number, bytesOf: (value: Value) => number) {
  /** In the order of use: the first value was used least recently. */
  const values = new Map<string, Value>();
  let bytes = 0;
  return (key: string, make: () => Value): Value => {
    const known = values.get(key);
    const value = known ?? make();
    values.delete(key);
    values.set(key, value);
    if (known !== undefined) return value;
    bytes += bytesOf(value);
    for (const [oldest, old] of values) {
      // never drops the value that was just used
      if (bytes <= maxBytes || values.size === 1) break;
      values.delete(oldest);
      bytes -= bytesOf(old);
    }
    return value;
  };
}
