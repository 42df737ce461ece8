// Storage for lists of millions of records. It uses typed arrays and maps, not one object for each record.

const LEAST_ROOM = 8;
/** 2^32 divided by the golden ratio. The top bits of its multiples spread neighbours over the slots. */
const GOLDEN_RATIO = 0x9e3779b1;

/** A list of numbers that the garbage collector need not scan. */
export class Column<Cells extends Uint32Array | Float64Array> {
  readonly #Cells: new (
    length: number,
  ) => Cells;
  #cells: Cells;
  #length = 0;

  constructor(Cells: new (length: number) => Cells) {
    this.#Cells = Cells;
    this.#cells = new Cells(LEAST_ROOM);
  }

  get length(): number {
    return this.#length;
  }

  /** A view of the values. It is out of date after {@link push} or {@link reserve}. */
  get values(): Cells {
    return this.#cells.subarray(0, this.#length) as Cells;
  }

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

  reserve(count: number): void {
    if (this.#length + count <= this.#cells.length) return;
    const cells = new this.#Cells(this.#length + Math.max(count, this.#length));
    cells.set(this.values);
    this.#cells = cells;
  }

  truncate(length: number): void {
    this.#length = length;
  }
}

/** Gives each distinct key a number: 0, 1, 2, … in the order in which the keys are added. */
export class Numbering<K extends string | number> {
  readonly keys: K[] = [];
  readonly #places = new Map<unknown, number>();

  get(key: unknown): number | undefined {
    return this.#places.get(key);
  }

  has(key: unknown): boolean {
    return this.#places.has(key);
  }

  add(key: K): boolean {
    if (this.#places.has(key)) return false;
    this.#places.set(key, this.keys.length);
    this.keys.push(key);
    return true;
  }

  truncate(length: number): void {
    for (const key of this.keys.splice(length)) this.#places.delete(key);
  }
}

/** A set of indices, 8 to 16 bytes for each: a hash table with open addressing (Knuth, TAOCP 3, section 6.4). */
export class RecordSet {
  /** A used slot has an index plus 1, a free slot 0. The number of slots is a power of two. */
  #slots = new Uint32Array(LEAST_ROOM);
  #size = 0;

  has(record: number): boolean {
    return this.#slots[this.#slotOf(record)] !== 0;
  }

  add(record: number): boolean {
    const slot = this.#slotOf(record);
    if (this.#slots[slot] !== 0) return false;
    this.#slots[slot] = record + 1;
    this.#size++;
    // at least half of the slots stay free, so that searches are short
    if (2 * this.#size > this.#slots.length) this.#grow();
    return true;
  }

  clear(): void {
    this.#slots = new Uint32Array(LEAST_ROOM);
    this.#size = 0;
  }

  #slotOf(record: number): number {
    const mask = this.#slots.length - 1;
    let slot = Math.imul(record, GOLDEN_RATIO) >>> Math.clz32(mask);
    while (this.#slots[slot] !== 0 && this.#slots[slot] !== record + 1) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const old = this.#slots;
    this.#slots = new Uint32Array(2 * old.length);
    for (const filled of old) if (filled !== 0) this.#slots[this.#slotOf(filled - 1)] = filled;
  }
}
