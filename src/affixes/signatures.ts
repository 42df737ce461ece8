import { error, fail } from "../errors/index.js";
import type { PlanImage } from "../kernel/index.js";
import { type AllocationTables, bandsAt, type Choice } from "./allocation.js";
import { fits } from "./law.js";
import type { AffixTarget, KindSpec, ObjectFiles } from "./types.js";

/** An affix, by index, and those of its T lines that are about a kind; no line is left out for its depths. */
interface Reaching {
  readonly affix: number;
  readonly lines: readonly AffixTarget[];
}

/** The most cases that what may come is told apart by: a few seconds of work. */
const MOST_CELLS = 2 ** 21;

/** Places what affixes may come to a kind, at which depths and levels; kinds with the same T lines share it. */
export class Signatures {
  readonly #image: PlanImage;
  readonly #tables: AllocationTables;
  readonly #levels: number;
  #cells = 0;
  /** What reaches some kind of a tval. */
  readonly #byTval = new Map<number, Reaching[]>();
  readonly #offsets = new Map<string, number>();

  constructor(image: PlanImage, tables: AllocationTables, files: ObjectFiles) {
    this.#image = image;
    this.#tables = tables;
    this.#levels = files.levels.length;
    for (const [affix, { targets }] of files.affixes.entries()) {
      for (const tval of new Set(targets.map((line) => line.tval))) {
        const own = this.#byTval.get(tval) ?? [];
        own.push({ affix, lines: targets.filter((line) => line.tval === tval) });
        this.#byTval.set(tval, own);
      }
    }
  }

  /** The offset of a kind's signature; 0 where no affix can come to it. */
  of(kind: KindSpec): number {
    const own = this.#byTval.get(kind.tval) ?? [];
    const reaching = own.flatMap(({ affix, lines: all }) => {
      const lines = all.filter((line) => fits(line, kind));
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

  /** Tables for every depth, boost and level: files of games have some 60,000, but they could be made to have billions. */
  #refuseTooMany(cells: number): void {
    this.#cells += cells;
    if (this.#cells <= MOST_CELLS) return;
    fail(
      error("object.files", {
        problem: "the depths of T lines are too many different ones",
        got: `${this.#cells} cases or more`,
        expected: `at most ${MOST_CELLS} of types, depths, boosts and levels`,
        remedy: "Let T lines share their depths",
      }),
    );
  }

  /** (assembly/kernel/objectPlan.ts has the layout) */
  #place(reaching: readonly Reaching[]): number {
    const all = reaching.flatMap(({ lines }) => lines);
    const real = bandsAt(all.map(({ most }) => most + 1));
    const boosted = bandsAt(all.map(({ least }) => least));
    const cells: number[] = [];
    this.#refuseTooMany(real.starts.length * boosted.starts.length * this.#levels);
    for (const depth of real.starts) {
      for (const [band, least] of boosted.starts.entries()) {
        // a boost is never to a lesser depth: where the whole band lies above the real one, nothing is asked
        const isNever = (boosted.starts[band + 1] ?? Number.POSITIVE_INFINITY) <= depth;
        for (let level = 0; level < this.#levels; level++) {
          cells.push(isNever ? 0 : this.#tables.number(choiceOf(reaching, { depth, boosted: least, level })));
        }
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
}

/** The affixes that may come: each by the first of its lines that matches. */
function choiceOf(
  reaching: readonly Reaching[],
  at: { readonly depth: number; readonly boosted: number; readonly level: number },
): Choice {
  const ids: number[] = [];
  const weights: number[] = [];
  for (const { affix, lines } of reaching) {
    for (const { least, most, level, probability } of lines) {
      if (least > at.boosted || at.depth > most || level > at.level) continue;
      if (probability > 0) {
        ids.push(affix);
        weights.push(probability);
      }
      break;
    }
  }
  return { ids, weights };
}
