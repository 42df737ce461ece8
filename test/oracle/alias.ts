import { BelowTemplate } from "./below.js";

/** The exact alias table of docs/determinism.md, in BigInt, and picks from it. */
export interface AliasTwin {
  /** 2^k columns. */
  readonly k: number;
  /** T, the weights' total. */
  readonly total: bigint;
  /** t_c: the parts of T that column c keeps for entry c. */
  readonly shares: readonly bigint[];
  /** The entry that has the rest of each column. */
  readonly aliases: readonly number[];
  /** q_c = ⌊t_c · 2^(32−k) / T⌋; 2^(32−k) for a full column. */
  readonly thresholds: readonly number[];
}

const below32 = new BelowTemplate(32);

/** Builds the table: two stacks, pushed in ascending order; zero weights have their place. */
export function aliasTwin(weights: readonly number[]): AliasTwin {
  let k = 0;
  while (2 ** k < weights.length) k++;
  const size = 2 ** k;
  const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n);
  const left = Array.from({ length: size }, (_, i) => BigInt(size) * BigInt(weights[i] ?? 0));
  const shares = new Array<bigint>(size).fill(total);
  const aliases = Array.from({ length: size }, (_, i) => i);
  const small: number[] = [];
  const large: number[] = [];
  for (let i = 0; i < size; i++) (left[i] < total ? small : large).push(i);
  while (small.length > 0 && large.length > 0) {
    const i = small.pop() as number;
    const j = large[large.length - 1];
    shares[i] = left[i];
    aliases[i] = j;
    left[j] -= total - left[i];
    if (left[j] < total) small.push(large.pop() as number);
  }
  const thresholds = shares.map((share) => Number((share << BigInt(32 - k)) / total));
  return { k, total, shares, aliases, thresholds };
}

/** What each entry wins over all columns, in parts of T: the table is exact if that is 2^k times its weight. */
export function aliasAudit({ shares, aliases, total }: AliasTwin): bigint[] {
  const parts = new Array<bigint>(shares.length).fill(0n);
  for (const [c, share] of shares.entries()) {
    parts[c] += share;
    parts[aliases[c]] += total - share;
  }
  return parts;
}

/** The column of a word, and its place in the column: f. */
export function aliasColumn({ k }: AliasTwin, word: number): [column: number, f: number] {
  const width = 2 ** (32 - k);
  const column = Math.floor(word / width);
  return [column, word - column * width];
}

/** The entry that a word picks; extra words settle a tie. */
export function aliasPick(table: AliasTwin, word: number, extra: (i: number) => number): number {
  const [column, f] = aliasColumn(table, word);
  const threshold = table.thresholds[column];
  if (f < threshold) return column;
  if (f > threshold) return table.aliases[column];
  const remainder = (table.shares[column] << BigInt(32 - table.k)) % table.total;
  return below32.uniform(Number(table.total), extra) < remainder ? column : table.aliases[column];
}
