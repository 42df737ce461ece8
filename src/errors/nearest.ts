/** Only the first 64 characters of `key` are compared. */
const MOST_CHARACTERS = 64;
const WORD_BITS = 32;

/**
 * Limits the suggestions for one input, so that thousands of misspelt names are not each compared with thousands of
 * known names. `left` is the number of characters of known names that may still be compared.
 */
export interface Comparisons {
  left: number;
}

/** Composes a remedy. An issue that is not listed does not call it. */
export type Suggestion = (comparisons: Comparisons) => string | undefined;

/**
 * Returns the known name that is most similar to `key`. Returns undefined if no name is similar enough, or no
 * comparisons are left. If several names are equally similar, returns the first. Similarity is Levenshtein's edit
 * distance to the first 64 characters of `key`. Case is ignored.
 *
 * Cost: O(total characters of `known`), and twice as much if `key` has more than 32 characters.
 */
export function nearest(
  key: string,
  known: Iterable<string>,
  comparisons: Comparisons = { left: Number.POSITIVE_INFINITY },
): string | undefined {
  const wanted = new Pattern(key.slice(0, MOST_CHARACTERS).toLowerCase());
  let best: string | undefined;
  let least = 1 + Math.max(2, Math.floor(key.length / 3));
  for (const candidate of known) {
    comparisons.left -= candidate.length + 1;
    if (comparisons.left < 0) return undefined;
    const distance = wanted.distance(candidate.toLowerCase(), least);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/**
 * Returns the remedy for a misspelt name: `Did you mean "…"?`. The remedy is `otherwise` instead if the nearest known
 * name differs in more than half of its characters. Spread the result into a finding.
 */
export function didYouMean(name: string, known: Iterable<string>, otherwise?: string): { remedy: Suggestion } {
  return {
    remedy: (comparisons) => {
      const near = likely(name, known, comparisons);
      return near === undefined ? otherwise : `Did you mean ${JSON.stringify(near)}?`;
    },
  };
}

/** Like {@link nearest}, but returns undefined if the name differs in more than half of its characters. */
export function likely(name: string, known: Iterable<string>, comparisons?: Comparisons): string | undefined {
  const near = nearest(name, known, comparisons);
  return near !== undefined && isLikely(name, near) ? near : undefined;
}

// Stricter than `nearest`: that function accepts two edits even in the shortest names, so it suggests "I" for "ZZ".
function isLikely(name: string, near: string): boolean {
  const longest = Math.min(Math.max(name.length, near.length), MOST_CHARACTERS);
  const pattern = new Pattern(name.slice(0, MOST_CHARACTERS).toLowerCase());
  return 2 * pattern.distance(near.toLowerCase(), longest + 1) <= longest;
}

/**
 * Compares one text, the pattern, with other texts by the bit-vector algorithm. The algorithm works on the usual table
 * of edit distances. The table has a row for each character of the pattern, and a column for each character of the
 * other text. Neighbours in a column differ by −1, 0 or 1. So two bit sets describe a column: the rows with +1, and the
 * rows with −1. Bits are packed into 32-bit words. A few operations on whole words compute the next column.
 *
 * Source: G. Myers, A fast bit-vector algorithm (1999); H. Hyyrö, A bit-vector algorithm (2003).
 */
class Pattern {
  readonly #length: number;
  /** For each character code, the bit set of its positions in the pattern. */
  readonly #places = new Map<number, Int32Array>();
  readonly #nowhere: Int32Array;
  /** The rows of the current column whose cell is one more (`#more`) or one less (`#less`) than the cell above it. */
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

  /** Returns the edit distance to another text. If the distance is `bound` or more, returns some number ≥ `bound`. */
  distance(text: string, bound: number): number {
    // the distance is at least the difference between the lengths
    const apart = Math.abs(text.length - this.#length);
    if (apart >= bound || this.#length === 0) return apart;
    this.#more.fill(-1);
    this.#less.fill(0);
    let distance = this.#length;
    for (let j = 0; j < text.length; j++) {
      distance += this.#step(this.#places.get(text.charCodeAt(j)) ?? this.#nowhere);
      // each remaining character can reduce the distance by at most one
      const rest = text.length - 1 - j;
      if (distance - rest >= bound) return distance - rest;
    }
    return distance;
  }

  /**
   * Advances by one column. Returns a difference, which is −1, 0 or 1: the last cell of the new column minus the last
   * cell of the old column.
   */
  #step(places: Int32Array): number {
    const [more, less] = [this.#more, this.#less];
    const last = more.length - 1;
    // the top row of the table is 0, 1, 2, … So going one column to the right adds 1.
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
