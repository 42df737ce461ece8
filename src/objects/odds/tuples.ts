/**
 * Gives a number to each tuple of counts (k₁, …, k_n) with a sum of at most `most`. A tuple with a smaller sum has a
 * smaller number. Tuple 0 is (0, …, 0).
 */
export class Tuples {
  readonly length: number;
  readonly #counts: (readonly number[])[] = [];
  readonly #sums: number[] = [];
  /** Entry i · length + j is the number of the tuple that results from adding 1 to count j of tuple i. */
  readonly #next: number[] = [];
  /** Entry s is the number of tuples with a sum of at most s. */
  readonly #ends: number[] = [];

  constructor(length: number, most: number) {
    this.length = length;
    let last: readonly (readonly number[])[] = [new Array<number>(length).fill(0)];
    for (let sum = 0; sum <= most; sum++) {
      for (const counts of last) this.#sums[this.#counts.push(counts) - 1] = sum;
      this.#ends.push(this.#counts.length);
      last = this.#grow(last, this.#counts.length);
    }
  }

  /** Returns the different tuples in which one count of a given tuple is greater by 1, numbered from `first`. */
  #grow(tuples: readonly (readonly number[])[], first: number): readonly (readonly number[])[] {
    const numbers = new Map<string, number>();
    const grown: (readonly number[])[] = [];
    for (const counts of tuples) {
      for (let entry = 0; entry < this.length; entry++) {
        const next = counts.with(entry, counts[entry] + 1);
        const key = next.join();
        const known = numbers.get(key);
        this.#next.push(known ?? first + grown.length);
        if (known !== undefined) continue;
        numbers.set(key, first + grown.length);
        grown.push(next);
      }
    }
    return grown;
  }

  countOf(sum: number): number {
    return this.#ends[sum];
  }

  sumOf(tuple: number): number {
    return this.#sums[tuple];
  }

  at(tuple: number): readonly number[] {
    return this.#counts[tuple];
  }

  after(tuple: number, entry: number): number {
    return this.#next[tuple * this.length + entry];
  }
}

/** Returns the number of tuples with `length` counts and a sum of at most `most`. */
export function tupleCount(length: number, most: number): number {
  let count = 1;
  for (let i = 1; i <= most; i++) count = (count * (length + i)) / i;
  return count;
}
