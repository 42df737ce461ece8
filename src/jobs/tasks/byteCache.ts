/** Drops the least recently used values. */
export class ByteCache<Value> {
  readonly #maxBytes: number;
  readonly #bytesOf: (value: Value) => number;
  /** A Map keeps its entries in the order of insertion. */
  readonly #values = new Map<string, Value>();
  #bytes = 0;

  constructor(maxBytes: number, bytesOf: (value: Value) => number) {
    this.#maxBytes = maxBytes;
    this.#bytesOf = bytesOf;
  }

  /** Makes and keeps a value that the cache does not have, even if it is too large. */
  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    const value = known ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    if (known !== undefined) return value;
    this.#bytes += this.#bytesOf(value);
    for (const [oldest, old] of this.#values) {
      // never drops the value that was used last
      if (this.#bytes <= this.#maxBytes || this.#values.size === 1) break;
      this.#values.delete(oldest);
      this.#bytes -= this.#bytesOf(old);
    }
    return value;
  }
}
