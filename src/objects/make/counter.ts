import { MOST_AFFIXES } from "../law/slots.js";
import type { AffixSpec, ArtifactSpec, KindSpec, ObjectFiles, ObjectPart, PartSpecs, ThemeSpec } from "../types.js";
import type { MadeObjects } from "./madeObjects.js";

/** The counts of one level. Omits records that did not occur. */
export interface LevelTally {
  readonly level: number;
  /** Number of objects made. */
  readonly objects: number;
  /** Number of objects of each kind, in the order of the files. */
  readonly kinds: ReadonlyMap<KindSpec, number>;
  /** Number of objects with each affix. Does not count affixes that a theme added. */
  readonly affixes: ReadonlyMap<AffixSpec, number>;
  readonly themes: ReadonlyMap<ThemeSpec, number>;
  /** The artifacts that were made. Each count is 1: a stock makes an artifact once, and each level has a new stock. */
  readonly artifacts: ReadonlyMap<ArtifactSpec, number>;
  /** Entry i is the number of objects with i affixes, 0 … 8. An affix that an object has twice counts twice. */
  readonly affixCounts: readonly number[];
  /** Mean number of affixes of an object. */
  readonly meanAffixes: number;
}

export class Counter {
  readonly records: { readonly [Part in ObjectPart]: readonly PartSpecs[Part][] };
  /** For each part, such as `theme`: entry 0 counts objects without a theme, entry i objects with theme i − 1. */
  readonly #counts: Readonly<Record<ObjectPart, Float64Array<ArrayBuffer>>>;
  readonly #affixCounts = new Float64Array(MOST_AFFIXES + 1);
  #objects = 0;

  constructor({ kinds, affixes, themes, artifacts }: ObjectFiles) {
    const counts = (records: readonly unknown[]) => new Float64Array(records.length + 1);
    this.records = { kind: kinds, affix: affixes, theme: themes, artifact: artifacts };
    this.#counts = { kind: counts(kinds), affix: counts(affixes), theme: counts(themes), artifact: counts(artifacts) };
  }

  add({ kind, artifact, theme, affixes, affixCount }: MadeObjects, length: number): void {
    const counts = this.#counts;
    this.#objects += length;
    for (let k = 0; k < length; k++) {
      counts.kind[kind[k] + 1]++;
      counts.artifact[artifact[k]]++;
      counts.theme[theme[k]]++;
      this.#affixCounts[affixCount[k]]++;
      const first = k * MOST_AFFIXES;
      for (let place = first; place < first + affixCount[k]; place++) {
        // an affix that an object has twice counts once
        if (affixes.indexOf(affixes[place], first) === place) counts.affix[affixes[place]]++;
      }
    }
    counts.affix[0] = this.#affixCounts[0];
  }

  none(of: ObjectPart): number {
    return this.#counts[of][0];
  }

  counts<Part extends ObjectPart>(of: Part, listed?: Iterable<unknown>): ReadonlyMap<PartSpecs[Part], number> {
    const kept = new Set(listed);
    return new Map(
      this.records[of].flatMap((record, i): [PartSpecs[Part], number][] => {
        const count = this.#counts[of][i + 1];
        return count > 0 || kept.has(record) ? [[record, count]] : [];
      }),
    );
  }

  tally(level: number): LevelTally {
    const affixCounts = [...this.#affixCounts];
    return {
      level,
      objects: this.#objects,
      kinds: this.counts("kind"),
      affixes: this.counts("affix"),
      themes: this.counts("theme"),
      artifacts: this.counts("artifact"),
      affixCounts,
      meanAffixes: sumOf(affixCounts) / this.#objects,
    };
  }
}

export function sumOf(affixCounts: readonly number[]): number {
  return affixCounts.reduce((sum, count, affixes) => sum + count * affixes, 0);
}
