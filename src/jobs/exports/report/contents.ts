import { RollmillError } from "../../../errors/index.js";
import { toNumber } from "../../../fractions.js";
import type { Mill } from "../../../mill.js";
import { plainName } from "../../../objects/parse/nouns.js";
import type { ContentSpec, MadeContentSpec, PlacementSpec, SourceSpecs } from "../../../worlds/types.js";
import { contentsOf, readPlacements } from "../../tasks/placements.js";
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

/** Counts the contents of all placements, beside their exact odds. Calls `onSector` after each sector. */
export function contentFacts(source: ExportSource, mill: Mill, onSector: () => void): Distribution[] {
  const { placements, sources } = source.job.spec;
  const counters = placements.map((placement) => counterOf(placement, { sources, mill }));
  const contentsIn = contentsOf(source.job);
  for (const sector of source.sectors) {
    const found = readPlacements(source.job, sector);
    const next = contentsIn(sector, found);
    for (const [p, kind] of found.kinds.entries()) {
      const content = next();
      counters[kind]?.add(content, found.terrains[p]);
    }
    onSector();
  }
  return counters.flatMap((counter) => counter?.distributions() ?? []);
}

interface Opened {
  readonly sources: SourceSpecs;
  readonly mill: Mill;
}

function counterOf({ name, content }: PlacementSpec, opened: Opened): ContentCounter | undefined {
  switch (content?.kind) {
    case undefined:
      return undefined;
    case "table":
    case "pool":
      return textCounter(name, content, opened);
    case "recipe":
      return itemCounter(name, content);
    case "objects":
      return objectCounter(name, content, opened);
  }
}

type TextContent = Extract<ContentSpec, { kind: "table" | "pool" }>;

/** These contents repeat a few texts, so each text is parsed only once. */
function textCounter(name: string, content: TextContent, opened: Opened): ContentCounter {
  const texts = new Map<string, number>();
  return {
    add: (text) => addTo(texts, text),
    distributions() {
      const counts = new Map<string, number>();
      for (const [text, count] of texts) addTo(counts, resultIn(text), count);
      const total = [...texts.values()].reduce((sum, count) => sum + count, 0);
      const { note, rows } = textRows(name, content, { ...opened, counts, total });
      const known = new Set(rows.map(({ result }) => result));
      // a result that is not in the odds would be an error of the library: show it
      const others = [...counts]
        .filter(([result]) => !known.has(result))
        .map(([result, count]) => plainRow(result, count));
      const source = content.kind === "table" ? content.source : content.pool;
      return [{ title: `${name}: ${content.kind} ${source}`, note, rows: [...rows, ...others] }];
    },
  };
}

function textRows(
  name: string,
  content: TextContent,
  { sources, mill, counts, total }: Opened & { readonly counts: ReadonlyMap<string, number>; readonly total: number },
): { readonly note: string; readonly rows: Row[] } {
  if (content.kind === "table") {
    return { note: "", rows: tableRows(mill, name, sources.tables.get(content.source), counts, total) };
  }
  const spec = sources.pools.get(content.source);
  if (spec === undefined) return { note: "", rows: [] };
  const { odds } = mill.pools(`report ${name}`, spec).pool(content.pool).odds();
  if (content.stock === "infinite") return { note: "", rows: oddsRows(odds, counts, total) };
  const note =
    content.stock === "region"
      ? "Each region of 256 × 256 cells has a stock of its own, so draws are without replacement within a region."
      : "One stock for the whole world: draws are without replacement until the pool is empty and refills.";
  return { note, rows: odds.map(({ result }) => plainRow(String(result), counts.get(String(result)) ?? 0)) };
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
  spec: Parameters<Mill["table"]>[1] | undefined,
  counts: ReadonlyMap<string, number>,
  total: number,
): Row[] {
  if (spec === undefined) return [];
  const found = unlessRefused(() => mill.table(`report ${name}`, spec).odds());
  if (found === undefined) return [];
  const { odds, none } = found;
  const all = none.numerator === 0n ? odds : [...odds, { result: NONE, probability: none }];
  return oddsRows(all, counts, total);
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
  const names = new Map<string, number>();
  return {
    add: (content) => addTo(names, (JSON.parse(content) as MadeContent).name ?? NONE),
    distributions() {
      const note = `${names.size.toLocaleString("en")} different names.`;
      return [{ title: `${name}: items of ${source}`, note, rows: mostCommon(names) }];
    },
  };
}

interface LevelCount {
  readonly group: number;
  readonly level: number;
  count: number;
}

function objectCounter(name: string, content: MadeContentSpec, opened: Opened): ContentCounter {
  const kinds = new Map<string, number>();
  const affixes = new Map<string, number>();
  const artifacts = new Map<string, number>();
  const levels = new Map<string, LevelCount>();
  const part = (title: string, rows: readonly Row[], note = ""): Distribution => ({
    title: `${name}: objects of ${content.source}, ${title}`,
    note,
    rows,
  });
  return {
    add(text, terrain) {
      const made = JSON.parse(text) as MadeContent;
      addTo(kinds, made.kind === undefined ? NONE : plainName(made.kind.fullName));
      for (const affix of made.affixes ?? []) addTo(affixes, affix.name);
      if (made.artifact !== undefined) addTo(artifacts, made.artifact.name);
      const { level = 0 } = made;
      const group = content.groupOf[terrain];
      const key = `${group} ${level}`;
      const known = levels.get(key);
      if (known === undefined) levels.set(key, { group, level, count: 1 });
      else known.count++;
    },
    distributions() {
      const expected = unlessRefused(() => expectedKinds(name, content, { ...opened, levels: levels.values() }));
      const note =
        content.stock === "world"
          ? "The odds leave out artifacts, which replace a few objects."
          : "The odds are those of the level of each object.";
      return [
        part("kinds", expected === undefined ? mostCommon(kinds) : kindRows(kinds, expected), note),
        part("affixes", mostCommon(affixes), "An object can have several affixes, or none."),
        ...(artifacts.size === 0
          ? []
          : [part("artifacts", mostCommon(artifacts), "Each artifact exists at most once.")]),
      ];
    },
  };
}

type Expected = ReadonlyMap<string, { readonly expected: number; readonly variance: number }>;

function kindRows(kinds: ReadonlyMap<string, number>, expected: Expected): Row[] {
  return [...new Set([...expected.keys(), ...kinds.keys()])].map((name) =>
    sumRow(name, kinds.get(name) ?? 0, expected.get(name) ?? { expected: 0, variance: 0 }),
  );
}

/** The odds of a kind depend on the level, so each object adds the odds at its own level. */
function expectedKinds(
  name: string,
  { source, groups }: MadeContentSpec,
  { sources, mill, levels }: Opened & { readonly levels: Iterable<LevelCount> },
): Expected | undefined {
  const files = sources.objects.get(source);
  if (files === undefined) return undefined;
  const maker = mill.objects(`report ${name}`, files);
  const sums = new Map<string, { expected: number; variance: number }>();
  for (const { group, level, count } of levels) {
    const { kind, ...options } = groups[group].options as Readonly<Record<string, never>>;
    // if the options request a kind, no kind is drawn
    if (kind !== undefined) return undefined;
    for (const { result, probability } of maker.odds({ of: "kind", level, ...options }).odds) {
      const p = toNumber(probability);
      if (p === 0) continue;
      const kindName = plainName(result.fullName);
      const sum = sums.get(kindName) ?? { expected: 0, variance: 0 };
      sums.set(kindName, { expected: sum.expected + count * p, variance: sum.variance + count * p * (1 - p) });
    }
  }
  return sums;
}

function addTo(counts: Map<string, number>, name: string, count = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + count);
}

export function mostCommon(counts: ReadonlyMap<string, number>): Row[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name, n]) => plainRow(name, n));
}
