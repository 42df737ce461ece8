import { error, fail } from "../../errors/index.js";
import type { PlanImage } from "../../kernel/index.js";
import { fits } from "../odds/law.js";
import type { AffixTarget, KindSpec, ObjectFiles } from "../types.js";
import { type AllocationTables, bandsAt, Choice } from "./allocation.js";

/** An affix, by index, and those of its T lines that are about a kind; no line is left out for its depths. */
interface Reaching {
  readonly affix: number;
  readonly lines: readonly AffixTarget[];
}

/** What is known of a tval: what reaches some kind of it, and where these are told apart by their svals. */
interface OfTval {
  readonly reaching: Reaching[];
  /** Svals at which a T line begins, or has ended. */
  readonly cuts: Set<number>;
  /** Signatures of svals, by how many cuts are no greater. */
  readonly offsets: Map<number, number>;
}

/** The most cases that what may come is told apart by: a few seconds of work. */
const MOST_CELLS = 2 ** 21;

/** The most lines looked at for all of them: a few seconds of work. */
const MOST_LOOKS = 2 ** 28;

/** Places what affixes may come to a kind, at which depths and levels; kinds with the same T lines share it. */
export class Signatures {
  readonly #image: PlanImage;
  readonly #tables: AllocationTables;
  /** What may come up to each affix level: of one cell at a time. */
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

  /** The offset of a kind's signature; 0 where no affix can come to it. */
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

  /** Tables for every depth, boost and level: files of a game have some 15,000, but they could be made to have billions. */
  #refuseTooMany(cells: number, lines: number): void {
    this.#cells += cells;
    this.#looks += cells * lines;
    const remedy = "Let T lines share their depths";
    if (this.#cells > MOST_CELLS) {
      fail(
        error("object.files", {
          problem: "the depths of T lines are too many different ones",
          got: `${this.#cells} cases or more`,
          expected: `at most ${MOST_CELLS} of types, depths, boosts and levels`,
          remedy,
        }),
      );
    }
    if (this.#looks > MOST_LOOKS) {
      fail(
        error("object.files", {
          problem: "the T lines are too many for so many different depths",
          got: `${this.#looks} lines in all cases or more`,
          expected: `at most ${MOST_LOOKS}`,
          remedy,
        }),
      );
    }
  }

  /** (assembly/objects/plan.ts has the layout) */
  #place(reaching: readonly Reaching[]): number {
    const all = reaching.flatMap(({ lines }) => lines);
    const real = bandsAt(all.map(({ most }) => most + 1));
    const boosted = bandsAt(all.map(({ least }) => least));
    const cells: number[] = [];
    this.#refuseTooMany(real.starts.length * boosted.starts.length * this.#choices.length, all.length);
    for (const depth of real.starts) {
      for (const [band, least] of boosted.starts.entries()) {
        // a boost is never to a lesser depth: where the whole band lies above the real one, nothing is asked
        const isNever = (boosted.starts[band + 1] ?? Number.POSITIVE_INFINITY) <= depth;
        for (const choice of this.#choices) choice.clear();
        if (!isNever) this.#fill(reaching, { depth, boosted: least });
        for (const choice of this.#choices) cells.push(this.#tables.number(choice));
      }
    }
    const head = new Uint8Array(2 * (real.bandOf.length + 2 + 2 * cells.length));
    head.set(real.bandOf);
    head.set(boosted.bandOf, real.bandOf.length);
    const numbers = new Uint32Array(1 + cells.length);
    numbers[0] = boosted.starts.length;
    numbers.set(cells, 1);
    head.set(new Uint8Array(numbers.buffer), 2 * real.bandOf.length);
    const at = this.#image.place(head);
    this.#tables.note(at + head.length - 4 * cells.length, cells.length);
    return at;
  }

  /** Adds the affixes that may come, by affix level: each by the first of its lines that matches. */
  #fill(reaching: readonly Reaching[], at: { readonly depth: number; readonly boosted: number }): void {
    for (const { affix, lines } of reaching) {
      // a line is the first for its own level and those above that no line before it was for
      let above = this.#choices.length;
      for (const { least, most, level, probability } of lines) {
        if (least > at.boosted || at.depth > most) continue;
        for (let own = level; own < above && probability > 0; own++) this.#choices[own].add(affix, probability);
        above = Math.min(above, level);
      }
    }
  }
}
