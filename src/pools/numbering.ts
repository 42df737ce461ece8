/** A list of different keys, and the place of each in it. Cost: O(1) a key. */
export class Numbering<K extends string | number> {
  readonly keys: K[] = [];
  readonly #places = new Map<unknown, number>();

  /** The place of a key, from 0; undefined where it is not there. */
  get(key: unknown): number | undefined {
    return this.#places.get(key);
  }

  has(key: unknown): boolean {
    return this.#places.has(key);
  }

  /** Appends a key; false, and nothing is done, where it is there already. */
  add(key: K): boolean {
    if (this.#places.has(key)) return false;
    this.#places.set(key, this.keys.length);
    this.keys.push(key);
    return true;
  }

  /** Takes back the keys behind the first `length`. */
  truncate(length: number): void {
    for (const key of this.keys.splice(length)) this.#places.delete(key);
  }
}
