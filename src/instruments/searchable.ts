import { Dice } from "../dice/dice.js";
import { error, fail } from "../errors/index.js";
import type { Column } from "../formats/tables/columns.js";
import type { MadeObjects } from "../objects/make/madeObjects.js";
import { ObjectMaker } from "../objects/objectMaker.js";
import { Recipe } from "../recipes/recipe.js";
import { readOptions } from "../spec/index.js";
import { Table } from "../tables/table.js";
import type { LabelledList } from "../weighted/labelledList.js";
import { WeightedList } from "../weighted/weightedList.js";
import { type AnyOf, matcherOf, type ValueCondition } from "./condition.js";
import type { SourceOptions } from "./law.js";

/** The nouns whose results have indices. */
export type Searched =
  | WeightedList
  | LabelledList<string | null, unknown>
  | Table<string, unknown>
  | Dice
  | Recipe
  | ObjectMaker;

type NumberColumn = Extract<Column, { readonly kind: "integer" | "decimal" }>;

/**
 * A result has one entry of a column or, with `stride`, this many consecutive entries. A column with `placesOf` is the
 * only column. It has no values here: the kernel tests them.
 */
type Searchable = Column & { readonly stride?: number; readonly placesOf?: PlacesOf };

/** Writes the places of the results whose word has the byte 1 in `passing` to `out`, and returns their number. */
type PlacesOf = (passing: Uint8Array, out: Uint32Array) => number;

/** Results of a noun. */
export interface Made {
  readonly columns: readonly Searchable[];
  /** Makes other results in the same arrays. `source` is the same noun, but its seed may differ. */
  again(source: Searched, from: number): void;
}

/** Makes n results, from an index on. */
export function makeResults(source: Searched, n: number, from: number, given: SourceOptions): Made {
  // a limit of the work for exact odds means nothing to results
  const { maxWork: _, ...options } = given;
  if (source instanceof Dice) {
    const values = source.rollMany(n, { ...options, from });
    return { columns: [integers("result", values)], again: (noun: Dice, at) => noun.rollInto(values, { from: at }) };
  }
  if (source instanceof WeightedList) {
    const values = source.pickMany(n, { ...options, from });
    return {
      columns: [integers("result", values)],
      again: (noun: WeightedList, at) => noun.pickInto(values, { from: at }),
    };
  }
  if (source instanceof ObjectMaker) return makeObjects(source, n, from, options);
  if (source instanceof Table) {
    const rolls = source.rollMany(n, { ...options, from });
    return {
      columns: rolls.columns(),
      again: (noun: Table<string, unknown>, at) => noun.rollInto(rolls, { ...options, from: at }),
    };
  }
  if (source instanceof Recipe) {
    const items = source.makeMany(n, { ...options, from });
    // `makeInto` does not fill the last two columns, the index and the seed
    return {
      columns: items.columns().slice(0, -2),
      again: (noun: Recipe, at) => noun.makeInto(items, { ...options, from: at }),
    };
  }
  if (source.plan.quantities === undefined) return makePicks(source, n, from, options);
  const picks = source.pickMany(n, { ...options, from });
  return {
    columns: picks.columns(),
    again: (noun: LabelledList<string | null, unknown>, at) => noun.pickInto(picks, { from: at }),
  };
}

/** The kernel tests picks where it makes them: copying and testing a pick takes half as long as making it. */
function makePicks(list: LabelledList<string | null, unknown>, n: number, from: number, options: object): Made {
  readOptions("search", options, []);
  let current = { list, from };
  const placesOf: PlacesOf = (passing, out) =>
    current.list.placesOf(passing.subarray(0, list.labels.length), current.from, n, out);
  return {
    columns: [{ kind: "word", name: "result", words: list.labels, indices: new Uint32Array(0), placesOf }],
    again: (noun: LabelledList<string | null, unknown>, at) => {
      current = { list: noun, from: at };
    },
  };
}

function integers(name: string, values: Int32Array | Uint32Array | Uint16Array | Uint8Array): Column {
  return { kind: "integer", name, values };
}

const NUMBERS = ["slots", "toHit", "toDam", "toAc", "ac", "dice", "sides", "weight"] as const;

function makeObjects(maker: ObjectMaker, n: number, from: number, given: SourceOptions): Made {
  const { states: _, level = 0, ...rest } = given;
  const options = { ...rest, level };
  const made = maker.makeMany(n, { ...options, from });
  return {
    columns: objectColumns(made),
    again: (noun: ObjectMaker, at) => noun.makeInto(made, { ...options, from: at }),
  };
}

function objectColumns(made: MadeObjects): readonly Searchable[] {
  const { vocabulary, length } = made;
  const words = (name: string, names: readonly string[], indices: Uint8Array | Uint16Array, stride = 1): Searchable => {
    return { kind: "word", name, words: names.map((word) => (word === "" ? null : word)), indices, stride };
  };
  return [
    words("kind", vocabulary.kind, made.kind),
    words("tval", vocabulary.tval, made.kind),
    words("artifact", vocabulary.artifact, made.artifact),
    words("theme", vocabulary.theme, made.theme),
    words("affix", vocabulary.affixes, made.affixes, made.affixes.length / Math.max(1, length)),
    words("affixLevel", vocabulary.affixLevel, made.affixLevel),
    ...NUMBERS.map((name) => ({ kind: "integer", name, values: made[name] }) as const),
  ];
}

/** A test of the results in a column. If other results are made in the same arrays later, it tests these. */
export interface Test {
  /** Writes all results that pass into `out`, ascending, and returns their number. */
  all(out: Uint32Array): number;
  passes(k: number): boolean;
}

export function testOf(columns: readonly Searchable[], part: string, value: ValueCondition): Test {
  const known = columns.filter(({ kind }) => kind !== "phrase" && kind !== "text");
  const column = known.find(({ name }) => name === part) ?? refusePart(part, known);
  // the cast is safe: the only other kinds are numbers
  return column.kind === "word" ? wordTest(column, value) : numberTest(column as NumberColumn, value);
}

function refusePart(got: string, known: readonly Searchable[]): never {
  const expected = `one of ${known.map(({ name }) => name).join(", ")}`;
  return fail(error("argument.range", { problem: "the results have no such part", got, expected }));
}

function wordTest(
  { words, indices, stride = 1, placesOf }: Searchable & { readonly kind: "word" },
  value: ValueCondition,
): Test {
  const names = words.map((result) => ({ result }));
  const meets = value === "any" ? (word: unknown) => word !== null : matcherOf(value, names);
  // the index after the last word stands for no result
  const passing = Uint8Array.from([...words, null], (word) => Number(meets(word)));
  const only = passing.indexOf(1);
  // with a single column, no second test calls `passes`
  if (placesOf !== undefined) return { all: (out) => placesOf(passing, out), passes: () => true };
  if (stride > 1) return stridedTest(indices, stride, passing);
  return only >= 0 && only === passing.lastIndexOf(1) ? oneTest(indices, only) : tableTest(indices, passing);
}

function numberTest(column: NumberColumn, value: ValueCondition): Test {
  const { values } = column;
  const scale = column.kind === "decimal" ? 10 ** column.decimals : 1;
  const asked: readonly unknown[] = isAnyOf(value) && Array.isArray(value.any) ? value.any : [value];
  // every number is a possible result
  const meets = matcherOf(
    value,
    [0, ...asked.filter((one) => typeof one === "number")].map((result) => ({ result })),
  );
  if (scale === 1 && typeof value === "number") return oneTest(values, value);
  if (typeof value === "object" && value !== null && !isAnyOf(value)) {
    // the products are exact, because the factors are integers
    const { atLeast: least = -Infinity, atMost: most = Infinity } = value;
    return rangeTest(values, { least: least * scale, most: most * scale });
  }
  return testBy(values.length, (k) => meets(values[k] / scale));
}

function isAnyOf(value: ValueCondition): value is AnyOf {
  return typeof value === "object" && value !== null && "any" in value;
}

type Values = NumberColumn["values"];

interface Range {
  readonly least: number;
  readonly most: number;
}

function oneTest(values: Values, wanted: number): Test {
  return { all: (out) => keepOne(out, values, wanted), passes: (k) => values[k] === wanted };
}

function tableTest(indices: Values, passing: Uint8Array): Test {
  return { all: (out) => keepListed(out, indices, passing), passes: (k) => passing[indices[k]] === 1 };
}

function rangeTest(values: Values, range: Range): Test {
  const { least, most } = range;
  return { all: (out) => keepBetween(out, values, range), passes: (k) => values[k] >= least && values[k] <= most };
}

// The loops look alike, but one loop that calls a function for each result takes five times as long. They are no
// closures, because V8 compiles each closure anew. They write the index of each result, and advance n only if the
// result passes: the processor would often predict a branch wrongly.

/** Number of results after a match that are tested one by one. A call of `indexOf` takes as long as this many. */
const NEAR = 16;

function keepOne(out: Uint32Array, values: Values, wanted: number): number {
  let n = 0;
  // `indexOf` of a typed array is three times as fast as a loop
  for (let k = values.indexOf(wanted); k >= 0; k = values.indexOf(wanted, k)) {
    const near = Math.min(k + NEAR, values.length);
    for (; k < near; k++) {
      out[n] = k;
      n += Number(values[k] === wanted);
    }
  }
  return n;
}

function keepListed(out: Uint32Array, indices: Values, passing: Uint8Array): number {
  const { length } = indices;
  const end = length - (length % 4);
  let n = 0;
  // one result in each turn takes 1.6 times as long, because V8 does not unroll the loop
  for (let k = 0; k < end; k += 4) {
    const first = passing[indices[k]];
    const second = passing[indices[k + 1]];
    const third = passing[indices[k + 2]];
    const fourth = passing[indices[k + 3]];
    out[n] = k;
    n += first;
    out[n] = k + 1;
    n += second;
    out[n] = k + 2;
    n += third;
    out[n] = k + 3;
    n += fourth;
  }
  for (let k = end; k < length; k++) {
    out[n] = k;
    n += passing[indices[k]];
  }
  return n;
}

function keepBetween(out: Uint32Array, values: Values, { least, most }: Range): number {
  const { length } = values;
  let n = 0;
  for (let k = 0; k < length; k++) {
    const value = values[k];
    out[n] = k;
    n += Number(value >= least) & Number(value <= most);
  }
  return n;
}

function stridedTest(indices: Values, stride: number, passing: Uint8Array): Test {
  const passes = (k: number) => {
    for (let i = k * stride; i < (k + 1) * stride; i++) if (passing[indices[i]] === 1) return true;
    return false;
  };
  return testBy(indices.length / stride, passes);
}

function testBy(length: number, passes: Test["passes"]): Test {
  const all = (out: Uint32Array) => {
    let n = 0;
    for (let k = 0; k < length; k++) if (passes(k)) out[n++] = k;
    return n;
  };
  return { all, passes };
}
