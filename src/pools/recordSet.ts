const PAGE_BITS = 12;
const PAGE_WORDS = 2 ** (PAGE_BITS - 5);

/** A set of record numbers, a bit each, in pages of 4,096 that are made when one of theirs is added. */
export class RecordSet {
  readonly #pages: (Uint32Array | undefined)[] = [];

  /** Adds a number; false where it is there already. */
  add(record: number): boolean {
    const page = this.#pages[record >>> PAGE_BITS] ?? this.#newPage(record >>> PAGE_BITS);
    const word = (record >>> 5) % PAGE_WORDS;
    const bit = 1 << (record & 31);
    if ((page[word] & bit) !== 0) return false;
    page[word] |= bit;
    return true;
  }

  delete(record: number): void {
    const page = this.#pages[record >>> PAGE_BITS];
    if (page !== undefined) page[(record >>> 5) % PAGE_WORDS] &= ~(1 << (record & 31));
  }

  #newPage(number: number): Uint32Array {
    const page = new Uint32Array(PAGE_WORDS);
    this.#pages[number] = page;
    return page;
  }
}
