import { type PlainForkId, plainId, STREAM_VERSION } from "../../address.js";
import { Dice } from "../../dice/dice.js";
import { error, fail, show } from "../../errors/index.js";
import { REQUEST_OPTIONS, readCallOptions } from "../../objects/make/request.js";
import { ObjectMaker } from "../../objects/objectMaker.js";
import type { ObjectOptions } from "../../objects/types.js";
import { Pool } from "../../pools/pool.js";
import { Recipe } from "../../recipes/recipe.js";
import { ITEM_OPTIONS, type ItemOptions } from "../../recipes/types.js";
import { Sampler } from "../../samples/sampler.js";
import { isSame, readOptions, refuseArgument } from "../../spec/index.js";
import { Drops } from "../../tables/drops/drops.js";
import { TABLE_OPTIONS } from "../../tables/rolling.js";
import { Table } from "../../tables/table.js";
import type { TableOptions } from "../../tables/types.js";
import type { LayerOptions } from "../../walks/types.js";
import { Walk } from "../../walks/walk.js";
import { LabelledList } from "../../weighted/labelledList.js";
import { WeightedList } from "../../weighted/weightedList.js";
import { World } from "../../worlds/world.js";
import { traceDice, traceLabel, tracePick, traceSample } from "./lists.js";
import { makeAgain, traceObject } from "./objects/object.js";
import { traceDraw } from "./pools.js";
import { traceItem } from "./recipes.js";
import type { Place, StepPlace, Subject } from "./subject.js";
import { traceDrop, traceRoll } from "./tables.js";
import { type Decision, type Fact, Tracer } from "./tracer.js";
import { STEP_PLACE, walkSubject } from "./walks.js";

/** A noun whose results can be explained. */
export type Explained =
  | WeightedList
  | LabelledList<string | null, unknown>
  | Dice
  | Sampler<unknown>
  | Table<string, unknown>
  | Drops<string, unknown>
  | Pool
  | Recipe
  | ObjectMaker
  | Walk
  | World;

/** Options of {@link explain}. */
export interface ExplainOptions {
  /**
   * Which result: its index, 0 … 2^42 − 1, or the step of a walker. Default: the next index. A finite pool allows no
   * other.
   */
  readonly at?: Place | undefined;
  /**
   * The options of the result: of a table's roll, of an item, or of an object. An object needs `level`. For a scattered
   * layer of a walk, `earlier` as in `walk.start`; other layers are run if it is absent.
   */
  readonly with?: ResultOptions | undefined;
}

type ResultOptions = TableOptions & ItemOptions & Partial<ObjectOptions> & Pick<LayerOptions, "earlier">;

/** A result, and all decisions that led to it. Plain data, which JSON can store. */
export interface Explanation {
  /** What the noun is, such as "table". */
  readonly noun: string;
  readonly name: string;
  /** The version of the random words (docs/determinism.md, section 7). */
  readonly stream: number;
  /** The key of the stream of the noun, as two integers of 32 bits without sign. */
  readonly key: readonly [number, number];
  /** The ids of the forks of the noun, outermost first, without the forks of its mill. */
  readonly forks: readonly PlainForkId[];
  /** Which result it is: its index, or the option `at`. */
  readonly at: Place;
  /** In the order of docs/determinism.md. Includes the decisions of attempts that did not meet the request. */
  readonly decisions: readonly Decision[];
  /** The tests that read no random word, in their order. Absent if the noun makes no such tests. */
  readonly facts?: readonly Fact[];
  /**
   * What the noun's single call returns, as plain data: an object is a row of values, and an item of a sample that is
   * not plain is a text that shows it.
   */
  readonly result: unknown;
}

/**
 * Explains a result: lists every random decision that led to it, with the address of its word, the word, the weights
 * and what was chosen. Changes no state. A table has the weights that its scripts return now; a finite pool its present
 * stock.
 *
 * Cost: the single call, and O(weights) for each decision.
 *
 * @example explainText(explain(loot, { at: 17 }))
 * @throws RollmillError `argument.option` for an index of a finite pool that is not its next; `argument.type` for a
 * noun that cannot be explained; the errors of the noun's single call.
 */
export function explain(source: Explained, given: ExplainOptions = {}): Explanation {
  if (!NOUNS.some((Noun) => source instanceof Noun)) refuseArgument("source", source, EXPLAINED);
  const subject = subjectOf(source, readOptions("explain", given, ["at", "with"]));
  const { noun, setup, at, result, trace, plain = result } = subject;
  const { kernel, name, stream } = setup;
  const tracer = new Tracer(kernel, stream.key);
  const traced = trace(tracer);
  if (!isSame(traced, result))
    throw new Error(`explained ${show(traced)} in place of ${show(result)}: a bug of Rollmill`);
  return {
    noun,
    name,
    stream: STREAM_VERSION,
    key: [stream.key.k0 >>> 0, stream.key.k1 >>> 0],
    forks: stream.ids.map(plainId),
    at,
    decisions: tracer.decisions,
    ...(tracer.facts.length > 0 && { facts: tracer.facts }),
    result: plain,
  };
}

const NOUNS = [WeightedList, LabelledList, Dice, Sampler, Table, Drops, Pool, Recipe, ObjectMaker, Walk, World];
const EXPLAINED = "a list, dice, a sampler, a table, drops, a pool, a recipe, a maker of objects, a walk or a world";

function subjectOf(source: Explained, { at, with: options = {} }: ExplainOptions): Subject {
  // the casts are safe: each noun checks its `at`
  if (source instanceof Walk) return walkSubject(source, at as StepPlace, options);
  if (source instanceof World) return worldStep(source, at as StepPlace, options);
  const index = (at ?? source.next) as number;
  return { ...indexedSubject(source, index, options), at: index };
}

/** A step of a walker in a layer of a world, which knows the maps of earlier layers. */
function worldStep(world: World, at: StepPlace, given: ResultOptions): Subject {
  readOptions("explain", given, []);
  const { layer = "", region } = readOptions("at", at, STEP_PLACE);
  const earlier = region === undefined ? undefined : world.earlierMaps(layer, region);
  return walkSubject(world.walk, at, { earlier });
}

type IndexedSubject = Omit<Subject, "at">;

function indexedSubject(source: Exclude<Explained, Walk | World>, at: number, given: ResultOptions): IndexedSubject {
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
  return listSubject(source, at);
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
  if (hasStock && at !== pool.next) {
    const problem = "only the next draw from a finite pool can be explained";
    fail(error("argument.option", { problem, got: at, expected: String(pool.next), remedy: 'Leave out "at"' }));
  }
  const result = hasStock ? pool.peek() : pool.draw({ at });
  return { noun: "pool", setup: pool.family, result, trace: (tracer) => traceDraw(pool, tracer, at) };
}

/** An item of a sample can be any value. */
function plainItem(item: unknown): unknown {
  return item === null || ["string", "number", "boolean"].includes(typeof item) ? item : show(item);
}
