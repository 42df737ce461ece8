/**
 * Gives a number to each tuple of counts (k₁, …, k_n) with a sum of at most `most`. A tuple with a smaller sum has a
 * smaller number. Tuple 0 is (0, …, 0).
 */
export function tuplesOf(length: number, most: number) {
  const counts: (readonly number[])[] = [];
  const sums: number[] = [];
  const next: (readonly number[])[] = [];
  const ends: number[] = [];
  const numbers = new Map<string, number>();
  const numberOf = (tuple: readonly number[]) => {
    const number = numbers.get(tuple.join()) ?? counts.push(tuple) - 1;
    numbers.set(tuple.join(), number);
    return number;
  };
  numberOf(new Array<number>(length).fill(0));
  for (let sum = 0; sum <= most; sum++) {
    ends.push(counts.length);
    for (const tuple of counts.slice(next.length)) {
      sums.push(sum);
      next.push(sum === most ? [] : tuple.map((count, entry) => numberOf(tuple.with(entry, count + 1))));
    }
  }
  return {
    length,
    counts,
    sums,
    /** Entry [t][i] is the number of the tuple that results from adding 1 to count i of tuple t. */
    next,
    /** Entry s is the number of tuples with a sum of at most s. */
    ends,
  } as const;
}

export type Tuples = ReturnType<typeof tuplesOf>;

/** Returns the number of ways to choose `count` of n things. Exact while `count` times the result is below 2^53. */
export function choices(n: number, count: number): number {
  let ways = 1;
  for (let i = 0; i < count; i++) ways = (ways * Math.max(0, n - i)) / (i + 1);
  return ways;
}
