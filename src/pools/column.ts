const LEAST_ROOM = 8;

/**
 * A list of numbers in a typed array with room to grow: no objects, and nothing in it for a garbage collector to look
 * through.
 */
export class Column<Cells extends Uint32Array | Float64Array> {
  readonly #Cells: new (
    length: number,
  ) => Cells;
  #cells: Cells;
  #length = 0;

  /** @param Cells - what its numbers are: `new Column(Uint32Array)`. */
  constructor(Cells: new (length: number) => Cells) {
    this.#Cells = Cells;
    this.#cells = new Cells(LEAST_ROOM);
  }

  get length(): number {
    return this.#length;
  }

  /** The numbers. A view: take it once before a loop, and not across a {@link push}. */
  get values(): Cells {
    return this.#cells.subarray(0, this.#length) as Cells;
  }

  /** The number at a place below {@link length}. */
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

  /** Makes room for so many more. */
  reserve(count: number): void {
    if (this.#length + count <= this.#cells.length) return;
    const cells = new this.#Cells(this.#length + Math.max(count, this.#length));
    cells.set(this.values);
    this.#cells = cells;
  }

  /** Takes back what is behind the first `length`. */
  truncate(length: number): void {
    this.#length = length;
  }
}
