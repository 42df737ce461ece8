const LEAST_SLOTS = 16;
/** 2³² / φ, odd: its multiples are spread evenly (Knuth 1998, section 6.4). */
const GOLDEN = 0x9e37_79b1;
/** Leaves the high bits of such a multiple, which depend on all bits of what was multiplied. */
const HIGH_BITS = 11;
const TWO_32 = 2 ** 32;

/**
 * A list of different keys, and the place of each in it. Texts are found in a Map; integers, of which there may be a
 * million, in an open table of places, which takes 8 to 16 bytes a key and makes no objects.
 *
 * An integer's way through the table begins at its own low bits, moved by what its high bits come to: keys that follow one
 * another have slots that follow one another, and a dense range meets neither itself nor the cache's limits. Where a slot
 * is taken it goes on in strides of its own, so two ranges that overlap do not form a queue.
 * Cost: O(1) a key. Source: open addressing with double hashing, Knuth 1998, section 6.4, algorithm D.
 */
export class Numbering<K extends string | number> {
  readonly keys: K[] = [];
  readonly #texts = new Map<unknown, number>();
  /** Place + 1 of an integer key, or 0. A power of two in length, and no more than half full: every way ends. */
  #slots = new Uint32Array(LEAST_SLOTS);
  #integers = 0;

  /** The place of a key, from 0; undefined where it is not there. */
  get(key: unknown): number | undefined {
    if (typeof key !== "number") return this.#texts.get(key);
    const place = this.#slots[this.#slotOf(key)];
    return place === 0 ? undefined : place - 1;
  }

  has(key: unknown): boolean {
    return this.get(key) !== undefined;
  }

  /** Appends a key; false, and nothing is done, where it is there already. */
  add(key: K): boolean {
    if (typeof key !== "number") {
      if (this.#texts.has(key)) return false;
      this.#texts.set(key, this.keys.length);
      this.keys.push(key);
      return true;
    }
    this.reserve(1);
    const slot = this.#slotOf(key);
    if (this.#slots[slot] !== 0) return false;
    this.keys.push(key);
    this.#slots[slot] = this.keys.length;
    this.#integers++;
    return true;
  }

  /** Makes room for so many more. */
  reserve(count: number): void {
    const least = 2 * (this.#integers + count);
    let { length } = this.#slots;
    if (least <= length) return;
    while (length < least) length *= 2;
    this.#grow(length);
  }

  /** Takes back the keys behind the first `length`. */
  truncate(length: number): void {
    // from the last: its slot was free when it came, so no other key's way leads over it
    while (this.keys.length > length) {
      const key = this.keys[this.keys.length - 1];
      if (typeof key === "number") {
        this.#slots[this.#slotOf(key)] = 0;
        this.#integers--;
      } else this.#texts.delete(key);
      this.keys.pop();
    }
  }

  /** The slot that has an integer, or where it would go. */
  #slotOf(key: number): number {
    const slots = this.#slots;
    const { keys } = this;
    const mask = slots.length - 1;
    let slot = (key ^ (Math.imul(key / slots.length, GOLDEN) >>> HIGH_BITS)) & mask;
    if (slots[slot] === 0 || keys[slots[slot] - 1] === key) return slot;
    const stride = (Math.imul(key ^ (key / TWO_32), GOLDEN) >>> HIGH_BITS) | 1;
    do slot = (slot + stride) & mask;
    while (slots[slot] !== 0 && keys[slots[slot] - 1] !== key);
    return slot;
  }

  #grow(length: number): void {
    this.#slots = new Uint32Array(length);
    for (let place = 0; place < this.keys.length; place++) {
      const key = this.keys[place];
      if (typeof key === "number") this.#slots[this.#slotOf(key)] = place + 1;
    }
  }
}
