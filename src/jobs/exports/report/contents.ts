import { RollmillError } from "../../../errors/index.js";
import { toNumber } from "../../../fractions.js";
import type { Mill } from "../../../mill.js";
import type { ObjectMaker } from "../../../objects/index.js";
import { plainName } from "../../../objects/parse/names.js";
import type { ObjectOptions } from "../../../objects/types.js";
import type { MadeContentSpec, PlacementSpec, SourceSpecs } from "../../../worlds/types.js";
import { missing } from "../../tasks/bulk.js";
import { placementsOf } from "../../tasks/placements.js";
import type { ExportSource } from "../source.js";
import { type Distribution, oddsRows, plainRow, type Row, sumRow } from "./facts.js";

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

/** Counts by name. */
type Tally = Map<string, number>;

/** Counts the contents of all placements, beside their exact odds. Calls `onSector` after each sector. */
export function contentFacts(source: ExportSource, mill: Mill, onSector: () => void): Distribution[] {
  const { placements, sources } = source.job.spec;
  const counters = placements.map((placement) => counterOf(placement, sources, mill));
  for (const { kinds, terrains, next } of placementsOf(source.job, source.sectors)) {
    for (const [p, kind] of kinds.entries()) {
      const content = next();
      counters[kind]?.add(content, terrains[p]);
    }
    onSector();
  }
  return counters.flatMap((counter) => counter?.distributions() ?? []);
}

function counterOf({ name, content }: PlacementSpec, sources: SourceSpecs, mill: Mill): ContentCounter | undefined {
  switch (content?.kind) {
    case undefined:
      return undefined;
    case "table": {
      const { source } = content;
      const spec = sources.tables.get(source) ?? missing(source);
      return textCounter(`${name}: table ${source}`, (...counted) => tableRows(mill, name, spec, ...counted));
    }
    case "pool": {
      const { source, pool, stock } = content;
      const { odds } = mill
        .pools(`report ${name}`, sources.pools.get(source) ?? missing(source))
        .pool(pool)
        .odds();
      const rowsOf = (counts: Tally, total: number) =>
        oddsRows(odds, counts, total).map((row) => (stock === "infinite" ? row : plainRow(row.result, row.count)));
      return textCounter(`${name}: pool ${pool}`, rowsOf, STOCK_NOTES[stock]);
    }
    case "recipe":
      return itemCounter(name, content);
    case "objects":
      return objectCounter(
        name,
        content,
        mill.objects(`report ${name}`, sources.objects.get(content.source) ?? missing(content.source)),
      );
  }
}

const STOCK_NOTES = {
  infinite: "",
  region: "Each region of 256 × 256 cells has a stock of its own, so draws are without replacement within a region.",
  world: "One stock for the whole world: draws are without replacement until the pool is empty and refills.",
} as const;

/** These contents repeat a few texts, so each text is parsed only once. */
function textCounter(title: string, rowsOf: (counts: Tally, total: number) => Row[], note = ""): ContentCounter {
  const texts: Tally = new Map();
  return {
    add: (text) => addTo(texts, text),
    distributions() {
      const counts: Tally = new Map();
      for (const [text, count] of texts) addTo(counts, resultIn(text), count);
      const rows = rowsOf(
        counts,
        [...counts.values()].reduce((sum, count) => sum + count, 0),
      );
      // a result that is not in the odds would be an error of the library: show it
      for (const { result } of rows) counts.delete(result);
      return [{ title, note, rows: [...rows, ...[...counts].map(([result, count]) => plainRow(result, count))] }];
    },
  };
}

/** For a stack, which is an object, the name is its field `result`. */
function resultIn(text: string): string {
  if (text === "" || text === "null") return NONE;
  const content = JSON.parse(text) as string | number | { readonly result: string };
  return typeof content === "object" ? content.result : String(content);
}

export const NONE = "(none)";

/** No rows if the exact odds cannot be computed, for example because of a script. */
export function tableRows(
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

/** Undefined for exact odds that need too many steps. */
export function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (cause) {
    if (cause instanceof RollmillError) return undefined;
    throw cause;
  }
}

function itemCounter(name: string, { source }: MadeContentSpec): ContentCounter {
  const names: Tally = new Map();
  return {
    add: (content) => addTo(names, (JSON.parse(content) as MadeContent).name ?? NONE),
    distributions() {
      const note = `${names.size.toLocaleString("en")} different names.`;
      return [{ title: `${name}: items of ${source}`, note, rows: mostCommon(names) }];
    },
  };
}

function objectCounter(name: string, content: MadeContentSpec, maker: ObjectMaker): ContentCounter {
  const [kinds, affixes, artifacts]: Tally[] = [new Map(), new Map(), new Map()];
  const groups = new Map<string, DrawnObjects>();
  return {
    add(text, terrain) {
      const { kind, artifact, level = 0, affixes: own = [] } = JSON.parse(text) as MadeContent;
      addTo(kinds, kind === undefined ? NONE : plainName(kind.fullName));
      for (const affix of own) addTo(affixes, affix.name);
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
          : "The odds are those of the level of each object.";
      const of = `${name}: objects of ${content.source}`;
      const once = "Each artifact exists at most once.";
      return [
        { title: `${of}, kinds`, note, rows: kindRows(maker, kinds, [...groups.values()]) },
        { title: `${of}, affixes`, note: AFFIX_NOTE, rows: mostCommon(affixes) },
        ...(artifacts.size === 0 ? [] : [{ title: `${of}, artifacts`, note: once, rows: mostCommon(artifacts) }]),
      ];
    },
  };
}

/** Objects that were made with the same options. */
interface DrawnObjects {
  readonly options: ObjectOptions;
  readonly count: number;
}

export const AFFIX_NOTE = "An object can have several affixes, or none.";

/** The odds of a kind depend on the level, so the objects of each group add their own odds. */
export function kindRows(maker: ObjectMaker, kinds: Tally, groups: readonly DrawnObjects[]): Row[] {
  const expected = unlessRefused(() => expectedKinds(maker, groups));
  if (expected === undefined) return mostCommon(kinds);
  return [...new Set([...expected.keys(), ...kinds.keys()])].map((name) => {
    const { mean, variance } = expected.get(name) ?? NEVER;
    return sumRow(name, kinds.get(name) ?? 0, mean, variance);
  });
}

const NEVER = { mean: 0, variance: 0 } as const;

function expectedKinds(maker: ObjectMaker, groups: readonly DrawnObjects[]) {
  const sums = new Map<string, { readonly mean: number; readonly variance: number }>();
  for (const { options, count } of groups) {
    const { kind, ...rest } = options;
    // then no kind is drawn
    if (kind !== undefined) return undefined;
    for (const { result, probability } of maker.odds({ of: "kind", ...rest }).odds) {
      const p = toNumber(probability);
      if (p === 0) continue;
      const name = plainName(result.fullName);
      const { mean, variance } = sums.get(name) ?? NEVER;
      sums.set(name, { mean: mean + count * p, variance: variance + count * p * (1 - p) });
    }
  }
  return sums;
}

export function addTo(counts: Tally, name: string, count = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

export function mostCommon(counts: ReadonlyMap<string, number>): Row[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name, n]) => plainRow(name, n));
}
