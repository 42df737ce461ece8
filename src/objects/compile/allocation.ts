import type { PlanImage } from "../../kernel/index.js";
import {
  AffixSignature,
  AliasRecord,
  DEPTHS,
  SIGNATURE_BANDS,
  SIGNATURE_BOOSTED_BANDS,
  SIGNATURE_TABLES,
  TableRun,
} from "../../kernel/layout.js";
import { canBeDrawn } from "../law/kinds.js";
import type { AffixTarget, KindSpec, ObjectFiles, Quality } from "../types.js";
import { addTo, refuseAbove } from "./parts.js";

const FIRST_ENTRIES = 4096;

/** A weighted choice. Ids are below 2^16, and weights are above 0. */
class Choice {
  readonly ids: Uint16Array<ArrayBuffer>;
  readonly weights: Uint32Array<ArrayBuffer>;
  length = 0;
  hash = 0;

  constructor(most: number) {
    this.ids = new Uint16Array(most);
    this.weights = new Uint32Array(most);
  }

  clear(): void {
    this.length = 0;
    this.hash = 0;
  }

  add(id: number, weight: number): void {
    this.ids[this.length] = id;
    this.weights[this.length] = weight;
    this.length += 1;
    this.hash = Math.imul(this.hash ^ (id + (weight << 16)), 0x9e3779b1);
  }
}

/** The alias tables of a plan, numbered from 1. Choices with the same ids and weights share a table. */
export class AllocationTables {
  readonly #image: PlanImage;
  /** The entries of all tables. Table i has the entries `#ends[i − 1]` … `#ends[i]` − 1. */
  #ids = new Uint16Array(FIRST_ENTRIES);
  #weights = new Uint32Array(FIRST_ENTRIES);
  readonly #ends = [0];
  /** Maps a hash to its last table. `#before` maps a table to the previous table with its hash, or to 0. */
  readonly #lastOf = new Map<number, number>();
  readonly #before = [0];
  readonly #runs: TableRun[] = [];

  constructor(image: PlanImage) {
    this.#image = image;
  }

  number(choice: Choice): number {
    if (choice.length === 0) return 0;
    const last = this.#lastOf.get(choice.hash) ?? 0;
    for (let table = last; table > 0; table = this.#before[table]) if (this.#isOf(table, choice)) return table;
    this.#append(choice);
    this.#before.push(last);
    const table = this.#ends.length - 1;
    this.#lastOf.set(choice.hash, table);
    return table;
  }

  #isOf(table: number, { ids, weights, length }: Choice): boolean {
    const first = this.#ends[table - 1];
    if (this.#ends[table] - first !== length) return false;
    for (let i = 0; i < length; i++) {
      if (this.#ids[first + i] !== ids[i] || this.#weights[first + i] !== weights[i]) return false;
    }
    return true;
  }

  #append({ ids, weights, length }: Choice): void {
    const first = this.#ends[this.#ends.length - 1];
    const end = first + length;
    if (end > this.#ids.length) {
      const [moreIds, moreWeights] = [new Uint16Array(2 * end), new Uint32Array(2 * end)];
      moreIds.set(this.#ids);
      moreWeights.set(this.#weights);
      [this.#ids, this.#weights] = [moreIds, moreWeights];
    }
    this.#ids.set(ids.subarray(0, length), first);
    this.#weights.set(weights.subarray(0, length), first);
    this.#ends.push(end);
  }

  /** Registers table numbers in the image. The kernel replaces them by references to the tables that it builds. */
  addRun(first: number, count: number): void {
    this.#runs.push({ first, count });
  }

  place() {
    const count = this.#ends.length - 1;
    const entries = this.#ends[count];
    const ids = this.#image.place(this.#ids.subarray(0, entries));
    const weights = this.#image.place(this.#weights.subarray(0, entries));
    const tables = Array.from({ length: count }, (_, i) => {
      const first = this.#ends[i];
      return {
        built: 0,
        length: this.#ends[i + 1] - first,
        ids: ids + first * Uint16Array.BYTES_PER_ELEMENT,
        weights: weights + first * Uint32Array.BYTES_PER_ELEMENT,
      };
    });
    return {
      tables: this.#image.putAll(AliasRecord, tables),
      tableCount: count,
      runs: this.#image.putAll(TableRun, this.#runs),
      runCount: this.#runs.length,
    };
  }
}

/** Divides the depths into bands. A band begins at depth 0 and at each cut. Skips cuts that are not depths. */
function bandsAt(cuts: Iterable<number>) {
  const starts = [...new Set([0, ...cuts])].filter((cut) => cut < DEPTHS).sort((a, b) => a - b);
  const bandOf = new Uint8Array(DEPTHS);
  for (const [band, start] of starts.entries()) bandOf.fill(band, start);
  return { starts, bandOf };
}

/** Places the alias tables that pick any kind or a good kind, one for each band of depths. */
export function placeKindTables(image: PlanImage, tables: AllocationTables, { kinds, rules }: ObjectFiles) {
  const place = (quality: Quality) => {
    const drawn = kinds.flatMap((kind, id) => {
      const { allocation } = kind;
      return allocation !== undefined && canBeDrawn(kind, { rules, quality }) ? [{ id, ...allocation }] : [];
    });
    const { starts, bandOf } = bandsAt(drawn.flatMap(({ least, most }) => [least, most + 1]));
    // no kind occurs deeper than `deepest`, so all greater depths use the table of the depth `deepest`
    const deepest = drawn.reduce((depth, { most }) => Math.max(depth, most), 0);
    bandOf.fill(bandOf[deepest], deepest);
    const choice = new Choice(drawn.length);
    const numbers = starts.map((depth) => {
      choice.clear();
      for (const { id, least, most, commonness } of drawn) {
        if (least <= depth && depth <= most) choice.add(id, commonness);
      }
      return tables.number(choice);
    });
    const first = image.words(numbers);
    tables.addRun(first, numbers.length);
    return { bands: image.place(bandOf), tables: first };
  };
  const [all, good] = [place("normal"), place("good")];
  return { kindBands: all.bands, kindTables: all.tables, goodKindBands: good.bands, goodKindTables: good.tables };
}

type Reaching = { readonly affix: number; readonly lines: readonly AffixTarget[] };

interface OfTval {
  readonly reaching: Reaching[];
  /** The svals at which the set of matching T lines changes. */
  readonly cuts: Set<number>;
  /** The offsets of signatures, by the number of cuts up to an sval: the svals between two cuts share one. */
  readonly offsets: Map<number, number>;
}

/** A cell is a table for a band of real depths, a band of boosted ones and an affix level. A game has some 15,000. */
const MAX_CELLS = 2 ** 21;
const MAX_COMPARISONS = 2 ** 28;
const COMBINATIONS = "combinations of type, depth, boosted depth and level";
const COMPARISONS = "comparisons of a T line with such a combination";
const TOO_MANY_DEPTHS = {
  problem: "the T lines have too many different depths",
  remedy: "Use the same depths in several T lines",
};

/** A signature has an alias table for each cell, with the affixes that a kind can get there. */
export class Signatures {
  readonly #image: PlanImage;
  readonly #tables: AllocationTables;
  readonly #choices: readonly Choice[];
  #cells = 0;
  #comparisons = 0;
  readonly #byTval = new Map<number, OfTval>();
  readonly #offsets = new Map<string, number>();

  constructor(image: PlanImage, tables: AllocationTables, files: ObjectFiles) {
    this.#image = image;
    this.#tables = tables;
    this.#choices = files.levels.map(() => new Choice(files.affixes.length));
    for (const [affix, { targets }] of files.affixes.entries()) {
      const linesByTval = new Map<number, AffixTarget[]>();
      for (const target of targets) addTo(linesByTval, target.tval, target);
      for (const [tval, lines] of linesByTval) {
        const own: OfTval = this.#byTval.get(tval) ?? { reaching: [], cuts: new Set(), offsets: new Map() };
        own.reaching.push({ affix, lines });
        for (const { leastSval, mostSval } of lines) own.cuts.add(leastSval).add(mostSval + 1);
        this.#byTval.set(tval, own);
      }
    }
  }

  /** Returns the offset of a kind's signature; 0 if the kind can get no affix. */
  of(kind: KindSpec): number {
    const own = this.#byTval.get(kind.tval);
    if (own === undefined) return 0;
    let band = 0;
    for (const cut of own.cuts) band += Number(cut <= kind.sval);
    const offset = own.offsets.get(band) ?? this.#find(own.reaching, kind);
    own.offsets.set(band, offset);
    return offset;
  }

  #find(all: readonly Reaching[], kind: KindSpec): number {
    const reaching = all.flatMap(({ affix, lines: ofTval }) => {
      const lines = ofTval.filter(({ leastSval, mostSval }) => leastSval <= kind.sval && kind.sval <= mostSval);
      return lines.length === 0 ? [] : [{ affix, lines }];
    });
    if (reaching.length === 0) return 0;
    const key = reaching.map(({ affix, lines }) => [affix, ...lines.map(({ place }) => place.line)].join(".")).join();
    const offset = this.#offsets.get(key) ?? this.#place(reaching);
    this.#offsets.set(key, offset);
    return offset;
  }

  #place(reaching: readonly Reaching[]): number {
    const all = reaching.flatMap(({ lines }) => lines);
    const real = bandsAt(all.map(({ most }) => most + 1));
    const boosted = bandsAt(all.map(({ least }) => least));
    const cells: number[] = [];
    const count = real.starts.length * boosted.starts.length * this.#choices.length;
    this.#cells += count;
    this.#comparisons += count * all.length;
    refuseAbove(MAX_CELLS, this.#cells, { ...TOO_MANY_DEPTHS, of: COMBINATIONS });
    refuseAbove(MAX_COMPARISONS, this.#comparisons, { ...TOO_MANY_DEPTHS, of: COMPARISONS });
    for (const depth of real.starts) {
      for (const [band, least] of boosted.starts.entries()) {
        // a boosted depth is never less than the real depth
        const isNever = (boosted.starts[band + 1] ?? Number.POSITIVE_INFINITY) <= depth;
        for (const choice of this.#choices) choice.clear();
        if (!isNever) this.#fill(reaching, { depth, boosted: least });
        for (const choice of this.#choices) cells.push(this.#tables.number(choice));
      }
    }
    const at = this.#image.reserve(SIGNATURE_TABLES + cells.length * Uint32Array.BYTES_PER_ELEMENT);
    this.#image.set(at, AffixSignature, { boostedBands: boosted.starts.length });
    this.#image.copy(at + SIGNATURE_BANDS, real.bandOf);
    this.#image.copy(at + SIGNATURE_BOOSTED_BANDS, boosted.bandOf);
    this.#image.copy(at + SIGNATURE_TABLES, Uint32Array.from(cells));
    this.#tables.addRun(at + SIGNATURE_TABLES, cells.length);
    return at;
  }

  /** Adds the affixes that are possible in a cell to the choice of each affix level. The first matching T line counts. */
  #fill(reaching: readonly Reaching[], at: { readonly depth: number; readonly boosted: number }): void {
    for (const { affix, lines } of reaching) {
      // this line decides at the levels `level` … `above` − 1; from `above` on, an earlier line decides
      let above = this.#choices.length;
      for (const { least, most, level, probability } of lines) {
        if (least > at.boosted || at.depth > most) continue;
        for (let own = level; own < above && probability > 0; own++) this.#choices[own].add(affix, probability);
        above = Math.min(above, level);
      }
    }
  }
}
