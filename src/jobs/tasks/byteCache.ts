/** Keeps values up to a total number of bytes. Drops the least recently used value first. */
export class ByteCache<Value> {
  readonly #maxBytes: number;
  readonly #bytesOf: (value: Value) => number;
  /** A Map keeps its entries in the order of insertion: the first one was used least recently. */
  readonly #values = new Map<string, Value>();
  #bytes = 0;

  constructor({ maxBytes, bytesOf }: { readonly maxBytes: number; readonly bytesOf: (value: Value) => number }) {
    this.#maxBytes = maxBytes;
    this.#bytesOf = bytesOf;
  }

  /** Returns the value of a key. If the cache does not have the value, makes and keeps it, even if it is too large. */
  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key);
    const value = known ?? make();
    this.#values.delete(key);
    this.#values.set(key, value);
    if (known === undefined) {
      this.#bytes += this.#bytesOf(value);
      this.#shrink();
    }
    return value;
  }

  /** Drops values while there are too many bytes, but never the value that was used last. */
  #shrink(): void {
    for (const [oldest, value] of this.#values) {
      if (this.#bytes <= this.#maxBytes || this.#values.size === 1) return;
      this.#values.delete(oldest);
      this.#bytes -= this.#bytesOf(value);
    }
  }
}
