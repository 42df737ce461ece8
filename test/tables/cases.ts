import fc from "fast-check";
import type { NamedScript, Script, TableObject, TableSpec } from "../../src/tables/index.js";
import { rollTwin, type TwinOutcome } from "../oracle/tableTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { specOf } from "./build.js";

interface TwinOptions {
  start?: number;
  script?: Script;
  scripts?: Readonly<Record<string, NamedScript>>;
}

/** A table's slow twin, with the words of a seed and a name. */
export class TwinTable {
  readonly #spec: TableSpec;
  readonly #words: ReturnType<typeof streamWords>;

  constructor(source: string | TableObject, { seed, name }: { readonly seed: string; readonly name: string }) {
    this.#spec = specOf(source);
    this.#words = streamWords(streamKey(seed, name));
  }

  /** The end of roll `index`. */
  outcome(index: number, options: TwinOptions & { maxHops?: number } = {}): TwinOutcome {
    return rollTwin(this.#spec, { words: this.#words, index, ...options });
  }

  /** The results of rolls from … from + count − 1, null for no result. Throws if a roll fails. */
  rolls(from: number, count: number, options: TwinOptions = {}): (string | null)[] {
    return Array.from({ length: count }, (_, k) => {
      const outcome = this.outcome(from + k, options);
      if (outcome.kind === "result") return outcome.result;
      if (outcome.kind === "dead") return null;
      throw new Error(`roll ${from + k} failed: ${outcome.kind}`);
    });
  }
}

/** Ids as results, null for no result. */
export function resultsOf({
  ids,
  results,
}: {
  ids: ArrayLike<number>;
  results: readonly (string | null)[];
}): (string | null)[] {
  return Array.from(ids, (id) => results[id] ?? null);
}

const MAX_TOTAL = 2 ** 32 - 1;

/** Weights of every size, and script ids 0 … 3. */
const weight = fc.oneof(
  { weight: 4, arbitrary: fc.nat(12) },
  { weight: 1, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: MAX_TOTAL }) },
  { weight: 1, arbitrary: fc.nat(3).map((script) => ({ script })) },
);

/**
 * Any table of 1 to 12 rows of 0 to 22 columns: dead rows, cycles, zero weights, totals close to 2^32 − 1. A row's
 * weights that would exceed the largest total become 0.
 */
export const anyTable: fc.Arbitrary<TableObject> = fc.integer({ min: 1, max: 12 }).chain((rowCount) => {
  const target = fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom("a", "b", "c", "", "007", "__proto__").map((result) => ({ result })) },
    { weight: 1, arbitrary: fc.nat(rowCount - 1).map((jump) => ({ jump })) },
  );
  const column = fc.tuple(target, weight).map(([to, w]) => ({ ...to, weight: w }));
  const columns = fc.oneof(
    { weight: 5, arbitrary: fc.array(column, { minLength: 1, maxLength: 6 }) },
    { weight: 1, arbitrary: fc.array(column, { maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(column, { minLength: 15, maxLength: 22 }) },
  );
  const row = columns.map((list) => {
    // leaves room for scripts that return up to 1,000 each
    let total = 22_000;
    const fitted = list.map((entry) => {
      if (typeof entry.weight !== "number") return entry;
      if (total + entry.weight > MAX_TOTAL) return { ...entry, weight: 0 };
      total += entry.weight;
      return entry;
    });
    return { columns: fitted };
  });
  return fc.array(row, { minLength: rowCount, maxLength: rowCount }).map((rows) => ({ rows }));
});

/** Weights for the script ids 0 … 3; one in eight is not usable. */
export const anyAnswers = fc.array(
  fc.oneof({ weight: 7, arbitrary: fc.constantFrom(0, 1, 7, 1000) }, { weight: 1, arbitrary: fc.constant(-1) }),
  { minLength: 4, maxLength: 4 },
);
