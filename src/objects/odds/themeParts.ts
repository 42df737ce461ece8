import type { TrackedTheme } from "./slotLaw.js";
import { halfPercentsOf, LEAST_PARTS } from "./themes.js";

/** A set of the tracked affixes of a theme. */
interface Part {
  /** The places of the affixes in `SlotLaw.tracked`. */
  readonly places: readonly number[];
  /** Maps the place of another affix to the index of the part that has this affix as well. */
  readonly next: Map<number, number>;
}

/** Numbers the sets of one theme's tracked affixes that objects can have. Set 0 is empty. */
export class ThemeParts {
  readonly #theme: TrackedTheme;
  readonly #parts: Part[] = [{ places: [], next: new Map() }];
  readonly #numbers = new Map<string, number>();
  /** The half-percents of the theme for each set. */
  readonly halfPercents: number[] = [0];

  constructor(theme: TrackedTheme) {
    this.#theme = theme;
  }

  /** The places of a set in `SlotLaw.tracked`. */
  placesOf(part: number): readonly number[] {
    return this.#parts[part].places;
  }

  /** Returns the set with one more affix. */
  after(part: number, place: number): number {
    if (!this.#theme.isIn[place]) return part;
    const { next } = this.#parts[part];
    const known = next.get(place);
    if (known !== undefined) return known;
    const added = this.#find([...this.#parts[part].places, place].sort((a, b) => a - b));
    next.set(place, added);
    return added;
  }

  /** Finds a set by its places, or adds the set. All places must be in the theme. */
  #find(places: readonly number[]): number {
    const key = places.join();
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.#parts.length);
    const weights = places.map((place) => this.#theme.weights.get(place) ?? 0);
    const weight = weights.reduce((sum, one) => sum + one, 0);
    const count = weights.filter((one) => one > 0).length;
    this.halfPercents.push(count < LEAST_PARTS ? 0 : halfPercentsOf(weight, this.#theme.total));
    return this.#parts.push({ places, next: new Map() }) - 1;
  }
}
