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

/** A weighted choice. Each entry has an id in its lower 16 bits and a weight above 0 in its upper 16 bits. */
class Choice {
  readonly #entries: Uint32Array<ArrayBuffer>;
  #length = 0;
  hash = 0;

  constructor(most: number) {
    this.#entries = new Uint32Array(most);
  }

  get entries(): Uint32Array<ArrayBuffer> {
    return this.#entries.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
    this.hash = 0;
  }

  add(id: number, weight: number): void {
    const entry = id | (weight << 16);
    this.#entries[this.#length++] = entry;
    this.hash = Math.imul(this.hash ^ entry, 0x9e3779b1);
  }
}

/** The alias tables of a plan, numbered from 1. Choices with the same entries share a table. */
export class AllocationTables {
  readonly #image: PlanImage;
  readonly #tables: Uint32Array<ArrayBuffer>[] = [];
  readonly #byHash = new Map<number, number[]>();
  readonly #runs: TableRun[] = [];

  constructor(image: PlanImage) {
    this.#image = image;
  }

  number({ entries, hash }: Choice): number {
    if (entries.length === 0) return 0;
    const isSame = (table: number) => {
      const other = this.#tables[table - 1];
      return other.length === entries.length && other.every((entry, i) => entry === entries[i]);
    };
    const known = this.#byHash.get(hash)?.find(isSame);
    if (known !== undefined) return known;
    const table = this.#tables.push(entries.slice());
    addTo(this.#byHash, hash, table);
    return table;
  }

  /** Registers `count` table numbers at offset `first` of the image. The kernel replaces each by a table reference. */
  addRun(first: number, count: number): void {
    this.#runs.push({ first, count });
  }

  place() {
    const count = this.#tables.reduce((sum, { length }) => sum + length, 0);
    let ids = this.#image.reserve(count * Uint16Array.BYTES_PER_ELEMENT);
    let weights = this.#image.reserve(count * Uint32Array.BYTES_PER_ELEMENT);
    const tables = this.#tables.map((table) => {
      const record = { built: 0, length: table.length, ids, weights };
      // the conversion to 16 bits removes the weight and keeps the id
      this.#image.copy(ids, Uint16Array.from(table));
      this.#image.copy(
        weights,
        table.map((entry) => entry >>> 16),
      );
      ids += table.length * Uint16Array.BYTES_PER_ELEMENT;
      weights += table.length * Uint32Array.BYTES_PER_ELEMENT;
      return record;
    });
    return {
      tables: this.#image.putAll(AliasRecord, tables),
      tableCount: tables.length,
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
  /** Maps the number of cuts up to an sval to the offset of its signature: svals between two cuts share a signature. */
  readonly offsets: Map<number, number>;
}

/** A cell is a band of real depths, a band of boosted depths and an affix level. A game has some 15,000 cells. */
const MAX_CELLS = 2 ** 21;
const MAX_COMPARISONS = 2 ** 28;
const COMBINATIONS = "combinations of type, depth, boosted depth and level";
const COMPARISONS = "comparisons of a T line with a combination of type, depth, boosted depth and level";
const TOO_MANY_DEPTHS = {
  problem: "the T lines have too many different depths",
  remedy: "Write the same depths in several T lines",
};

/** Places signatures. A signature has an alias table for each cell: the affixes that a kind can get in this cell. */
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

  /**
   * Adds the affixes that are possible in a cell to the choice of each affix level. The first matching T line counts.
   */
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
