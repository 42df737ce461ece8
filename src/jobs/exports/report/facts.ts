// The numbers of a report: counts of what the job has made, and the exact odds beside them.
import type { Chance, Counts } from "../../../calls/index.js";
import { unlessRefused } from "../../../errors/index.js";
import { toNumber } from "../../../fractions.js";
import type { Mill } from "../../../mill.js";
import type { ObjectFiles, ObjectMaker } from "../../../objects/index.js";
import { MOST_AFFIXES } from "../../../objects/law/slots.js";
import { plainName } from "../../../objects/parse/names.js";
import type { ObjectOptions } from "../../../objects/types.js";
import type { Drops } from "../../../tables/index.js";
import { sourcesUsedBy } from "../../../walks/compile.js";
import type { ContentGroupSpec, ContentSpec, PlacementSpec, SourceSpecs } from "../../../worlds/types.js";
import { EVENTS } from "../../folder/control.js";
import type { FolderStore } from "../../folder/store.js";
import { missing } from "../../tasks/bulk.js";
import { failOddContent, placementsOf } from "../../tasks/placements.js";
import type { BulkSpec } from "../../types.js";
import type { ExportSource } from "../source.js";

export interface Row {
  readonly result: string;
  readonly count: number;
  /** The count that the exact odds predict, if they are known. */
  readonly expected?: number | undefined;
  /** Distance of the count from `expected` in standard deviations. Undefined if unknown or not meaningful. */
  readonly deviation?: number | undefined;
}

export interface Distribution {
  readonly title: string;
  readonly note: string;
  readonly rows: readonly Row[];
}

type Tally = Map<string, number>;

/** Counts with less variance are far from a normal distribution: a deviation would mean nothing. */
const MIN_VARIANCE = 9;
const MAX_ROWS = 60;
const OBJECTS_AT_ONCE = 2 ** 16;
/** Maximum number of objects in a count. To make and count more would take too long. */
const MAX_OBJECTS = 2 ** 22;
const NONE = "(none)";
const AFFIX_NOTE = "Objects with the affix. An object can have several affixes, or none.";
/** Maximum number of states for the exact odds of affixes, and of different options. More would take minutes. */
const MAX_STATES = 2 ** 12;
const MAX_GROUPS = 64;

// ── contents of placements ──

/** An object or an item. */
interface MadeContent {
  readonly level?: number;
  readonly name?: string;
  readonly kind?: { readonly fullName: string };
  readonly artifact?: { readonly name: string };
  readonly affixes?: readonly { readonly name: string }[];
}

interface ContentCounter {
  add(content: string, terrain: number): void;
  distributions(): Distribution[];
}

/** Counts the contents of all placements, beside their exact odds. Calls `onSector` after each sector. */
export function contentFacts(source: ExportSource, mill: Mill, onSector: () => void): Distribution[] {
  const { placements, sources } = source.job.spec;
  const counters = placements.map((kind) => kindCounter(kind, sources, mill));
  for (const { kinds, terrains, next } of placementsOf(source.job, source.sectors)) {
    for (const [p, kind] of kinds.entries()) {
      const content = next();
      try {
        counters[kind].add(content, terrains[p]);
      } catch {
        failOddContent(source.job);
      }
    }
    onSector();
  }
  return counters.flatMap((counter) => counter.distributions());
}

/** Counts each content of a kind by itself. */
function kindCounter({ name: kind, contents }: PlacementSpec, sources: SourceSpecs, mill: Mill): ContentCounter {
  const named = contents.map((content) => {
    const title = content.name === undefined ? kind : `${kind}, ${content.name}`;
    return { name: content.name, counter: contentCounter(title, content, sources, mill) };
  });
  return {
    add(text, terrain) {
      const parts = named.length > 0 && named[0].name !== undefined && text !== "" ? JSON.parse(text) : undefined;
      for (const { name, counter } of named) {
        counter.add(name === undefined ? text : (JSON.stringify(parts?.[name]) ?? ""), terrain);
      }
    },
    distributions: () => named.flatMap(({ counter }) => counter.distributions()),
  };
}

/** Counts the results of each source of a content by itself. */
function contentCounter(title: string, content: ContentSpec, sources: SourceSpecs, mill: Mill): ContentCounter {
  const keyOf = ({ source, pool }: ContentGroupSpec) => `${source} ${pool}`;
  const counters = new Map<string, ContentCounter>();
  for (const group of content.groups) {
    if (!counters.has(keyOf(group))) counters.set(keyOf(group), counterOf(title, content, group, sources, mill));
  }
  return {
    add: (text, terrain) => counters.get(keyOf(content.groups[content.groupOf[terrain]]))?.add(text, terrain),
    distributions: () => [...counters.values()].flatMap((counter) => counter.distributions()),
  };
}

function counterOf(
  name: string,
  content: ContentSpec,
  { source, pool = "" }: ContentGroupSpec,
  sources: SourceSpecs,
  mill: Mill,
): ContentCounter {
  const title = `${name}: ${content.kind} ${source}`;
  switch (content.kind) {
    case "table": {
      const spec = sources.tables.get(source) ?? missing(source);
      return textCounter(title, (...counted) => tableRows(mill, title, spec, ...counted));
    }
    case "drops":
      return dropCounter(title, mill.drops(`report ${title}`, sources.drops.get(source) ?? missing(source)));
    case "pools": {
      const { stock } = content;
      const family = mill.pools(`report ${title}`, sources.pools.get(source) ?? missing(source));
      const { odds } = family.pool(pool).odds();
      const rowsOf = (counts: Tally, total: number) =>
        oddsRows(odds, counts, total).map((row) =>
          stock === undefined ? row : { result: row.result, count: row.count },
        );
      return textCounter(`${name}: pool ${pool}`, rowsOf, stock && STOCK_NOTES[stock]);
    }
    case "recipe":
      return itemCounter(`${name}: items of ${source}`);
    case "objects": {
      const maker = mill.objects(`report ${title}`, sources.objects.get(source) ?? missing(source));
      return objectCounter(`${name}: objects of ${source}`, content, maker);
    }
  }
}

const STOCK_NOTES = {
  region: "Each region of 256 × 256 cells has its own stock, so draws are without replacement within a region.",
  world: "One stock for the whole world: draws are without replacement until the pool is empty and refills.",
} as const;

/** Counts contents that have only a few different texts. Parses each text only once. */
function textCounter(title: string, rowsOf: (counts: Tally, total: number) => Row[], note = ""): ContentCounter {
  const texts: Tally = new Map();
  return {
    add: (text) => addTo(texts, text),
    distributions() {
      const counts: Tally = new Map();
      let total = 0;
      for (const [text, count] of texts) {
        addTo(counts, resultIn(text), count);
        total += count;
      }
      const rows = rowsOf(counts, total);
      // a result that the odds do not contain would be a bug of the library, so the report shows it
      for (const { result } of rows) counts.delete(result);
      return [{ title, note, rows: [...rows, ...plainRows(counts)] }];
    },
  };
}

/** Counts the drops that have a result at least once. */
function dropCounter(title: string, drops: Drops<string, unknown>): ContentCounter {
  const counts: Tally = new Map();
  let total = 0;
  return {
    add(text) {
      const drop = JSON.parse(text) as readonly (string | { readonly result: string })[];
      const results = new Set(drop.map((one) => (typeof one === "string" ? one : one.result)));
      for (const result of results.size === 0 ? [NONE] : results) addTo(counts, result);
      total++;
    },
    distributions() {
      const law = unlessRefused(() => drops.odds());
      const odds = law && [...law.odds, { result: NONE, atLeastOne: law.none }];
      const rows = odds?.map(({ result, atLeastOne }) =>
        trialRow(result, counts.get(result) ?? 0, total, toNumber(atLeastOne)),
      );
      return [{ title, note: "A drop can have several results.", rows: rows ?? mostCommon(counts) }];
    },
  };
}

/** Returns the name of a result. If the content is an object, such as a result with a quantity, reads its `result`. */
function resultIn(text: string): string {
  if (text === "" || text === "null") return NONE;
  const content = JSON.parse(text) as string | number | { readonly result: string };
  return typeof content === "object" ? content.result : String(content);
}

function itemCounter(title: string): ContentCounter {
  const names: Tally = new Map();
  return {
    add: (content) => addTo(names, (JSON.parse(content) as MadeContent).name ?? NONE),
    distributions() {
      const note = `${names.size.toLocaleString("en")} different names.`;
      return [{ title, note, rows: mostCommon(names) }];
    },
  };
}

function objectCounter(title: string, content: ContentSpec, maker: ObjectMaker): ContentCounter {
  const [kinds, affixes, artifacts]: Tally[] = [new Map(), new Map(), new Map()];
  const groups = new Map<string, DrawnObjects>();
  return {
    add(text, terrain) {
      const { kind, artifact, level = 0, affixes: own = [] } = JSON.parse(text) as MadeContent;
      addTo(kinds, kind === undefined ? NONE : plainName(kind.fullName));
      for (const affix of new Set(own.map((one) => one.name))) addTo(affixes, affix);
      if (artifact !== undefined) addTo(artifacts, artifact.name);
      const group = content.groupOf[terrain];
      const key = `${group} ${level}`;
      const { options, count } = groups.get(key) ?? { options: { level, ...content.groups[group].options }, count: 0 };
      groups.set(key, { options, count: count + 1 });
    },
    distributions() {
      const note =
        content.stock === "world"
          ? "The odds leave out artifacts, which replace a few objects."
          : "The odds use the level of each object.";
      const once = "Each artifact exists at most once.";
      return [
        { title: `${title}, kinds`, note, rows: kindRows(maker, kinds, [...groups.values()]) },
        { title: `${title}, affixes`, note: AFFIX_NOTE, rows: affixRows(maker, affixes, [...groups.values()]) },
        ...(artifacts.size === 0 ? [] : [{ title: `${title}, artifacts`, note: once, rows: mostCommon(artifacts) }]),
      ];
    },
  };
}

// ── results in bulk ──

/** Makes the results again, which is faster than reading them. `mill` must be new, and must have the job's seed. */
export function bulkFacts({ job }: ExportSource, mill: Mill, signal: AbortSignal | undefined): Distribution[] {
  const { tables, recipes, objects } = job.spec.sources;
  return job.manifest.bulk.flatMap((part): Distribution[] => {
    const { name, kind, source, count, options } = part;
    const call = { from: 0, signal };
    if (kind === "table") {
      const spec = tables.get(source) ?? missing(source);
      const { counts, none } = mill.table(name, spec).count(count, { ...call, mode: "frozen" });
      const named = new Map([...counts].map(([result, n]) => [String(result), n] as const));
      const rows = tableRows(mill, name, spec, new Map([...named, [NONE, none]]), count);
      return [{ title: `${name}: table ${source}`, note: "", rows: rows.length > 0 ? rows : plainRows(named) }];
    }
    if (kind === "objects") return objectFacts(part, objects.get(source) ?? missing(source), mill, signal);
    const { spec, tables: words } = recipes.get(source) ?? missing(source);
    const recipe = mill.recipe(name, spec, { tables: words });
    const of = spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ slot }) => slot) : step.name));
    return recipe.countParts(count, of, { ...options, ...call }).map((counted, k) => {
      // the cast is safe: only the part `strength` has numbers as results, and `of` does not contain it
      const { counts, none } = counted as Counts<string>;
      const found = unlessRefused(() => recipe.odds({ ...options, of: of[k], signal }));
      const odds = found && [...found.odds, { result: NONE, probability: found.none }];
      const rows = odds === undefined ? mostCommon(counts) : oddsRows(odds, new Map([...counts, [NONE, none]]), count);
      const possible = rows.filter((row) => row.count > 0 || row.expected !== 0);
      return { title: `${name}: ${of[k]} of ${source}`, note: "", rows: possible };
    });
  });
}

function objectFacts(
  { name, source, count: total, options }: BulkSpec,
  files: ObjectFiles,
  mill: Mill,
  signal: AbortSignal | undefined,
): Distribution[] {
  if (total > MAX_OBJECTS) return [];
  // the cast is safe: the job has made objects with these options
  const request = options as unknown as ObjectOptions;
  const maker = mill.objects(name, files);
  const kindNames = files.kinds.map(({ fullName }) => plainName(fullName));
  const [kinds, affixes]: Tally[] = [new Map(), new Map()];
  for (let from = 0; from < total; from += OBJECTS_AT_ONCE) {
    const call = { ...request, artifacts: false, from, signal };
    const made = maker.makeMany(Math.min(OBJECTS_AT_ONCE, total - from), call);
    for (const kind of made.kind) addTo(kinds, kindNames[kind]);
    for (let k = 0; k < made.affixCount.length; k++) {
      const own = made.affixes.subarray(k * MOST_AFFIXES, k * MOST_AFFIXES + made.affixCount[k]);
      for (const affix of new Set(own)) addTo(affixes, files.affixes[affix - 1].name);
    }
  }
  const groups = [{ options: { ...request, artifacts: false }, count: total }];
  return [
    { title: `${name}: kinds of ${source}`, note: "", rows: kindRows(maker, kinds, groups) },
    { title: `${name}: affixes of ${source}`, note: AFFIX_NOTE, rows: affixRows(maker, affixes, groups) },
  ];
}

// ── rows ──

/** Returns a row for a count that has this mean and variance. */
function sumRow(result: string, count: number, expected: number, variance: number): Row {
  const deviation = variance >= MIN_VARIANCE ? (count - expected) / Math.sqrt(variance) : undefined;
  return { result, count, expected, deviation };
}

/** Returns a row for a count of `total` independent trials with probability p. */
export function trialRow(result: string, count: number, total: number, p: number): Row {
  return sumRow(result, count, total * p, total * p * (1 - p));
}

function oddsRows(odds: readonly Chance<unknown>[], counts: ReadonlyMap<string, number>, total: number): Row[] {
  return odds.map(({ result, probability }) => {
    const name = String(result);
    return trialRow(name, counts.get(name) ?? 0, total, toNumber(probability));
  });
}

/** Returns a row for each result of a table; none if its exact odds cannot be computed, for example due to a script. */
function tableRows(
  mill: Mill,
  name: string,
  spec: Parameters<Mill["table"]>[1],
  counts: ReadonlyMap<string, number>,
  total: number,
): Row[] {
  const found = unlessRefused(() => mill.table(`report ${name}`, spec).odds());
  if (found === undefined) return [];
  const { odds, none } = found;
  return oddsRows(none.numerator === 0n ? odds : [...odds, { result: NONE, probability: none }], counts, total);
}

interface DrawnObjects {
  readonly options: ObjectOptions;
  readonly count: number;
}

/** Returns the rows of kinds, with the odds of all groups added up. The odds of a group depend on its one level. */
function kindRows(maker: ObjectMaker, kinds: Tally, groups: readonly DrawnObjects[]): Row[] {
  return groupRows(kinds, groups, ({ kind, artifacts: _, ...rest }) => {
    // with the option `kind`, the kind is not random
    if (kind !== undefined) return undefined;
    const { odds } = maker.odds({ of: "kind", ...rest });
    return odds.map(({ result, probability }) => [plainName(result.fullName), toNumber(probability)]);
  });
}

function affixRows(maker: ObjectMaker, affixes: Tally, groups: readonly DrawnObjects[]): Row[] {
  return groupRows(affixes, groups, (options) => {
    if (groups.length > MAX_GROUPS) return undefined;
    const { affixes, unexplored } = maker.odds({ of: "object", ...options, artifacts: false, states: MAX_STATES });
    if (unexplored.numerator > 0n) return undefined;
    return affixes.odds.map(({ result, probability }) => [result.name, toNumber(probability)]);
  });
}

const NEVER = { mean: 0, variance: 0 };

/** Returns a row for each name. `oddsOf` returns undefined, or throws, if the exact odds of a group are not known. */
function groupRows(
  counts: Tally,
  groups: readonly DrawnObjects[],
  oddsOf: (options: ObjectOptions) => readonly (readonly [name: string, p: number])[] | undefined,
): Row[] {
  const sums = new Map<string, typeof NEVER>();
  for (const { options, count } of groups) {
    const odds = unlessRefused(() => oddsOf(options));
    if (odds === undefined) return mostCommon(counts);
    for (const [name, p] of odds) {
      const { mean, variance } = sums.get(name) ?? NEVER;
      if (p > 0) sums.set(name, { mean: mean + count * p, variance: variance + count * p * (1 - p) });
    }
  }
  return [...new Set([...sums.keys(), ...counts.keys()])].map((name) => {
    const { mean, variance } = sums.get(name) ?? NEVER;
    return sumRow(name, counts.get(name) ?? 0, mean, variance);
  });
}

function addTo(counts: Tally, name: string, count = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

function plainRows(counts: Iterable<readonly [string, number]>): Row[] {
  return Array.from(counts, ([result, count]) => ({ result, count }));
}

function mostCommon(counts: ReadonlyMap<string, number>): Row[] {
  return plainRows([...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)));
}

/** If there are many rows, replaces the rows with the rarest results by one row with their sum. */
export function shortened(rows: readonly Row[]): readonly Row[] {
  if (rows.length <= MAX_ROWS) return rows;
  const sorted = [...rows].sort((a, b) => b.count - a.count);
  const rest = sorted.splice(MAX_ROWS - 1);
  const count = rest.reduce((sum, row) => sum + row.count, 0);
  const expected = rest.reduce((sum, row) => sum + (row.expected ?? Number.NaN), 0);
  const others = { result: `${rest.length} others`, count };
  return [...sorted, Number.isNaN(expected) ? others : { ...others, expected }];
}

// ── layers ──

/** `histogram[0]` counts the cells without visits. `histogram[k + 1]` counts the cells with 2ᵏ to 2ᵏ⁺¹ − 1 visits. */
export type LayerFacts = ReturnType<typeof layerFacts>[number];

const CLASSES = 33;

/** Calls `onCells` after each sector, with the number of its cells. */
export function layerFacts(source: ExportSource, onCells: (cells: number) => void) {
  return source.layers.map(({ name }) => {
    const histogram = new Float64Array(CLASSES);
    let [visits, most] = [0, 0];
    for (const sector of source.sectors) {
      const counts = source.visits(name, source.cellsOf(sector));
      for (let i = 0; i < counts.length; i++) {
        const count = counts[i];
        histogram[32 - Math.clz32(count)]++;
        visits += count;
        if (count > most) most = count;
      }
      onCells(counts.length);
    }
    const used = histogram.findLastIndex((cells) => cells > 0) + 1;
    const cells = histogram.reduce((sum, some, k) => (k === 0 ? 0 : sum + some), 0);
    const expected = expectedVisits(source, name);
    return { name, cells, visits, most, expected, histogram: [...histogram.subarray(0, used)] };
  });
}

/**
 * Returns the mean number of visits. By linearity, each cell has the visits of the walkers that start for each cell, if
 * all cells are alike: then walkers start anywhere, and nothing ends or steers them.
 */
function expectedVisits({ job, result }: ExportSource, name: string): number | undefined {
  const { layers } = job.plan.walk;
  const layer = layers.find((one) => one.name === name);
  if (layer?.scatter === undefined || job.spec.grid.kind !== "unbounded") return undefined;
  const isAlike =
    sourcesUsedBy(layer).length === 0 && layer.stuckOf === undefined && layer.scatter.density === undefined;
  const perWalker = layer.steps + 1;
  return isAlike ? (result.totals.cells * layer.walkers * perWalker) / layer.scatter.side ** 2 : undefined;
}

// ── times ──

export type JobTimes = ReturnType<typeof readTimes>;

/** Reads the log of a job, which may be incomplete. Skips lines that cannot be read. */
export function readTimes(store: FolderStore) {
  const lines = Buffer.from(store.get(EVENTS) ?? [])
    .toString("utf8")
    .split("\n");
  const phases = new Map<string, { tasks: number; seconds: number }>();
  const threads: number[] = [];
  let [created, finished]: (string | undefined)[] = [];
  let last = Number.NaN;
  for (const { at, event, phase, made, threads: some } of lines.flatMap(eventIn)) {
    const now = Date.parse(at);
    if (event === "created") created ??= at;
    if (event === "finished") finished = at;
    if (event === "run") threads.push(some);
    if (event === "phase finished" && made > 0 && now >= last) {
      const sum = phases.get(phase) ?? { tasks: 0, seconds: 0 };
      phases.set(phase, { tasks: sum.tasks + made, seconds: sum.seconds + (now - last) / 1000 });
    }
    if (event === "run" || event === "phase finished") last = now;
  }
  const times = [...phases].map(([phase, sum]) => ({ phase, ...sum }));
  return { created, finished, threads, phases: times, seconds: times.reduce((sum, one) => sum + one.seconds, 0) };
}

function eventIn(line: string): { at: string; event: string; threads: number; phase: string; made: number }[] {
  try {
    const { at, event, threads = 0, phase = "", made = 0 } = JSON.parse(line);
    const texts: unknown[] = [at, event, phase];
    const isSound = texts.every((text) => typeof text === "string") && [threads, made].every(Number.isSafeInteger);
    return isSound ? [{ at, event, threads, phase, made }] : [];
  } catch {
    return [];
  }
}
