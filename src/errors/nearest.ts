/** The known spelling nearest to `key`, if it is near enough to be meant. */
export function nearest(key: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = 1 + Math.max(2, Math.floor(key.length / 3));
  for (const candidate of known) {
    const distance = editDistance(key.slice(0, 64).toLowerCase(), candidate.toLowerCase());
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

// Levenshtein's distance, one row of the table at a time.
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}
