import { Dice } from "../../dice/dice.js";
import { error, fail, show } from "../../errors/index.js";
import { REQUEST_OPTIONS, readCallOptions } from "../../objects/make/request.js";
import { ObjectMaker } from "../../objects/objectMaker.js";
import type { ObjectOptions } from "../../objects/types.js";
import { Pool } from "../../pools/pool.js";
import { Recipe } from "../../recipes/recipe.js";
import { ITEM_OPTIONS, type ItemOptions } from "../../recipes/types.js";
import type { Sampler } from "../../samples/sampler.js";
import { readOptions } from "../../spec/index.js";
import { Drops } from "../../tables/drops/drops.js";
import { TABLE_OPTIONS } from "../../tables/rolling.js";
import { Table } from "../../tables/table.js";
import type { TableOptions } from "../../tables/types.js";
import type { LayerOptions } from "../../walks/types.js";
import { LabelledList } from "../../weighted/labelledList.js";
import { NoRepeats } from "../../weighted/noRepeats/noRepeats.js";
import { Pity } from "../../weighted/pity/pity.js";
import { WeightedList } from "../../weighted/weightedList.js";
import { traceDice, traceLabel, traceNoRepeats, tracePick, tracePity, traceSample } from "./lists.js";
import { makeAgain, traceObject } from "./objects/object.js";
import { traceDraw } from "./pools.js";
import { traceItem } from "./recipes.js";
import type { Subject } from "./subject.js";
import { traceDrop, traceRoll } from "./tables.js";
import type { Tracer } from "./tracer.js";

/** A noun whose results have indices. */
export type Indexed =
  | WeightedList
  | LabelledList<string | null, unknown>
  | Pity<string | null, unknown>
  | NoRepeats<string | null, unknown>
  | Dice
  | Sampler<unknown>
  | Table<string, unknown>
  | Drops<string, unknown>
  | Pool
  | Recipe
  | ObjectMaker;

export type ResultOptions = TableOptions & ItemOptions & Partial<ObjectOptions> & Pick<LayerOptions, "earlier">;

type IndexedSubject = Omit<Subject, "at">;

/** A result with an index, and how to make its decisions again. */
export function indexedSubject(source: Indexed, at: number, given: ResultOptions): IndexedSubject {
  if (source instanceof Recipe) {
    const options = readOptions("explain", given, ITEM_OPTIONS);
    const result = source.make({ ...options, at });
    const trace = (tracer: Tracer) => ({ ...result, ...traceItem(source, tracer, at, options) });
    return { noun: "recipe", setup: source, result, trace };
  }
  if (source instanceof Table) {
    const options = readOptions("explain", given, TABLE_OPTIONS);
    const result = source.rollMany(1, { ...options, from: at, mode: "frozen" }).at(0);
    return { noun: "table", setup: source, result, trace: (tracer) => traceRoll(source, tracer, at, options) };
  }
  if (source instanceof ObjectMaker) {
    const options = readCallOptions("explain", given, REQUEST_OPTIONS);
    const made = makeAgain(source, at, options);
    const trace = (tracer: Tracer) => traceObject(source, tracer, at, options);
    return { noun: "object", setup: source, result: made.at(0), trace, plain: made.row(0) };
  }
  readOptions("explain", given, []);
  if (source instanceof Pool) return poolSubject(source, at);
  if (source instanceof Drops) {
    const trace = (tracer: Tracer) => traceDrop(source, tracer, at);
    return { noun: "drops", setup: source, result: source.roll({ at }), trace };
  }
  if (source instanceof Pity || source instanceof NoRepeats) return statefulSubject(source, at);
  return listSubject(source, at);
}

function statefulSubject(source: Pity<string | null, unknown> | NoRepeats<string | null, unknown>, at: number) {
  checkNext(source, at);
  const [noun, trace] =
    source instanceof Pity
      ? (["pity", (tracer: Tracer) => tracePity(source, tracer, at)] as const)
      : (["no repeats", (tracer: Tracer) => traceNoRepeats(source, tracer, at)] as const);
  return { noun, setup: source, result: source.peek().result, trace };
}

/** A result that depends on the results before it can only be the next one. */
function checkNext({ next }: { readonly next: number }, at: number): void {
  if (at === next) return;
  const problem = "only the next result can be explained, because it depends on the results before it";
  fail(error("argument.option", { problem, got: at, expected: String(next), remedy: 'Leave out "at"' }));
}

function listSubject(
  source: WeightedList | LabelledList<string | null, unknown> | Dice | Sampler<unknown>,
  at: number,
): IndexedSubject {
  if (source instanceof WeightedList) {
    const trace = (tracer: Tracer) => tracePick(source, tracer, at);
    return { noun: "list", setup: source, result: source.pick({ at }), trace };
  }
  if (source instanceof LabelledList) {
    const trace = (tracer: Tracer) => traceLabel(source, tracer, at);
    return { noun: "list", setup: source, result: source.pick({ at }), trace };
  }
  if (source instanceof Dice) {
    const trace = (tracer: Tracer) => traceDice(source, tracer, at);
    return { noun: "dice", setup: source, result: source.roll({ at }), trace };
  }
  const result = source.draw({ at });
  const trace = (tracer: Tracer) => traceSample(source, tracer, at);
  return { noun: "sample", setup: source, result, trace, plain: result.map(plainItem) };
}

function poolSubject(pool: Pool, at: number): IndexedSubject {
  const hasStock = pool.kind === "finite";
  if (hasStock) checkNext(pool, at);
  const result = hasStock ? pool.peek() : pool.draw({ at });
  return { noun: "pool", setup: pool.family, result, trace: (tracer) => traceDraw(pool, tracer, at) };
}

/** An item of a sample can be any value. */
function plainItem(item: unknown): unknown {
  return item === null || ["string", "number", "boolean"].includes(typeof item) ? item : show(item);
}
