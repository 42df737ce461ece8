/** Characters of a name that are looked at. */
const LOOKED_AT = 64;
const WORD_BITS = 32;

/**
 * The known spelling nearest to `key`, if it is near enough to be meant; of several the first. Distances are Levenshtein's, of
 * lower case, from the first 64 characters of `key`.
 *
 * Cost: O(characters of all that is known) for each 32 characters of `key`, at most 64: less than 1 µs for a name of 75.
 */
export function nearest(key: string, known: Iterable<string>): string | undefined {
  const wanted = new Pattern(key.slice(0, LOOKED_AT).toLowerCase());
  let best: string | undefined;
  let least = 1 + Math.max(2, Math.floor(key.length / 3));
  for (const candidate of known) {
    const distance = wanted.distance(candidate.toLowerCase(), least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** The remedy of a misspelt name: `Did you mean "…"?`, or `otherwise` if no known name is near. Spread it into a finding. */
export function didYouMean(name: string, known: Iterable<string>, otherwise?: string): { remedy?: string } {
  const near = nearest(name, known);
  if (near !== undefined) return { remedy: `Did you mean ${JSON.stringify(near)}?` };
  return otherwise === undefined ? {} : { remedy: otherwise };
}

/**
 * A text that others are compared with, a bit for each of its characters, 32 to a word. Down a column of the table of
 * distances neighbours differ by −1, 0 or 1, so that a column is two sets of bits, and the next one follows by some twenty
 * operations on whole words. Source: G. Myers, A fast bit-vector algorithm (1999); H. Hyyrö, A bit-vector algorithm (2003).
 */
class Pattern {
  readonly #length: number;
  /** By character and word: where the text has it. */
  readonly #places = new Map<number, Int32Array>();
  readonly #nowhere: Int32Array;
  /** By word: rows whose cell is one more, or one less, than that above it. */
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

  /** The distance of a text where it is less than `bound`; else some number that is not. */
  distance(text: string, bound: number): number {
    // as many characters are put in or left out, at the least
    const apart = Math.abs(text.length - this.#length);
    if (apart >= bound || this.#length === 0) return apart;
    this.#more.fill(-1);
    this.#less.fill(0);
    let distance = this.#length;
    for (let j = 0; j < text.length; j++) {
      distance += this.#step(this.#places.get(text.charCodeAt(j)) ?? this.#nowhere);
      // each character that is left takes one off at most
      const rest = text.length - 1 - j;
      if (distance - rest >= bound) return distance - rest;
    }
    return distance;
  }

  /** Goes on by a column, and answers by how much its last cell differs from that of the column before. */
  #step(places: Int32Array): number {
    const [more, less] = [this.#more, this.#less];
    const last = more.length - 1;
    // the topmost row is 0, 1, 2, …
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
