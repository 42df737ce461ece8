import { halfPercentsOf } from "../law/themes.js";
import type { ObjectConstants } from "../types.js";
import type { TrackedTheme } from "./slotLaw.js";

interface Part {
  readonly places: readonly number[];
  readonly next: Map<number, number>;
}

/**
 * Gives a number to each set of tracked affixes that have lines in one theme, in the order of first use. Set 0 is
 * empty.
 */
export class ThemeParts {
  readonly #theme: TrackedTheme;
  readonly #constants: ObjectConstants["themes"];
  readonly #parts: Part[] = [{ places: [], next: new Map() }];
  readonly #numbers = new Map<string, number>();
  /** For each set, the chance of the theme in units of 0.5 %, if no other theme matches. */
  readonly halfPercents: number[] = [0];

  constructor(theme: TrackedTheme, { themes }: ObjectConstants) {
    this.#theme = theme;
    this.#constants = themes;
  }

  placesOf(part: number): readonly number[] {
    return this.#parts[part].places;
  }

  /** Returns the number of the set with the affix `place` added. The affix must have a line in the theme. */
  after(part: number, place: number): number {
    const { next } = this.#parts[part];
    const known = next.get(place);
    if (known !== undefined) return known;
    const added = this.#find([...this.#parts[part].places, place].sort((a, b) => a - b));
    next.set(place, added);
    return added;
  }

  #find(places: readonly number[]): number {
    const key = places.join();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#parts.length);
    const weights = places.map((place) => this.#theme.weights.get(place) ?? 0);
    const weight = weights.reduce((sum, one) => sum + one, 0);
    const count = weights.filter((one) => one > 0).length;
    const { factor, leastAffixes } = this.#constants;
    this.halfPercents.push(count < leastAffixes ? 0 : halfPercentsOf(weight, this.#theme.total, factor));
    return this.#parts.push({ places, next: new Map() }) - 1;
  }
}
