import { error, fail } from "../../errors/index.js";
import type { PlanImage } from "../../kernel/index.js";
import { AffixSignature, SIGNATURE_BANDS, SIGNATURE_BOOSTED_BANDS, SIGNATURE_TABLES } from "../../kernel/layout.js";
import { fits } from "../odds/law.js";
import type { AffixTarget, KindSpec, ObjectFiles } from "../types.js";
import { type AllocationTables, bandsAt, Choice } from "./allocation.js";

/** The index of an affix, and its T lines that match a kind or a tval at some depth. */
interface Reaching {
  readonly affix: number;
  readonly lines: readonly AffixTarget[];
}

/** The affixes with T lines for a tval, and the svals at which the set of matching lines changes. */
interface OfTval {
  readonly reaching: Reaching[];
  /** The first sval of the range of each T line, and the first sval after the range. */
  readonly cuts: Set<number>;
  /** Maps the number of cuts that are less than or equal to an sval to the offset of a signature. */
  readonly offsets: Map<number, number>;
}

/** Maximum number of cells of all signatures, which limits the work to a few seconds. */
const MOST_CELLS = 2 ** 21;

/** Maximum number of checks of a T line for a cell, which limits the work to a few seconds. */
const MOST_LOOKS = 2 ** 28;

/**
 * Places signatures. A signature lists the affixes that a kind can get at each real depth, boosted depth and affix
 * level. Kinds that the same T lines match share a signature.
 */
export class Signatures {
  readonly #image: PlanImage;
  readonly #tables: AllocationTables;
  /** For each affix level, the affixes that are possible in the current cell. */
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

  /** Returns the offset of a kind's signature; 0 if the kind can get no affix. */
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
   * A signature has a cell for each band, boosted band and affix level. The files of a game have some 15,000 cells in
   * all, but other files could have billions.
   */
  #refuseTooMany(cells: number, lines: number): void {
    this.#cells += cells;
    this.#looks += cells * lines;
    const remedy = "Use the same depths in several T lines";
    if (this.#cells > MOST_CELLS) {
      fail(
        error("object.files", {
          problem: "the T lines have too many different depths",
          got: `${this.#cells} combinations or more`,
          expected: `at most ${MOST_CELLS} combinations of type, depth, boosted depth and level`,
          remedy,
        }),
      );
    }
    if (this.#looks > MOST_LOOKS) {
      fail(
        error("object.files", {
          problem: "too many T lines for this number of different depths",
          got: `${this.#looks} checks of a line or more`,
          expected: `at most ${MOST_LOOKS} checks`,
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
        // a boosted depth is never less than the real depth, so a band that ends before it is never used
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
   * Adds the affixes that are possible at each affix level. Their weight is the probability of the first line that
   * matches.
   */
  #fill(reaching: readonly Reaching[], at: { readonly depth: number; readonly boosted: number }): void {
    for (const { affix, lines } of reaching) {
      // a line is the first to match from its own level up to the lowest level of the lines before it, exclusive
      let above = this.#choices.length;
      for (const { least, most, level, probability } of lines) {
        if (least > at.boosted || at.depth > most) continue;
        for (let own = level; own < above && probability > 0; own++) this.#choices[own].add(affix, probability);
        above = Math.min(above, level);
      }
    }
  }
}
