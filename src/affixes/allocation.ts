import type { PlanImage } from "../kernel/index.js";
import { MAX_DEPTH } from "./values.js";

/** What is chosen by weight: ids, and a weight above 0 for each. */
export interface Choice {
  readonly ids: readonly number[];
  readonly weights: readonly number[];
}

/** The alias tables of a plan: those with the same ids and weights are one. Tables are numbered from 1; 0 is none. */
export class AllocationTables {
  readonly #image: PlanImage;
  /** Choices by their hash, with their numbers. */
  readonly #known = new Map<number, { readonly choice: Choice; readonly number: number }[]>();
  readonly #choices: Choice[] = [];
  /** Of all choices. */
  #entries = 0;
  readonly #noted: number[] = [];

  constructor(image: PlanImage) {
    this.#image = image;
  }

  /** The number of the table of a choice; 0 where there is nothing to choose. Keeps the choice. */
  number(choice: Choice): number {
    if (choice.ids.length === 0) return 0;
    const hash = hashOf(choice);
    const alike = this.#known.get(hash) ?? [];
    const known = alike.find((other) => isSame(other.choice, choice));
    if (known !== undefined) return known.number;
    this.#choices.push(choice);
    this.#entries += choice.ids.length;
    const number = this.#choices.length;
    this.#known.set(hash, [...alike, { choice, number }]);
    return number;
  }

  /** Notes where numbers of tables stand one after another: the kernel puts the tables there. */
  note(at: number, count: number): void {
    this.#noted.push(at, count);
  }

  /** Places the tables' heads and what was noted: where they are, and how many. */
  place(): { readonly at: number; readonly count: number; readonly noted: number; readonly notedCount: number } {
    const ids = new Uint16Array(this.#entries);
    const weights = new Uint32Array(this.#entries);
    const heads: number[] = [];
    let entry = 0;
    for (const choice of this.#choices) {
      heads.push(0, choice.ids.length, 2 * entry, 4 * entry);
      for (let i = 0; i < choice.ids.length; i++, entry++) {
        ids[entry] = choice.ids[i];
        weights[entry] = choice.weights[i];
      }
    }
    const [idsAt, weightsAt] = [this.#image.place(ids), this.#image.place(weights)];
    for (let head = 0; head < heads.length; head += 4) {
      heads[head + 2] += idsAt;
      heads[head + 3] += weightsAt;
    }
    return {
      ...{ at: this.#image.words(heads), count: this.#choices.length },
      ...{ noted: this.#image.words(this.#noted), notedCount: this.#noted.length / 2 },
    };
  }
}

/** A hash of ids and weights, by multiplication with an odd constant. */
function hashOf({ ids, weights }: Choice): number {
  let hash = ids.length;
  for (let i = 0; i < ids.length; i++) hash = Math.imul(hash ^ (ids[i] + (weights[i] << 16)), 0x9e3779b1);
  return hash;
}

function isSame(a: Choice, b: Choice): boolean {
  if (a.ids.length !== b.ids.length) return false;
  for (let i = 0; i < a.ids.length; i++) if (a.ids[i] !== b.ids[i] || a.weights[i] !== b.weights[i]) return false;
  return true;
}

/** Depths cut into bands at which nothing changes but at their starts: a start for each, and the band of each depth. */
export interface Bands {
  readonly starts: readonly number[];
  readonly bandOf: Uint8Array<ArrayBuffer>;
}

/** Cuts the depths 0 … 255 at these ones; what is beyond them is left out. */
export function bandsAt(cuts: Iterable<number>): Bands {
  const starts = [...new Set([0, ...cuts])].filter((cut) => cut <= MAX_DEPTH).sort((a, b) => a - b);
  const bandOf = new Uint8Array(MAX_DEPTH + 1);
  for (const [band, start] of starts.entries()) bandOf.fill(band, start);
  return { starts, bandOf };
}
