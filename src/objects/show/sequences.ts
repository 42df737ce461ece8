const FIRST_SLOTS = 2 ** 10;
const MULTIPLIER = 0x9e3779b1;

export const EMPTY = 0;

/**
 * Numbers the different sequences of 32-bit integers. The empty sequence has the number 0.
 *
 * Cost: O(1) for each element. Memory: at least 24 bytes for each different sequence and for each of its beginnings.
 */
export class Sequences {
  /** Number of different sequences, including the empty one. */
  count = 1;
  /**
   * A hash table with open addressing. A slot has the number of a sequence, its last element, and the number of the
   * sequence without this element. An empty slot has the number 0. At least half of the slots are empty.
   */
  #numbers = new Int32Array(FIRST_SLOTS);
  #elements = new Int32Array(FIRST_SLOTS);
  #befores = new Int32Array(FIRST_SLOTS);

  /** Appends an element to the sequence with the number `before`. Returns the number of the longer sequence. */
  add(before: number, element: number): number {
    const slot = this.#slotOf(before, element | 0);
    if (this.#numbers[slot] !== 0) return this.#numbers[slot];
    const number = this.count++;
    this.#numbers[slot] = number;
    this.#elements[slot] = element;
    this.#befores[slot] = before;
    if (2 * this.count > this.#numbers.length) this.#grow();
    return number;
  }

  #slotOf(before: number, element: number): number {
    const numbers = this.#numbers;
    const mask = numbers.length - 1;
    const hash = Math.imul(Math.imul(before, MULTIPLIER) ^ element, MULTIPLIER);
    let slot = (hash ^ (hash >>> 15)) & mask;
    while (numbers[slot] !== 0 && (this.#befores[slot] !== before || this.#elements[slot] !== element)) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const [numbers, elements, befores] = [this.#numbers, this.#elements, this.#befores];
    this.#numbers = new Int32Array(2 * numbers.length);
    this.#elements = new Int32Array(2 * numbers.length);
    this.#befores = new Int32Array(2 * numbers.length);
    for (const [i, number] of numbers.entries()) {
      if (number === 0) continue;
      const slot = this.#slotOf(befores[i], elements[i]);
      this.#numbers[slot] = number;
      this.#elements[slot] = elements[i];
      this.#befores[slot] = befores[i];
    }
  }
}
