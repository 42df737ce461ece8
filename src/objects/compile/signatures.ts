import { error, fail } from "../../errors/index.js";
import {
  AffixSignature,
  type PlanImage,
  SIGNATURE_BANDS,
  SIGNATURE_BOOSTED_BANDS,
  SIGNATURE_TABLES,
} from "../../kernel/index.js";
import { fits } from "../odds/law.js";
import type { AffixTarget, KindSpec, ObjectFiles } from "../types.js";
import { type AllocationTables, bandsAt, Choice } from "./allocation.js";

/** An affix, by index, and those of its T lines that match a kind, whatever the depths. */
interface Reaching {
  readonly affix: number;
  readonly lines: readonly AffixTarget[];
}

/** The affixes that match kinds of a tval, and the ranges of svals that they tell apart. */
interface OfTval {
  readonly reaching: Reaching[];
  /** Svals at which the range of a T line begins, or which are the first behind its end. */
  readonly cuts: Set<number>;
  /** Offsets of signatures, by the number of cuts that are not greater than the sval. */
  readonly offsets: Map<number, number>;
}

/** The most cells of all signatures: a few seconds of work. */
const MOST_CELLS = 2 ** 21;

/** The most T lines looked at for all cells: a few seconds of work. */
const MOST_LOOKS = 2 ** 28;

/**
 * Places signatures: which affixes may come to a kind at which depths and levels. Kinds with the same T lines share
 * one.
 */
export class Signatures {
  readonly #image: PlanImage;
  readonly #tables: AllocationTables;
  /** By affix level: the affixes that may come, for one cell at a time. */
  readonly #choices: readonly Choice[];
  #cells = 0;
  #looks = 0;
  readonly #byTval = new Map<number, OfTval>();
  readonly #offsets = new Map<string, number>();

  constructor(image: PlanImage, tables: AllocationTables, files: ObjectFiles) {
    this.#image = image;
    this.#tables = tables;
    this.#choices = files.levels.map(() => new Choice(files.affixes.length));
    for (const [affix, { targets }] of files.affixes.entries()) {
      for (const tval of new Set(targets.map((line) => line.tval))) {
        const lines = targets.filter((line) => line.tval === tval);
        const own: OfTval = this.#byTval.get(tval) ?? { reaching: [], cuts: new Set(), offsets: new Map() };
        own.reaching.push({ affix, lines });
        for (const { leastSval, mostSval } of lines) own.cuts.add(leastSval).add(mostSval + 1);
        this.#byTval.set(tval, own);
      }
    }
  }

  /** The offset of a kind's signature; 0 if no affix can come to the kind. */
  of(kind: KindSpec): number {
    const own = this.#byTval.get(kind.tval);
    if (own === undefined) return 0;
    let band = 0;
    for (const cut of own.cuts) band += Number(cut <= kind.sval);
    const known = own.offsets.get(band);
    if (known !== undefined) return known;
    const offset = this.#find(own.reaching, kind);
    own.offsets.set(band, offset);
    return offset;
  }

  #find(all: readonly Reaching[], kind: KindSpec): number {
    const reaching = all.flatMap(({ affix, lines: ofTval }) => {
      const lines = ofTval.filter((line) => fits(line, kind));
      return lines.length === 0 ? [] : [{ affix, lines }];
    });
    if (reaching.length === 0) return 0;
    const key = reaching.map(({ affix, lines }) => [affix, ...lines.map(({ place }) => place.line)].join(".")).join();
    const known = this.#offsets.get(key);
    if (known !== undefined) return known;
    const offset = this.#place(reaching);
    this.#offsets.set(key, offset);
    return offset;
  }

  /**
   * There is a cell for each band, boosted band and level: some 15,000 in a game's files, but a file could have
   * billions.
   */
  #refuseTooMany(cells: number, lines: number): void {
    this.#cells += cells;
    this.#looks += cells * lines;
    const remedy = "Let T lines share their depths";
    if (this.#cells > MOST_CELLS) {
      fail(
        error("object.files", {
          problem: "the T lines have too many different depths",
          got: `${this.#cells} cases or more`,
          expected: `at most ${MOST_CELLS} of types, depths, boosts and levels`,
          remedy,
        }),
      );
    }
    if (this.#looks > MOST_LOOKS) {
      fail(
        error("object.files", {
          problem: "there are too many T lines for so many different depths",
          got: `${this.#looks} lines in all cases or more`,
          expected: `at most ${MOST_LOOKS}`,
          remedy,
        }),
      );
    }
  }

  #place(reaching: readonly Reaching[]): number {
    const all = reaching.flatMap(({ lines }) => lines);
    const real = bandsAt(all.map(({ most }) => most + 1));
    const boosted = bandsAt(all.map(({ least }) => least));
    const cells: number[] = [];
    this.#refuseTooMany(real.starts.length * boosted.starts.length * this.#choices.length, all.length);
    for (const depth of real.starts) {
      for (const [band, least] of boosted.starts.entries()) {
        // a boosted depth is never less than the real one: a band that ends before it is never looked up
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

  /** Adds the affixes that may come at each affix level: each with the probability of its first line that matches. */
  #fill(reaching: readonly Reaching[], at: { readonly depth: number; readonly boosted: number }): void {
    for (const { affix, lines } of reaching) {
      // a line is the first to match at the levels from its own up to that of any line before it, exclusive
      let above = this.#choices.length;
      for (const { least, most, level, probability } of lines) {
        if (least > at.boosted || at.depth > most) continue;
        for (let own = level; own < above && probability > 0; own++) this.#choices[own].add(affix, probability);
        above = Math.min(above, level);
      }
    }
  }
}
