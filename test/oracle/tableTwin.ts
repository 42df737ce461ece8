import type { ChosenCallback, NamedScript, Script, ScriptId, TableSpec } from "../../src/tables/index.js";

/** Where the twin's randomness comes from: the words of one purpose, by address. */
export interface TwinWords {
  /** word(plane, index), a u32. */
  readonly word: (plane: number, index: number) => number;
  /** Extra word x_i of the same address, a u32. */
  readonly extra: (plane: number, index: number, i: number) => number;
}

export interface TwinRoll {
  readonly words: TwinWords;
  /** Which roll: the index of its words. */
  readonly index: number;
  readonly start?: number;
  readonly script?: Script;
  readonly scripts?: Readonly<Record<string, NamedScript>>;
  readonly chosen?: ChosenCallback;
  readonly context?: unknown;
  /** The most rows that a roll may visit. */
  readonly maxHops?: number;
}

/** How a roll ended, with the rows it visited in order; `failed` names the place of what the scripts got wrong. */
export type TwinOutcome =
  | { readonly kind: "result"; readonly result: string | null; readonly path: readonly number[] }
  | { readonly kind: "dead" | "hops"; readonly path: readonly number[] }
  | { readonly kind: "failed"; readonly row: number; readonly column?: number; readonly path: readonly number[] };

/**
 * Rolls a table row by row as systems are described: every script of a visited row is called, in column order; hop
 * h of roll k picks by word(h, k); `chosen` gets the script of the column that won; a jump begins again.
 */
export function rollTwin(spec: TableSpec, roll: TwinRoll): TwinOutcome {
  const { words, index, start = 0, context, maxHops = 10_000 } = roll;
  const path: number[] = [];
  let row = start;
  for (let hop = 0; hop < maxHops; hop++) {
    path.push(row);
    const { columns } = spec.rows[row];
    const weights: bigint[] = [];
    for (const [column, { weight }] of columns.entries()) {
      const answer: unknown = typeof weight === "number" ? weight : ask(roll, weight.script);
      if (!Number.isInteger(answer) || Number(answer) < 0 || Number(answer) > 4294967295) {
        return { kind: "failed", row, column, path };
      }
      weights.push(BigInt(Number(answer)));
    }
    const total = weights.reduce((a, b) => a + b, 0n);
    if (total > 4294967295n) return { kind: "failed", row, path };
    if (total === 0n) return { kind: "dead", path };

    const word = words.word(hop, index);
    const column = prefixPick(
      weights,
      belowTwin(word, total, (i) => words.extra(hop, index, i)),
    );
    const won = columns[column];
    if (typeof won.weight !== "number") roll.chosen?.(won.weight.script, context);
    if ("result" in won) return { kind: "result", result: won.result, path };
    row = won.jump;
  }
  return { kind: "hops", path };
}

const WORDS = 2n ** 32n;

/** below(m) of a word: ⌊(word·m + r) / 2³²⌋, r uniform on 0 … m − 1 from the extra words, only where it can matter. */
export function belowTwin(word: number, m: bigint, extra: (i: number) => number): bigint {
  const product = BigInt(word) * m;
  if ((product % WORDS) + m - 1n < WORDS) return product / WORDS;
  const rejectBelow = WORDS % m;
  for (let i = 0; ; i++) {
    const p = BigInt(extra(i)) * m;
    if (p % WORDS >= rejectBelow) return (product + p / WORDS) / WORDS;
  }
}

/** The first entry whose cumulative weight is above r. */
export function prefixPick(weights: readonly bigint[], r: bigint): number {
  let cumulative = 0n;
  for (const [i, weight] of weights.entries()) {
    cumulative += weight;
    if (cumulative > r) return i;
  }
  throw new Error(`r = ${r} is not below the total ${cumulative}`);
}

function ask({ script, scripts, context }: TwinRoll, id: ScriptId): unknown {
  try {
    return typeof id === "string" ? scripts?.[id]?.(context) : script?.(id, context);
  } catch {
    return undefined;
  }
}
