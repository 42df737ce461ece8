// Storage for lists of millions of records. It uses typed arrays and maps, not one object for each record.

const LEAST_ROOM = 8;
const PAGE_BITS = 12;
const PAGE_WORDS = 2 ** (PAGE_BITS - 5);

/** A list of numbers in a typed array that grows. The garbage collector need not scan it. */
export class Column<Cells extends Uint32Array | Float64Array> {
  readonly #Cells: new (
    length: number,
  ) => Cells;
  #cells: Cells;
  #length = 0;

  /** @param Cells - The class of the array: `new Column(Uint32Array)`. */
  constructor(Cells: new (length: number) => Cells) {
    this.#Cells = Cells;
    this.#cells = new Cells(LEAST_ROOM);
  }

  get length(): number {
    return this.#length;
  }

  /**
   * A view of the numbers. After a {@link push} or {@link reserve}, read `values` again: the old view can be out of
   * date.
   */
  get values(): Cells {
    return this.#cells.subarray(0, this.#length) as Cells;
  }

  /** Returns the number at an index, which must be less than {@link length}. */
  at(place: number): number {
    return this.#cells[place];
  }

  set(place: number, value: number): void {
    const cells: Uint32Array | Float64Array = this.#cells;
    cells[place] = value;
  }

  push(value: number): void {
    if (this.#length === this.#cells.length) this.reserve(this.#length);
    this.set(this.#length++, value);
  }

  /** Makes sure that `count` more numbers fit. */
  reserve(count: number): void {
    if (this.#length + count <= this.#cells.length) return;
    const cells = new this.#Cells(this.#length + Math.max(count, this.#length));
    cells.set(this.values);
    this.#cells = cells;
  }

  /** Keeps the first `length` numbers and removes the others. */
  truncate(length: number): void {
    this.#length = length;
  }
}

/** Gives each distinct key a number: 0, 1, 2, … in the order in which the keys are added. Cost: O(1) per key. */
export class Numbering<K extends string | number> {
  readonly keys: K[] = [];
  readonly #places = new Map<unknown, number>();

  /** Returns the index of a key, or undefined if the list lacks it. */
  get(key: unknown): number | undefined {
    return this.#places.get(key);
  }

  has(key: unknown): boolean {
    return this.#places.has(key);
  }

  /** Appends a key and returns true. If the list already has the key, returns false and changes nothing. */
  add(key: K): boolean {
    if (this.#places.has(key)) return false;
    this.#places.set(key, this.keys.length);
    this.keys.push(key);
    return true;
  }

  /** Keeps the first `length` keys and removes the others. */
  truncate(length: number): void {
    for (const key of this.keys.splice(length)) this.#places.delete(key);
  }
}

/**
 * A set of record indices. Each index is one bit in a page of 4,096 bits. A page is allocated when it gets its first
 * index.
 */
export class RecordSet {
  readonly #pages: (Uint32Array | undefined)[] = [];

  has(record: number): boolean {
    const page = this.#pages[record >>> PAGE_BITS];
    return page !== undefined && (page[(record >>> 5) % PAGE_WORDS] & (1 << (record & 31))) !== 0;
  }

  /** Adds an index. Returns false if the set already has it, otherwise true. */
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
