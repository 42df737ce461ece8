/**
 * `below` at any even word width up to 32 bits: the kernel's at 32, one that can be enumerated whole at 16. Products are
 * taken in halves, so that plain numbers hold them exactly.
 */
export class BelowTemplate {
  /** How many words there are. */
  readonly words: number;
  readonly #half: number;

  constructor(width: number) {
    this.words = 2 ** width;
    this.#half = 2 ** (width / 2);
  }

  /** ⌊word·m / 2^width⌋. */
  high(word: number, m: number): number {
    const half = this.#half;
    const upper = Math.floor(word / half);
    return Math.floor((upper * m + Math.floor(((word - upper * half) * m) / half)) / half);
  }

  /** word·m mod 2^width. */
  low(word: number, m: number): number {
    const half = this.#half;
    const upper = Math.floor(word / half);
    const lower = (word - upper * half) * m;
    const middle = upper * m + Math.floor(lower / half);
    return (middle - Math.floor(middle / half) * half) * half + (lower - Math.floor(lower / half) * half);
  }

  /** Whether ⌊(word·m + r) / 2^width⌋ is the same for every r of 0 … m − 1. */
  settles(word: number, m: number): boolean {
    return this.low(word, m) + m - 1 < this.words;
  }

  /** ⌊(word·m + r) / 2^width⌋. */
  finish(word: number, m: number, r: number): number {
    return this.high(word, m) + (this.low(word, m) + r >= this.words ? 1 : 0);
  }

  /** The least low part that Lemire's method accepts: 2^width mod m. */
  least(m: number): number {
    return this.words % m;
  }

  /** Whether Lemire's method passes over an extra word. A loop over words passes `least(m)`, which saves the division. */
  rejects(x: number, m: number, least = this.least(m)): boolean {
    return this.low(x, m) < least;
  }

  /** Uniform on 0 … m − 1 from extra words alone. */
  uniform(m: number, extra: (i: number) => number): number {
    let i = 0;
    while (this.rejects(extra(i), m)) i++;
    return this.high(extra(i), m);
  }

  /** below(m) of a word. */
  below(word: number, m: number, extra: (i: number) => number): number {
    return this.settles(word, m) ? this.high(word, m) : this.finish(word, m, this.uniform(m, extra));
  }
}
