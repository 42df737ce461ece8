import { STREAM_VERSION } from "../address.js";
import { type Amount, boundsOf, ONE_ITEM } from "../amounts/index.js";
import { Dice } from "../dice/index.js";
import { error, fail, show } from "../errors/index.js";
import { crc32, joined, littleEndian } from "../formats/bytes.js";
import { ObjectMaker } from "../objects/index.js";
import { PoolFamily } from "../pools/index.js";
import { Recipe } from "../recipes/index.js";
import { resolve } from "../recipes/resolve.js";
import { ITEM_OPTIONS, type ItemOptions } from "../recipes/types.js";
import { Sampler } from "../samples/index.js";
import { readEntries, readOptions, refuseArgument } from "../spec/index.js";
import { Drops, Table } from "../tables/index.js";
import { Walk } from "../walks/index.js";
import { LabelledList, WeightedList } from "../weighted/index.js";
import { World } from "../worlds/index.js";
import { foreignOption, imageWords, OBJECT_OPTIONS, objectLabels, requestWords } from "./objects.js";
import { recipeData, recipeLabels } from "./recipes.js";
import { padded, refuse, type Section } from "./sections.js";
import { PLAN_KINDS, type PlanItems, type PlanNoun, type PlanObjects, type PlanRequest } from "./types.js";
import { walkSection, worldSection } from "./worlds.js";

/** The bytes 89 "RMPLAN" 0A. */
const MAGIC = [0x504d5289, 0x0a4e414c];
const FORMAT_VERSION = 1;
const MAX_NOUNS = 2 ** 12;
const MAX_NAME_BYTES = 2 ** 8;
const MAX_PLAN_BYTES = 2 ** 30;
/** The kernel refuses larger limits: they would make a batch of rolls too slow. */
const MAX_HOPS = 2 ** 16;
/** The bit that marks a target as a row. */
const JUMP = 2 ** 31;
/** The flags of a root. */
const FINITE = 1;
const REFILLS = 2;

const NOTHING: Amount = { count: 0, sides: 1, plus: 0 };

/**
 * Writes nouns to a plan file, from which a program without JavaScript makes the same results: see docs/engines.md. A
 * recipe or an object maker is written with the options of what it makes: `{ noun: maker, options: { level: 30 } }`. A
 * host that opens the file with the seed of the mill gets the words of the mill's own nouns; it folds the ids of forks
 * itself. The file has no state: its pools are full, no artifact was made, and its results begin at index 0.
 *
 * Tables with scripts need constant weights: the option `weights`, or `mode: "frozen"`, which calls the scripts now.
 *
 * @param given - At most 4,096 nouns of different names.
 * @throws RollmillError `plan.noun` for a noun or an option that a plan file cannot contain; the errors of `makeMany` for
 * the options of a recipe or a maker; `argument.type`; `argument.range` for
 * too many nouns, or a file above 1 GiB; `table.script` if a script of a frozen table fails.
 */
export function bake(given: readonly (PlanNoun | PlanRequest)[]): Uint8Array<ArrayBuffer> {
  const nouns = readEntries<PlanNoun | PlanRequest>("nouns", given, { of: "nouns", most: MAX_NOUNS });
  const pieces = [wordsOf([...MAGIC, FORMAT_VERSION, STREAM_VERSION, nouns.length])];
  const names = new Set<string>();
  const makers: ObjectMaker[] = [];
  for (const [number, entry] of nouns.entries()) {
    const noun = isRequest(entry) ? entry.noun : entry;
    const section = isMaker(entry) ? objects(entry, makers, number) : sectionOf(entry);
    if (names.has(noun.name)) refuse(noun.name, "is in the list twice", "Give each noun its own name");
    names.add(noun.name);
    pieces.push(...bytesOf(noun.name, section));
  }
  const bytes = pieces.reduce((sum, { length }) => sum + length, 4);
  if (bytes > MAX_PLAN_BYTES) {
    const [problem, expected] = ["the plan file is too large", `at most ${MAX_PLAN_BYTES} bytes`];
    fail(error("argument.range", { problem, got: bytes, expected, remedy: "Bake the nouns into several files" }));
  }
  return joined([...pieces, wordsOf([crc32(...pieces)])]);
}

function bytesOf(name: string, { kind, labels, data }: Section): Uint8Array[] {
  const encoder = new TextEncoder();
  const texts = [encoder.encode(name), encoder.encode(JSON.stringify(labels))];
  if (texts[0].length > MAX_NAME_BYTES) {
    refuse(name, `is a name of more than ${MAX_NAME_BYTES} bytes`, "Open the noun under a shorter name");
  }
  const words = data.reduce((sum, { length }) => sum + length, 0);
  const head = wordsOf([PLAN_KINDS.indexOf(kind) + 1, ...texts.map(({ length }) => length), words]);
  return [head, ...texts.map(padded), ...data.map(wordsOf)];
}

function wordsOf(numbers: ArrayLike<number> & Iterable<number>): Uint8Array {
  return littleEndian(numbers instanceof Uint32Array ? numbers : Uint32Array.from(numbers));
}

function isRequest(entry: PlanNoun | PlanRequest): entry is PlanItems | PlanObjects {
  return typeof entry === "object" && entry !== null && "noun" in entry;
}

function isMaker(entry: PlanNoun | PlanRequest): entry is PlanObjects {
  return isRequest(entry) && entry.noun instanceof ObjectMaker;
}

function sectionOf(entry: PlanNoun | PlanItems): Section {
  const { noun, options } = isRequest(entry) ? entry : { noun: entry, options: {} };
  if (noun instanceof WeightedList) return list(noun.plan.weights, {});
  if (noun instanceof LabelledList) {
    const { weights, labels, quantities } = noun.plan;
    return list(weights, { labels }, quantities);
  }
  if (noun instanceof Table) return table(noun);
  if (noun instanceof Dice) return { kind: "dice", labels: {}, data: [amountsOf([noun.plan.amount])] };
  if (noun instanceof Sampler) return sampler(noun);
  if (noun instanceof PoolFamily) return pools(noun);
  if (noun instanceof Drops) return drops(noun);
  if (noun instanceof Recipe) return recipe(noun, options);
  if (noun instanceof Walk) return walkSection(noun);
  if (noun instanceof World) return worldSection(noun);
  return refuseKind(noun);
}

function refuseKind(noun: unknown): never {
  const expected =
    "a list, a table, dice, a sampler, pools, drops, a recipe, an object maker with options, a walk or a world";
  const { name } = (noun ?? {}) as { readonly name?: unknown };
  if (typeof name !== "string") return refuseArgument("nouns", noun, `a list with ${expected} only`);
  const problem = `${show(name)} cannot be baked, because plan files do not contain nouns of its kind`;
  return fail(error("plan.noun", { problem, expected, remedy: "Write its results to a file that the host reads" }));
}

function list(weights: Uint32Array, labels: object, quantities: readonly Amount[] = []): Section {
  return { kind: "list", labels, data: [[weights.length, quantities.length], weights, amountsOf(quantities)] };
}

function amountsOf(amounts: readonly Amount[]): number[] {
  return amounts.flatMap((amount) => [boundsOf(amount)[0], amount.count, amount.sides]);
}

function table(noun: Table<string, unknown>): Section {
  const { results, quantities = [], data } = rowsOf(noun, noun.name, ', or set the mode of the table to "frozen"');
  return { kind: "table", labels: { results }, data: [...data(quantities)] };
}

/** Returns the results and the quantities of a table, and the data of its section. */
function rowsOf(table: Table<string, unknown>, name: string, frozenRemedy = "") {
  return table.settled((plan, { mode, scripted, onDead, start, maxHops, frozen }, ownMode) => {
    if (mode === "live" || (scripted && ownMode !== "frozen")) {
      const remedy = `Pass constant weights (--weight, or the option "weights")${frozenRemedy}`;
      refuse(name, "has live scripts, which a plan file cannot contain", remedy);
    }
    if (onDead === "throw")
      refuse(name, 'has the option onDead: "throw"', "Omit it: the host sees each dead row itself");
    if (maxHops > MAX_HOPS) refuse(name, `has a maxHops above ${MAX_HOPS}`, "Use a smaller maxHops");
    const { weights, failed } = frozen();
    for (const cause of failed.values()) throw cause;
    const { rowStart, target, results, quantities } = plan;
    const counts = rowStart.subarray(1).map((end, row) => end - rowStart[row]);
    const targets = Uint32Array.from(target, (to) => (to < 0 ? JUMP + ~to : to));
    const data = (amounts: readonly Amount[]) => {
      const head = [counts.length, target.length, results.length, start, maxHops, amounts.length];
      return [head, counts, weights, targets, amountsOf(amounts)];
    };
    return { results, quantities, data };
  });
}

/** If only the fixed results have quantities, a result of the table has the quantity 1. */
function drops(noun: Drops<string, unknown>): Section {
  const { always, rolls, hasQuantities, table } = noun.plan;
  const { results, quantities, data } = rowsOf(noun.tableOf(0), noun.name);
  if (always.length + boundsOf(rolls)[1] === 0)
    refuse(noun.name, "never has a result", "Leave it out, or give it rolls");
  const ones = [...table.results, null].map((result) => (result === null ? NOTHING : ONE_ITEM));
  const amounts = hasQuantities ? (quantities ?? ones) : [];
  return {
    kind: "drops",
    labels: { results: [...always.map(({ result }) => result), ...results] },
    data: [[always.length], amountsOf([rolls, ...always.map(({ quantity = ONE_ITEM }) => quantity)]), ...data(amounts)],
  };
}

function recipe({ plan }: Recipe, given: ItemOptions): Section {
  const resolved = resolve(plan, readOptions("bake", given, ITEM_OPTIONS));
  return { kind: "recipe", labels: recipeLabels(plan, resolved), data: recipeData(plan, resolved) };
}

/** Makers of the same files share an image. `makers` has the maker of each noun so far that has an image of its own. */
function objects({ noun, options }: PlanObjects, makers: ObjectMaker[], number: number): Section {
  const { name, plan } = noun;
  const foreign = foreignOption(options);
  if (foreign !== undefined) {
    refuse(
      name,
      `has the option ${foreign}, which a plan file cannot contain`,
      `Use only ${OBJECT_OPTIONS.join(", ")}`,
    );
  }
  const request = requestWords(noun, options);
  const shared = makers.findIndex((other) => other?.stock === noun.stock);
  if (shared >= 0 && !isSame(makers[shared].plan.image, plan.image)) {
    const problem = `shares artifacts with ${show(makers[shared].name)}, whose files are not the same`;
    refuse(name, problem, 'Open it with the option "stock", or bake it into another file');
  }
  if (shared < 0) makers[number] = noun;
  const image = shared < 0 ? imageWords(plan) : [];
  const head = shared < 0 ? [0, plan.files.affixes.length, image.length] : [1, shared];
  return { kind: "objects", labels: objectLabels(plan), data: [request, head, image] };
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, i) => byte === other[i]);
}

function sampler({ name, plan: { items, size } }: Sampler<unknown>): Section {
  const data = [[items.length, size]];
  if (items.every((item, i) => item === i)) return { kind: "sampler", labels: {}, data };
  const isPlain = (item: unknown) => item === null || typeof item === "string" || Number.isFinite(item);
  const other = items.findIndex((item) => !isPlain(item));
  if (other >= 0) {
    const remedy = "Sample texts, numbers or null; or sample the indices, and look up the items in the host";
    refuse(name, `has an item at index ${other} that is neither a text nor a number`, remedy);
  }
  return { kind: "sampler", labels: { items }, data };
}

function pools({ registry }: PoolFamily): Section {
  const roots = [...registry.roots.values()];
  const { nodes } = registry;
  const labels = {
    roots: roots.map(({ name, kind, refill, ids }) => ({ name, kind, refill, ids })),
    pools: nodes.map(({ path, root }) => ({ path, root: root.number })),
  };
  const data = [
    [roots.length, nodes.length],
    ...roots.flatMap(({ kind, refill, ids, initial }) => {
      const hasStock = kind === "finite";
      const flags = (hasStock ? FINITE : 0) + (refill ? REFILLS : 0);
      return [[flags, ids.length], hasStock ? initial.values : []];
    }),
    ...nodes.flatMap((node) => {
      const masses = node.scaled()?.integers ?? [];
      return [[node.root.number, node.records.length], node.records, Uint32Array.from(masses)];
    }),
  ];
  return { kind: "pools", labels, data };
}
