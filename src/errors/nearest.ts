/** Only the first 64 characters of `key` are compared. */
const MOST_CHARACTERS = 64;

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
 * Cost: O(total characters of `known` × characters of `key`), and less for names that are not similar.
 */
export function nearest(
  key: string,
  known: Iterable<string>,
  comparisons: Comparisons = { left: Number.POSITIVE_INFINITY },
): string | undefined {
  const wanted = key.slice(0, MOST_CHARACTERS).toLowerCase();
  let best: string | undefined;
  let least = 1 + Math.max(2, Math.floor(key.length / 3));
  for (const candidate of known) {
    comparisons.left -= candidate.length + 1;
    if (comparisons.left < 0) return undefined;
    const distance = editDistance(wanted, candidate.toLowerCase(), least);
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
  const wanted = name.slice(0, MOST_CHARACTERS).toLowerCase();
  return 2 * editDistance(wanted, near.toLowerCase(), longest + 1) <= longest;
}

/**
 * Returns Levenshtein's edit distance between two texts. If the distance is `bound` or more, returns some number ≥
 * `bound`.
 */
function editDistance(a: string, b: string, bound: number): number {
  // the distance is at least the difference between the lengths
  const apart = Math.abs(a.length - b.length);
  if (apart >= bound || a.length === 0) return apart;
  for (let i = 0; i <= a.length; i++) ROW[i] = i;
  for (let j = 0; j < b.length; j++) {
    const code = b.charCodeAt(j);
    let [diagonal, left, least] = [j, j + 1, j + 1];
    for (let i = 1; i <= a.length; i++) {
      const above = ROW[i];
      const replaced = a.charCodeAt(i - 1) === code ? diagonal : diagonal + 1;
      left = Math.min(replaced, above + 1, left + 1);
      if (left < least) least = left;
      ROW[i] = left;
      diagonal = above;
    }
    // the minima of later rows are not smaller
    if (least >= bound) return least;
  }
  return ROW[a.length];
}

/**
 * A row of the table of edit distances, for the first characters of `b`. Cell i is the distance to the first i
 * characters of `a`. The lower case of one character has at most three.
 */
const ROW = /* @__PURE__ */ new Uint32Array(3 * MOST_CHARACTERS + 1);
