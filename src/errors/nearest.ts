const MAX_CHARACTERS = 64;

/**
 * Limits the suggestions for one input, so that thousands of misspelt names are not each compared with thousands of
 * known names. `left` is the number of characters of known names that may still be compared.
 */
export interface Comparisons {
  left: number;
}

/** Composes a remedy. Not called for an issue that a full list omits. */
export type Suggestion = (comparisons: Comparisons) => string | undefined;

/**
 * Returns the known name that is most similar to `key`; the first of equally similar names. Returns undefined if no
 * name is similar enough, or no comparisons are left. Compares 64 characters of `key` by Levenshtein's distance.
 */
export function nearest(
  key: string,
  known: Iterable<string>,
  comparisons: Comparisons = { left: Number.POSITIVE_INFINITY },
): string | undefined {
  const wanted = key.slice(0, MAX_CHARACTERS).toLowerCase();
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

/** Returns the remedy for a misspelt name: `Did you mean "…"?`, or `otherwise`. Spread the result into a finding. */
export function didYouMean(
  name: unknown,
  known: Iterable<string>,
  otherwise?: string,
): { readonly remedy: Suggestion } {
  return {
    remedy: (comparisons) => {
      const near = typeof name === "string" ? likely(name, known, comparisons) : undefined;
      return near === undefined ? otherwise : `Did you mean ${JSON.stringify(near)}?`;
    },
  };
}

/** Like {@link nearest}, but returns undefined if more than half of the characters differ, such as in "I" and "ZZ". */
export function likely(name: string, known: Iterable<string>, comparisons?: Comparisons): string | undefined {
  const near = nearest(name, known, comparisons);
  if (near === undefined) return undefined;
  const longest = Math.min(Math.max(name.length, near.length), MAX_CHARACTERS);
  const distance = editDistance(name.slice(0, MAX_CHARACTERS).toLowerCase(), near.toLowerCase(), longest + 1);
  return 2 * distance <= longest ? near : undefined;
}

/** Returns Levenshtein's edit distance, or some number ≥ `bound` if the distance is `bound` or more. */
function editDistance(a: string, b: string, bound: number): number {
  const apart = Math.abs(a.length - b.length);
  if (apart >= bound || a.length === 0) return apart;
  // after j rounds, cell i is the distance between the first i characters of `a` and the first j characters of `b`
  const row = Array.from({ length: a.length + 1 }, (_, i) => i);
  for (let j = 0; j < b.length; j++) {
    let diagonal = j;
    row[0] = j + 1;
    for (let i = 1; i <= a.length; i++) {
      const replaced = a[i - 1] === b[j] ? diagonal : diagonal + 1;
      diagonal = row[i];
      row[i] = Math.min(replaced, row[i] + 1, row[i - 1] + 1);
    }
    // the minima of later rows are not smaller, so the distance is at least `bound`
    if (Math.min(...row) >= bound) return bound;
  }
  return row[a.length];
}
