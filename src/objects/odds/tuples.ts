/**
 * Numbers the tuples of counts (k₁, …, k_n) whose sum is at most `most`. Tuples with smaller sums have smaller numbers.
 * All counts of tuple 0 are 0.
 */
export class Tuples {
  /** The number of entries of a tuple. */
  readonly length: number;
  readonly #counts: (readonly number[])[] = [];
  readonly #sums: number[] = [];
  /** Entry i · length + j is the number of the tuple that has one more than tuple i at entry j. */
  readonly #next: number[] = [];
  /** Entry s is the number of tuples whose sum is at most s. */
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

  /** Returns the tuples that have one more than a given tuple at one entry. Numbers them from `first` on. */
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

  /** The number of tuples whose sum is at most `sum`. */
  countOf(sum: number): number {
    return this.#ends[sum];
  }

  sumOf(tuple: number): number {
    return this.#sums[tuple];
  }

  /** The counts of a tuple. */
  at(tuple: number): readonly number[] {
    return this.#counts[tuple];
  }

  /** Returns the number of the tuple that has one more at an entry. */
  after(tuple: number, entry: number): number {
    return this.#next[tuple * this.length + entry];
  }
}

/** Returns the number of tuples of `length` counts whose sum is at most `most`. */
export function tupleCount(length: number, most: number): number {
  let count = 1;
  for (let i = 1; i <= most; i++) count = (count * (length + i)) / i;
  return count;
}
