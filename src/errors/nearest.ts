/** Characters of a name that count. */
const MOST_CHARACTERS = 64;
const WORD_BITS = 32;

/**
 * The known name nearest to `key`, if it is similar enough; the first one if several are equally near. The distance is
 * Levenshtein's, ignoring case, from the first 64 characters of `key`.
 *
 * Cost: O(total characters of `known`), twice that if `key` has more than 32 characters.
 */
export function nearest(key: string, known: Iterable<string>): string | undefined {
  const wanted = new Pattern(key.slice(0, MOST_CHARACTERS).toLowerCase());
  let best: string | undefined;
  let least = 1 + Math.max(2, Math.floor(key.length / 3));
  for (const candidate of known) {
    const distance = wanted.distance(candidate.toLowerCase(), least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/**
 * The remedy for a misspelt name: `Did you mean "…"?`, or `otherwise` if no known name is near. Spread it into a
 * finding.
 */
export function didYouMean(name: string, known: Iterable<string>, otherwise?: string): { remedy?: string } {
  const near = nearest(name, known);
  if (near !== undefined) return { remedy: `Did you mean ${JSON.stringify(near)}?` };
  return otherwise === undefined ? {} : { remedy: otherwise };
}

/**
 * A text to compare others with, by the bit-vector algorithm. In the table of edit distances, neighbours in a column
 * differ by −1, 0 or 1. So a column is two bit sets, with one bit for each character of the text, 32 to a word, and a
 * few operations on whole words give the next column.
 *
 * Source: G. Myers, A fast bit-vector algorithm (1999); H. Hyyrö, A bit-vector algorithm (2003).
 */
class Pattern {
  readonly #length: number;
  /** For each character, the positions at which the text has it. */
  readonly #places = new Map<number, Int32Array>();
  readonly #nowhere: Int32Array;
  /** The rows whose cell is one more, or one less, than the cell above. */
  readonly #more: Int32Array;
  readonly #less: Int32Array;

  constructor(text: string) {
    const words = Math.ceil(text.length / WORD_BITS);
    this.#length = text.length;
    this.#nowhere = new Int32Array(words);
    this.#more = new Int32Array(words);
    this.#less = new Int32Array(words);
    for (let i = 0; i < text.length; i++) {
      const places = this.#places.get(text.charCodeAt(i)) ?? new Int32Array(words);
      places[i >>> 5] |= 1 << (i & 31);
      this.#places.set(text.charCodeAt(i), places);
    }
  }

  /** The distance of a text if it is less than `bound`; otherwise any number ≥ `bound`. */
  distance(text: string, bound: number): number {
    // the distance is at least the difference in length
    const apart = Math.abs(text.length - this.#length);
    if (apart >= bound || this.#length === 0) return apart;
    this.#more.fill(-1);
    this.#less.fill(0);
    let distance = this.#length;
    for (let j = 0; j < text.length; j++) {
      distance += this.#step(this.#places.get(text.charCodeAt(j)) ?? this.#nowhere);
      // each remaining character reduces the distance by at most one
      const rest = text.length - 1 - j;
      if (distance - rest >= bound) return distance - rest;
    }
    return distance;
  }

  /** Advances by one column. Returns the last cell of that column minus the last cell of the previous one. */
  #step(places: Int32Array): number {
    const [more, less] = [this.#more, this.#less];
    const last = more.length - 1;
    // the top row of the table is 0, 1, 2, …
    let carried = 1;
    for (let word = 0; word <= last; word++) {
      const [plus, minus] = [more[word], less[word]];
      const up = places[word] | minus;
      const same = carried < 0 ? places[word] | 1 : places[word];
      const along = (((same & plus) + plus) ^ plus) | same;
      const gain = minus | ~(along | plus);
      const loss = plus & along;
      const end = word === last ? (this.#length - 1) & 31 : WORD_BITS - 1;
      const next = ((gain >>> end) & 1) - ((loss >>> end) & 1);
      const gained = (gain << 1) | (carried > 0 ? 1 : 0);
      const lost = (loss << 1) | (carried < 0 ? 1 : 0);
      more[word] = lost | ~(up | gained);
      less[word] = gained & up;
      carried = next;
    }
    return carried;
  }
}
