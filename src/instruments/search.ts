import type { LongCall } from "../calls/index.js";
import { Watch } from "../calls/index.js";
import { Dice } from "../dice/dice.js";
import { error, fail } from "../errors/index.js";
import type { Column } from "../formats/tables/columns.js";
import { divide, type Fraction, ONE } from "../fractions.js";
import { ObjectMaker } from "../objects/objectMaker.js";
import { Recipe } from "../recipes/recipe.js";
import { checkInteger, readOptions, refuseArgument } from "../spec/index.js";
import { Table } from "../tables/table.js";
import type { LabelledList } from "../weighted/labelledList.js";
import { type Condition, isParts, matcherOf, type ValueCondition } from "./condition.js";
import { chanceOf, type Source, type SourceOptions } from "./law.js";

/** Options of {@link search}. */
export interface SearchOptions extends LongCall {
  /** Index of the first result that is looked at. Default 0. */
  readonly from?: number | undefined;
  /** Index after the last result that is looked at. Default: `from` + 1,000,000. */
  readonly to?: number | undefined;
  /** Stops after so many matches. Default 100. */
  readonly limit?: number | undefined;
  /** The options of the noun's results. */
  readonly with?: SourceOptions | undefined;
}

/** What a search found. */
export interface SearchResult {
  /** The indices of the results that meet the condition, ascending. */
  readonly found: readonly number[];
  /** Index at which a later search goes on: it finds what this one would have found next. */
  readonly next: number;
}

const OPTIONS = ["from", "to", "limit", "with", "signal", "onProgress"];
const BATCH = 2 ** 16;
const MAX_INDEX = 2 ** 42 - 1;

/** The nouns whose results have indices. */
export type Searched = LabelledList<string | null, unknown> | Table<string, unknown> | Dice | Recipe | ObjectMaker;

/**
 * Finds the results that meet a condition, in bulk. A range can be split among several calls: together they find the same.
 * Changes no state.
 *
 * Of an item, a condition names slots, conditions, bonuses and stats. Of an object, it names `kind`, `tval`, `artifact`,
 * `theme`, `affix`, `affixLevel`, or a number such as `toHit`; the value "any" of `artifact` and `theme` is not null.
 *
 * Cost: a bulk call, and one look at each result for each condition.
 *
 * @example search(loot, "crown", { to: 1e6, limit: 3 }).found // the first three rolls with a crown
 * @throws RollmillError `argument.option`, `argument.range`, `argument.type`, `argument.callback`; the errors of the noun's
 * bulk call.
 */
export function search(source: Searched, condition: Condition, given: SearchOptions = {}): SearchResult {
  const options = readOptions("search", given, OPTIONS);
  const { from = 0, limit = 100, with: how = {}, signal, onProgress } = options;
  checkInteger("from", from, 0, MAX_INDEX);
  const { to = Math.min(MAX_INDEX, from + 1_000_000) } = options;
  checkInteger("to", to, from, MAX_INDEX);
  checkInteger("limit", limit, 1, 10_000_000);
  const parts = Object.entries(isParts(condition) ? condition : { result: condition });
  if (parts.length === 0) refuseArgument("condition", condition, "a result, or at least one part");
  const watch = new Watch("search", to - from, { signal, onProgress });
  const found: number[] = [];
  let next = from;
  while (next < to && found.length < limit) {
    const total = Math.min(BATCH, to - next);
    const columns = columnsOf(source, total, { ...how, from: next });
    const [first, ...others] = parts.map(([part, value]) => testOf(columns, part, value));
    const met = first.all(total).filter((k) => others.every((test) => test.at(k)));
    const taken = met.slice(0, limit - found.length);
    for (const k of taken) found.push(next + k);
    next = taken.length < met.length || found.length === limit ? next + (taken.at(-1) ?? 0) + 1 : next + total;
    watch.passed(next - from);
  }
  return { found, next };
}

/**
 * Returns how many results a search is expected to look at before the first match: 1 / its probability. Undefined if no
 * result can meet the condition.
 *
 * @throws The errors of `chance`.
 */
export function expectedTries(source: Source, condition: Condition, options: SourceOptions = {}): Fraction | undefined {
  const p = chanceOf(source as never, condition, options);
  return p.numerator === 0n ? undefined : divide(ONE, p);
}

/** Columns of results. Each entry of a column stands for one result, or `stride` entries do. */
type Searchable = ReadonlyMap<string, Column & { readonly stride?: number }>;

function columnsOf(source: Searched, n: number, given: SourceOptions & { readonly from: number }): Searchable {
  // a limit of the work for exact odds means nothing to results
  const { maxWork: _, ...options } = given;
  if (source instanceof Dice) {
    return new Map([["result", { kind: "integer", name: "result", values: source.rollMany(n, options) }]]);
  }
  if (source instanceof ObjectMaker) return objectColumns(source, n, options);
  const made =
    source instanceof Recipe
      ? source.makeMany(n, options)
      : source instanceof Table
        ? source.rollMany(n, options)
        : source.pickMany(n, options);
  return new Map(made.columns().map((column) => [column.name, column]));
}

const NUMBERS = ["slots", "toHit", "toDam", "toAc", "ac", "dice", "sides", "weight"] as const;

function objectColumns(maker: ObjectMaker, n: number, { level = 0, ...rest }: SourceOptions): Searchable {
  const made = maker.makeMany(n, { ...rest, level } as never);
  const words = (name: string, names: readonly string[], indices: Uint16Array, stride?: number) =>
    [name, { kind: "word", name, words: names.map((word) => (word === "" ? null : word)), indices, stride }] as const;
  const { vocabulary } = made;
  return new Map<string, Column & { stride?: number }>([
    words("kind", vocabulary.kind, made.kind),
    words("tval", vocabulary.tval, made.kind),
    words("artifact", vocabulary.artifact, made.artifact),
    words("theme", vocabulary.theme, made.theme),
    words("affix", vocabulary.affixes, made.affixes, made.affixes.length / Math.max(1, n)),
    words("affixLevel", vocabulary.affixLevel, made.affixLevel),
    ...NUMBERS.map((name) => [name, { kind: "integer", name, values: made[name] }] as const),
  ] as never);
}

interface Test {
  /** The results that pass, ascending. */
  all(total: number): number[];
  at(k: number): boolean;
}

function testOf(columns: Searchable, part: string, value: ValueCondition): Test {
  const column = columns.get(part);
  if (column === undefined || column.kind === "phrase" || column.kind === "text") {
    const known = [...columns].filter(([, { kind }]) => kind !== "phrase" && kind !== "text");
    return fail(
      error("argument.range", {
        problem: "the results have no such part",
        got: part,
        expected: `one of ${known.map(([name]) => name).join(", ")}`,
      }),
    );
  }
  const { stride = 1 } = column;
  if (column.kind === "word") {
    const { words, indices } = column;
    const meets =
      value === "any"
        ? (word: unknown) => word !== null
        : matcherOf(
            value,
            words.map((result) => ({ result })),
          );
    // also for the index after the last word, which stands for no result
    const passes = Uint8Array.from([...words, null], (word) => Number(meets(word)));
    return testOver(stride, (i) => passes[indices[i]] === 1);
  }
  const { values } = column;
  const meets = matcherOf(value, typeof value === "number" ? [{ result: value }] : [{ result: 0 }]);
  const scale = column.kind === "decimal" ? 10 ** column.decimals : 1;
  return testOver(stride, (i) => meets(values[i] / scale));
}

function testOver(stride: number, passes: (i: number) => boolean): Test {
  const at = (k: number) => {
    for (let i = k * stride; i < (k + 1) * stride; i++) if (passes(i)) return true;
    return false;
  };
  const all = (total: number) => {
    const found: number[] = [];
    for (let k = 0; k < total; k++) if (at(k)) found.push(k);
    return found;
  };
  return { all, at };
}
