import { RollmillError } from "../../../errors/index.js";
import { toNumber } from "../../../fractions.js";
import type { Mill } from "../../../mill.js";
import { plainName } from "../../../objects/parse/nouns.js";
import type { ContentSpec, MadeContentSpec, PlacementSpec, SourceSpecs } from "../../../worlds/types.js";
import { PlacementContents, readPlacements } from "../../placements.js";
import type { ExportSource } from "../source.js";
import { type Distribution, oddsRows, plainRow, type Row, sumRow } from "./facts.js";

/** The content of a placement can be an object or an item, as JSON. These are the fields that the report counts. */
interface MadeContent {
  readonly level?: number;
  readonly name?: string;
  readonly kind?: { readonly fullName: string };
  readonly artifact?: { readonly name: string };
  readonly affixes?: readonly { readonly name: string }[];
}

/** Counts the contents of one kind of placement. */
interface ContentCounter {
  add(content: string, terrain: number): void;
  distributions(): Distribution[];
}

/**
 * Counts the contents of all placements. Returns the counts beside the exact odds of the contents. Calls `onSector`
 * after each sector.
 */
export function contentFacts(source: ExportSource, mill: Mill, onSector: () => void): Distribution[] {
  const { placements, sources } = source.job.spec;
  const counters = placements.map((placement) => counterOf(placement, { sources, mill }));
  const contents = new PlacementContents(source);
  for (const sector of source.sectors) {
    const found = readPlacements(source, sector);
    const next = contents.of(sector, found);
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

function counterOf(placement: PlacementSpec, opened: Opened): ContentCounter | undefined {
  const { content } = placement;
  switch (content?.kind) {
    case undefined:
      return undefined;
    case "table":
    case "pool":
      return new TextCounter(placement.name, content, opened);
    case "recipe":
      return new ItemCounter(placement.name, content);
    case "objects":
      return new ObjectCounter(placement.name, content, opened);
  }
}

/**
 * Counts contents that come from a table or a pool. These contents repeat a few texts. So this class counts equal
 * texts, and parses each text only once.
 */
class TextCounter implements ContentCounter {
  readonly #name: string;
  readonly #content: Extract<ContentSpec, { kind: "table" | "pool" }>;
  readonly #opened: Opened;
  readonly #texts = new Map<string, number>();

  constructor(name: string, content: Extract<ContentSpec, { kind: "table" | "pool" }>, opened: Opened) {
    this.#name = name;
    this.#content = content;
    this.#opened = opened;
  }

  add(content: string): void {
    this.#texts.set(content, (this.#texts.get(content) ?? 0) + 1);
  }

  distributions(): Distribution[] {
    const counts = new Map<string, number>();
    let total = 0;
    for (const [text, count] of this.#texts) {
      const result = resultIn(text);
      counts.set(result, (counts.get(result) ?? 0) + count);
      total += count;
    }
    const { note, rows } = this.#rows(counts, total);
    const known = new Set(rows.map(({ result }) => result));
    // a result that is not in the odds would be an error of the library: show it
    const others = [...counts]
      .filter(([result]) => !known.has(result))
      .map(([result, count]) => plainRow(result, count));
    const noun = this.#content.kind === "table" ? "table" : "pool";
    const source = this.#content.kind === "table" ? this.#content.source : this.#content.pool;
    return [{ title: `${this.#name}: ${noun} ${source}`, note, rows: [...rows, ...others] }];
  }

  #rows(counts: ReadonlyMap<string, number>, total: number): { readonly note: string; readonly rows: Row[] } {
    const content = this.#content;
    const { sources, mill } = this.#opened;
    const asked = { countOf: (result: string) => counts.get(result) ?? 0, total };
    if (content.kind === "table") {
      return { note: "", rows: tableRows(mill, { name: this.#name, spec: sources.tables.get(content.source) }, asked) };
    }
    const spec = sources.pools.get(content.source);
    if (spec === undefined) return { note: "", rows: [] };
    const { odds } = mill.pools(`report ${this.#name}`, spec).pool(content.pool).odds();
    if (content.stock === "infinite") return { note: "", rows: oddsRows(odds, asked) };
    const note =
      content.stock === "region"
        ? "Each region of 256 × 256 cells has a stock of its own, so draws are without replacement within a region."
        : "One stock for the whole world: draws are without replacement until the pool is empty and refills.";
    return { note, rows: odds.map(({ result }) => plainRow(String(result), asked.countOf(String(result)))) };
  }
}

/** Returns the name of a result, from its JSON. For a stack, which is an object, the name is its field `result`. */
function resultIn(text: string): string {
  if (text === "" || text === "null") return NONE;
  const content = JSON.parse(text) as string | number | { readonly result: string };
  return typeof content === "object" ? content.result : String(content);
}

export const NONE = "(none)";

/**
 * Returns the rows of a table's results. If the exact odds cannot be computed, for example because of a script, returns
 * no rows.
 */
export function tableRows(
  mill: Mill,
  { name, spec }: { readonly name: string; readonly spec: Parameters<Mill["table"]>[1] | undefined },
  asked: { readonly countOf: (result: string) => number; readonly total: number },
): Row[] {
  if (spec === undefined) return [];
  return (
    unlessRefused(() => {
      const { odds, none } = mill.table(`report ${name}`, spec).odds();
      const rows = oddsRows(odds, asked);
      return none.numerator === 0n ? rows : [...rows, ...oddsRows([{ result: NONE, probability: none }], asked)];
    }) ?? []
  );
}

/**
 * Returns the result of a call, or undefined if the call throws a RollmillError. An example is a computation of exact
 * odds that would need too many steps.
 */
export function unlessRefused<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (cause) {
    if (cause instanceof RollmillError) return undefined;
    throw cause;
  }
}

/** Counts the names of items. */
class ItemCounter implements ContentCounter {
  readonly #title: string;
  readonly #names = new Map<string, number>();

  constructor(name: string, { source }: MadeContentSpec) {
    this.#title = `${name}: items of ${source}`;
  }

  add(content: string): void {
    const { name = NONE } = JSON.parse(content) as MadeContent;
    this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
  }

  distributions(): Distribution[] {
    const rows = mostCommon(this.#names);
    return [{ title: this.#title, note: `${this.#names.size.toLocaleString("en")} different names.`, rows }];
  }
}

/** Counts the kinds, the affixes and the artifacts of objects. */
class ObjectCounter implements ContentCounter {
  readonly #title: string;
  readonly #name: string;
  readonly #content: MadeContentSpec;
  readonly #opened: Opened;
  readonly #kinds = new Map<string, number>();
  readonly #affixes = new Map<string, number>();
  readonly #artifacts = new Map<string, number>();
  /** For each group of options and each level, the number of objects. */
  readonly #levels = new Map<string, { readonly group: number; readonly level: number; count: number }>();

  constructor(name: string, content: MadeContentSpec, opened: Opened) {
    this.#name = name;
    this.#title = `${name}: objects of ${content.source}`;
    this.#content = content;
    this.#opened = opened;
  }

  add(text: string, terrain: number): void {
    const { kind, level = 0, affixes = [], artifact } = JSON.parse(text) as MadeContent;
    count(this.#kinds, kind === undefined ? NONE : plainName(kind.fullName));
    for (const { name } of affixes) count(this.#affixes, name);
    if (artifact !== undefined) count(this.#artifacts, artifact.name);
    const group = this.#content.groupOf[terrain];
    const key = `${group} ${level}`;
    const known = this.#levels.get(key);
    if (known === undefined) this.#levels.set(key, { group, level, count: 1 });
    else known.count++;
  }

  distributions(): Distribution[] {
    const part = (title: string, rows: readonly Row[], note = ""): Distribution => ({
      title: `${this.#title}, ${title}`,
      note,
      rows,
    });
    const artifacts = mostCommon(this.#artifacts);
    const note =
      this.#content.stock === "world"
        ? "The odds leave out artifacts, which replace a few objects."
        : "The odds are those of the level of each object.";
    return [
      part("kinds", this.#kindRows(), note),
      part("affixes", mostCommon(this.#affixes), "An object can have several affixes, or none."),
      ...(artifacts.length === 0 ? [] : [part("artifacts", artifacts, "Each artifact exists at most once.")]),
    ];
  }

  /**
   * Returns a row for each kind, with its expected count. The odds of a kind depend on the level, so each object adds
   * to this count the odds of the kind at the object's own level.
   */
  #kindRows(): Row[] {
    const expected = unlessRefused(() => this.#expectedKinds());
    if (expected === undefined) return mostCommon(this.#kinds);
    const names = new Set([...expected.keys(), ...this.#kinds.keys()]);
    return [...names].map((name) =>
      sumRow(name, this.#kinds.get(name) ?? 0, expected.get(name) ?? { expected: 0, variance: 0 }),
    );
  }

  #expectedKinds(): Map<string, { expected: number; variance: number }> | undefined {
    const { sources, mill } = this.#opened;
    const files = sources.objects.get(this.#content.source);
    if (files === undefined) return undefined;
    const maker = mill.objects(`report ${this.#name}`, files);
    const sums = new Map<string, { expected: number; variance: number }>();
    for (const { group, level, count: n } of this.#levels.values()) {
      const { kind, ...options } = this.#content.groups[group].options as Readonly<Record<string, never>>;
      // if the options request a kind, no kind is drawn
      if (kind !== undefined) return undefined;
      for (const { result, probability } of maker.odds({ of: "kind", level, ...options }).odds) {
        const p = toNumber(probability);
        if (p === 0) continue;
        const name = plainName(result.fullName);
        const sum = sums.get(name) ?? { expected: 0, variance: 0 };
        sums.set(name, { expected: sum.expected + n * p, variance: sum.variance + n * p * (1 - p) });
      }
    }
    return sums;
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

/** Returns rows without odds, the most common result first. */
export function mostCommon(counts: ReadonlyMap<string, number>): Row[] {
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1)).map(([name, n]) => plainRow(name, n));
}
