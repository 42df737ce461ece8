import { type PlainForkId, plainId, STREAM_VERSION } from "../../address.js";
import { Dice } from "../../dice/dice.js";
import { show } from "../../errors/index.js";
import { ObjectMaker } from "../../objects/objectMaker.js";
import { Pool } from "../../pools/pool.js";
import { Recipe } from "../../recipes/recipe.js";
import { Sampler } from "../../samples/sampler.js";
import { isSame, readOptions, refuseArgument } from "../../spec/index.js";
import { Drops } from "../../tables/drops/drops.js";
import { Table } from "../../tables/table.js";
import { Walk } from "../../walks/walk.js";
import { LabelledList } from "../../weighted/labelledList.js";
import { NoRepeats } from "../../weighted/noRepeats/noRepeats.js";
import { Pity } from "../../weighted/pity/pity.js";
import { WeightedList } from "../../weighted/weightedList.js";
import { World } from "../../worlds/world.js";
import { type Indexed, indexedSubject, type ResultOptions } from "./nouns.js";
import type { CellPlace, Place, StepPlace, Subject } from "./subject.js";
import { type Decision, type Fact, Tracer } from "./tracer.js";
import { STEP_PLACE, walkSubject } from "./walks.js";
import { cellSubject } from "./worlds.js";

/** A noun whose results can be explained. */
export type Explained = Indexed | Walk | World;

/** Options of {@link explain}. */
export interface ExplainOptions {
  /**
   * Which result: its index, 0 … 2^42 − 1, the step of a walker, or the cell of a world. Default: the next index. A
   * finite pool, a list with pity and a list without repeats allow no other.
   */
  readonly at?: Place | undefined;
  /**
   * The options of the result: of a table's roll, of an item, or of an object. An object needs `level`. For a walk,
   * `earlier` as in `walk.start`. Without it, the earlier layers that are not scattered are run.
   */
  readonly with?: ResultOptions | undefined;
}

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
 * @throws RollmillError `argument.option` for an index that is not the next one of a noun with a state; `argument.type`
 * for a noun that cannot be explained; the errors of the noun's single call.
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

const NOUNS = [
  WeightedList,
  LabelledList,
  Pity,
  NoRepeats,
  Dice,
  Sampler,
  Table,
  Drops,
  Pool,
  Recipe,
  ObjectMaker,
  Walk,
  World,
];
const EXPLAINED = "a list, dice, a sampler, a table, drops, a pool, a recipe, a maker of objects, a walk or a world";

function subjectOf(source: Explained, { at, with: options = {} }: ExplainOptions): Subject {
  // the casts are safe: each noun checks its `at`
  if (source instanceof Walk) return walkSubject(source, at as StepPlace, options);
  if (source instanceof World) return ofWorld(source, at as StepPlace | CellPlace, options);
  const index = (at ?? source.next) as number;
  return { ...indexedSubject(source, index, options), at: index };
}

/** A cell of a world, or a step of a walker in one of its layers. */
function ofWorld(world: World, at: StepPlace | CellPlace, given: ResultOptions): Subject {
  readOptions("explain", given, []);
  if (typeof at !== "object" || at === null || !("walker" in at)) return cellSubject(world, at);
  const { layer = "", region } = readOptions("at", at, STEP_PLACE);
  // the world knows the maps of earlier layers
  const earlier = region === undefined ? undefined : world.earlierMaps(layer, region);
  return walkSubject(world.walk, at, { earlier });
}
